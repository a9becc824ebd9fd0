"""The composition root: one home, its config, and the rooms wired together behind `Memory`."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from .config import find_home, load

if TYPE_CHECKING:
    pass


def open_memory(home: Path | str | None = None, vault: Path | str | None = None) -> "Memory":
    """The memory of `home` (default: `$MEMWIKI_HOME`, else `~/.memwiki`), with another vault when one is named.

    Raises MemwikiError when there is none yet, it is another user's, or its config is broken.
    """
    found = find_home(home)
    found.check()
    config = load(found)
    if vault is not None:
        config = replace(config, values={**config.values, "vault.path": str(Path(vault).expanduser().absolute())})
    return Memory(config)
