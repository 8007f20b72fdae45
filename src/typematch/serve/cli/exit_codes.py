"""Exit codes of every command."""

from __future__ import annotations

OK = 0
"""Success; a search has hits."""
NONE = 1
"""No result: no hits, no match, not assignable."""
USAGE = 2
"""Syntax error in the query or the command line, or an invalid argument."""
OUTSIDE = 3
"""The database, the network or another program failed."""
INTERRUPTED = 130
"""The user pressed Ctrl-C."""
