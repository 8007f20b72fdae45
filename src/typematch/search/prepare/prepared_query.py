"""Read a query for one store: parsed, its names resolved, and in a line how it was understood."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Protocol, cast

from typematch.index.entries.selection import Condition, Facet, Selection
from typematch.index.entries.selection import TextCondition as Pattern
from typematch.ir.types import Object, Type
from typematch.query.english.local_context import Nouns
from typematch.query.model import Constraint, Glob, HasValue, Query, TypeValue, Value
from typematch.query.parse import parse
from typematch.search.prepare.name_resolution import (
    NameCandidates,
    NameStore,
    ResolvedQuery,
    resolve_signature,
    resolve_type,
)
from typematch.search.prepare.spelling import nearest_values

_LISTED = 4  # declarations of one name that "Read as" lists
# Facets of which a store can list every value.
_CLOSED = ("pkg", "module", "tag", "lang", "source", "service")
_NAME_SCOPE = ("pkg", "path")


class ScopeStore(NameStore, Nouns, Protocol):
    """What reading asks of a store beside names."""

    def scope_values(self, facet: str, /) -> tuple[str, ...]: ...


@dataclass(frozen=True, slots=True)
class PreparedQuery:
    """A query made ready for one store.

    Attributes:
        query: the types behind its facets are resolved; a name with several meanings has become
            several values.
        signatures: the readings of its signature; none if it has none.
        types: the readings of its ``:: type``.
        heard: what its sentence says for sure, as facets.
        variables: the names of the signatures' type parameters.
        empty_scopes: a sentence for each ``pkg:`` or its like that names nothing here: then there
            can be no hits.
    """

    query: Query
    signatures: tuple[Object, ...]
    types: tuple[Type, ...]
    heard: tuple[Constraint, ...]
    variables: tuple[str, ...]
    read_as: str
    notices: tuple[str, ...]
    empty_scopes: tuple[str, ...]


def read(text: str, store: ScopeStore) -> PreparedQuery:
    """Return what ``text`` asks of ``store``.

    Raises:
        QuerySyntaxError: it cannot be read.
    """
    query = parse(text, store)
    scope = scope_of(query.constraints)
    resolved: list[ResolvedQuery] = []
    signature = type_ = None
    if query.signature is not None:
        signature = resolve_signature(
            query.signature, store, variables=query.variables, scope=scope
        )
        resolved.append(signature)
    if query.type is not None:
        type_ = resolve_type(query.type, store, scope=scope)
        resolved.append(type_)
    constraints = []
    for constraint in query.constraints:
        values = [_resolved(value, store, scope, resolved) for value in constraint.values]
        constraints.append(replace(constraint, values=tuple(v for many in values for v in many)))
    return PreparedQuery(
        query=replace(query, constraints=tuple(constraints)),
        signatures=cast("tuple[Object, ...]", signature.readings) if signature else (),
        types=type_.readings if type_ else (),
        heard=_heard(query),
        variables=signature.variables if signature else (),
        read_as=_read_as(query.read_as, (m for one in resolved for m in one.meanings)),
        notices=tuple(dict.fromkeys(note for one in resolved for note in one.notices)),
        empty_scopes=tuple(_empty_scopes(query.constraints, store)),
    )


def scope_of(constraints: Iterable[Constraint]) -> Selection:
    """Return the conditions that say where names are looked for."""
    return tuple(
        Condition(
            cast(Facet, one.key),
            tuple(Pattern(value.pattern) for value in one.values if isinstance(value, Glob)),
            one.negated,
        )
        for one in constraints
        if one.key in _NAME_SCOPE
    )


def _heard(query: Query) -> tuple[Constraint, ...]:
    if query.said is None:
        return ()
    from typematch.query.english.sentence_constraints import (
        sure_constraints,  # late: most queries are no sentences
    )

    return sure_constraints(query.said)


def _resolved(
    value: Value, store: ScopeStore, scope: Selection, resolved: list[ResolvedQuery]
) -> list[Value]:
    """Return ``value`` once for each reading of the type in it."""
    if isinstance(value, TypeValue):
        found = resolve_type(value.type, store, scope=scope)
        resolved.append(found)
        return [replace(value, type=reading) for reading in found.readings]
    if isinstance(value, HasValue) and value.type is not None:
        found = resolve_type(value.type, store, scope=scope)
        resolved.append(found)
        return [replace(value, type=reading) for reading in found.readings]
    return [value]


def _read_as(text: str, meanings: Iterable[NameCandidates]) -> str:
    """Add what the names mean, where that is not a global everybody knows."""
    said = dict.fromkeys(
        f"{meaning.name} is {_listed(meaning.keys)}"
        for meaning in meanings
        if meaning.keys and not meaning.keys[0].startswith("global#")
    )
    return f"{text}   ({'; '.join(said)})" if said else text


def _listed(keys: tuple[str, ...]) -> str:
    shown = " or ".join(keys[:_LISTED])
    more = len(keys) - _LISTED
    return f"{shown} or {more} more" if more > 0 else shown


def _empty_scopes(constraints: Iterable[Constraint], store: ScopeStore) -> Iterator[str]:
    """Say which scope names nothing at all: it must not be taken for "search everywhere"."""
    for constraint in constraints:
        patterns = [value.pattern for value in constraint.values if isinstance(value, Glob)]
        if constraint.negated or constraint.key not in _CLOSED or not patterns:
            continue
        known = store.scope_values(constraint.key)
        if any(_may_mean(pattern, known, constraint.key) for pattern in patterns):
            continue
        asked = ", ".join(patterns)
        near = nearest_values(patterns[0], known)
        hint = f"did you mean {' or '.join(near)}?" if near else "typematch stats lists them."
        yield f"No {_NOUNS[constraint.key]} here is called {asked}; {hint}"


_NOUNS = {
    "pkg": "package",
    "module": "module",
    "tag": "tag",
    "lang": "language",
    "source": "sort of source",
    "service": "service",
}


def _may_mean(pattern: str, known: tuple[str, ...], key: str) -> bool:
    from fnmatch import fnmatchcase

    wanted = pattern.lower().replace("[", "[[]")
    names = [name.lower() for name in known]
    if any(fnmatchcase(name, wanted) for name in names):
        return True
    # A module is also meant by its leading part.
    return key == "module" and any(name.startswith(f"{wanted}/") for name in names)
