"""Partial pipelines: calls whose arguments are filled, and slots that later calls fill."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

from typematch.adapt.pipeline_model import PropertyRead
from typematch.compose.functions import Function
from typematch.compose.names import DataName
from typematch.ir.types import Type


@dataclass(frozen=True, slots=True)
class FromQuery:
    """An argument of the query."""

    index: int


@dataclass(frozen=True, slots=True)
class FromLiteral:
    text: str
    type: Type


@dataclass(frozen=True, slots=True)
class FromCall:
    """The result of another call of the plan, or a part of it, which has the type ``part``."""

    call: int
    path: tuple[PropertyRead, ...] = ()
    part: Type | None = None
    is_checked: bool = False


@dataclass(frozen=True, slots=True)
class FromValues:
    """An object of several values, by property."""

    properties: tuple[tuple[str, Fill], ...]


@dataclass(frozen=True, slots=True)
class FromSlot:
    """A value that no call gives yet."""

    type: Type
    name: DataName


Fill: TypeAlias = FromQuery | FromLiteral | FromCall | FromValues | FromSlot


@dataclass(frozen=True, slots=True)
class Slot:
    """A value that a further call has to give.

    Attributes:
        call, position: the call of the plan and the parameter that takes the value; the call is -1
            for the result of the pipeline.
        property: of an object that is the argument; empty for the argument itself.
        ancestors: the types that the calls from here to the result give.
    """

    call: int
    position: int
    property: str
    type: Type
    name: DataName
    ancestors: frozenset[Type]


@dataclass(frozen=True, slots=True)
class PlanCall:
    """A call of a plan.

    Attributes:
        fills: of its parameters by position; parameters without a value are left out.
    """

    function: Function
    fills: tuple[tuple[int, Fill], ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """A pipeline from its result backward.

    Attributes:
        calls: the first one gives the result.
        used: bit set of the query's arguments that it uses.
        flow_cost: of the plan without its steps' edits, in edit units.
        edit_cost: a lower bound of the costs of its steps' edits.
        packages: of its calls.
    """

    calls: tuple[PlanCall, ...] = ()
    slots: tuple[Slot, ...] = ()
    used: int = 0
    flow_cost: int = 0
    edit_cost: int = 0
    packages: frozenset[str] = frozenset()
    unchecked: bool = False

    @property
    def cost(self) -> int:
        """A lower bound of its cost without that of its slots."""
        return self.flow_cost + self.edit_cost

    def with_result(self, fill: FromCall) -> Plan:
        """Return the plan with its first slot filled; the slot is removed."""
        slot = self.slots[0]
        if slot.call < 0:
            return replace(self, slots=self.slots[1:])
        call = self.calls[slot.call]
        fills = tuple(
            (position, _filled(old, slot, fill) if position == slot.position else old)
            for position, old in call.fills
        )
        calls = list(self.calls)
        calls[slot.call] = replace(call, fills=fills)
        return replace(self, calls=tuple(calls), slots=self.slots[1:])


def _filled(old: Fill, slot: Slot, fill: FromCall) -> Fill:
    if not slot.property:
        return fill
    assert isinstance(old, FromValues)
    return FromValues(
        tuple(
            (name, fill if name == slot.property and isinstance(value, FromSlot) else value)
            for name, value in old.properties
        )
    )
