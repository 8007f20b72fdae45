"""Infer to the placeholders of template literal types (inferToTemplateLiteralType)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from typematch.ir.constructors import constituents
from typematch.ir.literals import is_numeric_name
from typematch.ir.types import NEVER, NUMBER, STRING, Free, Literal, Template, Type
from typematch.program.reduction.unions import literal_of

if TYPE_CHECKING:
    from typematch.match.assignability.relation import Relation
    from typematch.match.inference.infer_types import InferenceContext


def infer_to_template(context: InferenceContext, s: Type, t: Template) -> None:
    """Infer from the parts of ``s`` to the placeholders of ``t`` if ``s`` matches it.

    A template without fixed text is inferred to be empty: each placeholder is ``never``.
    """
    parts = infer_template_parts(context.rel, s, t)
    if parts is None:
        if any(t.texts):
            return
        parts = [NEVER] * len(t.types)
    for part, placeholder in zip(parts, t.types, strict=True):
        if isinstance(placeholder, Free) and isinstance(part, Literal):
            part = _to_constraint_type(context.rel, part, placeholder)
        context.infer(part, placeholder)


def _to_constraint_type(rel: Relation, part: Literal, variable: Free) -> Type:
    """Return the string literal as a number or boolean literal if the constraint has one."""
    constraint = rel.reducer.constraints.get(variable)
    if constraint is None:
        return part
    for member in constituents(rel.reducer.normal(constraint)):
        if member is STRING:
            return part
        if member is NUMBER and is_numeric_name(part.text):
            return Literal("number", part.text)
        if isinstance(member, Literal) and member.text == part.text:
            return member
    return part


def infer_template_parts(rel: Relation, s: Type, t: Template) -> list[Type] | None:
    """Return a type for each placeholder of ``t``, None if ``s`` does not match.

    The checker's inferTypesFromTemplateLiteralType.
    """
    s = rel.reducer.normal(s)
    literal = literal_of(rel.reducer, s)
    if literal is not None and literal.kind == "string":
        return _infer_from_parts((literal.text,), (), t)
    if isinstance(s, Template):
        return _infer_from_parts(s.texts, s.types, t)
    return None


def _infer_from_parts(
    texts: Sequence[str], types: Sequence[Type], t: Template
) -> list[Type] | None:
    """Split a source at the fixed texts of ``t``, each at its first occurrence.

    The checker's inferFromLiteralPartsToTemplateLiteral.
    """
    last = len(texts) - 1
    start, end = t.texts[0], t.texts[-1]
    if last == 0 and len(texts[0]) < len(start) + len(end):
        return None
    if not texts[0].startswith(start) or not texts[last].endswith(end):
        return None
    remaining = list(texts)
    remaining[last] = texts[last][: len(texts[last]) - len(end)]
    inferred: list[Type] = []
    segment, offset = 0, len(start)
    for delimiter in t.texts[1:-1]:
        if delimiter:
            next_segment, position = segment, offset
            while True:
                position = remaining[next_segment].find(delimiter, position)
                if position >= 0:
                    break
                next_segment += 1
                if next_segment > last:
                    return None
                position = 0
            inferred.append(
                _inferred_piece(remaining, types, segment, offset, next_segment, position)
            )
            segment, offset = next_segment, position + len(delimiter)
        elif offset < len(remaining[segment]):
            inferred.append(_inferred_piece(remaining, types, segment, offset, segment, offset + 1))
            offset += 1
        elif segment < last:
            inferred.append(_inferred_piece(remaining, types, segment, offset, segment + 1, 0))
            segment, offset = segment + 1, 0
        else:
            return None
    inferred.append(_inferred_piece(remaining, types, segment, offset, last, len(remaining[last])))
    return inferred


def _inferred_piece(
    texts: Sequence[str],
    types: Sequence[Type],
    segment: int,
    offset: int,
    end_segment: int,
    end_offset: int,
) -> Type:
    if segment == end_segment:
        return Literal("string", texts[segment][offset:end_offset])
    parts = (
        texts[segment][offset:],
        *texts[segment + 1 : end_segment],
        texts[end_segment][:end_offset],
    )
    if parts == ("", "") and types[segment] is STRING:
        return STRING
    return Template(parts, tuple(types[segment:end_segment]))
