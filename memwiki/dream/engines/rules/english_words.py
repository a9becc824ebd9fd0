"""English word classes that several patterns share: alternatives without outer marks, to be put into a group."""

# Who makes conventions.
WE = (
    r"\b(?:we|our team|the team|this team|the whole team|everyone here|everybody here|nobody here"
    r"|no ?one here)(?: all| here| now| still| just)?"
)
# What a statement may be limited to and still outlast the session.
LASTING = (
    r"(?:repo(?:sitory)?|crate|project|code ?base|monorepo|workspace|service|package|library|module|app|application"
    r"|team|company|org|vault|machine|box|laptop|setup|shop|house|product|platform|stack|cluster|office)"
)
# What makes it end with the session, or with the work at hand.
PASSING = (
    r"(?:file|branch|pr|pull request|mr|commit|session|time|one|test|function|method|class|sprint|release|ticket"
    r"|issue|task|change|spike|run|round|week|month|morning|afternoon|evening|call|step|part|block|line|section|view"
    r"|prototype|experiment|demo|patch|fix|once|case|bit|turn|conversation|chat|migration|refactor(?:ing)?|iteration"
    r"|example|page|screen|dialog|query|endpoint|component|loop|script)"
)
# Verbs of convention, as against verbs of work to do now.
POLICY = (
    r"(?:use|write|name|keep|deploy|ship|release|squash|rebase|merge|pin|commit|tag|version|store|save|format|indent"
    r"|mock|stub|prefer|avoid|support|target|follow|treat|push|import|throw|panic|wrap|allow|accept|tolerate|host"
    r"|document|vendor|publish|go through|stick (?:to|with)|rely on|depend on|work with|build (?:with|on)|run on|read"
    r"|talk|prefix|suffix|abbreviate|amend|force.push|hand.?write|generate|sign|review|put|pass|expose|nest|declare"
    r"|spell|quote|order|sort|group|model|represent|type|test|do|hard.?code|branch off|sleep|wait for|swallow|inline"
    r"|duplicate|cache|log|ignore)"
)
# A verb that says what the agent does while it works and answers, as a gerund.
AGENTS_WORK = (
    r"(?:apologi[sz]|add|ask|explain|tell|summari[sz]|say|creat|writ|commit|push|run|us|put|guess|be|do|touch|edit"
    r"|reformat|suggest|re-?nam|re-?add|mak|leav|end|start|repeat|mention|call|generat|delet|remov|chang|import"
    r"|insert|wrap|prais|thank|narrat|offer|default|assum|skip|pad|mock|translat|answer|reply|append|prefix|abbreviat"
    r"|invent|giv|sprinkl|forc|amend|squash|rebas|recap|paraphras|quot|list|hard-?cod|restat|justify|over-?engineer"
    r"|refactor|rewrit|bump|open|install)(?:t|n|m|p|g)?ing\b"
)
# What the agent says and makes, by the dozen.
ANSWERS = (
    r"(?:answers?|replies|reply|responses?|explanations?|summar(?:y|ies)|recaps?|messages?|comments|commit messages"
    r"|commits|diffs|prs|pull requests|docstrings|emojis?|code blocks|bullet points|tables|headings|prose|text|words"
    r"|small ?talk|praise|apologies|filler|jargon|fluff|questions|options|caveats|disclaimers|descriptions)"
)
TONGUES = (
    r"(?:english|german|french|spanish|portuguese|italian|dutch|swedish|danish|norwegian|finnish|polish|czech|russian"
    r"|ukrainian|turkish|greek|japanese|chinese|korean|hindi|arabic|hebrew|hungarian|romanian|catalan|(?:british"
    r"|american) english)"
)
# Machines, places and people around a code base, of which facts are said in passing.
AROUND = (
    r"(?:ci|prod(?:uction)?|staging|dev(?:elopment)? (?:server|box|machine|container)|build (?:agents?|servers?"
    r"|machines?|boxes|box|image)|runners?|pipelines?|cluster|servers?|database|db|replica|customers?|clients?"
    r"|laptops?|machines?|workstation|desktop|sandbox|gateway|proxy|registry|vpn|mainframe|nas|hosts?|(?:test|demo"
    r"|mock) (?:server|system|db|database|box)|api mock|broker|queue|bucket|devices|phones|tablets|terminals|kiosks"
    r"|partners|tenants|schools|hospitals|shops)"
)
# After always or never: a remark about the past, a measure or a state ("never seen", "never longer"), no instruction.
NO_ORDER = (
    r"(?:here|there|happy|good|great|fun|nice|worth|\w+ing|seen|heard|had|been|worked|tried|used|got|gotten|happened"
    r"|understood|noticed|thought|knew|saw|did|was|were|is|are|has|does|mind|more|less|longer|shorter|fewer|larger"
    r"|smaller|greater|a|an|the|on|in|at|to|for|with|from|again|ever|null|true|false|empty|so|as|some|any|that|this"
    r"|it|one|two|both|found|needed|wanted|finished|made|came|went|(?!pass|process|address|access|express|compress"
    r"|dismiss|focus|discuss|alias)\w+s|\w{2,}(?<!ne)(?<!se)(?<!fe)(?<!mb)ed)\b"
)
ORDER = r"(?:always|never(?: ever)?|don'?t ever|do not ever)\s+(?!" + NO_ORDER + r")[a-z]\w+"
# A noun phrase that means one thing at hand, not a kind of things.
ONE = (
    r"(?:the|this|that|these|those|it|its|them|a|an|one|both|him|her|your|my|what|how|where|to|option|number|plan"
    r"|suggestion|idea|first|second|third|last|next|some|another|more)\b"
)
# The start of a clause whose subject is a kind of things: no article, no pronoun, a plural or a mass noun.
KIND = (
    r"(?:^|[,;:.] |\b(?:and|but|so|because|since|no) )(?!the |this |that |these |those |it |there |here |he |she "
    r"|they |i |we |you |my |your |his |her |both |some |two |three |four |what |if |when |let|as |in |on |for "
    r"|to )(?:(?:all|every|each|any|new|no|our|anything|everything) )?(?:(?!(?:we|i|you|they|he|she|it|last|to|is|are"
    r"|was|has|have|had|who|that)\b)[\w./`*-]+ ){0,3}?[\w./`*-]*(?:s|x|ing|data|logic|code|money|text|anything"
    r"|everything|css|sql|html|ui)(?: \w+ing| (?:in|under|below|inside|of|for|from) [\w./`*-]+(?: [\w./`*-]+)?)?,? "
)
# Verbs that say how things are arranged, not what they do.
STAND = (
    r"(?:are|is|go|goes|live|lives|sit|sits|belong|belongs|come|comes|end|ends|start|starts|stay|stays|use|uses|need"
    r"|needs|have|has|must|may|inherit|inherits|follow|follows)\b(?! (?:been|to)\b)"
)
REASON = r"(?:\b(?:because|since|so that|as (?:it|they|we)|due to|cause|given that|for the sake of|reason)\b|:\s)"
CONTRAST = r"(?:\b(?:instead of|rather than|over|and not|never|no longer|nowhere|(?<!why )not)\b)"
# How a sentence starts that tells of somebody, so that an "always" later in it is no order.
SAYING = r"(?:i|i'm|i've|they|he|she|it|it's|that|this|there|people|my|his|her|their|the \w+|a|an|what|who)\b"
# A named thing with its version, not an amount.
NUMBER = (
    r"[\w.+-]*\s?v?\d+(?:\.\d+)*\b(?! ?(?:minutes?|hours?|errors?|failures?|tests?|jobs?|times?|%|days?|seconds?|ms))"
)
