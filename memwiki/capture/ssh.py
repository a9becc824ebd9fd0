"""The host that an alias of ssh stands for: people with two accounts at one forge give it two names."""

import posix

_FORGES = ("github.com", "gitlab.com", "bitbucket.org")


def host_of(alias: str) -> str:
    """The HostName that `~/.ssh/config` gives `alias`, else the forge after which it is named; else `alias` itself.

    `Include`, `Match` and patterns in that file are not followed.
    """
    home = posix.environ.get(b"HOME", b"").decode("utf-8", "surrogateescape")
    ours = False
    for line in _lines(f"{home}/.ssh/config"):
        word, *values = line.replace("=", " ", 1).replace('"', " ").lower().split()
        if word in ("host", "match"):
            ours = word == "host" and alias in values
        elif ours and word == "hostname" and values and "%" not in values[0]:
            return values[0]
    for forge in _FORGES:
        name = forge.partition(".")[0]
        if alias == name or alias.startswith((f"{forge}-", f"{name}-", f"{name}_")):
            return forge
    return alias


def _lines(path: str) -> list[str]:
    """The lines of a settings file that say something; [] when it cannot be read."""
    try:
        file = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC | posix.O_NONBLOCK)
        try:
            text = posix.read(file, 1 << 16).decode("utf-8", "replace")
        finally:
            posix.close(file)
    except OSError:
        return []
    return [line for line in text.splitlines() if line.strip() and line.lstrip()[0] != "#"]
