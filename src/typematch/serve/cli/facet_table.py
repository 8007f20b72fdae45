"""Table of the facets for ``--help``, generated from ``query.model.FACETS``."""

from __future__ import annotations

from textwrap import wrap

from typematch.query.model import FACETS

_WIDTH = 100  # columns
_INDENT = 13  # columns


def facet_table() -> str:
    """Return lines for each facet: key, meaning, values or examples."""
    lines = [
        "facets (key:value; a,b means a or b; a repeated facet means and; a leading - negates):"
    ]
    for facet in FACETS.values():
        text = f"{facet.help}: {facet.values}"
        first, *more = wrap(text, _WIDTH - _INDENT, break_on_hyphens=False)
        lines.append(f"  {facet.key:<{_INDENT - 2}}{first}")
        lines += [" " * _INDENT + line for line in more]
    return "\n".join(lines)
