"""The rich console that verbs print on."""

from typing import Any

from rich.console import Console

from ..visible import visible
from .output import written


class Screen(Console):
    """Writes out what is hidden in a text; anything but plain text was made by `output`, which has done so."""

    def print(self, *objects: Any, **options: Any) -> None:
        """Print as `Console.print` does."""
        with written():
            super().print(*(visible(one) if isinstance(one, str) else one for one in objects), **options)
