"""Resolve the names in a query's types to declarations.

``name_scopes`` says where a name is looked up.  Each combination of declarations is a reading of
the type.  Readings that are the signature of some function come first, then those whose
declarations occur together in some function.  A name that functions mention and nothing declares
stays a name; any other unknown name becomes a type variable.  A notice says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cache
from itertools import islice, product
from typing import cast

from typematch.index.entries.selection import EVERYTHING, Selection
from typematch.index.store import Store
from typematch.ir.declaration import GLOBAL_SCOPE, Declaration, is_global
from typematch.ir.intern import InternedNode, children
from typematch.ir.types import Named, Object, Type, TypeOf
from typematch.query.signature.lexer import MAX_VARIABLES
from typematch.query.signature.type_expr import KEYWORDS
from typematch.search.prepare.implied_constraints import with_implied_constraints
from typematch.search.prepare.name_scopes import (
    Lookup,
    NameScopes,
    accepts_arguments,
    declares_type,
)
from typematch.search.prepare.name_substitution import (
    NameSubstitution,
    is_declaration_key,
    qualified_name,
)
from typematch.search.prepare.spelling import did_you_mean

MAX_READINGS = 16  # per type; each is searched
_MAX_LOOKUPS = 400  # readings that are looked up in the store
# Types that are written as keywords, and how similar to one a name must be.
_LANGUAGE_TYPES = tuple(name for name in KEYWORDS if name not in ("this", "_", "true", "false"))
_MIN_SIMILARITY = 0.75
_ANY_TYPE = ": it stands for any type"
_MAX_SUGGESTED = 8  # unknown names of a query for which similar ones are looked up


@dataclass(frozen=True, slots=True)
class NameMeanings:
    """A name as written, and what it may mean; nothing for an unknown name.

    Attributes:
        keys: of its declarations.  Without any, the names that functions mention.
        others: keys of declarations of this name that were not chosen.
        placeholder: the package that declares it only as an empty interface; then it is unknown.
    """

    name: str
    keys: tuple[str, ...]
    others: tuple[str, ...] = ()
    placeholder: str = ""

    @property
    def is_declared(self) -> bool:
        return any(map(is_declaration_key, self.keys))


@dataclass(frozen=True, slots=True)
class ResolvedType:
    """A type with its names resolved.

    Attributes:
        readings: the type for each choice of declarations, from 1 to ``MAX_READINGS``.
        variables: the names of a signature's type parameters; unknown names come last.
        names: each name once, in order of appearance.
        notices: sentences for the user.
    """

    readings: tuple[Type, ...]
    variables: tuple[str, ...] = ()
    names: tuple[NameMeanings, ...] = ()
    notices: tuple[str, ...] = ()


def resolve_signature(
    signature: Object,
    store: Store,
    *,
    variables: tuple[str, ...] = (),
    scope: Selection = EVERYTHING,
) -> ResolvedType:
    """Return the readings of a query's signature; unknown names become type parameters.

    Args:
        variables: the names of its type parameters.
        scope: where to look for names first; only ``pkg``, ``path`` and ``module`` count.
    """
    written = _written_names(signature)
    names = _candidates(written, store, scope, store.exported_types)
    [call] = signature.calls
    first = len(call.type_parameters)
    # The names that exceed the limit become wildcards.
    unknown = tuple([name.name for name in names if not name.keys][: MAX_VARIABLES - first])
    type_parameters = {name: first + index for index, name in enumerate(unknown)}

    def reading(choice: Mapping[str, str]) -> Object:
        resolved = NameSubstitution(choice, type_parameters).signature(call)
        return Object(calls=(with_implied_constraints(resolved, store),))

    exact = []
    all_names = [_with_declared(name, store, scope) for name in names]
    if any(len(name.keys) > 1 for name in all_names):
        for choice in _choices(all_names, _MAX_LOOKUPS):
            if store.has_exact_signature(reading(choice)):
                exact.append(choice)
    likely = [*exact[:MAX_READINGS], *islice(_co_occurring(names, store), MAX_READINGS)]
    names = tuple([_with_first(name, likely) for name in names])
    readings = [reading(choice) for choice in (*likely, *_choices(names))]
    return ResolvedType(
        tuple(dict.fromkeys(readings))[:MAX_READINGS],
        (*variables, *unknown),
        names,
        _notices(names, store),
    )


def resolve_type(
    type_: Type,
    store: Store,
    *,
    scope: Selection = EVERYTHING,
    others: Iterable[ResolvedType] = (),
    is_compared: bool = True,
) -> ResolvedType:
    """Return the readings of a type that is no signature; unknown names become wildcards.

    Args:
        scope: where to look for names first; only ``pkg``, ``path`` and ``module`` count.
        others: the other types of the query; similar names are looked up for some names of all.
        is_compared: whether types are compared with it; ``mentions:`` looks for the name.
    """
    names = _candidates(_written_names(type_), store, scope, store.exported_types)
    readings = [NameSubstitution(choice, {}).resolve(type_, 0) for choice in _choices(names)]
    return ResolvedType(
        tuple(dict.fromkeys(cast("list[Type]", readings))),
        (),
        names,
        _notices(
            names,
            store,
            [name for other in others for name in other.names],
            consequence=_ANY_TYPE if is_compared else "",
        ),
    )


def undeclared_names(type_: Type) -> tuple[str, ...]:
    """Return the names in a type that have not been resolved, in order of appearance."""
    return tuple(_written_names(type_))


def _candidates(
    written: Mapping[str, tuple[Named, bool]],
    store: Store,
    scope: Selection,
    lookup: Lookup,
) -> tuple[NameMeanings, ...]:
    """Return the declarations of each name; ``lookup`` finds those that are no globals."""
    scopes = NameScopes(store, scope)
    return tuple(
        _name_meanings(text, name, store, scopes, lookup, is_value=is_value)
        for text, (name, is_value) in written.items()
    )


def _written_names(type_: Type) -> dict[str, tuple[Named, bool]]:
    """Return each name by its text, in order of appearance, and whether it is a value's."""
    names: dict[str, tuple[Named, bool]] = {}
    for name, is_value in _names_in(type_):
        names.setdefault(qualified_name(name), (name, is_value))
    return names


