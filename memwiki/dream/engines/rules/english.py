"""English, for the offline engine: see `language.py` for what each field is."""

from .english_mutes import MUTES
from .english_signals import HALVES, STANDING
from .english_words import LASTING
from .language import Language, rx, words

ENGLISH = Language(
    code="en",
    words=words(
        """
        the a an and or is are was it it's this that that's to of in on for with not no you we i my our don't
        doesn't please can do does from be as but have has had if so they them there here by at all every always
        never only just use must should will would its your one per more than then when what why how which who
        over into out up back new off files tests make add fix
        """
    ),
    opening=rx(
        r"^(?:(?:ok(?:ay)?|yes|yeah|yep|yup|hmm?|hm+|ah|oh|well|thanks|thank you|thx|alright|hey|hi|hello|actually"
        r"|also|and|but|so|btw|by the way|please|pls|plz|kindly"
        r"|as i said|like i said|as always)(?:\s*[,.:;!–—-]+\s*|\s+(?=\S))"
        r"|(?:no|nope|nah|right|great|good|nice|cool|perfect|sure|wait|sorry|morning|one more thing|another thing"
        r"|wrong|listen|look|just|well done|fine|true|exactly|then|anyway|ps|p\.s\."
        r"|again|i said|i told you|correction|that'?s (?:wrong|not right|not it)|not quite|careful|not that one"
        r"|one thing|two things|good (?:catch|point|idea|call)|lovely|excellent"
        r"|no,? no|oh no|stop|while (?:you'?re|we'?re) at it|for context|context|in case (?:you (?:wonder|need it)"
        r"|it matters)|side note|small thing|last thing)\s*[,.:;!–—-]+\s*)+",
        r"^(?:can|could|would|will) you (?:please |pls |maybe )?(?=always|never|stop|not |remember|note|keep in"
        r" mind|from now on|memori[sz]e)",
    ),
    asks=rx(
        r"^(?:i want you to |you (?:should|must) |try to |(?:can|could|would|will) you (?:please )?)?(?:remember"
        r"|memori[sz]e|store|never forget|don'?t forget|make (?:sure you remember|a (?:mental )?note)"
        r"|take (?:a )?note|note down|write down|commit to memory|save (?:in|to) (?:your )?memory|learn)"
        r"(?: (?:this|it|please|for (?:good|later|next time|ever|the future|future \w+)|once and for all|forever"
        r"|about \w+ \w+))*"
        r"\s*(?:[:,–—-]\s+|\bthat\s+(?!(?:bug|issue|error|problem|thing|time|discussion|one|conversation|file|day)\b))",
        r"^(?:(?:a )?(?:reminder|note|memo|rule|fact)s?|(?:(?:one|two|three|some|a few|couple of) )?(?:things?"
        r"|rules?|facts?|notes?))"
        r"(?: to (?:remember|self|keep))?(?: for (?:(?:all )?(?:the )?future(?: \w+)?|good|later|next time|the"
        r" record|your memory|you to remember|ever))"
        r"\s*[:,–—-]\s+",
        r"^(?:the |our )?(?:claude\.md|agents\.md|gemini\.md|memory file) (?:should|must|needs to) (?:say|mention"
        r"|have|state|contain|note|list)(?: that)? ",
        r"^(?:save|add|write|commit) (?:this |that |it )?to (?:your |the )?memory\s*[:,–—-]\s*",
        r"^(?:and |also )*for (?:the future|later|next time|future \w+)\s*[:,]\s*",
        r"^(?:rule|house rule|convention|team rule|standing rule|golden rule|policy|to remember|for (?:the record"
        r"|future reference|next time"
        r"|the future|future (?:sessions?|work|reference))|heads up for (?:next time|later|the future))\s*[:,–—-]\s+",
        r"^(?:(?:can|could|would|will) you (?:please )?)?(?:put|add|write|save|note|record|store|document"
        r"|include)(?: (?:this|it|that|the following|a (?:line|note|rule|section|sentence|bullet)|down))*"
        r" (?:in|into|to) (?:the |your |our |my )?(?:claude\.md|agents\.md|gemini\.md|memory|memories|notes"
        r"|rules(?: file)?|cursor ?rules|\.cursorrules"
        r"|conventions|instructions|style guide)(?: file)?(?: too| as well| please)?\s*(?:[:,–—-]\s+|\b(?:that"
        r"|saying(?: that)?)\s+)",
        r"^(?:add|put|make|write)(?: down)? a (?:note|rule|line|memory)(?: (?:in|into|to) \S+)?(?: that|:"
        r"|saying(?: that)?)\s+",
    ),
    asked=rx(
        r"^(?:please |pls |and |so |do |just |now |yes |then )*(?:remember|memori[sz]e|note) (?:that|this|it|these"
        r"|those|both)"
        r"(?: (?:down|please|for \w+(?: \w+)?|forever|too|well))*[.!]*$",
        r"\b(?:put|add|write|save|note|record|store|document|get) (?:that|this|it|these|both)(?: \w+)? (?:in|into"
        r"|to|down in)"
        r" (?:the |your |our |my )?(?:claude\.md|agents\.md|gemini\.md|memory|memories|notes|rules|cursor ?rules"
        r"|\.cursorrules|conventions|instructions)(?: files?)?\b",
        r"^(?:please |and |so |just )*(?:make|take) (?:a )?note of (?:that|this|it)\b",
        r"^(?:please |and |so |just )*(?:write|note) (?:that|this|it) down\b(?! (?:on|as a comment))",
        r"\b(?:that|this)(?:'s| is) (?:one |something )?(?:worth remembering for|for (?:your|the) (?:memory|notes"
        r"|rules))\b",
        r"^(?:please |and |so |do )*(?:remember|memori[sz]e)(?: please)?[.!]*$",
    ),
    header=rx(
        r"\b(?:rules?|conventions?|preferences?|standards?|house style|guidelines|principles|remember|from now on"
        r"|going forward|always|never|claude\.md|agents\.md|gemini\.md|memory|notes|habits|for the"
        r" future)\b[^.?]{0,60}[:：]\s*$"
    ),
    signals=(*STANDING, *HALVES),
    mutes=MUTES,
    question=rx(
        r"\?[\s)\"']*$",
        r"^(?:what|why|how|where|when|who|which|whose)(?:'s| is| are| was| were| does| do| did| can| could| should"
        r"| would| will| about| the hell| if|'d| have| has)\b",
        r"^(?:is|are|was|were|does|do|did|can|could|should|would|will|have|has|shall|isn'?t|aren'?t|doesn'?t|am)"
        r" (?:we|you|i|it|he|she|they|there|this|that|the|these|those|our|my|a|an|anyone|anybody|any|all)\b",
        r"\b(?:right|isn'?t it|don'?t we|aren'?t we|no|or not|correct)\?",
        r"^(?:i (?:wonder|don'?t know|forgot)|tell me|remind me|any idea|curious) (?:if|why|what|whether|how|which"
        r"|where|when|who)\b",
    ),
    task=rx(
        r"^(?:(?:and|so|but|then|now|also|please|pls|just|let'?s|first|next|ok|go|can you|could you|would you|you"
        r" can|i want you to|i need you to) )*"
        r"(?:fix|rename|remove|replace|change|update|move|delete|drop|revert|undo|split|refactor|extract|implement"
        r"|create|make|build|rerun|redo|check|look|see|try"
        r"|commit (?:this|it|and|the)|push (?:this|it|and|the)|open|close|merge (?:this|it|the)|bump|set|clean"
        r"|apply|do (?:it|that|this|the|so)|show|tell me|find|adjust|correct|convert|migrate|install|continue|go"
        r" on|carry on|start|finish"
        r"|restore|skip|use (?:a|an|the|that|this) (?!\w+ (?:instead of|not|rather than))|translate|review (?:this"
        r"|the|my)|investigate|debug|seed|regenerate|rewrite|patch|port|throw|return|log (?:the|this|it)|retry"
        r"|render|display|hide|enable|disable|limit|ensure|add|write (?:a|an|the|me|this)|generate|give"
        r"|summari[sz]e|explain|run (?:the|it|this|that)|test (?:it|this|that)|put (?:it|the|them|this)|take (?:it"
        r"|the|that)|deploy|wait|compare|draft|repair|compile)\b"
    ),
    joint=rx(
        r"\s*[,;]\s+(?:and |but |so |then )?",
        r"\s+[-–—]+\s+",
        r"\s+(?:and|but)\s+(?=(?:from now|in general|for the future|for later|remember|note|always|never|please|in"
        r" future|as a rule|fix|rename|add|update|run|can"
        r" you|could you))",
    ),
    leans=rx(r"^(?:when(?:ever)?|every ?time|each time|any ?time|if|before|after|for|in|with|once|unless|on) "),
    pronoun=rx(r"\b(?:them|it|that|those|these|they|this|both|there)\b"),
    pointing=rx(
        r"^(?:that|this|it|those|these|same|both)(?:'s| is| are| was| goes| applies| holds| should|"
        r" must)?\b[^,]{0,30}$(?<!here)",
        r"^(?:that|those|these|this) (?!is\b|was\b|are\b|goes\b|(?:\w+ )?" + LASTING + r")\w+ (?:is|are|goes|was)\b",
        r"^(?:please |and |so |let'?s |i want you to |you can |exactly |yes,? |always |just |we )*(?:keep|do|stick"
        r"|follow|remember|use|adopt"
        r"|work|hold|handle|treat|like|note|exactly|keep (?:doing|on))(?: \w+)? (?:to |with |by |on |doing |how i"
        r" like |how i want )?"
        r"(?:that|this|it|so|these|those|them|the same|like this|like that)\b[^,:;]{0,40}$",
        r"^(?:do (?:that|this|it|so) (?:with|for|in|on|at|before|after) (?:every|each|all|any)|(?:every ?time"
        r"|always|from now on)(?:,? please)?[.!]*$)",
        r"^(?:from now on|from here on|in future|always|every time|as a rule|for good)(?:,)? (?:please|like this"
        r"|like that|do it|that way|this"
        r" way|so|thanks)\b[^,:;]{0,20}$",
        r"\bexactly how i (?:like|want) |^(?:just )?(?:like|the way) (?:that|this|i like it)\b|\b(?:that"
        r"|this)(?:'s| is) (?:exactly )?how (?:i|we)\b",
        r"^(?:keep doing|do) (?:that|this|it) (?:whenever|every ?time|before|after|when|always|for)\b|^always"
        r" (?:work|do it) (?:that|this) way\b",
    ),
    presents=rx(
        r"\b(?:this|the following|his|her|their|the|some|these|an?) (?:[\w']+ )?(?:feedback|comments?|review"
        r"|remarks?|e?mail|message|text|suggestions?"
        r"|quote|paragraph|sentence|snippet|ticket|issue|log|output|error|answer|findings?|advice|claim|statement"
        r"|post|article|prompt|proposal|draft)"
        r"\b[^.:]{0,30}:\s",
        r"^(?:[\w ]{0,20} )?(?:wrote|writes|says|said|asks|asked|replied|commented|answered|suggests)\b[^.:]{0,20}:\s",
    ),
    refines=rx(
        r"\b(?:exceptions? to|one exception|exception:|except(?: for| that| when)?|only for|unless|but not (?:for"
        r"|in|when)|apart from|only (?:in|when|if|on)"
        r"|not for|doesn'?t (?:apply|hold|count) (?:to|for)|also (?:for|in|on)|that includes|including)\b"
    ),
    corrects=rx(
        r"^(?:no|nope|wrong|not quite|incorrect)\b[,.!:]?(?! (?:idea|problem|worries|need|rush))|^wrong \w+|^not"
        r" (?:like that|there|that way)\b",
        r"\b(?:that|this)(?:'s| is) an? \w+ again\b|\bagain[.!]*$|\bagain,",
        r"\b(?:that|this|it)(?:'s| is|) (?:wrong|isn'?t (?:right|our|how|where)|not (?:our|how|right|where|what"
        r" we))\b|\b(?:doesn'?t|don'?t) belong\b",
        r"\byou (?:\w+ed|put|made|wrote|broke|chose|left|forgot)\b|\bwe don'?t do\b|\bhow often\b|\b(?:i told you"
        r"|as i said|like i said|i said|once more)\b",
    ),
    takeback=rx(
        r"^(?:(?:hmm?|oh|ah|no|ok|okay|wait|sorry|actually|well|um|uh|hold on)[,.!\s–—-]+)*(?:never ?mind(?:"
        r" (?:that|it|about (?:that|it)|what i said))?(?=[,.!;:\s–—-]*(?:$|[.,!;:–—-]|i\b|we\b|it\b))|scratch"
        r" (?:that|it)|strike that|forget (?:that|it|what i said|about (?:that|it)|the last|i said)|ignore (?:that"
        r"|what i said|my last|the last|the above)"
        r"|drop (?:that|it)\b|disregard|cancel that|undo that|i take (?:that|it) back|don'?t (?:remember|save|note"
        r"|store|memori[sz]e) (?:that|it|this)|wait,? no\b|no,? wait\b|on second thoughts?|i(?:'ve)? changed my"
        r" mind|i was wrong|my mistake|i (?:haven'?t|didn'?t) decide)",
        r"\b(?:scratch that|never ?mind that|forget (?:what i said|i said (?:that|it|anything))|i take (?:that|it)"
        r" back|don'?t (?:remember|save|note|store) (?:that|it|this)\b|i haven'?t decided|(?:that|it) was (?:only"
        r" )?a joke|just kidding|ignore what i said)",
    ),
    turn=rx(
        r"\b(?:i mixed (?:it|that|them) up|so it'?s|change of plans?|changed (?:my|our) minds?|on second thoughts?"
        r"|no longer|not any ?more|instead of what|scrap that|correction|forget (?:the|what)|we (?:now|changed"
        r"|switched|moved|reverted|dropped)|actually|make that|new (?:rule|decision|plan)|from now on it'?s|rather"
        r"|after all|i was wrong|it'?s now|are now|is now|got overruled|instead)\b",
    ),
    accepts=rx(
        r"^(?:(?:yes|yeah|yep|yup|sure|ok(?:ay)?|absolutely|definitely|please|nice(?: touch| one)?|love (?:it"
        r"|that)|great|well done|good|please do|do (?:that|it|so)|good (?:idea|plan|point|call)|great(?: idea)?"
        r"|perfect|exactly|agreed|sounds good|of course|go ahead|that'?d be (?:great|good|nice)|fine|deal|right"
        r"|always|every time|from now on|i'?d like that|love it|works for me|correct)[\s,.!]*)+"
    ),
    offers=rx(
        r"^(?:(?:by the way|also|and|btw|one question|going forward|in future|from now on)[,:]? )?(?:should i"
        r"|shall i|do you want me to|want me to|would you like me to|would you prefer (?:that )?i|may i|is it"
        r" ok(?:ay)? if i|i can|i could|i'?d suggest (?:that )?(?:i|we)|i'?ll|shall we|should we|do you want to) "
    ),
    habit=rx(
        r"\b(?:always|from now on|going forward|in (?:the )?future|every time|each time|whenever|by default|as a"
        r" rule|for all|every|each|never|generally|from here on|before (?:every|each|any)|after (?:every|each|any)"
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
