"""State that outlives a run: roots and the files they reach, pending changes, completed inputs."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping

from typematch.index.deletion import mark_sweep_due
from typematch.index.engines.engine import SET_META, DriverConnection
from typematch.index.masks.mask_pass import reset_pending_masks
from typematch.index.row_buffer import RowBuffer


class RunState:
    """Reads and writes that state; the methods are described in ``IndexWriter``."""

    def __init__(self, rows: RowBuffer) -> None:
        self._rows = rows
        self._database = rows.database

    @property
    def _connection(self) -> DriverConnection:
        return self._database.connection

    # Pending changes --------------------------------------------------------------------------

    def add_pending(self, keys: Iterable[str], stale: Iterable[str] = ()) -> None:
        changed = list(keys)
        with self._database.transaction() as connection:
            if changed and not self._is_new(connection):
                mark_sweep_due(connection)
            symbols = [self._rows.symbol(key) for key in changed]
            for symbol in symbols:
                self._rows.add("pending", symbol)
            self._rows.flush()
            self._database.writers.claim(symbols)
            # Until the masks are computed again, no search must rely on them.
            reset_pending_masks(connection)
            connection.executemany(
                "UPDATE file SET stale = TRUE WHERE name = ?", [(name,) for name in stale]
            )

    @staticmethod
    def _is_new(connection: DriverConnection) -> bool:
        """Whether the file has no contents yet, so that a run leaves nothing to sweep."""
        return connection.execute("SELECT 1 FROM symbol LIMIT 1").fetchone() is None

    def pending(self) -> list[str]:
        claimed = self._database.writers.claimed_by_others()
        query = "SELECT id, key FROM symbol JOIN pending ON symbol = id"
        rows = self._connection.execute(query)
        return [key for symbol, key in rows if symbol not in claimed]

    def dependent_files(self, keys: Iterable[str]) -> set[str]:
        names: set[str] = set()
        query = (
            "SELECT f.name FROM file_dependency d JOIN file f ON f.id = d.file "
            "JOIN symbol s ON s.id = d.symbol WHERE s.key = ?"
        )
        for key in keys:
            names.update(row[0] for row in self._connection.execute(query, (key,)))
        return names

    def fragments_of(self, name: str) -> dict[str, bytes]:
        """Return the stored blobs of a file's fragments, by key."""
        query = (
            "SELECT s.key, g.blob FROM file f JOIN fragment g ON g.file = f.id "
            "JOIN symbol s ON s.id = g.symbol WHERE f.name = ?"
        )
        return dict(self._connection.execute(query, (name,)))

    # Roots ------------------------------------------------------------------------------------

    def unreached(
        self, request: str, roots: Mapping[str, Iterable[str]], files: Container[str]
    ) -> list[str]:
        other_roots = {
            row[0]
            for row in self._connection.execute(
                "SELECT root FROM request WHERE request <> ?", (request,)
            )
        } - roots.keys()
        rows = self._connection.execute(
            "SELECT f.name, r.root FROM file f LEFT JOIN reach r ON r.file = f.id"
        )
        reached: set[str] = set()
        names: set[str] = set()
        others_active = self._database.writers.are_others_active()
        for name, root in rows:
            names.add(name)
            # A file without root may be one that another run has just written.
            if root in other_roots or name in files or (root is None and others_active):
                reached.add(name)
        return sorted(names - reached)

    def set_roots(
        self,
        request: str,
        roots: Mapping[str, Iterable[str]],
        skipped: Iterable[tuple[str, str, int]],
    ) -> None:
        with self._database.transaction() as connection:
            numbers = dict(connection.execute("SELECT name, id FROM file"))
            for table in ("request", "skipped"):
                connection.execute(f"DELETE FROM {table} WHERE request = ?", (request,))
            for root, files in roots.items():
                connection.execute("INSERT INTO request VALUES (?, ?)", (request, root))
                connection.execute("DELETE FROM reach WHERE root = ?", (root,))
                connection.executemany(
                    "INSERT INTO reach VALUES (?, ?) ON CONFLICT DO NOTHING",
                    # Another run may have deleted one that no root reached yet.
                    [(root, numbers[name]) for name in files if name in numbers],
                )
            connection.execute("DELETE FROM reach WHERE root NOT IN (SELECT root FROM request)")
            connection.executemany(
                "INSERT INTO skipped VALUES (?, ?, ?, ?) "
                "ON CONFLICT (request, path, reason) DO UPDATE SET files = excluded.files",
                [(request, *skip) for skip in skipped],
            )

    def roots(self) -> list[str]:
        return [row[0] for row in self._connection.execute("SELECT DISTINCT root FROM request")]

    def delete_roots(self, package: str) -> None:
        """Delete the roots of a package, and of paths inside it (``package#path``)."""
        with self._database.transaction() as connection:
            for table in ("request", "reach"):
                connection.execute(
                    f"DELETE FROM {table} WHERE root = ? OR substr(root, 1, ?) = ?",
                    (package, len(package) + 1, f"{package}#"),
                )

    # Inputs -----------------------------------------------------------------------------------

    def inputs(self, request: str) -> str | None:
        query = "SELECT value FROM meta WHERE name = ?"
        row = self._connection.execute(query, (f"inputs {request}",)).fetchone()
        return None if row is None else str(row[0])

    def clear_inputs(self) -> None:
        with self._database.transaction() as connection:
            connection.execute("DELETE FROM meta WHERE name LIKE 'inputs %'")

    def record_inputs(self, request: str, digest: str) -> None:
        with self._database.transaction() as connection:
            row = (f"inputs {request}", digest)
            connection.execute(SET_META, row)
