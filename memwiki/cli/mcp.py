"""`memwiki mcp`: the memory for an agent over MCP."""

from pathlib import Path

import click

from ..errors import MemwikiError
from .output import host_option


@click.command()
@click.option(
    "--project",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="The folder in which the agent works (default: here).",
)
@host_option("Use the settings of this agent.")
def command(project: Path | None, host: str | None) -> None:
    """Serve the memory to an agent over MCP.

    Agents start the server themselves. It works on stdin and stdout until stdin ends.

    \b
    Example:
      claude mcp add --scope user memwiki -- memwiki mcp --host claude
    """
    try:
        from ..mcp.server import server
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("mcp", "mcp_types", "anyio", "pydantic"):
            raise
        raise MemwikiError(
            "The MCP server needs an extra that is not installed.", "Run `pip install 'memwiki[mcp]'`."
        ) from error
    server(str((project or Path()).absolute()), host or "").run("stdio")
