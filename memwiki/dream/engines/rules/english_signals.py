"""What makes an English sentence outlast its session: one entry a device, the ones that suffice alone first."""

from .english_words import (
    AGENTS_WORK,
    ANSWERS,
    AROUND,
    CONTRAST,
    KIND,
    LASTING,
    NO_ORDER,
    ONE,
    ORDER,
    POLICY,
    REASON,
    SAYING,
    STAND,
    TONGUES,
    WE,
)
from .language import Signal, rx

NUMBER = (
    r"[\w.+-]*\s?v?\d+(?:\.\d+)*\b(?! ?(?:minutes?|hours?|errors?|failures?|tests?|jobs?|times?|%|days?|seconds?|ms))"
)

STANDING: tuple[Signal, ...] = (
    # A phrase that by itself says "beyond today".
    Signal(
        "said for the future",
        "preference",
        1,
        rx(
            r"^in general,? (?!i |it |this |that |the )\w",
            r"\bi(?:'ve| have)? (?:said|told you|asked you|mentioned) (?:this|that|it|so)? ?(?:before|already"
            r"|twice|many times|\w+ times|again and again)\b",
            r"^my (?:taste|preference|rule|style|philosophy|approach)\s*:",
            r"\b(?:from (?:now|here|today|this point) (?:on|onwards?|forward|out)|from here on out|going forward"
            r"|henceforth|for all future"
            r"|once and for all|at all times|without exceptions?|no exceptions|every single time|until further"
            r" notice|until i say otherwise"
            r"|by convention|rule of thumb|house rule|golden rule|across the board)\b",
            r"\bas a (?:general )?rule\b(?! (?:to|in|for|into) (?:the|eslint|your|our))",
            r"(?:^|[,;:] |\band |\bbut )in (?:the )?future\b(?! (?:we|it|they|this|there) (?:might|may|could|will))"
            r"|\bin future,? (?!we (?:might|may|could)|dates?|events?)",
            r", for good[.!]?$|^for good\b|\b(?:things?|rules?|points?) for good\b|\bin general[.!]?$|,"
            r" generally[.!]?$|, period[.!]?$|, full stop[.!]?$",
            r"\bthat'?s (?:the deal|the rule|a rule|a must|how (?:we|i) (?:roll|work|do (?:it|things)|want it)(?!"
            r" (?:today|now)))\b",
            r"\b(?:that|this|the same) (?:goes|applies|holds) for (?:all|every|any|each|everything|the whole)\b",
            r"\bhow (?:often|many times) do i (?:have|need) to (?:say|tell|repeat)\b",
        ),
    ),
    Signal(
        "said for every time",
        "preference",
        1,
        rx(
            r"(?:^|[;:(]\s*|\b(?:please|pls|must)\s+)(?:please )?" + ORDER,
            r"^(?!" + SAYING + r").*(?:,\s*|\b(?:and|but|so|then)\s+)(?:please )?" + ORDER,
            r"\byou (?:should |must |can |may |have to |need to )?" + ORDER,
            r"^(?!.*\b(?:if|when|where)\b).{8,},\s*(?:and )?always[.!]*$",
            r"^no\b.*\bever\b|,\s*ever\b(?! (?:since|so))",
            r"\b(?:don'?t|do not|never)\b.{3,80}\bever again\b|^never again\b",
            r"^(?:whenever|every ?time|each time|any ?time) you (?!need|want|feel|like|get|see|click|have|can"
            r"|visit)\w.*[,\s]",
            r"\b(?:whenever|every ?time|each time) (?:you|we|something|anything) (?!click|crash|load|open|press"
            r"|scroll)\w+",
            r"^when(?:ever)? you (?:write|show|explain|answer|review|suggest|propose|refactor|name|commit|report"
            r"|list|quote|add|create|touch"
            r"|open|give|reference|use|generate|work|edit|mention) (?!" + ONE + r").{3,60}, ",
            r"\b(?:before|after|with|on|for) (?:every|each) (?:commit|push|release|deploy(?:ment)?|merge|pr|pull"
            r" request|change|build|session"
            r"|test run|answer|task|migration|new \w+)\b",
            r"\b(?:show|tell|give|ask|warn|send|check with) (?:me|us)\b.*\bbefore (?:you )?(?:change|touch|edit"
            r"|delete|run|commit|push|install|add"
            r"|pick|choose|refactor|rename|deploy|merge|upgrade|rewrite)(?:ing)? (?!" + ONE + r"(?<!more))\w",
        ),
    ),
    Signal(
        "the way the team works",
        "preference",
        1,
        rx(
            r"\bthat'?s why (?:all |every |no |our )?(?!the |this |that |it |he |she |they |you )[\w-]+s? (?:\w+"
            r" )?(?:here |in this \w+ )?(?:needs?|must|are|have|goes?|gets?|never|always|don'?t|only)\b",
            r"\bwe (?:don'?t|do not) want (?!to\b|that|this|it\b|the )\w",
            r"\bwe(?:'re| are)? (?:\w+ )?(?:build|compile|deploy|run|test|ship|develop) (?:with|on|against|for|in)"
            r" " + NUMBER,
            WE
            + r" (?:\w+ly )?(?:always|never) (?!"
            + NO_ORDER
            + r")(?!reach|hit|get|call|enter|return|see|execute|free|close|set|clear|check"
            r"|finish|implement|decide|discuss|meet|know|need|want|end|forget|agree|estimate)[a-z]\w+",
            WE + r" (?:should|must|shall|may|can|had better|'d better)(?: \w+ly)? (?:always|never|only ever)\b",
            r"\bwe'd better (?:always|never|not)\b",
            WE + r" (?:don'?t|doesn'?t|do not|does not|never|no longer|only(?: ever)?|generally|usually|by default"
            r"|strictly|normally) "
            + POLICY
            + r"\b(?! (?:that|this|it|these|those|the|any of|much|so|well|anything)\b)",
            WE + r" (?:have|keep) a (?:rule|policy|convention|ban)\b",
            WE + r" (?!have to|need|want|are|were|get|see|call|know|think|had|did|should|could|will|'|can|just)[a-z]+"
            r" [^.,]{2,50}(?:, (?:and )?not |, never |"
            r" instead of | rather than )(?!" + ONE + r"(?<!the)(?<!a))\w",
            WE
            + r" "
            + POLICY
            + r"\b(?=[^.]*\b(?:everywhere|anywhere|across the board|by hand|by default|for everything|throughout"
            r"|in this "
            + LASTING
            + r"|in our \w+|in all (?:our )?\w+s|on purpose))(?! (?:that|this|it|these|those)\b)",
            r"\bin (?:this|our) "
            + LASTING
            + r",? (?:we|you|use|never|always|only|all|every|no|don'?t|nothing|everything|tests?|please)\b"
            r"(?!.*\b(?:we|you) (?:need|want|have|can|get|see)\b)",
            r"^this (?:\w+ )?"
            + LASTING
            + r" (?:uses?|targets?|supports?|follows?|ships?|must|has to|needs to (?:stay|keep|remain|run|work)"
            r"|runs on|stays?|is (?:a |an )?[\w.-]+(?:[ -]only|[ -](?:workspace|monorepo|shop|project|repo"
            r"|codebase)))\b",
            r"\b(?:this|it) is an? [\w.-]+ (?:workspace|monorepo|shop|repo|codebase|project)\b(?=,| so|[.!]?$| and )",
            r"\b(?:it'?s|this is|we'?re on|we have|we'?ve got|we run) (?:always )?(?!"
            + ONE
            + r"|called|not|ok|fine|done|good|enough|there|nothing)[\w.@+-]+ (?:here|around here"
            r"|in (?:this|our) " + LASTING + r"|with us)(?:[,.!;]|$)",
            r"\bthat'?s why (?:we|i) (?:don'?t|never|always|use|want|have|keep|only|prefer|insist|went|avoid|write"
            r"|run|pin)\b",
        ),
    ),
    Signal(
        "named as the convention",
        "preference",
        1,
        rx(
            r"\b(?:our|my|house|team|the team'?s) (?:\w+ ){0,2}(?:convention|policy|standard|rule|practice"
            r"|preference|style|default|habit"
            r"|standards|rules|conventions) (?:is|are|says?|for \w+ is)\b",
            r"\b(?:is|are|that'?s|as|per|by|follows?) (?:our|the team'?s|a team|a house|the house) (?:\w+"
            r" ){0,2}(?:convention|policy|standard"
            r"|rule|practice|style|default|naming|way)s?\b",
            r"\bthe (?:convention|rule|policy|standard|practice) (?:here|in this "
            + LASTING
            + r"|for \w+|with us) is\b",
            r"\b(?:is|are) (?:banned|off[- ]limits|taboo|a no-go|verboten|strictly forbidden)\b",
            r"\b(?:that'?s|this is) (?:a (?:hard|firm|standing|house|team) rule|not negotiable|non-negotiable)\b",
            r"\b(?:a )?(?:legal|compliance|security|contractual|regulatory|audit) (?:requirement|rule|reasons)\b"
            r"|\bthat'?s (?:\w+ )?law\b",
        ),
    ),
    Signal(
        "a rule for all of a kind",
        "preference",
        1,
        rx(
            r"^(?:anything|everything|whatever|everyone|nothing|nobody) [^,;]{3,60} (?:needs?|must|gets?|goes"
            r"|stays|should|belongs|has to|is (?!broken|fine|ok|done|working|gone|missing)\w+ed)\b",
            r"^all new [\w-]+ (?:in|go|get|use|are|need)\b|^new [\w-]+s (?:in|go|get|use|are|need|come)\b",
            KIND
            + STAND
            + r" [^.;]{2,60}, (?:[\w-]+ ){1,4}(?:don'?t|doesn'?t|isn'?t|aren'?t|is for|are for|belongs? to|ones? )",
            KIND + r"(?:(?:is|are)(?:n'?t| not) (?:ok|okay|allowed|acceptable|an option|welcome|permitted|wanted)"
            r"|(?:don'?t|doesn'?t) (?:count|belong))\b",
            r"\b(?:an?|every|each|any) [\w -]{3,40} without [\w -]{3,40} (?:isn'?t|is not|is no|doesn'?t)\b|^[\w"
            r" -]{3,40} without [\w -]{3,40} (?:aren'?t|are not|don'?t) (?:allowed|ok|count|accepted|done)\b",
            r"^(?!" + ONE + r"|i |we |you )(?:[\w-]+ ){1,3}only, (?!not |please|no |the )(?:[\w-]+ ){1,4}",
            r"^(?:all|every|each|any|new|no) (?:[\w-]+ ){1,6}?(?:always|never|only ever|must (?:never|always|not"
            r"|be|have)"
            r"|(?:goes|go|gets|get|lives|live|belongs?) (?:in|into|under|behind|on|to|a|an|its|the)\b)",
            KIND
            + r"(?:must never|must always|should never|should always|"
            + STAND
            + r" (?:always|never)|(?:always|never) (?:go|goes|gets?|lives?"
            r"|starts?|ends?|use|come|stay|belong|are|is))\b",
            KIND
            + STAND
            + r" [^.,;]{2,60}(?:, (?:always|never|not|no|only|and not|every)\b| (?:instead of|rather than|never"
            r"|everywhere|all over"
            r"|throughout|in our (?:code|setup|stack|api|schema|world)|across the|by convention|without exception)\b)",
            r"^(?!the |this )(?:files|everything|anything|stuff|nothing) (?:in|under|below|inside) \S+ (?:is|are"
            r"|must|gets?|stays?|comes?|may)\b",
            r"\b(?:don'?t|never) (?:touch|edit|change|modify) .{3,60}\b(?:they|it|those|that) (?:get|are|is|gets"
            r"|come|comes) (?:\w+ly )?(?:synced"
            r"|generated|overwritten|managed|vendored|built|owned|copied|from|mirrored)",
            r"\bmust (?:always )?(?:be )?(?:\w+ )?before (?:every|each|any)\b|\bmust (?:keep|stay|remain)"
            r" (?:working|supported|compatible|green)\b",
            r"\b(?:has|have|needs?) to (?:keep working|stay (?:supported|compatible|green|backwards)|keep"
            r" (?:supporting|compiling|building))\b",
        ),
    ),
    Signal(
        "a limit on what the agent does",
        "preference",
        1,
        rx(
            r"\byou (?:don'?t|do not) (?:need|have) to ask (?:me )?(?:before|for|about|when|if|every|each|first)\b"
            r"|\bnever ask (?:me )?(?:before|for|about|if)\b",
            r"\bask (?:me )?when(?:ever)? (?:something|anything|you'?re|in doubt|unclear)\b|\b(?:when|if) (?:in"
            r" doubt|unsure|something is unclear),? ask\b",
            r"^(?:please |can you |could you )*stop with (?:the |all the |your |those )?" + ANSWERS,
            r"^keep (?!it|this|that|the |in mind|going|working|trying)\w+ing (?:before|after|when|for|me|every)\b",
            r"^(?:please |and |also |you (?:can|should|need to|have to) |could you |can you |i (?:want|need) you"
            r" to )*(?:stop|quit) "
            r"(?!the |this |that )" + AGENTS_WORK + r"(?! (?:the|this|that|it)\b)",
            r"\b(?:don'?t|do not|never|no|not) (?!.*\b(?:it|this|that) again)(?:[^.]{3,80}?)\b(?:without (?:asking"
            r"|my|telling|checking with|me"
            r"|an? explicit|being asked|permission)|unless (?:i|you'?re|we|someone) (?:explicitly )?(?:ask|say"
            r"|tell|told|asked|approve"
            r"|request)|(?:before|until) (?:asking|you'?ve asked|checking with) me)\b",
            r"\b(?:ask|check with|tell|warn) me (?:first )?before (?:you )?(?!the )\w+ing\b|\bask (?:me )?before"
            r" (?:every|each|any)\b",
            r"^(?:please )?(?:don'?t|do not) (?!.*\b(?:it|this|that)\b)\w+[^.]{3,60}\b(?:any ?more|ever|again)\b[.!]?",
            r"\b(?:don'?t|do not|no need to|you don'?t (?:have|need) to|i don'?t need (?:you to"
            r"|an?)?)\b.{3,60}\b(?:all the time|every ?time|each time"
            r"|(?:after|before|for|at the end of|with|in) (?:every|each)|constantly|so (?:much|often|many)|over"
            r" and over)\b",
            r"^no (?!changes?|need|idea|problems?|errors?|luck|worries|results?|output|diff|tests? (?:in|for) the"
            r"|one|matter|sign|trace|longer)"
            r"(?:[\w-]+ ){1,3}(?:in|for|on|from|outside(?: of)?) (?:any|my|your|our|this "
            + LASTING
            + r"|production|commit|(?!the |this |that )[a-z-]+s\b)",
            r"\byou (?:keep|always|constantly) (?:\w+ing|forget|add|leave|use|write|put|skip|ignore|break|miss)\b",
        ),
    ),
    Signal(
        "a preference",
        "preference",
        1,
        rx(
            r"\bi (?:read|think in|work with|learn from|want to see|need) (?!"
            + ONE
            + r")[\w-]+(?: [\w-]+)?, not (?!"
            + ONE
            + r")\w|\bi think in \w+",
            r"\bi'?(?:d| would) rather (?:see|get|have|read) .{3,60} than \w",
            r"\bi don'?t want (?!the |this |that )[\w-]+s (?:that|which|with|where|like|in|for)\b",
            r"\bone \w+ at a time,? please|^(?:please )?one (?!file|step|commit|thing)\w+ at a time\b",
            r"\bi (?:always )?(?:work|develop|commit|deploy|test|review) (?:on|in|with|from|by) (?!"
            + ONE
            + r")[\w-]+ ?[\w-]*s\b",
            r"\bi (?:really |much |generally |usually |always |strongly |personally |still )*(?:prefer|favou?r"
            r"|hate|dislike|can'?t stand|despise"
            r"|loathe) (?!" + ONE + r")\w",
            r"\bi (?:really |just |simply )*(?:like|love|enjoy|want) (?!"
            + ONE
            + r")(?:[\w-]+ ){0,2}[\w-]+s\b(?=,? (?:one|each|short|small|not|in general|over|better|more|with|that|to"
            r" be|and not)|[.;:]|$)"
            r"\bi(?: really)? (?:hate|don'?t like|dislike|can'?t stand) (?:it )?when (?:you|commits|tests|code"
            r"|people|functions|answers)\b",
            r"\bi'?(?:d| would) (?:much |always )?rather (?!not\b|have it|have the|have this|see the|"
            + ONE
            + r")(?:you|have|see|get|read|review"
            r"|wait|know|be asked)\b",
            r"\bi find (?!"
            + ONE
            + r"|out\b)[^.]{3,50}\b(?:easier|harder|clearer|more readable|better|nicer|annoying|confusing|noisy"
            r"|distracting|unreadable)\b",
            r"\b(?:drives me (?:crazy|nuts|mad|up the wall)|pet peeve|gets on my nerves|makes me cringe|bothers me"
            r" when|that'?s my taste)\b",
            r"\bi (?:don'?t|never) (?:ever )?want (?:(?!the |this |that |it |to )[\w-]+ ){1,4}(?:anywhere|ever|in"
            r" my|in our|in any)\b"
            r"|\bi never want (?:to see )?(?!the |this |that )\w|\bi don'?t want [a-z-]+s (?:for|in|on) ",
            r"\bmy (?:preference|preferred \w+) (?:is|would be)\b",
            r"\b(?:exactly )?how i (?:like|want) (?:my |your )?\w+(?: \w+)?(?: presented| done| written| named|"
            r" structured| every time| always|, always)\b",
        ),
        personal=True,
    ),
    Signal(
        "how the agent should talk or work",
        "preference",
        1,
        rx(
            r"^do (?:that|this|it|so) (?:with|for|in|on|at|before|after) (?:every|each|all|any)\b",
            r"^(?:every ?time|always|from now on)(?:,? please)?[.!]*$",
            r"^(?:answer|reply|respond|talk|speak|write)(?: to me| back| everything| your \w+)? (?:only |always"
            r" )?in (?:plain |simple )?"
            + TONGUES
            + r"\b(?=,? (?:always|please|from|every|even|but|unless|and|the)|[,.;]|$)",
            r"\b(?:keep|make|write) (?:your|all|all your|the|my) (?:[\w-]+ )?"
            + ANSWERS
            + r" (?:\w+ ){0,2}(?:short|brief|concise|terse|small|in|under"
            r"|to|plain|shorter|simple|focused|imperative|lower)",
            r"\b(?:your|in) (?:answers|replies|responses|explanations|commit messages|summaries|pr"
            r" descriptions)\b.*\b(?:should|must|too (?:long"
            r"|wordy|verbose|chatty)|no |without|don'?t|never|use|keep|only)\b",
            r"^(?:please )?(?:don'?t|no|leave out|skip) [\w ,]{2,40}\b(?:in|at the end of|after|from) (?:your"
            r"|every|each) (?:answers?|repl(?:y|ies)|responses?"
            r"|commit messages?|messages?|commits?|summar(?:y|ies)|explanations?|changes?|edits?|tasks?)\b",
            r"^be (?:more |less )?(?:brief|concise|terse|direct|blunt|verbose|chatty|formal|honest|critical|wordy)\b",
            r"\b(?:less|fewer|shorter|no more) " + ANSWERS + r"\b.*\b(?:all|every|always|please|general)\b",
            r"^(?:explain|use|write|answer|talk)\b.*\b(?:simple|easy|plain|short) (?:words|language|terms|sentences)\b",
            r"\b(?:call me|my name is|address me as|my pronouns are) (?!back|when|if|later|out|crazy|on )\w",
            r"\b(?:work|do (?:it|things)) (?:like (?:that|this)|that way|this way) (?:generally|in general|always"
            r"|every time)\b|\balways (?:work|do it) (?:that|this) way\b",
            r"^keep (?:doing|on doing) (?:that|this|it)\b|^do (?:that|this|it)(?: like (?:that|this))? (?:whenever"
            r"|every ?time|always|from now)\b",
        ),
        personal=True,
    ),
    Signal(
        "one thing rather than another",
        "preference",
        1,
        rx(
            r"^(?:\w+ )?(?:with|using|via) (?!"
            + ONE
            + r")[\w@./+-]+(?: please)?,? (?:please,? )?(?:not|instead of|rather than|never) (?!"
            + ONE
            + r"|just|only)[\w@./+-]+\b",
            r"(?:^|[,:;] |\band |\bplease |\bto |\bshould |\bmust )(?:use|prefer|write|say|spell|choose|pick) (?!"
            + ONE
            + r")[\w@./+-]+(?: [\w-]+)? ?"
            r"(?:,|-|–|and)? ?(?:not|instead of|rather than|over|never) (?!" + ONE + r"|just|only|sure)[\w@./+-]+"
            r"(?= (?:here|in this (?!file)|for|in (?!the |this |that ))|[.!,;)]|$)",
            r"\b(?:it'?s|we'?re) (?:an? )?(?!called|not)[\w.-]+,? not (?!"
            + ONE
            + r"|sure|yet|only|just|per|working)[\w.-]+ (?:here|in this "
            + LASTING
            + r"|with us|around here)\b",
            r"^(?!"
            + ONE
            + r"|i |we |you |it|no |not )(?:[\w-]+ ){1,3}(?:over|instead of) (?!"
            + ONE
            + r")(?:[\w-]+ ?){1,3}(?:,|[.!]?$)",
        ),
    ),
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
            r"\b(?:we|the team|i(?='ve| have)|they)(?:'ve| have)? (?:finally |now |all |just |both |jointly"
            r" )?(?:decided|agreed"
            r"|settled|chosen|opted"
            r"|standardi[sz]ed|committed) (?!nothing|anything|yet|to (?:go (?!with)|meet|look|talk|wait|discuss"
            r"|get|grab))(?:on|to|for|against|that"
            r"|not|in favou?r|with)\b",
            r"\bwe(?:'ve| have)? (?:finally |now |just |all )*(?:went with|gone with|picked|chose|chosen|switched"
            r" (?:from|to)|moved (?:from|away|to"
            r"|off)|migrated|dropped|ditched|replaced|landed on|adopted|abandoned|are (?:moving|switching"
            r"|sticking)|'re (?:"
            r"moving|switching|sticking))\b(?=.*(?:" + REASON + "|" + CONTRAST + r"))",
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
            r"\b(?:was|were|is|are|been|we|i|isn'?t|aren'?t|it'?s|that'?s|left|took|removed|kept)\b[^.?]*\b(?:on"
            r" purpose|deliberate(?:ly)?"
            r"|intentional(?:ly)?|by design|by choice|a conscious (?:choice|decision))\b(?! left blank)",
            r"\b(?:on purpose|deliberately|intentionally)\b[.,:;]? (?:because|since|so that|the|they|we|it|to)\b",
            r"^change of plans?\b.{0,40}[:,] |\bwe(?:'ve| have)? changed (?:our minds?|the plan)\b.*(?:: |\bnow\b)",
            r"\bsold as\b|\bso nothing (?:that )?\w+ .* leaves\b",
        ),
    ),
    Signal(
        "a lesson",
        "postmortem",
        1,
        rx(
            r"\blessons?(?: (?:learned|learnt|here|from \w+|for (?:us|me|next time)))?(?: is| was)?\s*[:–—-]|\bthe"
            r" lesson (?:is|was|here|from|i)\b"
            r"|\blesson learn(?:ed|t)\b",
            r"\bwe (?:have )?learn(?:ed|t) (?:that|the hard way|not|to|from)\b|\blearn(?:ed|t) (?:it |that |this"
            r" )?the hard way\b",
            r"\b(?:bit|bitten|burn(?:ed|t)|hit|stung|caught) us (?:before|twice|already|last|again|in prod|hard"
            r"|badly|once|more than)\b"
            r"|\bhas bitten us\b",
            r"\b(?:cost us|lost us|took (?:down|out) (?:prod|production|the \w+)|took (?:prod|production|the"
            r" (?:site|shop|api|cluster)) down)\b",
            r"\b(?:outage|incident|downtime|data loss|post-?mortem|root cause)\b.*\b(?:came from|was (?:caused by"
            r"|because|due|that|a|the|an)|because"
            r"|happened because|due to|turned out)\b",
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
            r"\b(?:joined|started|took over|has taken over|is here) (?:us )?as (?:the |our )?(?:new )?\w+|\bis"
            r" (?:our|the) new (?:\w+ )?(?:lead|maintainer|owner|manager|admin|contact)\b",
            r"\b(?:was|were|got|has been|have been) (?:switched off|turned off|dropped|retired|shut down"
            r"|discontinued|sunset|renamed|moved|split|replaced)\b.*(?:\b(?:only|now|gone|instead|since)\b|\blast"
            r" \w+\b|\bin \d{4}\b)",
            r"\bsince (?:january|february|march|april|may|june|july|august|september|october|november|december"
            r"|last \w+|\w+day|v?\d[\d.]*)\b.*\b(?:only|gone|no|now|instead|is|are)\b",
            r"\bnow (?:has|lives in|runs on|belongs to|sits in) (?:its|their|an?|the|our)?\b",
            r"\bwe(?:'ve| have)? (?:just |finally )?(?:released|launched|shipped|went live|open.?sourced|cut over"
            r"|moved|migrated|switched|renamed|upgraded"
            r"|shut down|sunset|retired|merged with|acquired|hired)\b.*\b(?:yesterday|today|last (?:week|month"
            r"|night|year|\w+day)|on \w+day|this (?:week|morning)"
            r"|in (?:january|february|march|april|may|june|july|august|september|october|november|december)|since"
            r"|stays|is (?:now|only)|\d{4})\b",
            r"\b(?:ops|infra|the (?:customer|client|team|company|vendor|provider)|they) (?:upgraded|moved|migrated"
            r"|switched|renamed|retired|shut down|closed) .*\b(?:to|off|on|from)\b",
            r"\b(?:left|joined|is leaving|has left) (?:us|the (?:team|company|project))\b|\b\w+ (?:owns|took over"
            r"|takes over|is responsible for|maintains) \w+ now\b",
            r"\b(?:has been|was|got|is now|were) (?:renamed|acquired|rebranded|sunset|end.of.life"
            r"|called)\b.*\b(?:to|by|now|is gone|\w+)\b(?<!function)(?<!variable)",
        ),
    ),
    # Lasting facts said in passing: what runs where, who owns what, what the machines and people around are like.
    Signal(
        "a lasting fact",
        "fact",
        1,
        rx(
            r"\b(?:most|all|some|many|half|none|a third|\d+ ?%) (?:of )?(?:our|the) (?:\w+ )?(?:fleet|cluster"
            r"|nodes|servers|runners|network|sites|stores|offices)\b (?:is|are|has|have|use|uses|run|runs)",
            r"\b(?:box|machine|server|device|instance|vm|pod|host|laptop|lambda)s? (?:only )?(?:has|have) (?:only"
            r" )?\d+ ?(?:[kmgt]i?b|cores?|cpus?|gb of ram)\b",
            r"\b(?:network|office|plant|factory|site|cluster|datacenter|environment|system)s? (?:is|are) (?:air[-"
            r" ]?gapped|offline|isolated|firewalled)\b",
            r"\bour (?:\w+ )?(?:customers|users|clients|partners|devices|readers|students|people) (?:are|have|use"
            r"|run|sit|work|live|come) (?:mostly|mainly|all|only|still|often|usually|on|in|from|with)\b",
            r"\bthe (?:whole |entire )?team (?:sits|works|lives|is based|is) (?:in|from|across|remote)\b",
            r"\b(?:is|are) protected\b.*\b(?:needs?|requires?|must)\b|\bneeds? (?:one|two|three|\d) approvals?\b",
            r"\bwe have an? [\w -]{3,30} (?:every|each|on|in) (?:january|february|march|april|may|june|july|august"
            r"|september|october|november|december|week|month|quarter|year|\w+day)\b",
            r"\bwe(?:'re| are) on (?!"
            + ONE
            + r"|it|time|track|hold|call|vacation|holiday|fire|board|top|schedule|our\b|branch|main|page)[\w.-]+ for"
            r" \w+",
            r"\b"
            + AROUND
            + r"(?: \w+)? (?:still |only |all |just |are |is )*(?:runs?|uses?|on|still on|stuck on|sits? on|has"
            r"|have) (?:still "
            r"|only |on )*(?:an? )?(?!the )" + NUMBER,
            r"\b"
            + AROUND
            + r" (?:is|are) (?:still |only )*(?:postgres|mysql|mariadb|oracle|node|python|java|php|ruby|debian"
            r"|ubuntu|rhel|centos|windows|sqlite) " + NUMBER,
            r"\b"
            + AROUND
            + r"(?: \w+){0,2} (?:still |only |also )*(?:is|are|listens?|lives?|runs?|sits?|answers?)(?: \w+)? (?:on"
            r"|at|under|behind) "
            r"(?:port |https?://)?(?:localhost:)?(?:\d{2,5}\b|[\w-]+\.(?:internal|local|example|com|net|io|dev)\b)",
            r"\b"
            + AROUND
            + r"(?: \w+){0,2} (?:is|are)(?: only| always| just)? (?:an? )?(?:read[- ]only|write[- ]only|air[-"
            r" ]?gapped|offline (?:most|by)"
            r"|behind (?:a|the) (?:vpn|proxy|firewall)|(?:nightly )?(?:copy|mirror|clone|replica|snapshot))\b",
            r"\b"
            + AROUND
            + r" (?:have|has|come without|comes without|run) (?:this )?(?:no |without |in containers|only |neither )",
            r"\bis (?:overwritten|wiped|reset|rebuilt|refreshed|restored) (?:every|each) (?:night|day|week|morning"
            r"|hour)\b",
            r"\b(?:folder|directory|dir|repo|service|module|package|schema|table|api|terraform|\w+/|helm"
            r" charts?)\b.{0,20}\b(?:belongs? to|is owned by"
            r"|are owned by|is maintained by|is run by) (?!me\b)\w",
            r"^on (?:windows|mac|macos|linux|arm|wsl|alpine|ci|the ci|our ci|prod|production|staging)(?: \w+)?"
            r" .*\b(?:must|have to|has to|needs? to"
            r"|needs?|can'?t|cannot|only|doesn'?t (?:work|exist|support)|don'?t (?:work|exist))\b",
            r"\b(?:tests?|build|suite|e2e|integration tests|deploy(?:ment)?|migrations|benchmarks|scripts?)\b(?:"
            r" \w+)? (?:only (?:works?|runs?|passes"
            r"|pass) (?:on|with|in|under|from|behind|when)|(?:needs?|requires?) (?:\w+ ){0,3}(?:running|installed"
            r"|vpn|docker|root|sudo|once|jdk \d+"
            r"|node \d+|python [\d.]+|\w+ \d+\.\d+|`x+`|x{5,}))",
            r"\bwe (?:only )?(?:support|target|deploy to|deploy on|run on|host on|ship to|release) (?!it\b|this"
            r"|that|the )[\w.+ -]*(?:\d|only|every|aws"
            r"|gcp|azure|kubernetes|bare metal|containers)\b",
            r"\b(?:we'?re|we are|they'?re|(?:customers|users|clients|partners) are) (?:still |all |stuck |stuck on"
            r" |only )*on (?!it|the same|track|time|hold|fire|a |the "
            r"|vacation|holiday)[\w.+-]+ ?v?\d[\w.]*\b",
            r"\bcustomers? (?:run|install|deploy|use) (?:this|it|us) (?:in|on|with|behind|from|without)\b",
            r"\b(?:most|all|some|many|half|none|\d+ ?%) of (?:our|the) (?:users|customers|clients|devices|team"
            r"|machines|partners|people|traffic) (?:are|is|have|has|use|uses|run|runs|sit|work|come|comes)\b",
            r"\bwe(?:'re| are) (?:only |just )?(?:an? |two |three |four |five |\d+ )(?:[\w-]+ ){0,2}(?:team|people"
            r"|persons|developers|devs|engineers|startup|agency|company|shop|bank|hospital|school)\b",
            r"\b(?:this|it) (?:thing |app |service |tool |project )?(?:runs|will run|is deployed|ships|is sold|is"
            r" used|gets installed) (?:on|in|to|by|inside) (?:an? |our |their )?"
            r"(?:raspberry pi|pi|phone|phones|tablets?|cars?|hospitals?|schools?|kiosks?|lambda|kubernetes|docker"
            r"|containers?|browsers?|embedded|arm|windows|edge|trains?|planes?|factories|factory|warehouse)",
        ),
    ),
    Signal(
        "a fact about the person",
        "fact",
        1,
        rx(
            r"\bi'?(?:m| am) (?:an? )?(?:(?:new|fairly new|completely new) to (?!this (?:file|bug|ticket))\w"
            r"|colou?r.?blind|dyslexic|left[- ]handed"
            r"|deaf|blind\b|a screen.?reader user|not a native|no (?:programmer|developer|expert|designer))",
            r"\bi'?(?:m| am) (?:an? |the )(?:[\w-]+ ){0,2}(?:developer|engineer|scientist|designer|manager|student"
            r"|teacher|researcher|analyst|sysadmin"
            r"|admin|maintainer|lead|cto|founder|writer|beginner|native speaker|programmer|accountant|doctor"
            r"|biologist)\b",
            r"\bi'?(?:m| am) (?:on|using|running) (?:an? )?(?:windows|linux|macos|mac\b|arm|wsl|nixos|arch|debian"
            r"|ubuntu|fedora|apple silicon|chromebook)",
            r"\bi'?(?:m| am) (?:based )?in (?!a |the |my |an |it|trouble|doubt|favor|favour|charge)[\w ]{3,20}, so\b",
            r"\bmy (?:machine|laptop|computer|shell|editor|terminal|keyboard(?: layout)?|os|time ?zone|dev box"
            r"|workstation|screen) (?:is|has|runs"
            r"|only has)\b(?! (?:slow|broken|about|dying|down|full|hot|frozen|acting|not|going|stuck|dead|off|out"
            r"|back))",
            r"\bi (?:work|live|am based) (?:in|from|mostly|mainly|with|only|on (?:an? |windows|linux|macos|arm))"
            r" ?(?!it\b|this|that|the )\w+"
            r"(?= (?:time|so|and|day|every|most|all)|[.,;]|$)",
            r"\bi (?:use|have) (?:a |an )?(?:screen ?reader|dvorak|colemak|vim|neovim|emacs|helix|fish|zsh|nushell"
            r"|tmux|wsl|windows|macos|linux|arm"
            r"(?: mac)?|nixos)\b",
            r"\bi (?:have no|don'?t have(?: any)?) (?:admin|root|sudo|docker|gpu|internet|access|permissions?"
            r"|rights)\b",
            r"\bi don'?t (?:speak|know|read) (?!the |this |that |if |how |why |what |where |when |which |who |it "
            r"|yet|any |about |much about|whether)"
            r"\w+(?=[.,;]|$| (?:well|so|very|at all))",
            r"\b(?:english|"
            + TONGUES
            + r") (?:isn'?t|is not) my (?:first|native|mother)\b|\bi know \w+(?: \w+)? (?:well|inside out"
            r"|better)\b.*\bbut\b",
        ),
        personal=True,
    ),
)

