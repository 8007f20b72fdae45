"""The entries of a file, ready to be written, with the declarations they were computed from."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace

from typematch.index.store import NewFile
from typematch.ingest.file_reader import FileReader, SourceFile
from typematch.ir.constructors import ARRAYS
from typematch.ir.declaration import Declaration, Declarations
from typematch.ir.entry import Entry, EntrySignature
from typematch.ir.lift import replace_this
from typematch.ir.module import JSX_RUNTIME, Module
from typematch.ir.types import THIS, Array, Reference, Type, Var
from typematch.match.assignability.relation import Relation
from typematch.program.entries import entries_of
from typematch.program.export_path_index import ExportPathIndex
from typematch.sources.openapi.loading import TEXT_SPECIFIER

_MAX_STEPS = 100_000  # about a second
_INSTANCE_MEMBERS = frozenset(("method", "property"))


class DependencyRecorder:
    """Declarations that record every key looked up, declared or not, in ``keys``."""

    def __init__(self, declarations: Declarations) -> None:
        self._declarations = declarations
        self.keys: set[str] = set()

    def get(self, key: str, /) -> Declaration | None:
        self.keys.add(key)
        return self._declarations.get(key)


class Reduction:
    """Reduces the computed types of one file, within one budget of steps for all of them."""

    def __init__(self, declarations: Declarations) -> None:
        self._relation = Relation(declarations)
        self._steps = 0

    def reduce(self, t: Type) -> Type | None:
        """Return the head normal form of a closed type; None beyond the limits."""
        if self._steps > _MAX_STEPS:
            return None
        relation = self._relation
        reduced = relation.within_limits(lambda: relation.reducer.normal(t))
        self._steps += relation.reducer.steps
        return reduced

    def close(self) -> None:
        self._relation.release()


def new_file(
    file: SourceFile,
    module: Module,
    path_index: ExportPathIndex,
    declarations: Declarations,
    reader: FileReader,
) -> NewFile:
    """Return what is to be written of a file that was bound."""
    recorder = DependencyRecorder(declarations)
    nothing: list[tuple[Entry, Type | None]] = []
    entries = reader.guarded(
        file, lambda: _entries_with_receivers(file.name, module, path_index, recorder), nothing
    )
    assert file.summary is not None
    return NewFile(
        name=file.name,
        content_digest=file.content_digest,
        resolution_digest=file.resolution_digest,
        export_digest=file.export_digest,
        summary=file.summary.to_json(),
        specifiers=file.specifiers,
        errors=module.errors,
        unreadable=module.unreadable,
        problems=module.problems,
        cleaned=module.cleaned,
        fragments=file.fragments,
        entries=[entry for entry, _ in entries],
        dependencies=recorder.keys,
        receivers=[receiver for _, receiver in entries],
        unresolved=[
            _as_written(specifier)
            for specifier in file.specifiers
            if not specifier.startswith(("lib:", JSX_RUNTIME, TEXT_SPECIFIER))
            and specifier not in file.imports
            and path_index.program.module(specifier, file.name) is None
        ],
    )


def _as_written(specifier: str) -> str:
    """Return how the source refers to a module: ``types:node`` is a directive."""
    directive, _, name = specifier.partition(":")
    return f'/// <reference types="{name}" />' if directive == "types" else specifier


def _entries_with_receivers(
    name: str, module: Module, path_index: ExportPathIndex, declarations: Declarations
) -> list[tuple[Entry, Type | None]]:
    found = []
    with closing(Reduction(declarations)) as reduction:
        for entry in entries_of(name, module, path_index, declarations, reduction.reduce):
            receiver = receiver_of(entry, declarations)
            if receiver is not None and is_fluent(entry, receiver, declarations):
                entry = replace(entry, is_fluent=True)
            found.append((with_receiver_type(entry, receiver, declarations), receiver))
    return found


def receiver_of(entry: Entry, declarations: Declarations) -> Type | None:
    """Return the type of the receiver of an instance member, over its container's own parameters.

    None for every other entry.
    """
    if entry.kind not in _INSTANCE_MEMBERS or entry.static or "#" not in entry.qualified_name:
        return None
    if not entry.signatures or entry.visibility != "public":
        return None
    container = declarations.get(entry.declaration)
    if container is None or not container.is_class_or_interface:
        return None
    count = len(container.type_parameters)
    if container.key in ARRAYS and count:
        return Array(Var(0, 0), ARRAYS[container.key])
    return Reference(container.key, tuple(Var(0, index) for index in range(count)))


def is_fluent(entry: Entry, receiver: Type, declarations: Declarations) -> bool:
    """Return whether a signature returns ``this``, the receiver's class or one that extends it."""
    return any(
        signature.return_type is THIS
        or (
            isinstance(receiver, Reference)
            and isinstance(signature.return_type, Reference)
            and _extends(signature.return_type.target, receiver.target, declarations)
        )
        for signature in entry.signatures
    )


def _extends(key: str, base: str, declarations: Declarations) -> bool:
    """Return whether ``key`` is ``base`` or inherits from it."""
    queue, seen = [key], {key}
    while queue and base not in seen:
        declaration = declarations.get(queue.pop())
        for extended in () if declaration is None else declaration.extends:
            if isinstance(extended, Reference) and extended.target not in seen:
                seen.add(extended.target)
                queue.append(extended.target)
    return base in seen


def with_receiver_type(entry: Entry, receiver: Type | None, declarations: Declarations) -> Entry:
    """Return an entry whose signatures have the receiver's type in the place of ``this``."""
    if receiver is None or not any(THIS in signature.type.free for signature in entry.signatures):
        return entry
    container = declarations.get(entry.declaration)
    names = () if container is None else container.type_parameter_names
    signatures = tuple(_replace_this(signature, receiver) for signature in entry.signatures)
    return replace(entry, signatures=signatures, outer=names)


def _replace_this(signature: EntrySignature, receiver: Type) -> EntrySignature:
    depth = 1 if signature.type_parameters else 0
    parameters = tuple(
        replace(parameter, resolved=replace_this(parameter.resolved, receiver, depth))
        for parameter in signature.parameters
    )
    return replace(
        signature,
        type=replace_this(signature.type, receiver),
        parameters=parameters,
        return_type=replace_this(signature.return_type, receiver, depth),
    )
