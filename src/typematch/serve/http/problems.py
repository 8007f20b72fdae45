"""Say over HTTP what went wrong: the parts of our errors, with the status that they have there."""

from __future__ import annotations

from typematch.search.present.wire_format import Document
from typematch.serve.http.worker_process import ErrorReply

_STATUS = {"user": 400, "missing": 404, "database": 503, "outside": 503}


def problem(what: str, where: str = "", hint: str = "") -> Document:
    return {"format": "typematch.error/1", "what": what, "where": where, "hint": hint}


def status_of(refusal: ErrorReply) -> int:
    return _STATUS[refusal.sort]
