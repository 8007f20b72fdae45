"""Match strings against template literal types."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from typematch.ir.types import (
    ANY,
    BIGINT,
    NUMBER,
    STRING,
    Intersection,
    Intrinsic,
    Literal,
    Reference,
    Template,
    Type,
    Union,
)
from typematch.program.reduction.template_literals import MAPPINGS
from typematch.program.reduction.unions import literal_of

# What JavaScript's Number() reads, infinities and the empty text apart.
_NUMBER = re.compile(
    r"\s*(?:[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+)\s*"
)

if TYPE_CHECKING:
    from typematch.match.assignability.relation import Relation


def template_holds(rel: Relation, s: Type, t: Template) -> bool:
    """Return whether every string of ``s`` has the form ``t``."""
    if isinstance(s, Template) and s.texts == t.texts:
        return all(
            _part_fits(rel, given, wanted) for given, wanted in zip(s.types, t.types, strict=True)
        )
    found = inferred_parts(rel, s, t)
    if found is None:
        return False
    return all(placeable(rel, part, wanted) for part, wanted in zip(found, t.types, strict=True))


def _part_fits(rel: Relation, given: Type, wanted: Type) -> bool:
    return rel.related(given, wanted) is None or placeable(rel, given, wanted)


def placeable(rel: Relation, s: Type, t: Type) -> bool:
    """Return whether the text ``s`` may stand in a template where ``t`` is expected."""
    t = rel.reducer.normal(t)
    if s is t or t is ANY or t is STRING:
        return True
    if isinstance(t, Intersection):
        return all(placeable(rel, s, member) for member in t.members)
    if isinstance(t, Union):
        return any(placeable(rel, s, member) for member in t.members)
    if isinstance(s, Literal) and s.kind == "string":
        text = s.text
        if t is NUMBER:
            return _NUMBER.fullmatch(text) is not None
        if t is BIGINT:
            return text.lstrip("-").isdecimal() and str(int(text)) == text
        if isinstance(t, Intrinsic):
            return (t.name == "boolean" and text in ("true", "false")) or t.name == text
        literal = literal_of(rel.reducer, t)
        if literal is not None:
            return literal.text == text
        if isinstance(t, Template):
            return template_holds(rel, s, t)
        if isinstance(t, Reference):
            return mapping_holds(rel, s, t)
    if isinstance(s, Template) and len(s.types) == 1 and s.texts == ("", ""):
        return rel.related(s.types[0], t) is None
    return rel.related(s, t) is None


def inferred_parts(rel: Relation, s: Type, t: Template) -> list[Type] | None:
    """Return what stands at each open place of ``t`` if ``s`` has its form, else None."""
    s = rel.reducer.normal(s)
    literal = literal_of(rel.reducer, s)
    if literal is not None and literal.kind == "string":
        return _split((literal.text,), (), t)
    if isinstance(s, Template):
        return _split(s.texts, s.types, t)
    return None


def _split(texts: Sequence[str], types: Sequence[Type], t: Template) -> list[Type] | None:
    """Cut a source template at the fixed texts of ``t``, each at the first place where it fits."""
    last = len(texts) - 1
    start, end = t.texts[0], t.texts[-1]
    if last == 0 and len(texts[0]) < len(start) + len(end):
        return None
    if not texts[0].startswith(start) or not texts[last].endswith(end):
        return None
    remaining = list(texts)
    remaining[last] = texts[last][: len(texts[last]) - len(end)]
    found: list[Type] = []
    at, offset = 0, len(start)
    for delimiter in t.texts[1:-1]:
        if delimiter:
            place, position = at, offset
            while True:
                position = remaining[place].find(delimiter, position)
                if position >= 0:
                    break
                place += 1
                if place > last:
                    return None
                position = 0
            found.append(_piece(remaining, types, at, offset, place, position))
            at, offset = place, position + len(delimiter)
        elif offset < len(remaining[at]):
            found.append(_piece(remaining, types, at, offset, at, offset + 1))
            offset += 1
        elif at < last:
            found.append(_piece(remaining, types, at, offset, at + 1, 0))
            at, offset = at + 1, 0
        else:
            return None
    found.append(_piece(remaining, types, at, offset, last, len(remaining[last])))
    return found


def _piece(
    texts: Sequence[str], types: Sequence[Type], at: int, offset: int, end: int, end_offset: int
) -> Type:
    if at == end:
        return Literal("string", texts[at][offset:end_offset])
    parts = (texts[at][offset:], *texts[at + 1 : end], texts[end][:end_offset])
    if parts == ("", "") and types[at] is STRING:
        return STRING
    return Template(parts, tuple(types[at:end]))


def mapping_holds(rel: Relation, s: Type, t: Reference) -> bool:
    """Return whether ``s`` is a member of ``Uppercase<X>`` and its like.

    Mapped already, and in ``X``.
    """
    if isinstance(s, Reference) and s.target == t.target:
        return rel.related(s.arguments[0], t.arguments[0]) is None
    literal = literal_of(rel.reducer, s)
    declaration = rel.reducer.declaration(t.target)
    if declaration is None or declaration.name not in MAPPINGS or not t.arguments:
        return False
    inner = rel.reducer.normal(t.arguments[0])
    if literal is not None and literal.kind == "string":
        if MAPPINGS[declaration.name](literal.text) != literal.text:
            return False
        return placeable(rel, s, inner)
    if isinstance(s, Template):
        same = rel.reducer.normal(Reference(t.target, (s,)))
        return same is s and rel.related(s, inner) is None
    return False
