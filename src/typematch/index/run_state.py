"""Remember what a request led to: its roots, the files they reach, and what must be read again."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping

from typematch.index.row_buffer import RowBuffer


class RunState(RowBuffer):
    """What a run knows of those before it."""

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

    # Roots ------------------------------------------------------------------------------------

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
