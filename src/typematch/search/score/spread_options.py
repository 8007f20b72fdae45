"""Rewrite a signature so that the properties of an options object are separate parameters.

``(options: { path: string; encoding: string }) => string`` is also searched as
``(encoding: string, path: string) => string``, at the cost of one edit.
"""

from __future__ import annotations

from typematch.ir.intern import replace_fields
from typematch.ir.type_parts import Parameter
from typematch.ir.types import Object
from typematch.match.edit_kinds import SPREAD, Edit
from typematch.match.edits.options_object import spreadable_properties
from typematch.search.score.type_scorer import TypeScorer, with_edit


def spread_options(target: Object) -> tuple[Object, str] | None:
    """Return the rewritten signature and the name of the options parameter.

    None unless exactly one parameter is a plain object type.
    """
    [call] = target.calls
    objects = [item for item in call.parameters if spreadable_properties(item)]
    if len(objects) != 1:
        return None
    index = call.parameters.index(objects[0])
    spread = (
        Parameter(item.name, item.type, item.optional) for item in spreadable_properties(objects[0])
    )
    parameters = (*call.parameters[:index], *spread, *call.parameters[index + 1 :])
    return Object(calls=(replace_fields(call, parameters=parameters),)), objects[0].name


def spread_scorer(scorer: TypeScorer, name: str) -> TypeScorer:
    """Return the scorer of the rewritten signature; ``name`` is that of the options parameter."""
    return with_edit(scorer, Edit(SPREAD, "$.parameters", name))
