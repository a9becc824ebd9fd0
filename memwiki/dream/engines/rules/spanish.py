"""Spanish, for the offline engine: see `language.py` for what each field is."""

from .language import Language, Mute, Signal, rx, words

SPANISH = Language(
    code="es",
    words=words(
        """
        prefiero odio producción nadie cada todas todos mensajes respuestas pruebas todavía usa nunca hagas
        el la los las un una unos de del y es son en con por para que se lo le su mi tu nos nosotros yo este
        esta esto ese siempre nunca pero como más muy al hay está ser usamos antes ahora aquí cuando donde
        porque qué los sin ya también si quiero puedes tenemos
        """
    ),
    opening=rx(
        r"^(?:(?:ok|vale|sí|si|no|bueno|bien|ah|eh|hm+|perfecto|gracias|por cierto|oye|mira|espera|y|pero|por favor"
        r"|además|como dije|exacto|mal)(?:\s*[,.:;!¡–—-]+\s*|(?<=y)\s+|(?<=pero)\s+|(?<=por favor)\s+))+|^¡",
        r"^(?:puedes|podrías) (?=siempre|no .* nunca)",
    ),
    asks=rx(
        r"^(?:por favor,? )?(?:recuerda|acuérdate(?: de)?|memoriza|anota|apunta|ten en cuenta|no olvides"
        r"|nunca olvides|para (?:el futuro|que conste)|regla|convención)(?: (?:esto|bien|para (?:siempre|el futuro"
        r"|luego)))*\s*(?:[:,–—-]\s*(?:que\s+)?|\bque\s+)",
        r"^(?:pon|apunta|añade|agrega|escribe|guarda|anota)(?:lo)?(?: esto)? en (?:el |la |tu |tus )?(?:claude\.md"
        r"|agents\.md|memoria|notas|reglas)\s*(?:[:,–—-]\s*|\bque\s+)",
    ),
    asked=rx(
        r"\b(?:recuérdalo|anótalo|apúntalo|memorízalo|ponlo en (?:claude\.md|agents\.md|tu memoria|tus notas))[.!]*$"
    ),
    header=rx(r"\b(?:reglas|convenciones|preferencias|a partir de ahora|de ahora en adelante)\b[^.?]{0,60}:\s*$"),
    signals=(
        Signal(
            "said for the future",
            "preference",
            1,
            rx(
                r"\b(?:a partir de (?:ahora|hoy|aquí)|de ahora en adelante|desde ahora|en adelante|en el futuro"
                r"|de aquí en adelante|por norma|como regla(?: general)?|por regla general|por convención"
                r"|de una vez por todas|sin excepci(?:ón|ones)|cada vez que (?:hagas|escribas|crees|toques|cambies"
                r"|vayas))\b"
            ),
        ),
        Signal(
            "said for every time",
            "preference",
            1,
            rx(
                r"^(?:siempre|nunca|jamás) (?:me )?(?!he |ha |había|fue|funciona)\w+|^(?:no )?\w+(?:me|lo"
                r"|la)? (?:siempre|nunca|jamás)\b(?! (?:funciona|falla|aparece))|,\s*(?:siempre|nunca|jamás)[.!]*$"
                r"|\bnunca más\b|\bno \w+ nunca\b|^(?:y |pero )?(?:siempre|nunca)\b.*\bantes de\b"
            ),
        ),
        Signal(
            "the way the team works",
            "preference",
            1,
            rx(
                r"^(?:los|las|el|la) .{3,40} siempre (?:en|con|por|a|de|van|lleva)\b",
                r"\b(?:en este (?:proyecto|repo|repositorio|servicio)|aquí|en el equipo|en esta casa),? (?:no |nunca "
                r"|siempre |sólo |solo |se )*(?:usamos|usa|usan|escribimos|escribe|hacemos|hace|nombramos|desplegamos"
                r"|mergeamos|probamos|guardamos|todo|todos|las|los)\b",
                r"\b(?:no |nunca |siempre |sólo |solo )(?:usamos|escribimos|hacemos|nombramos|desplegamos|mergeamos"
                r"|commiteamos|guardamos|mockeamos)\b(?! (?:eso|esto|esa|ese))|\b(?:usamos|escribimos|hacemos"
                r"|desplegamos|guardamos) .*(?:, no |\ben (?:lugar|vez) de\b|\by no \w+|\ba mano\b"
                r"|\ben todas partes\b|\ben este (?:proyecto|repo)\b)",
                r"\b(?:nuestra|es nuestra|la) (?:convención|regla|norma)(?: (?:es|aquí)|[.!]?$)|\b(?:está"
                r"|están) (?:prohibid|vetad)[oa]s?\b",
            ),
        ),
        Signal(
            "a preference",
            "preference",
            1,
            rx(
                r"\b(?:prefiero|odio|detesto|no soporto|no me gustan?|me gustan) (?!eso\b|esto\b|esa\b|ese\b|este\b"
                r"|esta\b|la (?:primera|segunda|otra|versión)|el (?:primero|segundo|otro)|cómo|lo\b)"
                r"|\bno quiero (?:ver )?(?:ningún |ninguna |más |nunca )",
                r"^(?:responde|contesta|escribe|háblame|explica)(?:me)?(?: (?:siempre|sólo|solo))? en (?:español"
                r"|inglés|francés|alemán|portugués|castellano)\b|\bdeja de \w+(?:ando|iendo|ar|er|ir)"
                r"|\bsin (?:preguntarme|preguntar|consultarme|avisarme)\b|\bpregúntame (?:siempre|antes)\b"
                r"|\bllámame\b|\btutéame\b",
                r"^(?:nada de|sin|no más) [\w-]+(?: [\w-]+)? en (?:tus|mis|los (?:commits|mensajes|tests|comentarios)"
                r"|las respuestas)\b",
            ),
            personal=True,
        ),
        Signal(
            "a decision",
            "decision",
            1,
            rx(
                r"\b(?:hemos decidido|decidimos|acordamos|hemos acordado|nos decidimos por|optamos por|hemos elegido"
                r"|elegimos|al final elegimos|nos quedamos con)\b|^(?:decisión|decidido)\s*[:–-]|\b(?:a propósito"
                r"|adrede|a posta|deliberadamente|intencionad(?:o|a|amente))\b"
            ),
        ),
        Signal(
            "a lasting fact",
            "fact",
            1,
            rx(
                r"\b(?:staging|preprod|producción|la ci|nuestra ci|el servidor|el cluster|la base(?: de datos)?"
                r"|los clientes|nuestros clientes|los runners|el entorno de pruebas)\b[^.]{0,25}\b(?:corre|corren|es"
                r"|está|están|escucha|usa|usan|no tiene|tiene)\b.*(?:\bpuerto\b|\b\d{2,5}\b|sólo lectura|solo lectura"
                r"|\b(?:node|python|java|php|debian|ubuntu|postgres)\s?\d)|\bsin (?:internet"
                r"|acceso a internet)\b.*\bservidor\b",
                r"\bpertenece al equipo\b|\bse (?:sobrescribe|borra|reinicia) cada noche\b",
            ),
        ),
        Signal(
            "a lesson",
            "postmortem",
            1,
            rx(
                r"\b(?:lección|moraleja)\b.*:|\bla próxima vez,? (?!me|lo veo|veremos)\w+|\bnos ha costado\b"
                r"|\bya nos pasó\b"
            ),
        ),
        Signal(
            "one thing rather than another",
            "preference",
            1,
            rx(
                r"^usa (?!el |la |los |las |ese |esta )[\w.-]+,? (?:no|y no|en (?:lugar|vez) de) (?!el |la |los "
                r"|las )[\w.-]+[.!]?$"
            ),
        ),
        Signal(
            "said with a norm",
            "preference",
            0.5,
            rx(r"\b(?:debe|deben|hay que|tiene que|tienen que|nunca|siempre|jamás)\b"),
        ),
        Signal(
            "said in a place that lasts",
            "preference",
            0.5,
            rx(r"\b(?:en este (?:proyecto|repo|repositorio)|en todas partes|normalmente|por defecto|en general)\b"),
        ),
    ),
    mutes=(
        Mute(
            "for now only",
            rx(
                r"\b(?:por ahora|de momento|por el momento|hoy|mañana|esta vez|temporalmente|provisionalmente"
                r"|hasta (?:que|el|mañana)|mientras|(?:en|para|sobre) (?:este|esta) (?:archivo|fichero|rama|pr|commit"
                r"|sesión|test|función|ticket|vez)|s[óo]lo (?:en|por|esta|aquí)|todavía no|aún no"
                r"|la semana que viene)\b"
            ),
        ),
        Mute(
            "not decided",
            rx(
                r"\b(?:quizá|quizás|tal vez|a lo mejor|probablemente|deberíamos|creo que|pienso que|no sé"
                r"|no estoy seguro|podríamos|sería|habría que|ya veremos|me pregunto|algún día|propone)\b"
            ),
        ),
        Mute(
            "the past",
            rx(
                r"\b(?:antes (?:usábamos|hacíamos)|solíamos|en aquella época|usábamos|hacíamos|era siempre|ayer"
                r"|la semana pasada)\b"
            ),
        ),
        Mute(
            "how the product should behave",
            rx(
                r"\b(?:el usuario|los usuarios|el visitante|el botón|la página|la lista|el menú|la ventana"
                r"|el formulario|el carrito|el cliente)\b.*\b(?:debe|deben|siempre|nunca|pueda|puede)\b|\b(?:visible"
                r"|oculto|oculta|mostrado)s?\b"
            ),
        ),
        Mute(
            "a bug report",
            rx(
                r"\b(?:falla|fallan|no (?:funciona|carga|se cierra|aparece)|nunca se (?:cierra|abre|carga)|roto|rota"
                r"|error|se cuelga|bloquead[oa])\b"
            ),
        ),
        Mute(
            "a thing to do now",
            rx(
                r"^(?:no (?:te )?olvides|acuérdate|recuerda)(?: de)? \w+(?:ar|er|ir)\b|\b(?:al final[.!]?$|cuando"
                r" termines"
                r"|después)\b(?! de cada)"
            ),
        ),
        Mute(
            "said by somebody else",
            rx(
                r"\b(?:él|ella|el jefe|mi jefe|la doc|el comentario|el linter|el revisor|ellos) (?:dice|dicen|quiere"
                r"|escribe|pide|recomienda)\b|\bsegún\b"
            ),
        ),
        Mute("not meant", rx(r"^(?:genial|qué bien|bravo|claro|fantástico|maravilloso)\b.{0,15}(?:otra vez|,)")),
        Mute(
            "a remark",
            rx(r"\bsiempre (?:me olvido|se me olvida|confundo|me equivoco)\b|\bte acuerdas\b|\bno me acuerdo\b"),
        ),
        Mute("a secret", rx(r"\b(?:contraseña|clave|token) (?:es|:)\s*\S+"), hard=True),
    ),
    question=rx(
        r"\?\s*$|^¿",
        r"^(?:por qué|cómo|qué|dónde|cuándo|quién|cuál(?:es)?|puedes|podrías|deberíamos|hay alguna|tenemos alguna)\b",
    ),
    task=rx(
        r"^(?:(?:y|luego|ahora|por favor|entonces|puedes) )*(?:arregla|corrige|renombra|borra|elimina|quita|añade"
        r"|agrega|cambia|modifica|mueve|crea|muestra|muéstrame|mira|revisa|comprueba|ejecuta|traduce|rehaz|deshaz"
        r"|actualiza|haz(?:lo)?|sigue|continúa|divide|deja)\b"
    ),
    joint=rx(
        r"\s*[,;]\s+(?:y |pero |luego )?(?=(?:arregla|corrige|renombra|borra|añade|cambia|y|pero|a partir|siempre"
        r"|nunca|recuérda|anót|haz|muestra|quita|mueve))",
        r"\s+[-–—]+\s+",
        r"\s+y (?=a partir de ahora|siempre |nunca )",
    ),
    pointing=rx(
        r"^(?:eso|esto|así|lo mismo)\b(?!.*\b(?:proyecto|repo|convención)\b)[^,]{0,40}$|^(?:hazlo|mantenlo|sigue"
        r"|déjalo) (?:así|siempre así)\b[^,]{0,30}$|^(?:a partir de ahora|siempre) así\b"
    ),
    takeback=rx(
        r"^(?:(?:ah|no|eh|hm+|espera|ok|vale)[,.! ]+)*(?:olvídalo|olvida (?:eso|lo que dije)|no,? espera"
        r"|déjalo[,.!]?$|lo retiro|mejor no\b|era broma|da igual[,.!]?$)"
    ),
    repeats=rx(r"\bcomo (?:ya )?dije\b|\b(?:otra vez|de nuevo|lo repito)\b"),
    turn=rx(r"\b(?:cambio de planes?|al final|mejor dicho|ya no|en su lugar|corrección|en realidad)\b"),
    accepts=rx(
        r"^(?:(?:sí|si|claro|vale|ok|por favor|perfecto|buena idea|adelante|exacto|siempre|hazlo"
        r"|por supuesto)[\s,.!]*)+"
    ),
    offers=rx(r"^¿?(?:quieres que|debo|debería|puedo|podría|te parece si) "),
    ours=rx(r"\b(?:usamos|nuestr[oa]s?|aquí|proyecto|repo|equipo|\w+amos)\b"),
    habit=rx(
        r"\b(?:siempre|a partir de ahora|de ahora en adelante|cada vez|en el futuro|por defecto|nunca|cada|todos los"
        r"|antes de cada|después de cada)\b"
    ),
    stop=words(
        """
        el la los las un una de del y o es son en con por para que se lo le su mi tu nos yo este esta esto
        siempre nunca jamás pero como más al ahora aquí a partir adelante antes usa usamos proyecto todo todos
        hay
        """
    ),
)
