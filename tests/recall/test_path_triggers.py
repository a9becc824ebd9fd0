"""Notes that belong to paths: given when one is touched or named, inside the project only."""

import json
import random
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from recall_place import PAYLOADS, Place, note

from memwiki.config import change
from memwiki.hosts import NAMES, host
from memwiki.recall.paths import fits, inside, named, touched

TABLE = [
    # glob, paths that fit, paths that do not
    ("*.py", ["a.py", "src/a.py", "a.py/b"], ["a.pyc", "py"]),
    ("/*.py", ["a.py"], ["src/a.py"]),
    ("src/*.py", ["src/a.py"], ["a.py", "x/src/a.py", "src/b/a.py"]),
    ("src/**/*.py", ["src/a.py", "src/b/c/a.py"], ["a.py"]),
    ("**/src/*.py", ["src/a.py", "x/y/src/a.py"], ["src/b/a.py"]),
    ("src/", ["src/a", "x/src/b/c"], ["src", "srcs/a"]),
    ("/src/", ["src/a"], ["x/src/b"]),
    ("src", ["src", "src/a", "x/src/b"], ["srcs"]),
    ("docs/**", ["docs/a", "docs/b/c"], ["docs", "x/docs/a"]),
    ("**", ["a", "b/c"], []),
    ("***/c*", ["c", "b/cd"], ["b"]),
    ("test_?.py", ["test_1.py"], ["test_12.py", "test_.py"]),
    ("v[0-9a].txt", ["v3.txt", "va.txt"], ["vb.txt", "v.txt"]),
    ("v[!0-9].txt", ["vb.txt"], ["v3.txt"]),
    ("v[]x].txt", ["v].txt", "vx.txt"], ["v.txt"]),
    ("a\\*.md", ["a*.md"], ["ab.md"]),
    ("日本*.md", ["日本語.md", "x/日本.md"], ["日.md"]),
    ("[", [], ["[", "a"]),
    ("", [], ["a"]),
    ("/", [], ["a"]),
]


@pytest.mark.parametrize(("glob", "yes", "no"), TABLE)
def test_globs_fit_as_in_gitignore(glob: str, yes: list[str], no: list[str], git, tmp_path: Path) -> None:
    assert [path for path in yes + no if fits([glob], path)] == yes
    git(tmp_path, "init", "-q")
    assert ignored(tmp_path, [glob], yes + no) == set(yes)


def test_many_globs_fit_as_git_says(git, tmp_path: Path) -> None:
    dice = random.Random(7)
    git(tmp_path, "init", "-q")
    bits = ["a", "b", "a*", "*b", "?", "a?", "[ab]*", "[!a]*", "**", "*", "-*", "\\!b"]
    for _ in range(60):
        parts = [[dice.choice(bits) for _ in range(dice.randint(1, 4))] for _ in range(dice.randint(1, 3))]
        globs = [dice.choice(["", "", "!", "/"]) + "/".join(one) + dice.choice(["", "", "/"]) for one in parts]
        paths = [
            *{"/".join(dice.choice(["a", "ab", "b-", "!b"]) for _ in range(dice.randint(1, 4))) for _ in range(25)}
        ]
        assert {path for path in paths if fits(globs, path)} == ignored(tmp_path, globs, paths), globs


def ignored(folder: Path, globs: list[str], paths: list[str]) -> set[str]:
    """What git itself would ignore."""
    (folder / ".gitignore").write_text("".join(f"{glob}\n" for glob in globs))
    command = ["git", "-C", str(folder), "check-ignore", "--no-index", "-z", "--stdin"]
    sent = "".join(f"{path}\0" for path in paths)
    return set(subprocess.run(command, input=sent, capture_output=True, text=True).stdout.split("\0")) - {""}


def test_the_last_glob_that_fits_decides() -> None:
    assert fits(["*.py", "!test_*"], "a.py") and not fits(["*.py", "!test_*"], "test_a.py")
    assert fits(["*.py", "!test_*", "test_x.py"], "test_x.py") and not fits(["!*.py"], "a.py")


