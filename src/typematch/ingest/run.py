"""Index what changed, and what hangs on it.

A run reads and hashes every file but parses only what it must: a file whose text changed, one whose
names now mean something else, one that is exported under another name, and one whose entries were
made with a declaration that changed.  Which declarations change is written down before anything
else is, so that a run that is killed leaves its successor all it needs; packages are then committed
one by one, and the masks come last.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from typematch.errors import SourceError, UsageError
from typematch.gc_tuning import fewer_collections
from typematch.index.database import checkpoint, create_indexes
from typematch.index.enrichment import property_names
from typematch.index.entries.declaration_store import (
    OverlayDeclarations,
    RecordingDeclarations,
    StoredDeclarations,
)
from typematch.index.entries.entry_codec import encode_fragments
from typematch.index.entries.entry_reader import EntryReader
from typematch.index.entries.receivers import called_on, receiver_of
from typematch.index.entries.type_store import TypeStore
from typematch.index.masks.mask_pass import complete_masks, forget_masks
from typematch.index.vectors.embedding import EmbeddingError
from typematch.index.vectors.vector_store import embed_missing, use_model
from typematch.index.writing import IndexWriter, NewFile
from typematch.ingest.source_files import SourceFile, SourceFiles, covers
from typematch.ir.entry import Entry
from typematch.program.entries import entries_of
from typematch.program.exports import Exports
from typematch.program.resolution.symbols import Program
from typematch.sources.cleaning import SORTS
from typematch.sources.openapi import READS
from typematch.sources.packages import DiscoveredPackages, discover

if TYPE_CHECKING:
    from typematch.index.database import Database
    from typematch.index.sqlite import SqliteStore
    from typematch.index.vectors.embedding import Embedder

# (what is being done, how much of it is done, of how much, in which unit)
Progress: TypeAlias = Callable[[str, int, int, str], None]
Fetch: TypeAlias = Callable[[str], Path]

_DIGEST_BYTES = 16


@dataclass(frozen=True, slots=True)
class IndexReport:
    """What a run did.

    Attributes:
        entries, files: there are now, of what was named (and what that imports).
        unchanged: files that were not read again.
        skipped: (path, reason, how many), left out on purpose.
        failed: (file, reason): could not be read.
        with_errors: files with places that could not be read.
        removed: files that are gone.
        unresolved: (specifier, importing files), most frequent first.
        problems: (document, what is wrong with a part of it, where, and what was made of it).
    """

    entries: int
    files: int
    unchanged: int
    skipped: tuple[tuple[str, str, int], ...] = ()
    failed: tuple[tuple[str, str], ...] = ()
    with_errors: int = 0
    removed: int = 0
    packages: int = 0
    unresolved: tuple[tuple[str, int], ...] = ()
    notices: tuple[str, ...] = ()
    problems: tuple[tuple[str, str], ...] = ()


def run(
    paths: Sequence[str | Path],
    store: SqliteStore,
    progress: Progress | None = None,
    *,
    fetch: Fetch | None = None,
    embedder: Callable[[], Embedder] | None = None,
    keep: Iterable[str] = (),
) -> IndexReport:
    """Index ``paths`` and what they import into ``store``.

    ``embedder`` opens the model of the vectors; without it, or where it cannot be had, the texts
    wait for a later run.  ``keep`` are sorts of things that stay in the texts of documents
    (``sources.cleaning.SORTS``).

    Raises:
        UsageError: there is no such sort.
        SourceError: a path does not exist, or there is nothing to index in them.
        DatabaseError: the database cannot be written.
    """
    kept = frozenset(keep)
    unknown = sorted(kept - SORTS.keys())
    if unknown:
        raise UsageError(
            f"there is no {unknown[0]!r} to keep", hint=f"There are: {' '.join(SORTS)}"
        )
    found = discover(paths) if fetch is None else discover(paths, fetch=fetch)
    with store.writing() as database, fewer_collections():
        todo = _Run(found, _request(paths), IndexWriter(database), progress or _silent, kept)
        report = todo.report()
        if embedder is None:
            return report
        problem = _embed(database, embedder, progress or _silent)
        return replace(report, notices=(*report.notices, problem)) if problem else report


def embed_waiting(
    store: SqliteStore, embedder: Callable[[], Embedder], progress: Progress | None = None
) -> str:
    """Embed texts that wait; return why that was not possible, in a sentence, or nothing."""
    with store.writing() as database:
        return _embed(database, embedder, progress or _silent)


def _embed(database: Database, embedder: Callable[[], Embedder], progress: Progress) -> str:
    """Embed what waits for it: the last pass, which may be interrupted and goes on where it was.

    Returns why there are no vectors, in a sentence; empty if there are.
    """
    reading = EntryReader()
    reading.database, reading.types = database, TypeStore(database)
    try:
        model = embedder()
        use_model(database, model.identity, reading.numbered_entries())
        embed_missing(database, model, lambda done, all_: progress("vectors", done, all_, "texts"))
    except EmbeddingError as error:
        return f"without vectors, so search compares words and types only: {error.what}"
    finally:
        checkpoint(database)
    return ""


def _request(paths: Sequence[str | Path]) -> str:
    """Return a name for what was asked; the paths are no business of the file's readers."""
    named = sorted(
        str(path) if str(path).startswith("npm:") else str(Path(path).absolute()) for path in paths
    )
    return blake2b("\n".join(named).encode(), digest_size=_DIGEST_BYTES).hexdigest()


