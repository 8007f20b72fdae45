"""Check the data flows of a call plan: is a part of a result assignable to an argument?

A part of a type is a path of property names, ``songs[].id`` or ``body.songId``; arrays stand for
their elements and promises for their values.  The verdict is "not known" if a path does not exist
or its type is any or unknown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from typematch.ir.constructors import promise_value_type, replace_bound_variables, union
from typematch.ir.entry import Entry
from typematch.ir.render import render
from typematch.ir.types import (
    ANY,
    UNANNOTATED,
    UNDEFINED,
    UNKNOWN,
    VOID,
    Array,
    IndexedAccess,
    Type,
    Union,
)
from typematch.ir.types import Literal as LiteralType
from typematch.match.assignability.relation import Relation
from typematch.match.verdict import Fit, Undecided

if TYPE_CHECKING:
    from typematch.index.store import Store

FlowVerdict = Literal["fits", "does not fit", "not known"]

_IDENTIFIER = re.compile(r"[A-Za-z_$][\w$]*")
# Path segments that a model writes for the result itself.
_WHOLE_RESULT = frozenset(("result", "response", "return", "returns", "value", "item", "items"))
_UNINFORMATIVE = frozenset((ANY, UNKNOWN, UNANNOTATED))


@dataclass(frozen=True, slots=True)
class DataFlowVerdict:
    """``explanation``: the types that were compared, or why the verdict is not known."""

    verdict: FlowVerdict
    explanation: str


class DataFlowChecker:
    """Checks data flows between entries of one store."""

    def __init__(self, store: Store) -> None:
        self._relation = Relation(store, cache_verdicts=True)

    def check(
        self, source: Entry, source_path: str, target: Entry, target_path: str
    ) -> DataFlowVerdict:
        """Check whether a part of a result is assignable to an argument.

        Args:
            source_path: path in the result of ``source``.
            target_path: path in the arguments of ``target``, with or without the parameter's name.
        """
        with_own_budget = self._relation.reducer.with_own_budget
        source_types = with_own_budget(
            lambda: list(self._result_types(source, _IDENTIFIER.findall(source_path)))
        )
        target_types = with_own_budget(
            lambda: list(self._argument_types(target, _IDENTIFIER.findall(target_path)))
        )
        if source_types is None or target_types is None:
            return DataFlowVerdict("not known", "these types are too expensive to reduce")
        if not source_types:
            return DataFlowVerdict("not known", f"the result of {source.name} has no {source_path}")
        if not target_types:
            return DataFlowVerdict("not known", f"{target.name} has no argument {target_path}")
        types = f"{render(source_types[0])} to {render(target_types[0])}"
        undecided = False
        for source_type in source_types:
            for target_type in target_types:
                verdict = self._relation.assign(
                    replace_bound_variables(source_type, ANY),
                    replace_bound_variables(target_type, ANY),
                )
                if isinstance(verdict, Fit):
                    return DataFlowVerdict(
                        "fits", f"{render(source_type)} to {render(target_type)}"
                    )
                undecided = undecided or isinstance(verdict, Undecided)
        return DataFlowVerdict("not known" if undecided else "does not fit", types)

    def _result_types(self, entry: Entry, path: Sequence[str]) -> Iterator[Type]:
        for signature in entry.signatures:
            yield from self._types_at(signature.return_type, path)
            if path and path[0] in _WHOLE_RESULT:
                yield from self._types_at(signature.return_type, path[1:])

    def _argument_types(self, entry: Entry, path: Sequence[str]) -> Iterator[Type]:
        for signature in entry.signatures:
            for parameter in signature.parameters:
                if path[:1] == [parameter.name]:
                    yield from self._types_at(parameter.resolved, path[1:])
                elif path:  # a property of the body, often written without the parameter's name
                    yield from self._types_at(parameter.resolved, path)

    def _types_at(self, type_: Type, path: Sequence[str]) -> Iterator[Type]:
        """Yield the type at a path of property names, unless it is missing, any or unknown."""
        normal = self._relation.reducer.normal
        reduced = normal(type_)
        value_type = _without_undefined(promise_value_type(reduced) or reduced)
        if not path:
            if value_type not in _UNINFORMATIVE:
                yield value_type
            return
        for container in (value_type, _element_type(normal(value_type))):
            member = normal(IndexedAccess(container, LiteralType("string", path[0])))
            if member not in _UNINFORMATIVE:
                yield from self._types_at(member, path[1:])
                return


def _element_type(type_: Type) -> Type:
    return type_.element if isinstance(type_, Array) else type_


def _without_undefined(type_: Type) -> Type:
    """Return a type without ``undefined`` and ``void``: a plan may rely on optional values."""
    if not isinstance(type_, Union):
        return type_
    members = [member for member in type_.members if member not in (UNDEFINED, VOID)]
    return union(members) if members else type_
