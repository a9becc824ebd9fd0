"""memwiki: one memory under all your coding agents, as markdown notes in git.

`memwiki.open()` gives the memory of this machine; everything else hangs on it. Names are loaded when used, so that
`import memwiki` costs next to nothing (hooks load this package too).
"""

TYPE_CHECKING = False  # typing costs 4 ms, and hooks load this package too
if TYPE_CHECKING:
    from .app import Memory
    from .app import open_memory as open
    from .errors import MemwikiError
    from .init import setup

__version__ = "0.1.0"
__all__ = ["Memory", "MemwikiError", "open", "setup"]

_HOMES = {"open": ("app", "open_memory"), "Memory": ("app", "Memory"), "setup": ("init", "setup")}
_HOMES["MemwikiError"] = ("errors", "MemwikiError")


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'memwiki' has no attribute {name!r}")
    import importlib

    module, attribute = _HOMES[name]
    return getattr(importlib.import_module(f".{module}", __name__), attribute)