@given(st.text("a*?/[]!\\-", max_size=30), st.text("ab/]-", max_size=60))
def test_no_glob_hangs_or_fails(glob: str, path: str) -> None:
    fits([glob, "*a" * 20 + "b", "**/" * 8 + "b"], path + "a" * 200)


def test_paths_are_seen_from_the_projects_top() -> None:
    assert inside("/p", "/p/src", "a.py") == "src/a.py"
    assert inside("/p", "/p/src", "../b.py") == "b.py"
    assert inside("/p", "/x", "/p/c/./d.py") == "c/d.py"
    for path in ("/etc/passwd", "../../x", "/pp/a", "/p", "/p/../q"):
        assert inside("/p", "/p/src", path) == ""
    assert inside("", "", "/etc/passwd") == ""


def test_paths_named_in_a_prompt_are_found_among_words() -> None:
    said = "Look at `src/app.py:12`, (docs/a.md) and @Makefile.am; not https://x.org/y.py. Also ./run.sh."
    assert named(said) == ["src/app.py", "docs/a.md", "Makefile.am", "./run.sh"]


@pytest.fixture
def here(place, git, home: Path) -> Place:
    """Notes that belong to paths of a project, and its folder with a file or two."""
    made = place(
        {
            "project/acme-shop/sql.md": note("Name the zebra index.", "Migrations", applies_to="[db/**, '*.sql']"),
            "tools/py.md": note("Sort imports.", "Imports", applies_to="['*.py', '!*_test.py']"),
            "project/other/py.md": note("Elsewhere.", "Other", applies_to="['*.py']"),
            "tools/plain.md": note("Belongs to nothing.", "Plain"),
        }
    )
    shop = home / "shop"
    (shop / "db").mkdir(parents=True)
    git(shop, "init", "-q")
    git(shop, "remote", "add", "origin", "https://github.com/acme/shop")
    return made


def touch(here: Place, path: str, name: str = "Read", host: str = "claude", **more: object) -> str:
    """What the hook of a tool that has touched `path` in the project gives."""
    shop = here.home.path.parent / "shop"
    event = {"gemini": "AfterTool"}.get(host, "PostToolUse")
    sent = {"cwd": str(shop), "tool_name": name, "tool_input": {"file_path": str(shop / path)}, **more}
    return here.hook(event, host, **sent)


@pytest.mark.parametrize("name", ["Read", "Edit", "Write", "MultiEdit"])
def test_a_touched_path_brings_its_note_once(here: Place, name: str) -> None:
    said = touch(here, "db/001.txt", name)
    assert "zebra index" in said and "Sort" not in said
    assert touch(here, "db/002.txt", name) == ""
    assert "Sort imports." in touch(here, "src/a.py", name)
    assert touch(here, "src/a_test.py", name, session_id="s2") == ""


def test_it_is_never_a_decision_about_a_permission(here: Place) -> None:
    sent = {"session_id": "s", "cwd": str(here.home.path.parent / "shop"), "tool_name": "Read"}
    sent["tool_input"] = {"file_path": "db/1.sql"}  # type: ignore[assignment]
    reply = json.loads(here.raw("claude", "PostToolUse", json.dumps(sent).encode()).stdout)
    assert set(reply) == {"hookSpecificOutput"}
    assert set(reply["hookSpecificOutput"]) == {"hookEventName", "additionalContext"}
    for name in NAMES:
        assert not {one for one in host(name).touches if "Pre" in one or "before" in one.lower()}


def test_a_patch_names_its_files_and_gemini_its_own_tools(here: Place) -> None:
    sent = json.loads((PAYLOADS / "codex/PostToolUse.apply_patch.json").read_text())
    shop = str(here.home.path.parent / "shop")
    patch = "*** Begin Patch\n*** Update File: db/1.txt\n@@\n*** Add File: src/x.py\n+a\n*** End Patch\n"
    said = here.hook("PostToolUse", "codex", **{**sent, "cwd": shop, "tool_input": {"command": patch}})
    assert "zebra" in said and "Sort imports." in said
    for name in ("read_file", "write_file", "replace"):
        assert "zebra" in touch(here, "db/1.txt", name, "gemini", session_id=name)
    assert (
        touch(here, "db/1.txt", "replace", "gemini", session_id="x", tool_response={"error": {"message": "no"}}) == ""
    )
    assert "zebra" in touch(here, "db/1.txt", "replace", "gemini", session_id="x")


