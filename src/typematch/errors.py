"""Every error that typematch raises on purpose, cut by who must act.

    TypematchError
    ├── UserError                    the user: exit code 2
    │   ├── SyntaxProblem            text with a column in it
    │   │   ├── QuerySyntaxError     a query
    │   │   └── TypeSyntaxError      a TypeScript type
    │   ├── UsageError               a call or a command line that cannot be meant
    │   │   └── NoEntryError         an id that no entry has
    │   └── SourceError              a path that is missing, unreadable, or holds nothing to index
    ├── DatabaseError                whoever owns the database file: exit code 3
    │   ├── MissingDatabaseError     there is no such file
    │   ├── NotADatabaseError        the file is something else, or damaged
    │   ├── WrongVersionError        another version of typematch wrote it
    │   ├── ReadOnlyError            it cannot be written
    │   └── LockedError              another process is writing it
    └── OutsideError                 the world around: exit code 3
        ├── NpmMissingError          npm is not installed
        ├── FetchError               a package could not be fetched: offline, unknown, refused
        ├── NoTypingsError           a package has no TypeScript typings
        ├── ClaudeError              Claude was not asked, or gave no answer that can be used
        └── DriverError              no SQLite driver here can do what is needed

``str(error)`` says what failed, where, and how to mend it; the parts are attributes too.
"""

from __future__ import annotations

import unicodedata
from typing import ClassVar

_SHOWN_WIDTH = 96  # terminal columns of a quoted line


class TypematchError(Exception):
    """``what`` failed, ``where`` (may be empty), and ``hint``: how to mend it (may be empty)."""

    exit_code: ClassVar[int] = 3

    def __init__(self, what: str, where: str = "", hint: str = "") -> None:
        # The arguments as given: errors travel between processes, and are built anew from them.
        super().__init__(what, where, hint)
        self.what = what
        self.where = where
        self.hint = hint

    def __str__(self) -> str:
        head = f"{self.where}: {self.what}" if self.where else self.what
        return f"{head}\n{self.hint}" if self.hint else head


class UserError(TypematchError):
    """What was asked for cannot be done as it was said."""

    exit_code: ClassVar[int] = 2


class SyntaxProblem(UserError):  # noqa: N818
    """A text that cannot be read from a certain column on.

    Attributes:
        text: the whole text.
        column: how many characters stand before the trouble; shown counted from 1.
        expected: what could have stood there, in words or quoted symbols, most likely first.
        problem: what is wrong, where that says more than what was expected.
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
    ) -> None:
        self.text = text
        self.column = max(0, min(column, len(text)))
        self.expected = expected
        self.problem = problem or (f"expected {one_of(expected)}" if expected else "")
        super().__init__(
            f"cannot read the {self.subject} at column {self.column + 1}"
            + (f": {self.problem}" if self.problem else ""),
            hint=hint,
        )
        self.args = (text, column, expected, hint)

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuilt, (type(self), *self.args, self.problem)

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
    def __init__(self, name: str) -> None:
        super().__init__(
            f"there is no entry {name!r}", hint="Find its id with: typematch search NAME"
        )
        self.name = name
        self.args = (name,)


class SourceError(UserError):
    pass


class DatabaseError(TypematchError):
    """``where`` is the path of the database file."""


class MissingDatabaseError(DatabaseError):
    def __init__(self, where: str) -> None:
        super().__init__(
            "there is no database here",
            where,
            "Make one with: typematch index PATH ...   or name another with --db FILE.",
        )
        self.args = (where,)


class NotADatabaseError(DatabaseError):
    """``reason`` says what was found instead, e.g. "file is not a database"."""

    def __init__(self, where: str, reason: str = "") -> None:
        super().__init__(
            "this is not a typematch database" + (f" ({reason})" if reason else ""),
            where,
            "Name another file with --db FILE, or remove it and index again.",
        )
        self.reason = reason
        self.args = (where, reason)


class WrongVersionError(DatabaseError):
    """``found`` and ``expected`` are the stamps of the file and of this program."""

    def __init__(self, where: str, found: str, expected: str) -> None:
        super().__init__(
            f"the database was written by another version (its stamp is {found}, "
            f"this program writes {expected})",
            where,
            "An index is derived data: remove the file and index again.",
        )
        self.found = found
        self.expected = expected
        self.args = (where, found, expected)


class ReadOnlyError(DatabaseError):
    def __init__(self, where: str, reason: str = "") -> None:
        super().__init__(
            "the database cannot be written" + (f" ({reason})" if reason else ""),
            where,
            "Searching works; to index, make file and folder writable or copy the file elsewhere.",
        )
        self.reason = reason
        self.args = (where, reason)


class LockedError(DatabaseError):
    """Another process has held the database for ``waited`` seconds."""

    def __init__(self, where: str, waited: float = 0.0) -> None:
        super().__init__(
            "another process is writing the database"
            + (f" (waited {waited:g} seconds)" if waited else ""),
            where,
            "Try again when it has finished; searching works meanwhile.",
        )
        self.waited = waited
        self.args = (where, waited)


class OutsideError(TypematchError):
    """Something that typematch needs from outside is not there."""


class NpmMissingError(OutsideError):
    """``where`` is what npm was wanted for, e.g. "npm:rxjs@7"."""

    def __init__(self, where: str) -> None:
        super().__init__(
            "npm is needed to fetch this package, and it is not installed",
            where,
            "Install Node.js (it brings npm), or index the folder of an installed package.",
        )
        self.args = (where,)


class FetchError(OutsideError):
    """``where`` is the package as asked for; ``reason`` is what npm said, in a line."""

    def __init__(self, where: str, reason: str = "") -> None:
        super().__init__(
            "npm could not fetch this package" + (f": {reason}" if reason else ""),
            where,
            "Look at its name and version and at the network; "
            "an installed package can be indexed by its folder.",
        )
        self.reason = reason
        self.args = (where, reason)


class NoTypingsError(OutsideError):
    """``where`` is the package."""

    def __init__(self, where: str, hint: str = "") -> None:
        super().__init__(
            "this package has no TypeScript typings",
            where,
            hint or "Install its typings from @types (npm install @types/NAME), if there are any.",
        )
        self.args = (where, hint)


class ClaudeError(OutsideError):
    """``what`` says why in half a sentence: "the key was refused"; it never holds a key."""


class DriverError(OutsideError):
    pass


def one_of(choices: tuple[str, ...]) -> str:
    """Return "a", "a or b", "a, b or c"."""
    *front, last = choices
    return f"{', '.join(front)} or {last}" if front else last


def caret(text: str, column: int) -> list[str]:
    """Return two lines: that line of ``text`` in which ``column`` stands, and a caret below it.

    Control characters are shown as one visible mark, wide characters count twice, and of a long
    line only the neighbourhood is shown.
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
    """Return how many terminal columns ``text`` takes."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )


def _rebuilt(
    kind: type[SyntaxProblem],
    text: str,
    column: int,
    expected: tuple[str, ...],
    hint: str,
    problem: str,
) -> SyntaxProblem:
    return kind(text, column, expected, hint, problem=problem)
