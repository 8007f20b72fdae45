"""Compare enum members (the enum rules of isSimpleTypeRelatedTo, and enumRelatedTo)."""

from __future__ import annotations

from typematch.ir.types import NUMBER, Literal, Reference, Type
from typematch.program.reduction.reduce import Reducer
from typematch.program.reduction.unions import is_enum_member, literal_of


def enum_member_assignable(reducer: Reducer, s: Type, t: Reference) -> bool:
    """Return whether ``s``, another type, is assignable to the enum member ``t``.

    ``number`` is assignable to every numeric member, a number literal to a member of its value or
    a computed one, and a member to the member of the same name in an enum of the same name.
    """
    value = literal_of(reducer, t)
    numeric = value is None or value.kind == "number"
    if s is NUMBER:
        return numeric
    if isinstance(s, Literal):
        return numeric and s.kind == "number" and (value is None or s is value)
    if isinstance(s, Reference) and is_enum_member(reducer, s):
        if value is None and s.target.rpartition(".")[2] != t.target.rpartition(".")[2]:
            # The values of computed members are unknown: only members of one name are related.
            return False
        return literal_of(reducer, s) is value and _enums_related(reducer, s.target, t.target)
    return False


def _enums_related(reducer: Reducer, source_key: str, target_key: str) -> bool:
    """Return whether two enums have one name and no member with two different values."""
    source, target = (
        reducer.declaration(key.rpartition(".")[0]) for key in (source_key, target_key)
    )
    if source is None or target is None or source.name != target.name:
        return False
    target_members = dict(target.members)
    for name, key in source.members:
        if name not in target_members:
            return False
        a, b = (
            literal_of(reducer, Reference(key)),
            literal_of(reducer, Reference(target_members[name])),
        )
        if a is not None and b is not None and a is not b:
            return False
    return True
