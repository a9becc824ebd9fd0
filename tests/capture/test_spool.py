"""The spool by the launcher's rules: whole files, unique names, nothing left behind."""

import errno
import os
import threading
from pathlib import Path

import pytest

from memwiki.capture.spool import place, receive, split, spool
from memwiki.config import Home


def test_a_payload_comes_back_as_it_went_in(place: Home) -> None:
    raw = b'\xef\xbb\xbf{"prompt": "\xff\n\x00"}\n\nmemwiki1 x y z\n'
    name = spool(str(place.path), "claude", "UserPromptSubmit", "/home/a b/\udce9", raw)
    file = place.spool / name
    assert split(file.read_bytes()) == ("claude", "UserPromptSubmit", "/home/a b/\udce9", raw)
    assert file.stat().st_mode & 0o777 == 0o600
    assert [one.name for one in place.spool.iterdir()] == [name]


def test_a_folder_with_a_newline_cannot_forge_a_header(place: Home) -> None:
    name = spool(str(place.path), "claude", "Stop", "/a\nmemwiki1 b", b"{}")
    assert split((place.spool / name).read_bytes()) == ("claude", "Stop", "", b"{}")


def test_a_name_in_use_is_never_written_over(place: Home) -> None:
    names = [spool(str(place.path), "codex", "Stop", "", f"{n}".encode()) for n in range(4)]
    assert len(set(names)) == 4
    assert [split((place.spool / name).read_bytes())[3] for name in names] == [b"0", b"1", b"2", b"3"]


def test_threads_do_not_lose_each_others_events(place: Home) -> None:
    def write(number: int) -> None:
        spool(str(place.path), "codex", "Stop", "", str(number).encode() * 50_000)

    threads = [threading.Thread(target=write, args=(n,)) for n in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found = sorted(split(file.read_bytes())[3] for file in place.spool.iterdir())
    assert found == sorted(str(n).encode() * 50_000 for n in range(20))


def test_a_spool_that_cannot_be_written_is_an_oserror_and_leaves_nothing(place: Home) -> None:
    place.spool.rmdir()
    with pytest.raises(FileNotFoundError):
        spool(str(place.path), "claude", "Stop", "", b"{}")
    place.spool.write_bytes(b"a file where the folder should be")
    with pytest.raises(OSError) as caught:
        spool(str(place.path), "claude", "Stop", "", b"{}")
    assert caught.value.errno == errno.ENOTDIR


@pytest.mark.parametrize(
    "data", [b"", b"{}", b"memwiki2 claude Stop \n{}", b"memwiki1 claude\n{}", b"memwiki1 claude Stop "]
)
def test_what_has_no_header_is_told_apart(data: bytes) -> None:
    with pytest.raises(ValueError, match="not a spool file"):
        split(data)


def test_stdin_that_stays_open_does_not_hold_the_hook() -> None:
    into, out = os.pipe()
    os.write(out, b'{"prompt": "whole"}')
    assert receive(into) == b'{"prompt": "whole"}'  # nobody closed it
    os.write(out, b'{"prompt": "half')
    assert receive(into) == b'{"prompt": "half'
    os.close(out)
    assert receive(into) == b""
    os.close(into)


def test_one_process_may_leave_many_payloads_before_a_drain(tmp_path: Path) -> None:
    (tmp_path / "spool").mkdir()
    names = [spool(str(tmp_path), "claude", "Stop", "", b"{}") for _ in range(450)]
    assert max(map(len, names)) < 255
    assert sorted(names, key=lambda name: place(name, 0)) == names
