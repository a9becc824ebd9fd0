"""`memwiki mcp`: the memory for an agent over MCP."""

from pathlib import Path

import click

from ..errors import MemwikiError
from ..hosts import NAMES


@click.command()
@click.option("--project", type=click.Path(file_okay=False, path_type=Path), help="The agent's folder (default: here).")
@click.option("--host", type=click.Choice(NAMES), default=None, help="The agent, for settings that are its own.")
def command(project: Path | None, host: str | None) -> None:
    """Serve the memory to an agent over MCP, on stdin and stdout, until stdin ends. Hosts start it themselves.

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
