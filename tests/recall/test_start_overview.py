"""What a session's start gives of the project: rules first, each as short as the room demands, nothing replaced."""

import re
import subprocess
from pathlib import Path

import pytest
from recall_place import Place, note

from memwiki.config import change
from memwiki.index.superseded import superseded
from memwiki.recall.brief import brief
from memwiki.recall.overview import Row

SHOP = "project/acme-shop"


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A checkout of acme/shop."""
    folder = tmp_path / "shop"
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    url = "https://example.invalid/acme/shop.git"
    subprocess.run(["git", "-C", str(folder), "remote", "add", "origin", url], check=True)
    return folder


def started(here: Place, shop: Path, source: str = "startup", session: str = "s1") -> str:
    return here.hook("SessionStart", cwd=str(shop), source=source, session_id=session)


def rule(text: str, created: str = "2026-02-01", type: str = "preference") -> str:
    return note(f"- {text}", created=created, type=type)


def test_a_start_gives_all_that_a_small_project_has_and_nothing_of_others(place, shop: Path) -> None:
    notes = {
        f"{SHOP}/pnpm.md": rule("Install with pnpm, never npm."),
        f"{SHOP}/staging.md": rule("Staging is at heron.example.invalid.", type="fact"),
        "project/acme-cms/yarn.md": rule("Install with yarn."),
        "tools/ripgrep.md": rule("Search with ripgrep."),
    }
    said = started(place(notes, 6000), shop)
    assert "- pnpm (2026-02): Install with pnpm, never npm.\n" in said
    assert "Staging is at heron.example.invalid." in said and "Search with ripgrep." in said
    assert "yarn" not in said


def test_a_small_note_with_a_table_is_given_whole(place, shop: Path) -> None:
    body = "# Ports\n\n| service | port |\n| --- | --- |\n| api | 4711 |\n\nThe proxy is on 8443."
    said = started(place({f"{SHOP}/ports.md": note(body, "Ports")}, 6000), shop)
    assert "| api | 4711 |" in said and "The proxy is on 8443." in said


def test_rules_come_before_facts_and_newer_before_older(place, shop: Path) -> None:
    notes = {
        f"{SHOP}/a-fact.md": rule("The cart holds 50 lines.", "2026-09-01", "fact"),
        f"{SHOP}/b-old.md": rule("Name tests after behaviour.", "2026-01-01"),
        f"{SHOP}/c-new.md": rule("Prices are integers in cents.", "2026-06-01", "decision"),
        f"{SHOP}/meetings/d.md": rule("Met with Ana.", "2026-10-01"),
    }
    said = started(place(notes, 6000), shop)
    order = [said.index(words) for words in ("Prices are", "Name tests", "The cart", "Met with")]
    assert order == sorted(order)


def test_what_does_not_fit_is_named_then_counted_and_the_limit_holds(place, shop: Path) -> None:
    notes = {f"{SHOP}/r{n:03}.md": rule(f"Rule {n} speaks of the {n}th thing at length." * 3) for n in range(300)}
    notes |= {f"{SHOP}/f{n:03}.md": rule(f"Fact {n}.", type="fact") for n in range(40)}
    said = started(place(notes, 6000), shop)
    assert len(said.encode()) <= 6900
    assert said.count("\n- r") > 30
    more = re.search(r"(\d+) more notes of this project: `memwiki search WORDS` finds them", said)
    shown = said.count("\n- ")
    assert more and int(more[1]) + shown == 340
    assert "Not shown here (`memwiki show PATH` prints one):" in said


def test_a_description_stands_for_a_page_that_does_not_fit(place, shop: Path) -> None:
    long = "\n".join(f"- Step {n} of the release has its own paragraph of words." for n in range(400))
    notes = {
        f"{SHOP}/release.md": note(long, "Release", description="How a release is cut", type="pattern"),
        f"{SHOP}/small.md": rule("Tag with v."),
    }
    here = place(notes, 2000)
    said = started(here, shop)
    assert "- release: How a release is cut\n" in said and "Tag with v." in said
    asked = here.ask("which step of the release has its own paragraph?", cwd=str(shop))
    assert "Step 399" in asked or f"- {SHOP}/release.md" in asked, "a description is not the note"


def test_a_note_that_was_given_is_not_given_again_until_it_changes(place, shop: Path) -> None:
    here = place({f"{SHOP}/zebra.md": rule("Zebra deploys need the blue flag.")}, 6000)
    assert "blue flag" in started(here, shop)
    question = "which flag do the zebra deploys need?"
    assert f"already loaded: {SHOP}/zebra.md" in here.ask(question, cwd=str(shop))
    assert "blue flag" not in started(here, shop, "resume")
    here.write(f"{SHOP}/zebra.md", rule("Zebra deploys need the red flag."))
    assert "red flag" in started(here, shop, "resume")
    assert "red flag" in started(here, shop, "compact")


def test_notes_that_were_just_saved_are_given_before_any_sync(place, shop: Path) -> None:
    here = place({f"{SHOP}/a.md": rule("One."), f"{SHOP}/b.md": rule("Two.")}, 6000)
    here.write(f"{SHOP}/new.md", note("- Three."))
    here.write(f"{SHOP}/a.md", rule("One is changed."))
    (here.vault / f"{SHOP}/b.md").unlink()
    said = started(here, shop)
    assert "Three." in said and "One is changed." in said and "Two." not in said


def test_an_edit_changes_only_what_the_delta_says(place, shop: Path) -> None:
    notes = {f"{SHOP}/n{n}.md": rule(f"Statement {n}.") for n in range(300)}
    here = place(notes, 9000)
    here.write(f"{SHOP}/n7.md", rule("Statement seven is new.", "2026-11-01", "decision"))
    (here.vault / f"{SHOP}/n8.md").unlink()
    here.write(f"{SHOP}/extra.md", rule("One more.", "2026-11-02"))
    here.sync()
    assert here.home.snapshot.with_suffix(".delta").exists()
    said = started(here, shop)
    lines = [line for line in said.splitlines() if line.startswith("- ")]
    assert lines[0].endswith("One more.") and lines[1].endswith("Statement seven is new.")
    assert "Statement 8." not in said and "Statement 7." not in said


def test_private_spans_and_secrets_stay_out(place, shop: Path) -> None:
    secret = "ghp_" + "a1B2" * 9
    notes = {
        f"{SHOP}/a.md": rule("Ask Ana <private>at 555-1234</private> first."),
        f"{SHOP}/b.md": rule(f"The token is {secret}."),
    }
    said = started(place(notes, 6000), shop)
    assert "Ask Ana" in said and "555" not in said and secret not in said


def test_no_bytes_for_the_overview_gives_pins_and_profile_alone(place, shop: Path) -> None:
    notes = {f"{SHOP}/a.md": rule("One."), f"{SHOP}/p.md": note("Pinned.", pin="true"), "profile/me.md": rule("I.")}
    said = started(place(notes, 0), shop)
    assert "Pinned." in said and "I." in said and "One." not in said


def test_recall_start_prints_what_the_hook_gives(place, shop: Path, run) -> None:
    here = place({f"{SHOP}/a.md": rule("One."), "profile/me.md": rule("I am Ada.")}, 6000)
    env = {"MEMWIKI_HOME": str(here.home.path)}
    printed = run("recall", "--start", "--project", str(shop), env=env).stdout
    assert started(here, shop) in printed
    change(here.home, "recall.mode", "manual")
    here.sync()
    assert "recall.mode is manual" in run("recall", "--start", "--project", str(shop), env=env).stdout
    assert run("recall", "--start", "a prompt", env=env, check=False).returncode == 2


# ------------------------------------------------------------------ statements


@pytest.mark.parametrize(
    ("body", "text", "whole"),
    [
        ("- One.", "One.", True),
        ("# Title\n\nOne.\n\n## Pins\n- LED: P0.13\n", "One.\nPins:\nLED: P0.13", True),
        ("## Empty\n\n## Full\n- a\n", "Full:\na", True),
        ("- a\n  - b\n", "a\n  b", True),
        ("See also [[release]] and [[flags]].\n- a", "a", True),
        (
            "See [[release]] for the steps that a release has.",
            "See [[release]] for the steps that a release has.",
            True,
        ),
        ("- ~~old rule~~\n- new rule", "new rule", True),
        ("```sh\nmake\n```\n- a", "a", False),
        ("| a |\n| - |\n- b", "b", False),
        ("<!-- x\ny -->\n- b", "b", True),
        ("", "", True),
        ("---\n***\n", "", True),
    ],
)
def test_brief(body: str, text: str, whole: bool) -> None:
    assert brief(body) == (text, whole)


# ------------------------------------------------------------------ replaced notes


def row(path: str, text: str, created: str, type: str = "decision", title: str = "") -> Row:
    return Row(path, "", 0, 0, type, created, title or path, text, text, len(text), True, 0)


REPLACED = [
    ("We use Jest for unit tests.", "We moved from Jest to Vitest in May."),
    ("Always use pnpm, never npm.", "bun is the package manager, pnpm and npm are out."),
    ("Wir nehmen MySQL 8 für alles.", "Postgres statt MySQL 8 seit dem Umzug."),
    ("Usamos Yarn para instalar.", "Pasamos de Yarn a bun en junio."),
    ("Staging is `blue.example.invalid`.", "Staging is `green.example.invalid`, wiped nightly."),
]
KEPT = [
    ("We use Jest for unit tests.", "Write unit tests for each reducer."),
    ("We use Jest for the legacy package.", "We moved from Jest to Vitest in May."),
    ("No emojis in commit messages.", "Commit messages are in English."),
    ("Staging is `blue.example.invalid`.", "Staging is rebuilt on Monday."),
    ("Tests: run them with make.", "Tests: fixtures are in tests/data."),
    ("Use tabs in Makefiles.", "Use spaces, not tabs, in Python."),
    ("The cart holds 50 lines.", "The cart is not cached."),
    ("Log with structlog.", "No secrets in logs."),
]


@pytest.mark.parametrize(("old", "new"), REPLACED)
def test_a_newer_statement_replaces_an_older_one(old: str, new: str) -> None:
    rows = [row("p/old.md", old, "2026-01-01"), row("p/new.md", new, "2026-06-01")]
    assert superseded(rows) == {"p/old.md": "p/new.md"}
    assert superseded(rows[::-1]) == {"p/old.md": "p/new.md"}
    swapped = [row("p/old.md", old, "2026-06-01"), row("p/new.md", new, "2026-01-01")]
    assert superseded(swapped).get("p/old.md") is None


@pytest.mark.parametrize(("old", "new"), KEPT)
def test_statements_that_only_share_words_stay(old: str, new: str) -> None:
    assert superseded([row("p/old.md", old, "2026-01-01"), row("p/new.md", new, "2026-06-01")]) == {}


def test_a_note_that_calls_another_outdated_replaces_it() -> None:
    rows = [row("p/old-db.md", "Any text.", "2026-01-01"), row("p/db.md", "This replaces [[old-db]].", "2026-01-01")]
    assert superseded(rows) == {"p/old-db.md": "p/db.md"}


def test_two_notes_that_replace_each_other_leave_one() -> None:
    rows = [row("p/a.md", "Replaces [[b]].", "2026-01-01"), row("p/b.md", "Replaces [[a]].", "2026-01-02")]
    assert len(superseded(rows)) == 1


def test_a_replaced_note_is_given_neither_at_a_start_nor_at_a_prompt(place, shop: Path) -> None:
    notes = {
        f"{SHOP}/pnpm.md": rule("In this project we always use pnpm for packages.", "2026-01-01"),
        f"{SHOP}/bun.md": rule("bun is the package manager since June, pnpm is out.", "2026-06-01"),
    }
    said = started(place(notes, 6000), shop)
    assert "bun is the package manager" in said and "always use pnpm" not in said


def test_at_a_prompt_the_newer_note_takes_the_place_of_the_replaced_one(place, shop: Path) -> None:
    notes = {
        f"{SHOP}/pnpm.md": rule("In this project we always use pnpm for the zebra packages.", "2026-01-01"),
        f"{SHOP}/bun.md": rule("bun is the manager since June, pnpm is out.", "2026-06-01"),
    }
    here = place(notes)
    said = here.ask("do we use pnpm for the zebra packages?", cwd=str(shop))
    assert "bun is the manager" in said and "always use pnpm" not in said
