"""Compare members of enums."""

from __future__ import annotations

from typematch.ir.types import NUMBER, Literal, Reference, Type
from typematch.program.reduction.reduce import Reducer
from typematch.program.reduction.unions import is_enum_member, literal_of


def enum_member_fits(r: Reducer, s: Type, t: Reference) -> bool:
    """Return whether ``s`` fits the enum member ``t``, which it is not.

    Any number fits a numeric member whose value is computed, ``number`` fits every numeric one,
    a literal the one of its value, and a member that of one name in an enum of one name.
    """
    value = literal_of(r, t)
    numeric = value is None or value.kind == "number"
    if s is NUMBER:
        return numeric
    if isinstance(s, Literal):
        return numeric and s.kind == "number" and (value is None or s is value)
    if isinstance(s, Reference) and is_enum_member(r, s):
        if value is None and s.target.rpartition(".")[2] != t.target.rpartition(".")[2]:
            # Nobody knows what computed members hold: only that of one name is the same.
            return False
        return literal_of(r, s) is value and _same_enum(r, s.target, t.target)
    return False


def _same_enum(r: Reducer, one: str, other: str) -> bool:
    """Return whether the enums of two members go by one name and have no member of two values."""
    first, second = (r.declaration(key.rpartition(".")[0]) for key in (one, other))
    if first is None or second is None or first.name != second.name:
        return False
    those = dict(second.members)
    for name, key in first.members:
        if name not in those:
            return False
        a, b = literal_of(r, Reference(key)), literal_of(r, Reference(those[name]))
        if a is not None and b is not None and a is not b:
            return False
    return True