def _silent(phase: str, done: int, total: int, unit: str) -> None:
    """Tell nobody."""


class _Run:
    """One run: find the files, find out what to do, do it."""

    def __init__(
        self,
        found: DiscoveredPackages,
        request: str,
        writer: IndexWriter,
        progress: Progress,
        keep: frozenset[str],
    ) -> None:
        self._found = found
        self._request = request
        self._writer = writer
        self._progress = progress
        self._gathered = SourceFiles(found, writer.files(), progress, keep)
        self._stored = self._gathered.stored
        self._files = self._gathered.files
        # What was named once inside a place named now has been looked at again.
        for other in writer.roots():
            if any(covers(root, other) for root in list(self._gathered.roots)):
                self._gathered.roots.setdefault(other, [])

    def report(self) -> IndexReport:
        gathered = self._gathered
        if all(file.path is None for file in self._files.values()):
            raise SourceError(
                "there is nothing to index here that can be read",
                ", ".join(str(package.root) for package in self._found.packages),
                "Name a folder with .ts or .d.ts files or documents, or a package with typings.",
            )
        inputs = gathered.digest()
        if self._writer.inputs(self._request) == inputs:
            return self._reported(todo=(), gone=())
        self._writer.forget_inputs()
        todo, gone = self._update()
        self._writer.remember_inputs(self._request, inputs)
        checkpoint(self._writer.database)
        return self._reported(todo, gone)

    def _update(self) -> tuple[list[str], list[str]]:
        """Bring the store up to date; return which files were written and which are gone."""
        program, exports = self._resolve_names()
        todo = self._bind_changed(program, exports)
        gone = self._writer.unreached(self._request, self._gathered.roots, self._files)
        changed = self._changed_keys(todo, gone) | set(self._writer.pending())
        stale = self._writer.dependants(changed) if self._stored else set()
        again = sorted((stale & self._files.keys()) - set(todo))
        self._writer.add_pending(changed, stale - self._files.keys() - set(gone))
        for name in again:
            self._bind(program, self._files[name])
        todo += again
        self._write(exports, todo, gone)
        self._finish(bool(changed or todo or gone))
        return todo, gone

    def _resolve_names(self) -> tuple[Program, Exports]:
        skeletons = {name: self._gathered.skeleton(name) for name in self._files}
        program = Program(skeletons, self._gathered.imported)
        exports = Exports(program, self._gathered.entry_points(), self._gathered.owner)
        return program, exports

    def _bind_changed(self, program: Program, exports: Exports) -> list[str]:
        """Bind the files whose text, whose names or whose place changed; return their names."""
        todo = []
        for done, name in enumerate(sorted(self._files)):
            file = self._files[name]
            # Imports that nothing uses are no bindings, yet they count where they lead nowhere.
            imported = f"{sorted(file.imports.items())}".encode("utf-8", "surrogatepass")
            bindings = program.bindings(name) + imported
            file.bindings = blake2b(bindings, digest_size=_DIGEST_BYTES).digest()
            file.placing = exports.digest(name)
            stored = self._stored.get(name)
            if (
                stored is None
                or stored.stale
                or file.module is not None
                or stored.bindings != file.bindings
                or stored.placing != file.placing
                or stored.package != file.owner
            ):
                self._bind(program, file)
                todo.append(name)
            self._progress("resolving", done + 1, len(self._files), "files")
        return todo

    def _bind(self, program: Program, file: SourceFile) -> None:
        module = self._gathered.module(file)
        file.fragments = {}
        for fragment in program.bind(file.name, module):
            file.fragments.setdefault(fragment.key, []).append(fragment)
        file.blobs = {key: encode_fragments(parts) for key, parts in file.fragments.items()}

    def _changed_keys(self, todo: Iterable[str], gone: Iterable[str]) -> set[str]:
        changed: set[str] = set()
        for name in todo:
            new = self._files[name].blobs
            old = self._writer.fragments_of(name) if name in self._stored else {}
            changed.update(key for key in new.keys() | old.keys() if new.get(key) != old.get(key))
        for name in gone:
            changed.update(self._writer.fragments_of(name))
        return changed

    # Writing --------------------------------------------------------------------------------------

    def _write(self, exports: Exports, todo: Sequence[str], gone: Sequence[str]) -> None:
        """Write packages one by one, each in a transaction."""
        declarations = OverlayDeclarations(self._writer.database, self._files, {*todo, *gone})
        packages: dict[str, tuple[list[str], list[str]]] = {}
        for name in sorted(todo):
            packages.setdefault(self._files[name].owner, ([], []))[0].append(name)
        for name in gone:
            packages.setdefault(self._stored[name].package, ([], []))[1].append(name)
        versions = {package.name: package.version for package in self._found.packages}
        done = 0
        for package, (names, removed) in sorted(packages.items()):
            files = []
            for name in names:
                files.append(self._new_file(exports, declarations, self._files[name]))
                done += 1
                self._progress("indexing", done, len(todo), "files")
            self._writer.write_package(package, versions.get(package, ""), files, removed)

    def _new_file(
        self, exports: Exports, declarations: OverlayDeclarations, file: SourceFile
    ) -> NewFile:
        module = self._gathered.module(file)
        consulted = RecordingDeclarations(declarations)
        entries = self._gathered.guarded(
            file, lambda: entries_of(file.name, module, exports, consulted), list[Entry]()
        )
        receivers = [receiver_of(entry, consulted) for entry in entries]
        entries = [
            called_on(entry, receiver, consulted)
            for entry, receiver in zip(entries, receivers, strict=True)
        ]
        file.module = None  # nobody needs it any more, and together they are large
        program = exports.program
        return NewFile(
            name=file.name,
            content=file.content,
            bindings=file.bindings,
            placing=file.placing,
            skeleton=self._gathered.skeleton(file.name).to_json(),
            specifiers=file.specifiers,
            errors=module.errors,
            unreadable=module.unreadable,
            problems=module.problems,
            cleaned=module.cleaned,
            fragments=file.blobs,
            entries=entries,
            dependencies=consulted.keys,
            receivers=receivers,
            members=_members(file),
            unresolved=[
                specifier
                for specifier in file.specifiers
                if not specifier.startswith(("lib:", READS))
                and specifier not in file.imports
                and program.module(specifier, file.name) is None
            ],
        )

    def _finish(self, changed: bool) -> None:
        """Record what is reached from where, forget what nothing mentions, complete the masks."""
        writer, database = self._writer, self._writer.database
        skipped = [(one.path, one.reason, one.count) for one in self._found.skipped]
        writer.set_roots(self._request, self._gathered.roots, skipped)
        create_indexes(database)
        forget_masks(database)
        complete_masks(
            writer,
            StoredDeclarations(database),
            lambda done, total: self._progress("types", done, total, "types"),
        )
        if changed and self._stored:
            writer.collect()

    def _reported(self, todo: Sequence[str], gone: Sequence[str]) -> IndexReport:
        counts = self._writer.counts(self._files)
        unresolved = Counter(self._writer.unresolved(self._files))
        return IndexReport(
            entries=counts.entries,
            files=len(self._files),
            unchanged=len(self._files) - len(todo),
            skipped=tuple((one.path, one.reason, one.count) for one in self._found.skipped),
            failed=tuple(self._gathered.failed),
            with_errors=counts.with_errors,
            removed=len(gone),
            packages=len({file.owner for file in self._files.values()}),
            unresolved=tuple(sorted(unresolved.items(), key=lambda item: (-item[1], item[0]))),
            notices=self._found.notices,
            problems=tuple(self._writer.problems(self._files)),
        )


def _members(file: SourceFile) -> dict[str, list[str]]:
    """Return the names of the properties that each declaration of the file has here."""
    return {key: property_names(parts) for key, parts in file.fragments.items()}
