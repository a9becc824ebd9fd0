"""What makes an English sentence a standing rule of a project: one entry a device, each enough by itself."""

from .english_words import KIND, LASTING, NO_ORDER, NUMBER, ONE, ORDER, POLICY, SAYING, STAND, WE
from .language import Signal, rx

RULES: tuple[Signal, ...] = (
    # A phrase that says "beyond today": from now on, as a rule, in future, no exceptions, that goes for all of them.
    Signal(
        "said for the future",
        "preference",
        1,
        rx(
            r"^in general,? (?!i |it |this |that |the )\w",
            r"\bi(?:'ve| have)? (?:said|told you|asked you|mentioned) (?:this|that|it|so)? ?(?:before|already|twice"
            r"|many times|\w+ times|again and again)\b",
            r"^my (?:taste|preference|rule|style|philosophy|approach)\s*:",
            r"\b(?:from (?:now|here|today|this point) (?:on|onwards?|forward|out)(?! (?:it|that|this|the \w+) (?:gets"
            r"|is|goes)\b)|from here on out|going forward(?! (?:to|with|in)\b)|henceforth|for all future"
            r"|once and for all|at all times|without exceptions?|no exceptions|every single time|until further notice"
            r"|until i say otherwise|by convention|rule of thumb|house rule|golden rule|across the board)\b",
            r"\bas a (?:general )?rule\b(?! (?:to|in|for|into) (?:the|eslint|your|our))",
            r"(?:^|[,;:] |\band |\bbut )in (?:the )?future\b(?! (?:we|it|they|this|there) (?:might|may|could|will))"
            r"|\bin future,? (?!we (?:might|may|could)|dates?|events?)",
            r", for good[.!]?$|^for good\b|\b(?:things?|rules?|points?) for good\b|\bin general[.!]?$"
            r"|, generally[.!]?$|, period[.!]?$|, full stop[.!]?$",
            r"\bthat'?s (?:the deal|the rule|a rule|a must|how (?:we|i) (?:roll|work|do (?:it|things)"
            r"|want it)(?! (?:today|now)))\b",
            r"\b(?:that|this|the same) (?:goes|applies|holds) for (?:all|every|any|each|everything|the whole)\b",
            r"\bhow (?:often|many times) do i (?:have|need) to (?:say|tell|repeat)\b",
        ),
    ),
    # An order for every time: always run ..., never push ..., whenever you commit ..., before every release.
    Signal(
        "said for every time",
        "preference",
        1,
        rx(
            r"(?:^|[;:(]\s*|\b(?:please|pls|must)\s+)(?:please )?" + ORDER,
            r"^(?!" + SAYING + r").*(?:,\s*|\b(?:and|but|so|then)\s+)(?:please )?" + ORDER,
            r"\byou (?:should |must |can |may |have to |need to )" + ORDER,
            r"^(?!.*\b(?:if|when|where)\b).{8,},\s*(?:and )?always[.!]*$",
            r"^no\b.*\bever\b|,\s*ever\b(?! (?:since|so))",
            r"\b(?:don'?t|do not|never)\b.{3,80}\bever again\b|^never again\b",
            r"^(?:whenever|every ?time|each time|any ?time) you (?!need|want|feel|like|get|see|click|have|can"
            r"|visit)\w.*[,\s]",
            r"\b(?:whenever|every ?time|each time) (?:you|we|something|anything) (?!click|crash|load|open|press"
            r"|scroll)\w+",
            r"^when(?:ever)? you (?:write|show|explain|answer|review|suggest|propose|refactor|name|commit|report|list"
            r"|quote|add|create|touch|open|give|reference|use|generate|work|edit|mention) (?!" + ONE + r").{3,60}, ",
            r"\b(?:before|after|with) (?:every|each) (?:commit|push|release|deploy(?:ment)?|merge|pr|pull request"
            r"|change|build|session|test run|answer|task|migration|new \w+)\b",
            r"\b(?:show|tell|give|ask|warn|send|check with) (?:me|us)\b.*\bbefore (?:you )?(?:change|touch|edit"
            r"|delete|run|commit|push|install|add|pick|choose|refactor|rename|deploy|merge|upgrade"
            r"|rewrite)(?:ing)? (?!" + ONE + r"(?<!more))\w",
        ),
    ),
    # The team's habit: we squash merge, never rebase; we build with go 1.21; in this repo ...; it's pnpm here.
    Signal(
        "the way the team works",
        "preference",
        1,
        rx(
            r"\bwe (?:don'?t|do not) (?:have|use) an? [\w -]{2,30} and (?:don'?t|do not) want\b",
            r"\bthat'?s why (?:all |every |no |our )?(?!the |this |that |it |he |she |they "
            r"|you )[\w-]+s? (?:\w+ )?(?:here |in this \w+ )?(?:needs?|must|are|have|goes?|gets?|never|always|don'?t"
            r"|only)\b",
            r"\bwe (?:don'?t|do not) want (?!to\b|that|this|it\b|the )\w",
            r"\bwe(?:'re| are)? (?:\w+ )?(?:build|compile|deploy|run|test|ship|develop) (?:with|on|against|for|in)"
            r" " + NUMBER,
            WE
            + r" (?:\w+ly )?(?:always|never) (?!"
            + NO_ORDER
            + r")(?!reach|hit|get|call|enter|return|see|execute|free|close|set|clear|check|finish|implement|decide"
            r"|discuss|meet|know|need|want|end|forget|agree|estimate)[a-z]\w+",
            WE + r" (?:should|must|shall|may|can|had better|'d better)(?: \w+ly)? (?:always|never|only ever)\b",
            r"\bwe'd better (?:always|never|not)\b",
            WE + r" (?:don'?t|doesn'?t|do not|does not|never|no longer|only(?: ever)?|generally|usually|by default"
            r"|strictly|normally) "
            + POLICY
            + r"\b(?! (?:that|this|it|these|those|the|any of|much|so|well|anything)\b)",
            WE + r" (?:have|keep) a (?:rule|policy|convention|ban)\b",
            WE + r" (?!have to|need|want|are|were|get|see|call|know|think|had|did|should|could|will|'|can"
            r"|just)[a-z]+ [^.,]{2,50}(?:, (?:and )?not |, never | instead of | rather than )(?!"
            + ONE
            + r"(?<!the)(?<!a))\w",
            WE
            + r" "
            + POLICY
            + r"\b(?=[^.]*\b(?:everywhere|anywhere|across the board|by hand|by default|for everything|throughout"
            r"|in this "
            + LASTING
            + r"|in our \w+|in all (?:our )?\w+s|on purpose))(?! (?:that|this|it|these|those)\b)",
            r"\bin (?:this|our) "
            + LASTING
            + r",? (?:we|you|use|never|always|only|all|every|no|don'?t|nothing|everything|tests?"
            r"|please)\b(?!.*\b(?:we|you) (?:need|want|have|can|get|see)\b)",
            r"^this (?:\w+ )?"
            + LASTING
            + r" (?:uses?|targets?|supports?|follows?|ships?|must|has to|needs to (?:stay|keep|remain|run|work)"
            r"|runs on|stays?|is (?:a |an )?[\w.-]+(?:[ -]only|[ -](?:workspace|monorepo|shop|project|repo"
            r"|codebase)))\b",
            r"\b(?:this|it) is an? [\w.-]+ (?:workspace|monorepo|shop|repo|codebase|project)\b(?=,| so|[.!]?$| and )",
            r"\b(?:it'?s|this is|we'?re on|we have|we'?ve got|we run) (?:always )?(?!"
            + ONE
            + r"|called|not|ok|fine|done|good|enough|there|nothing)[\w.@+-]+ (?:here|around here|in (?:this|our) "
            + LASTING
            + r"|with us)(?:[,.!;]|$)",
            r"\bthat'?s why (?:we|i) (?:don'?t|never|always|use|want|have|keep|only|prefer|insist|went|avoid|write"
            r"|run|pin)\b",
        ),
    ),
    # Called by its name: our convention is ..., ... is banned, that's a legal requirement.
    Signal(
        "named as the convention",
        "preference",
        1,
        rx(
            r"\b(?:our|my|house|team|the team'?s) (?:\w+ ){0,2}(?:convention|policy|standard|rule|practice|preference"
            r"|style|default|habit|standards|rules|conventions) (?:is|are|says?|for \w+ is)\b",
            r"\b(?:is|are|that'?s|as|per|by|follows?) (?:our|the team'?s|a team|a house"
            r"|the house) (?:\w+ ){0,2}(?:convention|policy|standard|rule|practice|style|default|naming|way)s?\b",
            r"\bthe (?:convention|rule|policy|standard|practice) (?:here|in this "
            + LASTING
            + r"|for \w+|with us) is\b",
            r"\b(?:is|are) (?:banned|off[- ]limits|taboo|a no-go|verboten|strictly forbidden)\b",
            r"\b(?:that'?s|this is) (?:a (?:hard|firm|standing|house|team) rule|not negotiable|non-negotiable)\b",
            r"\b(?:a )?(?:legal|compliance|security|contractual|regulatory|audit) (?:requirement|rule|reasons)\b"
            r"|\bthat'?s (?:\w+ )?law\b",
        ),
    ),
    # Said of a kind of things: column names are always ..., anything under gen/ is ..., nobody may ...
    Signal(
        "a rule for all of a kind",
        "preference",
        1,
        rx(
            KIND + r"(?:must|may|should) (?:not|never|only)\b(?! (?:be )?(?:overlap|jump|move|wrap|shown|visible))",
            r"^(?!the |this |that |these |i |we |you |it )[\w -]{3,40} (?:goes?|are|is|lives?|come|comes|end|ends"
            r"|start|starts) (?:to|in|on|into|under|with|from|as) [^,]{2,40}, (?:and )?(?!not |so |but |the "
            r"|please )[\w-]+ (?:to|in|on|into|under|with|from|as)"
            r" [\w-]+[.!]?$(?<!left)(?<!right)(?<!top)(?<!bottom)",
            r"\bthe only (?:supported|allowed|official|accepted|blessed) [\w-]+ (?:is|are)\b",
            r"\b(?:nobody|no ?one|nothing|none) [^,.]{0,40}\b(?:should|may|must|is allowed|are allowed|ever)\b",
            KIND + r"(?:is|are) (?:always )?(?:named|called|prefixed|suffixed|written|formatted|indented|sorted|spelled"
            r"|kept|stored|mocked|versioned|tagged|generated|rendered|deployed|reviewed|squashed|signed|pinned"
            r"|wrapped|frozen)\b(?! (?:wrong|twice|incorrectly|like this|badly|too))",
            r"^(?:anything|everything|whatever|everyone|nothing|nobody) [^,;]{3,60} (?:needs?|must|gets?|goes|stays"
            r"|should|belongs|has to|is (?!broken|fine|ok|done|working|gone|missing)\w+ed)\b",
            r"^all new [\w-]+ (?:in|go|get|use|are|need)\b|^new [\w-]+s (?:in|go|get|use|are|need|come)\b",
            KIND
            + STAND
            + r" [^.;]{2,60}, (?:[\w-]+ ){1,4}(?:don'?t|doesn'?t|isn'?t|aren'?t|is for|are for|belongs? to|ones? )",
            KIND + r"(?:(?:is|are)(?:n'?t| not) (?:ok|okay|allowed|acceptable|an option|welcome|permitted|wanted)"
            r"|(?:don'?t|doesn'?t) (?:count|belong))\b",
            r"\b(?:an?|every|each|any) [\w -]{3,40} without [\w -]{3,40} (?:isn'?t|is not|is no|doesn'?t)\b"
            r"|^[\w -]{3,40} without [\w -]{3,40} (?:aren'?t|are not|don'?t) (?:allowed|ok|count|accepted|done)\b",
            r"^(?!" + ONE + r"|i |we |you )(?:[\w-]+ ){1,3}only, (?!not |please|no |the )(?:[\w-]+ ){1,4}",
            r"^(?:all|every|each|any|new|no) (?:[\w-]+ ){1,6}?(?:always|never|only ever|must (?:never|always|not|be"
            r"|have)|(?:goes|go|lives|live|belongs?) (?:in|into|under|behind|on|to)\b)",
            KIND
            + r"(?:must never|must always|should never|should always|"
            + STAND
            + r" (?:always|never)|(?:always|never) (?:go|goes|gets?|lives?|starts?|ends?|use|come|stay|belong|are"
            r"|is))\b",
            KIND
            + STAND
            + r" [^.,;]{2,60}(?:, (?:always|never|not|no|only|and not|every)\b| (?:instead of|rather than|never"
            r"|everywhere|all over|throughout|in our (?:code|setup|stack|api|schema|world)|across the"
            r"|by convention|without exception)\b)",
            r"^(?!the |this )(?:files|everything|anything|stuff|nothing) (?:in|under|below|inside) \S+ (?:is|are|must"
            r"|gets?|stays?|comes?|may)\b",
            r"\b(?:don'?t|never) (?:touch|edit|change|modify) .{3,60}\b(?:they|it|those|that) (?:get|are|is|gets|come"
            r"|comes) (?:\w+ly )?(?:synced|generated|overwritten|managed|vendored|built|owned|copied|from|mirrored)",
            r"\bmust (?:always )?(?:be )?(?:\w+ )?before (?:every|each|any)\b|\bmust (?:keep|stay|remain) (?:working"
            r"|supported|compatible|green)\b",
            r"\b(?:has|have|needs?) to (?:keep working|stay (?:supported|compatible|green|backwards)"
            r"|keep (?:supporting|compiling|building))\b",
        ),
    ),
    # A contrast without articles, so of two habits and not of two things at hand: use pnpm, not npm; tabs over spaces.
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
            + r")[\w@./+-]+(?: [\w-]+)? ?(?:,|-|–|and)? ?(?:not|instead of|rather than|over|never) (?!"
            + ONE
            + r"|just|only|sure)[\w@./+-]+(?= (?:here|in this (?!file)|for|in (?!the |this |that ))|[.!,;)]|$)",
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
)
