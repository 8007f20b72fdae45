"""One run of indexing: bring a store up to date with files on disk.

Every file is read and hashed, and parsed only if needed: its text changed, its names resolve to
other declarations, it is exported under other paths, or its entries were computed from a
declaration that changed.  Changed declarations are recorded before anything else is written, so
that the run after a killed one completes its work.  Packages are committed one by one; masks come
last.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

from typematch.errors import SourceError, UsageError
from typematch.gc_tuning import relaxed_gc
from typematch.index.store import IndexWriter, NewFile, Store
from typematch.index.vectors.embedding import Embedder, EmbeddingError
from typematch.ingest.declaration_output import MODES, declaration_output
from typematch.ingest.file_entries import new_file
from typematch.ingest.file_reader import FileReader, SourceFile, digest
from typematch.ingest.notices import (
    annotation_notices,
    heritage_notices,
    star_notices,
    waiting_notices,
)
from typematch.ingest.source_files import SourceFiles, covers, read_source_files
from typematch.ir.declaration import Declarations
from typematch.program.export_path_index import ExportPathIndex
from typematch.program.resolution.declaration_merging import Fragment
from typematch.program.resolution.symbols import Program
from typematch.sources.cleaning import CLEANERS
from typematch.sources.packages import DiscoveredPackages, FileSystemCache, discover
from typematch.sources.tsc import installed_compiler

# (phase, done, total, unit): total is 0 while it is unknown
Progress: TypeAlias = Callable[[str, int, int, str], None]


@dataclass(frozen=True, slots=True)
class IndexReport:
    """What a run did.

    Attributes:
        entries, files: the number stored now of the requested paths and their imports.
        unchanged: files that were not bound again.
        skipped: (path, reason, files) left out on purpose.
        failed: (file, reason) that could not be read.
        with_errors: files with syntax errors.
        removed: files that no longer exist or are no longer reached.
        unresolved: (specifier, importing files), most frequent first.
        problems: (document, problem): a part that could not be read, and what it was read as.
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
    store: Store,
    progress: Progress | None = None,
    *,
    embedder: Callable[[], Embedder] | None = None,
    keep: Iterable[str] = (),
    infer: str = "off",
    jobs: int = 1,
) -> IndexReport:
    """Index ``paths`` and what they import into ``store``.

    Args:
        embedder: opens the model of the vectors.  Without it, or if it cannot be opened, texts are
            stored to be embedded by a later run.
        keep: names of the document cleaners that are not applied (``sources.cleaning.CLEANERS``).
        infer: whether the project's compiler infers types: one of ``declaration_output.MODES``.
        jobs: processes to work in, at most; the result is the same for any number.

    Raises:
        UsageError: ``keep`` has an unknown name, ``infer`` is unknown, or ``jobs`` is below 1.
        OutsideError: ``infer`` is ``tsc``, and there is no compiler.
        WorkerError: one of the processes was killed; the next run completes the work.
        SourceError: a path does not exist, or there is nothing to index in them.
        DatabaseError: the database cannot be written.
    """
    kept = frozenset(keep)
    unknown = sorted(kept - CLEANERS.keys())
    if unknown:
        raise UsageError(
            f"there is no {unknown[0]!r} to keep", hint=f"There are: {' '.join(CLEANERS)}"
        )
    if infer not in MODES:
        raise UsageError(f"there is no infer {infer!r}", hint=f"There are: {' '.join(MODES)}")
    if jobs < 1:
        raise UsageError(f"jobs is {jobs}", hint="At least one process is needed: jobs=1.")
    disk = FileSystemCache()
    packages = discover(paths, disk=disk)
    report_progress = progress or _ignore_progress
    own = [package for package in packages.packages if package.own]
    modules = {package.root: list(disk.node_modules_folders(str(package.root))) for package in own}
    output = declaration_output(own, modules, infer)
    packages = replace(packages, notices=(*packages.notices, *output.notices))
    # The dependencies of own code may be written by several runs, all of which store the same.
    names = [package.name for package in own or packages.packages]
    with store.writing(names) as writer, relaxed_gc():
        reader = FileReader(packages, kept, output.texts)
        sources = read_source_files(
            packages,
            writer.files(),
            reader,
            lambda done: report_progress("reading", done, 0, "files"),
            disk=disk,
            jobs=jobs,
        )
        report = _Run(_request(paths), sources, reader, writer, report_progress, jobs).execute()
        if infer == "off":
            inferable = {p.name for p in own if installed_compiler(modules[p.root]) is not None}
            notices = annotation_notices(writer.unannotated(), inferable)
            report = replace(report, notices=(*report.notices, *notices))
        problem = "" if embedder is None else _embed(writer, embedder, report_progress)
        writer.compact()
        return replace(report, notices=(*report.notices, problem)) if problem else report


