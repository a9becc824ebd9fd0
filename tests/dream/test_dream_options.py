"""What limits leave out stays due, and what has not ended is not read."""

import json
import time
from typing import Any

import pytest
from model_stub import KEY, edit, edits, message
from world import World

from memwiki.dream.report import moment
from memwiki.dream.run import DreamFailed
from memwiki.errors import MemwikiError
from memwiki.journal.event import Event
from memwiki.text import utc

EMPTY = '{"edits": []}'


@pytest.fixture
def quiet(world: World) -> World:
    """A vault, and a model that finds nothing."""
    world.api.plays(message(EMPTY))
    return world.notes({"tools/git.md": "# Git\n\n- We squash merge.\n"})


def turn(session: str, n: int, prompt: str, ago: float, *, stop: bool = True, **more: Any) -> list[Event]:
    """The events `n` and, with `stop`, `n + 1` of a session: a prompt `ago` seconds ago and the end of its turn."""
    at = utc(time.time() - ago)
    asked = Event(n, at, "UserPromptSubmit", "UserPromptSubmit", "claude", session, payload={"prompt": prompt}, **more)
    end = Event(n + 1, at, "Stop", "Stop", "claude", session, payload={"last_assistant_message": "Done."}, **more)
    return [asked, end] if stop else [asked]


def read(world: World) -> list[str]:
    """The prompts that the model was sent, over all requests."""
    sent = "\n".join(text[text.index("# Record of a session") :] for text in world.api.texts())
    return [json.loads(line)["text"] for line in sent.splitlines() if '"who": "person"' in line]


def test_a_turn_that_still_goes_on_stays_due(quiet: World) -> None:
    quiet.writes(*turn("a", 1, "first", 60), *turn("a", 3, "second", 20, stop=False))
    report = quiet.dream()
    assert read(quiet) == ["first"] and report.going_on == 1 and report.waiting == 0
    assert quiet.watermarks() == {"claude/a": 2}
    assert quiet.dream().run == "" and len(quiet.api.requests) == 1
    quiet.writes(turn("a", 3, "", 10)[1])
    quiet.dream()
    assert read(quiet) == ["first", "second"] and quiet.watermarks() == {"claude/a": 4}


def test_a_turn_without_an_end_counts_as_ended_after_an_hour(quiet: World) -> None:
    quiet.writes(*turn("a", 1, "interrupted", 3700, stop=False))
    assert quiet.dream().going_on == 0 and read(quiet) == ["interrupted"]


def test_a_new_prompt_ends_the_turn_before_it(quiet: World) -> None:
    quiet.writes(*turn("a", 1, "interrupted", 60, stop=False), *turn("a", 2, "again", 50))
    quiet.dream()
    assert read(quiet) == ["interrupted", "again"]


def test_since_reads_the_later_part_first_and_the_rest_stays_due(quiet: World) -> None:
    quiet.writes(*turn("a", 1, "old one", 90_000), *turn("a", 3, "old two", 80_000), *turn("a", 5, "new", 60))
    report = quiet.dream(since="2h")
    assert read(quiet) == ["new"] and report.waiting == 4 and dict(report.spans) == {"claude/a": (5, 6)}
    quiet.api.requests.clear()
    report = quiet.dream()
    assert read(quiet) == ["old one", "old two"] and report.waiting == 0
    assert quiet.dream().run == ""


def test_max_events_cuts_and_the_rest_is_read_later_once(quiet: World) -> None:
    quiet.writes(*turn("a", 1, "one", 300), *turn("b", 1, "two", 200), *turn("a", 3, "three", 100))
    report = quiet.dream(max_events=3)
    assert read(quiet) == ["one", "two"] and report.events == 3 and report.waiting == 3
    quiet.dream()
    assert read(quiet) == ["one", "two", "three"]
    assert quiet.watermarks() == {"claude/a": 4, "claude/b": 2}


def test_one_session(quiet: World) -> None:
    quiet.writes(*turn("alpha", 1, "one", 300), *turn("beta", 1, "two", 200))
    report = quiet.dream(session="claude/be")
    assert read(quiet) == ["two"] and quiet.watermarks() == {"claude/beta": 2} and report.waiting == 0
    with pytest.raises(MemwikiError):
        quiet.dream(session="claude/gamma")


def test_events_without_words_are_read_without_a_call(quiet: World) -> None:
    start = Event(1, utc(), "SessionStart", "SessionStart", "claude", "a", payload={"source": "startup"})
    end = Event(2, utc(), "SessionEnd", "SessionEnd", "claude", "a")
    quiet.writes(start, end)
    report = quiet.dream()
    assert quiet.api.requests == [] and report.run and quiet.watermarks() == {"claude/a": 2}


