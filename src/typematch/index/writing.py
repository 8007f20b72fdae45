"""Write an index: packages one by one, each in a transaction of its own.

Numbers are given out here, so that rows can be written in bulk as plain tuples: that is five times
as fast as asking the database for them.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b

from typematch.index import fulltext, vectors
from typematch.index.database import Connection, Database
from typematch.index.parts import encode_entry
from typematch.index.shapes import RESULT, Shape, mentioned, shape_of
from typematch.index.supplies import Supplies, field_names, supplies_of
from typematch.index.tiers import NO_END, filter_columns
from typematch.index.views import columns, operation_views, views_of
from typematch.ir.codec import encode_type
from typematch.ir.entry import Entry
from typematch.ir.flatten import spelling
from typematch.ir.module import Cleaned
from typematch.ir.types import Object, Type

ALL_BITS = (1 << 63) - 1
_LETTING_ALL_THROUGH = tuple(
    ALL_BITS if column.startswith("returns") else 0 for column in filter_columns()
)
_DIGEST_BYTES = 16


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
    cleaned: Cleaned | None = None
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


class Writer:
    """Gives out numbers and gathers rows; one writer for one run.

    A transaction that fails takes the rows with it, so the writer is of no use afterwards.
    """

    def __init__(self, database: Database) -> None:
        self.database = database
        self._rows: dict[str, list[tuple[object, ...]]] = {}
        self._texts: list[tuple[object, ...]] = []
        self._operation_texts: list[tuple[object, ...]] = []
        self._spoken: list[tuple[int, str]] = []
        self._symbols: dict[str, int] | None = None
        self._types: dict[Type, int] = {}
        self._masked: dict[str, set[int]] = {"source_mask": set(), "target_mask": set()}
        self._functions: set[int] = set()
        self._receivers: dict[tuple[int, int], int] = {}
        self._next: dict[str, int] = {}
        self._packages: dict[str, int] = {}

    # Numbers ----------------------------------------------------------------------------------

    def _new(self, table: str) -> int:
        number = self._next.get(table)
        if number is None:
            query = f"SELECT coalesce(max(id), 0) FROM {table}"
            number = int(self._connection.execute(query).fetchone()[0]) + 1
        self._next[table] = number + 1
        return number

    @property
    def _connection(self) -> Connection:
        return self.database.connection

    def symbol(self, key: str) -> int:
        """Return the number of a declaration's key, new where it has none."""
        if self._symbols is None:
            self._symbols = dict(self._connection.execute("SELECT key, id FROM symbol"))
        number = self._symbols.get(key)
        if number is None:
            number = self._symbols[key] = self._new("symbol")
            self.add("symbol", number, key)
        return number

    def type(self, t: Type) -> int:
        """Return the number of a type, new where it has none."""
        number = self._types.get(t)
        if number is None:
            blob = encode_type(t)
            digest = blake2b(blob, digest_size=_DIGEST_BYTES).digest()
            found = self._connection.execute("SELECT id FROM type WHERE digest = ?", (digest,))
            row = found.fetchone()
            if row is None:
                number = self._new("type")
                self.add("type", number, digest, blob)
            else:
                number = int(row[0])
            self._types[t] = number
        return number

    def _side(self, table: str, t: Type) -> int:
        """Return the number of a type that searches test; its mask lets all through so far."""
        number = self.type(t)
        if number not in self._masked[table]:
            self._masked[table].add(number)
            bits = ALL_BITS if table == "source_mask" else 0
            self.add(table, number, 0, *[bits] * 6)
        return number

    def _function(self, t: Type) -> int:
        number = self.type(t)
        if number not in self._functions:
            self._functions.add(number)
            if not self._is_known_function(number):
                self._add_function(number, t, shape_of(t))
        return number

    def _receiver_form(self, function: int, receiver: Type, method: Type) -> int:
        """Return the number of a method's receiver form, new where it has none."""
        container = self._side("target_mask", receiver)
        number = self._receivers.get((function, container))
        if number is None:
            query = "SELECT id FROM receiver WHERE method = ? AND container = ?"
            row = self._connection.execute(query, (function, container)).fetchone()
            if row is None:
                number = self._new("receiver")
                self.add("receiver", number, function, container)
                self._add_filter(-number, shape_of(method), more=1)
            else:
                number = int(row[0])
            self._receivers[function, container] = number
        return -number

    def _add_filter(self, number: int, shape: Shape, more: int = 0) -> None:
        """Add the row that filters read; its masks let all through so far."""
        most = NO_END if shape.max_arity is None else shape.max_arity + more
        fewest, places = shape.min_arity + more, shape.count + more
        bounded = shape.bounded & RESULT | (shape.bounded & ~RESULT) << more
        self.add(
            "filter", number, fewest, most, places, shape.guard, bounded, *_LETTING_ALL_THROUGH
        )

    def _is_known_function(self, number: int) -> bool:
        query = "SELECT 1 FROM function WHERE type = ?"
        return self._connection.execute(query, (number,)).fetchone() is not None

    def _add_function(self, number: int, t: Type, shape: Shape) -> None:
        places = [None if one is None else self._side("target_mask", one) for one in shape.places]
        returns = self._side("source_mask", shape.returns)
        self.add(
            "function", number, returns, shape.min_arity, shape.max_arity, shape.count,
            spelling(t), *places,
        )  # fmt: skip
        self._add_filter(number, shape)
        for key in mentioned(t):
            self.add("mention", self.symbol(key), number)
        for position, one in enumerate(_parameters(t)):
            name, type_, optional, rest = one
            numbered = self._side("target_mask", type_)
            self.add("parameter", number, position, name, numbered, optional, rest)

    # Rows -------------------------------------------------------------------------------------

    def add(self, table: str, *values: object) -> None:
        """Gather a row, its values in the order of the table's columns."""
        self._rows.setdefault(table, []).append(values)

    def flush(self) -> None:
        """Write the rows gathered; within a transaction."""
        for table, rows in self._rows.items():
            marks = ",".join("?" * len(rows[0]))
            verb = "INSERT OR IGNORE" if table in _MAY_BE_THERE else "INSERT"
            self._connection.executemany(f"{verb} INTO {table} VALUES ({marks})", rows)
        self._rows.clear()
        fulltext.write(self._connection, self._texts)
        fulltext.write(self._connection, self._operation_texts, operations=True)
        self._texts.clear()
        self._operation_texts.clear()
        vectors.write_texts(self._connection, self._spoken)
        self._spoken.clear()

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
                touched.update(self._delete_file(gone))
            for file in files:
                touched.update(self._write_file(package, file))
            self.flush()
            for one in sorted(touched):
                _tell_apart(self._connection, one)

    def _package(self, name: str, version: str) -> int:
        query = "SELECT id, version FROM package WHERE name = ?"
        row = self._connection.execute(query, (name,)).fetchone()
        if row is None:
            number = self._new("package")
            self._connection.execute(
                "INSERT INTO package VALUES (?, ?, ?)", (number, name, version)
            )
            return number
        if version and row[1] != version:
            update = "UPDATE package SET version = ? WHERE id = ?"
            self._connection.execute(update, (version, row[0]))
        return int(row[0])

    def _delete_file(self, name: str) -> set[int]:
        """Delete a file with all it holds; return the packages of its entries."""
        row = self._connection.execute("SELECT id FROM file WHERE name = ?", (name,)).fetchone()
        if row is None:
            return set()
        query = "SELECT DISTINCT package FROM entry WHERE file = ?"
        packages = {one[0] for one in self._connection.execute(query, row)}
        fulltext.forget_file(self._connection, row[0])
        for statement in _DELETE_FILE:
            self._connection.execute(statement, row)
        return packages

    def _write_file(self, package: int, file: NewFile) -> set[int]:
        """Write a file with all it holds; return the packages of its entries."""
        number = self._new("file")
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
        for position, entry in enumerate(file.entries):
            shown = self._packages.get(entry.package)
            if shown is None:
                # What a service offers has the service's version, not that of its package.
                shown = self._package(entry.package, "" if entry.service else entry.version)
                self._packages[entry.package] = shown
            packages.add(shown)
            receiver = file.receivers[position] if file.receivers else None
            self._write_entry(shown, number, position, entry, receiver)
            written = self._next["entry"] - 1
            members: Sequence[str] = ()
            if entry.kind == "operation":
                members = field_names(entry, file.members)
                self._write_supplies(written, supplies_of(entry, file.members))
            elif entry.type is not None:
                members = file.members.get(entry.declaration, ())
            self._texts.append((written, *columns(views_of(entry, members))))
            if entry.kind == "operation":
                among_operations = columns(operation_views(entry, members))
                self._operation_texts.append((written, *among_operations))
            self._spoken.append((written, vectors.text_of(entry)))
        return packages

    def _write_entry(
        self, package: int, file: int, position: int, entry: Entry, receiver: Type | None
    ) -> None:
        number = self._new("entry")
        functions = [self._function(one.type) for one in entry.signatures]
        type_ = None if entry.type is None else self._side("source_mask", entry.type)
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
                form = self._receiver_form(function, receiver, entry.signatures[ordinal].type)
                self.add("signature", number, 1, ordinal, form)
        if entry.doc is not None and (entry.doc.text or entry.doc.summary):
            self.add("doc", number, entry.doc.summary, entry.doc.text)
        for alias in dict.fromkeys(entry.aliases):
            self.add("alias", number, alias)
        for tag in dict.fromkeys(entry.tags):
            self.add("tag", number, tag)

    def _write_supplies(self, number: int, supplies: Supplies) -> None:
        for noun in supplies.needs:
            self.add("supply", number, 0, noun)
        for noun in supplies.gives:
            self.add("supply", number, 1, noun)

    # What changed -----------------------------------------------------------------------------

    def add_pending(self, keys: Iterable[str], stale: Iterable[str] = ()) -> None:
        """Remember which declarations change in this run, and which files must be read again."""
        with self.database.transaction() as connection:
            for key in keys:
                self.add("pending", self.symbol(key))
            self.flush()
            connection.executemany(
                "UPDATE file SET stale = 1 WHERE name = ?", [(name,) for name in stale]
            )

    def pending(self) -> list[str]:
        query = "SELECT key FROM symbol JOIN pending ON symbol = id"
        return [row[0] for row in self._connection.execute(query)]

    def dependants(self, keys: Iterable[str]) -> set[str]:
        """Return the names of the files whose entries were made with these declarations."""
        found: set[str] = set()
        query = (
            "SELECT f.name FROM file_dependency d JOIN file f ON f.id = d.file "
            "JOIN symbol s ON s.id = d.symbol WHERE s.key = ?"
        )
        for key in keys:
            found.update(row[0] for row in self._connection.execute(query, (key,)))
        return found

    def fragments_of(self, name: str) -> dict[str, bytes]:
        """Return the stored blobs of a file's fragments, by key."""
        query = (
            "SELECT s.key, g.blob FROM file f JOIN fragment g ON g.file = f.id "
            "JOIN symbol s ON s.id = g.symbol WHERE f.name = ?"
        )
        return dict(self._connection.execute(query, (name,)))

    def unreached(
        self, request: str, roots: Mapping[str, Iterable[str]], files: Container[str]
    ) -> list[str]:
        """Return the stored files that nothing reaches any more.

        ``roots`` are those of ``request`` now, ``files`` all that they reach.
        """
        others = {
            row[0]
            for row in self._connection.execute(
                "SELECT root FROM request WHERE request <> ?", (request,)
            )
        } - roots.keys()
        rows = self._connection.execute(
            "SELECT f.name, r.root FROM file f LEFT JOIN reach r ON r.file = f.id"
        )
        kept: set[str] = set()
        every: set[str] = set()
        for name, root in rows:
            every.add(name)
            if root in others or name in files:
                kept.add(name)
        return sorted(every - kept)

    def set_roots(
        self,
        request: str,
        roots: Mapping[str, Iterable[str]],
        skipped: Iterable[tuple[str, str, int]],
    ) -> None:
        """Record what a request led to: roots with the files they reach, and what was left out.

        ``skipped`` holds (path, reason, files).
        """
        with self.database.transaction() as connection:
            numbers = dict(connection.execute("SELECT name, id FROM file"))
            for table in ("request", "skipped"):
                connection.execute(f"DELETE FROM {table} WHERE request = ?", (request,))
            for root, files in roots.items():
                connection.execute("INSERT INTO request VALUES (?, ?)", (request, root))
                connection.execute("DELETE FROM reach WHERE root = ?", (root,))
                connection.executemany(
                    "INSERT OR IGNORE INTO reach VALUES (?, ?)",
                    [(root, numbers[name]) for name in files],
                )
            connection.execute("DELETE FROM reach WHERE root NOT IN (SELECT root FROM request)")
            connection.executemany(
                "INSERT OR REPLACE INTO skipped VALUES (?, ?, ?, ?)",
                [(request, *one) for one in skipped],
            )

    def roots(self) -> list[str]:
        """Return what files were ever found from."""
        return [row[0] for row in self._connection.execute("SELECT DISTINCT root FROM request")]

    def forget_package(self, package: str) -> None:
        """Forget what was found from a package, or from a place inside it (``package#place``)."""
        with self.database.transaction() as connection:
            for table in ("request", "reach"):
                connection.execute(
                    f"DELETE FROM {table} WHERE root = ? OR substr(root, 1, ?) = ?",
                    (package, len(package) + 1, f"{package}#"),
                )

    # Inputs -----------------------------------------------------------------------------------

    def inputs(self, request: str) -> str | None:
        """Return the digest of what ``request`` was last completed with; None if that is not so."""
        query = "SELECT value FROM meta WHERE name = ?"
        row = self._connection.execute(query, (f"inputs {request}",)).fetchone()
        return None if row is None else str(row[0])

    def forget_inputs(self) -> None:
        with self.database.transaction() as connection:
            connection.execute("DELETE FROM meta WHERE name LIKE 'inputs %'")

    def remember_inputs(self, request: str, digest: str) -> None:
        with self.database.transaction() as connection:
            row = (f"inputs {request}", digest)
            connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", row)

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
            for statement in _COLLECT:
                connection.execute(statement)
        self._symbols = None
        self._packages.clear()
        self._types.clear()
        self._functions.clear()
        self._receivers.clear()
        for masked in self._masked.values():
            masked.clear()


