"""Portuguese, for the offline engine: see `language.py` for what each field is."""

from .language import Language, Mute, Signal, rx, words

PORTUGUESE = Language(
    code="pt",
    words=words(
        """
        prefiro odeio produção ninguém cada todas todos mensagens respostas testes ainda usa roda nunca faça
        o a os as um uma de do da dos das e é são não em no na nos nas com por para que se eu você vocês nós a
        gente este esta isso esse sempre nunca mas como mais muito ao está ser usamos antes agora aqui quando
        onde porque sem já também me meu minha nosso nossa pra pro lembre fazer pode tem
        """
    ),
    opening=rx(
        r"^(?:(?:ok|certo|sim|não|bom|bem|ah|eh|hm+|perfeito|obrigad[oa]|valeu|aliás|olha|espera|e|mas|por favor"
        r"|também|como eu disse|exato|errado)(?:\s*[,.:;!–—-]+\s*|(?<=\be)\s+|(?<=mas)\s+|(?<=por favor)\s+))+",
        r"^(?:você )?(?:pode|poderia) (?=sempre)",
    ),
    asks=rx(
        r"^(?:por favor,? )?(?:lembre-se|lembra|lembre|memorize|memoriza|anote|anota|guarde|guarda"
        r"|nunca (?:se )?esqueça|não (?:se )?esqueça|para (?:o futuro|constar)|regra|convenção)(?: (?:disso|isso|bem"
        r"|para (?:sempre|o futuro|depois)))*\s*(?:[:,–—-]\s*(?:que\s+)?|\b(?:de )?que\s+)",
        r"^(?:coloque|coloca|põe|adicione|adiciona|escreva|anote|anota)(?: isso)? (?:no|na|nas|em) (?:sua "
        r"|suas )?(?:claude\.md|agents\.md|memória|notas|regras)\s*(?:[:,–—-]\s*|\bque\s+)",
    ),
    asked=rx(
        r"\b(?:lembre(?:-se)? disso|anote isso|anota isso|guarde isso|(?:coloque|põe) isso (?:no|na) (?:claude\.md"
        r"|agents\.md|memória))[.!]*$"
    ),
    header=rx(r"\b(?:regras|convenções|preferências|a partir de agora|daqui para? (?:a )?frente)\b[^.?]{0,60}:\s*$"),
    signals=(
        Signal(
            "said for the future",
            "preference",
            1,
            rx(
                r"\b(?:a partir de (?:agora|hoje)|de agora em diante|daqui (?:para|pra) (?:a )?frente|daqui em diante"
                r"|no futuro|doravante|via de regra|por via de regra|como regra(?: geral)?|por convenção"
                r"|de uma vez por todas|sem exceç(?:ão|ões)|toda vez que você|sempre que você|cada vez que você)\b"
            ),
        ),
        Signal(
            "said for every time",
            "preference",
            1,
            rx(
                r"^(?:sempre|nunca|jamais) (?:me )?(?!foi |funcionou|funciona|vi )\w+"
                r"|^\w+(?:-me)? sempre\b(?! (?:funciona|falha|aparece))|^não \w+ (?:nunca|jamais)\b|,\s*(?:sempre"
                r"|nunca|jamais)[.!]*$|\bnunca mais\b"
            ),
        ),
        Signal(
            "the way the team works",
            "preference",
            1,
            rx(
                r"^(?:os |as |o |a )?[\w ]{3,40} sempre (?:em|com|por|de|vão|leva)\b",
                r"\b(?:neste (?:projeto|repo|repositório|serviço)|nesse (?:projeto|repo)|aqui|no time"
                r"|na equipe),? (?:a gente |nós |não |nunca |sempre |só |se )*(?:usamos|usa|escrevemos|escreve"
                r"|fazemos|faz|nomeamos|publicamos|mergeamos|testamos|guardamos|tudo|todos|todas)\b",
                r"^aqui (?:o |a |os |as )?[\w-]+(?: [\w-]+)? (?:é|são|fica|ficam|vai|vão) .+",
                r"\b(?:não |nunca |sempre |só )(?:usamos|escrevemos|fazemos|nomeamos|commitamos|guardamos"
                r"|mockamos)\b(?! (?:isso|esse|essa))|\b(?:usamos|escrevemos|fazemos|guardamos) .*(?:, não "
                r"|\bem vez de\b|\bao invés de\b|\be não \w+|\bà mão\b|\bem todo lugar\b|\bneste (?:projeto|repo)\b)",
                r"\b(?:nossa|é a nossa|a) (?:convenção|regra|norma)(?: (?:é|aqui)|[.!]?$)|\b(?:é|são|está"
                r"|estão) (?:proibid|banid)[oa]s?\b",
            ),
        ),
        Signal(
            "a preference",
            "preference",
            1,
            rx(
                r"\b(?:prefiro|odeio|detesto|não suporto|não gosto de|gosto de) (?!isso\b|esse\b|essa\b|este\b|esta\b"
                r"|a (?:primeira|segunda|outra|versão)|o (?:primeiro|segundo|outro)|como)"
                r"|\bnão quero (?:ver )?(?:nenhum |nenhuma |mais |nunca )",
                r"^(?:responda|responde|escreva|escreve|fale|explique)(?:-me)?(?: (?:sempre|só))? em (?:português"
                r"|inglês|espanhol|francês|alemão)\b|\bpar[ae] de \w+(?:ar|er|ir)\b|\bsem (?:me )?(?:perguntar"
                r"|consultar|avisar)\b|\bme (?:pergunte|pergunta|consulte) (?:sempre|antes)\b|\bme chame de\b",
                r"^(?:nada de|sem) [\w-]+(?: [\w-]+)? (?:nos|nas|em) (?:seus|suas|meus|minhas|commits|mensagens"
                r"|testes|comentários|respostas)\b",
            ),
            personal=True,
        ),
        Signal(
            "a decision",
            "decision",
            1,
            rx(
                r"\b(?:decidimos|resolvemos|combinamos|optamos por|escolhemos|fechamos com|a gente decidiu"
                r"|ficou decidido|vamos ficar com)\b|^(?:decisão|decidido)\s*[:–-]|\b(?:de propósito|propositalmente"
                r"|deliberadamente|intencional(?:mente)?)\b"
            ),
        ),
        Signal(
            "a lasting fact",
            "fact",
            1,
            rx(
                r"\b(?:staging|homologação|produção|(?:o|a|nosso|nossa) (?:ci|servidor|cluster|banco)|os clientes"
                r"|nossos clientes|os runners|o ambiente de testes)\b[^.]{0,25}\b(?:roda|rodam|é|está|estão|escuta"
                r"|usa|usam|não tem|tem|fica)\b.*(?:\bporta\b|\b\d{2,5}\b|somente leitura|só leitura|só de leitura"
                r"|\b(?:node|python|java|php|debian|ubuntu|postgres)\s?\d)",
                r"\bpertence ao time\b|\bé (?:sobrescrito|apagado|recriado) (?:toda|todas as) noites?\b",
            ),
        ),
        Signal(
            "a lesson",
            "postmortem",
            1,
            rx(r"\b(?:lição|moral da história)\b.*:|\bda próxima vez,? (?!eu|a gente vê)\w+|\bjá nos custou\b"),
        ),
        Signal(
            "one thing rather than another",
            "preference",
            1,
            rx(
                r"^us[ae] (?!o |a |os |as |esse |essa )[\w.-]+,? (?:não|e não|em vez de|ao invés de) (?!o |a |os "
                r"|as )[\w.-]+[.!]?$"
            ),
        ),
        Signal(
            "said with a norm",
            "preference",
            0.5,
            rx(r"\b(?:deve|devem|tem que|têm que|é preciso|nunca|sempre|jamais)\b"),
        ),
        Signal(
            "said in a place that lasts",
            "preference",
            0.5,
            rx(r"\b(?:neste (?:projeto|repo|repositório)|em todo lugar|normalmente|por padrão|em geral)\b"),
        ),
    ),
    mutes=(
        Mute(
            "for now only",
            rx(
                r"\b(?:por enquanto|por ora|no momento|hoje|amanhã|dessa vez|desta vez|temporariamente"
                r"|provisoriamente|até (?:que|o|a|amanhã|sexta|segunda)|enquanto|(?:n|d)?(?:este|esta|esse"
                r"|essa) (?:arquivo|branch|pr|commit|sessão|teste|função|ticket|vez)|só (?:n|aqui|hoje|agora)"
                r"|ainda não|semana que vem)\b"
            ),
        ),
        Mute(
            "not decided",
            rx(
                r"\b(?:talvez|provavelmente|deveríamos|a gente deveria|acho que|penso que|não sei|não tenho certeza"
                r"|poderíamos|seria|quem sabe|vamos ver|será que|algum dia|sugeriu)\b"
            ),
        ),
        Mute(
            "the past",
            rx(
                r"\b(?:antigamente|naquela época|usávamos|fazíamos|era sempre|costumávamos|ontem|semana passada"
                r"|a gente usava)\b"
            ),
        ),
        Mute(
            "how the product should behave",
            rx(
                r"\b(?:o usuário|os usuários|o visitante|o botão|a página|a lista|o menu|a janela|o formulário"
                r"|o carrinho|o cliente)\b.*\b(?:deve|devem|sempre|nunca|possa|pode)\b|\b(?:visível|oculto|oculta"
                r"|exibido)s?\b"
            ),
        ),
        Mute(
            "a bug report",
            rx(
                r"\b(?:falha|falham|não (?:funciona|carrega|fecha|aparece)|nunca (?:some|fecha|abre|carrega)"
                r"|quebrad[oa]|erro|trava|travad[oa])\b"
            ),
        ),
        Mute(
            "a thing to do now",
            rx(
                r"^(?:não (?:se )?esquece?|não (?:se )?esqueça|lembre(?:-se)?|lembra) de\b|\b(?:no final[.!]?$|no"
                r" fim[.!]?$"
                r"|quando terminar|depois disso)\b"
            ),
        ),
        Mute(
            "said by somebody else",
            rx(
                r"\b(?:ele|ela|o chefe|meu chefe|a doc|o comentário|o linter|o revisor|eles) (?:diz|dizem|quer"
                r"|escreveu|pede|recomenda)\b|\bsegundo\b"
            ),
        ),
        Mute("not meant", rx(r"^(?:ótimo|que ótimo|parabéns|claro|maravilha|genial)\b.{0,15}(?:de novo|,)")),
        Mute("a remark", rx(r"\b(?:eu )?sempre (?:esqueço|confundo|erro)\b|\bvocê lembra\b|\bnão lembro\b")),
        Mute("a secret", rx(r"\b(?:senha|chave|token) (?:é|:)\s*\S+"), hard=True),
    ),
    question=rx(
        r"\?\s*$",
        r"^(?:por que|como|o que|onde|quando|quem|qual|quais|você pode|poderia|será que|tem alguma|a gente tem)\b",
    ),
    task=rx(
        r"^(?:(?:e|depois|agora|por favor|então|pode) )*(?:arrum[ae]|corrij[ae]|corrige|consert[ae]|renomei[ae]"
        r"|apag[ae]|remov[ae]|tir[ae]|adicion[ae]|mud[ae]|alter[ae]|mov[ae]|cri[ae]|mostr[ae]|olh[ae]|verific[ae]"
        r"|rod[ae] (?:o|a|os)|traduz[ae]?|refaz|refaça|desfaz|atualiz[ae]|faz|faça|continu[ae]|divid[ae]|deix[ae])\b"
    ),
    joint=rx(
        r"\s*[,;]\s+(?:e |mas |depois )?(?=(?:arrum|corrig|corrij|renome|apag|adicion|mud|e|mas|a partir|sempre|nunca"
        r"|anot|lembr|faz|faça|mostr|tir|mov))",
        r"\s+[-–—]+\s+",
        r"\s+e (?=a partir de agora|sempre |nunca )",
    ),
    pointing=rx(
        r"^(?:isso|isto|assim|o mesmo)\b(?!.*\b(?:projeto|repo|convenção)\b)[^,]{0,40}$|^(?:faça|mantenha|continue"
        r"|deixa) (?:assim|isso|sempre assim)\b[^,]{0,30}$|^(?:a partir de agora|sempre) assim\b"
    ),
    takeback=rx(
        r"^(?:(?:ah|não|eh|hm+|espera|ok)[,.! ]+)*(?:esquece(?: isso)?\b|esqueça(?: isso)?\b|deixa (?:pra lá|para lá)"
        r"|não,? espera|retiro o que|melhor não\b|era brincadeira|tanto faz[,.!]?$)"
    ),
    repeats=rx(r"\bcomo (?:eu |já )?(?:disse|falei)\b|\b(?:de novo|outra vez|repito)\b"),
    turn=rx(
        r"\b(?:mudança de planos?|no fim das contas|melhor dizendo|não .* mais|em vez disso|correção|na verdade)\b"
    ),
    accepts=rx(
        r"^(?:(?:sim|claro|ok|por favor|perfeito|boa ideia|pode|pode ser|isso|exato|sempre|faça isso"
        r"|com certeza)[\s,.!]*)+"
    ),
    offers=rx(r"^(?:quer que eu|você quer que eu|devo|posso|eu posso|gostaria que eu) "),
    ours=rx(r"\b(?:usamos|noss[oa]s?|a gente|aqui|projeto|repo|time|\w+amos)\b"),
    habit=rx(
        r"\b(?:sempre|a partir de agora|de agora em diante|toda vez|cada vez|no futuro|por padrão|nunca|cada|todo"
        r"|toda|antes de cada|depois de cada)\b"
    ),
    stop=words(
        """
        o a os as um uma de do da dos das e ou é são não em no na nos nas com por para pra que se eu você nós
        este esta isso sempre nunca jamais mas como mais ao agora aqui partir antes usa use usamos projeto todo
        todos todas tem
        """
    ),
)
