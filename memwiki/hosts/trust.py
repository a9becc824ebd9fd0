"""Whether Codex runs memwiki's hooks, or skips them for want of the person's trust: its own word, or a computed one.

Codex itself is asked by `hooks/list` of `codex app-server`, JSON-RPC with one message a line (measured in 0.171.0: see
`tests/hosts/codex-app-server`; 0.130 and 0.153 answer alike, of the events that they know). That starts no session and
changes no setting. Where it cannot be asked, the hash that Codex writes down for what it trusts is computed here.
"""

import json
import os
import select
import shutil
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

from ..errors import Finding
from .foreign import started
from .registration import Entry, settings_folder
from .switches import codex_config, off, table
from .trial import Linked

SECONDS = 10.0  # that Codex may take to answer; a loaded machine needs two
_ASK = 2  # the number of our question; 1 is the greeting
_REMEDY = "Start `codex`, type `/hooks`, and trust the memwiki entries."


class Unanswered(Exception):
    """Codex could not be asked; the text says why, as the end of a sentence."""


def asked(folders: Sequence[Path], settings: Path | None = None) -> dict[str, Mapping[str, Any]]:
    """What Codex says of the hooks that it finds for sessions in these folders: its key of a handler -> all it tells.

    `settings` is its settings folder, None for the one that this environment names.

    A value has at least `trustStatus` ("trusted", "managed", "untrusted" or "modified") and `enabled`. Raises
    Unanswered when there is no Codex, or none that knows the question or answers in time.
    """
    program = shutil.which("codex")
    if program is None:
        raise Unanswered("there is no `codex` on PATH")
    about = {"clientInfo": {"name": "memwiki", "version": "1"}}
    messages = (
        {"id": 1, "method": "initialize", "params": about},
        {"method": "initialized"},
        {"id": _ASK, "method": "hooks/list", "params": {"cwds": [str(folder) for folder in folders]}},
    )
    env = {**os.environ, "MEMWIKI_DREAM": "1"}  # were a hook to run, it would store nothing
    if settings is not None and settings != settings_folder("codex"):
        env["CODEX_HOME"] = str(settings)
    try:
        with started([program, "app-server"], folders[0], env, subprocess.DEVNULL) as server:
            assert server.stdin is not None
            with suppress(BrokenPipeError):  # it has ended already, which is seen when it is read
                server.stdin.write("".join(json.dumps(message) + "\n" for message in messages).encode())
            found = [hook for answer in _answer(server)["data"] for hook in answer["hooks"]]
            return {hook["key"]: hook for hook in found if "trustStatus" in hook}
    except OSError as error:
        raise Unanswered(f"`{program} app-server` could not be run: {error.strerror}") from error
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise Unanswered("its answer has another form than in the versions that memwiki knows") from error


def _answer(server: "subprocess.Popen[bytes]") -> Any:
    """The result of our question; what else the server says meanwhile is passed over."""
    assert server.stdout is not None
    deadline, said = time.monotonic() + SECONDS, b""
    while (left := deadline - time.monotonic()) > 0 and select.select([server.stdout], [], [], left)[0]:
        part = os.read(server.stdout.fileno(), 1 << 16)
        if not part:
            raise Unanswered("it ended without an answer; an older one knows no `app-server`")
        *lines, said = (said + part).split(b"\n")
        for message in map(json.loads, lines):
            if "error" in message:
                raise Unanswered("it does not know `hooks/list`, as an older one")
            if message.get("id") == _ASK:
                return message["result"]
    raise Unanswered(f"it did not answer within {SECONDS:.0f} s")


