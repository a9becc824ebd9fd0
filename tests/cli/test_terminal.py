"""Nothing hidden reaches a terminal: every verb prints by `cli.output` alone, and a real terminal is looked at."""

import ast
from pathlib import Path

import pytest

import memwiki.cli

FILES = sorted(Path(memwiki.cli.__file__).parent.glob("*.py"))
OWN = {"output.py", "screen.py"}  # the ways to a terminal themselves
# What prints without them -> the one file that may, and what it writes there.
PRINTS = {
    "click.echo": {},
    "click.secho": {},
    "click.prompt": {},
    "click.confirm": {},
    "click.echo_via_pager": {},
    "print": {},
    "rich": {},
    "json.dumps": {"cypher.py": "a cell of a table"},
    "sys.stdout.write": {"recall.py": "an answer of --stream, for a program"},
    "sys.stderr.write": {},
}


def used(source: str) -> set[str]:
    """Names of PRINTS that `source` calls or imports, imports for types alone aside."""
    found = set()
    tree = ast.parse(source)
    tree.body = [node for node in tree.body if not (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node))]
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            found.add(ast.unparse(node.func))
        elif isinstance(node, ast.ImportFrom):
            found |= {f"{node.module}.{name.name}" for name in node.names} | {(node.module or "").partition(".")[0]}
        elif isinstance(node, ast.Import):
            found |= {name.name.partition(".")[0] for name in node.names}
    return found & set(PRINTS)


@pytest.mark.parametrize("file", [file for file in FILES if file.name not in OWN], ids=lambda file: file.name)
def test_a_verb_prints_by_the_ways_to_a_terminal_alone(file: Path) -> None:
    assert used(file.read_text("utf-8")) == {name for name, files in PRINTS.items() if file.name in files}


def test_a_bare_print_would_be_found() -> None:
    assert used("import click\nfrom rich.text import Text\nclick.echo('x')\nprint(1)") == {
        "click.echo",
        "print",
        "rich",
    }
    assert used("from click import echo\necho('x')") == {"click.echo"}
