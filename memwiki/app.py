"""The composition root: one home, its config, and the rooms wired together behind `Memory`."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from . import config as settings
from .config import Config, Home, find_home
from .errors import Busy, Finding, MemwikiError
from .files import locked

if TYPE_CHECKING:
    from .candidates.candidate import Candidate, State
    from .dream.run import DreamOptions, DreamReport
    from .hosts.link import Found, Linked
    from .index.picture import Picture
    from .index.protocol import EventHit, Links, NoteRow
    from .index.questions import Given, Impact, Related
    from .index.sqlite import SqliteIndex
    from .journal.event import Event
    from .journal.recap import Recap
    from .journal.sessions import Journal, Session
    from .journal.transcripts.importing import Imports
    from .recall.explain import Hit, Recall
    from .review.proposed import Proposed
    from .review.request import Request
    from .review.unreviewed import Unreviewed
    from .review.why import Origin
    from .rooms import Rooms
    from .status import Status
    from .sync import SyncReport
    from .vault.git import Git
    from .vault.history import Commit
    from .vault.note import Note
    from .vault.tree import Tree


def open_memory(home: Path | str | None = None, vault: Path | str | None = None) -> "Memory":
    """The memory of `home` (default: `$MEMWIKI_HOME`, else `~/.memwiki`), with another vault when one is named.

    Raises MemwikiError when there is none yet, it is another user's, or its config is broken.
    """
    from .hosts.programs import install

    found = find_home(home)
    found.check()
    with suppress(MemwikiError):  # a home that cannot be written can still be read, and `doctor` names an old `bin/`
        install(found)
    config = settings.load(found)
    if vault is not None:
        config = replace(config, values={**config.values, "vault.path": str(Path(vault).expanduser().absolute())})
    return Memory(config)


class Memory:
    """Everything memwiki does, as methods; rooms are opened when first used. Use it as a context manager.

    Every method raises MemwikiError for an expected failure, with what happened and what to do.
    """

    def __init__(self, config: Config) -> None:
        self.config = config
        self.home: Home = config.home

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the index, if it was opened."""
        if "index" in self.__dict__:
            self.index.close()

    @property
    def notice(self) -> str:
        """What a person should know of what was done besides what they asked for: the index was rebuilt, and why."""
        return self.index.notice if "index" in self.__dict__ else ""

    # -- rooms ---------------------------------------------------------------------------------------------------

    @cached_property
    def git(self) -> "Git":
        """The vault's repository."""
        from .vault.git import Git

        return Git.of(self.config)

    @cached_property
    def tree(self) -> "Tree":
        """The vault's notes, as memory has them or as of a commit."""
        from .vault.tree import Tree

        return Tree(self.git)

    @cached_property
    def journal(self) -> "Journal":
        """The sessions and their events."""
        from .journal.sessions import Journal

        return Journal(self.home.journal)

    @cached_property
    def index(self) -> "SqliteIndex":
        """The embedded index."""
        from .index.sqlite import SqliteIndex

        return SqliteIndex(self.home.index)

    @property
    def rooms(self) -> "Rooms":
        """All of them but the tree, by the settings as they are now: what keeps them in step asks for them at once."""
        from .rooms import Rooms

        return Rooms(self.config, self.git, self.journal, self.index)

    # -- notes ---------------------------------------------------------------------------------------------------

    def notes(self, within: str = "", type: str = "") -> "list[NoteRow]":
        """Notes below the path prefix `within` and of type `type`, by path."""
        self._noted()
        return self.index.notes(within=within, type=type)

    def read(self, path: str, rev: str | None = None) -> "Note":
        """One note by path or unique name, from memory or as of the commit `rev`."""
        return self.tree.read(self.tree.resolve(path, rev), rev)

    def tell(self, path: str, rev: str | None = None) -> "Note":
        """One note as an agent may read it: without private spans and what is hidden.

        MemwikiError where it holds a secret.
        """
        from .capture.private import without_private
        from .journal.redaction import find_secrets
        from .vault.frontmatter import parse
        from .visible import without_hidden

        note = self.read(path, rev)
        text = without_hidden(note.text)
        if find_secrets(text):
            raise MemwikiError(f"{note.path} holds what looks like a secret.", "Only the person can look at it.")
        return parse(note.path, without_private(text).encode("utf-8", "replace"))

    def links(self, path: str) -> "Links":
        """Links out of a note, links to it, and those that lead nowhere."""
        self._noted()
        return self.index.links(self.tree.resolve(path))

    def history(self, path: str, limit: int = 5) -> "list[Commit]":
        """The last commits that touched a note, newest first, renames followed."""
        from .vault.history import history

        return history(self.git, self.tree.resolve(path), limit)

    def search(self, query: str, within: str = "", type: str = "", limit: int = 10, index: str = "") -> "list[Hit]":
        """The best notes for `query`, best first; words are words, never operators. `index` as in `impact`."""
        if (index or self.config.get("index.search")) == "neo4j":
            from .graph import search as ask

            return ask(self.config, query, within=within, type=type, limit=limit)
        from .recall.explain import search

        self._noted()
        return search(self.home, query, within=within, type=type, limit=limit)

    def recall(self, prompt: str, host: str = "claude", project: str = ".") -> "Recall":
        """What a hook of `host` would inject at `prompt` in a fresh session there, and why each note is in or out."""
        from .recall.explain import explain

        self._noted()
        return explain(self.home, prompt, host=host, folder=str(Path(project).absolute()))

    def recall_start(self, host: str = "claude", project: str = ".") -> "Recall":
        """What a hook of `host` would inject when a new session starts there; its `notes` are empty."""
        from .recall.explain import start

        return start(self.home, host=host, folder=str(Path(project).absolute()))

    def refusal(self, host: str = "", project: str = ".") -> str:
        """What to tell an agent of `host` that asks in a project where the memory is off or paused; "" elsewhere."""
        from .recall.explain import refusal

        return refusal(self.config, host=host, folder=str(Path(project).absolute()))

    def recall_stream(self, lines: Iterable[str]) -> Iterator[str]:
        """`{"query", "k"}` lines in, `{"results": [...]}` lines out, by the hook's own ranking and gate."""
        from .recall.explain import stream

        self._noted()
        return stream(self.home, lines)

    def move(self, old: str, new: str) -> str:
        """Rename a note and rewrite the links to it, in one commit; its hash."""
        from .vault.landing import change
        from .vault.rename import renamed

        source = self.tree.resolve(old)
        landed = change(self.git, renamed(self.tree, source, new), f"Move {source} to {new}")
        self._follow()
        return landed

    def forget(self, path: str, why: str = "") -> str:
        """Remove a note in one commit; its hash. `git log` keeps the text: `purge` is for secrets."""
        from .review.forget import forget

        landed = forget(self.git, self.tree.resolve(path), why)
        self._follow()
        return landed

    # -- events --------------------------------------------------------------------------------------------------

    def append(self, host: str, event: str, payload: Mapping[str, object]) -> None:
        """Spool one event as that host's hook would; `event` is the host's own name for it. `sync` takes it up."""
        import json

        from .capture.spool import spool

        spool(str(self.home.path), host, event, "", json.dumps(payload, ensure_ascii=False).encode("utf-8"))

    def sessions(self) -> "list[Session]":
        """All sessions, newest first."""
        self._drained()
        return self.journal.sessions()

    def events(self, session: str) -> "Iterator[Event]":
        """The events of the session `<host>/<id>` (or a unique beginning of it), in order."""
        self._drained()
        return self.journal.events(self.journal.resolve(session))

    def recap(self, project: str | Path = ".") -> "Recap":
        """The last three sessions of the project around a folder, on any host, in at most 1,000 bytes of text."""
        from .capture.project import project_of
        from .journal.recap import recap

        self._drained()
        return recap(self.journal, project_of(str(Path(project).expanduser().absolute()))[0])

    def search_events(self, query: str, limit: int = 20, index: str = "") -> "list[EventHit]":
        """Events whose words match, best first. `index` as in `impact`."""
        if (index or self.config.get("index.search")) == "neo4j":
            from .graph import events

            return events(self.config, query, limit)
        self._drained()
        return self.index.search_events(query, limit=limit)

    def delete_session(self, session: str) -> str:
        """Remove a session from the journal, the index and the delivery records; its key."""
        self._drained()  # what is still in the spool would bring it back
        key = self.journal.resolve(session)
        self.journal.delete(key, self.home)
        self._drained()  # a hook may have found the lock held
        self.index.delete_session(key)
        return key

    def import_queue(self, limit: int = 0, dry_run: bool = False) -> "Imports":
        """Take in the latest `limit` transcripts of finished sessions that wait (0: all); what hooks logged stays."""
        from .journal.transcripts.importing import import_queue

        found = import_queue(self.home, self.config, self.journal, limit=limit, dry_run=dry_run)
        if found.new and not dry_run:
            self._follow()
        else:
            self._drained()  # a hook may have found the lock held
        return found

    @contextmanager
    def _without_sync(self, anyway: bool = False) -> Iterator[None]:
        """While no sync runs, which would write again what goes; `anyway`: where one hangs, after ten seconds.

        What hooks asked of a sync meanwhile is done after.
        """
        wait = 10.0 if anyway else 90.0
        with ExitStack() as held:
            try:
                held.enter_context(locked(self.home.locks / "sync", wait=wait, busy="A sync is running"))
            except Busy:
                if not anyway:
                    raise
            try:
                yield
            finally:
                held.close()
                if (self.home.locks / "again").exists():
                    self._drained()

    def _noted(self) -> None:
        """Take in notes saved just now. Where that cannot be done, what was taken in before is answered from."""
        from .sync import notes

        with suppress(MemwikiError):  # `status`, `doctor` and the next sync say what it was
            notes(self.rooms)

    def _drained(self) -> None:
        from .sync import events

        events(self.config, self.journal, self.index)

    def sync(self, full: bool = False, index: str = "", wait: float = 90.0) -> "SyncReport":
        """Drain the spool and bring the indexes in step, or only the one named; `full` rebuilds them.

        Busy where another sync goes on for more than `wait` seconds. A Neo4j that fails raises GraphError once
        everything else is done.
        """
        from .index.neo4j.target import target

        report = self._step(full=full and index != "neo4j", wait=wait)
        if index == "sqlite" or target(self.config) is None:
            return report
        from .graph import keep  # 5 ms that few need

        return replace(report, graph=keep(self.rooms, full=full))

    def _step(self, full: bool = False, wait: float = 90.0) -> "SyncReport":
        """Drain and bring the embedded index in step; the graph follows with the next sync, which hooks start."""
        from .sync import sync

        return sync(self.rooms, full=full, wait=wait)

    def _follow(self, wait: float = 30.0) -> None:
        """Bring the index in step with a change that stands; a sync that holds the lock for longer does it then."""
        with suppress(Busy):
            self._step(wait=wait)

    # -- dream and review ----------------------------------------------------------------------------------------

    def dream(self, options: "DreamOptions | None" = None, *, engine: str = "") -> "DreamReport":
        """Distil what has not been read yet into candidates on a dream branch."""
        from .dream.run import DreamOptions, dream

        self._step()
        chosen = options or DreamOptions(engine=engine)
        report = dream(self.home, self.config, self.git, self.journal, self.tree, chosen)
        if report.candidates:
            self._follow()  # the next session's start tells how many proposals wait
        return report

    def candidates(self, state: "State | None" = "pending", type: str = "", within: str = "") -> "list[Candidate]":
        """Candidates by state (None: all), type and path prefix, oldest first."""
        from .candidates.states import candidates

        found = candidates(self.git)
        return [
            one
            for one in found
            if state in (None, one.state) and type in ("", one.type) and one.path.startswith(within)
        ]

    def candidate(self, id: str) -> "Candidate":
        """The candidate whose id starts with `id`."""
        from .candidates.states import find

        return find(self.git, id)

    def proposed(self, id: str) -> "Proposed":
        """A candidate with the texts before and after, and its single lines."""
        from .review.proposed import proposed

        return proposed(self.git, self.journal, self.config.machine, self.candidate(id))

    def draft(self, path: str) -> str:
        """What a person who proposes a change to `path` starts from: the note's text, or nothing for a new one."""
        return self.read(path).text if path.removesuffix(".md") + ".md" in self.tree.paths() else ""

    def propose(self, path: str, text: str, why: str = "") -> "Candidate":
        """Make a candidate by hand: `text` is the whole new note at `path` (`.md` may be left out)."""
        from .review.add import propose

        return propose(self.git, self.config.machine, path.removesuffix(".md") + ".md", text, why)

    def request(self, wanted: "Request") -> "tuple[Candidate, bool]":
        """Make a candidate of what an agent asks for: (it, whether it was waiting already). The person decides."""
        from .review.request import request

        return request(self.git, self.tree, self.config.machine, wanted)

    def flags(self, chosen: "Sequence[Candidate]") -> dict[str, tuple[str, ...]]:
        """For each candidate (by id), what a person should look at before they approve it, as sentences."""
        from .review.flags import flags

        return flags(self.git, self.journal, self.config.machine, chosen)

    def approve(
        self,
        id: str,
        text: str | None = None,
        lines: Sequence[int] | None = None,
        *,
        base: str = "",
        commit: str = "",
    ) -> str:
        """Land a candidate on main; the commit's hash.

        With `text` instead of its own, or with only the units numbered in `lines`: the others are refused for good.
        `base` is that of the `proposed(id)` which text or lines are about ("": as it was proposed), `commit` its
        candidate's: one that has changed since is refused.
        """
        from .review.decide import approve

        chosen = self.candidate(id)
        if not chosen.fault:
            self._record_project(chosen.path)
        landed = approve(self.git, chosen, text, lines, base=base, commit=commit)
        self._follow()
        return landed

    def reject(self, ids: str | Sequence[str], why: str = "") -> str:
        """Refuse candidates in one commit: they leave a tombstone and are not proposed again."""
        from .review.decide import reject

        chosen = [self.candidate(one) for one in ([ids] if isinstance(ids, str) else ids)]
        return reject(self.git, chosen, why)

    def unreviewed(self) -> "list[Unreviewed]":
        """Notes that agents wrote into the vault by themselves, and that wait for a decision, by path."""
        from .review.unreviewed import waiting

        return waiting(self.rooms)

    def confirm(self, note: "Unreviewed") -> str:
        """Make a note that an agent wrote memory that the person has reviewed; the commit's hash."""
        from .review.unreviewed import confirm

        landed = confirm(self.git, note)
        self._step()
        return landed

    def refuse(self, note: "Unreviewed", why: str = "") -> str:
        """Bring back a note as it was before an agent wrote it; the commit's hash, "" where none was needed."""
        from .review.unreviewed import refuse

        landed = refuse(self.rooms, note, why)
        self._step()
        return landed

    def revert(self, id: str) -> str:
        """Undo an approved candidate by a commit that git itself would call a revert; its hash."""
        from .review.revert import revert

        landed = revert(self.git, self.candidate(id))
        self._follow()
        return landed

    def why(self, path: str, line: int | None = None) -> "list[Origin]":
        """For each line of a note (or one): the commit it came with, and the words that it rests on."""
        from .review.why import why

        return why(self.git, self.journal, self.tree.resolve(path), line)

    def impact(self, path: str, line: int | None = None, index: str = "") -> "Impact":
        """Which sessions were given a note (or a text with its line `line`), and what rests on those, step by step.

        `index` ("sqlite", "neo4j") says what answers, "" leaves that to the settings.
        """
        from . import graph

        return graph.impact(self.config, self.git, self.index, self._named(path), line, index)

    def related(self, path: str, limit: int = 20, index: str = "") -> "list[Related]":
        """Notes linked with this one, sharing tags with it, or given to or learnt in the same sessions, best first."""
        from .graph import facts
        from .index.questions import related

        with facts(self.config, self.git, self.index, index) as known:
            return related(known, self._named(path), limit)

    def given(self, session: str, index: str = "") -> "list[Given]":
        """What a session and its subagents were given, oldest first, and what became of those notes."""
        from .graph import facts
        from .index.questions import given

        with facts(self.config, self.git, self.index, index) as known:
            return given(known, self.journal.resolve(session))

    def graph(self, what: str = "", index: str = "") -> "Picture":
        """What surrounds a note or a session ("": the notes that have the most to do with each other)."""
        from . import graph

        return graph.picture(self.config, self.git, self.index, self.journal, self.tree, what, index)

    def cypher(self, query: str) -> "list[dict[str, Any]]":
        """The rows of one reading query to Neo4j, in JSON's types."""
        from .graph import cypher

        return cypher(self.config, query)

    def _named(self, path: str) -> str:
        """A note's path, also of one that is gone but was given once."""
        try:
            return self.tree.resolve(path)
        except MemwikiError:
            for name in (path, f"{path}.md"):
                if self.index.givens(path=name):
                    return name
            raise

    # -- the whole -----------------------------------------------------------------------------------------------

    def status(self) -> "Status":
        """The pipeline at a glance."""
        from .status import status

        return status(self.rooms)

    def doctor(self) -> list[Finding]:
        """What is wrong, each with its remedy; empty when nothing is."""
        from .doctor import findings

        return findings(self)

    def link(self, host: str, project: Path | None = None, dry_run: bool = False, mcp: bool = False) -> "Linked":
        """Register memwiki's hooks (with `mcp` its server too) in one host, for the user or for one project."""
        from .hosts.link import link
        from .passes import fill_rules

        if dry_run:
            return link(self.home, host, project, dry_run, mcp)
        with self._without_sync():
            linked = link(self.home, host, project, dry_run, mcp)
            fill_rules(self.home)
        return linked

    def link_all(
        self,
        hosts: Sequence[str] = (),
        project: Path | None = None,
        dry_run: bool = False,
        upgrade: bool = False,
        mcp: bool = False,
    ) -> "list[Linked]":
        """Link every agent found on this machine (of `hosts`, if any), for all projects or in one.

        With `upgrade`, what is linked is brought to this version's form instead.
        """
        from .hosts import NAMES
        from .hosts.everywhere import link_all
        from .passes import fill_rules

        if dry_run:
            return link_all(self.home, hosts or NAMES, project, dry_run, upgrade, mcp)
        with self._without_sync():
            linked = link_all(self.home, hosts or NAMES, project, dry_run, upgrade, mcp)
            fill_rules(self.home)
        return linked

    def unlink_all(self, hosts: Sequence[str] = (), project: Path | None = None) -> "list[Linked]":
        """Remove every registration, of all agents or of `hosts`: in all settings folders and projects, or in one."""
        from .hosts import NAMES
        from .hosts.everywhere import unlink_all

        with self._without_sync(anyway=True):
            return unlink_all(self.home, hosts or NAMES, project)

    def unlink(self, host: str, project: Path | None = None) -> "Linked":
        """Remove the registration of an agent for all projects, or in one."""
        from .hosts.link import unlink

        with self._without_sync(anyway=True):
            return unlink(self.home, host, project)

    def hosts(self) -> "list[Found]":
        """The coding agents found on this machine and whether memwiki is linked in each."""
        from .hosts.link import survey

        return survey(self.home)

    def rename_project(self, was: str, project: str = "") -> str:
        """Let the notes of the project with the key `was` count for `project` ("": the one of this folder), too.

        The commit that says so. MemwikiError for keys that are none.
        """
        from .projects import alias

        project = project or self.project_folder()[0]
        commit = alias(self.rooms, was, project)
        for key, value in self.config.projects.get(was, {}).items():  # what was paused stays so
            if key not in self.config.projects.get(project, {}):
                self.set(key, value, project=project)
        self._step()
        return commit

    def _record_project(self, path: str) -> None:
        """Before the first note of a project lands, keep in the vault whose folder that is: for other machines."""
        from .projects import record

        record(self.rooms, path)

    def project_folder(self, folder: str | Path = ".") -> tuple[str, str]:
        """The key of the project around a folder, and where new notes of it go: `project/acme-shop`; "" for none."""
        from .capture.project import project_of
        from .index.upkeep import project_folders

        key = project_of(str(Path(folder).expanduser().absolute()))[0]
        return key, f"project/{project_folders(self.index, self.git).of(key)}" if key else ""

    def pause(self, project: str = "", paused: bool = True) -> None:
        """Stop capture and recall (start them again with `paused=False`), everywhere or in the project of a folder."""
        self._drained()  # what was said before the pause is kept
        key = ""
        if project:
            from .capture.project import project_of

            key = project_of(str(Path(project).absolute()))[0]
            if not key:
                raise MemwikiError(f"{project} is in no repository, so it is no project.", "Run it in a repository.")
        self.set("capture.paused", True if paused else None, project=key)

    def set(self, key: str, value: str | bool | None, host: str = "", project: str = "") -> None:
        """Change a setting (None: back to the default), for all, a host or a project; hooks know it at once."""
        if key == "vault.path" and value:
            from .vault.git import Git
            from .vault.probe import home_inside

            top = Path(str(value)).expanduser()
            Git.of(self.config, top).tip()  # where there is no repository, nothing is written
            if inside := home_inside(self.home.path, top):
                raise MemwikiError(inside.message, inside.remedy)
        settings.change(self.home, key, value, host=host, project=project)
        self.config = settings.load(self.home)
        if self.config.get("capture.paused"):
            self.home.paused.touch(mode=0o600)
        else:
            self.home.paused.unlink(missing_ok=True)
        if self.home.snapshot.exists():
            with suppress(MemwikiError):  # the setting stands; `doctor` and the next sync say what ails the vault
                self._follow(wait=2.0)
