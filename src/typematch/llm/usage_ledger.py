"""Usage ledger and response cache, one SQLite file in the user's cache folder.

Cached answers are keyed by a digest of the whole request, so an identical request is free and
returns the same answer.  The worst-case cost of a request is recorded before it is sent and
replaced by the actual cost afterwards: a process that is killed never spends more than the ledger
says.  A batch records its estimate, as its worst case is several times what it costs.  A catalog
contains none of this, because catalogs are shipped.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from typematch.errors import ClaudeError
from typematch.index.engines.sqlite_driver import driver
from typematch.llm.settings import Settings
from typematch.llm.usage import Usage

FILE_NAME = "claude.db"
_VERSION = 1
_BUSY_SECONDS = 10.0
_SCHEMA = """
CREATE TABLE answer (digest TEXT PRIMARY KEY, stage TEXT, model TEXT, text TEXT, at REAL);
CREATE TABLE spending (
    id INTEGER PRIMARY KEY, at REAL, day TEXT, stage TEXT, model TEXT, requests INTEGER,
    input INTEGER, output INTEGER, cache_write INTEGER, cache_read INTEGER, dollars REAL,
    settled INTEGER
);
CREATE INDEX spending_by_day ON spending (day);
CREATE TABLE batch (
    id INTEGER PRIMARY KEY, name TEXT, model TEXT, at REAL, spending INTEGER, done INTEGER
);
CREATE TABLE batch_item (
    batch INTEGER, digest TEXT, PRIMARY KEY (batch, digest)
) WITHOUT ROWID;
"""
_SUMS = (
    "sum(requests), sum(input), sum(output), sum(cache_write), sum(cache_read), sum(dollars), "
    "sum(CASE WHEN settled THEN 0 ELSE requests END)"
)


@dataclass(frozen=True, slots=True)
class DailyUsage:
    """Usage of one day, stage and model; ``unsettled``: requests whose actual cost is unknown."""

    day: str
    stage: str
    model: str
    requests: int
    usage: Usage
    dollars: float
    unsettled: int


@dataclass(frozen=True, slots=True)
class Batch:
    """A submitted batch of requests.

    Attributes:
        row_id: primary key in the ledger.
        batch_id: the service's identifier; empty until the service has confirmed the batch.
        submitted_at: seconds since 1970.
        reservation: row of the ledger that holds its cost.
        digests: digests of its requests.
    """

    row_id: int
    batch_id: str
    model: str
    submitted_at: float
    reservation: int
    digests: frozenset[str]


class UsageLedger:
    """Ledger and cache in one file; safe for several threads and processes.

    Args:
        path: the file; None keeps everything in memory.
        now: clock, in seconds since 1970; days are in UTC.

    Raises:
        ClaudeError: the file cannot be opened, or another program wrote it.
    """

    def __init__(self, path: Path | None, now: Callable[[], float]) -> None:
        self.path = path
        self._now = now
        self._lock = threading.RLock()
        self._module = driver()
        try:
            if path is not None:
                path.parent.mkdir(parents=True, exist_ok=True)
            self._connection: Any = self._module.connect(
                str(path or ":memory:"),
                timeout=_BUSY_SECONDS,
                isolation_level=None,
                check_same_thread=False,
            )
            self._create_tables()
        except (OSError, self._module.Error) as error:
            raise ClaudeError(
                "cannot open the file of costs and cached answers",
                str(path),
                "Choose another file with --cache FILE.",
            ) from error

    def close(self) -> None:
        with self._lock:
            self._connection.close()

    def _create_tables(self) -> None:
        with self._transaction() as connection:
            [[version]] = connection.execute("PRAGMA user_version").fetchall()
            if version == _VERSION:
                return
            if connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                raise ClaudeError(
                    "this is not a file of costs and cached answers, or another version wrote it",
                    str(self.path),
                    "Choose another file with --cache FILE.",
                )
            for statement in _SCHEMA.split(";"):
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {_VERSION}")
        if self.path is not None:
            self.path.chmod(0o600)  # requests and answers are private to the user

    @contextmanager
    def _translated_errors(self) -> Iterator[None]:
        """Raise driver errors as ClaudeError: a locked file must not fail a search."""
        try:
            yield
        except self._module.Error as error:
            raise ClaudeError(
                f"cannot use the file of costs and cached answers ({error})",
                str(self.path),
                "Choose another file with --cache FILE.",
            ) from error

    @contextmanager
    def _transaction(self) -> Iterator[Any]:
        with self._lock, self._translated_errors():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
            except BaseException:
                # On a full disk the driver has already rolled back.
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")

    def _rows(self, query: str, values: Sequence[object] = ()) -> list[Any]:
        with self._lock, self._translated_errors():
            return list(self._connection.execute(query, values))

    # Response cache ---------------------------------------------------------------------------

    def cached_text(self, digest: str) -> str | None:
        """Return the cached answer to the request with this digest; None if there is none."""
        rows = self._rows("SELECT text FROM answer WHERE digest = ?", (digest,))
        return rows[0][0] if rows else None

    def cache_text(self, digest: str, stage: str, model: str, text: str) -> None:
        with self._transaction() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO answer VALUES (?, ?, ?, ?, ?)",
                (digest, stage, model, text, self._now()),
            )

    def clear_cache(self) -> int:
        """Delete all cached answers, not the usage; return their number."""
        with self._transaction() as connection:
            return int(connection.execute("DELETE FROM answer").rowcount)

    # Usage ------------------------------------------------------------------------------------

    def today(self) -> DailyUsage:
        """Return today's usage, summed over stages and models."""
        day = self._day()
        rows = self._rows(f"SELECT {_SUMS} FROM spending WHERE day = ?", (day,))
        return _daily_usage((day, "", "", *rows[0]))

    def daily_usage(self) -> tuple[DailyUsage, ...]:
        """Return the usage by day (latest first), stage and model."""
        rows = self._rows(
            f"SELECT day, stage, model, {_SUMS} FROM spending GROUP BY day, stage, model "
            "ORDER BY day DESC, stage, model"
        )
        return tuple(map(_daily_usage, rows))

    def reserve(
        self, stage: str, model: str, usage: Usage, dollars: float, settings: Settings,
        *, requests: int = 1,
    ) -> int:  # fmt: skip
        """Record the cost of a request, or of a batch, before it is sent; return the row's id.

        Args:
            usage: of a request the worst case, of a batch the estimate.

        Raises:
            ClaudeError: it exceeds what is left of today's budget.
        """
        with self._transaction() as connection:
            today = self.today()
            tokens = today.usage.total + usage.total
            if today.dollars + dollars > settings.dollars_per_day:
                raise ClaudeError(
                    f"${today.dollars:.2f} of today's budget of ${settings.dollars_per_day:.2f} is "
                    f"spent, and this may cost ${dollars:.4f}",
                    hint="Raise dollars_per_day in the settings, or wait until tomorrow (UTC).",
                )
            if tokens > settings.tokens_per_day:
                raise ClaudeError(
                    f"today's usage could reach {tokens:,} tokens, more than tokens_per_day "
                    f"({settings.tokens_per_day:,})",
                    hint="Raise tokens_per_day in the settings, or wait until tomorrow (UTC).",
                )
            cursor = connection.execute(
                "INSERT INTO spending (at, day, stage, model, requests, input, output, cache_write,"
                " cache_read, dollars, settled) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)",
                (
                    self._now(),
                    today.day,
                    stage,
                    model,
                    requests,
                    usage.input,
                    usage.output,
                    usage.cache_write,
                    usage.cache_read,
                    dollars,
                ),
            )
            return int(cursor.lastrowid)

    def settle(self, reservation: int, usage: Usage, dollars: float) -> None:
        """Replace the reserved cost of a request by its actual cost."""
        with self._transaction() as connection:
            connection.execute(
                "UPDATE spending SET input = ?, output = ?, cache_write = ?, cache_read = ?, "
                "dollars = ?, settled = 1 WHERE id = ?",
                (
                    usage.input,
                    usage.output,
                    usage.cache_write,
                    usage.cache_read,
                    dollars,
                    reservation,
                ),
            )

    def release(self, reservation: int) -> None:
        """Delete the reservation of a request that was refused and cost nothing."""
        with self._transaction() as connection:
            connection.execute("DELETE FROM spending WHERE id = ?", (reservation,))

    def _day(self) -> str:
        return datetime.fromtimestamp(self._now(), UTC).date().isoformat()

    # Batches ----------------------------------------------------------------------------------

    def record_batch(self, model: str, digests: Sequence[str], reservation: int) -> int:
        """Record a batch before it is submitted, so that a lost one can be found; return its id."""
        with self._transaction() as connection:
            cursor = connection.execute(
                "INSERT INTO batch (name, model, at, spending, done) VALUES ('', ?, ?, ?, 0)",
                (model, self._now(), reservation),
            )
            row_id = int(cursor.lastrowid)
            connection.executemany(
                "INSERT INTO batch_item VALUES (?, ?)", [(row_id, item) for item in digests]
            )
        return row_id

    def set_batch_id(self, row_id: int, batch_id: str) -> None:
        with self._transaction() as connection:
            connection.execute("UPDATE batch SET name = ? WHERE id = ?", (batch_id, row_id))

    def close_batch(self, row_id: int) -> None:
        """Mark a batch whose answers are all cached as done."""
        with self._transaction() as connection:
            connection.execute("UPDATE batch SET done = 1 WHERE id = ?", (row_id,))
            connection.execute("DELETE FROM batch_item WHERE batch = ?", (row_id,))

    def open_batches(self) -> tuple[Batch, ...]:
        """Return the batches whose answers are not all cached, oldest first."""
        rows = self._rows(
            "SELECT id, name, model, at, spending FROM batch WHERE NOT done ORDER BY id"
        )
        digests_query = "SELECT digest FROM batch_item WHERE batch = ?"
        return tuple(
            Batch(
                number, name, model, at, spending,
                frozenset(digest for (digest,) in self._rows(digests_query, (number,))),
            )
            for number, name, model, at, spending in rows
        )  # fmt: skip

    def batch_ids(self) -> frozenset[str]:
        """Return the service's identifiers of all recorded batches."""
        return frozenset(name for (name,) in self._rows("SELECT name FROM batch WHERE name != ''"))


def ledger_path(path: str | Path | None, environment: Mapping[str, str]) -> Path | None:
    """Return the ledger's file: ``path``, else in the cache folder; None if there is no folder."""
    from typematch.config import cache_folder

    if path:
        return Path(path)
    folder = cache_folder(environment)
    return None if folder is None else folder / FILE_NAME


def _daily_usage(row: Sequence[Any]) -> DailyUsage:
    day, stage, model, *sums = row
    requests, input_tokens, output, cache_write, cache_read, dollars, unsettled = (
        value or 0 for value in sums
    )
    usage = Usage(input_tokens, output, cache_write, cache_read)
    return DailyUsage(day, stage, model, requests, usage, float(dollars), unsettled)
