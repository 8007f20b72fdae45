"""Infer to template literal types: the text that stands at each of their open places."""

from __future__ import annotations

from typing import TYPE_CHECKING

from typematch.ir.constructors import constituents
from typematch.ir.types import NUMBER, STRING, Free, Literal, Template, Type
from typematch.match.assignability.template_literals import inferred_parts
from typematch.program.reduction.members import is_numeric

if TYPE_CHECKING:
    from typematch.match.assignability.relation import Relation
    from typematch.match.inference.infer_types import InferenceContext


def infer_to_template(found: InferenceContext, s: Type, t: Template) -> None:
    """Infer what stands at each open place of ``t`` where ``s`` has its form."""
    parts = inferred_parts(found.rel, s, t)
    if parts is None:
        return
    for part, place in zip(parts, t.types, strict=True):
        if isinstance(place, Free) and isinstance(part, Literal):
            part = _as_constrained(found.rel, part, place)
        found.infer(part, place)


def _as_constrained(rel: Relation, part: Literal, place: Free) -> Type:
    """Return the text as a number or boolean if the variable's constraint asks for one."""
    constraint = rel.reducer.constraints.get(place)
    if constraint is None:
        return part
    for wanted in constituents(rel.reducer.normal(constraint)):
        if wanted is STRING:
            return part
        if wanted is NUMBER and is_numeric(part.text):
            return Literal("number", part.text)
        if isinstance(wanted, Literal) and wanted.text == part.text:
            return wanted
    return part
