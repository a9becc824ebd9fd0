"""Which project a folder belongs to, read from git's own files: no git process, so that a hook can afford it."""

import posix

from ..hosts.codec import digest

# One forge under several names: ssh on port 443, and Azure DevOps by ssh.
_HOSTS = {
    "ssh.github.com": "github.com",
    "altssh.gitlab.com": "gitlab.com",
    "altssh.bitbucket.org": "bitbucket.org",
    "ssh.dev.azure.com": "dev.azure.com",
    "vs-ssh.visualstudio.com": "dev.azure.com",
}
_LINKS = 40  # symbolic links that one path may go through


def project_of(folder: str) -> tuple[str, str, str]:
    """(key, top folder of the work tree, branch) of the repository around `folder`; "" each where there is none.

    The key is the address of `origin`, else of `upstream`, else of the only remote, as `host/owner/repo` in lower case;
    without one (or with one that is a folder on this machine) `local/<folder>-<8 hex of its path>`. The real path
    counts, not the links to it. Worktrees share their repository's key, submodules have their own. A work tree whose
    `.git` file points to nothing has the key of the folder that the file names. The branch is "" on a detached HEAD.
    """
    top = real(_native(folder)) if folder.startswith(("/", "\\\\")) else ""
    while top and not (git := _git_dir(top)):
        top = "" if top == "/" else top.rpartition("/")[0] or "/"
    if not top:
        return "", "", ""
    head = _read(git + "/HEAD").strip()
    branch = head[16:] if head.startswith("ref: refs/heads/") and head != "ref: refs/heads/.invalid" else ""
    common, main = _shared(git, top, bool(head))
    return _key(_remote(_read(common + "/config")), main), top, branch


def remotes(top: str) -> dict[str, str]:
    """Name -> the key that it would give, of each remote of the repository whose work tree is `top`."""
    git = _git_dir(top)
    common, main = _shared(git, top, bool(_read(git + "/HEAD")))
    return {name: _key(address, main) for name, address in _remotes(_read(common + "/config")).items()}


def folders(key: str) -> tuple[str, ...]:
    """The folders below `project/` that the project `key` may have, in lower case, the best name first.

    The short ones may fit another project, too: `vault.projects` decides. The last one is this project's alone.
    """
    name = "-".join(key.split("/")[-2:])
    names = [name, "_git-" + key.rpartition("/")[2]] if key.startswith("dev.azure.com/") else [name]
    whole = _plain(key.replace("/", "-")).encode()[:100].decode("utf-8", "ignore")
    return (*map(_plain, names), f"{whole}-{digest(key)}")


def normal(key: str) -> str:
    """One key for the addresses that a forge gives one repository: those of Azure DevOps, and hosts for ssh."""
    host, slash, path = key.partition("/")
    host = _HOSTS.get(host, host)
    organisation = host.removesuffix(".visualstudio.com")
    if organisation != host:
        host, path = "dev.azure.com", f"{organisation}/{path.removeprefix('defaultcollection/')}"
    if host == "dev.azure.com":
        parts = path.split("/")
        if parts[-2:-1] == ["_git"]:  # org/project/_git/repo, or org/_git/repo, whose project has the repository's name
            parts = [parts[0], parts[-1] if len(parts) == 3 else parts[1], parts[-1]]
        path = "/".join(parts[1:] if len(parts) == 4 and parts[0] == "v3" else parts)
    return host + slash + path


def real(path: str) -> str:
    """The absolute `path` without links, `.` and `..`; parts that do not exist stay as they are."""
    done, left, links = "", path.split("/")[::-1], 0
    while left:
        part = left.pop()
        if part == "..":
            done = done.rpartition("/")[0]
        elif part not in ("", "."):
            try:
                target = posix.readlink(f"{done}/{part}") if links < _LINKS else ""
            except (OSError, ValueError):  # no link
                target = ""
            if target:
                links += 1
                done = "" if target.startswith("/") else done
                left += target.split("/")[::-1]
            else:
                done += f"/{part}"
    return done or "/"


def _plain(name: str) -> str:
    """`name` as a folder's name that every system allows."""
    return "".join(letter if letter.isalnum() or letter in "._-" else "-" for letter in name.lower()).lstrip(".")


def _native(folder: str) -> str:
    """A folder as this system knows it, where an editor on Windows names it by its UNC path."""
    folder = folder.replace("\\", "/") if folder.startswith("\\\\") else folder
    if folder.lower().startswith(("//wsl$/", "//wsl.localhost/")):  # then the distribution's name, and its own path
        folder = "/" + "".join(folder.split("/", 4)[4:])
    return folder


def _git_dir(top: str) -> str:
    """The git folder of the work tree `top`: `.git` itself, or where that file points, be it to nothing; else ""."""
    git = top.rstrip("/") + "/.git"
    if _read(git + "/HEAD"):
        return git
    pointer = _read(git)
    path = pointer[8:].strip() if pointer.startswith("gitdir: ") else ""
    return _seen_from(top, path) if path else ""


def _shared(git: str, top: str, whole: bool) -> tuple[str, str]:
    """(the git folder that all work trees share, the main folder) of the git folder of `top`.

    One that is not `whole` is where a pointer leads that leads nowhere: only its text says whose work tree this is.
    """
    shared = _read(git + "/commondir").strip()
    named = git if whole else git.rpartition("/worktrees/")[0] or git
    common = _seen_from(git, shared) if shared else named
    if common.endswith("/.git"):
        return common, common.removesuffix("/.git")
    return common, top if whole and common == git else common


def _seen_from(base: str, path: str) -> str:
    return real(path if path.startswith("/") else f"{base}/{path}")


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


def _remote(config: str) -> str:
    """The address of the remote that names the project, in a git config's text."""
    found = _remotes(config)
    chosen = found.get("origin") or found.get("upstream")
    return chosen or (next(iter(found.values())) if len(found) == 1 else "")


def _remotes(config: str) -> dict[str, str]:
    """Name -> address of the remotes in a git config's text."""
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
            remotes.setdefault(name, value.replace("\\\\", "\\"))
    return remotes


def _key(remote: str, main: str) -> str:
    """The project's key from its remote address, seen from its main folder."""
    remote = remote.replace("\\", "/")
    scheme, found, rest = remote.partition("://")
    colon = remote.partition("/")[0].find(":")
    if not found and colon > 1:  # git@host:owner/repo, but not C:/repo
        scheme, host, path = "ssh", remote[:colon], remote[colon + 1 :]
    elif found and scheme.lower() != "file":
        host, _, path = rest.partition("/")
    else:  # a folder: a clone of one on this machine is that project too
        main = _seen_from(main, f"/{rest}" if found else remote).removesuffix("/.git") if remote else main
        return f"local/{main.rpartition('/')[2].removesuffix('.git').lower()}-{digest(main)}"
    host = host.rpartition("@")[2]
    host = host.partition("]")[0][1:] if host.startswith("[") else host.partition(":")[0]
    host = host.lower()
    if "ssh" in scheme and ("." not in host or "-" in host.rpartition(".")[2]):  # no name on the internet is like that
        from .ssh import host_of

        host = host_of(host)
    path = "/".join(part for part in path.split("/") if part).removesuffix(".git")
    return normal(f"{host}/{path}".lower())
