"""Runs that write one schema at the same time: locks, and the tables ``change`` and ``claim``.

Every transaction begins with an update of the only row of ``change``, so transactions take turns,
and each knows whether another run has written since its last one.  Advisory locks of the session
say which runs are alive and which packages they write; the server releases them with the
connection.  The claims of a run that was killed are kept, so that the next run completes its work.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence

from typematch.index.engines.engine import POLL_SECONDS, Database, Waiting
from typematch.index.file_format import APPLICATION_ID

# The runs of this schema whose connections are open, but for this one.
_OTHERS = (
    "SELECT objid::bigint::int FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2 "
    "AND classid = (hashtext(current_schema())::bigint & 4294967295)::oid "
    "AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) "
    "AND granted AND pid <> pg_backend_pid()"
)


class PostgresWriteCoordination:
    """The ``WriteCoordination`` of one schema, seen by one run."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.others_wrote = False
        self._run = 0
        self._last_change = 0  # the number of this run's last transaction
        self._masks = 0  # the transaction in which this run took over the masks

    # Locks ------------------------------------------------------------------------------------

    def begin(self, packages: Iterable[str], waiting: Waiting) -> None:
        """Begin a run once no other run writes one of the packages."""
        query = self._database.query
        # In one order, so that no two runs wait for each other.
        for package in sorted(set(packages)):
            self._lock(package, waiting)
        self._run, self._last_change = query(
            "UPDATE change SET runs = runs + 1 RETURNING runs, number"
        )[0]
        query("SELECT pg_advisory_lock(hashtext(current_schema()), ?::int)", (self._run,))
        self.others_wrote = False

    def end(self) -> None:
        self._database.query("SELECT pg_advisory_unlock_all()")

    def _lock(self, package: str, waiting: Waiting) -> None:
        started = time.monotonic()
        query = (
            "SELECT pg_try_advisory_lock(hashtextextended(current_schema() || '/' || ?, ?::bigint))"
        )
        while not self._database.query(query, (package, APPLICATION_ID))[0][0]:
            waiting(package, time.monotonic() - started)
            time.sleep(POLL_SECONDS)

    # Transactions -----------------------------------------------------------------------------

    def begin_transaction(self) -> None:
        """Wait for the transactions of other runs; note whether they wrote."""
        number = self._execute("UPDATE change SET number = number + 1 RETURNING number")[0][0]
        if self._run and number - 1 != self._last_change:
            self.others_wrote = True
            if self._database.when_others_wrote is not None:
                self._database.when_others_wrote()
        self._last_change = number

    def roll_back(self) -> None:
        self._last_change -= 1

    # Pending declarations and masks -----------------------------------------------------------

    def are_others_active(self) -> bool:
        return bool(self._database.query(f"{_OTHERS} LIMIT 1"))

    def claimed_by_others(self) -> frozenset[int]:
        rows = self._database.query(f"SELECT symbol FROM claim WHERE run IN ({_OTHERS})")
        return frozenset(symbol for (symbol,) in rows)

    def claim(self, symbols: Sequence[int]) -> None:
        self._execute(
            "INSERT INTO claim SELECT ?, unnest(?::int[]) ON CONFLICT DO NOTHING",
            (self._run, list(symbols)),
        )

    def take_masks(self) -> bool:
        if self._are_claims_active():
            self._execute("DELETE FROM claim WHERE run = ?", (self._run,))
            return False
        # What a killed run claimed as well was read as pending by this one.
        mine = "SELECT symbol FROM claim WHERE run = ?"
        self._execute(f"DELETE FROM claim WHERE symbol IN ({mine})", (self._run,))
        self._execute("UPDATE change SET masks = number")
        self._masks = self._last_change
        return True

    def end_pending(self) -> None:
        self._execute("DELETE FROM pending WHERE symbol NOT IN (SELECT symbol FROM claim)")

    def have_masks(self) -> bool:
        masks = self._execute("SELECT masks FROM change")[0][0]
        return masks == self._masks and not self._are_claims_active()

    def _are_claims_active(self) -> bool:
        return bool(self._execute(f"SELECT 1 FROM claim WHERE run IN ({_OTHERS}) LIMIT 1"))

    def _execute(self, statement: str, values: Sequence[object] = ()) -> list[tuple[int, ...]]:
        cursor = self._database.connection.execute(statement, values)
        return list(cursor) if cursor.description else []
