"""HTTP client for ``search --at``: searches through a running server, without heavy imports."""

from __future__ import annotations

import json
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Any
from urllib.parse import urlencode, urlsplit

from typematch.errors import OutsideError, UsageError
from typematch.ir.literals import encodable
from typematch.search.present.result_decoder import decode_search_result
from typematch.search.present.wire_format import Document
from typematch.search.results import SearchResult

_TIMEOUT_SECONDS = 30.0  # longer than the server's own limit
_CLIENT_ERRORS = (400, 404, 422)
_CONNECTIONS = {"http": HTTPConnection, "https": HTTPSConnection}


def query_server(
    address: str, query: str, *, limit: int | None, services: int | None, token: str = ""
) -> Document:
    """Return the search result of the server at ``address``, a ``typematch.search/1`` document.

    Args:
        address: ``http://host:port``; the scheme may be omitted.
        token: sent as ``Authorization: Bearer`` unless empty.

    Raises:
        UsageError: the address is invalid, or the server rejects the query.
        OutsideError: no typematch server answers there, or it cannot answer now.
    """
    if limit is None:
        raise UsageError("a server does not support --limit all", hint="Give a number: --limit 100")
    parameters = {
        "q": encodable(query),
        "limit": limit,
        **({} if services is None else {"services": services}),
    }
    headers = {"Accept": "application/json, application/problem+json"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    connection, base = _connection(address)
    try:
        connection.request("GET", f"{base}/api/search?{urlencode(parameters)}", headers=headers)
        response = connection.getresponse()
        status, content = response.status, response.read()
    except UnicodeError as error:  # of a host name for IDNA, or of the path
        raise _invalid_address(address) from error
    except (OSError, HTTPException) as error:
        raise OutsideError(
            f"no server answers at this address ({getattr(error, 'strerror', '') or error})",
            address,
            "Start a server with: typematch serve",
        ) from error
    finally:
        connection.close()
    document = _document(content)
    if document.get("format") == "typematch.search/1":
        return document
    if document.get("format") == "typematch.error/2":
        parts = (str(document.get(part, "")) for part in ("detail", "where", "hint"))
        raise (UsageError if status in _CLIENT_ERRORS else OutsideError)(*parts)
    raise OutsideError(
        f"the server at this address is not a typematch server (status {status})",
        address,
        "Use the address that `typematch serve` prints.",
    )


def decode_result(document: Document, address: str) -> SearchResult:
    """Return the result that a server sent.

    Raises:
        OutsideError: the document does not have the expected format.
    """
    try:
        return decode_search_result(document)
    except ValueError as error:
        raise OutsideError(
            f"the server's answer cannot be decoded ({error})",
            address,
            "Check that client and server are of the same version.",
        ) from error


def _connection(address: str) -> tuple[HTTPConnection, str]:
    try:
        parts = urlsplit(address if "://" in address else f"http://{address}")
        host = parts.hostname
        if host:
            connection = _CONNECTIONS[parts.scheme]
            return connection(host, parts.port, timeout=_TIMEOUT_SECONDS), parts.path.rstrip("/")
        raise ValueError("no host")
    except (KeyError, ValueError, HTTPException) as error:
        raise _invalid_address(address) from error


def _invalid_address(address: str) -> UsageError:
    return UsageError(
        "this is not the address of a server", address, "Try: --at http://127.0.0.1:8737"
    )


def _document(content: bytes) -> dict[str, Any]:
    try:
        document = json.loads(content)
    except ValueError:
        return {}
    return document if isinstance(document, dict) else {}
