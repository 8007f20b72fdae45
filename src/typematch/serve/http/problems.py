"""Error documents and their HTTP status."""

from __future__ import annotations

from typematch.search.present.wire_format import Document
from typematch.serve.http.worker_process import ErrorReply

_STATUS = {"user": 400, "missing": 404, "database": 503, "outside": 503}


def error_document(what: str, where: str = "", hint: str = "") -> Document:
    return {"format": "typematch.error/1", "what": what, "where": where, "hint": hint}


def status_of(reply: ErrorReply) -> int:
    return _STATUS[reply.kind]
