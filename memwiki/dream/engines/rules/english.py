"""English, for the offline engine: see `language.py` for what each field is."""

from .english_facts import FACTS
from .english_halves import HALVES
from .english_mutes import MUTES
from .english_person import PERSON
from .english_rules import RULES
from .english_words import LASTING
from .language import Language, rx, words

ENGLISH = Language(
    code="en",
    words=words(
        """
        the a an and or is are was it it's this that that's to of in on for with not no you we i my our don't
        doesn't please can do does from be as but have has had if so they them there here by at all every always
        never only just use must should will would its your one per more than then when what why how which who
        over into out up back new off files make add fix
        """
    ),
    opening=rx(
        r"^(?:(?:ok(?:ay)?|yes|yeah|yep|yup|hmm?|hm+|ah|oh|well|thanks|thank you|thx|alright|hey|hi|hello|actually"
        r"|also|and|but|so|btw|by the way|please|pls|plz|kindly|as i said|like i said|as always)(?:\s*[,.:;!–—-]+\s*"
        r"|\s+(?=\S))|(?:no|nope|nah|right|great|good|nice|cool|perfect|sure|wait|sorry|morning|one more thing"
        r"|another thing|wrong|listen|look|just|well done|fine|true|exactly|then|anyway|ps|p\.s\.|again|i said"
        r"|i told you|correction|that'?s (?:wrong|not right|not it)|not quite|careful|not that one|one thing"
        r"|two things|good (?:catch|point|idea|call)|lovely|excellent|no,? no|oh no|stop|while (?:you'?re"
        r"|we'?re) at it|for context|context|in case (?:you (?:wonder|need it)|it matters)|side note|small thing"
        r"|last thing)\s*[,.:;!–—-]+\s*)+",
        r"^(?:can|could|would|will) you (?:please |pls |maybe )?(?=always|never|stop|not |remember|note|keep in mind"
        r"|from now on|memori[sz]e)",
    ),
    asks=rx(
        r"^(?:i want you to |you (?:should|must) |try to |(?:can|could|would|will) you (?:please )?)?(?:remember"
        r"|memori[sz]e|store|never forget|don'?t forget|make (?:sure you remember|a (?:mental )?note)"
        r"|take (?:a )?note|note down|write down|commit to memory|save (?:in|to) (?:your )?memory|learn)(?: (?:this"
        r"|it|please|for (?:good|later|next time|ever|the future|future \w+)|once and for all|forever"
        r"|about \w+ \w+))*\s*(?:[:,–—-]\s+|\bthat\s+(?!(?:bug|issue|error|problem|thing|time|discussion|one"
        r"|conversation|file|day)\b))",
        r"^(?:(?:a )?(?:reminder|note|memo|rule|fact)s?|(?:(?:one|two|three|some|a few|couple of) )?(?:things?|rules?"
        r"|facts?|notes?))(?: to (?:remember|self|keep))?(?: for (?:(?:all )?(?:the )?future(?: \w+)?|good|later"
        r"|next time|the record|your memory|you to remember|ever))\s*[:,–—-]\s+",
        r"^(?:the |our )?(?:claude\.md|agents\.md|gemini\.md|memory file) (?:should|must|needs to) (?:say|mention"
        r"|have|state|contain|note|list)(?: that)? ",
        r"^(?:save|add|write|commit) (?:this |that |it )?to (?:your |the )?memory\s*[:,–—-]\s*",
        r"^(?:and |also )*for (?:the future|later|next time|future \w+)\s*[:,]\s*",
        r"^(?:rule|house rule|convention|team rule|standing rule|golden rule|policy|to remember|for (?:the record"
        r"|future reference|next time|the future|future (?:sessions?|work|reference))|heads up for (?:next time|later"
        r"|the future))\s*[:,–—-]\s+",
        r"^(?:(?:can|could|would|will) you (?:please )?)?(?:put|add|write|save|note|record|store|document"
        r"|include)(?: (?:this|it|that|the following|a (?:line|note|rule|section|sentence|bullet)|down))* (?:in|into"
        r"|to) (?:the |your |our |my )?(?:claude\.md|agents\.md|gemini\.md|memory|memories|notes|rules(?: file)?"
        r"|cursor ?rules|\.cursorrules|conventions|instructions|style guide)(?: file)?(?: too| as well"
        r"| please)?\s*(?:[:,–—-]\s+|\b(?:that|saying(?: that)?)\s+)",
        r"^(?:add|put|make|write)(?: down)? a (?:note|memory)(?: to self)?(?: that|:|saying(?: that)?)\s+",
    ),
    asked=rx(
        r"^(?:please |pls |and |so |do |just |now |yes |then )*(?:remember|memori[sz]e|note) (?:that|this|it|these"
        r"|those|both)(?: (?:down|please|for \w+(?: \w+)?|forever|too|well))*[.!]*$",
        r"\b(?:put|add|write|save|note|record|store|document|get) (?:that|this|it|these|both)(?: \w+)? (?:in|into|to"
        r"|down in) (?:the |your |our |my )?(?:claude\.md|agents\.md|gemini\.md|memory|memories|notes|rules"
        r"|cursor ?rules|\.cursorrules|conventions|instructions)(?: files?)?\b",
        r"^(?:please |and |so |just )*(?:make|take) (?:a )?note of (?:that|this|it)\b",
        r"^(?:please |and |so |just )*(?:write|note) (?:that|this|it) down\b(?! (?:on|as a comment))",
        r"\b(?:that|this)(?:'s| is) (?:one |something )?(?:worth remembering for|for (?:your|the) (?:memory|notes"
        r"|rules))\b",
        r"^(?:please |and |so |do )*(?:remember|memori[sz]e)(?: please)?[.!]*$",
    ),
    header=rx(
        r"\b(?:rules?|conventions?|preferences?|standards?|house style|guidelines|principles|remember|from now on"
        r"|going forward|always|never|claude\.md|agents\.md|gemini\.md|memory|notes|habits"
        r"|for the future)\b[^.?]{0,60}[:：]\s*$"
    ),
    signals=(*RULES, *PERSON, *FACTS, *HALVES),
    mutes=MUTES,
    question=rx(
        r"\?[\s)\"']*$",
        r"^(?:what|why|how|where|when|who|which|whose)(?:'s| is| are| was| were| does| do| did| can| could| should"
        r"| would| will| about| the hell| if|'d| have| has)\b",
        r"^(?:is|are|was|were|does|did|can|could|should|would|will|has|shall|isn'?t|aren'?t|doesn'?t|am) (?:we|you|i"
        r"|it|he|she|they|there|this|that|the|these|those|our|my|a|an|anyone|anybody|any|all)\b",
        r"^(?:do|have|don'?t) (?:we|you|i|they|the \w+|any\w*)\b",
        r"\b(?:right|isn'?t it|don'?t we|aren'?t we|no|or not|correct)\?",
        r"^(?:i (?:wonder|don'?t know|forgot)|tell me|remind me|any idea|curious) (?:if|why|what|whether|how|which"
        r"|where|when|who)\b",
    ),
    task=rx(
        r"^(?:(?:and|so|but|then|now|also|please|pls|just|let'?s|first|next|ok|go|can you|could you|would you|you can"
        r"|i want you to|i need you to) )*(?:fix|rename|remove|replace|change|update|move|delete|drop|revert|undo"
        r"|split|refactor|extract|implement|create|make|build|rerun|redo|check|look|see|try|commit (?:this|it|and"
        r"|the)|push (?:this|it|and|the)|open|close|merge (?:this|it|the)|bump|set|clean|apply|do (?:it|that|this|the"
        r"|so)|show|tell me|find|adjust|correct|convert|migrate|install|continue|go on|carry on|start|finish|restore"
        r"|skip|use (?:a|an|the|that|this) (?!\w+ (?:instead of|not|rather than))|translate|review (?:this|the|my)"
        r"|investigate|debug|seed|regenerate|rewrite|patch|port|throw|return|log (?:the|this|it)|retry|render|display"
        r"|hide|enable|disable|limit|ensure|add|write (?:a|an|the|me|this)|generate|give|summari[sz]e|explain"
        r"|run (?:the|it|this|that)|test (?:it|this|that)|put (?:it|the|them|this)|take (?:it|the|that)|deploy|wait"
        r"|compare|draft|repair|compile)\b"
    ),
    joint=rx(
        r"\s*[,;]\s+(?:and |but |so |then )?",
        r"\s+[-–—]+\s+",
        r"\s+(?:and|but)\s+(?=(?:from now|in general|for the future|for later|remember|note|always|never|please"
        r"|in future|as a rule|fix|rename|add|update|run|can you|could you))",
    ),
    leans=rx(r"^(?:when(?:ever)?|every ?time|each time|any ?time|if|before|after|for|in|with|once|unless|on) "),
    pronoun=rx(r"\b(?:them|it|that|those|these|they|this|both|there)\b"),
    pointing=rx(
        r"^(?:that|this|it|those|these|same|both)(?:'s| is| are| was| goes| applies| holds| should"
        r"| must)?\b[^,]{0,30}$(?<!here)",
        r"^(?:that|those|these|this) (?!is\b|was\b|are\b|goes\b|(?:\w+ )?" + LASTING + r")\w+ (?:is|are|goes|was)\b",
        r"^(?:please |and |so |let'?s |i want you to |you can |exactly |yes,? |always |just |we )*(?:keep|do|stick"
        r"|follow|remember|use|adopt|work|hold|handle|treat|like|note|exactly|keep (?:doing|on))(?: \w+)? (?:to "
        r"|with |by |on |doing |how i like |how i want )?(?:that|this|it|so|these|those|them|the same|like this"
        r"|like that)\b[^,:;]{0,40}$",
        r"^(?:do (?:that|this|it|so) (?:with|for|in|on|at|before|after) (?:every|each|all|any)|(?:every ?time|always"
        r"|from now on)(?:,? please)?[.!]*$)",
        r"^(?:from now on|from here on|in future|always|every time|as a rule|for good)(?:,)? (?:please|like this"
        r"|like that|do it|that way|this way|so|thanks)\b[^,:;]{0,20}$",
        r"\bexactly how i (?:like|want) |^(?:just )?(?:like|the way) (?:that|this|i like it)\b|\b(?:that|this)(?:'s"
        r"| is) (?:exactly )?how (?:i|we)\b",
        r"^(?:keep doing|do) (?:that|this|it) (?:whenever|every ?time|before|after|when|always|for)\b|^always (?:work"
        r"|do it) (?:that|this) way\b",
    ),
    presents=rx(
        r"^(?:please |can you |could you |now )*(?:translate|rephrase|proofread|summari[sz]e|check|review|evaluate"
        r"|shorten|rewrite|improve|commit message|title|subject|tooltip|prompt|label|copy|headline)\b[^:.]{0,40}:\s",
        r"\b(?:this|the following|his|her|their|the|some|these|an?) (?:[\w']+ )?(?:feedback|comments?|review|remarks?"
        r"|e?mail|message|text|suggestions?|quote|paragraph|sentence|snippet|ticket|issue|log|output|error|answer"
        r"|findings?|advice|claim|statement|post|article|prompt)\b[^.:]{0,30}:\s",
        r"^(?:[\w ]{0,20} )?(?:wrote|writes|says|said|asks|asked|replied|commented|answered|suggests)\b[^.:]{0,20}:\s",
    ),
    refines=rx(
        r"\b(?:exceptions? to|one exception|exception:|except(?: for| that| when)?|only for|unless|but not (?:for|in"
        r"|when)|apart from|only (?:in|when|if|on)|not for|doesn'?t (?:apply|hold|count) (?:to|for)|also (?:for|in"
        r"|on)|that includes|including)\b"
    ),
    corrects=rx(
        r"^(?:no|nope|wrong|not quite|incorrect)\b[,.!:]?(?! (?:idea|problem|worries|need|rush))|^wrong \w+"
        r"|^not (?:like that|there|that way)\b",
        r"\b(?:that|this)(?:'s| is) an? \w+ again\b|\bagain[.!]*$|\bagain,",
        r"\b(?:that|this|it)(?:'s| is|) (?:wrong|isn'?t (?:right|our|how|where)|not (?:our|how|right|where"
        r"|what we))\b|\b(?:doesn'?t|don'?t) belong\b",
        r"\byou (?:\w+ed|put|made|wrote|broke|chose|left|forgot)\b|\bwe don'?t do\b|\bhow often\b|\b(?:i told you"
        r"|as i said|like i said|i said|once more)\b",
    ),
    takeback=rx(
        r"^(?:(?:hmm?|oh|ah|no|ok|okay|wait|sorry|actually|well|um|uh|hold on)[,.!\s–—-]+)*(?:never ?mind(?: (?:that"
        r"|it|about (?:that|it)|what i said))?(?=[,.!;:\s–—-]*(?:$|[.,!;:–—-]|i\b|we\b|it\b))|scratch (?:that|it)"
        r"|strike that|forget (?:that|it|what i said|about (?:that|it)|the last|i said)|ignore (?:that|what i said"
        r"|my last|the last|the above)|drop (?:that|it)\b|disregard|cancel that|undo that|i take (?:that|it) back"
        r"|don'?t (?:remember|save|note|store|memori[sz]e) (?:that|it|this)|wait,? no\b|no,? wait\b"
        r"|on second thoughts?|i(?:'ve)? changed my mind|i was wrong|my mistake|i (?:haven'?t|didn'?t) decide)",
        r"\b(?:scratch that|never ?mind that|forget (?:what i said|i said (?:that|it|anything))|i take (?:that"
        r"|it) back|don'?t (?:remember|save|note|store) (?:that|it|this)\b|i haven'?t decided|(?:that"
        r"|it) was (?:only )?a joke|just kidding|ignore what i said)",
    ),
    repeats=rx(
        r"\b(?:as|like) i(?:'ve)? (?:said|told you|mentioned|wrote)\b|\bi(?:'ve)? (?:said|told you)\b|\b(?:and |once "
        r"|said it )?again\b|\bonce more\b|\bstill (?:applies|holds|stands)\b"
    ),
    turn=rx(
        r"\b(?:i mixed (?:it|that|them) up|so it'?s|change of plans?|changed (?:my|our) minds?|on second thoughts?"
        r"|no longer|not any ?more|instead of what|scrap that|correction|forget (?:the|what)|we (?:now|changed"
        r"|switched|moved|reverted|dropped)|actually|make that|new (?:rule|decision|plan)|from now on it'?s|rather"
        r"|after all|i was wrong|it'?s now|are now|is now|got overruled|instead)\b",
    ),
    accepts=rx(
        r"^(?:(?:yes|yeah|yep|yup|sure|ok(?:ay)?|absolutely|definitely|please|nice(?: touch| one)?|love (?:it|that)"
        r"|great|well done|good|please do|do (?:that|it|so)|good (?:idea|plan|point|call)|great(?: idea)?|perfect"
        r"|exactly|agreed|sounds good|of course|go ahead|that'?d be (?:great|good|nice)|fine|deal|right|always"
        r"|every time|from now on|i'?d like that|love it|works for me|correct)[\s,.!]*)+"
    ),
    offers=rx(
        r"^(?:(?:by the way|also|and|btw|one question|going forward|in future|from now on)[,:]? )?(?:should i|shall i"
        r"|do you want me to|want me to|would you like me to|would you prefer (?:that )?i|may i|is it ok(?:ay)? if i"
        r"|i can|i could|i'?d suggest (?:that )?(?:i|we)|i'?ll|shall we|should we|do you want to) "
    ),
    ours=rx(r"\b(?:we|our|us|the team|this (?:repo|project|codebase|service|package|workspace|app)|here)\b"),
    habit=rx(
        r"\b(?:always|from now on|going forward|in (?:the )?future|every time|each time|whenever|by default|as a rule"
        r"|for all|every|each|never|generally|from here on|before (?:every|each|any)|after (?:every|each|any)"
        r"|any time)\b"
    ),
    stop=words(
        """
        a an the and or but so then than that this these those it its is are was were be been being do does did
        don't doesn't not no never always ever please we i you he she they our my your us me them to of in on at
        for from with without by as if when whenever every each all any some only just also here there now still
        again must should have has had can may will would let's use used using uses rule new one two more less
        very much because since instead rather over into out up down about before after back same thing things
        way want wants like likes prefer keep keeps make makes get gets go goes
        """
    ),
)
