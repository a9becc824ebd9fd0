"""What a session is given at its start, and what its resets do."""

import json
import os
from concurrent.futures import ThreadPoolExecutor

import pytest
from recall_place import CASES, PAYLOADS, Place, note

from memwiki.config import change
from memwiki.hosts import NAMES
from memwiki.recall.render import GUIDE as WORDS

GUIDE = WORDS.format("claude")


def ledger(place: Place, session: str = "s1") -> list[tuple[str, str]]:
    """(event, path) of each line recorded for a Claude session."""
    file = place.home.delivered / f"claude+{session}"
    lines = [line.split(" ", 4) for line in file.read_text("utf-8").splitlines()]
    return [(line[1], line[4]) for line in lines]


def test_case_07_injection_stays_under_the_cap(place) -> None:
    here = place(CASES / "07-inject-over-cap/vault")
    sent = json.loads((CASES / "07-inject-over-cap/session-start.json").read_text())
    said = here.hook("SessionStart", **sent)
    assert len(said) <= 9500 and len(said.encode()) <= 9500
    assert "## profile/name.md (fact)\nThe user is called Ana.\n" in said
    for number in range(12):
        assert f"\n- profile/rules-{number:02d}.md: Rules {number}\n" in said
    assert "rule 1:" not in said
    assert ledger(here, sent["session_id"]) == [("reset", ""), ("SessionStart", "profile/name.md")]
    assert here.hook("SessionStart", **sent) == said
    codex = here.hook("SessionStart", "codex", session_id="c", source="startup")
    assert codex.replace("--host codex", "--host claude") == said and len(codex.encode()) / 4 <= 2400
    change(here.home, "recall.max_bytes", 600)
    here.sync()
    small = here.hook("SessionStart", source="startup", session_id="small")
    assert len(small.encode()) <= 600 and "The user is called Ana." in small
    left = 12 - small.count("\n- profile/rules")
    assert left > 0 and small.endswith(f"\n{left} more notes do not fit here.\n</memwiki>")


def test_case_07_an_omitted_note_can_still_be_given_later(place) -> None:
    long = "\n".join(f"- item {n} of the long list with ünïcödé and more words" for n in range(150))
    here = place(
        {"profile/a.md": note(long, "First"), "profile/b.md": note(f"Zebra crossings need flags.\n{long}", "Zebra")}
    )
    said = here.hook("SessionStart", source="startup")
    assert "Zebra crossings" not in said and "- profile/b.md: Zebra\n" in said
    assert "Zebra crossings need flags." in here.ask("which flags do the zebra crossings need?")


def test_case_11_resets_follow_the_source(place) -> None:
    here = place(CASES / "11-session-resume-compact/vault")
    lines = (CASES / "11-session-resume-compact/events.jsonl").read_text("utf-8").splitlines()
    said = []
    for line in lines:
        sent = json.loads(line)
        said.append(here.hook(sent["hook_event_name"], **sent))
    name, zebra = "The user is Ana.", "ZEBRA deploys need the blue flag."
    given = [(name in text, zebra in text) for text in said]
    nothing = (False, False)
    startup, compact, clear = (True, False), (True, False), (True, False)
    assert given == [
        startup,
        (False, True),
        nothing,  # delivered on the line before
        nothing,
        nothing,
        compact,
        nothing,  # resumed at once: injected once, not twice
        clear,
        (False, True),  # delivered before the compaction, given again
        nothing,
    ]
    assert said[6] == ""


@pytest.mark.parametrize("host", ["claude", "codex"])
def test_recorded_session_starts_are_answered(place, host: str) -> None:
    here = place({"profile/me.md": note("I am Ada.", "Me")})
    for file in sorted((PAYLOADS / host).glob("SessionStart.*.json")):
        sent = json.loads(file.read_text("utf-8"))
        sent["session_id"] = file.stem
        assert "I am Ada." in here.hook("SessionStart", host, **sent), file.name


