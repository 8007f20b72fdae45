"""Parts of a value that fit a parameter: ``playlists.items[0].id`` for ``playlistId``."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from typematch.adapt.pipeline_model import PropertyRead
from typematch.compose import pipeline_costs
from typematch.compose.names import DataName, data_name, read_cost
from typematch.compose.type_facts import TypeFacts, is_any_or_unknown, is_common_type
from typematch.ir.render import plain_name
from typematch.ir.types import Array, Reference, Tuple, Type

_MAX_DEPTH = 4  # properties and elements
_MAX_PARTS = 160  # of one value


@dataclass(frozen=True, slots=True)
class Read:
    """A part of a value.

    Attributes:
        flow_cost: of its path and name, in edit units.
        is_checked: the value has to be checked for undefined before it is read.
    """

    flow_cost: int
    path: tuple[PropertyRead, ...]
    type: Type
    is_checked: bool = False


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of a value, whatever it is read for; an element of an array has no name."""

    flow_cost: int
    path: tuple[PropertyRead, ...]
    type: Type
    name: DataName | None


class Reader:
    """Reads parts of values; the parts of a type are listed once."""

    def __init__(self, facts: TypeFacts) -> None:
        self._facts = facts
        self._parts: dict[tuple[Type, str], tuple[tuple[_Part, ...], bool]] = {}

    def best_read(self, value: Type, target: Type, wanted: DataName, producer: str) -> Read | None:
        """Return the cheapest part of ``value`` that is assignable to ``target``; None if none is.

        A part of a common type has to have the name that is wanted.

        Args:
            value: the type of an awaited result.
            producer: the name of the function that returns it.
        """
        key = (value, producer)
        if key not in self._parts:
            self._parts[key] = self._list_parts(value, producer)
        parts, is_checked = self._parts[key]
        best: Read | None = None
        by_name = is_common_type(target)
        for part in parts:
            flow_cost = part.flow_cost
            if best is not None and best.flow_cost <= flow_cost:
                continue
            if by_name:
                named = None if part.name is None else read_cost(part.name, wanted)
                if named is None:
                    continue
                flow_cost += named
            if best is not None and best.flow_cost <= flow_cost:
                continue
            conversion = self._facts.conversion(part.type, target)
            if conversion is not None and not conversion.edits:
                best = Read(flow_cost, part.path, part.type, is_checked)
        return best

    def _list_parts(self, value: Type, producer: str) -> tuple[tuple[_Part, ...], bool]:
        """Return the parts of a value, and whether it has to be checked for undefined."""
        facts = self._facts
        whole, is_checked = facts.without_nullish(value)
        parts: list[_Part] = []
        pending: deque[tuple[Type, tuple[PropertyRead, ...], int, tuple[str, ...]]] = deque(
            [(whole, (), 0, (producer,))]
        )
        while pending and len(parts) < _MAX_PARTS:
            t, path, flow_cost, context = pending.popleft()
            if len(path) >= _MAX_DEPTH:
                continue
            element = _element(facts, t)
            if element is not None:
                read = (*path, PropertyRead(""))
                part = _Part(flow_cost + pipeline_costs.FIRST_ELEMENT, read, element, None)
                parts.append(part)
                pending.append((element, part.path, part.flow_cost, context))
                continue
            owner = (*context, plain_name(t.target)) if isinstance(t, Reference) else context
            for item in facts.properties(t):
                item_type, may_be_undefined = facts.without_nullish(item.type)
                read = (*path, PropertyRead(item.name, may_be_undefined or item.optional))
                part = _Part(
                    flow_cost + pipeline_costs.READ, read, item_type, data_name(item.name, owner)
                )
                parts.append(part)
                pending.append((item_type, part.path, part.flow_cost, (*owner, item.name)))
        return tuple(part for part in parts if not is_any_or_unknown(part.type)), is_checked


def _element(facts: TypeFacts, t: Type) -> Type | None:
    whole = t if isinstance(t, Array | Tuple) else facts.expand(t)
    return whole.element if isinstance(whole, Array) else None
