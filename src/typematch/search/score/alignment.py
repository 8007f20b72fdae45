"""Align a match: which argument of the query is passed to which parameter of the candidate.

Every parameter and result of both sides has at least one edge.  Most edges join a position of the
query and one of the candidate; unused arguments and missing arguments have only one end.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import combinations, zip_longest
from typing import Literal, TypeAlias

from typematch.ir.entry import EntrySignature
from typematch.ir.types import ELLIPSIS, Object
from typematch.match.edit_kinds import (
    ARGUMENT_SUPPLIED,
    ARGUMENT_UNUSED,
    AWAITED,
    CHEAPEST_REJECTED_COST,
    CONTENT_NARROWED,
    CURRIED,
    IS_ANY,
    MISMATCHED,
    OPTIONAL_LEFT_OUT,
    OPTIONAL_SKIPPED,
    ORDER_CHANGED,
    PACKED,
    PASSED_AS_THUNK,
    RECEIVER_FIRST,
    SPREAD,
    UNDEFINED_CHECKED,
    WRAPPED,
    Edit,
    EditKind,
)
from typematch.match.edits.argument_assignment import LEFT_OUT, SUPPLIED

Mark: TypeAlias = Literal[
    "fits",  # without edits
    "assignable",  # another type, but assignable
    "changed",  # by edits with a cost
    "anything",  # one side is any or unknown
    "swapped",  # passed at another index
    "receiver",  # the candidate is called on it
    "second-call",  # passed in a second call
    "awaited",
    "wrapped",  # in a promise
    "deferred",  # passed as a function that returns it
    "gathered",  # packed into an options object
    "spread",  # its properties are passed
    "checked",  # for undefined
    "supplied",  # the query has no argument for the parameter
    "left-out",  # the parameter is optional
    "dropped",  # no parameter takes the argument
    "misfits",
]

RESULT = "$.returns"
THIS = "$.this"
_SECOND_CALL = "$.returns.parameters[0]"

_MARKS: Mapping[EditKind, Mark] = {
    IS_ANY: "anything",
    ARGUMENT_SUPPLIED: "supplied",
    AWAITED: "awaited",
    PASSED_AS_THUNK: "deferred",
    PACKED: "gathered",
    MISMATCHED: "misfits",
    OPTIONAL_LEFT_OUT: "left-out",
    OPTIONAL_SKIPPED: "left-out",
    RECEIVER_FIRST: "receiver",
    CONTENT_NARROWED: "checked",
    UNDEFINED_CHECKED: "checked",
    WRAPPED: "wrapped",
}


@dataclass(frozen=True, slots=True)
class AlignmentEdge:
    """A pair of positions, written as ``$.parameters[1]``, ``$.returns`` or ``$.this``.

    Attributes:
        query: the position in the query's signature; empty if there is none.
        candidate: the position in the candidate's signature; empty if there is none.
        marks: what applies to the pair, without duplicates; ``fits`` stands alone.
        edits: indexes of the hit's edits that apply to the pair.
    """

    query: str
    candidate: str
    marks: tuple[Mark, ...]
    edits: tuple[int, ...] = ()


def align(
    query: EntrySignature,
    candidate: EntrySignature,
    assignment: Sequence[int],
    edits: Sequence[Edit],
) -> tuple[AlignmentEdge, ...]:
    """Return the edges: the candidate's parameters in order, unused arguments, the result.

    Args:
        assignment: of arguments to parameters (``match.verdict.Fit.assignment``); empty if whole
            signatures were compared, so that each argument is passed at its own index.
        edits: of the hit; in their paths a receiver counts as the first parameter.
    """
    kinds = {edit.kind for edit in edits}
    arguments = _passed_arguments(query, edits)
    pairs = _assigned(len(arguments), candidate, assignment)
    crossing = _crossing_arguments(pairs) if ORDER_CHANGED in kinds else frozenset()
    by_path = _edits_by_path(edits)
    edges = [AlignmentEdge("", THIS, ("supplied",), by_path[THIS])] if THIS in by_path else []
    rest_of_query = _ellipsis_path(query)
    for index, source in pairs:
        path = _candidate_path(index, candidate, has_receiver=RECEIVER_FIRST in kinds)
        if not path:
            continue
        own_edits = by_path.get(f"$.parameters[{index}]", ())
        if source >= 0:
            argument = arguments[source]
            moved: tuple[Mark, ...] = ("swapped",) if source in crossing else ()
            marks = _unique((*moved, *argument.marks, *_marks(own_edits, edits)))
            first, *others = argument.paths
            edges.append(AlignmentEdge(first, path, marks, own_edits))
            edges += [AlignmentEdge(other, path, marks) for other in others]
        elif source == SUPPLIED and not own_edits and rest_of_query:
            edges.append(AlignmentEdge(rest_of_query, path, ("fits",)))
        else:
            mark: Mark = "supplied" if source == SUPPLIED else "left-out"
            edges.append(AlignmentEdge("", path, (mark,), own_edits))
    if CURRIED in kinds:
        last = _parameter_path(_argument_indexes(query)[0])
        edges.append(AlignmentEdge(last, _SECOND_CALL, ("second-call",)))
    edges += _unused(arguments, {source for _, source in pairs}, edits)
    result_edits = tuple(
        index for path in by_path if path.startswith(RESULT) for index in by_path[path]
    )
    result_marks = _unique(_marks(result_edits, edits))
    return (*edges, AlignmentEdge(RESULT, RESULT, result_marks, result_edits))


@dataclass(frozen=True, slots=True)
class _Argument:
    """An argument as it is passed, and the positions of the query that it is made of."""

    name: str
    paths: tuple[str, ...]
    marks: tuple[Mark, ...] = ()


def _passed_arguments(query: EntrySignature, edits: Sequence[Edit]) -> list[_Argument]:
    """Return the arguments of the call that was compared, after rewrites of the query.

    Currying removes the first argument, spreading replaces an object by its properties, packing
    joins arguments to an object.
    """
    arguments: list[_Argument] = []
    rewrites = {edit.kind: str(edit.a) for edit in edits if edit.kind in (CURRIED, SPREAD, PACKED)}
    for index in _argument_indexes(query):
        parameter, path = query.parameters[index], _parameter_path(index)
        if rewrites.get(SPREAD) == parameter.name and isinstance(parameter.resolved, Object):
            arguments += [
                _Argument(property_.name, (path,), ("spread",))
                for property_ in parameter.resolved.properties
            ]
        else:
            arguments.append(_Argument(parameter.name, (path,)))
    if CURRIED in rewrites:
        arguments = arguments[1:]
    names = rewrites.get(PACKED, "").split(", ")
    packed = [
        index
        for index, argument in enumerate(arguments)
        if argument.name and argument.name in names
    ]
    if packed:
        paths = tuple(path for index in packed for path in arguments[index].paths)
        kept = [argument for index, argument in enumerate(arguments) if index not in packed]
        first = packed[0]
        arguments = [*kept[:first], _Argument("", paths, ("gathered",)), *kept[first:]]
    return arguments


def _assigned(
    count: int, candidate: EntrySignature, assignment: Sequence[int]
) -> list[tuple[int, int]]:
    """Return (parameter, argument) for each parameter of a call with ``count`` arguments.

    A negative argument is ``SUPPLIED`` or ``LEFT_OUT``.
    """
    if assignment:
        return list(enumerate(assignment))
    parameters = len(candidate.parameters)
    if parameters and candidate.parameters[-1].rest:
        parameters = max(parameters, count)
    return [(index, index if index < count else LEFT_OUT) for index in range(parameters)]


def _candidate_path(index: int, candidate: EntrySignature, *, has_receiver: bool) -> str:
    """Return the position of a parameter of the call; empty if the signature does not have it.

    A rest parameter is as many parameters as the call needs.
    """
    if has_receiver and index == 0:
        return THIS
    index -= has_receiver
    last = len(candidate.parameters) - 1
    if index > last >= 0 and candidate.parameters[last].rest:
        index = last
    return _parameter_path(index) if index <= last else ""


def _parameter_path(index: int) -> str:
    return f"$.parameters[{index}]"


def _argument_indexes(query: EntrySignature) -> list[int]:
    """Return the indexes of the query's parameters without ``...``."""
    return [
        index
        for index, parameter in enumerate(query.parameters)
        if parameter.resolved is not ELLIPSIS
    ]


