"""Write modules by hand, in few words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from typematch.ir.constructors import function, object_type
from typematch.ir.declaration import Declaration
from typematch.ir.module import DeclarationStatement, Export, Import, Module, Scope
from typematch.ir.types import Named, Object, Property, Type
from typematch.program.resolution.declaration_merging import Fragment, merge
from typematch.program.resolution.module_summary import skeleton
from typematch.program.resolution.symbols import Program


def n(path: str, *arguments: Type) -> Named:
    return Named(tuple(path.split(".")), arguments)


def alias(name: str, body: Type, *, exported: bool = True) -> DeclarationStatement:
    return DeclarationStatement("alias", name, 1, type=body, exported=exported)


def interface(
    name: str, *properties: tuple[str, Type], exported: bool = True
) -> DeclarationStatement:
    body = object_type(Property(key, value) for key, value in properties)
    return DeclarationStatement("interface", name, 1, type=body, exported=exported)


def const(
    name: str, type_: Type, *, exported: bool = True, default: bool = False
) -> DeclarationStatement:
    return DeclarationStatement("const", name, 1, value=type_, exported=exported, default=default)


def func(
    name: str, returns: Type, *, exported: bool = True, default: bool = False
) -> DeclarationStatement:
    value = function((), returns)
    return DeclarationStatement(
        "function", name, 1, value=value, exported=exported, default=default
    )


def namespace(
    name: str,
    *declared: DeclarationStatement,
    exported: bool = True,
    exports: Iterable[Export] = (),
) -> DeclarationStatement:
    body = Scope("namespace", exports=tuple(exports), declarations=declared)
    return DeclarationStatement("namespace", name, 1, exported=exported, body=body)


def ambient(name: str, *items: DeclarationStatement | Import | Export) -> Scope:
    return scope("ambient", name, *items)


def global_scope(*items: DeclarationStatement | Import | Export) -> Scope:
    return scope("global", "", *items)


def scope(kind: str, name: str, *items: DeclarationStatement | Import | Export | Scope) -> Scope:
    return Scope(
        kind,  # type: ignore[arg-type]
        name,
        tuple(item for item in items if isinstance(item, Import)),
        tuple(item for item in items if isinstance(item, Export)),
        tuple(item for item in items if isinstance(item, DeclarationStatement)),
        tuple(item for item in items if isinstance(item, Scope)),
    )


def module(*items: DeclarationStatement | Import | Export | Scope) -> Module:
    outer = scope("file", "", *items)
    named = [item.specifier for item in outer.imports] + [item.specifier for item in outer.exports]
    return Module(outer, is_module=True, specifiers=tuple(filter(None, named)))


def script(*items: DeclarationStatement | Scope) -> Module:
    return Module(scope("file", "", *items), is_module=False)


class Files:
    """A program whose specifiers ``./x`` and ``x`` mean the file ``x``.

    ``missing``: (specifier, file) pairs that mean nothing.
    """

    def __init__(self, missing: Iterable[tuple[str, str]] = (), /, **modules: Module) -> None:
        self.modules: Mapping[str, Module] = modules
        self._missing = frozenset(missing)
        skeletons = {file: skeleton(read) for file, read in modules.items()}
        self.program = Program(skeletons, self._resolve)

    def _resolve(self, specifier: str, file: str) -> str | None:
        found = specifier.removeprefix("./")
        known = found in self.modules and (specifier, file) not in self._missing
        return found if known else None

    def fragments(self) -> list[Fragment]:
        bound = (self.program.bind(file, read) for file, read in self.modules.items())
        return [fragment for fragments in bound for fragment in fragments]

    def get(self, key: str, /) -> Declaration | None:
        return merge(key, [fragment for fragment in self.fragments() if fragment.key == key])

    def body(self, key: str) -> Type | None:
        found = self.get(key)
        return None if found is None else found.type

    def value(self, key: str) -> Type | None:
        found = self.get(key)
        return None if found is None else found.value

    def properties(self, key: str) -> dict[str, Type]:
        body = self.body(key)
        assert isinstance(body, Object)
        return {item.name: item.type for item in body.properties}
