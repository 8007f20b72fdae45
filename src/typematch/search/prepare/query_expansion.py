"""Prepare other wordings of a query, as a model suggests them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice

from typematch.errors import QuerySyntaxError, UsageError
from typematch.index.store import Store
from typematch.query.model import Query
from typematch.search.llm_protocols import Expansion
from typematch.search.prepare.prepared_query import PreparedQuery, prepare_query

# Characters with a meaning in the query language.
_PUNCTUATION = re.compile(r"[^\w\s']+")
_MAX_WORDINGS = 12


@dataclass(frozen=True, slots=True)
class ExpandedQuery:
    """Other wordings of a query.

    Attributes:
        wordings: prepared queries by text, without the original; they have its facets and
            settings too.
        notes: a sentence for each wording that was dropped.
    """

    wordings: Mapping[str, PreparedQuery]
    notes: tuple[str, ...]


def is_expandable(query: Query) -> bool:
    """Return whether a query is in words, without a signature or type."""
    return bool(query.words) and query.signature is None and query.type is None


def expand_query(prepared: PreparedQuery, expansion: Expansion, store: Store) -> ExpandedQuery:
    """Prepare the phrasings of an expansion, and its constraints with the query's own words."""
    notes: list[str] = []
    wordings: dict[str, PreparedQuery] = {}
    for phrasing in expansion.phrasings:
        words = " ".join(_PUNCTUATION.sub(" ", phrasing).split())
        for text, wording in _prepared(words, prepared, store, notes):
            wordings.setdefault(text, wording)
    for constraint in expansion.constraints:
        for text, wording in _prepared(constraint, prepared, store, notes):
            wordings.setdefault(text, _with_words(wording, prepared.query.words))
    wordings.pop(prepared.query.words, None)
    return ExpandedQuery(dict(islice(wordings.items(), _MAX_WORDINGS)), tuple(notes))


def dropped_note(text: str, reason: str) -> str:
    return f"Claude's {text!r} was dropped: {reason}".removesuffix(".") + "."


def _prepared(
    text: str, prepared: PreparedQuery, store: Store, notes: list[str]
) -> Iterator[tuple[str, PreparedQuery]]:
    """Yield a text and its query with the facets of ``prepared``; nothing if it has an error."""
    if not text.strip():
        return
    try:
        wording = prepare_query(text, store)
    except (QuerySyntaxError, UsageError) as error:
        notes.append(dropped_note(text, error.what))
        return
    if wording.empty_scopes:
        notes.append(dropped_note(text, wording.empty_scopes[0]))
        return
    query = prepared.query
    constraints = (*query.constraints, *wording.query.constraints)
    merged = replace(
        wording.query,
        constraints=constraints,
        limit=query.limit,
        sort=query.sort,
        strict=query.strict,
        strictness=query.strictness,
    )
    yield text, replace(wording, query=merged)


def _with_words(wording: PreparedQuery, words: str) -> PreparedQuery:
    """Add words to a constraint that has neither words nor a type."""
    if wording.query.words or wording.query.type is not None:
        return wording
    return replace(wording, query=replace(wording.query, words=words))