def untrusted(path: Path, mine: Sequence[Entry], settings: Path | None = None) -> list[str]:
    """The events among `mine` that Codex will skip, because the person has not trusted these very handlers there.

    As Codex 0.171 does it (measured): `config.toml` holds, under `<file>:<event>:<group>:<handler>`, the SHA-256 of the
    handler's canonical JSON.
    """
    hooks = table(codex_config(settings)).get("hooks")
    state = hooks.get("state") if isinstance(hooks, dict) else None
    trusts = {key: one for key, one in state.items() if isinstance(one, dict)} if isinstance(state, dict) else {}
    skipped = []
    for entry in mine:
        shape = {"event_name": _event(entry), "hooks": [{"async": False, **entry.value}]}
        canonical = json.dumps(shape, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        given = _first(trusts, _keys(path, entry))
        if given.get("trusted_hash") != f"sha256:{sha256(canonical.encode()).hexdigest()}":
            skipped.append(entry.event)
    return skipped


def findings(places: Sequence[Linked]) -> Iterator[Finding]:
    """What `doctor` says of the trust in the hooks of each place where Codex is linked."""
    for settings in dict.fromkeys(one.settings for one in places):
        yield from _trust(settings, [one for one in places if one.settings == settings])


def _trust(settings: Path, places: Sequence[Linked]) -> Iterator[Finding]:
    """The same of places that have one settings folder."""
    try:
        told = asked(list(dict.fromkeys(one.folder for one in places)), settings)
    except Unanswered as why:
        for one in places:
            if skipped := untrusted(one.path, one.mine, settings):
                words = "by the hash that memwiki computes as Codex does"
                yield _skips(skipped, f"Codex has memwiki's hooks installed, not trusted, {words}, and skips them")
        words = f"Codex was not asked whether it trusts memwiki's hooks: {why}. memwiki computed what it would say."
        yield Finding("hosts", words, level="note")
        return
    for one in places:
        said = {entry.event: _first(told, _keys(one.path, entry)) for entry in one.mine}
        unseen = [event for event, hook in said.items() if not hook]
        if unseen and len(unseen) < len(said):
            words = f"This Codex does not know {', '.join(unseen)}, so nothing of them comes in."
            yield Finding("hosts", words, "A newer Codex does.", "note")
        elif unseen and not off(codex_config(settings)):
            end, remedy = "; something keeps it from reading them", "Look what `codex` says of them in `/hooks`."
            if one.project:
                end, remedy = ", as in a folder that it does not trust", f"Start `codex` in {one.folder} and trust it."
            yield Finding("hosts", f"Codex does not list memwiki's hooks in {one.path}{end}.", remedy)
        for status, words in (
            ("untrusted", "Codex has memwiki's hooks installed, not trusted, and skips them"),
            ("modified", "Codex skips memwiki's hooks that have changed since you trusted them"),
        ):
            if skipped := [event for event, hook in said.items() if hook.get("trustStatus") == status]:
                yield _skips(skipped, words)
        if idle := [event for event, hook in said.items() if hook.get("enabled") is False]:
            words = f"Codex has memwiki's hooks switched off ({', '.join(idle)})."
            yield Finding("hosts", words, "Start `codex`, type `/hooks`, and switch the memwiki entries on.")


def _skips(events: list[str], words: str) -> Finding:
    return Finding("hosts", f"{words} ({', '.join(events)}).", _REMEDY)


def _first(known: Mapping[str, Mapping[str, Any]], keys: Sequence[str]) -> Mapping[str, Any]:
    return next((known[key] for key in keys if key in known), {})


def _keys(path: Path, entry: Entry) -> tuple[str, str]:
    """The names that Codex may have for a handler: its file as registered, and behind symlinks."""
    group, handler = (*(step for step in entry.path if isinstance(step, int)), 0)[:2]
    place = f"{_event(entry)}:{group}:{handler}"
    return f"{path}:{place}", f"{os.path.realpath(path)}:{place}"


def _event(entry: Entry) -> str:
    """The event's name as Codex writes it there: `pre_tool_use`."""
    return "".join("_" + letter.lower() if letter.isupper() else letter for letter in entry.event).lstrip("_")
