"""Hints that an English sentence outlasts its session: two of them on words of their own are enough."""

from .english_words import AROUND, KIND, LASTING, ONE, POLICY, STAND, WE
from .language import Signal, rx

HALVES: tuple[Signal, ...] = (
    # in this repo, everywhere
    Signal(
        "said in a place that lasts",
        "preference",
        0.5,
        rx(
            r"\b(?:in|on) (?:this|our|the whole|the entire) "
            + LASTING
            + r"\b|\b(?:everywhere|anywhere|all over the \w+|across the "
            + LASTING
            + r")\b"
        ),
        rule=True,
    ),
    # must, has to, never, always
    Signal(
        "said with a norm",
        "preference",
        0.5,
        rx(
            r"\b(?:must|has to|have to|may only|mustn'?t|needs to|never|always|only ever|should)\b(?! (?:look|be able))"
        ),
    ),
    # by default, normally, whenever
    Signal(
        "said as usual",
        "preference",
        0.5,
        rx(
            r"\b(?:by default|normally|generally|in general|usually|whenever|every ?time|each time|that stays"
            r"|for everything|most of the time)\b"
        ),
    ),
    # fyi, heads up, keep in mind: often only for the task at hand
    Signal(
        "said as an aside",
        "fact",
        0.5,
        rx(
            r"^(?:fyi|for your information|heads up|just so you know|so you know|keep in mind|bear in mind|note|mind"
            r"|beware|careful|watch out|gotcha)\b",
            r"\b(?:so you stop guessing|for the record|for reference|in case you wonder)\b",
        ),
    ),
    # ... here; with us; something of ours
    Signal(
        "how it is here",
        "preference",
        0.5,
        rx(
            r"^[^,]*\bhere(?=[.,!;]|$)|\b(?:with|for) us\b",
            r"^(?!use |add |fix |put |move |make |take |check |please |let|can |open |update |change |the |this "
            r"|it )[^,]*\bour (?!next|case|problem|bug|fix|branch|change|last)\w",
        ),
        rule=True,
    ),
    # every night, on Mondays
    Signal(
        "a routine",
        "fact",
        0.5,
        rx(
            r"\b(?:every|each) (?:night|day|morning|evening|week|month|quarter|year|\w+day|january|february|march"
            r"|april|may|june|july|august|september|october|november|december)\b",
            r"\bon (?:mon|tues|wednes|thurs|fri|satur|sun)days\b|\b(?:nightly|weekly|monthly|daily)\b|\b(?:once"
            r"|twice) a (?:day|week|month|year)\b",
        ),
    ),
    # every endpoint needs ..., all new files go ...; not rows and buttons, which are the product's
    Signal(
        "said of every one",
        "preference",
        0.5,
        rx(
            r"\b(?:every|each) (?!time|day|night|row|button|page|card|icon|user|item|cell|field|column|element|image"
            r"|link|slide|tab|entry|screen|line|player|level)[\w-]+(?= (?:[\w-]+ ){0,2}(?:needs?|gets?|has|must"
            r"|should|requires?|starts?|ends?|lives?|goes|belongs|is)\b)",
            r"^all (?!the|of|this|that|good|done|tests)[\w-]+(?= (?:[\w-]+ ){0,2}(?:in|go|are|get|must|need|have|live"
            r"|use|start|end)\b)",
        ),
        rule=True,
    ),
    # wherever it is installed; so every ...
    Signal("wherever", "preference", 0.5, rx(r"\bwherever\b|\b(?:and|so) (?:every|all|no|each) \w+"), rule=True),
    # we don't ..., ... is meant to be committed
    Signal(
        "not done here",
        "preference",
        0.5,
        rx(
            WE + r" (?:don'?t|do not|never) (?!know|need|have|see|get|want|care|think|check|handle|catch|close|call"
            r"|set|return|free|release|await|escape|reset|update|validate|cover)\w+|\bmeant to (?:be|stay"
            r"|remain)\b"
        ),
        rule=True,
    ),
    # named exports only
    Signal(
        "only so",
        "preference",
        0.5,
        rx(
            r"(?:: )[\w -]{3,25} only[.!]?$|\b(?:is|are) [\w-]+[ -]only\b",
            r"^(?!"
            + ONE
            + r"|i |we |you )(?:[\w-]+ ){1,3}only\b(?=[.,:;]|$| here)|^only (?!the |this |that |it )[a-z]+ ",
        ),
        rule=True,
    ),
    # ... needs a limit
    Signal(
        "it needs",
        "fact",
        0.5,
        rx(r"\bneeds? (?:an?|two|three|one|its|their) (?!new|other|different|bit|few|lot|second|fix)\w+"),
    ),
    # ... is gone, ... no longer exists
    Signal("it is gone", "event", 0.5, rx(r"\b(?:is|are) gone\b|\bno longer exists?\b|\bexists? (?:any ?more|now)\b")),
    # I like ..., I don't want ...: of a kind of things
    Signal(
        "a liking",
        "preference",
        0.5,
        rx(
            r"\bi(?: really| just)? (?:like|love|appreciate|don'?t like|don'?t want|can'?t read) (?!"
            + ONE
            + r"|to see )\w",
            r"\bhow i (?:like|want) (?:it|them|things)\b|\bplease no\b|\bmore readable\b",
        ),
        personal=True,
    ),
    # staging has ..., the CI runs ..., vendor/ is ...
    Signal(
        "a machine or a place",
        "fact",
        0.5,
        rx(
            r"^[\w.-]+/ (?:is|are|contains|holds|has|comes) ",
            r"\b" + AROUND + r" (?:sends?|writes?|talks?|shares?|keeps?|expects?|is shared)\b",
            r"\b"
            + AROUND
            + r"(?: \w+){0,2} (?:is|are|listens?|runs?|lives?|has|have|still uses?|uses?|goes|go) (?!about|going"
            r"|not|just)\w",
        ),
        rule=True,
    ),
    # we use ..., we test ...
    Signal(
        "the way we do it",
        "preference",
        0.5,
        rx(WE + r" (?:\w+ly )?" + POLICY + r"\b(?! (?:that|this|it|them|these|those|the)\b)"),
        rule=True,
    ),
    # our tests run ...
    Signal(
        "how it is with us",
        "preference",
        0.5,
        rx(
            r"^(?:our|all our|all of our) [\w-]+(?: [\w-]+)? (?:are|is|use|uses|run|live|go|have|has|come|need|needs"
            r"|follow|belong|expects?)\b"
        ),
        rule=True,
    ),
    # errors go into ..., request types end in ...
    Signal(
        "how a kind of things is arranged",
        "preference",
        0.5,
        rx(
            KIND + STAND + r"(?! (?:missing|not|broken|wrong|too|cut|still|now|there|all|just|also|off|gone|already)\b)"
        ),
        rule=True,
    ),
    # in tests, ...; for commit messages: ...
    Signal(
        "a place that lasts first",
        "preference",
        0.5,
        rx(
            r"^in (?:the|our) [\w-]+ (?:module|folder|package|layer|app|crate|directory|repo|service|backend"
            r"|frontend) we\b",
            r"^(?:in|for|with|inside|under) (?:(?:unit|integration|e2e|all|any|our|the e2e|go|python|rust|java"
            r"|typescript|sql|shell|react|new) )?(?:tests?|names|variable names|file names|branch names|migrations"
            r"|commits|commit messages|branches|docs|documentation|scripts|queries|handlers|components|modules|code"
            r"|fixtures|config(?:s| files)?|prs|pull requests|reviews|examples|error messages|log(?:s| messages)"
            r"|comments|endpoints|shell scripts|specs|stories|templates|styles|services|files"
            r"|\w+ files),?:? (?!(?:the|this|that)\b)",
        ),
        rule=True,
    ),
    # use ..., avoid ..., no ...: of a kind of things
    Signal(
        "a standing order",
        "preference",
        0.5,
        rx(
            r"(?:^|[,:;] )(?:please )?(?:use|prefer|avoid|keep (?!in mind)|don'?t (?:use|mock|write|put|add|merge"
            r"|push|deploy|release|rebase|commit|import|sleep|share|hard-?code|nest|mix|abbreviate)|no (?!idea|need"
            r"|problem|worries|changes?)|stick to|favou?r|name|mock|wrap|pin|treat)\b(?! (?:the|this|that|it)\b)"
        ),
    ),
    # ..., so never ...; ..., CI checks that; legal requires
    Signal(
        "with its reason",
        "preference",
        0.5,
        rx(
            r", (?:ci|the (?:linter|build|hook|pipeline)|reviewers?|legal|ops) (?:checks?|enforces?|rejects?"
            r"|requires?|insists?)\b",
            r", so (?:use|clean|keep|be|only|make sure|always) ",
            r"\bon purpose\b|, reviewers insist\b|\b(?:legal|compliance|security|the team|ops|reviewers?) (?:insists?"
            r"|requires?|demands?|signed off)\b",
            r"\b(?:because|since) (?:we|our|the team|customers)\b",
            r", so (?:no|nothing|never|don'?t|please|we can'?t|we have to|you can'?t|that can'?t|it has to)\b",
        ),
    ),
)
