"""Ask for functions that take one by one what the query has in an object.

Whoever types ``(options: { path: string; encoding: string }) => string`` can call
``(path: string, encoding: string) => string`` as well.
"""

from __future__ import annotations

from typematch.ir.intern import replaced
from typematch.ir.types import Object, Parameter
from typematch.match.edit_kinds import SPREAD, Edit
from typematch.search.score.scoring import TypeScorer, changed

_MOST_PARTS = 5  # more are no arguments


def spread(asked: Object) -> tuple[Object, str] | None:
    """Return ``asked`` with the parts of its only object as arguments, and that one's name."""
    [call] = asked.calls
    objects = [one for one in call.parameters if _parts(one)]
    if len(objects) != 1:
        return None
    parameters: list[Parameter] = []
    for one in call.parameters:
        parameters += _parts(one) or (one,)
    spread_out = replaced(call, parameters=tuple(parameters))
    return Object(calls=(spread_out,)), objects[0].name


def one_by_one(judge: TypeScorer, name: str) -> TypeScorer:
    """Return the judge of a spread reading, each fit dearer by that edit."""
    return changed(judge, Edit(SPREAD, "$.parameters", name))


def _parts(parameter: Parameter) -> tuple[Parameter, ...]:
    """Return the properties of a plain object as parameters; nothing of anything else."""
    t = parameter.type
    if not isinstance(t, Object) or t.calls or t.constructs or t.indexes:
        return ()
    if parameter.optional or parameter.rest or not 0 < len(t.properties) <= _MOST_PARTS:
        return ()
    return tuple(Parameter(one.name, one.type, one.optional) for one in t.properties)
