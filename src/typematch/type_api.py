"""Read types and declarations from texts alone: no catalog is needed.

``relate`` and ``assignable`` read two types as plain TypeScript (no ``_``, no capital-letter
variables) over our description of the ECMAScript globals; ``needed_of`` reads what a document of
interfaces, or of operations, asks for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typematch.ir.declaration import Declaration
    from typematch.ir.module import Module
    from typematch.ir.types import Type
    from typematch.match.verdict import Verdict
    from typematch.program.resolution.declaration_merging import Fragment
    from typematch.program.resolution.module_summary import Skeleton
    from typematch.search.score.required_interfaces import RequiredInterface

_PAIR_FILE = "declarations.ts"


def assignable(source: str, target: str, declarations: str = "") -> bool:
    """Whether tsc under `strict` lets ``source`` be assigned to ``target``; see ``relate``."""
    return bool(relate(source, target, declarations))


def relate(source: str, target: str, declarations: str = "") -> Verdict:
    """Return ``Fit``, ``Misfit`` (where it breaks, why) or ``Undecided``; only ``Fit`` is truthy.

    Args:
        declarations: TypeScript that declares names; it sees the ECMAScript globals, and what it
            declares hides them.

    Raises:
        TypeSyntaxError: ``source`` or ``target`` is no type.
    """
    from typematch.match.assignability.relation import Relation

    scope = _Scope.of(declarations)
    return Relation(scope).assign(scope.type(source), scope.type(target))


class _Scope:
    """Declarations over the library: names are found, and answered as a ``Declarations``."""

    def __init__(self, declarations: str) -> None:
        from typematch.program.resolution.module_summary import skeleton
        from typematch.program.resolution.resolve_types import TypeNameResolver
        from typematch.program.resolution.symbols import Program
        from typematch.sources.typescript import read_module

        # An export makes it a module: its names are its own, they do not merge with the globals.
        text = f"{declarations}\nexport {{}};\n"
        module = read_module(text.encode("utf-8", "replace"), path=_PAIR_FILE)
        program = Program({**_library_skeletons(), _PAIR_FILE: skeleton(module)}, _resolve)
        self._binding = TypeNameResolver(program, _PAIR_FILE)
        self._part = program.file_part(_PAIR_FILE)
        self._own = _by_key(program.bind(_PAIR_FILE, module))
        self._known: dict[str, Declaration | None] = {}

    @staticmethod
    @lru_cache(maxsize=8)
    def of(declarations: str) -> _Scope:
        return _Scope(declarations)

    def type(self, text: str) -> Type:
        from typematch.sources.typescript import read_type

        return self._binding.convert(self._part, read_type(text))

    def get(self, key: str, /) -> Declaration | None:
        if key not in self._known:
            from typematch.program.resolution.declaration_merging import merge

            library = _library_fragments().get(key, ())
            self._known[key] = merge(key, (*library, *self._own.get(key, ())))
        return self._known[key]


def needed_of(path: Path) -> tuple[RequiredInterface, ...]:
    """Return what a document asks for: each interface, and its methods.

    Raises:
        SourceError: it cannot be read, or nothing in it has a method.
    """
    from typematch.errors import SourceError
    from typematch.ingest.sibling_files import SiblingFiles
    from typematch.program.resolution.declaration_merging import merge
    from typematch.program.resolution.module_summary import skeleton
    from typematch.program.resolution.symbols import Program
    from typematch.search.score.required_interfaces import needed_in
    from typematch.sources.documents import read_document
    from typematch.sources.packages import may_be_document
    from typematch.sources.typescript import read_module

    try:
        text = path.read_bytes()
    except OSError as error:
        raise SourceError(f"cannot read this file ({error.strerror})", str(path)) from error
    if may_be_document(path.name):
        module = read_document(text, path=path.name, beside=SiblingFiles(path.parent, [path]))
        file = path.name
    else:
        # An export makes it a module: its names are its own.
        file = _PAIR_FILE
        module = read_module(text + b"\nexport {};\n", path=file)
    if module.unreadable:
        raise SourceError(module.unreadable, str(path))
    if module.errors:
        noun = "place" if module.errors == 1 else "places"
        raise SourceError(
            f"{module.errors} {noun} in this file cannot be read",
            str(path),
            "Half of an interface would be matched with the wrong things: mend it first.",
        )
    program = Program({**_library_skeletons(), file: skeleton(module)}, _resolve)
    parts = _by_key(program.bind(file, module))
    merged = {key: merge(key, parts[key]) for key in parts}
    declared = {key: one for key, one in merged.items() if one is not None}
    needed = needed_in(declared, path.name)
    if not needed:
        raise SourceError(
            "nothing in this file has a method to look for",
            str(path),
            "Declare an interface with methods, functions, or an OpenAPI document with operations.",
        )
    return needed


def _resolve(specifier: str, file: str) -> str | None:  # noqa: ARG001
    """Declarations in a text import nothing: there are no files around it."""
    return None


@cache
def _library_modules() -> Mapping[str, Module]:
    from typematch.sources.library import files
    from typematch.sources.typescript import read_module

    return {name: read_module(text, path=name) for name, text in files()}


@cache
def _library_skeletons() -> Mapping[str, Skeleton]:
    from typematch.program.resolution.module_summary import skeleton

    return {name: skeleton(module) for name, module in _library_modules().items()}


@cache
def _library_fragments() -> Mapping[str, Sequence[Fragment]]:
    from typematch.program.resolution.symbols import Program

    program = Program(_library_skeletons(), _resolve)
    return _by_key(
        [part for name, module in _library_modules().items() for part in program.bind(name, module)]
    )


def _by_key(fragments: Sequence[Fragment]) -> Mapping[str, Sequence[Fragment]]:
    found: dict[str, list[Fragment]] = {}
    for fragment in fragments:
        found.setdefault(fragment.key, []).append(fragment)
    return found
