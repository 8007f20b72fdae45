"""Rewrite a signature so that the properties of an options object are separate parameters.

``(options: { path: string; encoding: string }) => string`` is also searched as
``(encoding: string, path: string) => string``, at the cost of one edit.
"""

from __future__ import annotations

from typematch.ir.intern import replace_fields
from typematch.ir.type_parts import Parameter
from typematch.ir.types import Object
from typematch.match.edit_kinds import MAX_SPREAD_PROPERTIES, SPREAD, Edit
from typematch.search.score.type_scorer import TypeScorer, with_edit


def spread_options(target: Object) -> tuple[Object, str] | None:
    """Return the rewritten signature and the name of the options parameter.

    None unless exactly one parameter is a plain object type.
    """
    [call] = target.calls
    objects = [parameter for parameter in call.parameters if _as_parameters(parameter)]
    if len(objects) != 1:
        return None
    parameters: list[Parameter] = []
    for parameter in call.parameters:
        parameters += _as_parameters(parameter) or (parameter,)
    rewritten = replace_fields(call, parameters=tuple(parameters))
    return Object(calls=(rewritten,)), objects[0].name


def spread_scorer(scorer: TypeScorer, name: str) -> TypeScorer:
    """Return the scorer of the rewritten signature; ``name`` is that of the options parameter."""
    return with_edit(scorer, Edit(SPREAD, "$.parameters", name))


def _as_parameters(parameter: Parameter) -> tuple[Parameter, ...]:
    """Return the properties of a plain object type as parameters; none for any other type."""
    t = parameter.type
    if not isinstance(t, Object) or t.calls or t.constructs or t.indexes:
        return ()
    if parameter.optional or parameter.rest or not 0 < len(t.properties) <= MAX_SPREAD_PROPERTIES:
        return ()
    return tuple(
        Parameter(property_.name, property_.type, property_.optional) for property_ in t.properties
    )