def test_nothing_new_is_a_success_that_says_so(quiet: World) -> None:
    done = quiet.run("dream", "--engine", "claude")
    assert (done.returncode, done.stdout.strip()) == (0, "Nothing new to read.")
    assert quiet.git("for-each-ref", "refs/memwiki") == ""


def test_dry_run_calls_and_writes_nothing(quiet: World) -> None:
    quiet.writes(*turn("a", 1, "one", 300), *turn("b", 1, "two", 200))
    before = quiet.git("for-each-ref"), sorted(quiet.vault.glob(".git/objects/??/*"))
    report = quiet.dream(dry_run=True, max_events=2)
    assert quiet.api.requests == [] and report.run == "" and dict(report.spans) == {"claude/a": (1, 2)}
    assert report.estimate and report.estimate.calls == 1 and 1000 < report.estimate.input_tokens < 5000
    assert 0 < report.estimate.cost < report.estimate.most and report.waiting == 2
    assert (quiet.git("for-each-ref"), sorted(quiet.vault.glob(".git/objects/??/*"))) == before
    done = quiet.run("dream", "--engine", "claude", "--dry-run")
    assert done.returncode == 0 and "claude/b events 1 to 2" in done.stdout and "USD (at most" in done.stdout


def test_max_cost_is_kept_before_a_call_is_made(quiet: World) -> None:
    quiet.writes(*turn("a", 1, "one", 300))
    with pytest.raises(DreamFailed, match="may cost up to") as failed:
        quiet.dream(max_cost=0.01)
    assert quiet.api.requests == [] and failed.value.report.waiting == 2 and quiet.watermarks() == {}


def test_max_cost_ends_a_run_between_batches(quiet: World) -> None:
    quiet.writes(*(event for number in range(6) for event in turn("a", 1 + 2 * number, f"p{number}", 300 - number)))
    report = quiet.dream(max_cost=0.2, batch_bytes=100)
    assert 1 <= len(quiet.api.requests) < 6 and "may cost up to" in report.notice
    assert report.waiting == 12 - report.events and quiet.watermarks() == {"claude/a": report.events}


def test_max_cost_counts_an_unknown_model_as_a_dear_one(quiet: World, monkeypatch: pytest.MonkeyPatch) -> None:
    quiet.writes(*(event for number in range(6) for event in turn("a", 1 + 2 * number, f"p{number}", 300 - number)))
    monkeypatch.setenv("MEMWIKI_DREAM_MODEL", "house-model-7")
    dear = message(EMPTY)
    dear["usage"]["output_tokens"] = 4000  # 0.20 USD at the dearest price
    quiet.api.plays(dear)
    report = quiet.dream(max_cost=1.0, batch_bytes=100)
    assert len(quiet.api.requests) == 1 and not report.usage.priced and report.usage.cost == 0
    assert "are spent" in report.notice and report.waiting == 10


def test_max_calls_and_max_candidates_leave_the_rest_due(quiet: World, monkeypatch: pytest.MonkeyPatch) -> None:
    quiet.writes(
        *(event for number in range(4) for event in turn("a", 1 + 2 * number, f"keep port 700{number}", 300 - number))
    )
    monkeypatch.setenv("MEMWIKI_DREAM_MAX_CALLS", "2")
    report = quiet.dream(batch_bytes=100)
    assert len(quiet.api.requests) == 2 and report.waiting == 4 and "dream.max_calls" in report.notice
    monkeypatch.delenv("MEMWIKI_DREAM_MAX_CALLS")
    monkeypatch.setenv("MEMWIKI_DREAM_MAX_CANDIDATES", "1")
    two = [edit(f"tools/port{n}.md", f"Keep port 700{n}.", "keep port 7002", type="fact") for n in (2, 3)]
    quiet.api.plays(edits(*two))
    report = quiet.dream(batch_bytes=100)
    # Both rest on the run's first turn: no later run would have more room, so the second is refused.
    assert len(report.candidates) == 1 and "1 candidates" in report.refused[0].reason
    assert report.waiting == 2 and "dream.max_candidates" in report.notice


