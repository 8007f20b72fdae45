"""Completions of the end of a query: facet keys, facet values, and types of a signature."""

from __future__ import annotations

import re
from collections.abc import Iterable

from typematch.errors import QuerySyntaxError
from typematch.index.store import Store
from typematch.query.model import FACETS, Form
from typematch.query.read_as import quoted
from typematch.query.signature.type_expr import KEYWORDS
from typematch.query.split import split_query

_NAME = re.compile(r"[^\W\d][\w$]*\Z")
_BEFORE_TYPE = re.compile(r"(?:[:|&<>\[(,]|=>|->)\s*\Z")  # a name after these can be a type
_BEFORE_PARAMETER = re.compile(r"[(,]\s*\Z")  # the name of a parameter, or its type
_MIN_LENGTH = 2  # of a name that is completed to types


def query_completions(text: str, store: Store, *, limit: int = 50) -> tuple[str, ...]:
    """Return ``text`` with its end completed.

    The end is the last word, completed to a facet key or a value of a facet; or the last name in a
    signature or in the value of a facet of types, completed to types.  Free words have no
    completions.
    """
    types = _types(text, store, limit)
    if types is not None:
        return types
    word = _after_last(" ", text)
    prefix = text[: len(text) - len(word)]
    sign = "-" if word.startswith("-") else ""
    key, colon, values = word.removeprefix(sign).partition(":")
    if not colon:
        return tuple(f"{prefix}{sign}{facet}:" for facet in FACETS if facet.startswith(key))
    if key not in FACETS:
        return ()
    value = _after_last(",", values)
    beginning = value.removeprefix('"')
    known = store.ids_beginning(beginning, limit) if key == "like" else _values(key, store)
    start = text[: len(text) - len(value)]
    return tuple(f"{start}{quoted(name)}" for name in _starting(known, beginning))[:limit]


def _types(text: str, store: Store, limit: int) -> tuple[str, ...] | None:
    """Return ``text`` with the type at its end completed; None if there cannot be a type."""
    match = _NAME.search(text)
    before = text[: match.start()] if match else text
    if not _is_type_expected(before):
        return None
    beginning = match[0] if match else ""
    if len(beginning) < _MIN_LENGTH:
        return ()
    # In a list of parameters only a capital letter tells types from names.
    if _BEFORE_PARAMETER.search(before) and not beginning[0].isupper():
        return ()
    keywords = [name for name in _starting(KEYWORDS, beginning) if name != beginning]
    names = [*keywords, *store.type_names_beginning(beginning, limit)]
    return tuple(f"{before}{name}" for name in dict.fromkeys(names))[:limit]


def _is_type_expected(before: str) -> bool:
    """Return whether a name after this beginning of a query is in a signature or a type."""
    probe = "x"  # stands for the name
    try:
        pieces = split_query(before + probe)
    except QuerySyntaxError:
        return False
    if pieces.tokens and pieces.tokens[-1].end == len(before) + len(probe):
        [*_, key] = (token.text for token in pieces.tokens if token.kind == "KEY")
        form = FACETS[key].form
        has_type = form is Form.TYPE or (form is Form.FIELD and ":" in pieces.tokens[-1].text)
        return has_type and bool(_BEFORE_TYPE.search(before))
    if pieces.separator < 0 and pieces.arrow < 0 and not re.search(r"[(\[{<]", pieces.rest):
        return False
    return bool(_BEFORE_TYPE.search(before))


def _after_last(separator: str, text: str) -> str:
    """Return what follows the last separator outside quotes."""
    end = text.rfind('"') if text.count('"') % 2 else len(text)
    return text[text.rfind(separator, 0, end) + 1 :]


def _values(key: str, store: Store) -> tuple[str, ...]:
    return FACETS[key].flags or store.scope_values(key)


def _starting(values: Iterable[str], prefix: str) -> Iterable[str]:
    return (value for value in values if value.startswith(prefix))
