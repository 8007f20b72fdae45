"""Errors as a server tells them to its clients.

Paths of the server's disk and commands for its owner are left out: the owner reads them where the
server was started, and a client can do nothing with them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from typematch.errors import (
    DatabaseError,
    MissingDatabaseError,
    NoEntryError,
    QuerySyntaxError,
    TypematchError,
    UserError,
)
from typematch.query.corrected_query import corrected_query

ErrorReplyKind: TypeAlias = Literal["user", "missing", "database", "outside"]


@dataclass(frozen=True, slots=True)
class ErrorReply:
    """A ``TypematchError`` as values that can be sent between processes.

    Attributes:
        kind: ``user`` (the request is wrong), ``missing`` (no such entry), ``database`` or
            ``outside`` (the request may succeed later).
        column: offset of a syntax error in the query, in characters, from 0; else None.
        suggestion: a valid query to use instead; empty if there is none.
    """

    kind: ErrorReplyKind
    what: str
    where: str = ""
    hint: str = ""
    column: int | None = None
    suggestion: str = ""


def error_reply(error: TypematchError) -> ErrorReply:
    match error:
        case NoEntryError():
            return ErrorReply("missing", error.what, hint="Search for its name to find its id.")
        case QuerySyntaxError():
            # The text of a syntax error includes the query with a caret below it, and the hint.
            suggestion = corrected_query(error)
            return ErrorReply("user", str(error), column=error.column, suggestion=suggestion)
        case UserError(where=""):
            return ErrorReply("user", str(error))
        case UserError():
            return ErrorReply("user", error.what, error.where, error.hint)
        case MissingDatabaseError():
            return ErrorReply(
                "database", "nothing has been indexed here yet", hint="Retry in a few seconds."
            )
        case DatabaseError():
            return ErrorReply(
                "database", error.what, hint="Whoever runs this server can repair its database."
            )
        case _:
            return ErrorReply("outside", error.what, hint="Retry later.")
