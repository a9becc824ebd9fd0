"""What a subagent is given at its start: the project's cards and the notes for its task, in a set of its own."""

import json
import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from recall_place import PAYLOADS, Place, note

from memwiki.config import load
from memwiki.journal.drain import drain

PROXY, QUEUE = "Which port does the staging proxy use?", "How many retries does the invoice queue make?"
CALLS = {"claude": "PreToolUse.Agent", "codex": "PreToolUse.collaborationspawn_agent"}
HOSTS = tuple(CALLS)


@pytest.fixture
def here(place, git, home: Path) -> Place:
    """Notes for two tasks, and a project with two notes of its own; hooks run in the project."""
    made = place(
        {
            "tools/proxy.md": note("The staging proxy listens on port 8443.", "Staging proxy"),
            "tools/queue.md": note("The invoice queue makes five retries.", "Invoice queue"),
            "profile/me.md": note("I am Ada.", "Me"),
            "project/acme-shop/build.md": note("Builds run on zebra.", "Where builds run"),
            "project/acme-shop/style.md": note("Tabs.", "Style of the code"),
            "project/other/secret.md": note("Elsewhere.", "Elsewhere"),
        }
    )
    shop = home / "shop"
    shop.mkdir()
    git(shop, "init", "-q")
    git(shop, "remote", "add", "origin", "https://github.com/acme/shop")
    return made


def sent(here: Place, host: str, name: str, **more: object) -> dict[str, object]:
    """A recorded payload, of session `s1` in the project."""
    payload = json.loads((PAYLOADS / host / f"{name}.json").read_text())
    return {**payload, "session_id": "s1", "cwd": str(here.home.path.parent / "shop"), **more}


def call(here: Place, host: str, task: str, kind: str = "", **more: object) -> None:
    """The parent's agent calls a subagent."""
    payload = sent(here, host, CALLS[host], **more)
    wanted = dict(payload["tool_input"])  # type: ignore[call-overload]
    wanted["message" if "message" in wanted else "prompt"] = task
    if kind:
        wanted["subagent_type"] = kind
    here.raw(host, "PreToolUse", json.dumps({**payload, "tool_input": wanted}).encode())


def begin(here: Place, host: str, agent: str = "a1", **more: object) -> str:
    """What the subagent is given."""
    return here.hook("SubagentStart", host, **sent(here, host, "SubagentStart", agent_id=agent, **more))


def drained(here: Place) -> None:
    """A sync has taken everything up."""
    assert drain(here.home, load(here.home)).complete
    assert not list(here.home.spool.iterdir())


@pytest.mark.parametrize("host", HOSTS)
def test_it_is_given_the_notes_of_its_task_and_the_projects_cards(here: Place, host: str) -> None:
    here.hook("UserPromptSubmit", host, **sent(here, host, "UserPromptSubmit", prompt=QUEUE))
    call(here, host, PROXY)
    said = begin(here, host)
    assert "port 8443" in said and "five retries" not in said
    assert "\n- project/acme-shop/build.md: Where builds run\n- project/acme-shop/style.md: Style of the code\n" in said
    for word in ("zebra", "Ada", "lsewhere", "memwiki search"):
        assert word not in said


@pytest.mark.parametrize("host", HOSTS)
def test_without_a_call_the_parents_last_prompt_counts(here: Place, host: str) -> None:
    for prompt in (PROXY, QUEUE):
        here.hook("UserPromptSubmit", host, **sent(here, host, "UserPromptSubmit", prompt=prompt))
    said = begin(here, host)
    assert "five retries" in said and "8443" not in said


@pytest.mark.parametrize("host", HOSTS)
def test_a_call_that_a_sync_has_drained_is_found_in_the_journal_and_taken_once(here: Place, host: str) -> None:
    here.hook("UserPromptSubmit", host, **sent(here, host, "UserPromptSubmit", prompt="go on"))
    call(here, host, PROXY)
    drained(here)
    assert "port 8443" in begin(here, host)
    call(here, host, QUEUE)
    drained(here)
    assert "five retries" in begin(here, host, "a2"), "the call that is left"
    here.hook("UserPromptSubmit", host, **sent(here, host, "UserPromptSubmit", prompt="thanks, go on"))
    drained(here)
    said = begin(here, host, "a3")
    assert "8443" not in said and "retries" not in said, "calls before the last prompt are over"


@pytest.mark.parametrize("host", HOSTS)
def test_a_call_in_the_middle_of_being_drained_is_one_call(here: Place, host: str) -> None:
    call(here, host, PROXY)
    (file,) = here.home.spool.iterdir()
    kept, stamp = file.read_bytes(), file.stat().st_mtime_ns
    drained(here)
    file.write_bytes(kept)  # in the journal, and not yet unlinked
    os.utime(file, ns=(stamp, stamp))
    assert "port 8443" in begin(here, host)
    assert "8443" not in begin(here, host, "a2")