def test_cursor_is_answered_in_its_own_shape_and_only_at_the_start(place) -> None:
    here = place({"profile/me.md": note("I am Ada.", "Me"), "tools/proxy.md": note("The staging proxy has port 8443.")})
    sent = json.loads((PAYLOADS / "cursor-docs/sessionStart.json").read_text("utf-8"))
    assert "I am Ada." in here.hook("sessionStart", "cursor", **sent)
    prompt = json.loads((PAYLOADS / "cursor-docs/beforeSubmitPrompt.json").read_text("utf-8"))
    assert here.hook("beforeSubmitPrompt", "cursor", **{**prompt, "prompt": "staging proxy port?"}) == ""


def test_a_resumed_session_without_a_record_is_given_its_notes(place) -> None:
    here = place({"profile/me.md": note("I am Ada.", "Me")})
    assert "I am Ada." in here.hook("SessionStart", source="resume")
    assert here.hook("SessionStart", source="resume") == ""
    here.write("profile/new.md", note("I like tea.", "Tea"))
    resumed = here.hook("SessionStart", source="resume")
    assert "I like tea." in resumed and "I am Ada." not in resumed and GUIDE not in resumed


def test_the_guide_is_short_can_be_switched_off_and_needs_a_note(place) -> None:
    assert max(len(WORDS.format(name).encode()) for name in NAMES) <= 400
    here = place({"tools/a.md": note("Use pnpm.")})
    assert here.hook("SessionStart", source="startup").split("\n", 1)[1] == GUIDE + "</memwiki>"
    change(here.home, "recall.guide", False, host="codex")
    here.sync()
    assert here.hook("SessionStart", "codex", source="startup") == ""
    assert GUIDE in here.hook("SessionStart", source="startup")
    (here.vault / "tools/a.md").unlink()
    here.sync()
    assert here.hook("SessionStart", source="startup", session_id="empty") == ""


def test_pinned_notes_come_first_and_in_full_at_most_five_and_only_for_their_project(place, git, home) -> None:
    notes = {f"project/acme-shop/pin-{n}.md": note(f"Pinned {n} of shop.", f"Pin {n}", pin="true") for n in range(3)}
    notes |= {f"tools/pin-{n}.md": note(f"Pinned {n} of tools.", f"Tool {n}", pin="true") for n in range(4)}
    notes |= {"project/other/pin.md": note("Pinned elsewhere.", "Other", pin="true"), "profile/a.md": note("I am Ada.")}
    here = place(notes)
    shop = home / "shop"
    shop.mkdir()
    git(shop, "init", "-q")
    git(shop, "remote", "add", "origin", "https://github.com/acme/shop")
    said = here.hook("SessionStart", source="startup", cwd=str(shop))
    assert said.count("\nPinned ") == 5 and said.count(" of shop.") == 3
    assert said.index("of tools.") < said.index("I am Ada.") and "elsewhere" not in said
    outside = here.hook("SessionStart", source="startup", session_id="s2")
    assert outside.count("\nPinned ") == 4 and "shop" not in outside


def test_profile_notes_are_listed_on_disk_before_any_sync(place) -> None:
    here = place({"profile/me.md": note("I am Ada.", "Me"), "profile/old.md": note("I was Bob.", "Old")})
    here.write("profile/deep/er/tea.md", "---\ntitle: Tea\ntype: preference\n---\nI like tea.\n")
    here.write("profile/me.md", note("I am Ada Lovelace.", "Me"))
    here.write("profile/README.md", "About this folder.\n")
    here.write("profile/.obsidian/x.md", "Settings.\n")
    here.write("profile/note.txt", "No note.\n")
    (here.vault / "profile/old.md").unlink()
    outside = here.home.path / "outside.md"
    outside.write_text("Foreign.\n")
    (here.vault / "profile/link.md").symlink_to(outside)
    (here.vault / "profile/folder").symlink_to(here.home.path)
    os.mkfifo(here.vault / "profile/pipe.md")
    said = here.hook("SessionStart", source="startup")
    assert (
        "## profile/deep/er/tea.md (preference) (not committed yet)\nI like tea.\n" in said
        and "I am Ada Lovelace." in said
    )
    for word in ("I was Bob", "About this", "Settings", "No note", "Foreign", "pipe"):
        assert word not in said
    assert here.log() == ""