def _ellipsis_path(query: EntrySignature) -> str:
    """Return the position of the query's ``...``; empty if it has none."""
    for index, parameter in enumerate(query.parameters):
        if parameter.resolved is ELLIPSIS:
            return _parameter_path(index)
    return ""


def _crossing_arguments(pairs: Sequence[tuple[int, int]]) -> frozenset[int]:
    """Return the arguments whose edges cross another edge."""
    assigned = [(index, source) for index, source in pairs if source >= 0]
    crossing = [
        (first[1], second[1])
        for first, second in combinations(assigned, 2)
        if (first[0] - second[0]) * (first[1] - second[1]) < 0
    ]
    return frozenset(source for pair in crossing for source in pair)


def _edits_by_path(edits: Sequence[Edit]) -> Mapping[str, tuple[int, ...]]:
    by_path: dict[str, tuple[int, ...]] = {}
    for index, edit in enumerate(edits):
        by_path[edit.path] = (*by_path.get(edit.path, ()), index)
    return by_path


def _marks(indexes: Sequence[int], edits: Sequence[Edit]) -> tuple[Mark, ...]:
    return tuple(_mark(edits[index].kind) for index in indexes if edits[index].cost)


def _mark(kind: EditKind) -> Mark:
    is_assignable = kind.cost < CHEAPEST_REJECTED_COST
    return _MARKS.get(kind, "assignable" if is_assignable else "changed")


def _unique(marks: Sequence[Mark]) -> tuple[Mark, ...]:
    return tuple(dict.fromkeys(marks)) or ("fits",)


def _unused(
    arguments: Sequence[_Argument], used: AbstractSet[int], edits: Sequence[Edit]
) -> Iterator[AlignmentEdge]:
    """Yield an edge for each unused argument; their edits come in the same order.

    An object with a used property counts as used.
    """
    unused_edits = [index for index, edit in enumerate(edits) if edit.kind is ARGUMENT_UNUSED]
    used_paths = {path for index in used if index >= 0 for path in arguments[index].paths}
    unused = [argument for index, argument in enumerate(arguments) if index not in used]
    for argument, edit in zip_longest(unused, unused_edits[: len(unused)]):
        for path in argument.paths:
            if path not in used_paths:
                yield AlignmentEdge(path, "", ("dropped",), () if edit is None else (edit,))
