"""French, for the offline engine: see `language.py` for what each field is."""

from .language import Language, Mute, Signal, rx, words

FRENCH = Language(
    code="fr",
    words=words(
        """
        préfère déteste personne chaque tous toutes réponses messages encore
        le la les un une des du de et est sont pas ne on nous je tu il elle ce cette ces dans pour avec sur qui
        que quoi mon ma mes ton ta tes notre nos vos toujours jamais c'est n'est d'un qu'on l'on s'il j'ai en au
        aux par plus mais ou où y a te moi toi désormais avant faire fait ici comme pourquoi est-ce
        """
    ),
    opening=rx(
        r"^(?:(?:ok|oui|non|bon|bien|alors|ah|oh|euh|hm+|super|parfait|merci|d'accord|au fait|attention|attends|et"
        r"|mais|stp|s'il te plaît|s'il vous plaît|donc|enfin|comme je disais|faux)(?:\s*[,.:;!–—-]+\s*|(?<=et)\s+"
        r"|(?<=mais)\s+))+",
        r"^(?:peux-tu|tu peux|pourrais-tu) (?=toujours|ne jamais|désormais)",
    ),
    asks=rx(
        r"^(?:(?:stp|s'il te plaît),? )?(?:souviens-toi|rappelle-toi|retiens|mémorise|note(?: bien)?"
        r"|n'oublie (?:jamais|pas)|garde en tête|pour (?:mémoire|info|la suite|l'avenir)|règle|convention)(?: (?:bien"
        r"|ça|ceci|pour (?:la suite|plus tard|l'avenir|toujours)))*\s*(?:[:,–—-]\s*(?:que\s+)?|\b(?:que\s+"
        r"|qu'))(?!d[e'])",
        r"^(?:mets|ajoute|écris|note)(?: (?:ça|ceci|cela))? (?:dans|à) (?:le |la |ta |ton |tes )?(?:claude\.md"
        r"|agents\.md|mémoire|notes|règles)\s*(?:[:,–—-]\s*|\bque\s+)",
    ),
    asked=rx(
        r"\b(?:retiens[- ](?:le|ça|bien)|note[- ](?:le|ça)|souviens[- ]t'en|mets[- ](?:le|ça) dans (?:claude\.md"
        r"|agents\.md|ta mémoire|tes notes))[.!]*$"
    ),
    header=rx(r"\b(?:règles|conventions|préférences|désormais|à l'avenir)\b[^.?]{0,60}:\s*$"),
    signals=(
        Signal(
            "said for the future",
            "preference",
            1,
            rx(
                r"\b(?:désormais|dorénavant|à l'avenir|à partir de (?:maintenant|là|aujourd'hui)|dès maintenant"
                r"|en règle générale|par convention|une fois pour toutes|sans exception|à chaque fois que tu"
                r"|chaque fois que tu|systématiquement)\b|\bpar défaut,? (?:on|nous|utilise)\b"
            ),
        ),
        Signal(
            "said for every time",
            "preference",
            1,
            rx(
                r"^(?:ne |n')\w+[\w' -]{0,20}\bjamais\b|^(?:[\w-]+(?:-moi)?) toujours\b(?! (?:pas|le même|en panne"
                r"|dans les choux))|^toujours \w+|^jamais (?:de |d')\w+|^(?:pas|plus) (?:de |d')[\w -]+\b.*\bjamais\b"
                r"|,\s*(?:toujours|jamais)[.!]*$|^plus jamais\b|\bne (?:\w+) plus jamais\b"
            ),
        ),
        Signal(
            "the way the team works",
            "preference",
            1,
            rx(
                r"\b(?:on|nous) (?!a |est |avait |sait |avons |devrait |dirait )\w+ (?:toujours|jamais"
                r"|systématiquement)\b",
                r"\b(?:on|nous) (?:n'|ne )?(?:utilis|écri|nomm|fai|commit|merg|squash|déploi|déploy|test|mock|pass"
                r"|travaill|gard|stock|renvoi|rang|met|suit|suivons|préfèr|préfér)\w*\b.*\b(?:toujours|jamais|pas"
                r"|plutôt que|au lieu d|à la main|partout|nulle part|ici|uniquement|seulement|que des?"
                r"|dans ce (?:projet|dépôt|repo))\b",
                r"\b(?:ici|chez nous|dans ce (?:projet|dépôt|repo|service)|dans cette (?:équipe|base)),? (?:on|nous"
                r"|c'est|tout|toutes|les|jamais|toujours|pas)\b.*\b(?:pas|jamais|toujours|uniquement|à la main|en)\b",
                r"\b(?:notre|c'est notre|la) (?:convention|règle|norme)(?: (?:est|ici|c'est)|[.!]?$)|\b(?:est"
                r"|sont) (?:interdite?s?|bannie?s?|proscrite?s?)\b",
            ),
        ),
        Signal(
            "a preference",
            "preference",
            1,
            rx(
                r"\bje (?:préfère|déteste|n'aime pas (?:les|quand)|ne supporte pas|ne veux (?:jamais|plus|pas de)"
                r"|veux toujours|préférerais que tu) (?!ça\b|ce\b|cette|celui|celle|la version|le deuxième|l'autre)"
                r"|\bj'aime (?:mieux )?(?:les|des|quand) ",
                r"^(?:réponds|écris|parle|explique)(?:-moi)?(?: (?:toujours|seulement))? en (?:français|anglais"
                r"|allemand|espagnol)\b|\barrête d(?:e |')\w+|\bsans (?:me|m'|nous) (?:demander|prévenir|consulter)\b"
                r"|\bdemande-moi (?:toujours|avant)\b|\bappelle-moi\b|\btutoie-moi\b",
                r"^(?:pas|plus) (?:de |d')[\w-]+(?: [\w-]+)? (?:dans|en|à|pour) (?:tes|mes|nos|les (?:commits"
                r"|messages|tests|réponses|commentaires)|ton)\b",
            ),
            personal=True,
        ),
        Signal(
            "a decision",
            "decision",
            1,
            rx(
                r"\b(?:on|nous) (?:a|avons|s'est|nous sommes) (?:finalement |enfin |tous )?(?:décidé|choisi|opté"
                r"|tranché|convenu|retenu|mis d'accord)\b|^(?:décision|décidé)\s*[:–-]|\b(?:exprès|volontairement"
                r"|délibérément|à dessein)\b"
            ),
        ),
        Signal(
            "a lasting fact",
            "fact",
            1,
            rx(
                r"\b(?:staging|préprod|la prod(?:uction)?|la ci|notre ci|(?:le|notre) (?:serveur|cluster|base)"
                r"|la base|les clients|nos clients|les runners|l'environnement de (?:test"
                r"|recette))\b[^.]{0,25}\b(?:tourne|tournent|est|sont|écoute|utilise|utilisent|n'a"
                r"|ont)\b.*(?:\bport\b|\b\d{2,5}\b|lecture seule|\bpas d'(?:internet|accès)\b|\b(?:node|python|java"
                r"|php|debian|ubuntu|postgres)\s?\d)",
                r"\bappartient à l'équipe\b|\bécrasée? (?:chaque|toutes les) nuits?\b",
            ),
        ),
        Signal(
            "a lesson",
            "postmortem",
            1,
            rx(
                r"\b(?:leçon|retenir)\b.*:|\bla prochaine fois,? (?!je|il|elle|on verra)\w+|\bon s'est fait avoir\b"
                r"|\bnous a déjà coûté\b"
            ),
        ),
        Signal(
            "one thing rather than another",
            "preference",
            1,
            rx(
                r"^utilise (?!le |la |les |l'|ce |cette )[\w.-]+,? (?:pas|et pas|au lieu de|plutôt que) (?!le |la "
                r"|les )[\w.-]+[.!]?$|\b(?:c'est|on est sur) (?:du |de la )?[\w.-]+ ici,? pas (?:du )?[\w.-]+"
            ),
        ),
        Signal("said with a norm", "preference", 0.5, rx(r"\b(?:doit|doivent|il faut|jamais|toujours|faut)\b")),
        Signal(
            "said in a place that lasts",
            "preference",
            0.5,
            rx(r"\b(?:dans ce (?:projet|dépôt|repo)|chez nous|partout|d'habitude|normalement|par défaut)\b"),
        ),
    ),
    mutes=(
        Mute(
            "for now only",
            rx(
                r"\b(?:pour l'instant|pour le moment|aujourd'hui|demain|cette fois|temporairement|provisoirement"
                r"|jusqu'à|en attendant|pour une fois|(?:dans|sur|pour) (?:ce|cette) (?:fichier|branche|pr|commit"
                r"|session|test|fonction|ticket|fois)|juste (?:ici|cette|pour)|pas encore|tant que|exceptionnellement"
                r"|la semaine prochaine|sur cette)\b"
            ),
        ),
        Mute(
            "not decided",
            rx(
                r"\b(?:peut-être|probablement|on devrait|je pense|je crois|je me demande|à voir|pas sûr|faudrait"
                r"|pourrait|pourrions|ce serait|éventuellement|un jour|j'hésite|propose)\b"
            ),
        ),
        Mute(
            "the past",
            rx(
                r"\b(?:avant,? on|autrefois|à l'époque|faisait|faisions|était toujours|avait|hier|on utilisait"
                r"|la semaine dernière)\b"
            ),
        ),
        Mute(
            "how the product should behave",
            rx(
                r"\b(?:l'utilisateur|les utilisateurs|le visiteur|le bouton|la page|la liste|le menu|la fenêtre"
                r"|le formulaire|le panier|le client)\b.*\b(?:doit|doivent|toujours|jamais|puisse|peut)\b"
                r"|\b(?:affiché|visible|masqué|cliquable)e?s?\b"
            ),
        ),
        Mute(
            "a bug report",
            rx(
                r"\b(?:échoue|plante|ne (?:marche|fonctionne|charge|disparaît|se ferme) (?:pas|jamais|plus)|cassée?"
                r"|erreur|bug|bloquée?)\b"
            ),
        ),
        Mute(
            "a thing to do now",
            rx(r"^(?:n'oublie pas|pense) (?:de|d'|à)\b|\b(?:à la fin|quand tu as fini|ensuite|après ça)\b"),
        ),
        Mute(
            "said by somebody else",
            rx(
                r"\b(?:il|elle|le chef|mon chef|la doc|le commentaire|le linter|le relecteur|ils) (?:dit|disent|veut"
                r"|écrit|prétend|demande|recommande)\b|\bselon\b|\bd'après\b"
            ),
        ),
        Mute("not meant", rx(r"^(?:bravo|génial|ah super|super|magnifique|c'est malin|bien sûr)\b.{0,15}(?:encore|,)")),
        Mute(
            "a remark",
            rx(
                r"\bj(?:e |')(?:oublie|confonds|me trompe) (?:toujours|tout le temps)\b|\btu te souviens\b"
                r"|\bje ne sais (?:plus|jamais)\b"
            ),
        ),
        Mute("a secret", rx(r"\b(?:mot de passe|clé|jeton|token) (?:est|:|c'est)\s*\S+"), hard=True),
    ),
    question=rx(
        r"\?\s*$",
        r"^(?:pourquoi|comment|quoi|où|quand|qui|quel(?:le)?s?|est-ce|peux-tu|tu peux|pourrais|faut-il|a-t-on"
        r"|qu'est-ce|c'est quoi)\b",
    ),
    task=rx(
        r"^(?:(?:et|puis|alors|maintenant|stp|peux-tu|tu peux) )*(?:corrige|répare|renomme|supprime|enlève"
        r"|ajoute (?!toujours)|change|modifie|déplace|crée|montre|regarde|vérifie|lance (?:le|la|les"
        r"|ça)(?! .*toujours)|traduis|refais|annule|mets (?:à jour|le|la|les)|fais (?:le|la|ça)|reprends|continue"
        r"|découpe)\b"
    ),
    joint=rx(
        r"\s*[,;]\s+(?:et |mais |puis )?(?=(?:corrige|répare|renomme|supprime|ajoute|change|modifie|et|mais|désormais"
        r"|toujours|jamais|retiens|note|montre|fais|à l'avenir|sans|pas))",
        r"\s+[-–—]+\s+",
    ),
    pointing=rx(
        r"^(?:ça|c'est|cela|ceci|ce)\b(?!.*\b(?:projet|dépôt|repo|convention)\b)[^,]{0,40}$|^(?:fais|garde|continue"
        r"|reste)\w*(?:-| )(?:ça|le|comme ça|toujours comme ça|ainsi)\b[^,]{0,30}$|^(?:désormais|toujours) comme ça\b"
    ),
    takeback=rx(
        r"^(?:(?:ah|non|euh|hm+|attends|ok)[,.! ]+)*(?:oublie (?:ça|ce que j'ai dit)|laisse tomber|non,? attends"
        r"|annule ça|je retire|finalement non|c'était une blague|peu importe[,.!]?$)"
    ),
    repeats=rx(r"\bcomme (?:je l'ai |déjà )?dit\b|\bencore une fois\b|\bje l'ai déjà dit\b"),
    turn=rx(r"\b(?:changement de plan|finalement|plutôt|ne .* plus|à la place|correction|en fait)\b"),
    accepts=rx(
        r"^(?:(?:oui|ouais|volontiers|bien sûr|ok|d'accord|parfait|s'il te plaît|stp|bonne idée|vas-y|exactement"
        r"|toujours|absolument)[\s,.!]*)+"
    ),
    offers=rx(r"^(?:dois-je|veux-tu que je|tu veux que je|souhaites-tu que je|je peux|je pourrais|puis-je) "),
    ours=rx(r"\b(?:on|nous|notre|nos|ici|projet|dépôt|équipe)\b"),
    habit=rx(
        r"\b(?:toujours|désormais|à l'avenir|chaque fois|à chaque|systématiquement|jamais|par défaut|dorénavant"
        r"|avant chaque|après chaque)\b"
    ),
    stop=words(
        """
        le la les l un une des du de d et ou est sont pas ne n on nous je tu il elle ce cette ces dans pour avec
        sur qui que mon ma mes ton ta tes notre nos toujours jamais désormais plus en au aux par mais ici moi
        toi faire fait utilise avant à partir maintenant
        """
    ),
)