_MAY_BE_THERE = frozenset(("pending", "source_mask", "target_mask"))


def _parameters(t: Type) -> list[tuple[str, Type, bool, bool]]:
    if not isinstance(t, Object) or len(t.calls) != 1:
        return []
    return [(one.name, one.type, one.optional, one.rest) for one in t.calls[0].parameters]


def module_of(entry: Entry) -> str:
    """Return the module that one imports: the package, or what stands before ``:`` of an id."""
    if entry.service:
        return entry.package  # names of operations may hold any sign
    path = entry.id.partition("#")[2]
    module, colon, _ = path.partition(":")
    return f"{entry.package}/{module}" if colon else entry.package


def _is_taken(connection: Connection, package: int, raw: str) -> bool:
    query = "SELECT 1 FROM entry WHERE package = ? AND raw_id = ?"
    return connection.execute(query, (package, raw)).fetchone() is not None


def _tell_apart(connection: Connection, package: int) -> None:
    """Give the entries of a package their ids; of equal ones the first keeps its own."""
    update = "UPDATE entry SET name_id = raw_id WHERE package = ? AND name_id <> raw_id"
    clashing = (
        "SELECT e.id, e.raw_id FROM entry e JOIN file f ON f.id = e.file WHERE e.raw_id IN "
        "(SELECT raw_id FROM entry WHERE package = ? GROUP BY raw_id HAVING count(*) > 1) "
        "AND e.package = ? ORDER BY e.raw_id, e.exported DESC, f.name, e.position"
    )
    clashes = connection.execute(clashing, (package, package)).fetchall()
    # First out of each other's way: the index on the ids is unique.
    connection.executemany(
        "UPDATE entry SET name_id = raw_id || '~~' || id WHERE id = ?", [row[:1] for row in clashes]
    )
    taken = {row[0] for row in clashes}
    if taken:
        others = [
            (number,)
            for (number,) in connection.execute(
                "SELECT id FROM entry WHERE package = ? AND name_id <> raw_id", (package,)
            )
            if number not in taken
        ]
        connection.executemany("UPDATE entry SET name_id = raw_id WHERE id = ?", others)
    else:
        connection.execute(update, (package,))
    seen: dict[str, int] = {}
    named: list[tuple[str, int]] = []
    for number, raw in clashes:
        count = seen.get(raw, 0) + 1
        # An id may end in ~2 by itself: of several things of one name in one file, say.
        while count > 1 and _is_taken(connection, package, f"{raw}~{count}"):
            count += 1
        seen[raw] = count
        named.append((raw if count == 1 else f"{raw}~{count}", number))
    connection.executemany("UPDATE entry SET name_id = ? WHERE id = ?", named)


