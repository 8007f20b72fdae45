"""Queries made from functions of a catalog, each one edit away: for kinds of edit that are rare."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping

from typematch import Catalog, TypematchError
from typematch.ir.constructors import promise_value_type
from typematch.ir.declaration import Declarations
from typematch.ir.entry import Entry
from typematch.ir.intern import replace_fields
from typematch.ir.render import render
from typematch.ir.type_parts import Element, Parameter, Signature
from typematch.ir.types import Array, Object, Reference, Tuple
from typematch.program.reduction.instantiate import instantiate
from typematch.search.results import Hit

Change = Callable[[Signature, Declarations], Signature | None]


def _without_promise(signature: Signature, _: Declarations) -> Signature | None:
    value = promise_value_type(signature.returns)
    return None if value is None else replace_fields(signature, returns=value)


def _without_last_argument(signature: Signature, _: Declarations) -> Signature | None:
    required = [p for p in signature.parameters if not p.optional and not p.rest]
    if len(required) < 2 or len(required) < len(signature.parameters):
        return None
    return replace_fields(signature, parameters=tuple(required[:-1]))


def _with_possibly_empty_arrays(
    signature: Signature, declarations: Declarations
) -> Signature | None:
    parameters = tuple(_possibly_empty(item, declarations) for item in signature.parameters)
    is_changed = parameters != signature.parameters
    return replace_fields(signature, parameters=parameters) if is_changed else None


def _possibly_empty(parameter: Parameter, declarations: Declarations) -> Parameter:
    whole = parameter.type
    if isinstance(whole, Reference):
        declared = declarations.get(whole.target)
        if declared is not None and declared.kind == "alias" and declared.type is not None:
            whole = instantiate(declared.type, whole.arguments)
    match whole:
        case Tuple((Element(first, "required"), Element(rest, "rest")), readonly) if first is rest:
            return replace_fields(parameter, type=Array(first, readonly))
        case _:
            return parameter


def _without_first_optional(signature: Signature, _: Declarations) -> Signature | None:
    """Return the signature without an optional parameter that others follow."""
    for index, parameter in enumerate(signature.parameters[:-1]):
        if parameter.optional and not signature.parameters[index + 1].rest:
            rest = signature.parameters[index + 1]
            kept = (*signature.parameters[:index], replace_fields(rest, optional=False))
            return replace_fields(signature, parameters=kept)
    return None


CHANGES: Mapping[str, Change] = {
    "awaited": _without_promise,
    "argument-supplied": _without_last_argument,
    "not-empty": _with_possibly_empty_arrays,
    "optional-skipped": _without_first_optional,
}


def made_hits(
    catalog: Catalog,
    declarations: Declarations,
    choice: random.Random,
    *,
    count: int,
    max_cost: int,
) -> Iterator[tuple[str, Hit]]:
    """Yield queries, each with the match of the function that it was made from.

    Args:
        count: of matches with each kind of edit, at most.
        max_cost: of a match, in edit units.
    """
    functions = [
        (entry, signature)
        for entry in catalog.entries()
        if _is_callable(entry)
        for signature in entry.signatures
    ]
    choice.shuffle(functions)
    for kind, change in CHANGES.items():
        left = count
        for entry, signature in functions:
            if not left:
                break
            changed = change(signature.type.calls[0], declarations)
            hit = None if changed is None else _hit(catalog, entry, changed)
            if hit is None or hit[1].cost is None or hit[1].cost > max_cost:
                continue
            if kind in {edit.kind.name for edit in hit[1].edits}:
                left -= 1
                yield hit


def _is_callable(entry: Entry) -> bool:
    return bool(entry.import_statement) and not entry.outer and entry.kind in ("function", "const")


def _hit(catalog: Catalog, entry: Entry, changed: Signature) -> tuple[str, Hit] | None:
    query = f"{render(Object(calls=(changed,)))}  pkg:{entry.package}"
    try:
        hit = catalog.adapt(query, entry.id)
    except TypematchError:  # the type has no syntax in queries
        return None
    return None if hit is None else (query, hit)
