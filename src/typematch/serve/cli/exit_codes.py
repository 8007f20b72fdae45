"""Exit codes of every command."""

from __future__ import annotations

OK = 0
"""The command did what was asked; a search has hits."""
NONE = 1
"""A search has no hits, or nothing matched."""
USAGE = 2
"""The query or the command line cannot be read."""
OUTSIDE = 3
"""The database, the network or another program failed."""
INTERRUPTED = 130
"""The user pressed Ctrl-C."""