def _with_declared(name: NameMeanings, store: Store, scope: Selection) -> NameMeanings:
    """Return the name with the keys of all declarations, those of later scopes included."""
    if not name.keys:
        return name
    return replace(
        name, keys=tuple(dict.fromkeys((*name.keys, *store.declared_types(name.name, scope))))
    )


def _with_first(name: NameMeanings, choices: Sequence[Mapping[str, str]]) -> NameMeanings:
    """Return the name with its keys in ``choices`` before the others."""
    chosen = [choice[name.name] for choice in choices if name.name in choice]
    return replace(name, keys=tuple(dict.fromkeys((*chosen, *name.keys))))


def _name_meanings(
    text: str, name: Named, store: Store, scopes: NameScopes, lookup: Lookup, *, is_value: bool
) -> NameMeanings:
    """Return the declarations of a name; for ``typeof a.b.c`` also those of ``a.b`` or ``a``."""
    longest = len(name.path)
    for length in range(longest, 0 if is_value else longest - 1, -1):
        dotted = ".".join(name.path[:length])
        if not dotted:
            break
        found = scopes.find(dotted, name.module, lookup, len(name.arguments))
        if found.placeholder:
            return NameMeanings(text, (), placeholder=found.placeholder)
        if found.keys:
            count = len(name.arguments)
            fitting = tuple(
                key for key in found.keys if not count or accepts_arguments(store.get(key), count)
            )
            return NameMeanings(text, fitting or found.keys, found.others)
    members = () if is_value else _exported_members(name, store, scopes, lookup)
    if members:
        return NameMeanings(text, members)
    if name.module is not None or is_value:
        return NameMeanings(text, ())
    mentioned = store.undeclared_names(text)
    return NameMeanings(text, mentioned or _through_import(name, scopes, lookup))


def _through_import(name: Named, scopes: NameScopes, lookup: Lookup) -> tuple[str, ...]:
    """Return what a dotted name means whose first name is that of an import.

    After ``import * as Schema from "./schema"`` code writes ``Schema.Text``, and nothing else
    declares ``Schema``.  Signatures that are shown have such names.  The path of the module tells.
    """
    for start in range(1, len(name.path)):
        module = name.path[start - 1].lower()
        found = scopes.find(".".join(name.path[start:]), None, lookup, len(name.arguments))
        keys = [key for key in found.keys if module in key.partition("#")[0].lower()]
        if keys:
            return tuple(keys)
    return ()


def _exported_members(
    name: Named, store: Store, scopes: NameScopes, lookup: Lookup
) -> tuple[str, ...]:
    """Return the types that a dotted name leads to: resolveEntityName.

    Its first names are those of a class, an enum or an interface, each further one is an export of
    the namespace that is merged with it, or a member of the enum.
    """
    for length in range(len(name.path) - 1, 0, -1):
        keys = scopes.find(".".join(name.path[:length]), name.module, lookup).keys
        for member in name.path[length:]:
            found = (_member_key(store.get(key), member) for key in keys)
            keys = tuple(dict.fromkeys(key for key in found if key is not None))
        types = tuple(key for key in keys if declares_type(store.get(key)))
        if types:
            return types
    return ()


