"""How a model call can fail, and what that means for the events it was about: they stay unread, always."""

from typing import Literal

from ...errors import MemwikiError
from ..edits import Usage

# What a run does: `too long` is split and tried again in halves; every other kind ends the run after what was read.
Kind = Literal[
    "refused", "not parseable", "wrong shape", "too long", "rate-limited", "unavailable", "key", "request", "limit"
]
LATER = "Dream again later: nothing is lost."
LARGER = "Even one event is too much: choose a model that takes more (dream.model)."
REFUSED = "The log has its words; `--session` or `--max-events` dreams about a part."


class Failed(MemwikiError):
    """A batch was not distilled. `kind` is the class of failure, `raw` the model's own text where it gave one.

    `usage` is what the failed calls cost: they are paid for too.
    """

    def __init__(self, kind: Kind, message: str, remedy: str = "", *, raw: str = "", usage: Usage = Usage()) -> None:  # noqa: B008 - frozen
        super().__init__(message, remedy)
        self.kind = kind
        self.raw = raw
        self.usage = usage
