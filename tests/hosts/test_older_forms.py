"""Commands of memwiki's own in other forms than today's: replaced and not doubled, named by doctor, and unlinked."""

import json
from pathlib import Path

import pytest

from memwiki.config import Home, load
from memwiki.hosts.link import findings, link, unlink
from memwiki.hosts.registration import call, settings_file

FORMS = [
    '[ -x "$HOME/.memwiki/bin/hook" ] && exec "$HOME/.memwiki/bin/hook" claude Stop; exit 0',
    'h="$HOME/.memwiki/bin/hook"; [ -x "$h" ] && exec "$h" claude Stop; exit 0',
    "[ -x '@HOME@/.memwiki/bin/hook' ] && '@HOME@/.memwiki/bin/hook' claude Stop; exit 0",
    "[ -x '@HOME@/link/bin/hook' ] && '@HOME@/link/bin/hook' claude Stop; exit 0",
    "[ -x '@HOME@/gone home/bin/hook' ] && '@HOME@/gone home/bin/hook' claude Stop; exit 0",
    '"$HOME/.memwiki/bin/hook" claude Stop',
    '"${HOME}/.memwiki/bin/hook" claude Stop || true',
    "~/.memwiki/bin/hook claude Stop 2>/dev/null || exit 0",
    "$HOME/.memwiki/bin/hook claude Stop >/dev/null 2>&1; exit 0",
    "@HOME@/.memwiki/bin/hook claude Stop",
    "\"@HOME@/.memwiki/bin/hook\" claude Stop; echo '{}'",
    "memwiki hook claude Stop",
    "/opt/venv/bin/memwiki hook claude Stop || true",
    "'/opt/my venv/bin/python3.12' -m memwiki hook claude Stop; exit 0",
    '"python" -m memwiki hook claude Stop',
]
OTHERS = [
    "/opt/tool/bin/hook claude Stop",
    "say done; memwiki hook claude Stop",
    "memwiki hook claude Stop && say done",
    "memwiki hook claude Stop | tee /tmp/log",
    "memwiki-other hook claude Stop",
    "node -m memwiki hook claude Stop",
    "memwiki sync",
    "bin/hook claude Stop",
    "[ -x x ] && x claude Stop; exit 0",
    "memwiki hook claude Stop; rm -rf /",
    "",
]


@pytest.fixture
def place(home: Path) -> Home:
    made = Home(home / ".memwiki")
    made.make()
    (home / "link").symlink_to(home / ".memwiki")
    return made


def put(home: Path, command: str) -> dict[str, object]:
    """Settings in which that command stands on one event; its handler."""
    handler = {"type": "command", "command": command.replace("@HOME@", str(home))}
    file = settings_file("claude")
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps({"hooks": {"Stop": [{"hooks": [handler]}]}}, indent=2))
    return handler


def handlers() -> list[dict[str, object]]:
    hooks = json.loads(settings_file("claude").read_text()).get("hooks", {})
    return [one for group in hooks.get("Stop", []) for one in group["hooks"]]


@pytest.mark.parametrize("command", FORMS)
def test_an_older_form_is_replaced_and_not_doubled(place: Home, home: Path, command: str) -> None:
    old = put(home, command)
    said = [one.message for one in findings(place, load(place)) if one.area == "hosts"]
    assert any("present form" in one or "names a hook that is gone" in one for one in said), said
    assert link(place, "claude").changed
    (now,) = handlers()
    assert now != old
    assert now["command"] == '[ -x "$HOME/.memwiki/bin/hook" ] && "$HOME/.memwiki/bin/hook" claude Stop; exit 0'
    put(home, command)
    unlink(place, "claude")
    assert (handlers() == []) or "gone home" in command


@pytest.mark.parametrize("command", OTHERS)
def test_what_only_resembles_ours_stays(place: Home, home: Path, command: str) -> None:
    assert call(command) is None
    old = put(home, command)
    link(place, "claude")
    assert handlers()[0] == old
    assert len(handlers()) == 2
    unlink(place, "claude")
    assert handlers() == [old]


def test_another_home_that_is_in_use_keeps_its_older_form(place: Home, home: Path) -> None:
    other = Home(home / "other" / ".memwiki")
    other.make()
    (other.bin / "hook").write_text("#!/bin/sh\n")
    old = put(home, f"{other.bin}/hook claude Stop")
    assert any("another memwiki home" in one.message for one in findings(place, load(place)))
    link(place, "claude")
    assert handlers()[0] == old
    assert len(handlers()) == 2


def test_a_long_command_is_looked_at_in_linear_time() -> None:
    for text in ("memwiki" + " " * 200_000, "'" * 200_000, "a " * 100_000, "x a b" + " 2>&1" * 50_000 + "!"):
        assert call(text) is None
