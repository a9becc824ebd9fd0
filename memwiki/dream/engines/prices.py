"""What a model call costs, from a table of list prices."""

from dataclasses import dataclass

from ..edits import Usage

# List prices in US dollars per million tokens as of 2026-11-30, from Anthropic's page "Pricing" and its model overviews
# (platform.claude.com/docs/en/about-claude/pricing). Where they name no price of the cache: 1.25 times the input for
# writing, 0.1 times for reading, which is rather too much.


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars per million tokens; cache writes are those that live five minutes."""

    input: float
    output: float
    cache_write: float
    cache_read: float


PRICES: dict[str, Price] = {
    "claude-fable-5-2": Price(8, 40, 10, 0.8),
    "claude-fable-5-1": Price(10, 50, 12.5, 0.25),
    "claude-fable-5": Price(10, 50, 12.5, 1),
    "claude-opus-5-5": Price(4, 20, 5, 0.4),
    "claude-opus-5": Price(5, 25, 6.25, 0.5),
    "claude-opus-4-8": Price(5, 25, 6.25, 0.5),
    "claude-opus-4-7": Price(5, 25, 6.25, 0.5),
    "claude-opus-4-6": Price(5, 25, 6.25, 0.5),
    "claude-opus-4-5": Price(5, 25, 6.25, 0.5),
    "claude-sonnet-5-5": Price(2, 10, 2.5, 0.2),
    "claude-sonnet-5": Price(2, 10, 2.5, 0.2),
    "claude-sonnet-4-6": Price(3, 15, 3.75, 0.3),
    "claude-sonnet-4-5": Price(3, 15, 3.75, 0.3),
    "claude-haiku-5-5": Price(0.5, 2.5, 0.625, 0.05),  # the price over 100,000 tokens; below it a fifth of that
    "claude-haiku-4-5": Price(1, 5, 1.25, 0.1),
}
# A model that the table does not have counts at the dearest price where a limit is to be kept.
DEAREST = Price(10, 50, 12.5, 1)
# Bytes of UTF-8 in one token, on the low side, so that an estimate is on the high side: English prose has about 4,
# code, JSON and CJK about 3, and tokenizers since 2026 make 30 % more of the same text.
BYTES_A_TOKEN = 2.5


def price_of(model: str) -> Price | None:
    """The list price of `model` (a date at its end is ignored), or None when it is not in the table."""
    name, _, date = model.rpartition("-")
    return PRICES.get(model) or (PRICES.get(name) if date.isdigit() and len(date) == 8 else None)


def cost(price: Price, usage: Usage) -> float:
    """US dollars for `usage` at `price`."""
    return (
        usage.input_tokens * price.input
        + usage.output_tokens * price.output
        + usage.cache_write_tokens * price.cache_write
        + usage.cache_read_tokens * price.cache_read
    ) / 1e6


def counted(usage: Usage) -> float:
    """What `usage` counts towards a limit: its cost, or the dearest price where that is not known."""
    return usage.cost if usage.priced else cost(DEAREST, usage)


def tokens(size: int) -> int:
    """About how many tokens `size` bytes of text are; rather too many than too few."""
    return round(size / BYTES_A_TOKEN)
