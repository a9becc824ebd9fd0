"""No text can stop it: every pattern of the product is linear, and every one added later is looked at, too."""

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import memwiki
from memwiki.index.row import row_of
from memwiki.vault import prose
from tests.pumps import growth, slow

PACKAGE = Path(memwiki.__file__).parent
CALLS = ("match", "fullmatch", "search", "finditer", "findall", "sub", "subn", "split")
# Tables of a language are judged on one sentence, and `own.LONGEST` bounds its length.
SENTENCES = "memwiki.dream.engines.rules."
OF_PROMPTS = tuple(f"{SENTENCES}{name}" for name in ("own.", "repairs.", "places.", "topics.", "CARD"))
# Functions that make patterns of tables while their module is imported.
MAKERS = {
    "memwiki.dream.engines.rules.language.rx",
    "memwiki.journal.shapes",
    "memwiki.journal.issuers",
    "memwiki.vault.frontmatter._texts",  # it is handed one of two
}


def within(name: str, value: Any, seen: set[int], depth: int = 0) -> "Iterator[tuple[str, re.Pattern[Any]]]":
    """The patterns in a value: in containers, and in classes and objects of ours."""
    if isinstance(value, re.Pattern):
        yield name, value
    if id(value) in seen or depth > 8 or isinstance(value, str | bytes | int | float | ModuleType):
        return
    seen.add(id(value))
    own = str(getattr(value if isinstance(value, type) else type(value), "__module__", "")).startswith("memwiki")
    parts: list[tuple[str, Any]] = []
    if isinstance(value, dict):
        parts = [
            (f"[{key!s:.20}]", item) for pair in value.items() for key, item in zip(pair[:1] * 2, pair, strict=True)
        ]
    elif isinstance(value, list | tuple | set | frozenset):
        parts = [(f"[{number}]", item) for number, item in enumerate(value)]
    elif own and isinstance(value, type):
        parts = [(f".{key}", item) for key, item in vars(value).items()]
    elif own:
        names = [*getattr(value, "__dict__", {}), *getattr(type(value), "__slots__", ())]
        parts = [(f".{key}", getattr(value, key, None)) for key in names]
    for key, item in parts:
        yield from within(name + key, item, seen, depth + 1)


def compiled() -> "dict[tuple[str | bytes, int], tuple[str, re.Pattern[Any]]]":
    """(text, flags) -> (name, pattern) of every pattern that a module of memwiki holds."""
    found: dict[tuple[str | bytes, int], tuple[str, re.Pattern[Any]]] = {}
    seen: set[int] = set()
    for module in pkgutil.walk_packages(memwiki.__path__, "memwiki."):
        if not module.name.endswith("__main__"):
            for key, value in list(vars(importlib.import_module(module.name)).items()):
                for name, pattern in within(f"{module.name}.{key}", value, seen):
                    found.setdefault((pattern.pattern, pattern.flags), (name, pattern))
    return found


def written() -> "Iterator[tuple[str, re.Pattern[Any] | None, str]]":
    """(place, pattern, method) of each call of `re` inside a function; no pattern where it is made at run time."""
    for file in sorted(PACKAGE.rglob("*.py")):
        module = ".".join(["memwiki", *file.relative_to(PACKAGE).with_suffix("").parts])
        for function in ast.walk(ast.parse(file.read_text("utf-8"))):
            if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            for node in ast.walk(function):
                if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("re.") and node.args:
                    name = f"{module}.{function.name}"
                    method = ast.unparse(node.func)[3:]
                    if method not in (*CALLS, "compile"):
                        continue
                    flags = next((part for part in node.args[1:] if ast.unparse(part).startswith("re.")), None)
                    text = node.args[0]
                    if isinstance(text, ast.Constant):
                        number = eval(ast.unparse(flags), {"re": re}) if flags else 0
                        yield name, re.compile(text.value, number), method
                    elif not name.startswith(tuple(MAKERS)):
                        yield name, None, method


def methods() -> dict[str, set[str]]:
    """By which methods a module uses its name (`memwiki.vault.prose._FENCE`), or any an attribute (`pattern`)."""
    used: dict[str, set[str]] = {}
    for file in PACKAGE.rglob("*.py"):
        module = ".".join(["memwiki", *file.relative_to(PACKAGE).with_suffix("").parts])
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Attribute) and node.attr in CALLS:
                owner = node.value
                key = owner.attr if isinstance(owner, ast.Attribute) else f"{module}.{ast.unparse(owner)}"
                used.setdefault(key, set()).add(node.attr if node.attr in CALLS[:3] else "finditer")
    return used


def test_no_pattern_is_made_where_nothing_looks_at_it() -> None:
    assert [name for name, pattern, _ in written() if pattern is None] == []


@pytest.mark.slow
@pytest.mark.timeout(900)  # two minutes of CPU time for some seven hundred patterns
def test_every_pattern_is_linear() -> None:
    used = methods()
    faults = []
    for name, pattern in compiled().values():
        if name.startswith(OF_PROMPTS) or not name.startswith(SENTENCES):
            how = used.get(name) or used.get(name.rpartition(".")[2]) or {"match", "finditer"}
            if words := slow(pattern, sorted(how - {"search"} if "finditer" in how else how)):
                faults.append(f"{name}: {words}")
    for name, pattern, method in written():
        how = [method if method in CALLS[:3] else "finditer"]
        if pattern is not None and not name.startswith(SENTENCES) and (words := slow(pattern, how)):
            faults.append(f"{name}: {words}")
    assert faults == []


@pytest.mark.parametrize(
    "bad",
    [
        r"(?:(?:\w+)*[-_.]?)*token\s*=",
        r"(?:a+)+$",
        r"token[\s\S]*?(?:1|11)+y",
        r"[*`~]+|(?<!\w)_+|_+(?!\w)",  # a note of 60,000 `_`
        r"(`+)(?:.*?[^`])?x\1",
        r"authorization:\s*\s*\S+x",
        r"<private\b[^>]*>",
        r" {0,3}#{1,6}[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$",
        r"^[\s>*-]*(Memwiki-[A-Za-z]+):",
        r"<user_(input|command)\b[^>]*>(.*?)</user_\1>",
        r"(.*?)\s*<([^<>]*)>",
        r"[\w./~-]*[\w-]+\.md\b",
    ],
)
def test_a_pattern_that_is_not_linear_is_found(bad: str) -> None:
    assert slow(re.compile(bad, re.MULTILINE), ["match", "finditer"])


@pytest.mark.parametrize(
    "good", [r"[*`~]++|(?<!\w)_++|(?<!_)_++(?!\w)", r"[a-z]{1,20}\d", r"^ {0,3}#", r"\[\[([^\[\]\n]*)\]\]"]
)
def test_a_linear_pattern_is_not(good: str) -> None:
    assert slow(re.compile(good, re.MULTILINE)) == ""


UNITS = [
    "_",
    "[",
    "*",
    "`",
    "<",
    ">",
    "[[a]] ",
    "[a](b.md) ",
    "` [[a]]",
    "``a`",
    "a. b ",
    "# ",
    "- ",
    "![",
    "<!--",
    "a_",
    "|",
]


@pytest.mark.slow
@pytest.mark.parametrize("unit", UNITS)
def test_a_note_of_one_mark_is_read_in_time_of_its_length(unit: str) -> None:
    def made(size: int) -> str:
        return f"# T\n\n{unit * (min(size, 60_000) // len(unit))}b"

    assert growth(lambda text: row_of("a.md", text.encode()), made) == ""
    assert growth(prose.statements, made) == ""
