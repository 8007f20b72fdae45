"""Applies the proposal of a syntax error to the whole query."""

from __future__ import annotations

import re

from typematch.errors import QuerySyntaxError
from typematch.query.parse import parse
from typematch.query.split import split_query

_SIGNATURE_HINT = re.compile(r"Try: (?P<text>(?:(?! {3}or: ).)+)", re.DOTALL)


def corrected_query(error: QuerySyntaxError) -> str:
    """Return the query with what the error's hint proposes; empty if that is no valid query.

    A hint repairs the signature, the type, or one key or value of a facet; all else stays as it is.
    """
    corrected = error.corrected or _with_signature(error)
    try:
        parse(corrected)
    except QuerySyntaxError:
        return ""
    return corrected


def _with_signature(error: QuerySyntaxError) -> str:
    hint = _SIGNATURE_HINT.fullmatch(error.hint)
    if hint is None:
        return ""
    try:
        pieces = split_query(error.text)
    except QuerySyntaxError:
        return ""
    start = pieces.separator + 2 if pieces.separator >= 0 else 0
    body = pieces.rest[start:]
    first, last = start + len(body) - len(body.lstrip()), start + len(body.rstrip())
    # A facet inside of the signature is a blank in ``rest``: it would be lost.
    is_in_body = first < last and first <= error.column <= last
    if not is_in_body or error.text[first:last] != pieces.rest[first:last]:
        return ""
    return f"{error.text[:first]}{hint['text']}{error.text[last:]}"
