"""Say what a file declares, imports, exports, and which names it uses: a module without types.

Names can be resolved across a whole program with skeletons alone (``program.scope``), so a run that
changes one file reads one file.  They are tuples of plain values, cheap to write as JSON and to
read back.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, cast

from typematch.ir.intern import InternedNode, children
from typematch.ir.module import DeclarationStatement, Export, Import, Member, Module, Scope
from typematch.ir.types import (
    Intersection,
    Intrinsic,
    Literal,
    Named,
    Object,
    Property,
    Type,
    TypeOf,
    Var,
)

TYPE, VALUE, NAMESPACE = 1, 2, 4
ANY_MEANING = TYPE | VALUE | NAMESPACE
MEANINGS: dict[str, int] = {
    "function": VALUE,
    "const": VALUE,
    "class": TYPE | VALUE,
    "interface": TYPE,
    "alias": TYPE,
    "enum": TYPE | VALUE | NAMESPACE,
    "namespace": NAMESPACE,
}

EXPORTED, DEFAULT = 1, 2


class LinkSkeleton(NamedTuple):
    """A declaration whose members a declared name shows as its own.

    ``how`` is ``is`` (a constant's or alias's type), ``extends``, or ``new`` (what a constant's or
    interface's construct signatures make); ``name`` is spelled as in ``ScopeSkeleton.free``.
    """

    how: str
    name: str


class NameSkeleton(NamedTuple):
    """One declaring statement.

    ``members`` are the names of an enum's members, or of those that an entry may be made of, static
    ones with a dot before them; ``body`` is a namespace's.
    """

    name: str
    kind: str
    flags: int
    links: tuple[LinkSkeleton, ...]
    members: tuple[str, ...]
    body: ScopeSkeleton | None


class ScopeSkeleton(NamedTuple):
    """A scope of ``ir.module``.

    ``free`` has each name that the types written in this very scope use, once, in order of name:
    ``t:A.B`` as a type, ``v:a.b`` as a value (``typeof``, computed names), ``t:A.B@module`` for an
    ``import()`` type.
    """

    kind: str
    name: str
    imports: tuple[Import, ...]
    exports: tuple[Export, ...]
    names: tuple[NameSkeleton, ...]
    scopes: tuple[ScopeSkeleton, ...]
    free: tuple[str, ...]


class Skeleton(NamedTuple):
    scope: ScopeSkeleton
    is_module: bool
    specifiers: tuple[str, ...] = ()

    def to_json(self) -> str:
        """Return compact JSON on one line; equal skeletons give equal text."""
        plain = [_plain(self.scope), int(self.is_module), self.specifiers]
        return json.dumps(plain, ensure_ascii=False, separators=(",", ":"))

    @staticmethod
    def from_json(text: str) -> Skeleton:
        scope, is_module, specifiers = json.loads(text)
        return Skeleton(_scope_from(scope), bool(is_module), tuple(specifiers))


def skeleton(module: Module) -> Skeleton:
    """Return the skeleton of ``module``."""
    return Skeleton(_scope(module.scope), module.is_module, module.specifiers)


def path_text(named: Named, meaning: str) -> str:
    """Spell a use of a name as in ``ScopeSkeleton.free``."""
    text = f"{meaning}:{'.'.join(named.path)}"
    return text if named.module is None else f"{text}@{named.module}"


def declared_name(declared: DeclarationStatement) -> str:
    """Return the name under which a declaration is known.

    A default export may have none of its own.
    """
    return declared.name or "default"


def member_name(member: Member) -> str:
    """Return the name of a member as in ``NameSkeleton.members``."""
    return f".{member.name}" if member.static else member.name


def _scope(scope: Scope) -> ScopeSkeleton:
    return ScopeSkeleton(
        scope.kind,
        scope.name,
        scope.imports,
        scope.exports,
        tuple(_name(declared) for declared in scope.declarations),
        tuple(_scope(inner) for inner in scope.scopes),
        tuple(sorted(free_names(written_types(scope)) | set(_class_bases(scope)))),
    )


def _name(declared: DeclarationStatement) -> NameSkeleton:
    flags = EXPORTED * declared.exported | DEFAULT * declared.default
    return NameSkeleton(
        declared_name(declared),
        declared.kind,
        flags,
        tuple(_links(declared)),
        tuple(member.name for member in declared.enum_members)
        or tuple(dict.fromkeys(member_name(member) for member in declared.members)),
        _scope(declared.body) if declared.body is not None else None,
    )


def _links(declared: DeclarationStatement) -> Iterator[LinkSkeleton]:
    for base in declared.extends:
        yield from _link("extends", base)
    for shown in (declared.type, declared.value):
        if shown is None:
            continue
        if declared.kind in ("const", "alias"):
            yield from _link("is", shown)
        if declared.kind in ("const", "interface") and isinstance(shown, Object):
            for made in shown.constructs:
                yield from _link("new", made.returns)


def _link(how: str, shown: Type) -> Iterator[LinkSkeleton]:
    match shown:
        case Named():
            yield LinkSkeleton(how, path_text(shown, "t"))
        case TypeOf(Named() as target):
            yield LinkSkeleton(how, path_text(target, "v"))
        case Intersection(members):
            for member in members:
                yield from _link(how, member)
        case _:
            return


def written_types(scope: Scope) -> Iterator[InternedNode]:
    """Yield every type that is written in ``scope`` itself, not in the scopes inside it."""
    for declared in scope.declarations:
        yield from (part for part in (declared.type, declared.value) if part is not None)
        yield from declared.type_parameters
        yield from declared.extends
        for overload in declared.overloads:
            yield overload.signature
        yield from _member_types(declared.members)


def _class_bases(scope: Scope) -> Iterator[str]:
    """Yield what classes extend as uses of values: it may be a constant that makes instances."""
    for declared in scope.declarations:
        if declared.kind == "class":
            yield from (
                path_text(base, "v") for base in declared.extends if isinstance(base, Named)
            )


def _member_types(members: Iterable[Member]) -> Iterator[InternedNode]:
    for member in members:
        yield member.type
        for overload in member.overloads:
            yield overload.signature
        yield from _member_types(member.members)


_LEAVES = frozenset((Intrinsic, Literal, Var))


def free_names(types: Iterable[InternedNode]) -> set[str]:
    """Return the names that ``types`` use, spelled as in ``ScopeSkeleton.free``."""
    found: set[str] = set()
    seen: set[InternedNode] = set()
    waiting = list(types)
    while waiting:
        node = waiting.pop()
        if type(node) in _LEAVES or node in seen:
            continue
        seen.add(node)
        if isinstance(node, Named):
            found.add(path_text(node, "t"))
            waiting.extend(node.arguments)
            continue
        if isinstance(node, TypeOf) and isinstance(node.target, Named):
            found.add(path_text(node.target, "v"))
            waiting.extend(node.arguments)
            continue
        if isinstance(node, Property) and node.name.startswith("@?"):
            found.add(f"v:{node.name[2:]}")
        waiting.extend(children(node))
    return found


def _plain(scope: ScopeSkeleton) -> list[object]:
    return [
        scope.kind,
        scope.name,
        [[i.local, i.specifier, i.imported, int(i.exported)] for i in scope.imports],
        [[e.name, e.local, e.specifier] for e in scope.exports],
        [[*name[:5], _plain(name.body) if name.body is not None else None] for name in scope.names],
        [_plain(inner) for inner in scope.scopes],
        scope.free,
    ]


def _scope_from(data: Any) -> ScopeSkeleton:
    kind, name, imports, exports, names, scopes, free = data
    return ScopeSkeleton(
        kind,
        name,
        tuple([Import(local, spec, what, bool(out)) for local, spec, what, out in imports]),
        tuple([Export(*item) for item in exports]),
        tuple([_name_from(item) for item in names]),
        tuple([_scope_from(inner) for inner in scopes]),
        cast(tuple[str, ...], tuple(free)),
    )


def _name_from(data: Any) -> NameSkeleton:
    name, kind, flags, links, members, body = data
    return NameSkeleton(
        name,
        kind,
        flags,
        tuple([LinkSkeleton(how, to) for how, to in links]) if links else (),
        tuple(members),
        _scope_from(body) if body is not None else None,
    )
