"""Memory to index: what counts as memory now, only what changed is read, and nothing depends on the way there."""

import os
import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memwiki.index import notes, row, store
from memwiki.index.report import OutOfTime
from memwiki.vault.git import Git

CASES = Path(__file__).parent.parent / "cases"


def test_memory_is_the_tip_with_what_the_person_is_writing(vault: Any) -> None:
    vault.write("tools/pnpm.md", "committed")
    vault.write("README.md", "no note")
    vault.write(".obsidian/state.md", "no note")
    vault.commit()
    vault.write("tools/pnpm.md", "edited")
    vault.write("new.md", "untracked")
    vault.write("staged.md", "staged")
    vault.git("add", "staged.md")
    assert vault.sync() == 3
    assert vault.texts() == {"new.md": "untracked", "staged.md": "staged", "tools/pnpm.md": "edited"}
    assert vault.sync() == 0


def test_notes_before_the_first_commit_are_memory(vault: Any) -> None:
    vault.write("a.md", "one")
    vault.write("b/c.md", "two")
    vault.git("add", "b")
    assert vault.sync() == 2
    vault.commit()
    assert vault.sync() == 0
    assert vault.texts() == {"a.md": "one", "b/c.md": "two"}


@pytest.mark.parametrize("state", ["branch", "detached", "merge", "rebase", "bisect"])
def test_while_the_work_tree_is_something_else_the_tip_serves(vault: Any, state: str) -> None:
    vault.write("a.md", "one\n")
    vault.write("b.md", "two\n")
    vault.commit()
    vault.write("a.md", "edited and not committed\n")
    vault.sync()
    vault.git("stash", "--quiet")
    vault.git("branch", "other")
    vault.write("a.md", "main's\n")
    vault.commit()
    tip = vault.git("rev-parse", "main")
    vault.git("checkout", "--quiet", "other")
    vault.write("a.md", "PENDING\n")
    vault.write("c.md", "PENDING\n")
    vault.commit()
    if state == "detached":
        vault.git("checkout", "--quiet", "--detach")
    elif state == "merge":
        vault.git("checkout", "--quiet", "main")
        subprocess.run(["git", "-C", vault.top, "merge", "other"], capture_output=True)
        assert (vault.top / ".git/MERGE_HEAD").exists()
    elif state == "rebase":
        subprocess.run(["git", "-C", vault.top, "rebase", "main"], capture_output=True)
        assert (vault.top / ".git/rebase-merge").exists()
    elif state == "bisect":
        vault.git("checkout", "--quiet", "main")
        vault.git("bisect", "start", "other", "main")
    vault.write("untracked.md", "PENDING\n")
    vault.sync()
    assert vault.git("rev-parse", "main") == tip
    assert vault.texts() == {"a.md": "main's\n", "b.md": "two\n"}


def test_what_was_taken_from_the_disk_is_looked_at_again(vault: Any) -> None:
    vault.write("a.md", "one")
    vault.commit()
    vault.write("a.md", "edited")
    vault.write("new.md", "untracked")
    vault.sync()
    vault.git("checkout", "--quiet", "--", "a.md")
    (vault.top / "new.md").unlink()
    assert vault.sync() == 2
    assert vault.texts() == {"a.md": "one"}
    vault.git("rm", "--quiet", "a.md")
    vault.sync()
    assert vault.texts() == {}


