"""``like:ID`` without a signature: the query's signature or type is that of the entry."""

from __future__ import annotations

from dataclasses import dataclass

from typematch.index.entries.entry_lookup import entry_id
from typematch.index.store import Store
from typematch.ir.constructors import replace_bound_variables
from typematch.ir.lift import close_over_container
from typematch.ir.types import WILDCARD, Object, Type
from typematch.query.model import Query, TextValue


@dataclass(frozen=True, slots=True)
class EntryTypes:
    """The types of an entry, as readings of a query.

    Attributes:
        signatures: of its overloads, with the type parameters of its class as their own.
        types: the type that it names, with ``_`` for its type parameters.
        variables: the names of the signatures' type parameters.
    """

    signatures: tuple[Object, ...] = ()
    types: tuple[Type, ...] = ()
    variables: tuple[str, ...] = ()


def like_id(query: Query) -> str:
    """Return the ID of a ``like:`` that takes the place of a signature; empty without one."""
    if query.signature is not None or query.type is not None:
        return ""
    likes = [constraint for constraint in query.constraints if constraint.key == "like"]
    if len(likes) != 1 or likes[0].negated or len(likes[0].values) != 1:
        return ""
    [value] = likes[0].values
    return value.text if isinstance(value, TextValue) else ""


def entry_number(id_or_suffix: str, store: Store) -> int:
    """Return the number of the only entry with this id or suffix.

    Raises:
        UsageError: there is none, or several; see ``entry_id``.
    """
    id_ = entry_id(id_or_suffix, store)
    return store.entry_numbers([id_])[id_]


def entry_types(number: int, store: Store) -> EntryTypes:
    """Return the signatures of an entry, or the type that it names."""
    entry = store.entries([number])[0]
    if not entry.signatures:
        types = () if entry.type is None else (replace_bound_variables(entry.type, WILDCARD),)
        return EntryTypes(types=types)
    names = [[name for name, _, _ in signature.type_parameters] for signature in entry.signatures]
    return EntryTypes(
        signatures=tuple(close_over_container(signature.type)[0] for signature in entry.signatures),
        variables=(*entry.outer, *max(names, key=len)),
    )
