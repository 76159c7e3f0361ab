"""The memory as a server of the Model Context Protocol, for any agent that speaks it (extra `mcp`)."""