def finish_enrichment(
    store: Store, embedder: Callable[[], Embedder], progress: Progress | None = None
) -> None:
    """Sweep and embed what this run of enrichment wrote, or one before it that was killed."""
    embeds = store.model() is not None and store.texts_without_vector() > 0
    if not (embeds or store.sweep_is_due()):
        return  # the file may be read-only
    with store.writing() as writer:
        if writer.sweep_is_due():
            writer.delete_unreferenced()
        if embeds:
            _embed(writer, embedder, progress or _ignore_progress)


def _embed(writer: IndexWriter, embedder: Callable[[], Embedder], progress: Progress) -> str:
    """Embed the texts without a vector; return a notice if the model failed, else nothing."""
    try:
        writer.embed(embedder(), lambda done, total: progress("vectors", done, total, "texts"))
    except EmbeddingError as error:
        reason = f"{error.what}. {error.hint}" if error.hint else error.what
        return f"without vectors, so search compares words and types only: {reason}"
    return ""


def _request(paths: Sequence[str | Path]) -> str:
    """Return a digest that identifies the requested paths without storing them in the file."""
    names = sorted(
        str(path) if str(path).startswith("npm:") else str(Path(path).absolute()) for path in paths
    )
    return digest("\n".join(names).encode()).hex()


def _ignore_progress(phase: str, done: int, total: int, unit: str) -> None:
    """Report nothing."""


