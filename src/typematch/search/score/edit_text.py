"""Render the types in a match's edits as text."""

from __future__ import annotations

from typematch.adapt.candidate import argument_count
from typematch.ir.entry import Entry
from typematch.ir.lift import close_over_container
from typematch.ir.types import Type
from typematch.match.edit_kinds import RECEIVER_FIRST, Edit
from typematch.search.score.type_match import TypeMatch


def rendered_edits(entry: Entry, match: TypeMatch | None) -> tuple[Edit, ...]:
    """Return the edits of a match with types as text, in the names of the entry's signature.

    Edits that cost nothing and say that a type is itself are left out.
    """
    if match is None or match.overload >= len(entry.signatures):
        return () if match is None else match.edits
    names = _variable_names(entry, match)
    edits = (edit.rendered(names) for edit in match.edits)
    return tuple(edit for edit in edits if edit.cost or edit.a != edit.b)


def _variable_names(entry: Entry, match: TypeMatch) -> list[str]:
    """Return the names of the signature's type parameters, those of its class first.

    Those of a class that no signature mentions are ``_``: the entry does not know their names.
    """
    signature = entry.signatures[match.overload]
    own = [name for name, _, _ in signature.type_parameters]
    receivers = [edit.a for edit in match.edits if edit.kind is RECEIVER_FIRST]
    if receivers:
        count = argument_count(receivers[0]) if isinstance(receivers[0], Type) else 0
        return [*(entry.outer or ("_",) * count), *own]
    _, outer_count = close_over_container(signature.type)
    return [*entry.outer[:outer_count], *own]
