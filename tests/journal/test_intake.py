"""What becomes of one payload: encodings, size, private text, what is never stored."""

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from memwiki.config import Config, Home
from memwiki.journal.aside import Aside
from memwiki.journal.caps import PAYLOAD, STRING, capped, shortened, size
from memwiki.journal.counts import counts
from memwiki.journal.drain import Drained, drain
from memwiki.journal.event import Event
from memwiki.journal.sessions import Journal

CASES = Path(__file__).parent.parent / "cases"
Put = Callable[..., Path]


def stored(store: Home, config: Config) -> list[Event]:
    """All events after a drain, session by session."""
    drain(store, config)
    journal = Journal(store.journal)
    return [event for session in journal.sessions() for event in journal.events(session.key)]


def everything(store: Home) -> bytes:
    """All bytes that memwiki keeps."""
    return b"".join(path.read_bytes() for path in store.path.rglob("*") if path.is_file())


def test_case_04_utf8_bom_and_bad_bytes(store: Home, config: Config, put: Put) -> None:
    folder = CASES / "04-hook-stdin-encoding"
    for name in ("utf8.bin", "bom.bin", "bad-byte.bin"):
        put((folder / name).read_bytes())
    events = stored(store, config)
    expected = (folder / "expected.txt").read_text("utf-8").rstrip("\n")
    assert [event.payload["prompt"] for event in events] == [expected, expected, "caf\ufffd au lait"]
    assert {event.event for event in events} == {"UserPromptSubmit"}


@pytest.mark.parametrize("marked", [True, False])
def test_case_04_utf16_is_counted_and_not_stored(store: Home, config: Config, put: Put, marked: bool) -> None:
    raw = (CASES / "04-hook-stdin-encoding" / "utf16.bin").read_bytes()
    put(raw if marked else raw[2:])
    done = drain(store, config)
    assert (done.events, done.unsupported) == (0, 1)
    assert counts(store).unsupported == 1
    assert Journal(store.journal).sessions() == []
    (line,) = (store.log / "drain.log").read_text("utf-8").splitlines()
    assert "UTF-16" in line and "UserPromptSubmit" in line
    assert list(store.spool.iterdir()) == []


def test_case_06_huge_payload(store: Home, config: Config, put: Put, tmp_path: Path) -> None:
    made = subprocess.run(
        ["python3", str(CASES / "06-hook-huge-payload" / "gen.py")], capture_output=True, check=True
    ).stdout
    assert len(made) > 10_000_000
    put(made, "PostToolUse")
    put({"session_id": "5a0c0000-0000-4000-8000-000000000001", "prompt": "next"})
    event, following = stored(store, config)
    text = json.dumps(event.payload, ensure_ascii=False)
    assert len(text.encode()) <= PAYLOAD
    assert event.truncated and event.bytes == len(made) and re.fullmatch("[0-9a-f]{64}", event.sha256)
    assert "[image/png, 8533336 bytes]" in text
    assert not re.search(r"[A-Za-z0-9+/]{512}", text)
    assert "HEADMARK-7" in text and "TAILMARK-7" in text and "MIDDLE" not in text
    assert event.payload["tool_input"] == {"file_path": "/home/ana/acme/shot.png"}
    assert following.payload["prompt"] == "next" and not following.truncated and following.n == 2


def test_case_53_private_text_is_nowhere(store: Home, config: Config, put: Put) -> None:
    folder = CASES / "53-private-tags"
    prompts = (folder / "prompts.txt").read_text("utf-8").splitlines()
    expected = json.loads((folder / "expect.json").read_text("utf-8"))
    for prompt in prompts:
        put({"prompt": prompt, "hook_event_name": "UserPromptSubmit"})
        put({"tool_name": "Bash", "tool_response": {"stdout": prompt}, "hook_event_name": "PostToolUse"})
        put({"last_assistant_message": prompt, "hook_event_name": "Stop"})
    events = stored(store, config)
    assert len(events) == 3 * len(prompts)
    assert b"SECRET-" not in everything(store)
    for number, right in enumerate(expected):
        said = [
            events[3 * number].payload["prompt"],
            events[3 * number + 1].payload["tool_response"]["stdout"],
            events[3 * number + 2].payload["last_assistant_message"],
        ]
        for text in said:
            assert text.strip() in ("", "end") if right.startswith("*") else text.strip() == right.strip()


