"""All errors that typematch raises deliberately, grouped by who can fix them.

    TypematchError
    ├── UserError                    the user: exit code 2
    │   ├── SyntaxProblem            a syntax error at a column of a text
    │   │   ├── QuerySyntaxError     a query
    │   │   └── TypeSyntaxError      a TypeScript type
    │   ├── UsageError               invalid arguments of a call or a command
    │   │   └── NoEntryError         an unknown id
    │   ├── SourceError              a path is missing, unreadable, or contains nothing to index
    │   └── WrongModelError          the vectors are of another embedding model than the query's
    ├── DatabaseError                the owner of the database file: exit code 3
    │   ├── MissingDatabaseError     the file does not exist
    │   ├── NotADatabaseError        the file is not a database
    │   │   └── DamagedDatabaseError it was one, and is damaged
    │   ├── WrongVersionError        another version of typematch wrote the file
    │   ├── ReadOnlyError            the file cannot be written
    │   └── LockedError              another process is writing the file
    └── OutsideError                 the environment: exit code 3
        ├── NpmMissingError          npm is not installed
        ├── FetchError               a package cannot be downloaded: offline, unknown, refused
        ├── NoTypingsError           a package has no TypeScript typings
        ├── ClaudeError              a request to Claude was not sent, or has no usable answer
        │   └── RequestRefusedError  the service refused it
        ├── DriverError              no installed SQLite driver has the required features
        ├── EmbeddingError           an embedding model cannot be loaded, or does not answer
        └── WorkerError              a process of an indexing run was killed

``EmbeddingError`` and ``WrongModelError`` are defined in ``index.vectors.embedding``,
``RequestRefusedError`` in ``llm.client``.
``str(error)`` says what failed, where, and how to fix it; the three parts are also attributes.
"""

from __future__ import annotations

import unicodedata
from typing import ClassVar

_SHOWN_WIDTH = 96  # terminal columns of a quoted line
_MAX_LISTED = 20  # packages of a damaged file


class TypematchError(Exception):
    """``what`` failed, ``where`` (may be empty), ``hint``: how to fix it (may be empty)."""

    exit_code: ClassVar[int] = 3

    def __init__(self, what: str, where: str = "", hint: str = "") -> None:
        # Errors are pickled between processes and rebuilt from these arguments.
        super().__init__(what, where, hint)
        self.what = what
        self.where = where
        self.hint = hint

    def __str__(self) -> str:
        # A file name with a line feed must not forge a further line.
        where = self.where.replace("\n", "\\n")
        head = f"{where}: {self.what}" if where else self.what
        return f"{head}\n{self.hint}" if self.hint else head


class UserError(TypematchError):
    """The request is invalid."""

    exit_code: ClassVar[int] = 2


class SyntaxProblem(UserError):  # noqa: N818
    """A text has a syntax error.

    Attributes:
        text: the whole text.
        column: offset of the error in characters, from 0; messages count from 1.
        expected: what is allowed there, in words or quoted symbols, most likely first.
        problem: what is wrong; by default derived from ``expected``.
        corrected: the text with the one word in place that ``hint`` names; empty if it names none.
    """

    subject: ClassVar[str] = "text"

    def __init__(
        self,
        text: str,
        column: int = 0,
        expected: tuple[str, ...] = (),
        hint: str = "",
        *,
        problem: str = "",
        corrected: str = "",
    ) -> None:
        self.text = text
        self.column = max(0, min(column, len(text)))
        self.expected = expected
        self.problem = problem or (f"expected {join_alternatives(expected)}" if expected else "")
        self.corrected = corrected
        super().__init__(
            f"cannot read the {self.subject} at column {self.column + 1}"
            + (f": {self.problem}" if self.problem else ""),
            hint=hint,
        )
        self.args = (text, column, expected, hint)

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (type(self), *self.args, self.problem, self.corrected)

    def __str__(self) -> str:
        parts = [self.what]
        if self.text:
            parts += caret(self.text, self.column)
        if self.hint:
            parts.append(self.hint)
        return "\n".join(parts)


class QuerySyntaxError(SyntaxProblem):
    subject: ClassVar[str] = "query"


class TypeSyntaxError(SyntaxProblem):
    subject: ClassVar[str] = "type"


class UsageError(UserError):
    pass


class NoEntryError(UsageError):
    """``similar``: ids of entries with a similar name."""

    def __init__(self, name: str, similar: tuple[str, ...] = ()) -> None:
        super().__init__(
            f"there is no entry {name!r}",
            hint=f"Did you mean {' or '.join(similar)}?"
            if similar
            else "Find its id with: typematch search NAME",
        )
        self.name = name
        self.args = (name, similar)


class SourceError(UserError):
    pass


class DatabaseError(TypematchError):
    """``where`` is the path of the database file."""


class MissingDatabaseError(DatabaseError):
    def __init__(self, where: str) -> None:
        super().__init__(
            "there is no database here",
            where,
            "Create one with: typematch index PATH ...   or select another with --db FILE.",
        )
        self.args = (where,)


class NotADatabaseError(DatabaseError):
    """``reason``: the driver's message, e.g. "file is not a database"."""

    def __init__(self, where: str, reason: str = "") -> None:
        super().__init__(
            "this is not a typematch database" + (f" ({reason})" if reason else ""),
            where,
            "Select another file with --db FILE, or delete this one and index again.",
        )
        self.reason = reason
        self.args = (where, reason)


