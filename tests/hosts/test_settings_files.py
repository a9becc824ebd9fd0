"""Linking and unlinking over a table of settings files as people have them: byte for byte, or refused and untouched."""

import json
import os
import re
import stat
import subprocess
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from memwiki.config import Home
from memwiki.errors import MemwikiError
from memwiki.hosts import registration
from memwiki.hosts.link import link, unlink
from memwiki.hosts.registration import settings_file, wanted
from tests.hosts.settings_files import BROKEN, WHOLE, Sample

Run = Callable[..., subprocess.CompletedProcess[str]]
TOKENS = re.compile(r'"(?:[^"\\]|\\.)*"|//[^\r\n]*|/\*.*?\*/|,(?=(?:\s|//[^\r\n]*|/\*.*?\*/)*[}\]])', re.DOTALL)
THEIRS = b'"theirs": [ 1 ], '


def named(sample: Sample) -> str:
    """A test's name."""
    return f"{sample.host}: {sample.what}"


@pytest.fixture
def place(home: Path) -> Home:
    """A home."""
    made = Home(home / ".memwiki")
    made.make()
    return made


def put(sample: Sample, mode: int = 0o644) -> Path:
    """The sample's file where its host reads it."""
    file = settings_file(sample.host)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(sample.data)
    file.chmod(mode)
    return file


def read(data: bytes) -> Any:
    """What a host reads: JSON without comments and last commas, by another reader than the product's."""
    text = TOKENS.sub(lambda token: token[0] if token[0][0] == '"' else "", data.decode("utf-8-sig"))
    return json.loads(text) if text.strip() else {}


def commands(value: Any) -> list[tuple[str, str]]:
    """(event, command) of all hooks in a settings file, in order."""
    found = []
    for event, listed in value.get("hooks", {}).items():
        for group in listed if isinstance(listed, list) else ():
            for handler in group.get("hooks", [group]) if isinstance(group, dict) else ():
                found.append((event, handler.get("command") or handler.get("bash")))
    return found


@pytest.mark.parametrize("sample", WHOLE, ids=named)
def test_linked_and_unlinked_byte_for_byte(place: Home, sample: Sample) -> None:
    file = put(sample, 0o600 if sample.host == "claude" else 0o644)
    before, mode = read(sample.data), file.stat().st_mode
    assert link(place, sample.host).changed
    now = read(file.read_bytes())
    ours = {(event, one.get("command") or one.get("bash")) for event, one in wanted(sample.host, place).items()}
    assert [one for one in commands(now) if one not in ours] == commands(before)
    assert sorted(one for one in commands(now) if one in ours) == sorted(ours)
    assert {key: one for key, one in now.items() if key not in ("hooks", "version")} == {
        key: one for key, one in before.items() if key not in ("hooks", "version")
    }
    linked = file.read_bytes()
    assert not link(place, sample.host).changed
    assert (file.read_bytes(), file.stat().st_mode) == (linked, mode)
    assert unlink(place, sample.host).changed
    assert (file.read_bytes(), file.stat().st_mode) == (sample.data, mode)
    assert not unlink(place, sample.host).changed
    assert (file.read_bytes(), file.stat().st_mode) == (sample.data, mode)


@pytest.mark.parametrize("sample", WHOLE, ids=named)
def test_what_another_tool_wrote_meanwhile_stays(place: Home, sample: Sample) -> None:
    file = put(sample)
    link(place, sample.host)
    file.write_bytes(file.read_bytes().replace(b"{", b"{" + THEIRS, 1))
    unlink(place, sample.host)
    left, old = file.read_bytes(), read(sample.data)
    assert b".memwiki/bin/hook" not in left
    kept = read(left)
    assert kept.pop("theirs") == [1]
    assert commands(kept) == commands(old)
    if commands(old) and "version" not in kept.keys() - old.keys():  # nothing of theirs was empty: the bytes are back
        assert left == sample.data.replace(b"{", b"{" + THEIRS, 1)


@pytest.mark.parametrize("sample", [one for one in WHOLE if one.host == "claude"], ids=named)
def test_a_tool_that_writes_the_whole_file_anew(place: Home, sample: Sample) -> None:
    """As Claude Code itself does when a setting is changed in it."""
    file = put(sample)
    link(place, "claude")
    value = {**read(file.read_bytes()), "theirs": True}
    file.write_text(json.dumps(value, indent=2))
    unlink(place, "claude")
    left, old = read(file.read_bytes()), read(sample.data)
    assert left.pop("theirs") is True
    assert commands(left) == commands(old)
    assert {key: one for key, one in left.items() if key != "hooks"} == {
        key: one for key, one in old.items() if key != "hooks"
    }