_ENTRIES = "(SELECT id FROM entry WHERE file = ?)"
_DELETE_FILE = (
    f"DELETE FROM signature WHERE entry IN {_ENTRIES}",
    f"DELETE FROM doc WHERE entry IN {_ENTRIES}",
    f"DELETE FROM alias WHERE entry IN {_ENTRIES}",
    f"DELETE FROM tag WHERE entry IN {_ENTRIES}",
    f"DELETE FROM supply WHERE entry IN {_ENTRIES}",
    f"DELETE FROM entry_vector WHERE entry IN {_ENTRIES}",
    "DELETE FROM entry WHERE file = ?",
    "DELETE FROM fragment WHERE file = ?",
    "DELETE FROM file_dependency WHERE file = ?",
    "DELETE FROM unresolved WHERE file = ?",
    "DELETE FROM problem WHERE file = ?",
    "DELETE FROM document WHERE file = ?",
    "DELETE FROM removed WHERE file = ?",
    "DELETE FROM reach WHERE file = ?",
    "DELETE FROM file WHERE id = ?",
)

_COLLECT = (
    "DELETE FROM vector WHERE id NOT IN (SELECT vector FROM entry_vector)",
    "DELETE FROM function WHERE type NOT IN (SELECT function FROM signature)",
    "DELETE FROM receiver WHERE -id NOT IN (SELECT function FROM signature)",
    "DELETE FROM filter WHERE function NOT IN "
    "(SELECT type FROM function UNION ALL SELECT -id FROM receiver)",
    "DELETE FROM parameter WHERE function NOT IN (SELECT type FROM function)",
    "DELETE FROM mention WHERE function NOT IN (SELECT type FROM function)",
    "DELETE FROM source_mask WHERE type NOT IN (SELECT returns FROM function "
    "UNION ALL SELECT type FROM entry WHERE type IS NOT NULL)",
    "DELETE FROM target_mask WHERE type NOT IN (SELECT type FROM parameter "
    "UNION ALL SELECT container FROM receiver "
    + "".join(
        f"UNION ALL SELECT place{n} FROM function WHERE place{n} IS NOT NULL " for n in range(4)
    )
    + ")",
    "DELETE FROM property WHERE type NOT IN (SELECT type FROM entry WHERE type IS NOT NULL)",
    "DELETE FROM type_dependency WHERE type NOT IN "
    "(SELECT type FROM source_mask UNION ALL SELECT type FROM target_mask)",
    "DELETE FROM type WHERE id NOT IN (SELECT type FROM function "
    "UNION ALL SELECT type FROM source_mask UNION ALL SELECT type FROM target_mask "
    "UNION ALL SELECT property_type FROM property)",
    "DELETE FROM package WHERE id NOT IN "
    "(SELECT package FROM file UNION ALL SELECT package FROM entry)",
    "DELETE FROM symbol WHERE id NOT IN (SELECT symbol FROM fragment "
    "UNION ALL SELECT symbol FROM file_dependency UNION ALL SELECT symbol FROM type_dependency "
    "UNION ALL SELECT symbol FROM mention UNION ALL SELECT symbol FROM pending)",
)