class DamagedDatabaseError(NotADatabaseError):
    """The file is damaged: a page of it, or contents of a page, cannot be read.

    Attributes:
        packages: what it holds, as far as that can be read.
    """

    def __init__(self, where: str, reason: str = "", packages: tuple[str, ...] = ()) -> None:
        DatabaseError.__init__(
            self,
            "the database file is damaged" + (f" ({reason})" if reason else ""),
            where,
            f"typematch doctor says which parts.  {index_again(packages)}",
        )
        self.reason = reason
        self.packages = packages
        self.args = (where, reason, packages)


def index_again(packages: tuple[str, ...]) -> str:
    """Return the sentence that says how to replace a damaged file that holds ``packages``."""
    if not packages:
        return "Delete the file and index again what it held; its packages cannot be listed."
    more = len(packages) - _MAX_LISTED
    names = ", ".join(packages[:_MAX_LISTED]) + (f" and {more:,} more" if more > 0 else "")
    return f"Delete the file and index again: {names}"


class WrongVersionError(DatabaseError):
    """``found`` and ``expected``: the format versions of the file and of this program."""

    def __init__(self, where: str, found: str, expected: str, hint: str = "") -> None:
        super().__init__(
            f"the database was written by another version of typematch (its format is {found}, "
            f"this version writes {expected})",
            where,
            hint or "Delete the file and index again.",
        )
        self.found = found
        self.expected = expected
        self.args = (where, found, expected, hint)


class ReadOnlyError(DatabaseError):
    def __init__(self, where: str, reason: str = "", hint: str = "") -> None:
        super().__init__(
            "the database cannot be written" + (f" ({reason})" if reason else ""),
            where,
            hint
            or "To index, make the file and its folder writable, or copy the file.  Searches work.",
        )
        self.reason = reason
        self.args = (where, reason, hint)


class LockedError(DatabaseError):
    """Another process has locked the database for ``waited_seconds``."""

    def __init__(self, where: str, waited_seconds: float = 0.0) -> None:
        super().__init__(
            "another process is writing the database"
            + (f" (waited {waited_seconds:g} seconds)" if waited_seconds else ""),
            where,
            "Try again when it has finished.  Searches work meanwhile.",
        )
        self.waited_seconds = waited_seconds
        self.args = (where, waited_seconds)


class OutsideError(TypematchError):
    """Something outside of typematch is missing or failed."""


class NpmMissingError(OutsideError):
    """``where``: the package to download, e.g. "npm:rxjs@7"."""

    def __init__(self, where: str) -> None:
        super().__init__(
            "npm is not installed; it is needed to download this package",
            where,
            "Install Node.js (it includes npm), or index the folder of an installed package.",
        )
        self.args = (where,)


class FetchError(OutsideError):
    """``where``: the requested package; ``reason``: npm's message, in one line."""

    def __init__(self, where: str, reason: str = "") -> None:
        super().__init__(
            "npm could not download this package" + (f": {reason}" if reason else ""),
            where,
            "Check its name and version and the network, or index the folder of an installed "
            "package.",
        )
        self.reason = reason
        self.args = (where, reason)


class NoTypingsError(OutsideError):
    """``where``: the package."""

    def __init__(self, where: str, hint: str = "") -> None:
        super().__init__(
            "this package has no TypeScript typings",
            where,
            hint or "Install its typings from @types (npm install @types/NAME), if there are any.",
        )
        self.args = (where, hint)


class ClaudeError(OutsideError):
    """``what`` is a short reason such as "the key was refused"; it never contains a key."""


class DriverError(OutsideError):
    pass


class WorkerError(OutsideError):
    def __init__(self) -> None:
        super().__init__(
            "a process that parsed files or computed masks was killed, or had no memory left",
            hint="Run the command again: finished work is kept.  --jobs 1 needs the least memory.",
        )

    def __reduce__(self) -> tuple[object, ...]:
        return WorkerError, ()


def join_alternatives(choices: tuple[str, ...]) -> str:
    """Return "a", "a or b", "a, b or c"."""
    *front, last = choices
    return f"{', '.join(front)} or {last}" if front else last


def caret(text: str, column: int) -> list[str]:
    """Return two lines: the line of ``text`` that contains ``column``, and a caret below it.

    Control characters are replaced, wide characters count as two columns, and a long line is cut
    around the caret.
    """
    start = max(text.rfind("\n", 0, column), text.rfind("\r", 0, column)) + 1
    end = min((i for i in (text.find("\n", column), text.find("\r", column)) if i >= 0), default=-1)
    first = max(start, column - _SHOWN_WIDTH * 2 // 3)
    last = min(end if end >= 0 else len(text), first + _SHOWN_WIDTH)
    before = ("…" if first > start else "") + _visible(text[first:column])
    after = _visible(text[column:last]) + ("…" if last < (end if end >= 0 else len(text)) else "")
    return [f"  {before}{after}", "  " + " " * _width(before) + "^"]


def _visible(text: str) -> str:
    return "".join(
        " " if c == "\t" else c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text
    )


def _width(text: str) -> int:
    """Return the width of ``text`` in terminal columns."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )


def _rebuild(
    kind: type[SyntaxProblem],
    text: str,
    column: int,
    expected: tuple[str, ...],
    hint: str,
    problem: str,
    corrected: str,
) -> SyntaxProblem:
    return kind(text, column, expected, hint, problem=problem, corrected=corrected)
