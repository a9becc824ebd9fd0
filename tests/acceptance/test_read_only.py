"""A home that cannot be written is still read; what would write says so in one sentence."""

import os
import shutil
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import memwiki
from memwiki.errors import MemwikiError

NOBODY = 65534


@pytest.fixture
def sealed(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A home with one synced note, owned by nobody where the tests run as root, without any right to write."""
    top = Path(tempfile.mkdtemp())
    top.chmod(0o755)
    monkeypatch.setenv("MEMWIKI_HOME", str(top / "home"))
    memwiki.setup()
    with memwiki.open() as m:
        (m.config.vault / "tools" / "uv.md").write_text("# uv\n\n- use uv for packages\n", "utf-8")
        m.sync()
    for path in (top / "home", *(top / "home").rglob("*")):
        path.chmod(path.stat().st_mode & ~0o222)
        if os.geteuid() == 0:
            os.chown(path, NOBODY, NOBODY)
    yield top / "home"
    for path in (top / "home", *(top / "home").rglob("*")):
        path.chmod(path.stat().st_mode | 0o700)
    shutil.rmtree(top)


def unprivileged(body: Callable[[], None]) -> None:
    """Run `body` in a child that root's rights do not help; it must not raise."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            if os.geteuid() == 0:
                os.setuid(NOBODY)
            body()
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stderr.flush()
            os._exit(code)
    assert os.waitpid(child, 0)[1] == 0


def test_a_home_that_cannot_be_written_is_read(sealed: Path) -> None:
    import memwiki.recall.explain
    import memwiki.status  # imported while everything may be read

    def reads() -> None:
        with memwiki.open() as m:
            assert [note.path for note in m.notes()] == ["tools/uv.md"]
            assert [hit.path for hit in m.search("uv packages")] == ["tools/uv.md"]
            assert m.sessions() == []

    unprivileged(reads)


def test_what_would_write_there_says_so(sealed: Path) -> None:
    def writes() -> None:
        with memwiki.open() as m:
            try:
                m.sync()
            except MemwikiError as error:
                assert "writable" in error.remedy
            else:
                raise AssertionError("it synced")

    unprivileged(writes)
