"""Locations of the database, the user's cache and models; the environment is an argument."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

DATABASE_NAME = "typematch.db"
SERVER_SCHEMES = ("postgresql://", "postgres://")
_DEFAULT_SCHEMA = "typematch"
_SCHEMA = "schema"  # the parameter of an address that names the schema
SECRETS = frozenset(("password", "sslpassword", "passfile", "sslkey"))


@dataclass(frozen=True, slots=True)
class ServerUrl:
    """The address of a catalog on a PostgreSQL server; as text it is without a password.

    Attributes:
        address: what the driver connects to.
        schema: of the catalog's tables, one catalog each; parameter ``schema`` of the URL.
        shown: the address for messages.
    """

    address: str = field(repr=False)
    schema: str
    shown: str

    def __str__(self) -> str:
        return self.shown


# Where a database is: a file, or a schema of a server.
Location: TypeAlias = Path | ServerUrl


def location_of(text: str | Location) -> Location:
    """Return the location that a user names: a path, or ``postgresql://user@host/database``."""
    if isinstance(text, str) and text.startswith(SERVER_SCHEMES):
        return _server_url(text)
    return Path(text) if isinstance(text, str) else text


def _server_url(text: str) -> ServerUrl:
    scheme, _, rest = text.partition("://")
    # A password may have any sign, even if it should be quoted; what follows has no other "@".
    credentials, at, rest = rest.rpartition("@")
    user, colon, password = credentials.partition(":")
    user, password = (quote(unquote(part), safe="") for part in (user, password))
    _, host, path, query, _ = urlsplit(f"//{rest}".replace("#", "%23"))
    parameters = parse_qsl(query, keep_blank_values=True)
    schema = dict(parameters).get(_SCHEMA) or _DEFAULT_SCHEMA
    passed = urlencode([item for item in parameters if item[0] != _SCHEMA], quote_via=quote)
    shown = urlencode([item for item in parameters if item[0] not in SECRETS], safe="/")
    return ServerUrl(
        f"{scheme}://{user}{colon}{password}{at}{host}{path}" + (f"?{passed}" if passed else ""),
        schema,
        f"{scheme}://{user}{at}{host}{path}" + (f"?{shown}" if shown else ""),
    )


def database_path(
    path: str | Location | None, environment: Mapping[str, str], folder: Path
) -> Location:
    """Return the location of the database; a file need not exist.

    It is ``path`` (``--db``), else the variable TYPEMATCH_DB, else the nearest ``typematch.db``
    in ``folder`` or a parent, else ``typematch.db`` in ``folder``.
    """
    if path:
        return location_of(path)
    if environment.get("TYPEMATCH_DB"):
        return location_of(environment["TYPEMATCH_DB"])
    for candidate in (folder, *folder.parents):
        if (candidate / DATABASE_NAME).is_file():
            return candidate / DATABASE_NAME
    return folder / DATABASE_NAME


def embedding_model(environment: Mapping[str, str]) -> str:
    """Return the user's embedding model, as ``open_embedder`` takes it; empty for none.

    Only the environment is read: a folder's settings and database files are not the user's own.
    """
    return environment.get("TYPEMATCH_EMBEDDING_MODEL", "")


def cache_folder(environment: Mapping[str, str]) -> Path | None:
    """Return typematch's folder in the user's cache; None without a home folder."""
    for variable, suffix in (("XDG_CACHE_HOME", ""), ("LOCALAPPDATA", ""), ("HOME", ".cache")):
        base = environment.get(variable)
        if base and Path(base).is_absolute():
            return Path(base) / suffix / "typematch"
    return None
