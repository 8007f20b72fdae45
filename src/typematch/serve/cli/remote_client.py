"""Ask a running server instead of opening the file: nothing is loaded for it but what sends."""

from __future__ import annotations

import json
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Any
from urllib.parse import urlencode, urlsplit

from typematch.errors import OutsideError, UsageError
from typematch.search.present.result_decoder import received_result
from typematch.search.present.wire_format import Document
from typematch.search.results import SearchResult

_SECONDS = 30.0  # the server gives up before
_ASKED_WRONGLY = (400, 404, 422)
_CONNECTIONS = {"http": HTTPConnection, "https": HTTPSConnection}


def ask_server(
    address: str, query: str, *, limit: int | None, services: int | None, token: str = ""
) -> Document:
    """Return what the server at ``address`` finds, a document of ``typematch.search/1``.

    Args:
        address: ``http://host:port``; the scheme may be left out.
        token: sent as ``Authorization: Bearer``, if not empty.

    Raises:
        UsageError: the address is none, or the server says that it was asked wrongly.
        OutsideError: no server of ours answers there, or it cannot answer now.
    """
    if limit is None:
        raise UsageError("a server does not list everything", hint="Say how many: --limit 100")
    asked = {"q": query, "limit": limit, **({} if services is None else {"services": services})}
    headers = {"Accept": "application/json"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    connection, base = _connection(address)
    try:
        connection.request("GET", f"{base}/api/search?{urlencode(asked)}", headers=headers)
        answer = connection.getresponse()
        status, content = answer.status, answer.read()
    except (OSError, HTTPException, UnicodeError) as error:
        raise OutsideError(
            f"no server answers there ({getattr(error, 'strerror', '') or error})",
            address,
            "Start one: typematch serve",
        ) from error
    finally:
        connection.close()
    document = _document(content)
    if document.get("format") == "typematch.search/1":
        return document
    if document.get("format") == "typematch.error/1":
        told = (str(document.get(part, "")) for part in ("what", "where", "hint"))
        raise (UsageError if status in _ASKED_WRONGLY else OutsideError)(*told)
    raise OutsideError(
        f"what answers there is no typematch server (status {status})",
        address,
        "Give the address that `typematch serve` prints.",
    )


def result_of(document: Document, address: str) -> SearchResult:
    """Return the result that a server sent.

    Raises:
        OutsideError: it is not what this version understands.
    """
    try:
        return received_result(document)
    except (KeyError, TypeError, AttributeError) as error:
        raise OutsideError(
            f"the server's answer lacks something ({error})", address, "Is it of another version?"
        ) from error


def _connection(address: str) -> tuple[HTTPConnection, str]:
    try:
        parts = urlsplit(address if "://" in address else f"http://{address}")
        host = parts.hostname
        if host:
            made = _CONNECTIONS[parts.scheme]
            return made(host, parts.port, timeout=_SECONDS), parts.path.rstrip("/")
        raise ValueError("no host")
    except (KeyError, ValueError, HTTPException) as error:
        raise UsageError(
            "this is no address of a server", address, "Try: --at http://127.0.0.1:8737"
        ) from error


def _document(content: bytes) -> dict[str, Any]:
    try:
        read = json.loads(content)
    except ValueError:
        return {}
    return read if isinstance(read, dict) else {}
