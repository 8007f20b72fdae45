"""Name the words of a query that the catalog does not have, and suggest spellings for them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import get_close_matches

from typematch.index.store import Store
from typematch.index.text.full_text import full_text_query
from typematch.query.model import Glob, Query

MAX_WORDS = 12  # a longer request has other words that are found
MIN_LETTERS = 4  # a shorter word is similar to too many others
_MAX_NAMED = 5  # unknown words in one sentence


def spelling_notices(query: Query, store: Store, *, found: bool) -> Iterator[str]:
    """Yield sentences for unknown words, and for a ``name:`` that is similar to a known one.

    Args:
        found: whether the query has hits; then ``name:`` is not checked.
    """
    words = full_text_query(f"{query.name} {query.words}").words
    unknown = store.unknown_words(words) if words and len(words) <= MAX_WORDS else ()
    is_typed = query.signature is not None or query.type is not None
    only_types = ": only types were compared" if is_typed and len(unknown) == len(words) else ""
    strange: list[str] = []
    for word in unknown:
        similar = store.similar_words(word) if len(word) >= MIN_LETTERS else ()
        if similar:
            choice = " or ".join(similar)
            yield f"No entry here has the word {word}{only_types}; did you mean {choice}?"
        else:
            strange.append(word)
    if strange and found:
        listed = ", ".join(strange[:_MAX_NAMED])
        noun = "word" if len(strange) == 1 else "words"
        yield f"No entry here has the {noun} {listed}{only_types}."
    if found:
        return
    for constraint in query.constraints:
        for value in constraint.values if constraint.key == "name" else ():
            name = value.pattern.strip("*") if isinstance(value, Glob) else ""
            if name and not constraint.negated and (similar := _similar_names(name, store)):
                yield f"Nothing here is called {name}; did you mean {' or '.join(similar)}?"


def _similar_names(name: str, store: Store) -> tuple[str, ...]:
    similar = store.similar_words(name)
    return () if name.lower() in similar else similar


def did_you_mean(names: Sequence[str], otherwise: str = ".") -> str:
    """Return the end of a sentence on an unknown name, with the names that may be meant."""
    return f"; did you mean {' or '.join(names)}?" if names else otherwise


def nearest_values(text: str, values: Sequence[str]) -> list[str]:
    """Return up to three values that are spelled most like ``text``, ignoring case."""
    by_lower: dict[str, str] = {}
    for value in values:
        by_lower.setdefault(value.lower(), value)
    close = get_close_matches(text.lower(), by_lower, n=3, cutoff=0.5)
    return [by_lower[lowered] for lowered in close]
