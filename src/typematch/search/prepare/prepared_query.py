"""Prepare a query for one store: parse it and resolve its names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import cast

from typematch.index.entries.selection import Condition, ConditionKey, GlobCondition, Selection
from typematch.index.store import Store
from typematch.ir.declaration import is_global
from typematch.ir.intern import replace_fields
from typematch.ir.types import THIS, WILDCARD, Object, Type
from typematch.query.model import Constraint, Flag, Glob, HasValue, Query, TypeValue, Value
from typematch.query.parse import parse
from typematch.search.prepare.like_entry import EntryTypes, entry_number, entry_types, like_id
from typematch.search.prepare.name_resolution import (
    NameMeanings,
    ResolvedType,
    resolve_signature,
    resolve_type,
)
from typematch.search.prepare.name_scopes import at_package, without_copies
from typematch.search.prepare.spelling import did_you_mean, nearest_values
from typematch.search.prepare.word_readings import with_readings, word_readings

_MAX_LISTED = 4  # declarations per name in ``read_as``
_MAX_OTHERS = 2  # that were not chosen
# Facets whose values the store can list, with the noun for one value.
_NAMES_OF_FACETS = {
    "pkg": "package",
    "module": "module",
    "tag": "tag",
    "lang": "language",
    "source": "source format",
    "service": "service",
}
_NAME_SCOPE = ("pkg", "path", "module")


@dataclass(frozen=True, slots=True)
class PreparedQuery:
    """A parsed query with the names in its types resolved.

    Attributes:
        query: its facets' types are resolved; a type with several readings has become several
            values.
        signatures: the readings of its signature; none if it has no signature.
        types: the readings of its ``:: type``.
        sentence_constraints: the high-confidence constraints of its sentence, as facets.
        variables: the names of the signatures' type parameters.
        read_as: how the query was read, with what its names refer to.
        notices: sentences for the user.
        empty_scopes: a sentence for each ``pkg:``, ``module:`` ... without entries; there are
            then no hits.
    """

    query: Query
    signatures: tuple[Object, ...]
    types: tuple[Type, ...]
    sentence_constraints: tuple[Constraint, ...]
    variables: tuple[str, ...]
    read_as: str
    notices: tuple[str, ...]
    empty_scopes: tuple[str, ...]


def prepare_query(text: str, store: Store) -> PreparedQuery:
    """Parse ``text`` and resolve its names in ``store``.

    Raises:
        QuerySyntaxError: the query cannot be parsed.
        UsageError: its ``like:`` names no entry, or several.
    """
    query = parse(text, store)
    readings = word_readings(query, store)
    if readings:
        query = parse(with_readings(text, readings), store)
    scope = name_scope(query.constraints)
    resolved: list[ResolvedType] = []
    signature = type_ = None
    if query.signature is not None:
        signature = resolve_signature(
            _with_any_result_for_this(query.signature),
            store,
            variables=query.variables,
            scope=scope,
        )
        resolved.append(signature)
    if query.type is not None:
        type_ = resolve_type(query.type, store, scope=scope, others=resolved)
        resolved.append(type_)
    constraints = []
    for constraint in (*query.constraints, *_constraints_of_signature(query)):
        values: list[Value] = []
        for value in constraint.values:
            is_compared = constraint.key != "mentions"
            values += _readings(value, store, scope, resolved, is_compared=is_compared)
        constraints.append(replace(constraint, values=tuple(values)))
    like = like_id(query)
    alike = entry_types(entry_number(like, store), store) if like else EntryTypes()
    if alike.signatures or alike.types:
        constraints = [replace(item, required=item.key == "like") for item in constraints]
    return PreparedQuery(
        query=replace(query, constraints=tuple(constraints)),
        signatures=cast("tuple[Object, ...]", signature.readings)
        if signature
        else alike.signatures,
        types=type_.readings if type_ else alike.types,
        sentence_constraints=_sentence_constraints(query),
        variables=signature.variables if signature else alike.variables,
        read_as=_read_as(
            query.read_as, readings, [name for part in resolved for name in part.names]
        ),
        notices=tuple(dict.fromkeys(notice for part in resolved for notice in part.notices)),
        empty_scopes=tuple(_empty_scopes(query.constraints, store)),
    )


def _with_any_result_for_this(function: Object) -> Object:
    """Return a query's function with ``_`` for the result ``this``, which is a condition."""
    [call] = function.calls
    if call.returns is not THIS:
        return function
    return Object(calls=(replace_fields(call, returns=WILDCARD),))


