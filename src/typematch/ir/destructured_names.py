"""The name of a destructured parameter: its pattern, with the names that it declares."""

from __future__ import annotations

from collections.abc import Iterable

_MAX_NAMES = 5


def object_pattern_name(parts: Iterable[str]) -> str:
    """Return ``{ host, port }`` for the parts of an object pattern; empty parts are left out."""
    inside = _listed(parts)
    return f"{{ {inside} }}" if inside else "{}"


def array_pattern_name(parts: Iterable[str]) -> str:
    """Return ``[first, second]`` for the parts of an array pattern; empty parts are left out."""
    return f"[{_listed(parts)}]"


def _listed(parts: Iterable[str]) -> str:
    return ", ".join(list(filter(None, parts))[:_MAX_NAMES])
