"""What makes an English sentence one about the person, or about how the agent should work: each enough by itself."""

from .english_words import AGENTS_WORK, ANSWERS, LASTING, ONE, TONGUES
from .language import Signal, rx

PERSON: tuple[Signal, ...] = (
    # What the agent shall stop, or ask about first: stop adding ..., not without asking, ask me when in doubt.
    Signal(
        "a limit on what the agent does",
        "preference",
        1,
        rx(
            r"\byou (?:don'?t|do not) (?:need|have) to ask (?:me )?(?:before|for|about|when|if|every|each|first)\b"
            r"|\bnever ask (?:me )?(?:before|for|about|if)\b",
            r"\bask (?:me )?when(?:ever)? (?:something|anything|you'?re|in doubt|unclear)\b|\b(?:when|if) (?:in doubt"
            r"|unsure|something is unclear),? ask\b",
            r"^(?:please |can you |could you )*stop with (?:the |all the |your |those )?" + ANSWERS,
            r"^keep (?!it|this|that|the |in mind|going|working|trying)\w+ing (?:before|after|when|for|me|every)\b",
            r"^(?:please |and |also |you (?:can|should|need to|have to) |could you |can you |i (?:want"
            r"|need) you to )*(?:stop|quit) (?!the |this |that )" + AGENTS_WORK + r"(?! (?:the|this|that|it)\b)",
            r"\b(?:don'?t|do not|never|no|not) (?!.*\b(?:it|this|that) again)(?:[^.]{3,80}?)\b(?:without (?:asking|my"
            r"|telling|checking with|me|an? explicit|being asked|permission)|unless (?:i|you'?re|we"
            r"|someone) (?:explicitly )?(?:ask|say|tell|told|asked|approve|request)|(?:before|until) (?:asking"
            r"|you'?ve asked|checking with) me)\b",
            r"\b(?:ask|check with|tell|warn) me (?:first )?before (?:you )?(?!the )\w+ing\b"
            r"|\bask (?:me )?before (?:every|each|any)\b",
            r"^(?:please )?(?:don'?t|do not) (?!.*\b(?:it|this|that)\b)\w+[^.]{3,60}\b(?:any ?more|ever|again)\b[.!]?",
            r"\b(?:don'?t|do not|no need to|you don'?t (?:have|need) to|i don'?t need (?:you to"
            r"|an?)?)\b.{3,60}\b(?:all the time|every ?time|each time|(?:after|before|for|at the end of|with"
            r"|in) (?:every|each)|constantly|so (?:much|often|many)|over and over)\b",
            r"^no (?!changes?|need|idea|problems?|errors?|luck|worries|results?|output|diff|tests? (?:in|for) the|one"
            r"|matter|sign|trace|longer)(?:[\w-]+ ){1,3}(?:in|for|on|from|outside(?: of)?) (?:any|my|your|our|this "
            + LASTING
            + r"|production|commit|(?!the |this |that )[a-z-]+s\b)",
            r"\byou (?:keep|always|constantly) (?:(?!say|ask|go|do)\w+ing|forget|add|leave|use|write|put|skip|ignore"
            r"|break|miss)\b",
        ),
    ),
    # A taste for a kind of things: I prefer small commits, I hate it when you ..., I find types easier to read.
    Signal(
        "a preference",
        "preference",
        1,
        rx(
            r"\bi (?:don'?t|do not|never) (?:trust|believe in|review|accept|merge|allow) (?!" + ONE + r")\w",
            r"\bi (?:always|never) (?:use|write|rebase|merge|squash|commit|deploy|test|name|run|read|format|indent"
            r"|push) (?!" + ONE + r")\w",
            r"\bexactly (?:how|what|the way) i (?:like|want|need|prefer)\b",
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
            r"\bi (?:really |much |generally |usually |always |strongly |personally |still )*(?:prefer|favou?r|hate"
            r"|dislike|can'?t stand|despise|loathe) (?!" + ONE + r")\w",
            r"\bi (?:really |just |simply )*(?:like|love|enjoy|want) (?!"
            + ONE
            + r")(?:[\w-]+ ){0,2}[\w-]+s\b(?=,? (?:one|each|short|small|not|in general|over|better|more|with|that"
            r"|to be|and not)|[.;:]|$)",
            r"\bi(?: really)? (?:hate|don'?t like|dislike|can'?t stand) (?:it )?when (?:you|commits|tests|code|people"
            r"|functions|answers)\b",
            r"\bi'?(?:d| would) (?:much |always )?rather (?!not\b|have it|have the|have this|see the|"
            + ONE
            + r")(?:you|have|see|get|read|review|wait|know|be asked)\b",
            r"\bi find (?!"
            + ONE
            + r"|out\b)[^.]{3,50}\b(?:easier|harder|clearer|more readable|better|nicer|annoying|confusing|noisy"
            r"|distracting|unreadable)\b",
            r"\b(?:drives me (?:crazy|nuts|mad|up the wall)|pet peeve|gets on my nerves|makes me cringe"
            r"|bothers me when|that'?s my taste)\b",
            r"\bi (?:don'?t|never) (?:ever )?want (?:(?!the |this |that |it |to )[\w-]+ ){1,4}(?:anywhere|ever|in my"
            r"|in our|in any)\b|\bi never want (?:to see )?(?!the |this |that )\w|\bi don'?t want [a-z-]+s (?:for|in"
            r"|on) ",
            r"\bmy (?:preference|preferred \w+) (?:is|would be)\b",
            r"\b(?:exactly )?how i (?:like|want) (?:my |your )?\w+(?: \w+)?(?: presented| done| written| named"
            r"| structured| every time| always|, always)\b",
        ),
        personal=True,
    ),
    # Manners: answer in Dutch, keep your replies short, call me Kit, keep doing that.
    Signal(
        "how the agent should talk or work",
        "preference",
        1,
        rx(
            r"\bkeep (?!the |this |that |it |your |all )[\w -]{2,30}s (?:below|under|small|short|simple|to|at|out of"
            r"|in sync|sorted)\b",
            r"^(?:when|if) (?:something|anything|a (?:command|test|build)|you) (?:fails?|breaks?|don'?t know"
            r"|are unsure|get stuck|run into|can'?t)\b.*",
            r"\bi go by (?!" + ONE + r")\w+[.!]?$",
            r"^do (?:that|this|it|so) (?:with|for|in|on|at|before|after) (?:every|each|all|any)\b",
            r"^(?:every ?time|always|from now on)(?:,? please)?[.!]*$",
            r"^(?:answer|reply|respond|talk|speak|write)(?: to me| back| everything| your \w+)? (?:only "
            r"|always )?in (?:plain |simple )?"
            + TONGUES
            + r"\b(?=,? (?:always|please|from|every|even|but|unless|and|the)|[,.;]|$)",
            r"\b(?:keep|make|write) (?:your|all|all your|the|my) (?:[\w-]+ )?"
            + ANSWERS
            + r" (?:\w+ ){0,2}(?:short|brief|concise|terse|small|in|under|to|plain|shorter|simple|focused"
            r"|imperative|lower)",
            r"\b(?:your|in) (?:answers|replies|responses|explanations|commit messages|summaries"
            r"|pr descriptions)\b.*\b(?:should|must|too (?:long|wordy|verbose|chatty)|no |without|don'?t|never|use"
            r"|keep|only)\b",
            r"^(?:please )?(?:don'?t|no|leave out|skip) [\w ,]{2,40}\b(?:in|at the end of|after|from) (?:your|every"
            r"|each) (?:answers?|repl(?:y|ies)|responses?|commit messages?|messages?|commits?|summar(?:y|ies)"
            r"|explanations?|changes?|edits?|tasks?)\b",
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
    # Who is speaking: I'm new to rust, my machine is an arm mac, I have no root, english isn't my first language.
    Signal(
        "a fact about the person",
        "fact",
        1,
        rx(
            r"\bi'?(?:m| am) (?:an? )?(?:(?:new|fairly new|completely new) to (?!this (?:file|bug|ticket))\w"
            r"|colou?r.?blind|dyslexic|left[- ]handed|deaf|blind\b|a screen.?reader user|not a native"
            r"|no (?:programmer|developer|expert|designer))",
            r"\bi'?(?:m| am) (?:an? |the )(?:[\w-]+ ){0,2}(?:developer|engineer|scientist|designer|manager|student"
            r"|teacher|researcher|analyst|sysadmin|admin|maintainer|lead|cto|founder|writer|beginner|native speaker"
            r"|programmer|accountant|doctor|biologist)\b",
            r"\bi'?(?:m| am) (?:on|using|running) (?:an? )?(?:windows|linux|macos|mac\b|arm|wsl|nixos|arch|debian"
            r"|ubuntu|fedora|apple silicon|chromebook)",
            r"\bi'?(?:m| am) (?:based )?in (?!a |the |my |an |it|trouble|doubt|favor|favour|charge)[\w ]{3,20}, so\b",
            r"\bmy (?:machine|laptop|computer|shell|editor|terminal|keyboard(?: layout)?|os|time ?zone|dev box"
            r"|workstation|screen) (?:is|has|runs|only has)\b(?! (?:slow|broken|about|dying|down|full|hot|frozen"
            r"|acting|not|going|stuck|dead|off|out|back))",
            r"\bi (?:work|live|am based) (?:in|from|mostly|mainly|with|only|on (?:an? |windows|linux|macos"
            r"|arm)) ?(?!it\b|this|that|the )\w+(?= (?:time|so|and|day|every|most|all)|[.,;]|$)",
            r"\bi (?:use|have) (?:a |an )?(?:screen ?reader|dvorak|colemak|vim|neovim|emacs|helix|fish|zsh|nushell"
            r"|tmux|wsl|windows|macos|linux|arm(?: mac)?|nixos)\b",
            r"\bi (?:have no|don'?t have(?: any)?) (?:admin|root|sudo|docker|gpu|internet|access|permissions?"
            r"|rights)\b",
            r"\bi don'?t (?:speak|know|read) (?!the |this |that |if |how |why |what |where |when |which |who |it |yet"
            r"|any |about |much about|whether)\w+(?=[.,;]|$| (?:well|so|very|at all))",
            r"\b(?:english|"
            + TONGUES
            + r") (?:isn'?t|is not) my (?:first|native|mother)\b|\bi know \w+(?: \w+)? (?:well|inside out"
            r"|better)\b.*\bbut\b",
        ),
        personal=True,
    ),
)
