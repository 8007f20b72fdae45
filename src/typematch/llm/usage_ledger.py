"""Keep the user's accounts: what was spent, what may be spent, and answers already paid for.

They lie in a file of the user's own cache folder and never in a catalog, which is shipped.  An
answer is found by the digest of all that was sent, so the same question is free and its answer the
same.  What a request may cost is noted before it is sent, and what it did cost afterwards: a run
that is killed has spent at most what the accounts say.
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
from typematch.index.database import driver
from typematch.llm.settings import Settings
from typematch.llm.usage import Usage

NAME = "claude.db"
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
    "sum(NOT settled)"
)


@dataclass(frozen=True, slots=True)
class DailyUsage:
    """Requests of one day, stage and model; ``unsettled`` counts those without an answer's bill."""

    day: str
    stage: str
    model: str
    requests: int
    usage: Usage
    dollars: float
    unsettled: int


@dataclass(frozen=True, slots=True)
class Batch:
    """A batch that was submitted, or was about to be where ``name`` is empty.

    Attributes:
        number: ours; ``name``: the service's.
        at: when, in seconds since 1970.
        spending: the row that counts its cost.
        items: digests of its requests.
    """

    number: int
    name: str
    model: str
    at: float
    spending: int
    items: frozenset[str]


class UsageLedger:
    """One file; may be used by several threads, and by several processes.

    Args:
        path: None keeps the accounts in memory: there is no folder for them.
        now: seconds since 1970; days are those of UTC.

    Raises:
        ClaudeError: the file cannot be opened, or is another program's.
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
            self._prepare()
        except (OSError, self._module.Error) as error:
            raise ClaudeError(
                "the file of costs and answers cannot be used", str(path), "Name another: --cache"
            ) from error

    def close(self) -> None:
        with self._lock:
            self._connection.close()

    def _prepare(self) -> None:
        with self._transaction() as connection:
            [[version]] = connection.execute("PRAGMA user_version").fetchall()
            if version == _VERSION:
                return
            if connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                raise ClaudeError(
                    "the file of costs and answers is another version's, or another program's",
                    str(self.path),
                    "Name another: --cache",
                )
            for statement in _SCHEMA.split(";"):
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {_VERSION}")
        if self.path is not None:
            self.path.chmod(0o600)  # questions and answers are nobody else's business

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """Turn the driver's errors into ours: a locked file must not break a search."""
        try:
            yield
        except self._module.Error as error:
            raise ClaudeError(
                f"the file of costs and answers cannot be used ({error})",
                str(self.path),
                "Name another: --cache",
            ) from error

    @contextmanager
    def _transaction(self) -> Iterator[Any]:
        with self._lock, self._errors():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
            except BaseException:
                # Where the disk is full, the driver has rolled back already.
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")

    def _rows(self, query: str, values: Sequence[object] = ()) -> list[Any]:
        with self._lock, self._errors():
            return list(self._connection.execute(query, values))

    # Answers ----------------------------------------------------------------------------------

    def kept(self, digest: str) -> str | None:
        """Return the text of an answer to what has this digest; None where there is none."""
        rows = self._rows("SELECT text FROM answer WHERE digest = ?", (digest,))
        return rows[0][0] if rows else None

    def keep(self, digest: str, stage: str, model: str, text: str) -> None:
        with self._transaction() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO answer VALUES (?, ?, ?, ?, ?)",
                (digest, stage, model, text, self._now()),
            )

    def forget_answers(self) -> int:
        """Forget every answer, not what was spent; return how many there were."""
        with self._transaction() as connection:
            return int(connection.execute("DELETE FROM answer").rowcount)

    # Spending ---------------------------------------------------------------------------------

    def today(self) -> DailyUsage:
        """Return all that was spent today, stages and models together."""
        day = self._day()
        rows = self._rows(f"SELECT {_SUMS} FROM spending WHERE day = ?", (day,))
        return _spent((day, "", "", *rows[0]))

    def spent(self) -> tuple[DailyUsage, ...]:
        """Return what was spent, by day (the last first), stage and model."""
        rows = self._rows(
            f"SELECT day, stage, model, {_SUMS} FROM spending GROUP BY day, stage, model "
            "ORDER BY day DESC, stage, model"
        )
        return tuple(map(_spent, rows))

    def reserve(
        self, stage: str, model: str, most: Usage, dollars: float, settings: Settings,
        *, requests: int = 1,
    ) -> int:  # fmt: skip
        """Note what is about to be sent, at most; return the number to settle it by.

        Raises:
            ClaudeError: it may cost more than is left of the day's budget.
        """
        with self._transaction() as connection:
            today = self.today()
            tokens = today.usage.total + most.total
            if today.dollars + dollars > settings.dollars_per_day:
                raise ClaudeError(
                    f"${today.dollars:.2f} of today's ${settings.dollars_per_day:.2f} are spent, "
                    f"and this may cost ${dollars:.4f}",
                    hint="Raise dollars_per_day in the settings, or wait until tomorrow (UTC).",
                )
            if tokens > settings.tokens_per_day:
                raise ClaudeError(
                    f"it may come to {tokens:,} tokens today, of {settings.tokens_per_day:,}",
                    hint="Raise tokens_per_day in the settings, or wait until tomorrow (UTC).",
                )
            cursor = connection.execute(
                "INSERT INTO spending (at, day, stage, model, requests, input, output, cache_write,"
                " cache_read, dollars, settled) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)",
                (
                    self._now(), today.day, stage, model, requests,
                    most.input, most.output, most.cache_write, most.cache_read, dollars,
                ),
            )  # fmt: skip
            return int(cursor.lastrowid)

    def settle(self, number: int, usage: Usage, dollars: float) -> None:
        """Write what a request did cost."""
        with self._transaction() as connection:
            connection.execute(
                "UPDATE spending SET input = ?, output = ?, cache_write = ?, cache_read = ?, "
                "dollars = ?, settled = 1 WHERE id = ?",
                (
                    usage.input, usage.output, usage.cache_write, usage.cache_read, dollars, number,
                ),
            )  # fmt: skip

    def release(self, number: int) -> None:
        """Forget a request that cost nothing: it was refused."""
        with self._transaction() as connection:
            connection.execute("DELETE FROM spending WHERE id = ?", (number,))

    def _day(self) -> str:
        return datetime.fromtimestamp(self._now(), UTC).date().isoformat()

    # Batches ----------------------------------------------------------------------------------

    def begin_batch(self, model: str, items: Sequence[str], spending: int) -> int:
        """Note a batch before it is submitted, so that one that is lost can be looked for."""
        with self._transaction() as connection:
            cursor = connection.execute(
                "INSERT INTO batch (name, model, at, spending, done) VALUES ('', ?, ?, ?, 0)",
                (model, self._now(), spending),
            )
            number = int(cursor.lastrowid)
            connection.executemany(
                "INSERT INTO batch_item VALUES (?, ?)", [(number, item) for item in items]
            )
        return number

    def name_batch(self, number: int, name: str) -> None:
        with self._transaction() as connection:
            connection.execute("UPDATE batch SET name = ? WHERE id = ?", (name, number))

    def end_batch(self, number: int) -> None:
        """Note that all a batch gave has been kept."""
        with self._transaction() as connection:
            connection.execute("UPDATE batch SET done = 1 WHERE id = ?", (number,))
            connection.execute("DELETE FROM batch_item WHERE batch = ?", (number,))

    def open_batches(self) -> tuple[Batch, ...]:
        """Return the batches whose answers have not all been kept, the oldest first."""
        rows = self._rows(
            "SELECT id, name, model, at, spending FROM batch WHERE NOT done ORDER BY id"
        )
        items = "SELECT digest FROM batch_item WHERE batch = ?"
        return tuple(
            Batch(
                number, name, model, at, spending,
                frozenset(digest for (digest,) in self._rows(items, (number,))),
            )
            for number, name, model, at, spending in rows
        )  # fmt: skip

    def batch_names(self) -> frozenset[str]:
        """Return the service's names of all batches that are known."""
        return frozenset(name for (name,) in self._rows("SELECT name FROM batch WHERE name != ''"))


def accounts_path(given: str | Path | None, environment: Mapping[str, str]) -> Path | None:
    """Return where the accounts are: ``given``, else in the cache folder; None: nowhere."""
    from typematch.config import cache_folder

    if given:
        return Path(given)
    folder = cache_folder(environment)
    return None if folder is None else folder / NAME


def _spent(row: Sequence[Any]) -> DailyUsage:
    day, stage, model, *sums = row
    requests, given, output, written, read, dollars, unsettled = (one or 0 for one in sums)
    usage = Usage(given, output, written, read)
    return DailyUsage(day, stage, model, requests, usage, float(dollars), unsettled)
