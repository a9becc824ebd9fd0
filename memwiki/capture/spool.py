"""The spool: one file a payload, written so that a killed writer leaves nothing that looks finished.

`spool/<name>` is reserved empty (O_EXCL), header and payload go to `spool/.<name>`, and a rename makes it whole. So: a
file of zero bytes is a reservation, a dotted name is unfinished, all else is complete. The name is the writer's process
id, with an `x` more at each clash; order is that of `place`. The hook script follows the same rules in sh.
"""

import posix
import select

from ..hosts import HERE

MARK = b"memwiki1 "
LARGEST = 16 * 1024 * 1024  # bytes of a payload that is parsed, by a hook or by the drain
PIDS = 1 << 22  # more than any process id: where a name has grown long, it begins anew above them


def spool(home: str, host: str, native: str, folder: str, raw: bytes, rest: int = -1) -> str:
    """Write one payload into the spool of `home` and give the file's name; OSError when that cannot be done.

    Where `raw` is but its beginning, `rest` is the file descriptor from which the rest is copied.
    """
    name, flags = str(posix.getpid()), posix.O_WRONLY | posix.O_CREAT | posix.O_CLOEXEC
    while True:
        try:
            posix.close(posix.open(f"{home}/spool/{name}", flags | posix.O_EXCL, 0o600))
            break
        except FileExistsError:
            name = f"{name}x" if len(name) < 200 else str(int(name.rstrip("x")) + PIDS)
    temporary = f"{home}/spool/.{name}"
    try:
        fd = posix.open(temporary, flags | posix.O_TRUNC, 0o600)
        try:
            for data in (header(host, native, folder), raw):
                left = memoryview(data)
                while left:
                    left = left[posix.write(fd, left) :]
            while rest >= 0 and (part := _part(rest, 1.0)):
                left = memoryview(part)
                while left:
                    left = left[posix.write(fd, left) :]
        finally:
            posix.close(fd)
        posix.rename(temporary, f"{home}/spool/{name}")
    except OSError:
        for path in (temporary, f"{home}/spool/{name}"):
            try:
                posix.unlink(path)
            except OSError:
                continue  # a spool that has become unwritable keeps it; the drain drops and counts it
        raise
    return name


def header(host: str, native: str, folder: str) -> bytes:
    """The line before a payload: `memwiki1 <host> <native event> <project folder or empty>`."""
    folder = "" if "\n" in folder else folder
    return MARK + f"{host} {native} {folder}\n".encode("utf-8", "surrogateescape")


def place(name: str, mtime_ns: int) -> tuple[int, int, str]:
    """The sort key of a spool file. File systems' clocks tick every 4 ms: within a tick, process ids say the order."""
    return mtime_ns, int(name.rstrip("x")) if name.rstrip("x").isdecimal() else 0, name


def split(data: bytes) -> tuple[str, str, str, bytes]:
    """(host, native event, folder, payload) of a spool file's bytes; ValueError when the header is not ours."""
    line, found, raw = data.partition(b"\n")
    parts = line.decode("utf-8", "surrogateescape").split(" ", 3)
    if not found or len(parts) != 4 or parts[0] != "memwiki1":
        raise ValueError("not a spool file")
    return parts[1], parts[2], parts[3], raw


def receive(fd: int = 0) -> bytes:
    """All of stdin, or its beginning where it is longer than `LARGEST`: then more than that.

    A host that does not close it is not waited for: after 50 ms without a byte, what is there is taken if it is one
    JSON object; after a second, whatever it is.
    """
    parts: list[bytes] = []
    size = 0
    while size <= LARGEST:
        part = _part(fd, 0.05)
        if part is None and not _is_object(b"".join(parts)):
            part = _part(fd, 0.95)
        if not part:
            break
        parts.append(part)
        size += len(part)
    return b"".join(parts)


def _part(fd: int, patience: float) -> bytes | None:
    """The next bytes, b"" at the end, None where none come within `patience` seconds."""
    return posix.read(fd, 1 << 20) if select.select([fd], [], [], patience)[0] else None


def _is_object(raw: bytes) -> bool:
    from json import loads  # only for a host that keeps stdin open

    try:
        return isinstance(loads(raw), dict)
    except ValueError:
        return False


def project_folder(host: str) -> str:
    """The folder of the project that a hook runs for, where the payload does not say it, else ""."""
    if host == "claude":  # Copilot, Qwen and Cursor set it too, to other things
        return posix.environ.get(b"CLAUDE_PROJECT_DIR", b"").decode("utf-8", "surrogateescape")
    return posix.getcwd() if host in HERE else ""


def warn(home: str, words: str) -> None:
    """One line in `log/hook.log`; silent when even that cannot be written, for a hook may not fail its host."""
    import time

    line = f"{time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime())} {words}\n"
    try:
        flags = posix.O_WRONLY | posix.O_APPEND | posix.O_CREAT | posix.O_NONBLOCK | posix.O_CLOEXEC
        log = posix.open(f"{home}/log/hook.log", flags, 0o600)  # a pipe that nobody reads is no reason to wait
        posix.write(log, line.encode("utf-8", "replace"))
    except OSError:
        return
