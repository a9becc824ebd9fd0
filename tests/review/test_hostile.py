"""Dream branches that anybody can have pushed: nothing lands that was not shown, and no command ends with a bug.

Each case is a script of plain git (and `candidate`, see SHELL) that puts commits on the branch `dream/evil`, and what
becomes of them: "refused" (listed with a fault, and never approved), "shown" (what lands is what `show` printed) or
"none" (not a candidate, so that it cannot be approved).
"""

import contextlib
import io
import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

import memwiki
from memwiki.cli import main

ID = "evilaaaa"
# `candidate [TRAILER...]` commits all there is as candidate evilaaaa; `trailers ...` commits with these and no others.
SHELL = r"""
set -e
export GIT_AUTHOR_NAME=Eve GIT_AUTHOR_EMAIL=eve@example.com GIT_COMMITTER_NAME=Eve GIT_COMMITTER_EMAIL=eve@example.com
trailers() { git add -A; { printf 'A good change\n\nThey said so.\n\n'; printf '%b\n' "$@"; } |
  git commit -q --allow-empty --cleanup=verbatim -F -; }
candidate() { trailers 'Memwiki-Candidate: evilaaaa' 'Memwiki-Run: evil' 'Memwiki-Type: fact' "$@"; }
good() { echo '- a good line' >>tools/n0.md; }
git switch -q -c dream/evil main
"""
BACK = "\ngit switch -q main\n"
LONG = "x" * 4000
CASES: dict[str, tuple[str, str]] = {
    # what one commit changes
    "three notes": ("for n in 0 1 2; do echo '- more' >>tools/n$n.md; done; candidate", "refused"),
    "a note and a new one": ("good; echo '- hi' >tools/new.md; candidate", "refused"),
    "a note and a removed one": ("good; git rm -q tools/n1.md; candidate", "refused"),
    "a whole folder": ("git mv tools other; candidate", "refused"),
    "everything": ("git rm -q -r .; candidate", "refused"),
    "a note and .gitattributes": ("good; echo '*.md merge=union' >.gitattributes; candidate", "refused"),
    "a file of another kind": ("echo x >tools/run.sh; candidate", "refused"),
    "a hook": ("mkdir -p .memwiki/hooks; echo x >.memwiki/hooks/pre; candidate", "refused"),
    "a tombstone by hand": ("mkdir -p .memwiki/rejected; echo x >.memwiki/rejected/evilbbbb.md; candidate", "refused"),
    "a note and a tombstone": (
        "good; mkdir -p .memwiki/rejected; echo >.memwiki/rejected/evilbbbb.md; candidate",
        "refused",
    ),
    "permissions": ("chmod +x tools/n0.md; candidate", "refused"),
    "permissions and text": ("good; chmod +x tools/n0.md; candidate", "refused"),
    "a new executable": ("echo '- hi' >tools/new.md; chmod +x tools/new.md; candidate", "refused"),
    "a link": ("ln -s /etc/passwd tools/link.md; candidate", "refused"),
    "a note that becomes a link": ("rm tools/n0.md; ln -s /etc/passwd tools/n0.md; candidate", "refused"),
    "a submodule": (
        "git update-index --add --cacheinfo 160000,$(git rev-parse HEAD),tools/sub.md;"
        " git commit -qm 'x' -m 'Memwiki-Candidate: evilaaaa'; git reset -q --hard",
        "refused",
    ),
    "a README": ("echo hi >README.md; candidate", "refused"),
    "a reserved name": ("echo hi >tools/con.md; candidate", "refused"),
    "a name with a line break": ("echo hi >\"$(printf 'tools/a\\nb.md')\"; candidate", "refused"),
    "a name with a direction mark": ("echo hi >\"$(printf 'tools/a\\342\\200\\256b.md')\"; candidate", "refused"),
    "a name that is not UTF-8": ("echo hi >\"$(printf 'tools/a\\377b.md')\"; candidate", "refused"),
    "a decomposed name": ("echo hi >\"$(printf 'tools/e\\314\\201.md')\"; candidate", "refused"),
    "nothing": ("candidate", "refused"),
    "a merge": (
        "good; git commit -qam x; git switch -qc side main; echo '- side' >>tools/n1.md; git commit -qam y;"
        " git switch -q dream/evil; git merge -q --no-ff -m 'A good change' -m 'Memwiki-Candidate: evilaaaa' side",
        "refused",
    ),
    "no parent": ("git checkout -q --orphan root; good; candidate; git branch -qf dream/evil; ", "refused"),
    # what one message says
    "two candidates": ("good; candidate 'Memwiki-Candidate: evilbbbb'", "refused"),
    "an id that is a path": ("good; trailers 'Memwiki-Candidate: ../../../etc/x'", "none"),
    "an absolute id": ("good; trailers 'Memwiki-Candidate: /etc/passwd'", "none"),
    "an id of 4,000 characters": (f"good; trailers 'Memwiki-Candidate: {LONG}'", "none"),
    "an id that is an option": ("good; trailers 'Memwiki-Candidate: --force'", "none"),
    "an id that is a revision": ("good; trailers 'Memwiki-Candidate: main'", "none"),
    "an empty id": ("good; trailers 'Memwiki-Candidate: '", "none"),
    "a second id that is a path": ("good; candidate 'Memwiki-Candidate: ../../x'", "shown"),
    "seen nan": ("good; candidate 'Memwiki-Seen: nan'", "shown"),
    "seen 1e999": ("good; candidate 'Memwiki-Seen: 1e999'", "shown"),
    "seen -1": ("good; candidate 'Memwiki-Seen: -1'", "shown"),
    "seen of 5,000 digits": (f"good; candidate 'Memwiki-Seen: {'9' * 5000}'", "shown"),
    "seen in other digits": ("good; candidate 'Memwiki-Seen: ٣'", "shown"),
    "confidence inf": ("good; candidate 'Memwiki-Confidence: inf'", "shown"),
    "confidence nan": ("good; candidate 'Memwiki-Confidence: nan'", "shown"),
    "confidence of 5,000 digits": (f"good; candidate 'Memwiki-Confidence: {'9' * 5000}'", "shown"),
    "confidence -1": ("good; candidate 'Memwiki-Confidence: -1'", "shown"),
    "a run that is a path": ("good; trailers 'Memwiki-Candidate: evilaaaa' 'Memwiki-Run: ../../main'", "shown"),
    "a run that is two lines of a transaction": (
        "good; trailers 'Memwiki-Candidate: evilaaaa' 'Memwiki-Run: x y z'",
        "shown",
    ),
    "a machine that is a path": ("good; candidate 'Memwiki-Machine: ../../x'", "shown"),
    "a type that is none": ("good; trailers 'Memwiki-Candidate: evilaaaa' 'Memwiki-Type: rule'", "shown"),
    "a huge type": (f"good; trailers 'Memwiki-Candidate: evilaaaa' 'Memwiki-Type: {LONG}'", "shown"),
    "a source that is none": ("good; candidate 'Memwiki-Source: god'", "shown"),
    "evidence of nothing": ("good; candidate 'Memwiki-Evidence: '", "shown"),
    "evidence without a number": ("good; candidate 'Memwiki-Evidence: claude/s# person \"said\"'", "shown"),
    "evidence in another file": ("good; candidate 'Memwiki-Evidence: ../../etc/passwd#1 person \"said\"'", "shown"),
    "evidence of 5,000 digits": (
        f"good; candidate 'Memwiki-Evidence: claude/s#{'9' * 5000} person \"said\"'",
        "shown",
    ),
    "evidence that is half a pair": ("good; candidate 'Memwiki-Evidence: claude/s#1 person \"\\\\ud800\"'", "shown"),
    "evidence nested 50,000 deep": (
        "good; candidate \"Memwiki-Evidence: claude/s#1 person $(head -c 50000 /dev/zero | tr '\\0' '[')\"",
        "shown",
    ),
    "evidence by somebody else": ("good; candidate 'Memwiki-Evidence: claude/s#1 god \"said\"'", "shown"),
    "a rejection of another": ("good; candidate 'Memwiki-Rejected: $GOOD'", "shown"),
    "a revert of another": ("good; candidate 'Memwiki-Reverted: $GOOD 0123456789'", "shown"),
    "git's own words of a revert": (
        "good; git commit -qam 'A good change' -m \"This reverts commit $(git rev-parse main).\""
        " -m 'Memwiki-Candidate: evilaaaa'",
        "shown",
    ),
    "a message with a NUL": (
        "good; git add -A; c=$({ printf 'tree %s\\nparent %s\\nauthor Eve <e@x> 1 +0000\\ncommitter Eve <e@x> 1 +0000"
        "\\n\\nA good change\\n\\nMemwiki-Candidate: evilaaaa\\n\\0Memwiki-Seen: 3\\n' $(git write-tree)"
        " $(git rev-parse HEAD); } | git hash-object -t commit -w --stdin --literally); git reset -q --hard;"
        " git update-ref refs/heads/dream/evil $c",
        "shown",
    ),
    "a message that is not UTF-8": ("good; git add -A; candidate 'Memwiki-Model: \\0377\\0376'", "shown"),
    "a year that no calendar has": (
        "good; git add -A; c=$(printf 'tree %s\\nparent %s\\nauthor Eve <e@x> 99999999999999 +0000\\n"
        "committer Eve <e@x> 99999999999999 +0000\\n\\nA good change\\n\\nMemwiki-Candidate: evilaaaa\\n'"
        " $(git write-tree) $(git rev-parse HEAD) | git hash-object -t commit -w --stdin --literally);"
        " git reset -q --hard; git update-ref refs/heads/dream/evil $c",
        "shown",
    ),
    "an author who is nobody": (
        "good; git add -A; c=$(printf 'tree %s\\nparent %s\\nauthor <> 1 +0000\\ncommitter .,: <<x>> 1 +9999\\n\\n"
        "A good change\\n\\nMemwiki-Candidate: evilaaaa\\n' $(git write-tree) $(git rev-parse HEAD)"
        " | git hash-object -t commit -w --stdin --literally); git reset -q --hard;"
        " git update-ref refs/heads/dream/evil $c",
        "shown",
    ),
    # what one note says
    "a type that is not one": (
        "printf -- '---\\ntype: rule\\n---\\n- hi\\n' >tools/new.md; candidate",
        "a foreign type",
    ),
    "a pin in a new note": ("printf -- '---\\npin: true\\n---\\n- hi\\n' >tools/new.md; candidate", "shown"),
    "a pin in a note": ("sed -i '2i pin: true' tools/n0.md; candidate", "shown"),
    "only blank lines": ("printf '\\n\\n' >>tools/n0.md; candidate", "shown"),
    "blanks at line ends": ("sed -i 's/$/  /' tools/n0.md; candidate", "shown"),
    "invisible characters": (
        "printf -- '- a\\342\\200\\213b\\363\\240\\201\\241\\n' >>tools/n0.md; candidate",
        "shown",
    ),
    "controls of a terminal": ("printf -- '- \\033]0;x\\007\\033[2J hi\\n' >>tools/n0.md; candidate", "shown"),
    "bytes that are not UTF-8": ("printf -- '- \\377\\376\\n' >>tools/n0.md; candidate", "shown"),
    "a megabyte in one line": (
        "head -c 1000000 /dev/zero | tr '\\0' x >>tools/n0.md; echo >>tools/n0.md; candidate",
        "shown",
    ),
    "a note deleted": ("git rm -q tools/n0.md; candidate", "shown"),
    "a note renamed and changed": (
        "git mv tools/n0.md tools/m.md; sed -i 's/line 1/LINE/' tools/m.md; candidate",
        "shown",
    ),
    # who claims what
    "two commits with one id": ("good; candidate; echo '- worse' >>tools/n1.md; candidate", "refused"),
    "two branches with one id": (
        "good; candidate; git switch -q -c dream/evil2 main; echo '- worse' >>tools/n1.md; candidate",
        "refused",
    ),
    "the id of another": (
        "git commit -q --allow-empty -m base; echo '- worse' >>tools/n1.md; trailers 'Memwiki-Candidate: $GOOD'",
        "claims",
    ),
}


