"""What keeps an English sentence from being durable: one entry a reason."""

from .english_words import AROUND, LASTING, PASSING
from .language import Mute, rx

MUTES: tuple[Mute, ...] = (
    # It ends with the work at hand: this file, this branch, until something is done.
    Mute(
        "for now only",
        rx(
            r"\b(?:in|on|for|with|during|at|just|only|of|until|skip|fix|here|and|but) (?:just |only )?this (?:(?!"
            + LASTING
            + r")\w+ )?"
            + PASSING
            + r"\b",
            r"\b(?:for (?:now|tonight|the (?:moment|time being|next \w+|rest of)|a (?:moment|minute|bit|while|few \w+"
            r"|sec)|starters)|right now|at the moment|(?:just|only) this once|this once|temporarily|meanwhile"
            r"|in the meantime|not yet|for once|one[- ]off|as a (?:stopgap|hack|quick fix|first step))\b",
            r"\bwhile (?:we|i|it'?s|ci|prod|they|that|you'?re)\b|\b(?:until|till|as long as) (?:the|we|i|it'?s|ci"
            r"|prod|monday|tuesday|wednesday|thursday|friday|saturday|sunday|next|tomorrow|they|that|then|you'?re"
            r"|you have|\w+ is)\b(?! say otherwise)",
            r"\b(?:on|in) (?:the|my|that) (?:current |feature |same )?(?:branch|pr|commit|ticket)\b",
            r", (?:the|that) (?:bug|problem|issue|error|cause) (?:is|must)\b",
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
    # Weighed, wondered about, proposed.
    Mute(
        "not decided",
        rx(
            r"\b(?:maybe|perhaps|possibly|probably|might|not sure|unsure|i (?:guess|wonder|suppose|was thinking"
            r"|am thinking)|i'?m thinking|i think (?:we|you|i) (?:should|could|might|can)|leaning|tempted|sleep on it"
            r"|undecided|haven'?t decided|not decided|no decision|to be decided|tbd|let'?s see|we'?ll see"
            r"|thinking (?:of|about)|considering|what do you think|what about|how about|worth (?:it|a try"
            r"|considering)|let'?s try|try (?:it |that )?(?:out )?first|we could|you could|would it|wouldn'?t it"
            r"|don'?t you think|shall we|wondering|at some point|some ?day|one day|eventually|it depends|for instance"
            r"|for example|e\.g\.|(?:i|he|she|they|someone|somebody|who|people) suggests?|suggested|propos(?:ed?|al)"
            r"|it seems|seems (?:like|to)|afaik|if i remember)\b",
        ),
    ),
    # What if; imagine; it would.
    Mute(
        "supposed only",
        rx(
            r"\b(?:what if|suppos(?:e|ing)|imagine|assuming|hypothetically|in theory|pretend|would (?:have|be|that|we"
            r"|this|you|i)|wouldn'?t|devil'?s advocate)\b(?<!i would)(?<!if you would)",
            r"^if (?:we|it|i|they|this|that|the)\b.*\b(?:would|could|might|did|had)\b",
        ),
    ),
    # We used to; it was always.
    Mute(
        "the past",
        rx(
            r"\b(?:used to|back then|those were|in the old days|formerly|previously|originally|at my (?:last|previous"
            r"|old) \w+|the old (?:code|version|team|system|way)|it used|(?:was|were|had) (?:always|never)|(?:always"
            r"|never) (?:was|were|had|used|did|got|worked|saw|noticed))\b",
        ),
        spares=("postmortem", "event"),
    ),
    # What the thing being built should do for those who use it is the task, not how to work on it.
    Mute(
        "how the product should behave",
        rx(
            r"\b(?:users?|visitors?|players?|guests?|people|someone|admins?|shoppers?|subscribers?|students?|drivers?"
            r"|patients?|customers?|members?|readers?)\b.{0,30}\b(?:must|should|shall|can|may|needs? to|has to"
            r"|have to|always|never|able to|sees?|clicks?|gets?|signs?|logs?|opens?|enters?|selects?)\b",
            r"\b(?:the|each|every|a|this|that|all) (?:[\w-]+ )?(?:button|modal|dialog|page|menu|header|footer|sidebar"
            r"|list|table|row|card|icon|cart|banner|toast|popup|tooltip|panel|screen|widget|form|field|input|dropdown"
            r"|toggle|label|image|animation|cursor|spinner|window|tab|checkbox|slider|notification|email|invoice"
            r"|export|session|player|parser|loop|request|response|client|app|worker|scheduler|timer|counter|total"
            r"|function|method|condition|variable|value|endpoint|query|job|thread|lock|process|server|watcher|cache"
            r"|token|game|map|chart|column|result|output|link|filter|search)s?\b(?: \w+){0,3} (?:must|should|shall"
            r"|always|never|has to|needs? to|have to|opens?|shows?|stays?|starts?)\b",
            r"\b(?:always|never|must|should) (?:be )?(?:visible|hidden|shown?|display(?:ed|s)?|appear|disappear"
            r"|enabled|disabled|clickable|cent(?:e)?red|highlighted|sticky|scroll|render|animate|fade|survive|block"
            r"|reappear|empty|null|true|false|the same|called|reached|logged in|selected|focused|remember|expire"
            r"|time out|redirect|refresh|reload)\b",
            r"\b(?:on|after|upon|during) (?:log ?out|log ?in|sign ?up|sign ?in|start ?up|submit|save|click|hover"
            r"|resize|reload|error|checkout|load|close|exit|failure)\b.{0,20}\b(?:we|it|the|always|never)\b",
            r"^(?:it|that|they) (?:should|must|shall|needs to|has to)\b(?!.*\b" + LASTING + r"\b)",
            r"\b(?:acceptance criteria|user story|must not contain|wishlist|mock-?up|the design shows|the spec says)\b",
        ),
        local=True,
    ),
    # What follows such a word is a description of the product.
    Mute(
        "a specification",
        rx(
            r"^(?:requirements?|spec|goals?|features?|the (?:idea|algorithm|game|flow|feature)|rules of \w+(?: \w+)?"
            r"|use case)\s*:",
        ),
    ),
    # Always and never are favourite words of bug reports: the box never goes away.
    Mute(
        "a bug report",
        rx(
            r"\b(?:crash(?:es|ed|ing)?|fail(?:s|ed|ing|ures?)?|broken|broke|doesn'?t (?:work|load|show|render|open"
            r"|close|fire|update|respond|compile|start|happen|do|match|change|help)|isn'?t (?:working|shown|called"
            r"|there)|not working|hangs?|freezes?|frozen|throws (?:an?|the)|stack ?trace"
            r"|(?<!no )(?<!without )exceptions?\b(?! to)|segfaults?|blank|flickers?|misaligned|goes? away|disappears?"
            r"|shows up|shows? these|no idea where|stopped working|errors? out|returns? (?:null|nothing|500|404"
            r"|an error|the wrong)|stuck(?! on)|wrong (?:value|result|order|number|colou?r)|duplicated|twice when"
            r"|leaks?|left behind|takes forever|look into it|weird|strange(?:ly)?|regression(?! tests?))\b",
            r"^(?:it|this|that|the \S+) (?:still |just )?(?:always|never) (?!is our|was)\w+",
            r"\b(?:never|always) (?:actually |really )?(?:goes|shows|works|worked|closes|opens|updates|returns|fires"
            r"|fails|loads|appears|reaches|reached|happens|terminates|finishes|comes|gets|ends up|visible"
            r"|stays)\b(?! (?:behind|in|into|under|through|merges)\b)",
        ),
        local=True,
        spares=("postmortem", "fact"),
    ),
    # Work to do now, also when it is called remembering.
    Mute(
        "a thing to do now",
        rx(
            r"^(?:please )?(?:remember|don'?t forget|do not forget|make sure|be sure|keep in mind|note|bear in mind"
            r"|reminder|remind me)(?: that)?(?: you)? (?:to|have to|need to|must|should)\b(?!.*\b(?:always|every|each"
            r"|whenever|never)\b)",
            r"\b(?:when you(?:'re| are)? (?:finish|finished|done|ready|through)|afterwards?|at the end[.!]?$"
            r"|once (?:you'?re |it'?s )?(?:done|finished|ready)|after (?:this|that)\b|before you (?:continue|start"
            r"|finish|go on|begin|open the|proceed))\b",
            r"\b(?:the following plan|next step|step \d|ticket #?\d|#\d{2,})\b",
        ),
    ),
    # Reported speech: the linter says, my boss wants.
    Mute(
        "said by somebody else",
        rx(
            r"\b(?:he|she|they|somebody|someone|my (?:boss|manager|colleague|lead)|the (?:comment|docs?|documentation"
            r"|linter|compiler|spec|readme|rfc|review(?:er)?|article|error|message|warning|customer|client|tutorial"
            r"|book|type checker|guide|log|output|blog|manual|ticket|issue|rule|tooltip|text|ai|bot|agent)|eslint"
            r"|copilot|gpt|clippy|mypy|ruff|sonar)(?:'s \w+)? (?:\w+ly )?(?:says?|said|claims?|thinks?|wrote|writes"
            r"|wants?|asked|complains?|states?|reads?|tells?|told|recommends?|mentions?|warns?|should read)\b",
            r"\b(?:according to|quote|i read that|it says|as per the docs|rumou?r has it)\b",
        ),
    ),
    # Praise and agreement that mean the opposite: oh great, another one.
    Mute(
        "not meant",
        rx(
            r"^(?:oh|wow|great|brilliant|fantastic|wonderful|lovely|awesome|amazing|congrats|genius|bravo|nice one"
            r"|thanks|well done|super|cool|perfect|excellent|yay|yeah sure|sure|of course|yes of course|love it"
            r"|i (?:just |really )?love (?:it|how))\b.*\b(?:another|yet again|so helpful|because|let'?s (?:just "
            r"|always |never |all )+|you (?:deleted|broke|did it|just|managed|forgot|ignored)|who needs|as usual"
            r"|totally|so much for|what could|when (?:you|my|the) \w+ (?:deletes?|breaks?|ignores?|everything))",
            r"\b(?:what could (?:possibly )?go wrong|always a pleasure|as if\b.{0,20}!|yeah,? right"
            r"|thanks for (?:deleting|breaking|nothing|ignoring)|worked (?:out )?(?:so |really |just )?(?:well|great"
            r"|fine) (?:last|the)|because (?:that|who) (?:worked|needs)|who needs|how thoughtful|my favou?rite (?:bug"
            r"|error)|just what i (?:needed|wanted)|/s$)|🙄|\bslow clap\b",
        ),
    ),
    # A remark of the person about themselves, a set phrase, a name that only looks like a rule.
    Mute(
        "a remark",
        rx(
            r"\bi (?:always|never|usually|keep) (?:forget|forgot|mix|confuse|wonder|have to|get|struggle|end up|see"
            r"|saw|know|knew|understand|understood|remember|google|look|told|said|had|find|heard|wanted|liked|thought"
            r"|feel)\b",
            r"\b(?:don'?t|can'?t|cannot|do you|did you|i) remember\b(?! (?:that|this|it)\b)|^remember (?:when|how"
            r"|what|why|where|the|our|last|me|my)\b|\bremember[- ]me\b",
            r"\b(?:always|never) (?:been |so |such |a |an |too |really )*(?:fun|exciting|great|nice|good|worth|easy"
            r"|hard|tough|interesting|amazing|tempting|late|sure|welcome|joy|treat|pleasure|challenge|bad|boring"
            r"|funny)\b",
            r"\b(?:always|never) (?:mind|a pleasure|happy|good to)\b|\bprefer-\w|\balways-on\b",
        ),
    ),
    # What must not be written down, whoever asks.
    Mute(
        "a secret",
        rx(
            r"\b(?:password|passwd|passphrase|secret|api[ _-]?key|access[ _-]?key|token|pin|credentials?)\b\s*(?:is|="
            r"|:|for \S+ is)\s*(?!in\b|on\b|from\b|stored\b|kept\b|read\b|never\b|always\b|set\b)\S+",
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
            r"|slow|red|green|full|back|up|hanging|angry|dead|unreachable|flaky|fine|ok|happy|busy|overloaded"
            r"|sad)\b",
        ),
        spares=("postmortem", "event"),
    ),
)
