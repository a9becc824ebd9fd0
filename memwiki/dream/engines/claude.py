"""The `claude` engine: one Messages API call a batch through the anthropic SDK, with our own bounded back-off."""

import email.utils
import os
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ...config import Config
from ...errors import MemwikiError
from ..answer import SCHEMA, edits_of
from ..edits import Answer, Batch, Edit, Usage
from ..prompt import ONCE_MORE, Prompt, prompt
from .failure import LARGER, LATER, REFUSED, Failed
from .prices import DEAREST, cost, price_of, tokens

if TYPE_CHECKING:
    from anthropic import Anthropic
    from anthropic.types import Message

CALLS = 5  # HTTP calls for one batch, retries of every kind included
LONGEST_WAIT = 60.0  # seconds; an API that asks for more is not waited for
MAX_TOKENS = 16_000  # of one answer, thinking included; the SDK wants streaming above 21,333
_WAITS = (1.0, 2.0, 4.0, 8.0)  # seconds before the second, third, ... call where the API names none


@dataclass(frozen=True, slots=True)
class Claude:
    """Claude over the API. `key_name` says where the key came from; the key itself is never shown.

    A batch takes at most 5 calls: a rate limit, an overload, a 5xx, a cut or silent network are tried again after the
    time the API asks for (up to 60 s), else 1, 2, 4 and 8 s; an answer that is no valid JSON is asked for once more.
    """

    model: str
    key: str
    key_name: str
    base_url: str = ""
    timeout: float = 300.0
    pause: Callable[[float], None] = time.sleep
    name: str = field(default="claude", init=False)

    def distil(self, batch: Batch) -> Answer:
        """Edits for one batch. Raises Failed; what was spent until then is in its `usage`."""
        request = prompt(batch)
        usage, calls, second = Usage(), 0, False
        with _client(self) as client:
            while True:
                try:
                    message, calls = self._message(client, request, second, calls)
                    usage = usage.plus(self._usage(message))
                    return Answer(_edits(message, request), usage)
                except Failed as error:
                    if error.kind not in ("not parseable", "wrong shape") or second or calls >= CALLS:
                        error.usage = usage
                        raise
                    second = True

    def most(self, batch: Batch) -> float:
        """US dollars that one call for `batch` may cost at most: its input uncached, and the longest answer."""
        size = Usage(input_tokens=tokens(prompt(batch).size), output_tokens=MAX_TOKENS)
        return cost(price_of(self.model) or DEAREST, size)

    def _message(self, client: "Anthropic", request: Prompt, second: bool, calls: int) -> tuple["Message", int]:
        """The API's answer and how many calls have been made for the batch; waits and calls again where that helps."""
        from anthropic import APIStatusError
        from anthropic.types import Message

        while True:
            calls += 1
            try:
                answer: object = client.messages.create(**self._body(request, second))
                if isinstance(answer, Message):
                    return answer, calls
                failure, wait = Failed("unavailable", "The API answered with something that is no message."), None
            except APIStatusError as error:
                failure, wait = self._refusal(error), _asked_for(error.response.headers)
            except Exception as error:  # network, TLS, timeout, broken JSON: whatever the SDK and httpx raise
                failure, wait = self._cut(error), None
            if failure.kind not in ("rate-limited", "unavailable") or calls >= CALLS:
                raise failure
            if wait is not None and wait > LONGEST_WAIT:
                raise Failed(failure.kind, f"{failure.message[:-1]}; it asks to wait {wait:.0f} s.", failure.remedy)
            self.pause(wait if wait is not None else _WAITS[calls - 1] + random.uniform(0, 0.5))  # noqa: S311 - spreads

    def _body(self, request: Prompt, second: bool) -> dict[str, Any]:
        """What is sent. The two cache marks end the parts that are the same for ever and the same in a run."""
        cached = {"type": "ephemeral"}
        content: list[dict[str, Any]] = [
            {"type": "text", "text": request.stable, "cache_control": cached},
            {"type": "text", "text": request.batch + (f"\n{ONCE_MORE}\n" if second else "")},
        ]
        return {
            "model": self.model,
            "max_tokens": MAX_TOKENS,
            "system": [{"type": "text", "text": request.system, "cache_control": cached}],
            "messages": [{"role": "user", "content": content}],
            "output_config": {"format": {"type": "json_schema", "schema": SCHEMA}},
            "timeout": self.timeout,
        }

    def _refusal(self, error: Any) -> Failed:
        """An HTTP status of 400 or more as our kind of failure; the API's words are shown without the key in them."""
        status: int = error.status_code
        words = self._clean(str(error.api_message or ""))
        if status in (401, 403):
            return Failed(
                "key", f"The API did not accept the key ({status}).", f"Check {self.key_name}, then dream again."
            )
        if status == 413 or (status == 400 and "too long" in words.lower()):
            return Failed("too long", "The prompt is too long for the model.", LARGER)
        if status == 429:
            return Failed("rate-limited", "The API is rate-limited (429).", LATER)
        if status == 529:
            return Failed("rate-limited", "The API is overloaded (529).", LATER)
        if status >= 500 or status in (408, 409):
            return Failed("unavailable", f"The API failed ({status}).", LATER)
        said = f": {words}" if words else ""
        return Failed(
            "request",
            f"The API refused the request ({status}){said}.",
            f"Check dream.model (now {self.model}).",
        )

    def _cut(self, error: Exception) -> Failed:
        if isinstance(error, TypeError | AssertionError):  # ours, or the SDK's view of our arguments: a bug
            raise error
        cause = error.__cause__ or error
        where = self.base_url or "Anthropic's API"
        return Failed(
            "unavailable",
            f"{where} could not be reached: {self._clean(str(cause)) or type(cause).__name__}.",
            "Check the network and dream.base_url, then dream again: nothing is lost.",
        )

    def _clean(self, words: str) -> str:
        """`words` on one line, without the key, should somebody echo it."""
        return " ".join(words.replace(self.key, "(key)").split())[:300].rstrip(".")

    def _usage(self, message: "Message") -> Usage:
        used = message.usage
        usage = Usage(
            calls=1,
            input_tokens=used.input_tokens or 0,
            output_tokens=used.output_tokens or 0,
            cache_read_tokens=used.cache_read_input_tokens or 0,
            cache_write_tokens=used.cache_creation_input_tokens or 0,
        )
        price = price_of(self.model)
        return usage.plus(Usage(cost=cost(price, usage)) if price else Usage(priced=False))


