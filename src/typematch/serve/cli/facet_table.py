"""The facets as --help shows them, from the one table that there is."""

from __future__ import annotations

from textwrap import wrap

from typematch.query.model import FACETS

_WIDTH = 100  # columns
_INDENT = 13  # columns


def facet_table() -> str:
    """Return a line or more for each facet: key, what it asks for, its values or examples."""
    lines = ["facets, as key:value (a,b is a or b; repeat a facet for and; - in front is not):"]
    for facet in FACETS.values():
        text = f"{facet.help}: {facet.values}"
        first, *more = wrap(text, _WIDTH - _INDENT, break_on_hyphens=False)
        lines.append(f"  {facet.key:<{_INDENT - 2}}{first}")
        lines += [" " * _INDENT + line for line in more]
    return "\n".join(lines)
