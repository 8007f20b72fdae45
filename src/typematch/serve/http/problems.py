"""Problem details (RFC 9457): the body of every error, and its HTTP status."""

from __future__ import annotations

import json
from http import HTTPStatus

from typematch.search.present.wire_format import Document
from typematch.serve.workers.error_replies import ErrorReply

PROBLEM_TYPE = "application/problem+json"
_STATUS = {"user": 400, "missing": 404, "database": 503, "outside": 503}


def problem_document(
    status: int,
    detail: str,
    *,
    where: str = "",
    hint: str = "",
    column: int | None = None,
    suggestion: str = "",
) -> Document:
    """Return the document ``wire_schema.ProblemDocument`` of an error."""
    return {
        "format": "typematch.error/2",
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        "where": where,
        "hint": hint,
        "column": column,
        "suggestion": suggestion,
    }


def problem_bytes(status: int, detail: str) -> bytes:
    return json.dumps(problem_document(status, detail)).encode()


def reply_problem(reply: ErrorReply) -> Document:
    """Return the document of a worker's error; its ``status`` is that of the response."""
    return problem_document(
        _STATUS[reply.kind],
        reply.what,
        where=reply.where,
        hint=reply.hint,
        column=reply.column,
        suggestion=reply.suggestion,
    )