def test_case_53_private_text_in_keys_and_in_what_is_no_json(store: Home, config: Config, put: Put) -> None:
    put({"tool_input": {"<private>HUSH-1</private>a": "b <private>HUSH-2"}, "hook_event_name": "PreToolUse"})
    put(b'{"session_id": "x", "prompt": "a <private>HUSH-3</private> b')
    stored(store, config)
    assert b"HUSH-" not in everything(store)


def test_what_is_no_json_is_kept_as_text_in_its_session(store: Home, config: Config, put: Put) -> None:
    put(b'{"session_id": "abc", "cwd": "/home/dev", "prompt": "cut o')
    put(b"[1, 2]")
    put(b"", folder="/home/dev/shop")
    cut, *others = sorted(stored(store, config), key=lambda event: event.session)
    assert (cut.session, cut.event, cut.native, cut.cwd) == ("abc", "Unparsed", "UserPromptSubmit", "/home/dev")
    assert cut.payload["text"].endswith("cut o")
    assert [event.payload["text"] for event in others] == ["[1, 2]"]
    assert counts(store).empty == 1  # an empty payload is not an event
    assert all(re.fullmatch(r"none-[0-9a-f]{8}-20260921", event.session) for event in others)


def test_a_file_without_our_header_is_kept(store: Home, config: Config) -> None:
    (store.spool / "77").write_bytes(b"hello")
    (event,) = stored(store, config)
    assert (event.host, event.event, event.payload) == ("unknown", "Unparsed", {"text": "hello"})


@pytest.mark.parametrize("host", ["../../evil", "Claude", "a/b", ""])
def test_a_foreign_host_name_cannot_leave_the_journal(store: Home, config: Config, put: Put, host: str) -> None:
    put({"prompt": "x", "session_id": "../../../evil"}, host=host or "-")
    (event,) = stored(store, config)
    assert event.host == "unknown"
    assert [path.parent for path in store.path.rglob("*evil*")] == [store.journal / "unknown"]


def test_numbers_and_letters_that_json_or_utf8_cannot_hold(store: Home, config: Config, put: Put) -> None:
    put(b'{"session_id": "s", "prompt": "a\\ud83d b \\ud83d\\ude80", "n": [NaN, 1e999, -Infinity, 1.5]}')
    (event,) = stored(store, config)
    assert event.payload["prompt"] == "a\ufffd b 🚀"
    assert event.payload["n"] == ["NaN", "1e999", "-Infinity", 1.5]


def test_user_email_is_never_stored(store: Home, config: Config, put: Put) -> None:
    put({"user_email": "dev@example.com", "prompt": "x", "more": [{"user_email": "dev@example.com"}]}, host="cursor")
    (event,) = stored(store, config)
    assert event.payload["more"] == [{}]
    assert b"dev@example.com" not in everything(store)


def test_sessions_of_our_own_dreams_are_dropped(store: Home, config: Config, put: Put) -> None:
    (store.log / "dream-sessions").write_text("aaaa-1\nbbbb-2\n", "utf-8")
    put({"session_id": "bbbb-2", "prompt": "distil"})
    put({"prompt": "kept"})
    assert [event.payload["prompt"] for event in stored(store, config)] == ["kept"]
    assert counts(store).own == 1


def test_a_paused_project_is_not_stored(store: Home, put: Put, tmp_path: Path, git: Callable[..., str]) -> None:
    for name in ("shop", "other"):
        (tmp_path / name).mkdir()
        git(tmp_path / name, "init", "-q")
        git(tmp_path / name, "remote", "add", "origin", f"git@github.com:acme/{name}.git")
        put({"cwd": str(tmp_path / name), "prompt": name})
    config = Config(store, projects={"github.com/acme/shop": {"capture.paused": True}})
    (event,) = stored(store, config)
    assert (event.project, event.root, event.branch) == ("github.com/acme/other", str(tmp_path / "other"), "main")
    assert counts(store).paused == 1
    assert b"shop" not in (store.journal / "claude" / f"{event.session}.jsonl").read_bytes()