# Two of these, on words of their own, are enough; or one beside an ask to remember.
HALVES: tuple[Signal, ...] = (
    Signal(
        "said in a place that lasts",
        "preference",
        0.5,
        rx(
            r"\b(?:in|on) (?:this|our|the whole|the entire) "
            + LASTING
            + r"\b|\b(?:everywhere|anywhere|all over the \w+|across the "
            + LASTING
            + r")\b"
        ),
        rule=True,
    ),
    Signal(
        "said with a norm",
        "preference",
        0.5,
        rx(
            r"\b(?:must|has to|have to|may only|mustn'?t|needs to|never|always|only ever|should)\b(?! (?:look|be able))"
        ),
    ),
    Signal(
        "said as usual",
        "preference",
        0.5,
        rx(
            r"\b(?:by default|normally|generally|in general|usually|whenever|every ?time|each time|that stays|for"
            r" everything|most of the time)\b"
        ),
    ),
    Signal(
        "said as an aside",
        "fact",
        0.5,
        rx(
            r"^(?:fyi|for your information|heads up|just so you know|so you know|keep in mind|bear in mind|note"
            r"|mind|beware|careful|watch out|gotcha)\b",
            r"\b(?:so you stop guessing|for the record|for reference|in case you wonder)\b",
        ),
    ),
    Signal(
        "how it is here",
        "preference",
        0.5,
        rx(
            r"\bhere(?=[.,!;]|$)|\b(?:with|for) us\b",
            r"^(?!use |add |fix |put |move |make |take |check |please |let|can |open |update |change |the |this "
            r"|it )[^,]*\bour (?!next|case|problem|bug|fix|branch|change|last)\w",
        ),
        rule=True,
    ),
    Signal(
        "a routine",
        "fact",
        0.5,
        rx(
            r"\b(?:every|each) (?:night|day|morning|evening|week|month|quarter|year|\w+day|january|february|march"
            r"|april|may|june|july|august|september|october|november|december)\b",
            r"\bon (?:mon|tues|wednes|thurs|fri|satur|sun)days\b|\b(?:nightly|weekly|monthly|daily)\b|\b(?:once"
            r"|twice) a (?:day|week|month|year)\b",
        ),
    ),
    Signal(
        "said of every one",
        "preference",
        0.5,
        rx(
            r"\b(?:every|each) (?!time|day|night|row|button|page|card|icon|user|item|cell|field|column|element"
            r"|image|link|slide"
            r"|tab|entry|screen|line|player|level)[\w-]+(?= (?:[\w-]+ ){0,2}(?:needs?|gets?|has|must|should"
            r"|requires?|starts?|ends?"
            r"|lives?|goes|belongs|is)\b)",
            r"^all (?!the|of|this|that|good|done|tests)[\w-]+(?= (?:[\w-]+ ){0,2}(?:in|go|are|get|must|need|have"
            r"|live|use|start|end)\b)",
        ),
        rule=True,
    ),
    Signal("wherever", "preference", 0.5, rx(r"\bwherever\b|\b(?:and|so) (?:every|all|no|each) \w+"), rule=True),
    Signal(
        "not done here",
        "preference",
        0.5,
        rx(
            WE
            + r" (?:don'?t|do not|never) (?!know|need|have|see|get|want|care|think)\w+|\bmeant to (?:be|stay|remain)\b"
        ),
        rule=True,
    ),
    Signal(
        "only so",
        "preference",
        0.5,
        rx(
            r"^(?!"
            + ONE
            + r"|i |we |you )(?:[\w-]+ ){1,3}only\b(?=[.,:;]|$| here)|^only (?!the |this |that |it )[a-z]+ "
        ),
        rule=True,
    ),
    Signal("it needs", "fact", 0.5, rx(r"\bneeds? (?:an?|two|three|one|its|their) \w+")),
    Signal("it is gone", "event", 0.5, rx(r"\b(?:is|are) gone\b|\bno longer exists?\b|\bexists? (?:any ?more|now)\b")),
    Signal(
        "a liking",
        "preference",
        0.5,
        rx(
            r"\bi(?: really| just)? (?:like|love|appreciate|don'?t like|don'?t want|can'?t read) (?!"
            + ONE
            + r"|to see )\w",
            r"\bhow i (?:like|want) (?:it|them|things)\b|\bplease no\b|\bmore readable\b",
        ),
        personal=True,
    ),
    Signal(
        "a machine or a place",
        "fact",
        0.5,
        rx(
            r"\b"
            + AROUND
            + r"(?: \w+){0,2} (?:is|are|listens?|runs?|lives?|has|have|still uses?|uses?|goes|go) (?!about|going|not"
            r"|just)\w"
        ),
        rule=True,
    ),
    Signal(
        "the way we do it",
        "preference",
        0.5,
        rx(WE + r" (?:\w+ly )?" + POLICY + r"\b(?! (?:that|this|it|them|these|those|the)\b)"),
        rule=True,
    ),
    Signal(
        "how it is with us",
        "preference",
        0.5,
        rx(
            r"^(?:our|all our|all of our) [\w-]+(?: [\w-]+)? (?:are|is|use|uses|run|live|go|have|has|come|need"
            r"|needs|follow|belong|expects?)\b"
        ),
        rule=True,
    ),
    Signal(
        "how a kind of things is arranged",
        "preference",
        0.5,
        rx(
            KIND + STAND + r"(?! (?:missing|not|broken|wrong|too|cut|still|now|there|all|just|also|off|gone|already)\b)"
        ),
        rule=True,
    ),
    Signal(
        "a place that lasts first",
        "preference",
        0.5,
        rx(
            r"^(?:in|for|with|inside|under) (?:(?:unit|integration|e2e|all|any|our|the e2e|go|python|rust|java"
            r"|typescript|sql|shell|react|new) )?(?:tests?"
            r"|migrations|commits|commit messages|branches|docs|documentation|scripts|queries|handlers|components"
            r"|modules|code|fixtures"
            r"|config(?:s| files)?|prs|pull requests|reviews|examples|error messages|log(?:s| messages)|comments"
            r"|endpoints|shell scripts|specs"
            r"|stories|templates|styles|services|files|\w+ files),?:? (?!(?:the|this|that)\b)",
        ),
        rule=True,
    ),
    Signal(
        "a standing order",
        "preference",
        0.5,
        rx(
            r"(?:^|[,:;] )(?:please )?(?:use|prefer|avoid|keep (?!in mind)|don'?t (?:use|mock|write|put|add|commit"
            r"|import|sleep|share|hard-?code|nest|mix|abbreviate)"
            r"|no (?!idea|need|problem|worries|changes?)|stick to|favou?r|name|mock|wrap|pin|treat)\b(?! (?:the"
            r"|this|that|it)\b)"
        ),
    ),
    Signal(
        "with its reason",
        "preference",
        0.5,
        rx(
            r"\bon purpose\b|, reviewers insist\b|\b(?:legal|compliance|security|the team|ops|reviewers?)"
            r" (?:insists?|requires?|demands?|signed off)\b",
            r"\b(?:because|since) (?:we|our|the team|customers)\b",
            r", so (?:no|nothing|never|don'?t|please|we can'?t|we have to|you can'?t|that can'?t|it has to)\b",
        ),
    ),
)
