"""What makes an English sentence a decision, a lesson or a lasting fact: one entry a device, each enough by itself."""

from .english_words import AROUND, CONTRAST, NUMBER, ONE, REASON
from .language import Signal, rx

FACTS: tuple[Signal, ...] = (
    # Made, not weighed: we decided to ..., we went with X because ..., removed on purpose, X is out, Y is in.
    Signal(
        "a decision",
        "decision",
        1,
        rx(
            r"^[\w.@-]+ it is\b|^decisions?\b.{0,40}[:–—]|\bwe(?:'ve| have)? (?:went|gone|opted) for (?!"
            + ONE
            + r")\w|\bwe ended up (?:with|on|using) (?!"
            + ONE
            + r")\w",
            r"^(?!.*\b(?:version|release|update|build)\b)[\w.-]+ is (?:now )?out(?:,| for| because|[.!]?$)",
            r"\bwe(?:'ve| have)? decided (?:against|for|on|to|that)\b",
            r"\b(?:we|the team|i(?='ve| have)|they)(?:'ve| have)? (?:finally |now |all |just |both "
            r"|jointly )?(?:decided|agreed|settled|chosen|opted|standardi[sz]ed|committed) (?!nothing|anything|yet"
            r"|to (?:go (?!with)|meet|look|talk|wait|discuss|get|grab))(?:on|to|for|against|that|not|in favou?r"
            r"|with)\b",
            r"\bwe(?:'ve| have)? (?:finally |now |just |all )*(?:went with|gone with|picked|chose|chosen"
            r"|switched (?:from|to)|moved (?:from|away|to|off)|migrated|dropped|ditched|replaced|landed on|adopted"
            r"|abandoned|are (?:moving|switching|sticking)|'re (?:moving|switching|sticking))\b(?=.*(?:"
            + REASON
            + "|"
            + CONTRAST
            + r"))",
            r"\bwe(?:'re| are|'ll| will) (?:going with|go with|stick(?:ing)? (?:with|to)|stay(?:ing)? (?:with|on)"
            r"|settl(?:e|ing) on|dropping|standardi[sz]ing on) (?!" + ONE + r")[\w.]",
            r"\bwe(?:'re| are) (?:dropping|ditching|retiring|abandoning|getting rid of) ",
            r"\bwe(?:'ve| have)? went with (?!" + ONE + r")\w",
            r"^(?:decision|decided|agreed|final (?:decision|answer|call))\s*[:–—-]",
            r"\b(?:it'?s|that'?s|it is) (?:now )?(?:decided|settled|final)\b|\b[\w.-]+ is out, [\w.-]+ is in\b",
            r"\blet'?s (?:go with|stick (?:with|to)|settle on|standardi[sz]e on|commit to) (?!"
            + ONE
            + r"|\d)[\w.-]+(?=.*(?:"
            + REASON
            + r"|\bover\b|\binstead of\b|\brather than\b))",
            r"\b(?:was|were|is|are|been|we|i|isn'?t|aren'?t|it'?s|that'?s|left|took|removed"
            r"|kept)\b[^.?]*\b(?:on purpose|deliberate(?:ly)?|intentional(?:ly)?|by design|by choice"
            r"|a conscious (?:choice|decision))\b(?! left blank)",
            r"\b(?:on purpose|deliberately|intentionally)\b[.,:;]? (?:because|since|so that|the|they|we|it|to)\b",
            r"^change of plans?\b.{0,40}[:,] |\bwe(?:'ve| have)? changed (?:our minds?|the plan)\b.*(?:: |\bnow\b)",
            r"\bsold as\b|\bso nothing (?:that )?\w+ .* leaves\b",
        ),
    ),
    # Learnt from damage: lesson learned: ..., bit us twice, the outage came from ..., next time run ... first.
    Signal(
        "a lesson",
        "postmortem",
        1,
        rx(
            r"\blessons?(?: (?:learned|learnt|here|from \w+|for (?:us|me|next time)))?(?: is| was)?\s*[:–—-]"
            r"|\bthe lesson (?:is|was|here|from|i)\b|\blesson learn(?:ed|t)\b",
            r"\bwe (?:have )?learn(?:ed|t) (?:that|the hard way|not|to|from)\b|\blearn(?:ed|t) (?:it |that "
            r"|this )?the hard way\b",
            r"\b(?:bit|bitten|burn(?:ed|t)|hit|stung|caught) us (?:before|twice|already|last|again|in prod|hard|badly"
            r"|once|more than)\b|\bhas bitten us\b",
            r"\b(?:cost us|lost us|took (?:down|out) (?:prod|production|the \w+)|took (?:prod|production|the (?:site"
            r"|shop|api|cluster)) down)\b",
            r"\b(?:outage|incident|downtime|data loss|post-?mortem|root cause)\b.*\b(?:came from|was (?:caused by"
            r"|because|due|that|a|the|an)|because|happened because|due to|turned out)\b",
            r"\bwe (?:lost|broke|deleted|leaked|corrupted|wiped|had (?:an?|to)) .*\b(?:because|due to|when somebody"
            r"|when someone)\b",
            r"^next time[,:]? (?:you |we |please )?(?!i |it |they |he |she )(?:don'?t |do not |always |never "
            r"|should )?\w+",
            r"\bturn(?:s|ed) out\b.*\bso\b.*\b(?:must|never|always|can'?t|cannot|don'?t|mustn'?t|have to|has to)\b",
        ),
    ),
    # It happened, and that is worth knowing: releases, moves, new names, who left and who took over.
    Signal(
        "a turn of events",
        "event",
        1,
        rx(
            r"\b(?:joined|started|took over|has taken over|is here) (?:us )?as (?:the |our )?(?:new )?\w+|\bis (?:our"
            r"|the) new (?:\w+ )?(?:lead|maintainer|owner|manager|admin|contact)\b",
            r"\b(?:was|were|got|has been|have been) (?:switched off|turned off|dropped|retired|shut down|discontinued"
            r"|sunset|renamed|moved|split|replaced)\b.*(?:\b(?:only|now|gone|instead|since)\b|\blast \w+\b"
            r"|\bin \d{4}\b)",
            r"\bsince (?:january|february|march|april|may|june|july|august|september|october|november|december"
            r"|last \w+|\w+day|v?\d[\d.]*)\b.*\b(?:only|gone|no|now|instead|is|are)\b",
            r"\bnow (?:has|lives in|runs on|belongs to|sits in) (?:its|their|an?|the|our)?\b",
            r"\bwe(?:'ve| have)? (?:just |finally )?(?:released|launched|shipped|went live|open.?sourced|cut over"
            r"|moved|migrated|switched|renamed|upgraded|shut down|sunset|retired|merged with|acquired"
            r"|hired)\b.*\b(?:yesterday|today|last (?:week|month|night|year|\w+day)|on \w+day|this (?:week|morning)"
            r"|in (?:january|february|march|april|may|june|july|august|september|october|november|december)|since"
            r"|stays|is (?:now|only)|\d{4})\b",
            r"\b(?:ops|infra|the (?:customer|client|team|company|vendor|provider)|they) (?:upgraded|moved|migrated"
            r"|switched|renamed|retired|shut down|closed) .*\b(?:to|off|on|from)\b",
            r"\b(?:left|joined|is leaving|has left) (?:us|the (?:team|company|project))\b|\b\w+ (?:owns|took over"
            r"|takes over|is responsible for|maintains) \w+ now\b",
            r"\b(?:has been|was|got|is now|were) (?:renamed|acquired|rebranded|sunset|end.of.life|called)\b.*\b(?:to"
            r"|by|now|is gone|\w+)\b(?<!function)(?<!variable)",
        ),
    ),
    # What runs where, who owns what, what machines and people around are like: CI is on node 16, staging is read-only.
    Signal(
        "a lasting fact",
        "fact",
        1,
        rx(
            r"\b(?!he|she|it|that|this)\w+ is (?:the|our) (?:owner|maintainer|expert|contact|lead|architect) (?:of"
            r"|for|on)\b",
            r"\b"
            + AROUND
            + r"(?: \w+)? (?:is|are) (?:all |still |now |only )*(?:arm(?:64)?|x86(?:_64)?|amd64|32.bit|64.bit"
            r"|windows|linux|mac(?:os)?|alpine|debian|musl)\b",
            r"\b[\w.-]+ needs? (?:sudo|root|admin rights|a vpn|the vpn|rosetta)\b",
            r"\bthere(?:'s| is| are) no [\w -]{2,25} (?:on|in) (?:my|our|the|this) (?:machine|laptop|box|server"
            r"|office|network|cluster|container|ci|building|team)\b",
            r"\b(?:secrets|credentials|keys|configs?|translations|prices|rates|users|images|assets) (?:come|comes"
            r"|are read|are synced|are loaded|are managed) (?:from|by|in) (?!the (?:props|parent|request|url))\w",
            r"\b(?:most|all|some|many|half|none|a third|\d+ ?%) (?:of )?(?:our|the) (?:\w+ )?(?:fleet|cluster|nodes"
            r"|servers|runners|network|sites|stores|offices)\b (?:is|are|has|have|use|uses|run|runs)",
            r"\b(?:box|machine|server|device|instance|vm|pod|host|laptop|lambda)s? (?:only )?(?:has"
            r"|have) (?:only )?\d+ ?(?:[kmgt]i?b|cores?|cpus?|gb of ram)\b",
            r"\b(?:network|office|plant|factory|site|cluster|datacenter|environment|system)s? (?:is"
            r"|are) (?:air[- ]?gapped|offline|isolated|firewalled)\b",
            r"\bour (?:\w+ )?(?:customers|users|clients|partners|devices|readers|students|people) (?:are|have|use|run"
            r"|sit|work|live|come) (?:mostly|mainly|all|only|still|often|usually|on|in|from|with)\b",
            r"\bthe (?:whole |entire )?team (?:sits|works|lives|is based|is) (?:in|from|across|remote)\b",
            r"\b(?:is|are) protected\b.*\b(?:needs?|requires?|must)\b|\bneeds? (?:one|two|three|\d) approvals?\b",
            r"\bwe have an? [\w -]{3,30} (?:every|each|on|in) (?:january|february|march|april|may|june|july|august"
            r"|september|october|november|december|week|month|quarter|year|\w+day)\b",
            r"\bwe(?:'re| are) on (?!"
            + ONE
            + r"|it|time|track|hold|call|vacation|holiday|fire|board|top|schedule|our\b|branch|main"
            r"|page)[\w.-]+ for \w+",
            r"\b"
            + AROUND
            + r"(?: \w+)? (?:still |only |all |just |are |is )*(?:runs?|uses?|on|still on|stuck on|sits? on|has"
            r"|have) (?:still |only |on )*(?:an? )?(?!the )" + NUMBER,
            r"\b"
            + AROUND
            + r" (?:is|are) (?:still |only )*(?:postgres|mysql|mariadb|oracle|node|python|java|php|ruby|debian"
            r"|ubuntu|rhel|centos|windows|sqlite) " + NUMBER,
            r"\b"
            + AROUND
            + r"(?: \w+){0,2} (?:still |only |also )*(?:is|are|listens?|lives?|runs?|sits?|answers?)(?: \w+)? (?:on"
            r"|at|under|behind) (?:port |https?://)?(?:localhost:)?(?:\d{2,5}\b|[\w-]+\.(?:internal|local|example"
            r"|com|net|io|dev)\b)",
            r"\b" + AROUND + r"(?: \w+){0,2} (?:is|are)(?: only| always| just)? (?:an? )?(?:read[- ]only|write[- ]only"
            r"|air[- ]?gapped|offline (?:most|by)|behind (?:a|the) (?:vpn|proxy|firewall)|(?:nightly )?(?:copy"
            r"|mirror|clone|replica|snapshot))\b",
            r"\b"
            + AROUND
            + r" (?:have|has|come without|comes without|run) (?:this )?(?:no |without |in containers|only |neither )",
            r"\bis (?:overwritten|wiped|reset|rebuilt|refreshed|restored) (?:every|each) (?:night|day|week|morning"
            r"|hour)\b",
            r"\b(?:folder|directory|dir|repo|service|module|package|schema|table|api|terraform|\w+/"
            r"|helm charts?)\b.{0,20}\b(?:belongs? to|is owned by|are owned by|is maintained by|is run by) (?!me\b)\w",
            r"^on (?:windows|mac|macos|linux|arm|wsl|alpine|ci|the ci|our ci|prod|production"
            r"|staging)(?: \w+)? .*\b(?:must|have to|has to|needs? to|needs?|can'?t|cannot|only|doesn'?t (?:work"
            r"|exist|support)|don'?t (?:work|exist))\b",
            r"\b(?:tests|build|suite|e2e|integration tests|deploy(?:ment)?|migrations|benchmarks"
            r"|scripts?)\b(?: \w+)? (?:only (?:works?|runs?|passes|pass) (?:on|with|in|under|from|behind|when)"
            r"|(?:needs?|requires?) (?:\w+ ){0,3}(?:running|installed|vpn|docker|root|sudo|once|jdk \d+|node \d+"
            r"|python [\d.]+|\w+ \d+\.\d+|`x+`|x{5,}))",
            r"\bwe (?:only )?(?:support|target|deploy to|deploy on|run on|host on|ship to|release) (?!it\b|this|that"
            r"|the )[\w.+ -]*(?:\d|only|every|aws|gcp|azure|kubernetes|bare metal|containers)\b",
            r"\b(?:we'?re|we are|they'?re|(?:customers|users|clients|partners) are) (?:still |all |stuck |stuck on "
            r"|only )*on (?!it|the same|track|time|hold|fire|a |the |vacation|holiday)[\w.+-]+ ?v?\d[\w.]*\b",
            r"\bcustomers? (?:run|install|deploy|use) (?:this|it|us) (?:in|on|with|behind|from|without)\b",
            r"\b(?:most|all|some|many|half|none|\d+ ?%) of (?:our|the) (?:users|customers|clients|devices|team"
            r"|machines|partners|people|traffic) (?:are|is|have|has|use|uses|run|runs|sit|work|come|comes)\b",
            r"\bwe(?:'re| are) (?:only |just )?(?:an? |two |three |four |five |\d+ )(?:[\w-]+ ){0,2}(?:team|people"
            r"|persons|developers|devs|engineers|startup|agency|company|shop|bank|hospital|school)\b",
            r"\b(?:this|it) (?:thing |app |service |tool |project )?(?:runs|will run|is deployed|ships|is sold"
            r"|is used|gets installed) (?:on|in|to|by|inside) (?:an? |our |their )?(?:raspberry pi|pi|phone|phones"
            r"|tablets?|cars?|hospitals?|schools?|kiosks?|lambda|kubernetes|docker|containers?|browsers?|embedded|arm"
            r"|windows|edge|trains?|planes?|factories|factory|warehouse)",
        ),
    ),
)
