"""`memwiki dream`: propose notes from new events."""

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from .output import echo, emit, json_option, memory, table

if TYPE_CHECKING:
    from ..dream.run import DreamReport


@click.command()
@click.option(
    "--engine",
    type=click.Choice(["rules", "claude", "claude-cli"]),
    metavar="ENGINE",
    help="Use this engine instead of the configured one: rules, claude or claude-cli.",
)
@click.option(
    "--session", default="", metavar="KEY", help="Only this session, such as claude/9b1c. A prefix is enough."
)
@click.option("--since", default="", metavar="WHEN", help="Only turns since 30m, 24h, 7d or a date. Older ones wait.")
@click.option("--max-events", type=click.IntRange(1), default=None, metavar="N", help="Read at most N events.")
@click.option(
    "--max-cost", type=click.FloatRange(0), default=None, metavar="USD", help="Stop before the run costs more than USD."
)
@click.option("--dry-run", is_flag=True, help="Show the events to read and the estimated cost. Spend nothing.")
@json_option
@click.pass_context
def command(
    context: click.Context,
    engine: str | None,
    session: str,
    since: str,
    max_events: int | None,
    max_cost: float | None,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Propose notes from the events that no dream has read yet.

    Nothing becomes memory before you approve it. Events that a limit or a failure leaves out wait for the next dream.

    \b
    Example:
      memwiki dream
      memwiki dream --engine claude --since 24h --max-cost 0.50
      memwiki dream --engine claude --dry-run
    """
    from ..dream.run import DreamFailed, DreamOptions

    options = DreamOptions(engine or "", session, since, max_events or 0, dry_run, max_cost)
    try:
        report = memory().dream(options)
    except DreamFailed as failed:
        if not as_json:
            _say(failed.report)
            raise
        emit({**asdict(failed.report), "error": failed.message, "remedy": failed.remedy})
        context.exit(1)
    if as_json:
        emit(asdict(report))
    else:
        _say(report)


def _say(report: "DreamReport") -> None:
    """The report in words."""
    if report.estimate is not None:
        _say_plan(report)
        return
    if not report.run:
        echo("Nothing new to read." if not report.waiting else "Nothing was read.")
    elif not report.candidates:
        echo(f"Read {_events(report.events)}: nothing worth keeping.")
    else:
        echo(f"Read {_events(report.events)}: {_count(len(report.candidates), 'candidate')} on dream/{report.run}.")
        table(("id", "note", "subject"), [(one.id, one.path, one.subject) for one in report.candidates])
        echo("`memwiki review` walks through them.")
    for seen in report.seen:
        echo(f"Said again, and known already ({seen.where}): {seen.text.splitlines()[0]}")
    for refused in report.refused:
        echo(f"Refused for {refused.path}: {(refused.subject or 'an edit').rstrip('.')}. {refused.reason}")
    if report.usage.calls:
        echo(_usage(report))
    if report.notice:
        echo(report.notice)
    _say_rest(report)


def _say_plan(report: "DreamReport") -> None:
    echo(
        f"A dream with {report.engine} would read {_events(report.events)}:" if report.spans else "Nothing new to read."
    )
    for key, (first, last) in report.spans.items():
        echo(f"  {key} events {first} to {last}")
    estimate = report.estimate
    if estimate and estimate.calls:
        echo(
            f"About {_count(estimate.calls, 'call')} of {report.model}, {estimate.input_tokens:,} input tokens"
            + (f", {estimate.cost:.2f} USD (at most {estimate.most:.2f})." if estimate.most else ".")
        )
    _say_rest(report)


def _say_rest(report: "DreamReport") -> None:
    if report.waiting:
        echo(f"{_events(report.waiting)} stay{'s' if report.waiting == 1 else ''} due.")
    if report.going_on:
        echo(f"{_events(report.going_on)} in turns that still go on.")


def _usage(report: "DreamReport") -> str:
    used = report.usage
    read = used.input_tokens + used.cache_read_tokens + used.cache_write_tokens
    cost = f"{used.cost:.4f} USD" if used.priced else f"cost unknown: no price is known for {report.model}"
    return f"{_count(used.calls, 'call')} of {report.model}: {read:,} tokens in, {used.output_tokens:,} out, {cost}."


def _events(count: int) -> str:
    return _count(count, "event")


def _count(count: int, word: str) -> str:
    return f"{count:,} {word}{'' if count == 1 else 's'}"
