"""The tools an agent sees: their names, parameters and descriptions.

What they answer is in `answers`, and runs in a process of its own: a call ends by its limit whatever it does.
"""

from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, Literal

import anyio
import anyio.to_thread
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field

from ..app import Memory
from ..errors import MemwikiError
from ..review.request import Request
from ..vault.note import TYPES
from ..vault.paths import MAX_NOTE
from . import answers
from .worker import SECONDS, Forker

LATE = f"No answer within {SECONDS:g} seconds, so nothing is served. Go on without it, or ask again."
LATE_PROPOSAL = f"Stopped after {SECONDS:g} seconds; it may have become a candidate: `status` counts them."
START = 10.0  # seconds for the process that forks for calls to start, once
SHORT = 4_000  # characters of an argument that is no text of a note
_TEXTS = {"text", "old", "new", "line"}  # arguments that may be as long as a note

Type = Literal["preference", "fact", "decision", "pattern", "postmortem", "event"]
Kind = Annotated[Type, Field(description="; ".join(f"{name}: {words}" for name, words in TYPES.items()))]
Only = Annotated[Type | Literal[""], Field(description="Only notes of this type.")]
Within = Annotated[str, Field(description="Only paths that begin so, such as project/acme-shop/ or tools/.")]
NotePath = Annotated[str, Field(description="A note's path as search and list show it, such as tools/pnpm.md.")]
Place = Annotated[
    str,
    Field(
        description="Where it belongs: a note that is there (search first), else a new one such as tools/pnpm.md, "
        "profile/answers.md or project/OWNER-REPO/deploys.md."
    ),
]
Why = Annotated[str, Field(description="For the person who decides: what they said, or what happened, to ask for it.")]


class Tools:
    """The tools for an agent of `host` ("": not known) that works in `folder` (absolute).

    Each call opens memory anew: nothing goes stale.
    """

    def __init__(self, folder: str, host: str = "") -> None:
        self.folder, self.host = folder, host
        self.forker = Forker()

    async def search(
        self,
        query: Annotated[str, Field(description="Words to look for, in any language; there are no operators.")],
        within: Within = "",
        type: Only = "",
        limit: Annotated[int, Field(ge=1, le=answers.HITS, description="Notes to bring, at most.")] = 8,
    ) -> str:
        """Find notes in the person's memory, best first: a row each with path, type, title and the line that fits."""
        _bounded(query=query, within=within)
        return await self._answer(partial(answers.search, query=query, within=within, type=type, limit=limit))

    async def read(
        self, path: NotePath, line: Annotated[int, Field(ge=1, description="Where to begin, in a long note.")] = 1
    ) -> str:
        """Read one note of the memory as it is now. A unique file name will do instead of the path."""
        _bounded(path=path)
        return await self._answer(partial(answers.read, path=path, line=line))

    async def list(
        self,
        within: Within = "",
        type: Only = "",
        after: Annotated[str, Field(description="Only paths after this one: to read on where a list ended.")] = "",
    ) -> str:
        """List the notes of the memory by path, a row each with type and description."""
        _bounded(within=within, after=after)
        return await self._answer(partial(answers.listed, within=within, type=type, after=after))

    async def remember(
        self,
        path: Place,
        text: Annotated[str, Field(description="What lasts, as short statements, one a line. Never a secret.")],
        why: Why,
        context: Context[Any, Any],
        type: Kind = "fact",
        title: Annotated[str, Field(description="Of a new note.")] = "",
        description: Annotated[str, Field(description="Of a new note: in one line, what it tells.")] = "",
    ) -> str:
        """Propose something to remember: when the person asks you to, or tells you a lasting preference, fact or
        decision. It becomes a candidate that they approve, edit or reject, and is not memory before that."""
        _bounded(path=path, text=text, why=why, title=title, description=description)
        wanted = Request(
            op="add",
            path=path,
            why=why,
            text=text,
            type=type,
            title=title,
            description=description,
            agent=_name(context),
        )
        return await self._propose(wanted)

    async def change(
        self,
        path: NotePath,
        old: Annotated[str, Field(description="What the note says now, copied from it; it must stand there once.")],
        new: Annotated[str, Field(description="What it should say instead.")],
        why: Why,
        context: Context[Any, Any],
        type: Kind = "fact",
    ) -> str:
        """Propose to change what a note says, when the person corrects it or it is no longer so. They decide."""
        _bounded(path=path, old=old, new=new, why=why)
        return await self._propose(
            Request(op="replace", path=path, why=why, text=new, old=old, type=type, agent=_name(context))
        )

    async def forget(
        self,
        path: NotePath,
        why: Why,
        context: Context[Any, Any],
        line: Annotated[str, Field(description="One statement, copied from the note. Empty: the whole note.")] = "",
    ) -> str:
        """Propose to take a statement, or a whole note, out of memory. The person decides; until then it stays."""
        _bounded(path=path, why=why, line=line)
        return await self._propose(Request(op="delete", path=path, why=why, old=line, agent=_name(context)))

    async def status(self) -> str:
        """Where the memory stands: this project's folder in it, how many notes, what waits for the person, problems."""
        return await self._timely(partial(answers.status, host=self.host, folder=self.folder), LATE, None)

    async def recap(
        self,
        project: Annotated[str, Field(description="A folder in the project. Empty: the one you work in.")] = "",
    ) -> str:
        """What the last three sessions in this project were about, in any agent: when, the branch, the person's last
        words, files changed, and the agent's own closing words. Use it to go on where work stopped."""
        _bounded(project=project)
        return await self._answer(partial(answers.recapped, folder=project or self.folder))

    async def _answer(self, work: Callable[[Memory], str]) -> str:
        return await self._timely(work, LATE, self.host)

    async def _propose(self, wanted: Request) -> str:
        answer = await self._timely(partial(answers.asked, wanted=wanted), LATE_PROPOSAL, self.host)
        if answer == LATE_PROPOSAL:
            raise ToolError(answer)
        return answer

    async def _timely(self, work: Callable[[Memory], str], late: str, host: str | None) -> str:
        """What `work` says about memory, or `late` in time; an expected failure as a tool's error.

        A paused memory, or one that is off for `host`, says so; None asks in any case.
        """
        with anyio.move_on_after(START):
            await anyio.to_thread.run_sync(self.forker.wait, abandon_on_cancel=True)
        try:
            call = self.forker.call()
        except OSError:  # it was ended by somebody
            self.forker = Forker()
            return late
        try:
            with anyio.move_on_after(SECONDS):
                ask = partial(call.ask, work, host, self.folder)
                return await anyio.to_thread.run_sync(ask, abandon_on_cancel=True)
        except MemwikiError as error:
            raise ToolError(str(error)) from error
        await anyio.to_thread.run_sync(call.end)
        return late


def _name(context: Context[Any, Any]) -> str:
    """What the client calls itself."""
    known = context.session.client_params
    return known.client_info.name if known else ""


def _bounded(**arguments: str) -> None:
    """ToolError for an argument that is too long to look at."""
    for name, text in arguments.items():
        most = MAX_NOTE if name in _TEXTS else SHORT
        if len(text) > most:
            raise ToolError(f"`{name}` has {len(text):,} characters, and at most {most:,} are taken.")