def test_other_tools_and_paths_outside_the_project_bring_nothing(here: Place) -> None:
    outside = str(here.home.path / "db.sql")
    assert touch(here, "x", tool_input={"file_path": outside}) == ""
    assert touch(here, "x", tool_input={"file_path": "../x.sql"}) == ""
    for name in ("Bash", "Reader", "mcp__files__Read", "PreRead"):
        assert touch(here, "db/1.sql", name) == ""
    assert touched({"tool_name": "Read", "tool_input": {"file_path": 7}, "failed": False}) == []
    assert list(here.home.delivered.iterdir()) == []


def test_a_path_named_in_a_prompt_brings_its_note(here: Place) -> None:
    shop = str(here.home.path.parent / "shop")
    assert "zebra" in here.ask("what is wrong in db/001.txt?", cwd=shop)
    assert here.ask("what is wrong in db/001.txt?", cwd=shop) == ""
    assert here.ask("what is wrong in ../db/001.txt?", cwd=shop, session="s2") == ""


def test_at_most_three_at_a_time_and_the_others_later(place) -> None:
    here = place({f"tools/n{n}.md": note(f"Rule {n}.", f"N{n}", applies_to="['*.py']") for n in range(5)})
    sent = {"tool_name": "Read", "tool_input": {"file_path": "a.py"}}
    assert [here.hook("PostToolUse", **sent).count("## ") for _ in range(3)] == [3, 2, 0]
    here.hook("SessionStart", source="compact")
    assert here.hook("PostToolUse", **sent).count("## ") == 3


def test_a_subagent_has_a_set_of_its_own(here: Place) -> None:
    assert "zebra" in touch(here, "db/1.txt")
    assert "zebra" in touch(here, "db/1.txt", agent_id="a1")
    assert touch(here, "db/1.txt", agent_id="a1") == ""


@pytest.mark.parametrize(("mode", "gives"), [("startup", 0), ("auto", 1), ("always", 1), ("manual", 0), ("off", 0)])
def test_only_in_auto_and_always(here: Place, mode: str, gives: int) -> None:
    change(here.home, "recall.mode", mode)
    here.sync()
    assert touch(here, "db/1.txt").count("zebra") == gives


def test_it_can_be_switched_off(here: Place) -> None:
    change(here.home, "recall.path_rules", "off")
    here.sync()
    assert touch(here, "db/1.txt") == ""
    assert not here.home.path.joinpath("recall.paths").exists()


def test_the_cap_holds(here: Place) -> None:
    here.write("tools/py.md", note("x" * 20_000, "Imports", applies_to="['*.py']"))
    here.sync()
    said = touch(here, "a.py")
    assert "- tools/py.md (not committed yet): Imports\n" in said and "xxx" not in said
    assert here.home.delivered.joinpath("claude+s1").read_text() == ""


def test_tools_start_no_python_while_no_note_belongs_to_a_path(here: Place) -> None:
    """The flag is there with the first such note and gone with the last, by base and by delta."""
    flag = here.home.path / "recall.paths"
    assert flag.exists()
    for path in ("project/acme-shop/sql.md", "tools/py.md"):
        here.write(path, note("Nothing.", "N"))
    here.sync()
    assert flag.exists()  # the other project's
    (here.vault / "project/other/py.md").unlink()
    here.sync()
    assert not flag.exists()
    here.write("tools/new.md", note("Sort.", "New", applies_to="['*.py']"))
    here.sync()
    assert flag.exists() and here.home.snapshot.with_suffix(".delta").exists()
    assert "Sort." in touch(here, "a.py")
    here.write("tools/more.md", note("More.", "More", applies_to="['*.py']"))
    here.sync()
    assert "More." in touch(here, "a.py")
    assert "Sort." in touch(here, "a.py", session_id="s2")


def test_a_note_with_a_secret_is_not_given(here: Place) -> None:
    token = "gh" + "p_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
    here.write("tools/py.md", note(f"Sort {token}.", "Imports", applies_to="['*.py']"))
    here.sync()
    assert touch(here, "a.py") == ""