@pytest.mark.parametrize("sample", BROKEN, ids=named)
def test_a_broken_file_is_refused_with_its_line(place: Home, sample: Sample) -> None:
    file = put(sample, 0o640)
    with pytest.raises(MemwikiError) as caught:
        link(place, sample.host)
    assert f"{file}, {sample.refused}" in caught.value.message
    assert caught.value.remedy
    with suppress(MemwikiError):  # it can be read, and holds nothing of ours
        assert not unlink(place, sample.host).changed
    assert (file.read_bytes(), stat.S_IMODE(file.stat().st_mode)) == (sample.data, 0o640)
    assert list(file.parent.iterdir()) == [file]
    assert list(place.backup.iterdir()) == []


def test_the_commands_themselves(run: Run, home: Path) -> None:
    """One file a host, by the real command: linked twice, unlinked twice; and the broken ones."""
    run("init")
    samples = {one.host: one for one in reversed(WHOLE)}
    files = {host: put(one) for host, one in samples.items()}
    for _ in range(2):
        run("link", *samples)
    assert all(b".memwiki/bin/hook" in file.read_bytes() for file in files.values())
    for _ in range(2):
        run("unlink", *samples)
    assert {host: file.read_bytes() for host, file in files.items()} == {
        host: one.data for host, one in samples.items()
    }
    for sample in {one.host: one for one in BROKEN}.values():
        file = put(sample)
        done = run("link", sample.host, check=False)
        assert done.returncode == 1
        assert f"{file}, {sample.refused}" in done.stderr
        assert len(done.stderr.splitlines()) == 2  # what is wrong, and what to do
        assert file.read_bytes() == sample.data
    assert "line" in run("link", "all").stdout  # those that can be linked are


BY_LINK = ("into a dotfiles repository", "relative", "through another link", "of the folder", "to nothing")


@pytest.mark.parametrize("kind", BY_LINK)
def test_symbolic_links_stay(place: Home, tmp_path: Path, kind: str) -> None:
    dotfiles = tmp_path / "dotfiles" / "claude" / "settings.json"
    dotfiles.parent.mkdir(parents=True)
    subprocess.run(["git", "init", "-q", str(tmp_path / "dotfiles")], check=True)
    file = settings_file("claude")
    text = WHOLE[0].data if kind != "to nothing" else b""
    if kind != "to nothing":
        dotfiles.write_bytes(text)
    if kind == "of the folder":
        file.parent.symlink_to(dotfiles.parent)
    else:
        file.parent.mkdir()
        target = dotfiles
        if kind == "relative":
            target = Path(os.path.relpath(dotfiles, file.parent))
        elif kind == "through another link":
            target = tmp_path / "between.json"
            target.symlink_to(dotfiles)
        file.symlink_to(target)
    links = [path for path in (file, file.parent, tmp_path / "between.json") if path.is_symlink()]
    ends = [os.readlink(path) for path in links]
    link(place, "claude")
    assert b".memwiki/bin/hook" in dotfiles.read_bytes()
    assert [path.name for path in dotfiles.parent.iterdir()] == ["settings.json"]
    unlink(place, "claude")
    assert [os.readlink(path) for path in links] == ends
    assert (dotfiles.read_bytes() if dotfiles.exists() else b"") == text


def test_a_link_to_itself_is_refused(place: Home) -> None:
    file = settings_file("claude")
    file.parent.mkdir()
    file.symlink_to(file)
    with pytest.raises(MemwikiError, match="Cannot read"):
        link(place, "claude")
    assert file.is_symlink()


def test_a_hard_link_stays_one(place: Home, tmp_path: Path) -> None:
    file = put(WHOLE[0], 0o600)
    os.link(file, tmp_path / "settings.json")
    for act, there in ((link, True), (unlink, False)):
        act(place, "claude")
        assert (b".memwiki/bin/hook" in (tmp_path / "settings.json").read_bytes()) == there
        assert file.samefile(tmp_path / "settings.json")
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert file.read_bytes() == WHOLE[0].data


