"""Parts of a value that fit a parameter: ``playlists.items[0].id`` for ``playlistId``."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from typematch.adapt.pipeline_model import PropertyRead
from typematch.compose import prices
from typematch.compose.names import DataName, data_name, read_price
from typematch.compose.type_facts import TypeFacts, is_anything, is_uninformative
from typematch.ir.render import plain_name
from typematch.ir.types import Array, Reference, Tuple, Type

_MAX_DEPTH = 4  # properties and elements
_MAX_VISITED = 160  # properties of one value


@dataclass(frozen=True, slots=True)
class Read:
    """A part of a value.

    Attributes:
        price: of its path and name, in edit units.
        is_checked: the value has to be checked for undefined before it is read.
    """

    price: int
    path: tuple[PropertyRead, ...]
    type: Type
    is_checked: bool = False


def best_read(
    facts: TypeFacts, value: Type, target: Type, wanted: DataName, producer: str
) -> Read | None:
    """Return the cheapest part of ``value`` that is assignable to ``target``; None if none fits.

    A part of an uninformative type has to have the name that is wanted.

    Args:
        value: the type of an awaited result.
        producer: the name of the function that returns it.
    """
    whole, is_checked = facts.without_nullish(value)
    best: Read | None = None
    pending: deque[tuple[Type, tuple[PropertyRead, ...], int, tuple[str, ...]]] = deque(
        [(whole, (), 0, (producer,))]
    )
    visited = 0
    while pending:
        t, path, price, context = pending.popleft()
        if len(path) >= _MAX_DEPTH:
            continue
        element = _element(facts, t)
        if element is not None:
            read = PropertyRead("")
            part = Read(price + prices.FIRST_ELEMENT, (*path, read), element, is_checked)
            best = _better(best, facts, part, target, wanted, None)
            pending.append((element, part.path, part.price, context))
            continue
        owner = (*context, plain_name(t.target)) if isinstance(t, Reference) else context
        for item in facts.properties(t):
            visited += 1
            if visited > _MAX_VISITED:
                return best
            item_type, may_be_undefined = facts.without_nullish(item.type)
            read = PropertyRead(item.name, may_be_undefined or item.optional)
            part = Read(price + prices.READ, (*path, read), item_type, is_checked)
            name = data_name(item.name, owner)
            best = _better(best, facts, part, target, wanted, name)
            pending.append((item_type, part.path, part.price, (*owner, item.name)))
    return best


def _better(
    best: Read | None,
    facts: TypeFacts,
    part: Read,
    target: Type,
    wanted: DataName,
    name: DataName | None,
) -> Read | None:
    """Return the cheaper one of the best part so far and another one, if that fits."""
    if is_anything(part.type) or is_anything(target):
        return best
    price = part.price
    if is_uninformative(target):
        named = None if name is None else read_price(name, wanted)
        if named is None:
            return best
        price += named
    if best is not None and best.price <= price:
        return best
    conversion = facts.conversion(part.type, target)
    if conversion is None or conversion.edits:
        return best
    return Read(price, part.path, part.type, part.is_checked)


def _element(facts: TypeFacts, t: Type) -> Type | None:
    whole = t if isinstance(t, Array | Tuple) else facts.expand(t)
    return whole.element if isinstance(whole, Array) else None
