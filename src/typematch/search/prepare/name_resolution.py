"""Find the declarations that the names in a query mean.

A name means a global declaration, else every exported declaration of that name inside the query's
scope, else every other one; several are alternatives, each giving a reading of the whole type.
With whatever meaning of its names a signature is written just so somewhere, that reading is first;
then come those whose declarations one function mentions together.
A name found nowhere becomes a variable: it stands for any type, the same in each place, and a
notice says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product
from typing import Protocol, cast

from typematch.index.entries.selection import EVERYTHING, Condition, Selection, TextCondition
from typematch.ir.constructors import restore
from typematch.ir.declaration import Declaration
from typematch.ir.intern import InternedNode, children, rebuild, replaced
from typematch.ir.types import (
    WILDCARD,
    Array,
    Named,
    Object,
    Reference,
    Signature,
    Type,
    TypeOf,
    TypeParameter,
    Var,
)

MAX_READINGS = 16  # of one type; a search is run for each
_MOST_LOOKED_UP = 400  # readings of a signature that are looked up as they are written
_ARRAYS = {"global#Array": False, "global#ReadonlyArray": True}


class NameStore(Protocol):
    """What must be known about declarations; ``index.store.Store`` knows it."""

    def global_key(self, name: str, /) -> str | None:
        """Return the key of the global declaration of a (dotted) name."""
        ...

    def exported(self, name: str, /, selection: Selection = EVERYTHING) -> tuple[str, ...]:
        """Return the keys of the exported declarations of a (dotted) name, in order of key.

        Where none is exported, of those that are not.
        """
        ...

    def declared(self, name: str, /, selection: Selection = EVERYTHING) -> tuple[str, ...]:
        """Return the keys of all declarations of a (dotted) name, in order of key."""
        ...

    def has_spelling(self, asked: Object, /) -> bool:
        """Return whether a function's type reads like ``asked``, whatever parameters are called."""
        ...

    def are_together(self, keys: Sequence[str], /) -> bool:
        """Return whether one function's type mentions all these declarations, one at least.

        It is quickest where the rarest comes first.
        """
        ...

    def get(self, key: str, /) -> Declaration | None:
        """Return what is declared under a key."""
        ...

    def similar(self, name: str, /, limit: int = 3) -> tuple[str, ...]:
        """Return the declared names that are spelled most alike, the likest first."""
        ...


@dataclass(frozen=True, slots=True)
class NameCandidates:
    """A name as written, and the keys it means: none for a name found nowhere."""

    name: str
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ResolvedQuery:
    """A type with its names resolved.

    Attributes:
        readings: the type with each choice of declarations, at least one, at most ``MAX_READINGS``.
        variables: the names of the type parameters of a signature; unknown names come last.
        meanings: each name once, in order of appearance.
        notices: sentences for the user.
    """

    readings: tuple[Type, ...]
    variables: tuple[str, ...] = ()
    meanings: tuple[NameCandidates, ...] = ()
    notices: tuple[str, ...] = ()


def resolve_signature(
    signature: Object,
    names: NameStore,
    *,
    variables: tuple[str, ...] = (),
    scope: Selection = EVERYTHING,
) -> ResolvedQuery:
    """Return the readings of a query's function type; unknown names become type parameters of it.

    Args:
        variables: the names of its type parameters.
        scope: of it, only ``pkg`` and ``path`` count.
    """
    spelled = _spelled(signature)
    meanings = _meanings(spelled, names, scope, names.exported)
    unknown = tuple([m.name for m in meanings if not m.keys])
    [call] = signature.calls
    first = len(call.type_parameters)
    places = {name: first + index for index, name in enumerate(unknown)}

    def reading(choice: Mapping[str, str]) -> Object:
        return Object(calls=(_NameSubstitution(choice, places).signature(call),))

    written = []
    every = _meanings(spelled, names, scope, names.declared)
    if any(len(meaning.keys) > 1 for meaning in every):
        for choice in _choices(every, _MOST_LOOKED_UP):
            if names.has_spelling(reading(choice)):
                written.append(choice)
    likely = [*written[:MAX_READINGS], *islice(_together(meanings, names), MAX_READINGS)]
    meanings = tuple([_with_first(meaning, likely) for meaning in meanings])
    readings = [reading(choice) for choice in (*likely, *_choices(meanings))]
    return ResolvedQuery(
        tuple(dict.fromkeys(readings))[:MAX_READINGS],
        (*variables, *unknown),
        meanings,
        _notices(meanings, names),
    )


