"""`memwiki init`: create the home and the vault, or use a folder of notes."""

import click

from .output import echo, emit, json_option


@click.command()
@click.argument("folder", required=False, type=click.Path(file_okay=False))
@json_option
def command(folder: str | None, as_json: bool) -> None:
    """Create the home and the vault, or use FOLDER as the vault.

    FOLDER is a folder of notes or a git repository. A folder of notes becomes a repository with one commit. In a
    repository memwiki commits nothing, unless it has no commit yet: then memwiki makes the first one.

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
    echo(f"Home: {done.home}")
    echo("Next: `memwiki link` shows the coding agents found here; `memwiki link claude` registers one.")
