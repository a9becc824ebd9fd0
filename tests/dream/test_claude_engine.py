"""The claude engine against a stubbed Messages API: what is sent, how each kind of failure ends, what is counted."""

import json
import socket
from collections.abc import Callable
from typing import Any

import pytest
from model_stub import EDIT, KEY, SAID, Api, message, status
from werkzeug import Response

from memwiki.dream.edits import Batch, Conversation, Excerpt, Known
from memwiki.dream.engines.claude import CALLS, LONGEST_WAIT, Claude
from memwiki.dream.engines.failure import Failed

TALK = Conversation("claude/s", "claude", "github.com/acme/shop", "project/acme-shop", "main", (SAID,))
BATCH = Batch(
    (TALK,),
    (Known("tools/git.md", "tools/git.md: Git"), Known("tools/git.md", "tools/git.md: Git", "We squash merge.\n")),
)
GOOD = json.dumps({"edits": [EDIT]})


def failure(call: Callable[[], Any]) -> Failed:
    with pytest.raises(Failed) as caught:
        call()
    return caught.value


def test_sends_instructions_first_cached_and_a_closed_schema(api: Api) -> None:
    api.plays(message(GOOD)).engine().distil(BATCH)
    (sent,) = api.requests
    assert sent["model"] == "claude-sonnet-5-5"
    assert sent["output_config"]["format"]["type"] == "json_schema"
    assert sent["output_config"]["format"]["schema"]["additionalProperties"] is False
    assert sent["system"][0]["cache_control"] == {"type": "ephemeral"}
    stable, batch = sent["messages"][0]["content"]
    assert stable["cache_control"] == {"type": "ephemeral"} and "tools/git.md: Git" in stable["text"]
    assert "cache_control" not in batch
    assert "we use merge commits now, not squash" in batch["text"] and "claude/s#1" not in batch["text"]
    assert "tools" not in sent
    assert api.headers[0]["authorization"] == f"Bearer {KEY}"


def test_what_comes_first_does_not_depend_on_the_batch(api: Api) -> None:
    engine = api.plays(message(GOOD)).engine()
    engine.distil(BATCH)
    other = Excerpt("claude/t#9", "UserPromptSubmit", "person", "something else altogether")
    engine.distil(Batch((Conversation("claude/t", "claude", "", "", "", (other,)),), BATCH.notes, ("p",), ("r",)))
    first, second = api.requests
    assert first["system"] == second["system"]
    assert first["messages"][0]["content"][0] == second["messages"][0]["content"][0]


def test_answer_has_edits_with_real_event_ids_and_cost(api: Api) -> None:
    answer = api.plays(message(GOOD)).engine().distil(BATCH)
    (edit,) = answer.edits
    assert edit.quotes[0].event == "claude/s#1" and edit.path == "tools/git.md" and edit.confidence == 0.9
    used = answer.usage
    assert (used.calls, used.input_tokens, used.output_tokens) == (1, 900, 120)
    assert (used.cache_read_tokens, used.cache_write_tokens) == (2000, 3000)
    assert used.cost == pytest.approx((900 * 2 + 120 * 10 + 3000 * 2.5 + 2000 * 0.2) / 1e6)


def test_unknown_model_is_counted_but_not_priced(api: Api) -> None:
    used = api.plays(message(GOOD)).engine(model="house-model-7").distil(BATCH).usage
    assert used.cost == 0 and not used.priced and used.output_tokens == 120


def test_dated_name_of_a_known_model_has_its_price(api: Api) -> None:
    used = api.plays(message(GOOD)).engine(model="claude-haiku-4-5-20251001").distil(BATCH).usage
    assert used.priced and used.cost > 0


def test_nothing_worth_keeping(api: Api) -> None:
    assert api.plays(message('{"edits": []}')).engine().distil(BATCH).edits == ()


@pytest.mark.parametrize("reason", ["max_tokens", "model_context_window_exceeded"])
def test_stop_reason_is_looked_at_before_the_text(api: Api, reason: str) -> None:
    failed = failure(lambda: api.plays(message(GOOD, stop=reason)).engine().distil(BATCH))
    assert failed.kind == "too long" and len(api.requests) == 1 and failed.usage.calls == 1


def test_refusal_is_not_retried(api: Api) -> None:
    failed = failure(lambda: api.plays(message(GOOD, stop="refusal")).engine().distil(BATCH))
    assert failed.kind == "refused" and len(api.requests) == 1


