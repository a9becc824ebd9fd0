"""git's own housekeeping, which plumbing never starts by itself."""

from .git import Git

DEFAULT = "6700"  # git's own gc.auto: loose objects from which packing is worth it


def collect(git: Git) -> None:
    """Let git pack what has piled up, when by its own settings it is time; call it after a run, outside any lock.

    A `gc.auto` of 0 is the person's wish and stays one. git goes on in the background where `gc.autoDetach` says so.
    """
    chosen = git.config("gc.auto", ours=False)
    if chosen != "0":
        git.run("-c", f"gc.auto={chosen or DEFAULT}", "gc", "--auto", "--quiet", timeout=600)
