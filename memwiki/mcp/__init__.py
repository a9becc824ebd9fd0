"""Memory for agents over MCP: reading what is memory, and asking for changes that the person decides."""