@pytest.mark.parametrize("host", HOSTS)
def test_a_prompt_that_a_sync_has_drained_counts_too(here: Place, host: str) -> None:
    for prompt in (PROXY, QUEUE, PROXY):  # the last got nothing new
        here.hook("UserPromptSubmit", host, **sent(here, host, "UserPromptSubmit", prompt=prompt))
    drained(here)
    with (here.home.journal / host / "s1.jsonl").open("ab") as file:
        file.write(b'garbage about a prompt\n{"v":1,"prompt":[]}\n{"v":1,"n":9,"torn prompt')
    said = begin(here, host)
    assert "port 8443" in said and "five retries" not in said
    assert here.log() == ""


@pytest.mark.parametrize("host", HOSTS)
def test_its_set_is_its_own_and_the_parents_untouched(here: Place, host: str) -> None:
    prompt = sent(here, host, "UserPromptSubmit", prompt=PROXY)
    here.hook("UserPromptSubmit", host, **prompt)
    record = here.home.delivered / f"{host}+s1"
    before = [line for line in record.read_text().splitlines() if line.split(" ", 4)[4]]
    call(here, host, PROXY)
    assert "port 8443" in begin(here, host)
    assert [line for line in record.read_text().splitlines() if line.split(" ", 4)[4]] == before
    call(here, host, f"{QUEUE} And the staging proxy port?")
    assert "five retries" in begin(here, host, "a2")
    assert "five retries" in here.hook("UserPromptSubmit", host, **{**prompt, "prompt": QUEUE})
    assert "already loaded: tools/proxy.md" in here.hook("UserPromptSubmit", host, **prompt)
    names = {file.name for file in here.home.delivered.iterdir()}
    assert names == {f"{host}+s1", f"{host}+s1+a1", f"{host}+s1+a2"}


@pytest.mark.parametrize("host", HOSTS)
def test_one_that_goes_on_is_not_given_its_notes_again(here: Place, host: str) -> None:
    call(here, host, PROXY)
    assert "port 8443" in begin(here, host)
    call(here, host, PROXY)
    assert "port 8443" not in begin(here, host)


def test_calls_at_once_are_taken_in_their_order_and_by_type(here: Place) -> None:
    call(here, "claude", PROXY, tool_use_id="t1")
    call(here, "claude", QUEUE, tool_use_id="t2")
    call(here, "claude", "Where do builds run, on zebra?", "Explore", tool_use_id="t3")
    with ThreadPoolExecutor(3) as pool:
        kinds = [("a1", "general-purpose"), ("a2", "general-purpose"), ("a3", "Explore")]
        said = dict(
            zip("123", pool.map(lambda one: begin(here, "claude", one[0], agent_type=one[1]), kinds), strict=True)
        )
    assert "zebra" in said["3"]
    assert sorted(("8443" in said[n], "retries" in said[n]) for n in "12") == [(False, True), (True, False)]


def test_a_call_that_came_to_nothing_is_not_taken_for_a_later_one(here: Place) -> None:
    call(here, "claude", QUEUE)
    time.sleep(2.1)
    call(here, "claude", PROXY)
    said = begin(here, "claude")
    assert "port 8443" in said and "retries" not in said


def test_calls_of_another_session_host_or_turn_are_not_taken(here: Place) -> None:
    call(here, "claude", PROXY, session_id="s2")
    call(here, "codex", PROXY)
    said = begin(here, "claude")
    assert "8443" not in said
    call(here, "claude", PROXY)
    here.hook("UserPromptSubmit", **sent(here, "claude", "UserPromptSubmit", prompt="thanks, go on"))
    assert "8443" not in begin(here, "claude", "a2")


def test_private_words_of_a_task_are_not_looked_for(here: Place) -> None:
    call(here, "claude", f"<private>{PROXY}</private> go on")
    assert "8443" not in begin(here, "claude")


def test_what_lies_in_the_spool_never_disturbs(here: Place) -> None:
    call(here, "claude", PROXY)
    for n, data in enumerate(
        (b"", b"garbage", b"memwiki1 claude PreToolUse \n", b'memwiki1 claude PreToolUse \n{"Agent"')
    ):
        (here.home.spool / f"{90000000 + n}").write_bytes(data)
    (here.home.spool / "90000009").mkdir()
    (here.home.spool / ".7").write_bytes(b"half")
    said = begin(here, "claude")
    assert here.log() == ""
    assert "port 8443" in said


def test_no_word_of_a_task_or_prompt_is_kept(here: Place) -> None:
    here.hook("UserPromptSubmit", **sent(here, "claude", "UserPromptSubmit", prompt=f"{PROXY} Zanzibar"))
    call(here, "claude", f"{PROXY} Zanzibar")
    begin(here, "claude")
    for file in here.home.spool.iterdir():
        file.unlink()
    for file in here.home.path.rglob("*"):
        assert not file.is_file() or b"Zanzibar" not in file.read_bytes(), file


def test_more_cards_than_fit_are_counted(place, git, home: Path) -> None:
    count = 450
    here = place({f"project/acme-shop/n{n:03}.md": note(f"Fact {n}.", f"Note number {n}") for n in range(count)})
    shop = home / "shop"
    shop.mkdir()
    git(shop, "init", "-q")
    git(shop, "remote", "add", "origin", "https://github.com/acme/shop")
    said = begin(here, "claude")
    shown = said.count("\n- project/")
    assert len(said.encode()) <= 9500 and shown > 100
    assert f"\n{count - shown} more notes do not fit here.\n" in said