def _constraints_of_signature(query: Query) -> Iterator[Constraint]:
    """Yield the conditions that ``new`` and the result ``this`` of a signature are."""
    if query.constructs:
        yield Constraint("kind", (Flag("constructor"),), required=True)
    if query.signature is not None and query.signature.calls[0].returns is THIS:
        yield Constraint("returns", (TypeValue(THIS, "this"),), required=True)


def resolve_sentence(query: Query, store: Store) -> ResolvedType | None:
    """Return the readings of the signature that a sentence describes; None without one."""
    if query.sentence is None:
        return None
    # Imported here: most queries are no sentences.
    from typematch.query.english.sentence_constraints import sentence_signature

    parsed = sentence_signature(query.sentence)
    if parsed is None:
        return None
    scope = name_scope(query.constraints)
    return resolve_signature(parsed.type, store, variables=parsed.variables, scope=scope)


def name_scope(constraints: Iterable[Constraint]) -> Selection:
    """Return the conditions for the declarations that names may refer to."""
    return tuple(
        Condition(
            cast(ConditionKey, constraint.key),
            tuple(
                GlobCondition(value.pattern)
                for value in constraint.values
                if isinstance(value, Glob)
            ),
            constraint.negated,
        )
        for constraint in constraints
        if constraint.key in _NAME_SCOPE
    )


def _sentence_constraints(query: Query) -> tuple[Constraint, ...]:
    if query.sentence is None:
        return ()
    # Imported here: most queries are no sentences.
    from typematch.query.english.sentence_constraints import sure_constraints

    return sure_constraints(query.sentence)


def _readings(
    value: Value,
    store: Store,
    scope: Selection,
    resolved: list[ResolvedType],
    *,
    is_compared: bool,
) -> list[Value]:
    """Return ``value`` once for each reading of its type, which is appended to ``resolved``."""
    if isinstance(value, TypeValue | HasValue) and value.type is not None:
        result = resolve_type(
            value.type, store, scope=scope, others=resolved, is_compared=is_compared
        )
        resolved.append(result)
        return [replace(value, type=reading) for reading in result.readings]
    return [value]


def _read_as(text: str, readings: Mapping[str, str], names: Iterable[NameMeanings]) -> str:
    """Append what words and names were read as, except globals that have one meaning."""
    meanings = dict.fromkeys(f"{word} is read as {other}" for word, other in readings.items())
    meanings |= dict.fromkeys(
        f"{name.name} is {_key_list(without_copies(name.keys))}{_other_meanings(name)}"
        for name in names
        if name.others or not all(_is_obvious(name, key) for key in name.keys)
    )
    return f"{text}   ({'; '.join(meanings)})" if meanings else text


def _is_obvious(name: NameMeanings, key: str) -> bool:
    return key == name.name or is_global(key)


def _other_meanings(name: NameMeanings) -> str:
    """Return how to write the declarations of a name that were not chosen."""
    last = name.name.rpartition(")")[2].lstrip(".") or name.name
    chosen = without_copies(name.keys)
    keys = without_copies((*chosen, *name.others))[len(chosen) :]
    others = list(dict.fromkeys(at_package(last, key) for key in keys))
    shown = others[:_MAX_OTHERS]
    more = [f"{len(others) - _MAX_OTHERS} more"] if len(others) > _MAX_OTHERS else []
    return f", not {' or '.join([*shown, *more])}" if others else ""


def _key_list(keys: tuple[str, ...]) -> str:
    listed = " or ".join(keys[:_MAX_LISTED])
    more = len(keys) - _MAX_LISTED
    return f"{listed} or {more} more" if more > 0 else listed


def _empty_scopes(constraints: Iterable[Constraint], store: Store) -> Iterator[str]:
    """Yield a sentence for each scope facet of which no value exists in the store."""
    for constraint in constraints:
        patterns = [value.pattern for value in constraint.values if isinstance(value, Glob)]
        if constraint.negated or constraint.key not in _NAMES_OF_FACETS or not patterns:
            continue
        values = store.scope_values(constraint.key)
        if any(_matches_any(pattern, values, constraint.key) for pattern in patterns):
            continue
        hint = did_you_mean(nearest_values(patterns[0], values))
        yield f"No {_NAMES_OF_FACETS[constraint.key]} here is called {', '.join(patterns)}{hint}"


def _matches_any(pattern: str, values: tuple[str, ...], key: str) -> bool:
    from fnmatch import fnmatchcase

    glob = pattern.lower().replace("[", "[[]")
    lowered = [value.lower() for value in values]
    if any(fnmatchcase(value, glob) for value in lowered):
        return True
    # A module facet also matches a leading part of the path.
    return key == "module" and any(fnmatchcase(value, f"{glob}/*") for value in lowered)
