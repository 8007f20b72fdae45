"""Exit codes of every command."""

from __future__ import annotations

OK = 0
"""Success: a search has hits for its whole query; ``index`` has run, even if files failed."""
NONE = 1
"""No result: no match, not assignable, no hits, or only without a facet or the query's name."""
USAGE = 2
"""Syntax error in the query or the command line, or an invalid argument."""
OUTSIDE = 3
"""The database, the network or another program failed."""
INTERRUPTED = 130
"""The user pressed Ctrl-C."""
