"""Interfaces to ``Catalog``: command line, HTTP, MCP.  Whatever they can do, Python can do too."""
