"""Write an index: packages one by one, each in a transaction of its own."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from typematch.index.database import Database
from typematch.index.deletion import collect, delete_file
from typematch.index.enrichment import described, digest_of, link, members_of, read_told
from typematch.index.entries.entry_codec import encode_entry
from typematch.index.entries.operation_dependencies import OperationDependencies, supplies_of
from typematch.index.entries.unique_ids import tell_apart
from typematch.index.run_state import RunState
from typematch.index.text import full_text as fulltext
from typematch.index.text.text_views import (
    NOTHING_TOLD,
    Enrichment,
    columns,
    operation_views,
    views_of,
)
from typematch.index.vectors import vector_store as vectors
from typematch.ir.entry import Entry
from typematch.ir.module import CleaningStats
from typematch.ir.types import Type


@dataclass(frozen=True, slots=True)
class StoredFile:
    """What the file says about a source file; ``number`` is the row's."""

    number: int
    name: str
    package: str
    content: bytes
    bindings: bytes
    placing: bytes
    skeleton: str
    specifier_lines: str
    errors: int
    unreadable: str
    stale: bool

    @property
    def specifiers(self) -> tuple[str, ...]:
        return tuple(self.specifier_lines.split("\n")) if self.specifier_lines else ()


@dataclass(frozen=True, slots=True)
class NewFile:
    """What is to be written of a source file.

    Attributes:
        content, bindings, placing: digests of the bytes, of what its names resolved to, and of
            where its declarations are exported.
        fragments: blobs by key.
        dependencies: keys of the declarations that its entries were made with, there or not.
        receivers: for each of the entries the type that it is called on; None if there is none.
        members: names of the properties that declarations have, by key.
        problems, cleaned: of a document, as its module has them.
    """

    name: str
    content: bytes
    bindings: bytes
    placing: bytes
    skeleton: str
    specifiers: Sequence[str] = ()
    errors: int = 0
    unreadable: str = ""
    problems: Sequence[str] = ()
    cleaned: CleaningStats | None = None
    fragments: Mapping[str, bytes] = field(default_factory=dict)
    entries: Sequence[Entry] = ()
    dependencies: Iterable[str] = ()
    unresolved: Sequence[str] = ()
    receivers: Sequence[Type | None] = ()
    members: Mapping[str, Sequence[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Counts:
    entries: int
    with_errors: int


class IndexWriter(RunState):
    """Writes packages and forgets files; one writer for one run."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._texts: list[tuple[object, ...]] = []
        self._operation_texts: list[tuple[object, ...]] = []
        self._spoken: list[tuple[int, str]] = []
        self._packages: dict[str, int] = {}
        self._told = read_told(database.connection)
        self._linked: list[tuple[int, str, Enrichment]] = []

    def flush(self) -> None:
        super().flush()
        fulltext.write(self._connection, self._texts)
        fulltext.write(self._connection, self._operation_texts, operations=True)
        self._texts.clear()
        self._operation_texts.clear()
        vectors.write_texts(self._connection, self._spoken)
        self._spoken.clear()
        link(self._connection, self._linked)
        self._linked.clear()

    # Packages ---------------------------------------------------------------------------------

    def files(self) -> dict[str, StoredFile]:
        """Return every stored file by name."""
        rows = self._connection.execute(
            "SELECT f.id, f.name, p.name, f.content, f.bindings, f.placing, f.skeleton, "
            "f.specifiers, f.errors, f.unreadable, f.stale FROM file f "
            "JOIN package p ON p.id = f.package"
        )
        return {row[1]: StoredFile(*row) for row in rows}

    def write_package(
        self, name: str, version: str, files: Sequence[NewFile], removed: Iterable[str] = ()
    ) -> None:
        """Replace those files of a package, in one transaction.

        ``removed`` names files that are gone.  Other files of the package stay as they are.
        """
        with self.database.transaction():
            package = self._package(name, version)
            touched = {package}
            for gone in (*removed, *(file.name for file in files)):
                touched.update(delete_file(self._connection, gone))
            for file in files:
                touched.update(self._write_file(package, file))
            self.flush()
            for one in sorted(touched):
                tell_apart(self._connection, one)

    def _package(self, name: str, version: str) -> int:
        query = "SELECT id, version FROM package WHERE name = ?"
        row = self._connection.execute(query, (name,)).fetchone()
        if row is None:
            number = self.new("package")
            self._connection.execute(
                "INSERT INTO package VALUES (?, ?, ?)", (number, name, version)
            )
            return number
        if version and row[1] != version:
            update = "UPDATE package SET version = ? WHERE id = ?"
            self._connection.execute(update, (version, row[0]))
        return int(row[0])

    def _write_file(self, package: int, file: NewFile) -> set[int]:
        """Write a file with all it holds; return the packages of its entries."""
        number = self.new("file")
        self.add(
            "file", number, file.name, package, file.content, file.bindings, file.placing,
            file.skeleton, "\n".join(file.specifiers), file.errors, file.unreadable, 0,
        )  # fmt: skip
        for key, blob in file.fragments.items():
            self.add("fragment", self.symbol(key), number, blob)
        for key in set(file.dependencies):
            self.add("file_dependency", self.symbol(key), number)
        for position, problem in enumerate(file.problems):
            self.add("problem", number, position, problem)
        if file.cleaned is not None:
            self.add("document", number, file.cleaned.tokens, file.cleaned.left)
            for sort, times, characters in file.cleaned.removed:
                self.add("removed", number, sort, times, characters)
        for specifier in set(file.unresolved):
            self.add("unresolved", number, specifier)
        packages = set()

        def fields(key: str) -> Sequence[str]:
            return file.members.get(key, ())

        for position, entry in enumerate(file.entries):
            shown = self._packages.get(entry.package)
            if shown is None:
                # What a service offers has the service's version, not that of its package.
                shown = self._package(entry.package, "" if entry.service else entry.version)
                self._packages[entry.package] = shown
            packages.add(shown)
            receiver = file.receivers[position] if file.receivers else None
            written = self._write_entry(shown, number, position, entry, receiver)
            members = members_of(entry, fields)
            told = self._told_of(written, entry, members)
            self._texts.append((written, *columns(views_of(entry, members, told))))
            if entry.kind == "operation":
                self._write_supplies(written, supplies_of(entry, fields))
                among_operations = columns(operation_views(entry, members, told))
                self._operation_texts.append((written, *among_operations))
            self._spoken.append((written, vectors.text_of(entry)))
        return packages

    def _told_of(self, number: int, entry: Entry, members: Sequence[str]) -> Enrichment:
        """Return what a model has said of an entry that is described so."""
        if not self._told:
            return NOTHING_TOLD
        digest = digest_of(described(entry, members))
        told = self._told.get(digest, NOTHING_TOLD)
        if told is not NOTHING_TOLD:
            self._linked.append((number, digest, told))
        return told

    def _write_supplies(self, number: int, supplies: OperationDependencies) -> None:
        for noun in supplies.needs:
            self.add("supply", number, 0, noun)
        for noun in supplies.gives:
            self.add("supply", number, 1, noun)

    def _write_entry(
        self, package: int, file: int, position: int, entry: Entry, receiver: Type | None
    ) -> int:
        """Gather the rows of an entry; return its number."""
        number = self.new("entry")
        functions = [self.function(one.type) for one in entry.signatures]
        type_ = None if entry.type is None else self.side("source_mask", entry.type)
        generic = any(one.type_parameters for one in entry.signatures) or bool(entry.outer)
        self.add(
            "entry", number, f"{entry.id}~{number}", entry.id, package, file, position, entry.kind,
            entry.name, entry.qualified_name, module_of(entry), entry.line, entry.min_arity,
            entry.max_arity, len(functions), entry.visibility, entry.declaration, type_, entry.http,
            entry.service, entry.source, entry.exported, entry.is_async, entry.is_generator,
            generic, entry.static, entry.deprecated, entry.inferred, encode_entry(entry),
        )  # fmt: skip
        for ordinal, function in enumerate(functions):
            self.add("signature", number, 0, ordinal, function)
            if receiver is not None:
                form = self.receiver_form(function, receiver, entry.signatures[ordinal].type)
                self.add("signature", number, 1, ordinal, form)
        if entry.doc is not None and (entry.doc.text or entry.doc.summary):
            self.add("doc", number, entry.doc.summary, entry.doc.text)
        for alias in dict.fromkeys(entry.aliases):
            self.add("alias", number, alias)
        for tag in dict.fromkeys(entry.tags):
            self.add("tag", number, tag)
        return number

    # Counts -----------------------------------------------------------------------------------

    def counts(self, files: Container[str]) -> Counts:
        """Return how much these files hold."""
        rows = self._connection.execute(
            "SELECT f.name, f.errors > 0, "
            "(SELECT count(*) FROM entry e WHERE e.file = f.id) FROM file f"
        )
        chosen = [row for row in rows if row[0] in files]
        return Counts(sum(row[2] for row in chosen), sum(row[1] for row in chosen))

    def unresolved(self, files: Container[str]) -> list[str]:
        """Return the specifiers of these files that lead nowhere, once for each file."""
        rows = self._connection.execute(
            "SELECT f.name, u.specifier FROM unresolved u JOIN file f ON f.id = u.file"
        )
        return [specifier for name, specifier in rows if name in files]

    def problems(self, files: Container[str]) -> list[tuple[str, str]]:
        """Return what is wrong with parts of these files, in order of file and place."""
        rows = self._connection.execute(
            "SELECT f.name, q.text FROM problem q JOIN file f ON f.id = q.file "
            "ORDER BY f.name, q.position"
        )
        return [(name, text) for name, text in rows if name in files]

    def collect(self) -> None:
        """Forget functions, types and symbols that nothing mentions any more."""
        with self.database.transaction() as connection:
            collect(connection)
        self.forget()
        self._packages.clear()


def module_of(entry: Entry) -> str:
    """Return the module that one imports: the package, or what stands before ``:`` of an id."""
    if entry.service:
        return entry.package  # names of operations may hold any sign
    path = entry.id.partition("#")[2]
    module, colon, _ = path.partition(":")
    return f"{entry.package}/{module}" if colon else entry.package
