"""Builders for modules and programs in tests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from typematch.ir.constructors import function, object_type
from typematch.ir.declaration import Declaration
from typematch.ir.module import DeclarationStatement, Export, Import, Module, Scope
from typematch.ir.type_parts import Property
from typematch.ir.types import Named, Object, Type
from typematch.program.resolution.declaration_merging import Fragment, merge_fragments
from typematch.program.resolution.module_summary import summarize_module
from typematch.program.resolution.symbols import Program


def named(path: str, *arguments: Type) -> Named:
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


class ProgramFiles:
    """A program in memory; the specifiers ``./x`` and ``x`` resolve to the file ``x``.

    Args:
        missing: (specifier, importing file) pairs that do not resolve.
    """

    def __init__(self, missing: Iterable[tuple[str, str]] = (), /, **modules: Module) -> None:
        self.modules: Mapping[str, Module] = modules
        self._missing = frozenset(missing)
        summaries = {file: summarize_module(read) for file, read in modules.items()}
        self.program = Program(summaries, self._resolve)

    def _resolve(self, specifier: str, file: str) -> str | None:
        target = specifier.removeprefix("./")
        is_known = target in self.modules and (specifier, file) not in self._missing
        return target if is_known else None

    def fragments(self) -> list[Fragment]:
        contributed = (self.program.fragments(file, read) for file, read in self.modules.items())
        return [fragment for fragments in contributed for fragment in fragments]

    def get(self, key: str, /) -> Declaration | None:
        return merge_fragments(
            key, [fragment for fragment in self.fragments() if fragment.key == key]
        )

    def body(self, key: str) -> Type | None:
        declaration = self.get(key)
        return None if declaration is None else declaration.type

    def value(self, key: str) -> Type | None:
        declaration = self.get(key)
        return None if declaration is None else declaration.value

    def properties(self, key: str) -> dict[str, Type]:
        body = self.body(key)
        assert isinstance(body, Object)
        return {property_.name: property_.type for property_ in body.properties}