def resolve_type(wanted: Type, names: NameStore, *, scope: Selection = EVERYTHING) -> ResolvedQuery:
    """Return the readings of a type that is no signature; unknown names stand for any type."""
    meanings = _meanings(_spelled(wanted), names, scope, names.exported)
    readings = [_NameSubstitution(choice, None).settle(wanted, 0) for choice in _choices(meanings)]
    return ResolvedQuery(
        tuple(dict.fromkeys(cast("list[Type]", readings))), (), meanings, _notices(meanings, names)
    )


_Declared = Callable[[str, Selection], tuple[str, ...]]


def _meanings(
    spelled: Mapping[str, tuple[Named, bool]],
    names: NameStore,
    scope: Selection,
    declared: _Declared,
) -> tuple[NameCandidates, ...]:
    """Return what names mean among the globals, and what ``declared`` says of them."""
    return tuple(
        NameCandidates(spelling, _keys(name, names, declared, scope, is_value=is_value))
        for spelling, (name, is_value) in spelled.items()
    )


def _spelled(wanted: Type) -> dict[str, tuple[Named, bool]]:
    """Return each name as it is spelled, and whether it is a value's, in order of appearance."""
    found: dict[str, tuple[Named, bool]] = {}
    for name, is_value in _named(wanted):
        found.setdefault(spelling(name), (name, is_value))
    return found


def _with_first(meaning: NameCandidates, choices: Sequence[Mapping[str, str]]) -> NameCandidates:
    """Return the meaning, the keys that it has in ``choices`` before all others."""
    chosen = [choice[meaning.name] for choice in choices if meaning.name in choice]
    return NameCandidates(meaning.name, tuple(dict.fromkeys((*chosen, *meaning.keys))))


def _keys(
    name: Named,
    names: NameStore,
    declared: _Declared,
    scope: Selection,
    *,
    is_value: bool,
) -> tuple[str, ...]:
    """Return what a name means; of ``typeof a.b.c`` also ``a.b`` or ``a`` will do."""
    longest = len(name.path)
    for length in range(longest, 0 if is_value else longest - 1, -1):
        dotted = ".".join(name.path[:length])
        if not dotted:
            return ()
        if name.module is None and (key := names.global_key(dotted)) is not None:
            return (key,)
        keys = declared(dotted, _scope_of(name, scope))
        if keys:
            taking = tuple(key for key in keys if _takes(names.get(key), len(name.arguments)))
            return taking or keys
    return ()


def _takes(declared: Declaration | None, given: int) -> bool:
    """Whether a declaration may be meant where so many type arguments are written, none at least.

    Who writes none may have left them out.
    """
    if declared is None or not given:
        return True
    parameters = declared.type_parameters
    return sum(one.default is None for one in parameters) <= given <= len(parameters)


def _scope_of(name: Named, scope: Selection) -> Selection:
    """Return the scope narrowed to the package of ``import("package/file").Name``."""
    if name.module is None:
        return scope
    parts = name.module.split("/")
    package = "/".join(parts[:2] if name.module.startswith("@") else parts[:1])
    return (*scope, Condition("pkg", (TextCondition(package),)))


def _named(node: InternedNode) -> Iterator[tuple[Named, bool]]:
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


def spelling(name: Named) -> str:
    """Return a name as one writes it, without its arguments."""
    dotted = ".".join(name.path)
    if name.module is None:
        return dotted
    return f'import("{name.module}")' + (f".{dotted}" if dotted else "")


