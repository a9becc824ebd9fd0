"""memwiki: one memory under all your coding agents, as markdown notes in git.

`memwiki.open()` gives the memory of this machine; everything else hangs on it. Names are loaded when used, so that
`import memwiki` costs next to nothing (hooks load this package too).
"""

__version__ = "0.1.0"
__all__ = ["Memory", "MemwikiError", "open"]


def __getattr__(name: str) -> object:
    if name in ("open", "Memory"):
        from . import app

        return app.open_memory if name == "open" else app.Memory
    if name == "MemwikiError":
        from .errors import MemwikiError

        return MemwikiError
    raise AttributeError(f"module 'memwiki' has no attribute {name!r}")
