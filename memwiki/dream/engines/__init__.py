"""What distils: one module an engine, and the table that chooses among them."""

from ...config import Config
from ...errors import MemwikiError
from ..edits import Batch, Distiller

NAMES = ("rules", "claude", "claude-cli")


def choose(config: Config, name: str = "") -> Distiller:
    """The engine `name`, else the one that config names; `auto` is claude where there is a key, else rules.

    Raises MemwikiError when the engine cannot work here: no key, no `claude`, no such name.
    """
    name = name or str(config.get("dream.engine"))
    if name == "auto":
        from .claude import key_of

        name = "claude" if key_of(config)[0] else "rules"
    if name == "claude":
        from .claude import claude

        return claude(config)
    if name == "claude-cli":
        from .claude_cli import claude_cli

        return claude_cli(config)
    if name == "rules":
        from .rules import Rules

        return Rules()
    raise MemwikiError(f"There is no dream engine {name!r}.", f"Choose one of {', '.join(NAMES)}.")


def most(engine: Distiller, batch: Batch) -> float:
    """US dollars that one call for `batch` may cost at most; 0 for an engine that is not paid by the call."""
    from .claude import Claude

    return engine.most(batch) if isinstance(engine, Claude) else 0.0