def claude(config: Config) -> Claude:
    """The engine as config and the usual variables set it; MemwikiError without a key."""
    key, key_name = key_of(config)
    if not key:
        raise MemwikiError(
            "The claude engine needs an API key.",
            "Set ANTHROPIC_API_KEY (or dream.api_key), or use `--engine claude-cli` or `--engine rules`.",
        )
    base_url = config.get("dream.base_url") or os.environ.get("ANTHROPIC_BASE_URL", "")
    timeout = float(config.get("dream.timeout"))
    return Claude(config.get("dream.model"), key, key_name, base_url, timeout, time.sleep)


def key_of(config: Config) -> tuple[str, str]:
    """The API key and the name of the setting or variable it stands in; ("", "") without one."""
    chosen = str(config.get("dream.api_key"))
    if chosen:
        return chosen, "dream.api_key"
    return os.environ.get("ANTHROPIC_API_KEY", ""), "ANTHROPIC_API_KEY"


def _client(engine: Claude) -> "Anthropic":
    """An SDK client that is told everything, so that it looks up no other credentials; it never retries by itself."""
    from anthropic import Anthropic

    return Anthropic(
        api_key=engine.key,
        base_url=engine.base_url or "https://api.anthropic.com",
        timeout=engine.timeout,
        max_retries=0,
        open_telemetry=False,  # spans could carry the prompt
    )


def _edits(message: "Message", request: Prompt) -> tuple[Edit, ...]:
    """What the message says: why it stopped is looked at before its text."""
    text = "".join(block.text for block in message.content if block.type == "text")
    reason = message.stop_reason
    if reason == "refusal":
        raise Failed("refused", "The model refused to read this batch.", REFUSED, raw=text)
    if reason in ("max_tokens", "model_context_window_exceeded"):
        raise Failed("too long", "The model's answer was cut off.", LARGER, raw=text)
    if reason not in ("end_turn", "stop_sequence"):
        raise Failed("not parseable", f"The model's answer was not parseable: it stopped for {reason}.", raw=text)
    return edits_of(text, request.ids)


def _asked_for(headers: Any) -> float | None:
    """Seconds that the API asks to wait (`retry-after-ms`; `retry-after` in seconds or as a date), or None."""
    try:
        if "retry-after-ms" in headers:
            return max(0.0, float(headers["retry-after-ms"]) / 1000)
        value = headers["retry-after"]
    except (KeyError, ValueError):
        return None
    try:
        return max(0.0, float(value))
    except ValueError:
        date = email.utils.parsedate_tz(value)
        return max(0.0, email.utils.mktime_tz(date) - time.time()) if date else None
