"""The cap of an injection, at the exact byte, in characters of one, three and four bytes."""

import json

import pytest
from recall_place import PAYLOADS, Place, note

from memwiki.config import change
from memwiki.recall.render import CLOSING, OPENING

CAP = 9500
ASK = "Which port does the staging proxy use?"
HEAD = "The staging proxy listens on port 8443.\n"
LETTERS = {"ascii": "x", "cjk": "猫", "emoji": "🦊"}
WAYS = ("start", "prompt", "subagent", "path")


def given(here: Place, way: str, host: str = "claude", session: str = "s1") -> str:
    """What one of the ways to be given a note brings."""
    if way == "start":
        return here.hook("SessionStart", host, source="startup", session_id=session)
    if way == "prompt":
        return here.hook("UserPromptSubmit", host, prompt=ASK, session_id=session)
    if way == "path":
        patch = {"command": "*** Begin Patch\n*** Update File: proxy.conf\n*** End Patch\n"}
        name, wanted = {"claude": ("Edit", {"file_path": "proxy.conf"}), "codex": ("apply_patch", patch)}[host]
        return here.hook("PostToolUse", host, tool_name=name, tool_input=wanted, session_id=session)
    call = {"session_id": session, "cwd": "/", "tool_name": "Agent", "tool_input": {"prompt": ASK}}
    here.raw(host, "PreToolUse", json.dumps(call).encode())
    sent = json.loads((PAYLOADS / host / "SubagentStart.json").read_text())
    return here.hook("SubagentStart", host, **{**sent, "session_id": session})


def filled(size: int, letter: str) -> str:
    """A body of exactly `size` bytes, mostly of `letter`, in lines."""
    left = size - len(HEAD.encode())
    wide = len(letter.encode())
    count = left // wide
    return HEAD + letter * count + "y" * (left - count * wide)


@pytest.mark.parametrize("host", ["claude", "codex"])
@pytest.mark.parametrize("letter", LETTERS)
@pytest.mark.parametrize("way", WAYS)
def test_a_body_that_fits_to_the_byte_is_whole_and_one_byte_more_is_a_card(
    place, way: str, letter: str, host: str
) -> None:
    path = "profile/n.md" if way == "start" else "tools/n.md"
    here = place({path: note("nothing", "N")})
    change(here.home, "recall.guide", False)
    change(here.home, "recall.unreviewed", "give")  # no mark in the heading
    room = CAP - len((OPENING + f"## {path}\n" + "\n" + CLOSING).encode())
    for size, whole in ((room, True), (room + 1, False), (CAP * 2, False)):
        here.write(path, note(filled(size, LETTERS[letter]), "N", applies_to="['*.conf']"))
        here.sync()
        said = given(here, way, host, f"s{size}")
        assert (f"## {path}" in said) == whole
        assert (f"\n- {path}: N\n" in said) == (not whole)
        assert len(said.encode()) <= CAP
        if whole:
            assert len(said.encode()) == CAP and LETTERS[letter] * 100 in said
        else:
            assert LETTERS[letter] not in said  # never cut in the middle
        record = here.home.delivered / f"{host}+s{size}"
        assert (path in "".join(file.read_text() for file in here.home.delivered.glob(f"{record.name}*"))) == whole


@pytest.mark.parametrize("way", WAYS)
def test_a_lower_setting_wins_for_all_or_a_host_and_a_higher_one_is_refused(place, way: str) -> None:
    fields = {"applies_to": "['*.conf']"}
    here = place({f"{name}/n.md": note(HEAD + "x" * 900, "N", **fields) for name in ("profile", "tools")})
    change(here.home, "recall.max_bytes", 700)
    change(here.home, "recall.max_bytes", 2000, host="codex")
    here.sync()
    assert "xxx" not in given(here, way) and len(given(here, way, session="s2").encode()) <= 700
    if way != "subagent":
        assert "xxx" in given(here, way, "codex")


@pytest.mark.parametrize("way", WAYS)
def test_the_lowest_become_cards_first(place, way: str) -> None:
    folder = "profile" if way == "start" else "tools"
    fields = {"applies_to": "['*.conf']"}
    here = place({f"{folder}/{name}.md": note(HEAD + "x" * 4000, name.upper(), **fields) for name in "abc"})
    said = given(here, way)
    assert len(said.encode()) <= CAP and said.count("\n## ") == 2
    assert "\n- " in said and said.index("## ") < said.index("\n- ")


def test_the_line_of_what_is_loaded_and_the_proof_stay_inside_the_cap(place) -> None:
    here = place({f"tools/{'🦊' * n}.md": note(HEAD + f"number {n}", f"N{n}") for n in range(1, 4)})
    here.ask(ASK)
    whole = here.ask(ASK)
    assert whole.count("🦊") == 6
    size = len(whole.encode()) - len("<memwiki>\n") + len(OPENING)
    for limit, kept in ((size, True), (size - 1, False)):
        said = here.ask(ASK, env={"MEMWIKI_RECALL_MAX_BYTES": str(limit)})
        assert said == (whole if kept else "")