def test_what_max_candidates_leaves_out_is_read_by_the_next_run(quiet: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMWIKI_DREAM_MAX_CANDIDATES", "2")
    quiet.writes(*(event for n in range(4) for event in turn("a", 1 + 2 * n, f"keep port 700{n}", 300 - n)))
    found = [edit(f"tools/port{n}.md", f"Keep port 700{n}.", f"keep port 700{n}", f"e{2 * n + 1}") for n in range(4)]
    quiet.api.plays(edits(*reversed(found)))
    report = quiet.dream()
    assert [one.path for one in report.candidates] == ["tools/port0.md", "tools/port1.md"] and report.refused == ()
    assert report.waiting == 4 and quiet.watermarks() == {"claude/a": 4}
    again = [edit(f"tools/port{n}.md", f"Keep port 700{n}.", f"keep port 700{n}", f"e{2 * n - 3}") for n in (2, 3)]
    quiet.api.plays(edits(*again))
    report = quiet.dream()
    assert [one.path for one in report.candidates] == ["tools/port2.md", "tools/port3.md"] and report.waiting == 0


def test_the_dreams_own_sessions_are_never_read(quiet: World) -> None:
    (quiet.home.log / "dream-sessions").write_text("5b1d-own\n")
    quiet.writes(*turn("5b1d-own", 1, "You keep a person's memory", 300), *turn("a", 1, "mine", 200))
    quiet.dream()
    assert read(quiet) == ["mine"]


def test_a_prompt_nobody_typed_is_not_sent(quiet: World) -> None:
    note = "<task-notification><summary>GHOST-7 finished</summary></task-notification>"
    quiet.writes(*turn("a", 1, note, 300), *turn("a", 3, "mine", 200))
    quiet.dream()
    assert read(quiet) == ["mine"] and "GHOST-7" not in "".join(quiet.api.texts())


def test_what_a_subagent_was_told_is_not_a_persons_word(quiet: World) -> None:
    quiet.writes(*turn("a", 1, "mine", 300), *turn("a", 3, "SUB-7 always use tabs", 200, agent="explorer"))
    quiet.dream()
    assert "SUB-7" not in "".join(read(quiet))


def test_an_interrupted_run_keeps_what_was_paid_for(quiet: World, monkeypatch: pytest.MonkeyPatch) -> None:
    from memwiki.dream.engines.claude import Claude

    quiet.writes(*turn("a", 1, "one", 300), *turn("a", 3, "two", 200))
    asked = Claude.distil

    def once(self: Claude, batch: Any) -> Any:
        if quiet.api.requests:
            raise KeyboardInterrupt
        return asked(self, batch)

    monkeypatch.setattr(Claude, "distil", once)
    with pytest.raises(KeyboardInterrupt):
        quiet.dream(batch_bytes=100)
    assert quiet.watermarks() == {"claude/a": 2}


def test_json_of_a_failed_run_is_one_object_with_the_report(quiet: World) -> None:
    quiet.writes(*turn("a", 1, "one", 300))
    quiet.api.plays(message("no json"))
    done = quiet.run("dream", "--engine", "claude", "--json")
    assert done.returncode == 1
    value = json.loads(done.stdout)
    assert value["waiting"] == 2 and "not parseable" in value["error"] and value["remedy"]
    assert value["usage"]["calls"] == 2 and value["usage"]["cost"] > 0


def test_json_of_a_run(quiet: World) -> None:
    quiet.writes(*turn("a", 1, "we use merge commits now", 300))
    quiet.api.plays(edits(edit("tools/git.md", "We use merge commits.", "we use merge commits now")))
    done = quiet.run("dream", "--engine", "claude", "--json")
    assert done.returncode == 0, done.stderr
    value = json.loads(done.stdout)
    assert [one["path"] for one in value["candidates"]] == ["tools/git.md"] and value["spans"] == {"claude/a": [1, 2]}


def test_no_key_is_said_before_anything_else(quiet: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    done = quiet.run("dream", "--engine", "claude")
    assert done.returncode == 1 and "ANTHROPIC_API_KEY" in done.stderr


def test_the_key_may_stand_in_the_settings(quiet: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    quiet.run("config", "set", "dream.api_key", KEY)
    quiet.run("config", "set", "dream.model", "claude-opus-5-5")
    quiet.writes(*turn("a", 1, "one", 300))
    assert quiet.dream().usage.calls == 1
    assert (
        quiet.api.headers[0]["authorization"] == f"Bearer {KEY}" and quiet.api.requests[0]["model"] == "claude-opus-5-5"
    )


@pytest.mark.parametrize("words", ["yesterday", "10", "7w", "2026-13-45", "-3h"])
def test_a_time_that_is_none_is_refused(words: str) -> None:
    with pytest.raises(MemwikiError, match="is no time"):
        moment(words)


def test_times() -> None:
    from datetime import UTC, datetime

    now = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
    assert moment("30m", now) == "2026-11-30T11:30:00.000Z"
    assert moment("24h", now) == "2026-11-29T12:00:00.000Z"
    assert moment("7d", now) == "2026-11-23T12:00:00.000Z"
    assert moment("2026-11-30T12:00:00+00:00") == "2026-11-30T12:00:00.000Z"
    assert moment("2026-11-30").startswith("2026-11-") and moment("") == ""