def test_cursors_doubles_are_dropped_while_cursor_is_linked(
    store: Home, config: Config, put: Put, home: Path, tmp_path: Path
) -> None:
    from memwiki.hosts.link import link, unlink

    double = {"cursor_version": "3.14.7", "conversation_id": "c1", "session_id": "c1", "hook_event_name": "Stop"}
    link(store, "cursor")
    put(double, host="claude")
    assert drain(store, config).duplicates == 1
    unlink(store, "cursor")
    put(double, host="claude")
    (event,) = stored(store, config)
    assert (event.key, event.event, event.native) == ("cursor/c1", "Stop", "Stop")


def test_cursors_doubles_where_only_one_project_is_linked(
    store: Home, config: Config, put: Put, tmp_path: Path
) -> None:
    from memwiki.hosts.link import link

    (tmp_path / "shop" / "src").mkdir(parents=True)
    link(store, "cursor", tmp_path / "shop")
    for folder in (tmp_path / "shop" / "src", tmp_path / "elsewhere"):
        put({"cursor_version": "3", "conversation_id": folder.name, "prompt": "x", "cwd": str(folder)})
    assert [event.cwd for event in stored(store, config)] == [str(tmp_path / "elsewhere")]


def test_an_event_that_cannot_be_redacted_is_stored_without_its_text(store: Home, config: Config, put: Put) -> None:
    deep = b"[" * 700 + b'"topsecret-words"' + b"]" * 700
    put(b'{"session_id": "s", "hook_event_name": "PostToolUse", "tool_response": ' + deep + b"}", "PostToolUse")
    put({"session_id": "s", "prompt": "next"})
    first, second = stored(store, config)
    assert (first.event, dict(first.payload)) == ("PostToolUse", {"set_aside": "it is nested too deeply"})
    assert second.payload["prompt"] == "next"
    (payload,) = Aside.of(store).payloads()
    (Aside.of(store).folder / payload.name).unlink()
    assert b"topsecret" not in everything(store)
    assert "nested too deeply" in (store.log / "drain.log").read_text("utf-8")


def test_a_secret_at_the_cut_is_not_left_in_halves(store: Home, config: Config, put: Put) -> None:
    token = "gh" + "p_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1eF2hJ4"
    for at in range(STRING // 2 - 60, STRING // 2 + 20, 7):
        text = "x " * (at // 2) + token + " y" * 4000
        put({"prompt": text + text[::-1].replace(token[::-1], token)})
    journal = b"".join(line_bytes(event) for event in stored(store, config))
    assert not any(token[i : i + 12].encode() in journal for i in range(4, len(token) - 11))


def test_a_secret_at_the_cut_of_a_very_long_string(store: Home, config: Config, put: Put) -> None:
    token = "gh" + "p_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1eF2hJ4"
    lines = f"{token}\n" * 40_000
    put({"prompt": lines})
    put({"prompt": "-----BEGIN " + "PRIVATE KEY-----\n" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1eF2hJ4aB3d\n" * 900})
    journal = b"".join(line_bytes(event) for event in stored(store, config))
    assert not any(token[i : i + 12].encode() in journal for i in range(4, len(token) - 11))


def line_bytes(event: Event) -> bytes:
    return json.dumps(dict(event.payload), ensure_ascii=False).encode()


def test_many_small_strings_and_long_lists_stay_under_the_cap() -> None:
    wide = {"tool_input": {"command": "ls"}, "tool_response": {f"k{n}": "v" * 100 for n in range(5000)}}
    long = {"tool_input": {"command": "ls"}, "rows": [[n, n] for n in range(50_000)]}
    for value in (wide, long, {"a": [{"b": ["x" * 9000] * 50}] * 50}):
        cut, truncated = capped(value)
        assert truncated and size(cut) <= PAYLOAD
        assert cut.get("tool_input", {"command": "ls"}) == {"command": "ls"}
    assert capped({"a": ["x" * 100] * 10}) == ({"a": ["x" * 100] * 10}, False)


def test_a_cut_string_keeps_whole_characters() -> None:
    text = "🚀é" * 5000
    cut = shortened(text, STRING)
    assert len(cut.encode()) <= STRING and "\ufffd" not in cut
    assert cut.startswith("🚀é") and cut.endswith("é") and "characters cut" in cut


def test_drained_counts_are_those_of_the_counts_file(store: Home, config: Config) -> None:
    assert drain(store, config) == Drained()
    assert not (store.journal / ".counts.json").exists()
