"""Where the arguments of a call may come from: all cheap ways to fill its parameters."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from typematch.adapt.identifiers import string_literal
from typematch.compose import pipeline_costs
from typematch.compose.functions import Function
from typematch.compose.goal import Goal
from typematch.compose.names import DataName, data_name, name_cost
from typematch.compose.plans import Fill, FromLiteral, FromQuery, FromSlot, FromValues
from typematch.compose.type_facts import TypeFacts, is_any_or_unknown, is_common_type
from typematch.ir.constructors import constituents
from typematch.ir.type_parts import Parameter
from typematch.ir.types import (
    NULL,
    OBJECT,
    SYMBOL,
    UNDEFINED,
    VOID,
    Array,
    Free,
    Literal,
    Mapped,
    Object,
    Reference,
    Tuple,
    Type,
    Union,
    Var,
)

_MAX_FILLS = 24  # of one call
_MAX_PARAMETERS = 8
_MAX_CONVERSION = 60  # edit units, of one argument
_MAX_PROPERTIES = 12  # of an object that is built
# Receivers of methods that every value, or every number, has.
_EVERYTHING = frozenset(
    f"global#{name}" for name in ("Object", "Number", "BigInt", "Boolean", "Symbol", "Function")
)
_PREFERRED_LITERALS = ("utf8", "utf-8", "hex", "base64")


@dataclass(frozen=True, slots=True)
class Filling:
    """The values of a call's parameters.

    Attributes:
        flow_cost: in edit units.
        edit_cost: of the conversions of values.
        fills: by position.
        slots: (position, property, type, name) of the values that further calls give.
        used: bit set of the query's arguments.
    """

    flow_cost: int = 0
    edit_cost: int = 0
    fills: tuple[tuple[int, Fill], ...] = ()
    slots: tuple[tuple[int, str, Type, DataName], ...] = ()
    used: int = 0

    @property
    def cost(self) -> int:
        return self.flow_cost + self.edit_cost + pipeline_costs.STEP * len(self.slots)


@dataclass(frozen=True, slots=True)
class _Option:
    flow_cost: int
    edit_cost: int
    fill: Fill | None
    slots: tuple[tuple[str, Type, DataName], ...] = ()
    used: int = 0


class CallFiller:
    """Fills the parameters of calls from the arguments of one goal."""

    def __init__(self, goal: Goal, facts: TypeFacts) -> None:
        self._goal = goal
        self._facts = facts
        self._names = [data_name(argument.name) for argument in goal.arguments]

    def fillings(
        self,
        function: Function,
        parameters: Sequence[Parameter],
        *,
        used: int,
        max_slots: int,
    ) -> list[Filling]:
        """Return the cheapest fillings, cheapest first.

        Args:
            parameters: with the type arguments that the expected result determines.
            used: the arguments of the query that are not available.
            max_slots: how many values may be left to further calls.
        """
        if len(parameters) > _MAX_PARAMETERS:
            return []
        partial = [Filling(used=used)]
        for position, parameter in enumerate(parameters):
            options = list(
                self._options(
                    function,
                    parameter,
                    is_main=position == 0 and parameters[0].optional,
                    max_slots=max_slots,
                )
            )
            extended = [
                _extended(filling, position, option)
                for filling in partial
                for option in options
                if not filling.used & option.used
                and len(filling.slots) + len(option.slots) <= max_slots
            ]
            partial = heapq.nsmallest(_MAX_FILLS, extended, key=lambda filling: filling.cost)
            if not partial:
                return []
        return partial

    def _options(
        self, function: Function, parameter: Parameter, *, is_main: bool, max_slots: int
    ) -> Iterator[_Option]:
        """Yield the ways to fill a parameter.

        Args:
            is_main: it is the first one, and none is required.
        """
        is_optional = parameter.optional or parameter.rest
        t = parameter.type
        if parameter.rest:
            if not isinstance(t, Array):
                return
            t = t.element
        if is_optional:
            yield _Option(0, 0, None)
        if is_any_or_unknown(t):
            return
        name = data_name(parameter.name, (function.entry.name,))
        added = pipeline_costs.OPTIONAL if is_optional else 0
        for option in self._values(t, name, max_slots=max_slots):
            if (
                parameter.optional
                and isinstance(option.fill, FromSlot)
                and (not is_main or is_common_type(t))
            ):
                continue  # a further call for an optional parameter
            if is_optional and option.flow_cost >= pipeline_costs.SHARED_WORD:
                continue  # an argument of another name
            yield _Option(
                option.flow_cost + added, option.edit_cost, option.fill, option.slots, option.used
            )

    def _values(self, t: Type, name: DataName, *, max_slots: int) -> Iterator[_Option]:
        """Yield the ways to get a value of a type."""
        given = list(self._given(t, name))
        yield from given
        literal = _literal_of(t)
        if literal is not None:
            yield _Option(pipeline_costs.LITERAL, 0, FromLiteral(*literal))
        yield from self._objects(t, max_slots=max_slots)
        if literal is None and max_slots and _is_askable(t):
            wanted, _ = self._facts.without_nullish(t)
            if _is_askable(wanted):
                # A value that the query gives makes a call for another one less likely.
                is_given = any(not option.edit_cost for option in given)
                is_named = is_common_type(wanted)
                flow_cost = pipeline_costs.ALSO_GIVEN if is_given and not is_named else 0
                yield _Option(flow_cost, 0, FromSlot(wanted, name), (("", wanted, name),))

    def _given(self, t: Type, name: DataName) -> Iterator[_Option]:
        for index, argument in enumerate(self._goal.arguments):
            conversion = self._facts.conversion(argument.type, t)
            if conversion is None or conversion.cost > _MAX_CONVERSION:
                continue
            flow = 0
            if self._is_named(argument.type, t):
                flow = min(name_cost(self._names[index], name), pipeline_costs.GIVEN_OTHERWISE)
            cost = pipeline_costs.edit_cost(conversion.edits)
            yield _Option(flow, cost, FromQuery(index), used=1 << index)

    def _is_named(self, source: Type, target: Type) -> bool:
        """Return whether names decide if an argument of the query is meant for a parameter.

        A declared type of strings, such as a union of literals, says something only where the
        parameter has that type.
        """
        if is_common_type(source) or is_common_type(target):
            return True
        is_same = self._facts.without_nullish(target)[0] is source
        return not is_same and is_common_type(self._facts.expand(source))

    def _objects(self, t: Type, *, max_slots: int) -> Iterator[_Option]:
        """Yield objects of arguments of the query and at most one result, by property name."""
        if is_common_type(t) or isinstance(t, Free | Var | Array):
            return
        properties = self._facts.properties(t)
        required = [item for item in properties if not item.optional]
        if not properties or len(required) > _MAX_PROPERTIES:
            return
        whole = self._facts.expand(t)
        if isinstance(whole, Object) and (whole.calls or whole.constructs):
            return
        given: list[tuple[str, Fill]] = []
        slots: list[tuple[str, Type, DataName]] = []
        used = flow_cost = edit_cost = 0
        for item in properties:
            wanted = data_name(item.name)
            best: _Option | None = None
            for option in self._given(self._facts.without_nullish(item.type)[0], wanted):
                fill = option.fill
                assert isinstance(fill, FromQuery)
                is_named = self._names[fill.index].words == wanted.words
                if is_named and not used & option.used:
                    best = option
                    break
            if best is not None and best.fill is not None:
                given.append((item.name, best.fill))
                used |= best.used
                edit_cost += best.edit_cost
                flow_cost += pipeline_costs.OPTIONAL if item.optional else 0
            elif not item.optional:
                literal = _literal_of(item.type)
                if literal is not None:
                    given.append((item.name, FromLiteral(*literal)))
                    flow_cost += pipeline_costs.LITERAL
                elif len(slots) < max_slots and _is_askable(item.type):
                    given.append((item.name, FromSlot(item.type, wanted)))
                    slots.append((item.name, item.type, wanted))
                else:
                    return
        if used or slots:
            flow_cost += (
                pipeline_costs.NAMED_OBJECT if isinstance(t, Reference) else pipeline_costs.OBJECT
            )
            yield _Option(flow_cost, edit_cost, FromValues(tuple(given)), tuple(slots), used)


def _extended(filling: Filling, position: int, option: _Option) -> Filling:
    if option.fill is None:
        return filling
    return Filling(
        filling.flow_cost + option.flow_cost,
        filling.edit_cost + option.edit_cost,
        (*filling.fills, (position, option.fill)),
        (*filling.slots, *((position, *slot) for slot in option.slots)),
        filling.used | option.used,
    )


def _literal_of(t: Type) -> tuple[str, Type] | None:
    """Return the text and type of a literal that stands for a value of ``t``; None if none does."""
    members = [member for member in constituents(t) if member not in (UNDEFINED, NULL, VOID)]
    literals = [member for member in members if isinstance(member, Literal)]
    if not literals:
        return None
    preferred = [m for text in _PREFERRED_LITERALS for m in literals if m.text == text]
    chosen = (preferred or literals)[0]
    match chosen.kind:
        case "string":
            return string_literal(chosen.text), chosen
        case "bigint":
            return f"{chosen.text}n", chosen
        case _:
            return chosen.text, chosen


def _is_askable(t: Type) -> bool:
    """Whether a further call may be made for a value of this type: no function, nothing at all."""
    if is_any_or_unknown(t) or t in (UNDEFINED, NULL, VOID, OBJECT, SYMBOL):
        return False
    if isinstance(t, Free | Mapped) or (isinstance(t, Tuple) and not t.elements):
        return False
    if isinstance(t, Reference) and t.target in _EVERYTHING:
        return False
    if isinstance(t, Array):
        return _is_askable(t.element)
    if isinstance(t, Union):
        return any(map(_is_askable, t.members))
    return not (isinstance(t, Object) and t.calls and not t.properties)