def _choices(
    meanings: tuple[NameCandidates, ...], most: int = MAX_READINGS
) -> Iterator[Mapping[str, str]]:
    """Yield a key for each known name: every combination, up to ``most``."""
    known = [meaning for meaning in meanings if meaning.keys]
    combinations = product(*[meaning.keys for meaning in known])
    for keys in islice(combinations, most):
        yield {meaning.name: key for meaning, key in zip(known, keys, strict=True)}


def _together(
    meanings: tuple[NameCandidates, ...], names: NameStore
) -> Iterator[Mapping[str, str]]:
    """Yield the choices between meanings of which one function mentions all keys."""
    several = sorted(meanings, key=lambda meaning: -len(meaning.keys))
    if not several or len(several[0].keys) < 2:
        return
    for choice in _choices(meanings, _MOST_LOOKED_UP):
        keys = [choice[meaning.name] for meaning in several if meaning.keys]
        local = [key for key in keys if not key.startswith("global#")]
        if not local or names.are_together(local):
            yield choice


def _notices(meanings: tuple[NameCandidates, ...], names: NameStore) -> tuple[str, ...]:
    found = []
    readings = 1
    for meaning in meanings:
        readings *= max(1, len(meaning.keys))
        if not meaning.keys:
            near = names.similar(meaning.name.rpartition(".")[2])
            hint = f"; did you mean {' or '.join(near)}?" if near else "."
            found.append(f"Nothing here is called {meaning.name}: it stands for any type{hint}")
    if readings > MAX_READINGS:
        found.append(
            f"The names have {readings:,} readings, of which {MAX_READINGS} were tried; "
            'pkg:, path: or import("package").Name picks one.'
        )
    return tuple(found)


class _NameSubstitution:
    """Puts references in the place of names, for one choice of declarations.

    ``places``: which type parameter of the outermost signature stands for an unknown name; None
    where there is no such signature.
    """

    def __init__(self, choice: Mapping[str, str], places: Mapping[str, int] | None) -> None:
        self._choice = choice
        self._places = places

    def signature(self, call: Signature) -> Signature:
        """Return the query's own signature, with a type parameter for each unknown name."""
        # Rebuilt as if it were no binder: Var(0, i) inside it are its own, as before.
        settled = rebuild(call, lambda part, _crossed: self.settle(part, 0))
        further = (TypeParameter(),) * len(self._places or ())
        return replaced(settled, type_parameters=(*settled.type_parameters, *further))

    def settle(self, node: InternedNode, depth: int) -> InternedNode:
        """Return ``node`` resolved; ``depth`` counts the binders between the signature and it."""
        match node:
            case Named():
                return self._name(node, depth)
            case TypeOf(Named() as target, path, arguments):
                return self._value(target, path, arguments, depth)
            case _:
                changed = rebuild(node, lambda part, crossed: self.settle(part, depth + crossed))
                return restore(changed)

    def _name(self, name: Named, depth: int) -> Type:
        arguments = self._arguments(name.arguments, depth)
        key = self._choice.get(spelling(name))
        if key is None:
            return self._unknown(name, depth)
        if key in _ARRAYS:
            return Array(arguments[0] if arguments else WILDCARD, _ARRAYS[key])
        return Reference(key, arguments)

    def _value(
        self, target: Named, path: tuple[str, ...], arguments: tuple[Type, ...], depth: int
    ) -> Type:
        key = self._choice.get(spelling(target))
        if key is None:
            return self._unknown(target, depth)
        declared = key.partition("#")[2].split(".")
        rest = target.path
        for length in range(len(target.path), 0, -1):
            if list(target.path[:length]) == declared[-length:]:
                rest = target.path[length:]
                break
        return TypeOf(Reference(key), (*rest, *path), self._arguments(arguments, depth))

    def _unknown(self, name: Named, depth: int) -> Type:
        if self._places is None:
            return WILDCARD
        return Var(depth, self._places[spelling(name)])

    def _arguments(self, arguments: tuple[Type, ...], depth: int) -> tuple[Type, ...]:
        return tuple([cast(Type, self.settle(argument, depth)) for argument in arguments])
