"""State that outlives a run: roots and the files they reach, pending changes, completed inputs."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

from typematch.index.deletion import mark_sweep_due
from typematch.index.engines.engine import SET_META, DriverConnection
from typematch.index.masks.mask_pass import are_masks_missing, reset_pending_masks
from typematch.index.records import FileDigests
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

    def add_pending(self, keys: Iterable[str], stale: Sequence[str] = ()) -> None:
        changed = list(keys)
        with self._database.transaction() as connection:
            if changed and not self._is_new(connection):
                mark_sweep_due(connection)
            symbols = [self._rows.symbol(key) for key in changed]
            for symbol in symbols:
                self._rows.add("pending", symbol)
            self._rows.flush()
            self._database.coordination.claim(symbols)
            # Until the masks are computed again, no search must rely on them.
            reset_pending_masks(connection)
            connection.executemany(
                "UPDATE file SET stale = TRUE WHERE name = ?", [(name,) for name in stale]
            )
            self.clear_inputs_of(stale)

    @staticmethod
    def _is_new(connection: DriverConnection) -> bool:
        """Whether the file has no contents yet, so that a run leaves nothing to sweep."""
        return connection.execute("SELECT 1 FROM symbol LIMIT 1").fetchone() is None

    def pending(self) -> list[str]:
        claimed = self._database.coordination.claimed_by_others()
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
        others_active = self._database.coordination.are_others_active()
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
                # Another run may have deleted one that no root reached yet.
                reached = {numbers[name] for name in files if name in numbers}
                query = "SELECT file FROM reach WHERE root = ?"
                if reached == {row[0] for row in connection.execute(query, (root,))}:
                    continue
                # A later change of the files that are no longer reached could not find the other
                # requests of this root to mark them incomplete, so they are marked now.
                self._delete_inputs("SELECT request FROM request WHERE root = ?", (root,))
                connection.execute("DELETE FROM reach WHERE root = ?", (root,))
                connection.executemany(
                    "INSERT INTO reach VALUES (?, ?)", [(root, file) for file in sorted(reached)]
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

    # A request is complete with the inputs in ``meta``: a run with the same would change nothing.
    # Whatever replaces, removes or marks one of its files ends that in the same transaction.

    def is_complete(self, request: str, inputs: str) -> bool:
        query = "SELECT value FROM meta WHERE name = ?"
        row = self._connection.execute(query, (_inputs_row(request),)).fetchone()
        return row is not None and row[0] == inputs and not self._is_left_to_do()

    def _is_left_to_do(self) -> bool:
        """Whether a killed run has left something that is of no request."""
        if self.pending():
            return True
        return not self._database.coordination.are_others_active() and are_masks_missing(
            self._connection
        )

    def are_stored(self, digests: Mapping[str, FileDigests]) -> bool:
        """Return whether all of these files are stored with these digests, none of them stale."""
        stored = dict(self.stored_digests(digests))
        return stored == digests

    def stored_digests(self, names: Iterable[str]) -> Iterator[tuple[str, FileDigests | None]]:
        """Yield (name, digests) of those files that are stored; None for one that is stale."""
        query = (
            "SELECT f.name, f.content, f.resolution_digest, f.export_digest, f.stale "
            "FROM file f WHERE f.name"
        )
        for name, content, resolution, export, stale in self._database.select_in(query, names):
            yield name, None if stale else (bytes(content), bytes(resolution), bytes(export))

    def clear_inputs(self, request: str) -> None:
        with self._database.transaction() as connection:
            connection.execute("DELETE FROM meta WHERE name = ?", (_inputs_row(request),))

    def clear_inputs_of(self, files: Sequence[str]) -> None:
        """Record that requests which reach a file are not complete, in the caller's transaction."""
        query = "SELECT r.root FROM reach r JOIN file f ON f.id = r.file WHERE f.name"
        roots = {root for (root,) in self._database.select_in(query, files)}
        for root in sorted(roots):
            self._delete_inputs("SELECT request FROM request WHERE root = ?", (root,))

    def _delete_inputs(self, requests: str, values: Sequence[str]) -> None:
        rows = self._connection.execute(requests, values).fetchall()
        self._connection.executemany(
            "DELETE FROM meta WHERE name = ?", [(_inputs_row(request),) for (request,) in rows]
        )

    def record_inputs(self, request: str, digest: str) -> None:
        """Record the inputs of a complete request, in the caller's transaction."""
        self._connection.execute(SET_META, (_inputs_row(request), digest))


def _inputs_row(request: str) -> str:
    return f"inputs {request}"
