"""Match strings against template literal types and string mappings (``Uppercase<T>``)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from typematch.ir.types import (
    ANY,
    BIGINT,
    NUMBER,
    OBJECT,
    STRING,
    UNKNOWN,
    Intersection,
    Intrinsic,
    Literal,
    Reference,
    Template,
    Type,
    Union,
)
from typematch.match.inference.template_literals import infer_template_parts
from typematch.program.reduction.template_literals import STRING_MAPPINGS
from typematch.program.reduction.unions import is_enum_member, literal_of, primitive_of

# What JavaScript's Number() accepts, except for infinities and the empty string.
_NUMBER = re.compile(
    r"\s*(?:[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+)\s*"
)

if TYPE_CHECKING:
    from typematch.match.assignability.relation import Relation


def matches_template(rel: Relation, s: Type, t: Template) -> bool:
    """Return whether ``s`` matches ``t`` (isTypeMatchedByTemplateLiteralType)."""
    if isinstance(s, Template) and s.texts == t.texts:
        return all(
            _parts_related(rel, source_part, target_part)
            for source_part, target_part in zip(s.types, t.types, strict=True)
        )
    inferred = infer_template_parts(rel, s, t)
    if inferred is None:
        return False
    return all(
        valid_in_placeholder(rel, part, placeholder)
        for part, placeholder in zip(inferred, t.types, strict=True)
    )


def _parts_related(rel: Relation, source_part: Type, target_part: Type) -> bool:
    return rel.related(source_part, target_part) is None or valid_in_placeholder(
        rel, source_part, target_part
    )


def valid_in_placeholder(rel: Relation, s: Type, t: Type) -> bool:
    """Return whether ``s`` may fill a placeholder (isValidTypeForTemplateLiteralPlaceholder)."""
    t = rel.reducer.normal(t)
    if s is t or t is ANY or t is STRING:
        return True
    if isinstance(t, Intersection):
        return all(valid_in_placeholder(rel, s, member) for member in t.members)
    if isinstance(t, Union):
        return any(valid_in_placeholder(rel, s, member) for member in t.members)
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
            return matches_template(rel, s, t)
        if isinstance(t, Reference):
            return is_member_of_string_mapping(rel, s, t)
    if isinstance(s, Template) and len(s.types) == 1 and s.texts == ("", ""):
        return rel.related(s.types[0], t) is None
    return rel.related(s, t) is None


def is_member_of_string_mapping(rel: Relation, s: Type, t: Reference) -> bool:
    """Return whether ``s`` is unchanged by the mapping ``t`` and related to its operand.

    ``t`` is ``Uppercase<X>``, ``Lowercase<X>`` and so on (isMemberOfStringMapping).
    """
    if isinstance(s, Reference) and s.target == t.target:
        return rel.related(s.arguments[0], t.arguments[0]) is None
    literal = literal_of(rel.reducer, s)
    declaration = rel.reducer.declaration(t.target)
    if declaration is None or declaration.name not in STRING_MAPPINGS or not t.arguments:
        return False
    inner = rel.reducer.normal(t.arguments[0])
    if literal is not None and literal.kind == "string":
        if STRING_MAPPINGS[declaration.name](literal.text) != literal.text:
            return False
        return valid_in_placeholder(rel, s, inner)
    if isinstance(s, Template):
        same = rel.reducer.normal(Reference(t.target, (s,)))
        return same is s and rel.related(s, inner) is None
    if inner is not ANY or s in _MAPPED:
        return False
    if isinstance(s, Reference):
        return is_enum_member(rel.reducer, s)
    return s in (OBJECT, UNKNOWN) or primitive_of(rel.reducer, s) is not None


# What a string mapping changes; it leaves every other primitive as it is.
_MAPPED = frozenset((STRING, NUMBER, BIGINT))
