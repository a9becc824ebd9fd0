"""What a host's payload means, and the shape of the answer it takes: one interpreter for all tables."""

from sys import hexversion

from . import NAMES, host

LIMIT = 9500  # UTF-8 bytes of one injection: below Claude's 10,000 characters and Codex's 10,000 bytes
ROOTS = 20  # folders of one workspace that are looked at
_MARKS = {ord(mark): "x" for mark in "._-"}  # what may stand in a session's id beside letters and digits
_KINDS = {"tool_input": object, "tool_response": object, "stop_active": bool}


def decode(name: str, native: str, payload: dict[str, object], folder: str = "", at: float = 0.0) -> dict[str, object]:
    """The payload that host `name` sent for its event `native`, in our words; absent fields are "", None or False.

    `folder` is the spool header's project folder, `at` the event's time (seconds; for sessions without an id). `host`
    in the answer is not `name` in one case: Cursor runs Claude's hooks too, and says so in the payload. Never raises.
    Keys: event, native, host, session, agent, cwd, folder, prompt, typed, source, reason, tool_name, tool_input,
    tool_response, tool_use_id, failed, error, last_message, model, turn, transcript, stop_active, agent_type, trigger,
    roots (all folders that an editor has open), rule (a file of instructions that was loaded), scope (whose that is),
    lost (True where no answer to this event reaches the model, although others of its kind do), kept (at a start, what
    the context still has of what was given earlier in this session: "all", "prompts" for what prompts got, or "").
    """
    if name == "claude" and payload.get("cursor_version"):
        name = "cursor"
    table = host(name if name in NAMES else "claude")
    said: dict[str, object] = {"event": table.events.get(native, native), "native": native, "host": name}
    for field, keys in table.fields.items():
        said[field] = _first(payload, keys, _KINDS.get(field, str))
    if not said.pop("parent", True):  # Cline names the agent of every event, and the parent of a subagent's
        said["agent"] = ""
    said["source"] = said["source"] or table.sources.get(native, "")
    said["kept"] = table.keeps.get(str(said["source"]), "")
    said["lost"] = not said.pop("heard", True) or said["source"] in table.lost
    roots = payload.get("workspace_roots", payload.get("workspaceRoots"))
    found = [one for one in roots if isinstance(one, str)] if isinstance(roots, list) else []
    said["roots"] = found[:ROOTS]
    root = found[0] if found else ""
    said["cwd"] = said["cwd"] or root
    said["folder"] = folder or root or said["cwd"]
    said["session"] = session_id(said["session"], str(said["cwd"]), at)
    said["tool_name"] = said["tool_name"] or table.tools.get(native, "")
    prompt = str(said["prompt"]).lstrip()
    typed = said["event"] == "UserPromptSubmit" and not said["agent"]  # a prompt in a subagent is the agent's
    said["typed"] = typed and bool(prompt) and not prompt.startswith(table.untyped)
    said["failed"] = said["event"] == "PostToolUseFailure" or _failed(said["tool_response"])
    return said


def _first(payload: dict[str, object], keys: list[list[str]], kind: type) -> object:
    """The first value of the right kind that holds something, else that kind's empty value (None for any)."""
    for key in keys:
        value: object = payload
        for step in key:
            value = value.get(step) if isinstance(value, dict) else None
        if isinstance(value, kind) and value not in (None, ""):
            return value
    return "" if kind is str else False if kind is bool else None


def _failed(response: object) -> bool:
    """Whether a tool's answer says itself that it failed: in its fields, or in its text (Codex, Cursor)."""
    if isinstance(response, dict):
        failure = response.get("resultType", response.get("result_type")) == "failure"
        return failure or response.get("success") is False or bool(response.get("error"))
    if isinstance(response, list):
        return any(isinstance(one, dict) and _failed(one) for one in response)
    for mark in ("Exit code: ", '"exitCode": ', '"exitCode":') if isinstance(response, str) else ():
        _, found, after = str(response)[:200].partition(mark)
        if found:
            return after[:1] not in ("", "0", "n")
    return False


def session_id(given: object, cwd: str, at: float = 0.0) -> str:
    """`given` as a file name: itself when it is one of at most 80 plain characters, else cleaned with 8 hex of SHA-256.

    Without an id: `none-<8 hex of cwd>-<UTC date>`.
    """
    if not isinstance(given, str) or not given:
        import time  # only for ids that no host sends today

        return f"none-{digest(cwd)}-{time.strftime('%Y%m%d', time.gmtime(at or None))}"
    if given.isascii() and given.translate(_MARKS).isalnum() and len(given) <= 80 and given[0] != ".":
        return given
    plain = "".join(letter if letter.isascii() and (letter.isalnum() or letter in "._-") else "-" for letter in given)
    return f"{plain[:71].lstrip('.')}-{digest(given)}"


def digest(text: str) -> str:
    """8 hex of SHA-256."""
    return sha256(text.encode("utf-8", "surrogatepass"))[:8]


def sha256(data: bytes) -> str:
    """Hex SHA-256; past hashlib where possible, which loads OpenSSL (a third of a bare interpreter's start)."""
    try:
        sha = __import__("_sha2" if hexversion >= 0x30C0000 else "_sha256")
    except ImportError:  # a Python built without them
        sha = __import__("hashlib")
    return str(sha.sha256(data).hexdigest())


def injects(name: str, native: str) -> bool:
    """Whether what a hook answers to this event reaches the model."""
    return name in NAMES and native in host(name).injects + host(name).touches


def resets(name: str, native: str) -> bool:
    """Whether a session's context is lost at this event, and no new start of the session tells so."""
    return name in NAMES and native in host(name).resets


def limit(name: str) -> int:
    """UTF-8 bytes that one injection may have on this host; one figure satisfies all of them."""
    return LIMIT


def encode(name: str, native: str, text: str, notice: str = "") -> bytes:
    """`text` as that host's answer to `native`: one compact JSON object; for "" what the host wants, mostly nothing.

    `notice` is a line for the user, on hosts that can show one.
    """
    table = host(name)
    if notice and table.notices and native in table.injects:
        from _json import encode_basestring as quoted

        answer = encode(name, native, text).decode("utf-8", "replace").strip()
        more = "," + answer[1:] if len(answer) > 2 else "}"
        return f'{{"systemMessage":{quoted(notice)}{more}\n'.encode("utf-8", "replace")
    if not text or native not in table.injects + table.touches:
        return b"{}\n" if native in table.empty else b""
    if not table.reply:
        return text.encode("utf-8", "replace")
    from _json import encode_basestring as quoted  # the C half of json, without json's import time

    reply = table.reply.replace("NAME", quoted(native)).replace("TEXT", quoted(text))
    return reply.encode("utf-8", "replace") + b"\n"