def test_the_same_vault_gives_the_same_bytes(place) -> None:
    here = place({f"profile/{name}.md": note(f"Rule {name}. " * 90, name) for name in "dbacfe"})
    first = here.hook("SessionStart", source="startup", session_id="x")
    assert first == here.hook("SessionStart", source="startup", session_id="y")
    assert [first.index(f"profile/{name}.md") for name in "abcdef"] == sorted(
        first.index(f"profile/{name}.md") for name in "abcdef"
    )


def test_records_survive_many_hooks_at_once(place) -> None:
    here = place(
        {f"tools/t{n}.md": note(f"The kestrel{n} gateway{n} listens on port 80{n}.", f"Kestrel{n}") for n in range(12)}
    )
    prompts = [f"which port does the kestrel{n} gateway{n} use?" for n in range(12)]
    with ThreadPoolExecutor(6) as pool:
        said = list(pool.map(here.ask, prompts))
    assert all(f"tools/t{n}.md" in text for n, text in enumerate(said))
    assert {path for _, path in ledger(here)} == {f"tools/t{n}.md" for n in range(12)}
    with ThreadPoolExecutor(6) as pool:
        assert not [text for text in pool.map(here.ask, prompts) if "##" in text]


def test_old_records_and_those_beyond_the_limit_are_purged(place) -> None:
    here = place({"profile/me.md": note("I am Ada.", "Me")})
    for number in range(230):
        file = here.home.delivered / f"claude+old{number}"
        file.write_text(f"{number} SessionStart h c profile/me.md\n")
        os.utime(file, ns=(10**18 * 2, 10**18 * 2 + number))
    ancient = here.home.delivered / "codex+ancient"
    ancient.write_text("")
    os.utime(ancient, (0, 0))
    here.hook("SessionStart", source="startup", session_id="new")
    kept = {file.name for file in here.home.delivered.iterdir()}
    assert len(kept) == 200
    assert "codex+ancient" not in kept and "claude+old229" in kept and "claude+old0" not in kept


def test_a_path_of_two_lines_is_left_out_and_one_with_blanks_is_recorded(place) -> None:
    here = place({"profile/a\nb.md": note("I am Ada.", "Me"), "profile/tea time\u202f\\n.md": note("Tea.", "Tea")})
    said = here.hook("SessionStart", source="startup")
    assert "Tea." in said and "Ada" not in said
    assert ledger(here)[1] == ("SessionStart", "profile/tea time\u202f\\n.md")
    assert here.hook("SessionStart", source="resume") == ""


EMPTY = {
    "frontmatter": "---\ntitle: Lantern\npin: true\n---\n",
    "blanks": "---\npin: true\ntitle: Lantern\n---\n \n\t\n",
    "a heading": "---\npin: true\n---\n# Lantern\n\n##\n",
    "nothing": "",
    "private": "---\npin: true\n---\n# Lantern\n<private>Lantern</private>\n",
}


@pytest.mark.parametrize("form", EMPTY)
@pytest.mark.parametrize("synced", [True, False])
def test_an_empty_note_is_not_given_as_a_heading(place, form: str, synced: bool) -> None:
    here = place(
        {"profile/me.md": note("Ada."), "profile/lantern.md": "Before.\n", "tools/lantern.md": "Lantern before.\n"}
    )
    for path in ("profile/lantern.md", "tools/lantern.md"):
        here.write(path, EMPTY[form])
    if synced:
        here.sync()
    start = here.hook("SessionStart", source="startup")
    assert "Ada." in start and "lantern" not in start
    assert "lantern" not in here.ask("where is the Lantern?", session="s2").replace("## profile/me.md", "")


def test_a_note_that_is_a_description_alone_is_given_by_it(place) -> None:
    here = place({"profile/me.md": "---\ndescription: writes in German\n---\n", "profile/b.md": "Tea.\n"})
    here.write("profile/b.md", "---\ntitle: B\ndescription: drinks tea\n---\n# B\n")
    start = here.hook("SessionStart", source="startup")
    assert (
        "## profile/me.md\nwrites in German\n" in start and "## profile/b.md (not committed yet)\ndrinks tea\n" in start
    )
