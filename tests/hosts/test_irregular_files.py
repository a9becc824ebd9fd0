"""What stands in a settings file's place and is not a regular file: refused in a sentence, never waited for."""

import os
import socket
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memwiki.config import Home, load
from memwiki.errors import MemwikiError
from memwiki.hosts import NAMES
from memwiki.hosts.link import findings, link, survey, unlink
from memwiki.hosts.parts import parts
from memwiki.hosts.rules import rules_file


def fifo(path: Path) -> None:
    os.mkfifo(path)


def device(path: Path) -> None:
    path.symlink_to("/dev/null")


def endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


def directory(path: Path) -> None:
    path.mkdir()


def loop(path: Path) -> None:
    path.symlink_to(path)


def listening(path: Path) -> None:
    here = Path.cwd()
    os.chdir(path.parent)  # a socket's path may have 108 bytes
    try:
        socket.socket(socket.AF_UNIX).bind(path.name)
    finally:
        os.chdir(here)


KINDS = (
    (fifo, "It is a FIFO, not a regular file"),
    (device, "It is a device, not a regular file"),
    (endless, "It is a device, not a regular file"),
    (directory, "It is a directory, not a regular file"),
    (listening, "It is a socket, not a regular file"),
    (loop, "Too many levels of symbolic links"),
)


@pytest.fixture
def place(home: Path) -> Iterator[Home]:
    made = Home(home / ".memwiki")
    made.make()
    yield made


@pytest.mark.timeout(60)
@pytest.mark.parametrize(("make", "words"), KINDS, ids=[make.__name__ for make, _ in KINDS])
def test_a_settings_file_of_another_kind_is_refused(place: Home, make: Callable[[Path], None], words: str) -> None:
    for name in NAMES:
        for file in {part.path for part in parts(place, name)}:
            file.parent.mkdir(parents=True, exist_ok=True)
            if not os.path.lexists(file):
                make(file)
        file = parts(place, name)[0].path
        before = os.lstat(file)
        with pytest.raises(MemwikiError) as refused:
            link(place, name)
        assert refused.value.message.startswith("Cannot read ")
        assert refused.value.message.endswith(f": {words}.")
        assert os.lstat(file) == before
        assert not stat.S_ISREG(before.st_mode)
    said = "\n".join(one.message for one in findings(place, load(place)))
    assert str(parts(place, "claude")[0].path) in said
    assert {one.state for one in survey(place)} == {"broken"}


@pytest.mark.timeout(60)
@pytest.mark.parametrize("make", [fifo, device, loop, listening], ids=lambda make: make.__name__)
def test_a_linked_file_that_became_another_kind_is_not_waited_for(place: Home, make: Callable[[Path], None]) -> None:
    for name in ("claude", "windsurf", "opencode"):
        link(place, name)
    file, rules = parts(place, "claude")[0].path, rules_file("windsurf")
    assert rules is not None
    for path in (file, rules, parts(place, "opencode")[0].path):
        path.unlink()
        make(path)
    assert str(file) in "\n".join(one.message for one in findings(place, load(place)))
    for name in ("claude", "windsurf", "opencode"):
        with pytest.raises(MemwikiError, match="Cannot read"):
            unlink(place, name)
    assert not stat.S_ISREG(os.lstat(file).st_mode)
    record = next(place.backup.glob("codex-*.json"), place.backup / "codex-0.json")
    make(record)
    assert str(record) in "\n".join(one.message for one in findings(place, load(place)))


def test_a_config_that_is_a_device_is_refused_and_stays(home: Path) -> None:
    made = Home(home / ".memwiki")
    made.make()
    made.config.symlink_to("/dev/null")
    with pytest.raises(MemwikiError, match=r"config\.toml is not a file"):
        load(made)
    assert made.config.is_symlink()
