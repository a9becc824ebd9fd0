"""`memwiki uninstall`: unlink everything, take up what is still in the spool, and say what remains."""

import click

from ..errors import MemwikiError
from .output import echo, emit, json_option, memory


@click.command()
@json_option
def command(as_json: bool) -> None:
    """Unlink every agent and list the files that remain.

    The spool is drained a last time. Your notes and the journal are not removed.

    \b
    Example:
      memwiki uninstall
    """
    from ..hosts.everywhere import remaining

    opened = memory()
    done = opened.unlink_all()
    undrained = ""
    try:
        opened.sync(wait=10.0)
    except MemwikiError as error:  # the hooks are gone all the same
        undrained = f"The spool may hold payloads that are not redacted: {error}"
    gone = [str(one.path) for one in done if one.changed]
    unknown = remaining(opened.home)
    left = {"vault": str(opened.config.vault), "home": str(opened.home.path)}
    if as_json:
        skipped = [{"host": one.host, "path": str(one.path), "words": one.words} for one in done if one.skipped]
        emit({"unlinked": gone, "remains": left, "still_linked": skipped, "look_at": unknown, "undrained": undrained})
        return
    for one in done:
        if one.skipped:
            echo(f"{one.host} is still linked: {' '.join(one.words)}")
    for sentence in unknown:
        echo(sentence)
    if undrained:
        echo(undrained)
    for path in gone:
        echo(f"{path} no longer has memwiki's hooks")
    echo(f"Your notes stay in {left['vault']}, with their history.")
    echo(f"Journal, index and settings stay in {left['home']}; remove the folder when you no longer need them.")
    echo("Remove the program as you installed it, for instance `pipx uninstall memwiki`.")
