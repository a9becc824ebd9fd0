"""What keeps an English sentence from being durable: one entry a reason."""

from .english_words import AROUND, LASTING, PASSING
from .language import Mute, rx

MUTES: tuple[Mute, ...] = (
    # It ends with the work at hand: this file, this branch, until something is done.
    Mute(
        "for now only",
        rx(
            r"\b(?:in|on|for|with|during|at|just|only|of|until|skip|fix|here|and|but) (?:just |only )?this (?:\w+ )?"
            + PASSING
            + r"\b",
            r"\b(?:for (?:now|tonight|the (?:moment|time being|next \w+|rest of)|a (?:moment|minute|bit|while|few"
            r" \w+|sec)|starters)"
            r"|right now|at the moment|(?:just|only) this once|this once|temporarily|meanwhile|in the meantime|not"
            r" yet|for once|one[- ]off"
            r"|as a (?:stopgap|hack|quick fix|first step))\b",
            r"\bwhile (?:we|i|it'?s|ci|prod|they|that|you'?re)\b|\b(?:until|till|as long as) (?:the|we|i|it'?s|ci"
            r"|prod|monday|tuesday|wednesday|thursday|friday|saturday|sunday|next"
            r"|tomorrow|they|that|then|you'?re|you have|\w+ is)\b(?! say otherwise)",
            r"\b(?:on|in) (?:the|my|that) (?:current |feature |same )?(?:branch|pr|commit|ticket)\b",
            r"\bthe (?:next|current|previous|last) (?:item|step|task|point|file|round|question)\b|\bi (?:gave|sent"
            r"|showed|pasted) you\b",
            r"\b(?:branch|pr|file|commit|session|ticket) only\b|\byet[.!]?$|\byet,",
        ),
    ),
    # A day: what holds today ends today. What was decided or learnt on a day stands.
    Mute(
        "said of a day",
        rx(
            r"\b(?:today|tonight|tomorrow|yesterday|currently|later today|this (?:time|week|sprint|month|morning"
            r"|afternoon|evening))\b",
            r"\b(?:last|next) (?:week|month|sprint|night|friday|monday|release)\b(?! of)",
        ),
        spares=("decision", "postmortem", "event"),
    ),
    Mute(
        "not decided",
        rx(
            r"\b(?:maybe|perhaps|possibly|probably|might|not sure|unsure|i (?:guess|wonder|suppose|was thinking|am"
            r" thinking)|i'?m thinking"
            r"|i think (?:we|you|i) (?:should|could|might|can)|leaning|tempted|sleep on it|undecided|haven'?t"
            r" decided|not decided"
            r"|no decision|to be decided|tbd|let'?s see|we'?ll see|thinking (?:of|about)|considering|what do you"
            r" think|what about|how about"
            r"|worth (?:it|a try|considering)|let'?s try|try (?:it |that )?(?:out )?first|we could|you could|would"
            r" it|wouldn'?t it"
            r"|don'?t you think|shall we|wondering|at some point|some ?day|one day|eventually|it depends|for"
            r" instance|for example|e\.g\."
            r"|(?:i|he|she|they|someone|somebody|who|people) suggests?|suggested|propos(?:ed?|al)|it seems|seems"
            r" (?:like|to)|afaik|if i remember)\b",
        ),
    ),
    Mute(
        "supposed only",
        rx(
            r"\b(?:what if|suppos(?:e|ing)|imagine|assuming|hypothetically|in theory|pretend|would (?:have|be|that"
            r"|we|this|you|i)"
            r"|wouldn'?t|devil'?s advocate)\b(?<!i would)(?<!if you would)",
            r"^if (?:we|it|i|they|this|that|the)\b.*\b(?:would|could|might|did|had)\b",
        ),
    ),
    Mute(
        "the past",
        rx(
            r"\b(?:used to|back then|those were|in the old days|formerly|previously|originally|at my (?:last"
            r"|previous|old) \w+"
            r"|the old (?:code|version|team|system|way)|it used|(?:was|were|had) (?:always|never)|(?:always|never)"
            r" (?:was|were|had|used|did"
            r"|got|worked|saw|noticed))\b",
        ),
        spares=("postmortem", "event"),
    ),
    # What the thing being built should do for those who use it: the task, not how to work on it.
    Mute(
        "how the product should behave",
        rx(
            r"\b(?:users?|visitors?|players?|guests?|people|someone|admins?|shoppers?|subscribers?|students?"
            r"|drivers?|patients?|customers?"
            r"|members?|readers?)\b.{0,30}\b(?:must|should|shall|can|may|needs? to|has to|have to|always|never"
            r"|able to|sees?|clicks?|gets?"
            r"|signs?|logs?|opens?|enters?|selects?)\b",
            r"\b(?:the|each|every|a|this|that|all) (?:[\w-]+ )?(?:button|modal|dialog|page|menu|header|footer"
            r"|sidebar|list|table|row|card|icon"
            r"|cart|banner|toast|popup|tooltip|panel|screen|widget|form|field|input|dropdown|toggle|label|image"
            r"|animation|cursor|spinner"
            r"|window|tab|checkbox|slider|notification|email|invoice|export|session|player|parser|loop|request"
            r"|response|client|app|worker"
            r"|scheduler|timer|counter|total|function|method|condition|variable|value|endpoint|query|job|thread"
            r"|lock|process|server|watcher"
            r"|cache|token|game|map|chart|column|result|output|link|filter|search)s?\b(?: \w+){0,3} (?:must|should"
            r"|shall|always|never|has to"
            r"|needs? to|have to|opens?|shows?|stays?|starts?)\b",
            r"\b(?:always|never|must|should) (?:be )?(?:visible|hidden|shown?|display(?:ed|s)?|appear|disappear"
            r"|enabled|disabled|clickable"
            r"|cent(?:e)?red|highlighted|sticky|scroll|render|animate|fade|survive|block|reappear|empty|null|true"
            r"|false|the same|called"
            r"|reached|logged in|selected|focused|remember|expire|time out|redirect|refresh|reload)\b",
            r"\b(?:on|after|upon|during) (?:log ?out|log ?in|sign ?up|sign ?in|start ?up|submit|save|click|hover"
            r"|resize|reload|error|checkout"
            r"|load|close|exit|failure)\b.{0,20}\b(?:we|it|the|always|never)\b",
            r"^(?:it|that|they) (?:should|must|shall|needs to|has to)\b(?!.*\b" + LASTING + r"\b)",
            r"\b(?:acceptance criteria|user story|must not contain|wishlist|mock-?up|the design shows|the spec says)\b",
        ),
        local=True,
    ),
    Mute(
        "a bug report",
        rx(
            r"\b(?:crash(?:es|ed|ing)?|fail(?:s|ed|ing|ures?)?|broken|broke|doesn'?t (?:work|load|show|render|open"
            r"|close|fire|update|respond"
            r"|compile|start|happen|do|match|change|help)|isn'?t (?:working|shown|called|there)|not working|hangs?"
            r"|freezes?|frozen"
            r"|throws (?:an?|the)|stack ?trace|(?<!no )(?<!without )exceptions?\b(?! to)|segfaults?|blank"
            r"|flickers?|misaligned|goes? away"
            r"|disappears?|shows up|shows? these"
            r"|no idea where|stopped working|errors? out|returns? (?:null|nothing|500|404|an error|the wrong)"
            r"|stuck(?! on)|wrong (?:value|result"
            r"|order|number|colou?r)|duplicated|twice when|leaks?|left behind|takes forever|look into it|weird"
            r"|strange(?:ly)?|regression)\b",
            r"^(?:it|this|that|the \S+) (?:still |just )?(?:always|never) (?!is our|was)\w+",
            r"\b(?:never|always) (?:actually |really )?(?:goes|shows|works|worked|closes|opens|updates|returns"
            r"|fires|fails|loads|appears"
            r"|reaches|reached|happens|terminates|finishes|comes|gets|ends up|visible|stays)\b(?! (?:behind|in"
            r"|into|under|through|merges)\b)",
        ),
        local=True,
        spares=("postmortem",),
    ),
    # Work to do now, also when it is called remembering.
    Mute(
        "a thing to do now",
        rx(
            r"^(?:please )?(?:remember|don'?t forget|do not forget|make sure|be sure|keep in mind|note|bear in"
            r" mind|reminder|remind me)"
            r"(?: that)?(?: you)? (?:to|have to|need to|must|should)\b(?!.*\b(?:always|every|each|whenever|never)\b)",
            r"\b(?:when you(?:'re| are)? (?:finish|finished|done|ready|through)|afterwards?|at the end[.!]?$|once"
            r" (?:you'?re |it'?s )?(?:done"
            r"|finished|ready)|after (?:this|that)\b|before you (?:continue|start|finish|go on|begin|open the"
            r"|proceed))\b",
            r"\b(?:the following plan|next step|step \d|ticket #?\d|#\d{2,})\b",
        ),
    ),
    Mute(
        "said by somebody else",
        rx(
            r"\b(?:he|she|they|somebody|someone|my (?:boss|manager|colleague|lead)|the (?:comment|docs?"
            r"|documentation|linter|compiler|spec"
            r"|readme|rfc|review(?:er)?|article|error|message|warning|customer|client|tutorial|book|type checker"
            r"|guide|log|output|blog|manual"
            r"|ticket|issue|rule|tooltip|text|ai|bot|agent)|eslint|copilot|gpt|clippy|mypy|ruff|sonar)(?:'s \w+)?"
            r" (?:\w+ly )?(?:says?|said"
            r"|claims?|thinks?|wrote|writes|wants?|asked|complains?|states?|reads?|tells?|told|recommends?"
            r"|mentions?|warns?|should read)\b",
            r"\b(?:according to|quote|i read that|it says|as per the docs|rumou?r has it)\b",
        ),
    ),
    Mute(
        "not meant",
        rx(
            r"^(?:oh|wow|great|brilliant|fantastic|wonderful|lovely|awesome|amazing|congrats|genius|bravo|nice one"
            r"|thanks|well done|super|cool"
            r"|perfect|excellent|yay|yeah sure|sure|of course|yes of course|love it|i (?:just |really )?love (?:it"
            r"|how))\b.*\b(?:another|yet again|so helpful|because"
            r"|let'?s (?:just |always |never |all )+|you (?:deleted|broke|did it|just|managed|forgot|ignored)|who"
            r" needs|as usual|totally|so much for|what could"
            r"|when (?:you|my|the) \w+ (?:deletes?|breaks?|ignores?|everything))",
            r"\b(?:what could (?:possibly )?go wrong|always a pleasure|as if\b.{0,20}!|yeah,? right|thanks for"
            r" (?:deleting|breaking|nothing"
            r"|ignoring)|worked (?:out )?(?:so |really |just )?(?:well|great|fine) (?:last|the)|because (?:that"
            r"|who) (?:worked|needs)|who needs"
            r"|how thoughtful|my favou?rite (?:bug|error)|just what i (?:needed|wanted)|/s$)|🙄|\bslow clap\b",
        ),
    ),
    # A remark of the person about themselves, a set phrase, a name that only looks like a rule.
    Mute(
        "a remark",
        rx(
            r"\bi (?:always|never|usually|keep) (?:forget|forgot|mix|confuse|wonder|have to|get|struggle|end up"
            r"|see|saw|know|knew|understand"
            r"|understood|remember|google|look|told|said|had|find|heard|wanted|liked|thought|feel)\b",
            r"\b(?:don'?t|can'?t|cannot|do you|did you|i) remember\b(?! (?:that|this|it)\b)|^remember (?:when|how"
            r"|what|why|where|the|our|last"
            r"|me|my)\b|\bremember[- ]me\b",
            r"\b(?:always|never) (?:been |so |such |a |an |too |really )*(?:fun|exciting|great|nice|good|worth"
            r"|easy|hard|tough|interesting|amazing|tempting"
            r"|late|sure|welcome|joy|treat|pleasure|challenge|bad|boring|funny)\b",
            r"\b(?:always|never) (?:mind|a pleasure|happy|good to)\b|\bprefer-\w|\balways-on\b",
        ),
    ),
    Mute(
        "a secret",
        rx(
            r"\b(?:password|passwd|passphrase|secret|api[ _-]?key|access[ _-]?key|token|pin"
            r"|credentials?)\b\s*(?:is|=|:|for \S+ is)\s*"
            r"(?!in\b|on\b|from\b|stored\b|kept\b|read\b|never\b|always\b|set\b)\S+",
            r"\[(?:redacted|secret|removed)",
        ),
        hard=True,
    ),
    # A machine's passing state is no lasting fact of it.
    Mute(
        "a passing state",
        rx(
            r"\b"
            + AROUND
            + r"(?: \w+)? (?:is|are|was|were|went|looks|seems) (?:still |just |so |really |very |again )*(?:down"
            r"|slow|red|green"
            r"|full|back|up|hanging|angry|dead|unreachable|flaky|fine|ok|happy|busy|overloaded|sad)\b",
        ),
        spares=("postmortem", "event"),
    ),
)