@pytest.fixture
def good(home: Path) -> str:
    """A vault of three notes and a candidate of the person's own; its id."""
    memwiki.setup()
    with memwiki.open() as m:
        vault = m.config.vault
        (vault / "tools").mkdir(exist_ok=True)
        for n in range(3):
            lines = "".join(f"- n{n} line {k}\n" for k in range(4))
            (vault / f"tools/n{n}.md").write_text(f"---\ntitle: n{n}\n---\n{lines}", "utf-8")
        script(vault, "git add -A; git commit -qm notes")
        return m.propose("tools/own", "# Own\n\n- mine\n").id


def script(vault: Path, text: str) -> str:
    done = subprocess.run(["sh", "-c", text], cwd=vault, capture_output=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout.decode("utf-8", "replace")


def called(*args: str, code: int = 0) -> tuple[str, str]:
    """What `memwiki ARGS` prints on stdout and stderr, in UTF-8 as strict as a pipe's; its exit code must be `code`."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), pytest.raises(SystemExit) as ended:
        main(list(args))
    texts = tuple(stream.buffer.getvalue().decode("utf-8") for stream in (out, err))
    assert ended.value.code == code, texts
    return texts[0], texts[1]


def listing() -> dict[str, dict[str, Any]]:
    """Candidate id -> its row, of all there are."""
    rows = json.loads(called("review", "list", "--state", "all", "--json")[0])["candidates"]
    return {row["id"]: row for row in rows}


@pytest.mark.parametrize("name", CASES)
def test_a_hostile_branch(name: str, good: str, home: Path) -> None:
    text, outcome = CASES[name]
    vault = home / ".memwiki" / "vault"
    script(vault, SHELL + text.replace("$GOOD", good) + BACK)
    before = script(vault, "git rev-parse main").strip()
    chosen = good if outcome == "claims" else ID

    rows = listing()
    if outcome == "none":
        assert list(rows) == [good]
        called("review", "approve", chosen, code=1)
        return
    found = rows[chosen]
    assert found["state"] == "pending"
    assert found["flags"], "what comes from elsewhere is never waved through"
    shown = json.loads(called("review", "show", chosen, "--json")[0])
    assert not any(one["found"] for one in shown["evidence"])
    assert chosen in called("review", "approve", chosen, chosen, code=1)[1], "not in a group"
    assert script(vault, "git rev-parse main").strip() == before

    if outcome != "shown":
        words = called("review", "approve", chosen, code=1)[1]
        assert "not a type of note" in words if outcome == "a foreign type" else found["fault"] in words
        assert script(vault, "git rev-parse main").strip() == before
        called("review", "reject", chosen, "--why", "no")
        assert "pending" not in [row["state"] for one, row in listing().items() if one == chosen]
        return
    assert found["fault"] == ""
    called("review", "approve", chosen)
    changed = set(script(vault, f"git diff --name-only --no-renames -z {before} main").strip("\0").split("\0"))
    assert changed == {path for path in (shown["path"], shown["old_path"]) if path}
    landed = subprocess.run(["git", "show", f"main:{shown['path']}"], cwd=vault, capture_output=True).stdout
    assert landed.decode("utf-8", "surrogateescape") == (shown["new"] or "")
    states = {one: row["state"] for one, row in listing().items()}
    assert states == {chosen: "approved", good: "pending"}, "its message speaks of no other candidate"


def test_no_command_fails_where_all_of_them_are(good: str, home: Path) -> None:
    vault = home / ".memwiki" / "vault"
    for number, (text, _) in enumerate(CASES.values()):
        text = (SHELL + text.replace("$GOOD", good) + BACK).replace("dream/evil", f"dream/evil{number}")
        script(vault, text.replace(ID, candidate_id(number)))
    called("review", "list", "--state", "all")
    for number in range(0, len(CASES), 9):
        if candidate_id(number) in listing():
            called("review", "show", candidate_id(number))
    called("status")
    called("why", "tools/n1")
    called("dream", "--engine", "rules")
    assert "look at" in called("review", "approve", *listing(), code=1)[0]


def candidate_id(number: int) -> str:
    return f"evil{chr(97 + number // 26) * 2}{chr(97 + number % 26) * 2}"