def test_bad_answer_is_asked_for_once_more(api: Api) -> None:
    answer = api.plays(message("Certainly! Here you go."), message(GOOD)).engine().distil(BATCH)
    assert len(answer.edits) == 1 and len(api.requests) == 2 and answer.usage.calls == 2
    first, second = (request["messages"][0]["content"][1]["text"] for request in api.requests)
    assert second.startswith(first) and "Answer with that object and nothing else" in second


def test_retry_after_is_honoured_and_calls_are_bounded(api: Api) -> None:
    engine = api.plays(status(429, retry_after="1"), status(529)).engine()
    failed = failure(lambda: engine.distil(BATCH))
    assert failed.kind == "rate-limited" and len(api.requests) == CALLS
    assert api.waits[0] == 1.0
    assert sum(api.waits) < 20 and len(api.waits) == CALLS - 1


def test_recovers_within_the_bound(api: Api) -> None:
    answer = api.plays(status(529), status(503), message(GOOD)).engine().distil(BATCH)
    assert len(answer.edits) == 1 and len(api.requests) == 3


def test_a_long_retry_after_is_not_waited_for(api: Api) -> None:
    failed = failure(lambda: api.plays(status(429, retry_after=str(int(LONGEST_WAIT) + 30))).engine().distil(BATCH))
    assert failed.kind == "rate-limited" and "90 s" in failed.message
    assert len(api.requests) == 1 and api.waits == []


@pytest.mark.parametrize("code", [401, 403])
def test_refused_key_stops_at_once_and_is_never_shown(api: Api, code: int) -> None:
    failed = failure(lambda: api.plays(status(code, f"invalid x-api-key {KEY}")).engine().distil(BATCH))
    assert failed.kind == "key" and len(api.requests) == 1
    assert "ANTHROPIC_API_KEY" in failed.remedy
    assert KEY not in str(failed) and KEY[-8:] not in repr(failed)


def test_key_in_an_error_message_is_taken_out(api: Api) -> None:
    failed = failure(lambda: api.plays(status(400, f"bad request for {KEY}: no such model")).engine().distil(BATCH))
    assert failed.kind == "request" and KEY not in str(failed) and "no such model" in failed.message


@pytest.mark.parametrize("answer", [status(400, "prompt is too long: 250000 tokens > 200000 maximum"), status(413)])
def test_too_long_a_prompt_is_not_sent_again(api: Api, answer: Response) -> None:
    failed = failure(lambda: api.plays(answer).engine().distil(BATCH))
    assert failed.kind == "too long" and len(api.requests) == 1


@pytest.mark.parametrize(
    "answer",
    [
        Response("<html><h1>502 Bad Gateway</h1></html>", 502, mimetype="text/html"),
        Response("<html>please log in</html>", 200, mimetype="text/html"),
        Response("{broken", 200, mimetype="application/json"),
        status(500),
    ],
    ids=["html 502", "html 200", "broken json", "500"],
)
def test_a_sick_server_is_tried_again_and_then_unavailable(api: Api, answer: Response) -> None:
    failed = failure(lambda: api.plays(answer).engine().distil(BATCH))
    assert failed.kind == "unavailable" and len(api.requests) == CALLS


def test_no_server_is_unavailable(api: Api) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    engine = Claude("m", KEY, "ANTHROPIC_API_KEY", f"http://127.0.0.1:{port}", 5.0, api.waits.append)
    failed = failure(lambda: engine.distil(BATCH))
    assert failed.kind == "unavailable" and f"127.0.0.1:{port}" in failed.message and len(api.waits) == CALLS - 1


def test_tls_against_a_plain_server_is_unavailable(api: Api) -> None:
    engine = Claude(
        "m", KEY, "ANTHROPIC_API_KEY", api.server.url_for("").replace("http:", "https:"), 5.0, api.waits.append
    )
    assert failure(lambda: engine.distil(BATCH)).kind == "unavailable"


def test_a_silent_server_is_unavailable(api: Api) -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen(16)
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        engine = Claude("m", KEY, "ANTHROPIC_API_KEY", url, 0.2, api.waits.append)
        assert failure(lambda: engine.distil(BATCH)).kind == "unavailable"
    assert len(api.waits) == CALLS - 1


def test_most_counts_the_longest_answer(api: Api) -> None:
    assert 0.16 < api.engine().most(BATCH) < 0.2
    assert api.engine(model="house-model-7").most(BATCH) > api.engine().most(BATCH)