def test_a_pass_that_died_on_another_branchs_text_is_mended(vault: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    vault.write("a.md", "one")
    vault.commit()
    vault.sync()
    vault.write("a.md", "edited")

    def die(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(store, "resolve", die)  # after the batch, before the mark moves
        with pytest.raises(KeyboardInterrupt):
            vault.sync()
    assert vault.texts() == {"a.md": "edited"}
    vault.git("checkout", "--quiet", "-b", "other")
    vault.git("commit", "--quiet", "-am", "there")
    vault.sync()
    assert vault.texts() == {"a.md": "one"}


def test_a_switch_of_branches_during_the_pass_is_seen(vault: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    vault.write("a.md", "one")
    vault.commit()
    vault.git("branch", "other")
    vault.write("a.md", "edited")
    real = row.row_of
    switched = []

    def slow(path: str, data: bytes) -> Any:
        if not switched:
            switched.append(vault.git("checkout", "--quiet", "other"))
        return real(path, data)

    monkeypatch.setattr(row, "row_of", slow)
    vault.sync()
    assert vault.texts() == {"a.md": "one"}


def test_only_what_changed_is_analysed(vault: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for i in range(30):
        vault.write(f"n{i}.md", f"note {i}")
    vault.commit()
    vault.sync()
    seen: list[str] = []
    real = row.row_of

    def counted(path: str, data: bytes) -> Any:
        seen.append(path)
        return real(path, data)

    monkeypatch.setattr(row, "row_of", counted)
    vault.write("n3.md", "changed")
    vault.write("n4.md", "changed")
    vault.sync()
    vault.commit()
    vault.sync()
    os.utime(vault.top / "n5.md")
    vault.git("checkout", "--quiet", "-b", "other")
    vault.sync()
    vault.git("checkout", "--quiet", "main")
    vault.sync()
    assert seen == ["n3.md", "n4.md"]


def test_a_write_within_the_clocks_grain_is_not_missed(vault: Any) -> None:
    file = vault.write("a.md", "old!")
    now = time.time_ns()
    os.utime(file, ns=(now, now))
    vault.sync()
    file.write_text("new!")
    os.utime(file, ns=(now, now))
    assert vault.sync() == 1
    assert vault.texts() == {"a.md": "new!"}


def test_links_elsewhere_follow_notes_that_come_and_go(vault: Any) -> None:
    vault.write("a.md", "[[pnpm]] and [[gone]] and [md](tools/yarn.md)\n")
    vault.write("tools/pnpm.md", "see [[a]]\n")
    vault.commit()
    vault.sync()
    links = vault.index.links("a.md")
    assert (links.out, links.back) == (("tools/pnpm.md",), ("tools/pnpm.md",))
    assert [(one.line, one.target) for one in links.broken] == [(1, "gone"), (1, "tools/yarn.md")]

    vault.write("x/gone.md", "here")
    vault.write("tools/yarn.md", "here")
    vault.sync()
    assert vault.index.links("a.md").out == ("tools/pnpm.md", "tools/yarn.md", "x/gone.md")
    assert vault.index.links("a.md").broken == ()

    vault.write("y/pnpm.md", "a second one: the name is no longer unique")
    (vault.top / "x/gone.md").unlink()
    vault.sync()
    assert vault.index.links("a.md").out == ("tools/yarn.md",)
    assert [one.target for one in vault.index.links("a.md").broken] == ["pnpm", "gone"]
    assert vault.index.links("tools/pnpm.md").back == ()

    (vault.top / "y/pnpm.md").unlink()
    vault.git("mv", "a.md", "b.md")
    vault.sync()
    assert vault.index.links("b.md").out == ("tools/pnpm.md", "tools/yarn.md")
    assert [one.target for one in vault.index.links("tools/pnpm.md").broken] == ["a"]
    assert vault.answers() == vault.answers(vault.fresh())


def test_any_history_ends_in_the_same_answers_as_a_build_from_nothing(vault: Any) -> None:
    dice = random.Random(7)
    names = [f"{folder}{name}.md" for folder in ("", "tools/", "Tools/", "x/y/") for name in ("a", "b", "C", "é")]
    vault.write("first.md", "one")
    vault.commit()
    for step in range(60):
        name = dice.choice(names)
        file = vault.top / name
        match dice.randrange(8):
            case 0 | 1 | 2 | 3:
                link = dice.choice(names).removesuffix(".md")
                vault.write(name, f"---\ntags: [t{step % 3}]\n---\n[[{link}]] [x]({dice.choice(names)}) {step}\n")
            case 4 if file.exists():
                file.unlink()
            case 5:
                vault.commit()
            case 6:
                vault.git("checkout", "--quiet", "-B", "side")
                vault.write("side.md", str(step))
                vault.commit()
                vault.sync()
                vault.git("checkout", "--quiet", "main")
            case _:
                vault.sync()
        if step % 10 == 9:
            vault.sync()
            assert vault.answers() == vault.answers(vault.fresh()), step


def test_a_lost_commit_and_another_vault_are_read_whole(vault: Any, tmp_path: Path, git: Callable[..., str]) -> None:
    vault.write("a.md", "one")
    vault.commit()
    vault.sync()
    state = vault.index.state("seen")
    vault.index.remember("seen", {**state, "commit": "1" * 40})
    vault.write("b.md", "two")
    vault.commit()
    vault.sync()
    assert vault.texts() == {"a.md": "one", "b.md": "two"}
    other = tmp_path / "other"
    git(tmp_path, "init", "--quiet", "--initial-branch", "main", str(other))
    (other / "c.md").write_text("three")
    notes.take_in(vault.index, Git(other))
    assert vault.texts() == {"c.md": "three"}


def test_out_of_time_keeps_what_was_done(vault: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notes, "_BATCH", 5)
    for i in range(12):
        vault.write(f"n{i:02}.md", f"note {i}")
    vault.commit()
    with pytest.raises(OutOfTime):
        notes.take_in(vault.index, Git(vault.top), time.monotonic())
    assert len(vault.texts()) == 5
    assert vault.sync() == 7


def test_a_nested_repository_and_a_submodule_hold_no_notes(vault: Any, git: Callable[..., str]) -> None:
    vault.write("a.md", "one")
    vault.write("inner/x.md", "not ours")
    git(vault.top / "inner", "init", "--quiet")
    vault.sync()
    assert vault.texts() == {"a.md": "one"}
    git(vault.top / "inner", "add", "x.md")
    git(vault.top / "inner", "commit", "--quiet", "-m", "x")
    vault.git("-c", "protocol.file.allow=always", "add", "inner")  # becomes a gitlink
    vault.commit()
    vault.sync()
    assert vault.texts() == {"a.md": "one"}


def test_names_and_texts_that_are_not_utf8_are_named_and_do_no_harm(vault: Any) -> None:
    vault.write("z.md", "fine")
    vault.write("latin.md", b"caf\xe9 LATINWORD\n")
    vault.write("zero.md", b"a\0b")
    vault.write("surrogate.md", '---\ntitle: "\\ud800x"\n---\nbody\n')
    Path(os.fsdecode(os.fsencode(vault.top) + b"/caf\xe9.md")).write_text("name")
    vault.sync()
    assert set(vault.texts()) == {"latin.md", "surrogate.md", "z.md", "zero.md"}
    named = {(fault.path, fault.kind) for fault in vault.index.faults()}
    assert {("caf\ufffd.md", "path"), ("latin.md", "frontmatter")} <= named
    vault.commit()
    vault.sync()
    assert vault.answers() == vault.answers(vault.fresh())


def test_a_note_over_64_kib_is_indexed_by_its_beginning(vault: Any) -> None:
    vault.write("big.md", "# Big\n" + "line of words\n" * 6000 + "LASTWORD\n")
    vault.sync()
    (fault,) = vault.index.faults()
    assert (fault.path, fault.line, fault.kind) == ("big.md", 0, "size")
    assert len(vault.texts()["big.md"].encode()) <= 64 * 1024 and vault.texts()["big.md"].endswith("words\n")


def test_a_note_with_a_secret_is_flagged_and_named(vault: Any) -> None:
    token = "ghp_" + "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5"
    vault.write("a.md", f"fine\n\nthe token is {token}\n")
    vault.sync()
    assert vault.index.rows("SELECT path, secret FROM notes") == [("a.md", 1)]
    (fault,) = vault.index.faults()
    assert (fault.path, fault.line, fault.kind) == ("a.md", 3, "secret")
    assert token[:12] not in str(fault)
    vault.write("a.md", "fine\n")
    vault.sync()
    assert vault.index.rows("SELECT path, secret FROM notes") == [("a.md", 0)]
    assert vault.index.faults() == []


def test_case_18_notes_with_broken_frontmatter_are_known_by_their_body(vault: Any) -> None:
    for file in (CASES / "18-fm-unparseable-yaml/vault/tools").iterdir():
        vault.write(f"tools/{file.name}", file.read_bytes())
    before = {path: path.read_bytes() for path in (vault.top / "tools").iterdir()}
    vault.commit()
    assert vault.sync() == 7
    assert {row.path: row.type for row in vault.index.notes()}["tools/good1.md"] == "fact"
    assert vault.index.tags() == {"a": 1, "b": 1}
    bad = {"colon", "star", "unclosed", "wikilist", "winpath"}
    faults = [fault for fault in vault.index.faults() if fault.kind == "frontmatter"]
    assert {fault.path for fault in faults} == {f"tools/{name}.md" for name in bad} and len(faults) == 5
    assert all(fault.line >= 1 and fault.message for fault in faults)
    assert all("MARK-" in text for text in vault.texts().values())
    assert {path: path.read_bytes() for path in (vault.top / "tools").iterdir()} == before
    vault.write("tools/good1.md", "a change after the bad ones")
    assert vault.sync() == 1


def test_case_19_a_second_block_is_reported_and_its_words_are_found(vault: Any) -> None:
    for file in (CASES / "19-fm-no-second-block/vault/tools").iterdir():
        vault.write(f"tools/{file.name}", file.read_bytes())
    vault.sync()
    assert [(fault.path, fault.line) for fault in vault.index.faults()] == [("tools/b.md", 5)]
    analysis = dict(vault.index.rows("SELECT path, analysis FROM notes"))
    assert b"zulu" in analysis["tools/b.md"]
    assert vault.index.notes()[0].description == "what A explains"


def test_case_24_duplicates_tabs_tags_and_bombs_cost_nothing(vault: Any) -> None:
    for file in (CASES / "24-fm-duplicates-tabs-bombs/vault").iterdir():
        vault.write(file.name, file.read_bytes())
    script = (
        "import resource, sys; from pathlib import Path; from memwiki.vault.git import Git\n"
        "from memwiki.index import notes; from memwiki.index.sqlite import SqliteIndex\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "notes.take_in(SqliteIndex(Path(sys.argv[2])), Git(Path(sys.argv[1])))\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)\n"
    )
    started = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", script, vault.top, vault.index.path], capture_output=True, text=True, check=True
    )
    assert time.monotonic() - started < 5 and int(done.stdout) < 50 * 1024 * (1024 if sys.platform == "darwin" else 1)
    faults = {fault.path: fault.line for fault in vault.index.faults()}
    assert {"dup.md", "tab.md", "template.md", "tagged.md", "bomb.md", "deep.md"} <= faults.keys()
    assert faults["dup.md"] == 4
    for name, word in (("dup", "DUPBODY"), ("tab", "TABBODY"), ("template", "TPLBODY"), ("tagged", "TAGBODY")):
        assert word in vault.texts()[f"{name}.md"]
    assert not Path("/tmp/memwiki-pwned").exists()


def test_case_28_links_are_not_followed_and_are_named_once(tmp_path: Path, git: Callable[..., str]) -> None:
    import json

    from memwiki.index.sqlite import SqliteIndex

    case = CASES / "28-fs-symlinks"
    target = tmp_path / "case"
    subprocess.run(["bash", case / "setup.sh", target], check=True)
    top = target / "vault-link"  # 28.4: the root itself is reached through a link
    git(top, "init", "--quiet", "--initial-branch", "main")
    for index in ("untracked", "committed"):
        if index == "committed":
            git(top, "add", "--all")
            git(top, "commit", "--quiet", "-m", "all")
        found = SqliteIndex(tmp_path / f"{index}.db")
        started = time.monotonic()
        notes.take_in(found, Git(top))
        assert time.monotonic() - started < 5
        expected = json.loads((case / "expect.json").read_text())["indexed"]
        assert [row.path for row in found.notes()] == expected
        assert "OUTSIDE" not in str(found.rows("SELECT * FROM notes"))
        named = [fault.path for fault in found.faults()]
        assert sorted(named) == sorted(set(named))
        assert {"tools/loop", "tools/dangling.md"} <= set(named)


def test_a_folder_that_became_a_link_is_not_read_through(vault: Any, tmp_path: Path) -> None:
    vault.write("a/x.md", "ours")
    vault.commit()
    vault.sync()
    outside = tmp_path / "outside"
    (vault.top / "a").rename(outside)
    (outside / "x.md").write_text("OUTSIDE")
    (vault.top / "a").symlink_to(outside)
    vault.sync()
    assert vault.texts() == {}


@pytest.mark.parametrize("name", ["vault-agent-memories", "vault-obsidian"])
def test_sample_vaults_are_read_whole_and_not_one_byte_changes(vault: Any, name: str) -> None:
    source = Path(__file__).parents[3] / "shared" / "samples" / name
    if not source.is_dir():
        pytest.skip("the sample vaults are not beside the checkout")
    from memwiki.vault.paths import is_note

    files = {file.relative_to(source).as_posix(): file for file in source.rglob("*") if file.is_file()}
    for path, file in files.items():
        vault.write(path, file.read_bytes())
    vault.sync()
    held = {fault.path for fault in vault.index.faults() if fault.kind == "conflict"}
    assert list(vault.texts()) == sorted(path for path in files if is_note(path) and path not in held)
    assert len(held) == (1 if name == "vault-agent-memories" else 0)  # one shows a conflict, unindented
    assert {path: (vault.top / path).read_bytes() for path in files} == {p: f.read_bytes() for p, f in files.items()}
    broken = [fault for fault in vault.index.faults() if fault.kind == "frontmatter"]
    assert len(broken) >= (28 if name == "vault-obsidian" else 0)
    assert all(fault.line >= 1 and fault.message for fault in broken)
    vault.commit()
    assert vault.sync() == 0
