"""The API on texts: compares two types, and reads the interfaces that a document requires.

Types are plain TypeScript: ``_`` and capital letters are names like any other, not wildcards as in
queries.  The globals of an index are in scope, without one those of the bundled library.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typematch.index.store import Store
    from typematch.ir.declaration import Declaration, Declarations
    from typematch.ir.module import Module
    from typematch.ir.types import Tuple, Type
    from typematch.match.verdict import Verdict
    from typematch.program.resolution.declaration_merging import Fragment
    from typematch.program.resolution.module_summary import ModuleSummary
    from typematch.search.score.required_interfaces import RequiredInterface

_PAIR_FILE = "declarations.ts"


def assignable(source: str, target: str, declarations: str = "") -> bool:
    """Return whether tsc accepts ``source`` for ``target`` under `strict`; see ``relate``."""
    return bool(relate(source, target, declarations))


def relate(source: str, target: str, declarations: str = "") -> Verdict:
    """Return ``Fit``, ``Misfit`` (with path and reason) or ``Undecided``; only ``Fit`` is truthy.

    A name that nothing declares is ``Undecided``, with its name as the reason.

    Args:
        declarations: TypeScript declarations in scope of both types.  They see the ECMAScript
            globals and hide those of the same name.

    Raises:
        TypeSyntaxError: ``source`` or ``target`` is not a type.
    """
    return relate_indexed(source, target, declarations, None)


def relate_indexed(source: str, target: str, declarations: str, store: Store | None) -> Verdict:
    """As ``relate``; names that ``declarations`` does not declare mean types in ``store``.

    If names have several declarations, the types are compared for each choice of them.  If the
    verdicts differ, the result is ``Undecided``, and its reason lists the declarations.
    """
    from typematch.ir.type_parts import Element
    from typematch.ir.types import Tuple
    from typematch.match.verdict import Undecided
    from typematch.search.prepare.name_resolution import resolve_type, undeclared_names

    scope = _Scope.of(declarations)
    pair = Tuple((Element(scope.type(source)), Element(scope.type(target))))
    if store is None:
        undeclared = undeclared_names(pair)
        return Undecided(_unknown(undeclared)) if undeclared else _assign(pair, scope)
    resolved = resolve_type(pair, store)
    unknown = [name.name for name in resolved.names if not name.is_declared]
    if unknown:
        return Undecided(_unknown(unknown))
    in_index = _IndexedScope(scope, store)
    verdicts = [
        _assign(reading, in_index) for reading in resolved.readings if isinstance(reading, Tuple)
    ]
    if len({type(verdict) for verdict in verdicts}) > 1:
        several = [name for name in resolved.names if len(name.keys) > 1]
        listed = "; ".join(f"{name.name} is {' or '.join(name.keys)}" for name in several)
        return Undecided(f'{listed}: choose one with import("package").Name')
    return verdicts[0]


def _assign(pair: Tuple, declarations: Declarations) -> Verdict:
    from typematch.match.assignability.relation import Relation

    source, target = pair.elements
    return Relation(declarations).assign(source.type, target.type)


def _syntax_errors(errors: int) -> str:
    return f"{errors} syntax error{'' if errors == 1 else 's'}"


def _unknown(names: Sequence[str]) -> str:
    return f"nothing declares {', '.join(names)}"


class _IndexedScope:
    """The declarations of a text, then those of an index, then the bundled library's.

    The globals of an index are those of its projects' own library, with their augmentations.
    """

    def __init__(self, scope: _Scope, store: Store) -> None:
        self._scope = scope
        self._store = store

    def get(self, key: str, /) -> Declaration | None:
        if self._scope.declares(key):
            return self._scope.get(key)
        return self._store.get(key) or self._scope.get(key)


class _Scope:
    """A module of declarations over the library; it implements ``Declarations``."""

    def __init__(self, declarations: str) -> None:
        from typematch.errors import UsageError
        from typematch.program.resolution.module_summary import summarize_module
        from typematch.program.resolution.resolve_types import TypeNameResolver
        from typematch.program.resolution.symbols import Program
        from typematch.sources.typescript import read_module

        # The export makes it a module, so its declarations do not merge with the globals.
        text = f"{declarations}\nexport {{}};\n"
        module = read_module(text.encode("utf-8", "replace"), path=_PAIR_FILE)
        if module.unreadable or module.errors:
            problem = module.unreadable or _syntax_errors(module.errors)
            raise UsageError(
                f"the declarations cannot be read: {problem}",
                hint="Correct them first: an incomplete type would give a wrong verdict.",
            )
        program = Program(
            {**_library_summaries(), _PAIR_FILE: summarize_module(module)}, _no_imports
        )
        self._resolver = TypeNameResolver(program, _PAIR_FILE)
        self._file_scope = program.file_part(_PAIR_FILE)
        self._own_fragments = _group_by_key(program.fragments(_PAIR_FILE, module))
        self._merged: dict[str, Declaration | None] = {}

    @staticmethod
    @lru_cache(maxsize=8)
    def of(declarations: str) -> _Scope:
        return _Scope(declarations)

    def type(self, text: str) -> Type:
        from typematch.sources.typescript import read_type

        return self._resolver.resolve(self._file_scope, read_type(text))

    def declares(self, key: str) -> bool:
        """Whether the text declares ``key``, or a part of it."""
        return key in self._own_fragments

    def get(self, key: str, /) -> Declaration | None:
        if key not in self._merged:
            from typematch.program.resolution.declaration_merging import merge_fragments

            library = _library_fragments().get(key, ())
            self._merged[key] = merge_fragments(key, (*library, *self._own_fragments.get(key, ())))
        return self._merged[key]


def read_required_interfaces(
    path: Path, store: Store | None = None
) -> tuple[RequiredInterface, ...]:
    """Return the interfaces a document declares, with their methods.

    Args:
        store: has the types that the document imports, and the interfaces that it extends.

    Raises:
        SourceError: the file cannot be read or parsed, or no interface in it has a method.
    """
    from typematch.errors import SourceError
    from typematch.ingest.sibling_files import SiblingFiles
    from typematch.program.resolution.declaration_merging import merge_fragments
    from typematch.program.resolution.module_summary import summarize_module
    from typematch.program.resolution.symbols import Program
    from typematch.search.score.required_interfaces import required_interfaces
    from typematch.sources.documents import read_document
    from typematch.sources.packages import may_be_document
    from typematch.sources.typescript import read_module

    try:
        text = path.read_bytes()
    except OSError as error:
        raise SourceError(f"cannot read this file ({error.strerror})", str(path)) from error
    if may_be_document(path.name):
        module = read_document(text, path=path.name, siblings=SiblingFiles(path.parent, [path]))
        file = path.name
    else:
        # The export makes it a module, so its declarations do not merge with the globals.
        file = _PAIR_FILE
        module = read_module(text + b"\nexport {};\n", path=file)
    if module.unreadable:
        raise SourceError(module.unreadable, str(path))
    if module.errors:
        raise SourceError(
            f"{_syntax_errors(module.errors)} in this file",
            str(path),
            "Correct the file first: an incomplete interface would match the wrong entries.",
        )
    program = Program({**_library_summaries(), file: summarize_module(module)}, _no_imports)
    fragments = _group_by_key(program.fragments(file, module))
    merged = {key: merge_fragments(key, fragments[key]) for key in fragments}
    declarations = {
        key: declaration for key, declaration in merged.items() if declaration is not None
    }
    outside: Declarations | None = None
    if store is not None:
        from typematch.search.prepare.document_names import DocumentNames

        folder = path.absolute().parent.as_posix()
        declarations = DocumentNames(module.scope.imports, folder, store).resolved(declarations)
        outside = store
    interfaces = required_interfaces(declarations, path.name, outside)
    if not interfaces:
        raise SourceError(
            "no interface in this file has a method to search for",
            str(path),
            "Declare an interface with methods, functions, or an OpenAPI document with operations.",
        )
    return interfaces


def _no_imports(specifier: str, file: str) -> str | None:  # noqa: ARG001
    """Resolve no import: declarations in a text have no files beside them."""
    return None


@cache
def _library_modules() -> Mapping[str, Module]:
    from typematch.sources.library.declaration_files import declaration_files
    from typematch.sources.typescript import read_module

    return {name: read_module(text, path=name) for name, text in declaration_files()}


@cache
def _library_summaries() -> Mapping[str, ModuleSummary]:
    from typematch.program.resolution.module_summary import summarize_module

    return {name: summarize_module(module) for name, module in _library_modules().items()}


@cache
def _library_fragments() -> Mapping[str, Sequence[Fragment]]:
    from typematch.program.resolution.symbols import Program

    program = Program(_library_summaries(), _no_imports)
    return _group_by_key(
        [
            part
            for name, module in _library_modules().items()
            for part in program.fragments(name, module)
        ]
    )


def _group_by_key(fragments: Sequence[Fragment]) -> Mapping[str, Sequence[Fragment]]:
    grouped: dict[str, list[Fragment]] = {}
    for fragment in fragments:
        grouped.setdefault(fragment.key, []).append(fragment)
    return grouped