def _member_key(declaration: Declaration | None, member: str) -> str | None:
    return None if declaration is None else declaration.member_key(member)


def _names_in(node: InternedNode) -> Iterator[tuple[Named, bool]]:
    """Yield each name in ``node``, in order, and whether it is a value's (``typeof``)."""
    pending: list[tuple[InternedNode, bool]] = [(node, False)]
    seen: set[tuple[InternedNode, bool]] = set()
    while pending:
        item = pending.pop()
        if item in seen:
            continue
        seen.add(item)
        current, is_value = item
        if isinstance(current, Named):
            yield current, is_value
        typeof = isinstance(current, TypeOf)
        inner = [(child, typeof and index == 0) for index, child in enumerate(children(current))]
        pending.extend(reversed(inner))


def _choices(
    names: Sequence[NameMeanings], limit: int = MAX_READINGS
) -> Iterator[Mapping[str, str]]:
    """Yield combinations of a key for each known name, up to ``limit``."""
    known = [name for name in names if name.keys]
    combinations = product(*[name.keys for name in known])
    for keys in islice(combinations, limit):
        yield {name.name: key for name, key in zip(known, keys, strict=True)}


def _co_occurring(names: Sequence[NameMeanings], store: Store) -> Iterator[Mapping[str, str]]:
    """Yield the choices whose declarations some function mentions together.

    First those whose globals of the DOM or Node it mentions, too, then those without the globals.
    """
    most_first = sorted(names, key=lambda name: -len(name.keys))
    if not most_first or len(most_first[0].keys) < 2:
        return
    keys = {key for name in names for key in name.keys}
    globals_ = {key for key in keys if is_global(key)}
    # Most functions mention Promise and Array, but few a global of the DOM or of Node.
    of_language = {
        key for key in globals_ if store.is_language_global(key.removeprefix(GLOBAL_SCOPE))
    }
    co_occur = cache(store.co_occur)
    yielded = set()
    for uninformative in (of_language, globals_):
        for choice in _choices(names, _MAX_LOOKUPS):
            chosen = tuple([choice[name.name] for name in most_first if name.keys])
            informative = tuple([key for key in chosen if key not in uninformative])
            if chosen not in yielded and (not informative or co_occur(informative)):
                yielded.add(chosen)
                yield choice


def _last_part(name: NameMeanings) -> str:
    return name.name.rpartition(".")[2]


def _unknown(names: Iterable[NameMeanings]) -> list[str]:
    return [_last_part(name) for name in names if not name.keys and not name.placeholder]


def _notices(
    names: Sequence[NameMeanings],
    store: Store,
    others: Sequence[NameMeanings] = (),
    *,
    consequence: str = _ANY_TYPE,
) -> tuple[str, ...]:
    """Return sentences on names; ``consequence`` is what follows from an unknown one."""
    notices = []
    readings = 1
    unknown = _unknown(names)[: max(0, _MAX_SUGGESTED - len(_unknown(others)))]
    similar_names = store.similar_type_names(unknown) if unknown else {}
    for name in names:
        readings *= max(1, len(name.keys))
        if name.placeholder:
            notices.append(
                f"{name.name} stands for any type: {name.placeholder} declares it as an empty "
                "interface, in place of the DOM, which is not indexed. Install typescript (with "
                "DOM in lib of tsconfig.json) or @types/web, and index the project again."
            )
        elif not name.keys:
            hint = did_you_mean(_with_keyword(name.name, similar_names.get(_last_part(name), ())))
            notices.append(f"Nothing here is called {name.name}{consequence}{hint}")
        elif not name.is_declared:
            notices.append(f"Nothing here declares {name.name}: it is compared by its name only.")
    if readings > MAX_READINGS:
        notices.append(
            f"The names have {readings:,} readings, of which {MAX_READINGS} were tried; "
            "pkg:, path: or Name@package selects one."
        )
    return tuple(notices)


def _with_keyword(name: str, similar: Sequence[str]) -> Sequence[str]:
    """Return names of types for an unknown name, that of a language type first if it is similar."""
    close = get_close_matches(name.lower(), _LANGUAGE_TYPES, n=1, cutoff=_MIN_SIMILARITY)
    others = [other for other in similar if other.lower() not in close]
    return [*close, *others][: max(len(similar), len(close))]
