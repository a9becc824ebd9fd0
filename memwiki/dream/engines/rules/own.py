"""Which sentences of a prompt are the person's own words, and which were pasted into it.

This is about form, not language: fences, quote marks, logs, stack traces, diffs, mail, chat, specifications.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

LONG = 2000  # characters; of a longer prompt only the first and the last paragraph are taken for the person's own

FENCE = re.compile(r"(```|~~~).*?(?:\1|\Z)", re.DOTALL)
QUOTE = re.compile(r"\s*(?:>|\|\s)")
HEADING = re.compile(r"\s*#{1,6}\s+\S|\s*\*\*[^*]+\*\*:?\s*$")
ITEM = re.compile(r"\s*(?:[-*•]|\d{1,2}[.)]|\[[ x]\])\s+")
DIFF = re.compile(r"diff --git |index [0-9a-f]{7}|@@ |\+\+\+ |--- [ab]/")

# A line that a program wrote: log, stack trace, compiler or package manager output, shell session, data, code.
MACHINE = re.compile(
    r"""^\s*(?:
      \[?\d{4}-\d\d-\d\d[T\ ] | \[?\d\d:\d\d:\d\d | [A-Z][a-z]{2}\ +\d+\ \d\d:\d\d
    | \[?(?:INFO|WARN|WARNING|ERROR|ERR|DEBUG|FATAL|TRACE|NOTICE|CRITICAL|PANIC|FAIL|FAILED|PASS|OK)\]?[\s:]
    | (?:npm|yarn|pnpm|pip|cargo)\ (?:ERR!|WARN|error|warn|notice)
    | (?i:error|warning|warn|fatal|panic|hint|remote|fail|failure|info|debug|deprecat\w+)(?:\[\w+\]|\ TS\d+)?:\s
    | at\ \S+\ ?\( | File\ ".*",\ line\ \d | Traceback\s | Caused\ by: | goroutine\ \d
    | [\w.]*(?:Error|Exception)\b.*:\s
    | \S+:\d+(?::\d+)?:\s | exit\ (?:status|code)\ \d | Process\ finished | \$\ \S | PS\ [A-Z]:\\
    | \w+@[\w-]+:.*[$\#]\s
    | [{}\[\]<] | (?:import|export|const|let|var|def|class|function|return|public|private|package|\#include)\ .*[;:{(=]
    | [✓✔✗✘✖√●○⏺⎿│├└┌╭╰═─▶❯➜»λ]\s?\S
    | (?:[\w.~/-]+\ )?(?:git:\(|\(\w[\w.-]*\)\ [$%❯➜]) | [$%❯➜]\ \S | \S+\ +\d+(?:\.\d+)?\ ?(?:[KMG]i?B|ms|s|%)(?:\s|$)
    | //\ | /\* | \*/ | SELECT\ | INSERT\ | CREATE\ TABLE
    )
    | \blevel=\w+ | [;{]\s*$ | =>\s*\{ | ^\s*[\w.]+\(.*\)\s*$""",
    re.VERBOSE,
)
MAIL = re.compile(r"(?:hi|hello|hey|dear|hallo|liebe[r]?|bonjour|hola|olá)\b[^,.!?\n]{0,30}[,!]?\s*$", re.IGNORECASE)
SPEAKER = re.compile(r"\s*(?:\[[^\]]+\]\s*)?@?[\w.-]{2,20}(?: [\w.-]{2,20})?(?: \([^)]*\)| \[[^\]]*\])?:\s+\S")
# Words that head a specification or a plan, in the languages the tables know; what is listed below is the product's.
PLAN = re.compile(
    r"\b(?:goals?|requirements?|acceptance|criteria|spec(?:ification)?|steps?|plan|out of scope|todos?|user stor(?:y"
    r"|ies)|tasks?|anforderungen|aufgaben?|exigences|tâches|requisitos|tareas|tarefas)\b|要件|仕様|需求|任务",
    re.IGNORECASE,
)

# Quoted words of three or more, and code in backticks: blanked before a sentence is judged.
LONGEST = 1_000  # characters of a sentence: no rule is longer, and the tables' patterns may take its length squared
MASKED = re.compile(
    r"`[^`\n]+`|\"[^\"\n]{2,}\"|“[^“”\n]{2,}”|„[^„“”\n]{2,}[“”]|«[^«»\n]{2,}»|「[^「」\n]{2,}」|『[^『』\n]{2,}』"
    r"|(?<!\w)['‘](?=[^'‘’\n]*\s)[^'‘’\n]{6,}['’](?!\w)"
)

ENDING = re.compile(
    r"(?<!\be\.g)(?<!\bi\.e)(?<!\betc)(?<!\bvs)(?<!\bapprox)(?<!\bz\.B)(?<!\bbzw)(?<!\bp\.ex)(?<!\bca)(?<![.!?…])[.!?…]++[\"')\]”"
    r"]*+\s+|[。！？]+[」』）]*|(?<=[\w)\]'\"`]);\s+|(?<=\s)\(?\d{1,2}[.)]\s+(?=\S)"
)
ASIDE = re.compile(r"[(（]([^()（）\n]{20,})[)）]")


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence. `text` is a verbatim piece of the prompt, `plain` as long, with quotes and code blanked.

    `quoted`: somebody else's or a program's words. `head`: the line above the list it stands in, "" elsewhere.
    `paragraph` counts from 0.
    """

    text: str
    plain: str
    quoted: bool = False
    head: str = ""
    paragraph: int = 0

    @property
    def heads(self) -> bool:
        """Whether it introduces what follows it ("conventions:")."""
        return self.plain.rstrip().endswith((":", "："))


def blanked(text: str) -> str:
    """`text` with quoted words and code replaced by `x` of the same length."""
    return MASKED.sub(lambda found: "x" * len(found.group()), text)


def sentences(prompt: str) -> list[Sentence]:
    """The prompt's sentences in order, pasted ones marked; programs' output, code and fences are left out."""
    text = FENCE.sub("\n\n", prompt.replace("\r\n", "\n"))
    found: list[Sentence] = []
    for block in _blocks(text):
        found.extend(_split(block))
    return found


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph's line (or hard-wrapped lines) with what is known of where it stands."""

    text: str
    quoted: bool
    head: str
    paragraph: int


def _blocks(text: str) -> Iterator[Block]:
    paragraphs = [part for part in re.split(r"\n[ \t]*\n", text) if part.strip()]
    own = _typed(paragraphs, text)
    headings = sum(bool(HEADING.match(line)) for line in text.splitlines())
    for number, (paragraph, typed) in enumerate(zip(paragraphs, own, strict=True)):
        lines = [line for line in paragraph.split("\n") if line.strip()]
        if _by_program(lines):
            continue
        typed = typed and headings < 2 and not _chat(lines)
        head = ""
        for line in _unwrapped(lines):
            if QUOTE.match(line):
                yield Block(line.lstrip(" \t>|"), True, "", number)
            elif MACHINE.search(line):
                continue
            elif item := ITEM.match(line):
                inline = line if re.match(r"\s*1[.)]\s.*\s2[.)]\s", line) else line[item.end() :]
                yield Block(inline, not typed or bool(PLAN.search(head)), head, number)
            elif not line.startswith(("  ", "\t")):  # an indented line was pasted
                head = line if line.rstrip().endswith((":", "：")) else ""
                yield Block(line, not typed or bool(HEADING.match(line)), "", number)


def _typed(paragraphs: list[str], text: str) -> list[bool]:
    """For each paragraph, whether the person is likely to have typed it, by where it stands."""
    last = len(paragraphs) - 1
    if len(text) > LONG:
        return [len(part) < LONG // 2 and place in (0, last) for place, part in enumerate(paragraphs)]
    typed = [True] * len(paragraphs)
    for place, part in enumerate(paragraphs):
        lines = part.strip().splitlines()
        opens = lines[-1].rstrip().endswith((":", "：")) and not ITEM.match(paragraphs[min(place + 1, last)])
        if MAIL.fullmatch(lines[0].strip()) or (opens and place < last):
            start = place if MAIL.fullmatch(lines[0].strip()) else place + 1
            end = (
                last if last > start else last + 1
            )  # the last paragraph is the person's again, where there are several
            typed[start:end] = [False] * (end - start)
            break
    return typed


def _by_program(lines: list[str]) -> bool:
    """Whether a paragraph is, or holds, a program's output: what else stands in it cannot be told from the output."""
    return any(DIFF.match(line) for line in lines) or (len(lines) > 1 and any(MACHINE.search(line) for line in lines))


def _chat(lines: list[str]) -> bool:
    """Whether several people speak, as in a pasted thread."""
    return sum(bool(SPEAKER.match(line)) for line in lines) >= 2 and not any(ITEM.match(line) for line in lines)


def _unwrapped(lines: list[str]) -> Iterator[str]:
    """Lines with hard wraps undone in the sense that a sentence may run over them (the newline stays in the text)."""
    held = ""
    for line in lines:
        starts = ITEM.match(line) or QUOTE.match(line) or HEADING.match(line) or MACHINE.search(line)
        if (
            held
            and len(held.rsplit("\n", 1)[-1]) > 60
            and held[-1] not in ".!?:。！？"
            and line[:1].islower()
            and not starts
        ):
            held += "\n" + line
            continue
        if held:
            yield held
        held = line
    if held:
        yield held


def _split(block: Block) -> Iterator[Sentence]:
    plain = blanked(block.text)
    asides = [found.span(1) for found in ASIDE.finditer(plain)]
    for start, end in asides:
        plain = plain[: start - 1] + " " * (end - start + 2) + plain[end + 1 :]
    for start, end in (*_pieces(plain), *asides):
        source = blanked(block.text) if (start, end) in asides else plain
        piece = block.text[start:end]
        lead, size = len(piece) - len(piece.lstrip()), len(source[start:end].rstrip())
        if 0 < size - lead <= LONGEST:
            yield Sentence(piece[lead:size], source[start:end][lead:size], block.quoted, block.head, block.paragraph)


def _pieces(plain: str) -> Iterator[tuple[int, int]]:
    first = re.match(r"\s*\(?1[.)]\s+", plain)
    start = first.end() if first else 0
    for found in ENDING.finditer(plain):
        if found.group()[0] in "(0123456789" and not re.match(r"\s*\(?1[.)]\s", plain):
            continue  # a number starts an item only where the text starts with item 1
        end = found.start() if found.group()[0] in "(0123456789" else found.end()
        if end > start:
            yield start, end
        start = found.end()
    if start < len(plain):
        yield start, len(plain)