class _Run:
    """One run over files that were read: find what changed, write it."""

    def __init__(
        self,
        request: str,
        sources: SourceFiles,
        reader: FileReader,
        writer: IndexWriter,
        progress: Progress,
        jobs: int,
    ) -> None:
        self._request = request
        self._sources = sources
        self._stored = sources.stored
        self._files = sources.files
        self._packages: DiscoveredPackages = sources.packages
        self._reader = reader
        self._writer = writer
        self._progress = progress
        self._jobs = jobs
        self._star_conflicts: list[tuple[str, list[str]]] = []
        self._large_heritage: Sequence[str] = ()
        # A root of an earlier request inside a path requested now has been searched again.
        self._roots = dict(sources.roots)
        for root in writer.roots():
            if any(covers(current, root) for current in sources.roots):
                self._roots.setdefault(root, [])

    def execute(self) -> IndexReport:
        if all(file.path is None for file in self._files.values()):
            raise SourceError(
                "there is nothing to index here that can be read",
                ", ".join(str(package.root) for package in self._packages.packages),
                "Name a folder with .ts or .d.ts files or documents, or a package with typings.",
            )
        inputs = self._sources.digest()
        if self._writer.is_complete(self._request, inputs):
            self._sweep_if_due()
            return self._report(written=(), removed=())
        self._writer.clear_inputs(self._request)
        written, removed = self._update()
        self._finish()
        digests = {file.name: file.digests for file in self._files.values() if not file.is_kept}
        self._writer.complete_run(self._request, inputs, digests)
        return self._report(written, removed)

    def _update(self) -> tuple[list[str], list[str]]:
        """Bring the files up to date; return the names of those written and removed.

        The program is as large as the modules, and freed here: masks are computed without it.
        """
        program = self._program()
        bound = self._bind_changed_files(program)
        removed = self._writer.unreached(self._request, self._roots, self._files)
        path_index = self._path_index(program, self._declarations(bound, removed))
        bound += self._bind_exported_anew(program, path_index, frozenset(bound))
        changed = self._changed_keys(bound, removed) | set(self._writer.pending())
        dependents = self._writer.dependent_files(changed) if self._stored else set()
        known = {name for name, file in self._files.items() if not file.is_kept}
        rebound = sorted((dependents & known) - set(bound))
        others = sorted(dependents - self._files.keys() - set(removed))
        self._writer.add_pending(changed, others)
        for name in rebound:
            self._bind(program, self._files[name])
        written = bound + rebound
        self._find_star_conflicts(program, written)
        self._write(path_index, written, removed)
        return written, removed

    def _program(self) -> Program:
        summaries = {name: self._sources.summary(name) for name in self._files}
        return Program(summaries, self._sources.imported)

    def _path_index(self, program: Program, declarations: Declarations) -> ExportPathIndex:
        entry_points = self._sources.entry_points()
        return ExportPathIndex(program, entry_points, self._sources.owner, declarations)

    def _declarations(self, bound: Iterable[str], removed: Iterable[str]) -> Declarations:
        """Return the declarations as they will be, of files ``bound`` and all others."""
        fragments = {name: self._files[name].fragments for name in bound}
        return self._writer.declarations(fragments, frozenset(removed))

    def _bind_changed_files(self, program: Program) -> list[str]:
        """Bind the files whose text or resolved names changed; return their names."""
        bound = []
        for done, name in enumerate(sorted(self._files)):
            file = self._files[name]
            # Unused imports resolve no name, but they are reported if no file is found.
            imports = f"{sorted(file.imports.items())}".encode("utf-8", "surrogatepass")
            resolution = self._digest_of(file, program.resolution_digest)
            file.resolution_digest = digest(resolution + imports)
            if self._must_bind(file):
                self._bind(program, file)
                bound.append(name)
            self._progress("resolving", done + 1, len(self._files), "files")
        return bound

    def _bind_exported_anew(
        self, program: Program, path_index: ExportPathIndex, already: AbstractSet[str]
    ) -> list[str]:
        """Bind the files whose export paths changed, except those bound ``already``."""
        bound = []
        for name in sorted(self._files):
            file = self._files[name]
            file.export_digest = self._digest_of(file, path_index.export_digest)
            stored = self._stored.get(name)
            is_same = stored is not None and stored.export_digest == file.export_digest
            if name not in already and not is_same and not file.is_kept:
                self._bind(program, file)
                bound.append(name)
        return bound

    def _must_bind(self, file: SourceFile) -> bool:
        if file.is_kept:
            return False
        stored = self._stored.get(file.name)
        return (
            stored is None
            or stored.stale
            or file.module is not None
            or stored.resolution_digest != file.resolution_digest
            or stored.package != file.owner
        )

    def _bind(self, program: Program, file: SourceFile) -> None:
        file.fragments = {}
        module = self._reader.module(file)
        nothing: tuple[Fragment, ...] = ()
        fragments = self._reader.guarded(
            file, lambda: program.fragments(file.name, module), nothing
        )
        for fragment in fragments:
            file.fragments.setdefault(fragment.key, []).append(fragment)

    def _digest_of(self, file: SourceFile, digest_of: Callable[[str], bytes]) -> bytes:
        return self._reader.guarded(file, lambda: digest_of(file.name), b"")

    def _find_star_conflicts(self, program: Program, written: Iterable[str]) -> None:
        """Find the names that two ``export *`` of a written file give different meanings."""
        for name in sorted(written):
            if conflicts := program.star_conflicts(name):
                self._star_conflicts.append((name, conflicts))

    def _changed_keys(self, bound: Iterable[str], removed: Iterable[str]) -> set[str]:
        changed: set[str] = set()
        for name in bound:
            changed |= self._writer.changed_keys(name, self._files[name].fragments)
        for name in removed:
            changed |= self._writer.changed_keys(name, {})
        return changed

    # Writing --------------------------------------------------------------------------------------

    def _write(
        self, path_index: ExportPathIndex, written: Sequence[str], removed: Sequence[str]
    ) -> None:
        """Write packages one by one, each in a transaction."""
        declarations = self._declarations(written, removed)
        packages: dict[str, tuple[list[str], list[str]]] = {}
        for name in sorted(written):
            packages.setdefault(self._files[name].owner, ([], []))[0].append(name)
        for name in removed:
            packages.setdefault(self._stored[name].package, ([], []))[1].append(name)
        done = 0
        for package, (names, removed_names) in sorted(packages.items()):
            files = []
            for name in names:
                files.append(self._new_file(path_index, declarations, self._files[name]))
                done += 1
                self._progress("indexing", done, len(written), "files")
            version = self._sources.versions.get(package, "")
            self._writer.write_package(package, version, files, removed_names)
        for name in written:
            self._files[name].fragments = {}  # they are stored now, and large

    def _new_file(
        self, path_index: ExportPathIndex, declarations: Declarations, file: SourceFile
    ) -> NewFile:
        module = self._reader.module(file)
        entries = new_file(file, module, path_index, declarations, self._reader)
        file.module = None  # the modules of all files together are large
        return entries

    def _finish(self) -> None:
        """Record roots, complete the masks, delete what nothing refers to."""
        skipped = [(skip.path, skip.reason, skip.count) for skip in self._packages.skipped]
        self._writer.set_roots(self._request, self._roots, skipped)
        purposes = {package.name: package.purpose for package in self._packages.packages}
        self._writer.write_purposes(purposes)
        self._large_heritage = self._writer.update_masks(
            lambda done, total: self._progress("types", done, total, "types"), jobs=self._jobs
        )
        self._sweep_if_due()

    def _sweep_if_due(self) -> None:
        if self._writer.sweep_is_due():
            self._writer.delete_unreferenced()

    def _report(self, written: Sequence[str], removed: Sequence[str]) -> IndexReport:
        counts = self._writer.counts(self._files)
        unresolved = Counter(self._writer.unresolved(self._files))
        return IndexReport(
            entries=counts.entries,
            files=len(self._files),
            unchanged=len(self._files) - len(written),
            skipped=tuple((skip.path, skip.reason, skip.count) for skip in self._packages.skipped),
            failed=tuple(self._reader.failed),
            with_errors=counts.with_errors,
            removed=len(removed),
            packages=len({file.owner for file in self._files.values()}),
            unresolved=tuple(sorted(unresolved.items(), key=lambda item: (-item[1], item[0]))),
            notices=(
                *waiting_notices(self._writer.waited, is_unchanged=not (written or removed)),
                *self._packages.notices,
                *star_notices(self._star_conflicts),
                *heritage_notices(self._large_heritage),
            ),
            problems=tuple(self._writer.problems(self._files)),
        )
