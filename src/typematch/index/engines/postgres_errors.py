"""Errors of PostgreSQL and its driver as sentences; none of them shows a password."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, unquote, urlsplit

from typematch.config import SECRETS
from typematch.errors import DatabaseError, LockedError, ReadOnlyError

if TYPE_CHECKING:
    import psycopg

    from typematch.config import ServerUrl

RETRY = "Run the command again; everything committed so far is kept."
# Of a connection that was refused there is no state, only a message.
_REFUSALS = {
    "password authentication failed": "28P01",
    "no password supplied": "28P01",
    "no pg_hba.conf entry": "28000",
    "Peer authentication failed": "28000",
    'role "': "28000",
    'database "': "3D000",
}


def translated(
    error: psycopg.Error,
    location: ServerUrl,
    *,
    is_connected: bool,
    writable: bool,
    waited_seconds: float,
) -> DatabaseError:
    """Return what a driver's error means.

    Args:
        is_connected: the connection was made and is still open.
        writable: whether it was made to write.
        waited_seconds: the limit of waiting for locks.
    """
    where = str(location)
    first = _first_line(error, location)
    state = error.sqlstate or ("" if is_connected else _state_of_refusal(first))
    match state:
        case "28P01" | "28000":
            return DatabaseError(
                f"the server refused the user or the password ({first})",
                where,
                "Check the user of the address, and its password: PGPASSWORD or ~/.pgpass.",
            )
        case "3D000":
            return DatabaseError(
                f"the server has no such database ({first})", where, "Create it: createdb NAME"
            )
        case "42501" if not writable:
            return DatabaseError(
                f"the role may not read the catalog ({first})",
                where,
                f'Grant it: GRANT USAGE ON SCHEMA "{location.schema}" TO NAME; '
                f'GRANT SELECT ON ALL TABLES IN SCHEMA "{location.schema}" TO NAME',
            )
        case "25006" | "42501":
            return read_only(location, first)
        case "55P03":
            return LockedError(where, waited_seconds)
        case "57014":
            return DatabaseError(
                f"the server cancelled a statement ({first})",
                where,
                f"Raise statement_timeout of the role, or set it to 0.  {RETRY}",
            )
        case "53100":
            return DatabaseError(
                "no space is left on the server's disk", where, f"Free some space.  {RETRY}"
            )
        case _ if is_connected:
            return DatabaseError(first, where, "typematch doctor checks the database.")
        case _:
            return DatabaseError(
                f"the server cannot be reached ({first})",
                where,
                "Check host, port and network, and that the server runs: pg_isready",
            )


def lost(error: psycopg.Error, location: ServerUrl) -> DatabaseError:
    """Return the error of a connection that ended."""
    reason = _first_line(error, location)
    return DatabaseError(f"the connection to the server was lost ({reason})", str(location), RETRY)


def _first_line(error: psycopg.Error, location: ServerUrl) -> str:
    lines = without_password(str(error), location).strip().splitlines()
    return lines[0] if lines else type(error).__name__


def read_only(location: ServerUrl, reason: str) -> ReadOnlyError:
    return ReadOnlyError(
        str(location), reason, "Use a role that may write the schema.  Searches work."
    )


def without_password(message: str, location: ServerUrl) -> str:
    """Return a message of the server or its library without the secrets of the address."""
    parts = urlsplit(location.address)
    secrets = [parts.password or ""]
    secrets += [value for name, value in parse_qsl(parts.query) if name in SECRETS]
    for secret in secrets:
        for spelling in filter(None, (secret, unquote(secret))):
            message = message.replace(spelling, "***")
    return message


def _state_of_refusal(message: str) -> str:
    return next((state for part, state in _REFUSALS.items() if part in message), "")
