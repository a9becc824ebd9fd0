"""`memwiki init`: create the home and the vault, or use a folder of notes."""

import sys
from collections.abc import Mapping

import click

from ..hosts.shells import agent
from .output import ask, echo, emit, json_option, memory

_SHOWN = 12  # folders in the list


@click.command()
@click.argument("folder", required=False, type=click.Path(file_okay=False))
@json_option
def command(folder: str | None, as_json: bool) -> None:
    """Create the home and the vault, or use FOLDER as the vault.

    FOLDER is a folder of notes or a git repository. A folder of notes becomes a repository with one commit. In a
    repository memwiki commits nothing, unless it has no commit yet: then memwiki makes the first one.

    In a vault that memwiki did not make, agents are given profile/, tools/ and project/ only, until you name other
    folders. On a terminal `init` asks for them; `memwiki config set recall.folders` sets them later.

    \b
    Example:
      memwiki init
      memwiki init ~/Notes
    """
    from ..init import init

    done = init(folder)
    if as_json:
        emit(
            {
                "home": done.home,
                "vault": done.vault,
                "branch": done.branch,
                "kind": done.kind,
                "notes": done.notes,
                "folders": done.folders,
                "secrets": done.secrets,
                "findings": [{"message": one.message, "remedy": one.remedy} for one in done.findings],
            }
        )
        return
    said = {
        "new": f"Made a new vault in {done.vault}, committed as {done.identity}.",
        "adopted": f"Adopted {done.notes} notes in {done.vault}, committed as {done.identity}.",
        "repository": f"Using the repository {done.vault} ({done.notes} notes on {done.branch}); committed nothing.",
        "again": f"The vault is {done.vault} ({done.notes} notes on {done.branch}); nothing to do.",
    }
    echo(said[done.kind])
    if done.others:
        echo(f"{done.others} other files were left as they are, not committed.")
    for line in done.secrets:
        echo(f"Looks like a secret, so its note is never injected or sent: {line}")
    for finding in done.findings:
        echo(f"{finding.level}: {finding.message} {finding.remedy}".rstrip())
    if done.folders:
        _offer(done.folders)
    echo(f"Home: {done.home}")
    echo("Next: `memwiki link` shows the coding agents found here; `memwiki link claude` registers one.")


def _offer(folders: Mapping[str, int]) -> None:
    """Tell which folders agents are not given; on a person's terminal, ask which of them they may be given."""
    echo("This vault was not made for agents, so they are given its notes in profile/, tools/ and project/ only.")
    echo("Templates, daily notes, attachments and trash are never given. Not given until you name them:")
    for name, count in list(folders.items())[:_SHOWN]:
        echo(f"  {count:>6}  {f'{name}/' if name else 'notes in no folder (*.md)'}")
    if len(folders) > _SHOWN:
        echo(f"  and {len(folders) - _SHOWN} more folders")
    command = "memwiki config set recall.folders"
    if not sys.stdin.isatty() or not sys.stdout.isatty() or agent():
        example = next((name for name in folders if name), "*.md")
        echo(f"To give folders to agents, name them: `{command} '{example}, ...'`; `{command} '*'` gives all.")
        return
    answer = ask("Folders that agents may be given (between commas, `*` for all, `-` for none)", default="-").strip()
    if answer in ("", "-"):
        echo(f"None. `{command} FOLDERS` changes that.")
        return
    memory().set("recall.folders", answer)
    echo(f"Agents may be given: {answer}.")
