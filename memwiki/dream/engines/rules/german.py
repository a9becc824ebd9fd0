"""German, for the offline engine: see `language.py` for what each field is."""

from .language import Language, Mute, Signal, rx, words

GERMAN = Language(
    code="de",
    words=words(
        """
        mag bevorzuge niemand jede jeden alle antworten immer künftig
        der die das den dem und ist sind nicht wir ich du es ein eine einen im in auf mit für von zu bitte immer
        nie hier kein keine auch aber mir dir mich bei nach vor aus wird werden hat haben kann soll sollte muss
        warum wie was diese dieser dieses noch mal ab jetzt uns unsere
        """
    ),
    opening=rx(
        r"^(?:(?:ok(?:ay)?|ja|nein|nee|ne|hm+|ah|oh|gut|super|danke|also|und|aber|ach|übrigens|achtung|moment|halt"
        r"|falsch|stimmt|genau|bitte|ach ja|noch was|wie gesagt)(?:\s*[,.:;!–—-]+\s*|(?<=bitte)\s+|(?<=und)\s+"
        r"|(?<=aber)\s+|(?<=also)\s+))+",
        r"^(?:kannst|könntest|würdest) du (?:bitte )?(?=immer|nie|künftig|ab jetzt)",
    ),
    asks=rx(
        r"^(?:bitte )?(?:merk(?:e)? dir|denk(?:e)? (?:für die zukunft )?dran|behalte? (?:das )?im kopf"
        r"|notier(?:e)?(?: dir)?|vergiss nie|zur erinnerung|für die zukunft|fürs protokoll|regel|konvention"
        r"|hausregel)(?: (?:bitte|das|dir|für (?:später|die zukunft|immer)))*\s*(?:[:,–—-]\s*(?:dass\s+)?|\bdass\s+)",
        r"^(?:schreib|pack|nimm|trag)(?:e)?(?: (?:das|es|bitte|mal|dir))* (?:in|ins) (?:die |deine |den "
        r"|das )?(?:claude\.md|agents\.md|gedächtnis|notizen|regeln)(?: auf| ein)?\s*(?:[:,–—-]\s*(?:dass\s+)?"
        r"|\bdass\s+)",
    ),
    asked=rx(
        r"\b(?:bitte )?(?:merk(?:e)? dir das|merken|schreib(?:e)? das (?:auf|in die \S+)|notier(?:e)? das"
        r"|das merken)[.!]*$",
    ),
    header=rx(r"\b(?:regeln|konventionen|grundsätze|vorlieben|ab jetzt|künftig|merk dir)\b[^.?]{0,60}:\s*$"),
    signals=(
        Signal(
            "said for the future",
            "preference",
            1,
            rx(
                r"\b(?:ab (?:jetzt|sofort|heute|nun)|von (?:jetzt|nun|heute) an|künftig|zukünftig|in zukunft|fortan"
                r"|grundsätzlich|prinzipiell|ein für alle ?mal|ausnahmslos|ohne ausnahme|generell|in der regel"
                r"|jedes mal(?:,? wenn du)?)\b"
            ),
        ),
        Signal(
            "said for every time",
            "preference",
            1,
            rx(
                r"(?:^|[,;:] )(?:immer|nie(?:mals)?|nie wieder|niemals wieder) \w+"
                r"|\bnie(?:mals)? (?:wieder )?\w+en[.!]?$|\bimmer\b.{0,60}\w(?:en|st)[.!]?$(?<!sollen)|^(?:\w+e?"
                r"|antworte|schreib|nutze?|verwende|frag|nimm|benutze?) (?:mir |mich |bitte |dabei |dafür )*(?:immer"
                r"|nie(?:mals)?)\b|\bimmer erst\b|\bnie wieder\b"
            ),
        ),
        Signal(
            "the way the team works",
            "preference",
            1,
            rx(
                r"\bwir (?:\w+ ){0,2}(?:nutzen|benutzen|verwenden|schreiben|nehmen|committen|mergen|squashen|deployen"
                r"|testen|mocken|benennen|releasen|speichern|arbeiten|setzen|pushen|rebasen|loggen"
                r"|führen)\b.*\b(?:immer|nie|niemals|nur|grundsätzlich|hier|überall|nicht|kein(?:e|en)?|statt"
                r"|von hand|per hand|in diesem (?:projekt|repo)|bei uns)\b",
                r"\b(?:bei uns|in diesem (?:projekt|repo|repository|dienst)|im (?:ganzen )?(?:projekt"
                r"|team))\b.*\b(?:immer|nie|niemals|nur|kein(?:e|en)?|nicht|werden|heißen|gilt|müssen)\b",
                r"\b(?:unsere|die|das ist unsere) (?:konvention|regel|vorgabe)(?: (?:ist|lautet|hier)|[.!]?$)"
                r"|\bist (?:bei uns|hier) (?:verboten|tabu|nicht erlaubt)\b|\b(?:ist|sind) (?:verboten|tabu)\b",
            ),
        ),
        Signal(
            "a preference",
            "preference",
            1,
            rx(
                r"\bich (?:bevorzuge|hasse|mag (?:lieber |keine |kurze |kleine )|möchte (?:nie|immer|keine"
                r"|grundsätzlich)|will (?:nie|immer|keine)|hätte (?:immer |grundsätzlich )?lieber|arbeite lieber)\b"
                r"|\bmir (?:sind|ist) .* lieber\b|\bhör (?:bitte )?auf,? \w+",
                r"^(?:antworte|schreib|sprich|rede|erklär)(?:e)?(?: (?:mir|bitte|mit mir|immer|nur))* (?:auf"
                r"|in) (?:deutsch|englisch|französisch)",
                r"^(?:bitte )?(?:keine?|nie) [\w-]+ (?:in|bei|für) (?:deinen?|meinen?|unseren?|commits?|antworten"
                r"|tests|kommentaren)\b|\bohne (?:mich )?(?:vorher )?zu fragen\b|\bfrag(?:e)? (?:mich )?(?:immer "
                r"|vorher|bevor)\b|\bsag du zu mir\b|\bnenn mich\b",
            ),
            personal=True,
        ),
        Signal(
            "a decision",
            "decision",
            1,
            rx(
                r"\b(?:fehlt|ist|sind|haben|hat|wurden?|bleibt|steht)\b.*\b(?:mit absicht|absichtlich|bewusst)\b",
                r"\bwir haben (?:uns )?.{0,80}\b(?:entschieden|geeinigt|beschlossen|festgelegt|gewählt)\b"
                r"|\bhaben wir (?:so )?(?:entschieden|beschlossen)\b|^(?:entscheidung|beschlossen"
                r"|entschieden)\s*[:–-]|\b(?:absichtlich|mit absicht|bewusst|extra so|gewollt)\b(?=.*\b(?:weil|damit"
                r"|da|so|entfernt|raus|weg|nicht)\b)",
            ),
        ),
        Signal(
            "a lasting fact",
            "fact",
            1,
            rx(
                r"\b(?:staging|prod(?:uktion)?|ci|server|datenbank|testsystem|devserver|dev-server|rechner|kunden"
                r"|cluster|runner)\b[^.]{0,20}\b(?:läuft|laufen|hört|lauscht|hat|haben|ist|sind|liegt|nutzt"
                r"|nutzen)\b.*(?:\bport\b|\b\d{2,5}\b|\bnur lesbar\b|\bschreibgeschützt\b|\bread-?only\b|\bkein(?:en"
                r"|e)? (?:internet|zugriff|root|docker|gpu)\b|\bv?\d+(?:\.\d+)*\b)",
                r"\bgehört (?:dem|der) [\w-]*-?team\b|\bist nur lesbar\b|\bwird (?:jede nacht|nachts|täglich) \w+\b",
            ),
        ),
        Signal(
            "a lesson",
            "postmortem",
            1,
            rx(r"\b(?:lehre|gelernt|lektion)\b.*:|\bdas nächste mal\b(?!\?)|\bhat uns schon\b|\bnächstes mal\b"),
        ),
        Signal(
            "one thing rather than another",
            "preference",
            1,
            rx(
                r"^(?:nimm|nutze?|verwende|benutze?|schreib) (?!das |die |den |diese)[\w.-]+(?: hier)?,? (?:nicht"
                r"|statt|anstatt|und nicht) (?!das |die |den )[\w.-]+[.!]?$|\bhier (?:gilt|nehmen|nutzen"
                r"|verwenden) \w+,? nicht \w+"
            ),
        ),
        Signal(
            "a fact about the person",
            "fact",
            1,
            rx(
                r"\bich bin (?:neu in|farbenblind|kein \w+entwickler|\w*entwickler(?:in)?)\b|\bmein (?:rechner"
                r"|laptop) (?:ist|hat) (?!kaputt|langsam)"
            ),
            personal=True,
        ),
        Signal(
            "said with a norm",
            "preference",
            0.5,
            rx(r"\b(?:muss|müssen|darf|dürfen|soll nie|sollen nie|immer|nie|niemals)\b"),
        ),
        Signal(
            "said in a place that lasts",
            "preference",
            0.5,
            rx(r"\b(?:in diesem (?:projekt|repo)|bei uns|überall|nirgends|normalerweise|standardmäßig)\b"),
        ),
    ),
    mutes=(
        Mute(
            "for now only",
            rx(
                r"\b(?:heute|morgen|diesmal|ausnahmsweise|vorerst|fürs erste|erst ?mal|im moment|momentan|gerade"
                r"|vorläufig|bis (?:morgen|freitag|montag|zum|nächste|wir|ich)|solange|(?:in|für"
                r"|auf) (?:diese[nmrs]?) (?:datei|branch|pr|commit|sitzung|test|funktion|ticket)|nur (?:hier|kurz"
                r"|dieses mal|jetzt)|noch nicht|nächste woche)\b"
            ),
        ),
        Mute(
            "not decided",
            rx(
                r"\b(?:vielleicht|eventuell|evtl|wahrscheinlich|vermutlich|ich glaube|ich denke|ich überlege"
                r"|könnten wir|sollten wir|mal sehen|mal schauen|keine ahnung|nicht sicher|würde|wäre|irgendwann"
                r"|schlägt vor|tendiere)\b"
            ),
        ),
        Mute(
            "the past",
            rx(r"\b(?:früher|damals|bisher|war immer|waren immer|haben wir immer|hatte|hatten|letzte woche|gestern)\b"),
        ),
        Mute(
            "how the product should behave",
            rx(
                r"\b(?:benutzer|nutzer|user|anwender|besucher|der dialog|der button|das menü|die liste|die seite"
                r"|das fenster|der kunde)\b.*\b(?:soll|sollen|muss|müssen|darf|immer|nie)\b|\b(?:sichtbar|angezeigt"
                r"|ausgeblendet|anklickbar)\b"
            ),
        ),
        Mute(
            "a bug report",
            rx(
                r"\b(?:fehler|kaputt|schlägt .* fehl|geht nie|geht nicht|funktioniert nie|funktioniert nicht|stürzt"
                r"|hängt|verschwindet|bleibt stehen|abstürzt)\b"
            ),
        ),
        Mute(
            "a thing to do now",
            rx(r"^(?:vergiss nicht|denk daran|denk dran),? .*\bzu\b|\b(?:am ende|danach|wenn du fertig|zum schluss)\b"),
        ),
        Mute(
            "said by somebody else",
            rx(
                r"\b(?:er|sie|der chef|die chefin|der kommentar|die doku|der linter|der reviewer|der kollege) (?:sagt"
                r"|meint|schreibt|will|behauptet|möchte)\b|\blaut\b"
            ),
        ),
        Mute("not meant", rx(r"^(?:na toll|super gemacht|toll|klar,? lass uns|genial|ganz toll)\b")),
        Mute(
            "a remark",
            rx(
                r"\bich (?:vergesse|verwechsle|muss|frage mich|weiß) (?:immer|nie|jedes mal)\b|\bkeine ahnung\b"
                r"|\berinnerst du dich\b"
            ),
        ),
        Mute("a secret", rx(r"\b(?:passwort|kennwort|schlüssel|token) (?:ist|lautet|:)\s*\S+"), hard=True),
    ),
    question=rx(
        r"\?\s*$",
        r"^(?:warum|wieso|wie|was|wo|wann|wer|welche[rsn]?|kannst|könntest|sollen|sollten|haben wir|gibt es|ist es"
        r"|nutzen wir|weißt)\b",
    ),
    task=rx(
        r"^(?:(?:und|dann|bitte|jetzt|also|kannst du|lass uns) )*(?:fix(?:e)?|ändere|lösch(?:e)?|entfern(?:e)?"
        r"|füg(?:e)?|bau(?:e)?|erstell(?:e)?|mach(?:e)? (?:das|es|weiter)|zeig(?:e)?|schau|prüf(?:e)?|korrigier(?:e)?"
        r"|benenn(?:e)?|verschieb(?:e)?|pass(?:e)?|repariere|starte?|lass|teste?|räum(?:e)?|setz(?:e)?|stell(?:e)?"
        r"|übersetz(?:e)?|mach mal)\b"
    ),
    joint=rx(
        r"\s*[,;]\s+(?:und |aber )?(?=(?:bitte|merk|ab jetzt|immer|nie|fix|änder|lösch|und|aber|kannst|mach|zeig|pass"
        r"|benenn|korrigier))",
        r"\s+[-–—]+\s+",
        r"\s+und (?=ab jetzt|bitte|merk)",
    ),
    pointing=rx(
        r"^(?:das|dies|so|es)\b(?!.*\b(?:projekt|repo)\b)[^,]{0,40}$|^(?:mach|halte?|bleib|behalt)\w* (?:das|es"
        r"|dich daran|so|dabei)\b[^,]{0,30}$|^(?:ab jetzt|künftig|immer) (?:bitte )?so\b"
    ),
    takeback=rx(
        r"^(?:(?:ach|nein|hm+|moment|warte|ok)[,.! ]+)*(?:vergiss (?:das|es)\b|doch nicht|streich das|egal[,.!]"
        r"|quatsch[,.!]|nein,? warte|ich nehme das zurück|war (?:nur )?ein scherz)"
    ),
    repeats=rx(r"\bwie (?:gesagt|erwähnt)\b|\b(?:noch ?mal|schon wieder|erneut)\b"),
    turn=rx(r"\b(?:planänderung|doch lieber|nicht mehr|stattdessen|jetzt doch|korrektur|anders entschieden)\b"),
    accepts=rx(
        r"^(?:(?:ja|jap|gerne|gern|klar|bitte|ja bitte|mach das|gute idee|passt|genau|unbedingt|immer|ok(?:ay)?"
        r"|super)[\s,.!]*)+"
    ),
    offers=rx(r"^(?:soll ich|möchtest du,? dass ich|ich kann|ich könnte|sollen wir|darf ich) "),
    ours=rx(r"\b(?:wir|unser\w*|uns|hier|projekt|repo|team)\b"),
    habit=rx(
        r"\b(?:immer|künftig|in zukunft|ab jetzt|jedes mal|jede[mnrs]?|nie|grundsätzlich|von nun an|vor jedem"
        r"|nach jedem)\b"
    ),
    stop=words(
        """
        der die das den dem des ein eine einen einem einer und oder aber ist sind war nicht kein keine keinen
        immer nie niemals wir ich du mir mich dir uns bitte hier auch noch ab jetzt künftig im in an auf für mit
        von zu zum zur bei nach vor aus dass wenn weil haben hat werden wird muss soll sich es so nur
        grundsätzlich zukunft
        """
    ),
)
