"""What the store needs of a database engine: connections, transactions, errors, bulk rows.

The SQL of the other modules is understood by SQLite and PostgreSQL: placeholders are ``?``, LIKE
ignores the case of ASCII letters, texts are compared byte by byte.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from typematch.config import Location
    from typematch.index.entries.selection import Selection
    from typematch.index.text.full_text import FullTextQuery

# (what another run writes, seconds so far): called while a run waits for it; may raise to give up.
Waiting: TypeAlias = Callable[[str, float], None]

BUSY_SECONDS = 5.0
POLL_SECONDS = 0.1  # between two looks whether another run has ended
_KEYS_PER_STATEMENT = 500
SET_META = "INSERT INTO meta VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value"

# The drivers implement one interface and share no base class.
DriverConnection = Any


class TextTables(Protocol):
    """The full-text index of all entries, and that of operations: columns stemmed, BM25.

    Attributes:
        sizes: a query for (id of the entry, words of each column) of the index of all entries.
    """

    sizes: str

    def write(self, rows: Sequence[tuple[object, ...]], *, operations: bool = False) -> None:
        """Insert rows: the number of an entry, then its texts in the order of ``WEIGHTS``."""
        ...

    def delete_file_rows(self, file: int) -> None:
        """Delete the rows of a file's entries; call it before the entries are deleted."""
        ...

    def delete_entry_rows(self, number: int) -> None: ...

    def correct_totals(self) -> None:
        """Make BM25 a function of the rows there are.  Call it in a transaction without writes."""
        ...

    def ranked(
        self,
        query: FullTextQuery,
        selection: Selection,
        *,
        limit: int,
        match_all: bool,
        operations: bool,
    ) -> list[tuple[int, float]]:
        """Return (entry number, BM25 score), highest score first, then in order of number."""
        ...

    def entries_with(self, word: str, numbers: Sequence[int]) -> Iterable[int]:
        """Return those of the entries ``numbers`` whose texts have ``word``."""
        ...

    def document_frequency(self, word: str) -> int: ...

    def stored_totals(self) -> dict[str, list[int]]:
        """Return by table the number of rows and the words of each column; [] for no rows."""
        ...

    def clear_cache(self) -> None: ...


class WriteCoordination(Protocol):
    """Coordination of runs that write one database at the same time.

    Their transactions take turns.  A declaration is pending from the transaction before a run
    changes it to the one that resets the masks which depend on it; until then the run *claims* it.
    The last run that has written its packages computes the masks of all.

    Attributes:
        others_wrote: another run has written since this one began.
    """

    others_wrote: bool

    def are_others_active(self) -> bool: ...

    def claimed_by_others(self) -> frozenset[int]:
        """Return the symbols that other active runs claim."""
        ...

    def claim(self, symbols: Sequence[int]) -> None:
        """Claim pending declarations, within the caller's transaction."""
        ...

    def take_masks(self) -> bool:
        """Take over the computing of masks, within the caller's transaction, and claim no more.

        Returns False if another run is to change declarations: it will compute the masks.
        """
        ...

    def end_pending(self) -> None:
        """Delete what is pending and claimed by no run, within the caller's transaction."""
        ...

    def have_masks(self) -> bool:
        """Return whether this run still computes the masks, within the caller's transaction."""
        ...


class Database(ABC):
    """One open database.

    Attributes:
        location: as passed; errors name it, without a password.
        writable: whether this connection may write.
        connection: the driver's, in autocommit mode; transactions are explicit.
        texts: the full-text index.
        coordination: this run and others.
        when_others_wrote: called at the beginning of a transaction if another run has written.
    """

    location: Location
    writable: bool
    busy_seconds: float
    connection: DriverConnection
    texts: TextTables
    coordination: WriteCoordination
    when_others_wrote: Callable[[], None] | None = None

    @abstractmethod
    def close(self) -> None: ...

    @abstractmethod
    def errors(self) -> AbstractContextManager[None]:
        """Return a context that raises the driver's errors as ``DatabaseError``."""

    def query(self, statement: str, values: Sequence[object] = ()) -> list[Any]:
        """Return all rows of a query."""
        with self.errors():
            return list(self.connection.execute(statement, values))

    def select_in(
        self,
        query: str,
        keys: Iterable[object],
        *,
        suffix: str = "",
        parameters: Sequence[object] = (),
    ) -> Iterator[Any]:
        """Yield the rows of ``query IN (keys) suffix``, with any number of keys.

        Args:
            query: ends in the column or expression to compare.
            suffix: GROUP BY or ORDER BY.  It applies to a few hundred keys at a time; the rows of
                one key are always together.
            parameters: of ``query`` itself.
        """
        distinct = list(dict.fromkeys(keys))
        for first in range(0, len(distinct), _KEYS_PER_STATEMENT):
            chunk = distinct[first : first + _KEYS_PER_STATEMENT]
            marks = ",".join("?" * len(chunk))
            yield from self.query(f"{query} IN ({marks}) {suffix}", (*parameters, *chunk))

    @abstractmethod
    def read_numbers(self, query: str, columns: int) -> NDArray[np.int64]:
        """Return the rows of a query for whole numbers, of shape (rows, columns); null is 0."""

    @abstractmethod
    def insert_rows(
        self, table: str, rows: Sequence[tuple[object, ...]], *, repeated: bool = False
    ) -> None:
        """Insert many rows, within the caller's transaction.

        Args:
            rows: values in the order of the table's columns.
            repeated: some rows may be stored already.
        """

    @abstractmethod
    def data_version(self) -> int:
        """Return a number that changes when another connection has written."""

    @abstractmethod
    def transaction(self) -> AbstractContextManager[DriverConnection]:
        """Commit everything or nothing; waits up to ``busy_seconds`` for another writer."""

    @abstractmethod
    def begin_snapshot(self) -> None:
        """Begin a transaction in which every read sees one state."""

    @abstractmethod
    def end_snapshot(self) -> None: ...

    @abstractmethod
    def writing(self, packages: Iterable[str], waiting: Waiting) -> AbstractContextManager[None]:
        """Return the context of a run that writes; the connection may write from then on.

        Args:
            packages: what no other run may write meanwhile.
            waiting: called ten times a second while another run writes them.
        """

    @abstractmethod
    def create_indexes(self) -> None:
        """Create the indexes, once: after the first load, which is several times faster."""

    @abstractmethod
    def checkpoint(self) -> None:
        """Do what is due at the end of a run that wrote."""

    def compact(self) -> None:
        """Remove the gaps that writing has left, if they are worth it; a server does so itself."""
        return

    @abstractmethod
    def size_bytes(self) -> int: ...

    @abstractmethod
    def description(self) -> str:
        """Return the journal mode of a file, or the version of a server."""

    @abstractmethod
    def has_damaged_structure(self) -> bool: ...

    @abstractmethod
    def stored_packages(self) -> tuple[str, ...]:
        """Return the packages, with versions, even of a damaged database; () if unreadable."""


class SingleWriter:
    """For a file, which has one writer at a time: nothing is claimed, no other run is active."""

    others_wrote = False

    def __init__(self, database: Database) -> None:
        self._database = database

    def are_others_active(self) -> bool:
        return False

    def claimed_by_others(self) -> frozenset[int]:
        return frozenset()

    def claim(self, symbols: Sequence[int]) -> None:
        """Do nothing."""

    def take_masks(self) -> bool:
        return True

    def end_pending(self) -> None:
        self._database.connection.execute("DELETE FROM pending")

    def have_masks(self) -> bool:
        return True
