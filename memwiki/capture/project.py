"""Which project a folder belongs to, read from git's own files: no git process, so that a hook can afford it."""

import posix

from ..hosts.codec import digest


def project_of(folder: str) -> tuple[str, str, str]:
    """(key, top folder of the work tree, branch) of the repository around `folder`; "" each where there is none.

    The key is `origin`'s address, else the only remote's, as `host/owner/repo` in lower case; without a remote (or with
    one that is a folder on this machine) `local/<folder>-<8 hex of its path>`. Worktrees share their repository's key,
    submodules have their own. The branch is "" on a detached HEAD.
    """
    top = folder.rstrip("/") or "/" if folder.startswith("/") else ""
    while top:
        git = _git_dir(top)
        if git:
            break
        top = "" if top == "/" else top.rpartition("/")[0] or "/"
    else:
        return "", "", ""
    common = _joined(git, _read(git + "/commondir").strip() or ".")
    head = _read(git + "/HEAD").strip()
    branch = head[16:] if head.startswith("ref: refs/heads/") and head != "ref: refs/heads/.invalid" else ""
    main = common.removesuffix("/.git") if common.endswith("/.git") else common if common != git else top
    return _key(_remote(_read(common + "/config")), main), top, branch


def slug(key: str) -> str:
    """The folder below `project/` that holds the notes of the project `key`: `<owner>-<repo>`."""
    name = "-".join(key.split("/")[-2:]).lower()
    return "".join(letter if letter.isalnum() or letter in "._-" else "-" for letter in name).lstrip(".")


def _git_dir(top: str) -> str:
    """The git folder of the work tree `top`, "" when `top` is none: `.git` itself, or where that file points."""
    git = top.rstrip("/") + "/.git"
    if not _read(git + "/HEAD"):
        pointer = _read(git)
        git = _joined(top, pointer[8:].strip()) if pointer.startswith("gitdir: ") else ""
    return git if git and _read(git + "/HEAD") else ""


def _read(path: str) -> str:
    """A small file's text; "" when it cannot be read."""
    try:
        fd = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC)
        try:
            return posix.read(fd, 1 << 20).decode("utf-8", "surrogateescape")
        finally:
            posix.close(fd)
    except (OSError, ValueError):
        return ""


def _joined(base: str, path: str) -> str:
    """`path` seen from `base`, without `.` and `..`."""
    parts: list[str] = []
    for part in (path if path.startswith("/") else f"{base}/{path}").split("/"):
        if part == "..":
            del parts[-1:]
        elif part not in ("", "."):
            parts.append(part)
    return "/" + "/".join(parts)


def _remote(config: str) -> str:
    """The address of `origin`, else of the only remote, in a git config's text."""
    remotes: dict[str, str] = {}
    name = ""
    for line in config.replace("\\\n", "").splitlines():
        line = line.strip()
        if line.startswith("["):
            kind, _, rest = line[1:].partition('"')
            name = rest.rpartition('"')[0] if kind.strip().lower() == "remote" else ""
            line = line.rpartition("]")[2].strip()
        key, found, value = line.partition("=")
        if name and found and key.strip().lower() == "url":
            value = value.strip()
            quoted = value.startswith('"')
            value = value[1:].partition('"')[0] if quoted else value.partition(" #")[0].partition(" ;")[0].strip()
            remotes.setdefault(name, value)
    return remotes.get("origin") or (next(iter(remotes.values())) if len(remotes) == 1 else "")


def _key(remote: str, main: str) -> str:
    """The project's key from its remote address, seen from its main folder."""
    scheme, found, rest = remote.partition("://")
    if not found and ":" in remote.partition("/")[0]:  # git@host:owner/repo
        host, _, path = remote.partition(":")
    elif found and scheme.lower() != "file":
        host, _, path = rest.partition("/")
    else:  # a folder: a clone of one on this machine is that project too
        main = _joined(main, rest or remote).removesuffix("/.git") if remote else main
        return f"local/{main.rpartition('/')[2].removesuffix('.git').lower()}-{digest(main)}"
    host = host.rpartition("@")[2]
    host = host.partition("]")[0][1:] if host.startswith("[") else host.partition(":")[0]
    path = "/".join(part for part in path.split("/") if part).removesuffix(".git")
    return f"{host}/{path}".lower()