def test_an_empty_file_with_a_hard_link(place: Home, tmp_path: Path) -> None:
    file = put(Sample("nothing", "claude", b""))
    os.link(file, tmp_path / "settings.json")
    link(place, "claude")
    unlink(place, "claude")
    assert file.read_bytes() == b""
    assert file.samefile(tmp_path / "settings.json")


def test_a_registration_that_cannot_be_renewed_is_still_known(place: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """A later version has more hooks, and no room to write them: what was linked can be taken back byte for byte."""
    file = put(WHOLE[0])
    later = registration.registration("claude")
    earlier = {"hooks": {event: later["hooks"][event] for event in ("SessionStart", "Stop")}}
    with monkeypatch.context() as then:
        then.setattr(registration, "registration", lambda name: earlier)
        link(place, "claude")

    def full(*_: object) -> None:
        raise MemwikiError("Cannot write it: No space left on device.", "Mend its rights or free space.")

    with monkeypatch.context() as then:
        then.setattr("memwiki.hosts.link.write", full)
        with pytest.raises(MemwikiError, match="No space left"):
            link(place, "claude")
    unlink(place, "claude")
    assert file.read_bytes() == WHOLE[0].data


@pytest.mark.parametrize("kind", ["file", "folder"])
def test_what_its_owner_made_read_only_is_refused(place: Home, kind: str) -> None:
    file = put(WHOLE[0])
    closed = file if kind == "file" else file.parent
    closed.chmod(0o444 if kind == "file" else 0o555)
    with pytest.raises(MemwikiError, match="is read-only") as caught:
        link(place, "claude")
    assert f"chmod u+w {closed}" in caught.value.remedy
    closed.chmod(0o755)
    assert file.read_bytes() == WHOLE[0].data
    assert list(file.parent.iterdir()) == [file]
    link(place, "claude")
    linked = file.read_bytes()
    closed.chmod(0o444 if kind == "file" else 0o555)
    with pytest.raises(MemwikiError, match="is read-only"):
        unlink(place, "claude")
    closed.chmod(0o755)
    assert file.read_bytes() == linked
    assert unlink(place, "claude").changed
    assert file.read_bytes() == WHOLE[0].data


def test_of_several_files_none_is_written_when_one_is_refused(place: Home, home: Path, tmp_path: Path) -> None:
    """Cursor in a project has hooks and a rules file; Claude with `--mcp` settings and a list of servers."""
    (tmp_path / ".cursor" / "rules").mkdir(parents=True)
    (tmp_path / ".cursor" / "rules" / "memwiki.mdc").write_bytes(b"\xff")
    with pytest.raises(MemwikiError, match="not UTF-8"):
        link(place, "cursor", tmp_path)
    assert not (tmp_path / ".cursor" / "hooks.json").exists()
    (home / ".claude.json").write_text("{ broken")
    file = put(WHOLE[0])
    with pytest.raises(MemwikiError, match="line 1"):
        link(place, "claude", mcp=True)
    assert file.read_bytes() == WHOLE[0].data
    assert list(place.backup.iterdir()) == []


def test_a_file_that_needs_no_change_may_be_read_only(place: Home, home: Path) -> None:
    """As one that another tool makes, hooks included."""
    file = put(WHOLE[0])
    file.chmod(0o444)
    assert not unlink(place, "claude").changed
    file.chmod(0o644)
    link(place, "claude")
    file.chmod(0o444)
    assert not link(place, "claude").changed
    file.chmod(0o644)
    assert unlink(place, "claude").changed


@pytest.mark.parametrize("state", ["broken", "read-only"])
def test_a_list_of_servers_that_holds_none_of_ours_hinders_nothing(place: Home, home: Path, state: str) -> None:
    servers, file = home / ".claude.json", put(WHOLE[0])
    servers.write_text("{ broken" if state == "broken" else "{}")
    servers.chmod(0o444 if state == "read-only" else 0o644)
    link(place, "claude")
    assert unlink(place, "claude").changed
    assert file.read_bytes() == WHOLE[0].data
    servers.chmod(0o644)
    servers.write_text("{}")
    link(place, "claude", mcp=True)
    whole = servers.read_text()
    servers.write_text(whole + "x")
    with pytest.raises(MemwikiError, match="text after the end"):
        unlink(place, "claude")
    servers.write_text(whole)
    assert unlink(place, "claude").changed
    assert (file.read_bytes(), servers.read_text()) == (WHOLE[0].data, "{}")
