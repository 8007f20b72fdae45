"""Say what may have been meant where a word or a name is none that the catalog knows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from typing import Protocol

from typematch.index.text.full_text import asked_of
from typematch.query.model import Glob, Query

_MOST_WORDS = 12  # of a request; who writes more of them has other words that are found
_SHORT = 4  # letters: a shorter word is like too many others


class SpellingStore(Protocol):
    """What this asks of a store."""

    def unknown(self, words: Sequence[str], /) -> tuple[str, ...]: ...

    def near_words(self, word: str, /, limit: int = ...) -> tuple[str, ...]: ...


def misspelled(query: Query, store: SpellingStore, *, found: bool) -> Iterator[str]:
    """Yield a sentence for each word or ``name:`` that nothing has and something is like."""
    asked = asked_of(f"{query.name} {query.words}").words
    wanted = [word for word in asked if len(word) >= _SHORT] if len(asked) <= _MOST_WORDS else []
    for word in store.unknown(wanted) if wanted else ():
        if near := store.near_words(word):
            yield f"Nothing here speaks of {word}; did you mean {' or '.join(near)}?"
    if found:
        return
    for constraint in query.constraints:
        for value in constraint.values if constraint.key == "name" else ():
            plain = value.pattern.strip("*") if isinstance(value, Glob) else ""
            if plain and not constraint.negated and (near := _other(plain, store)):
                yield f"Nothing here is called {plain}; did you mean {' or '.join(near)}?"


def _other(name: str, store: SpellingStore) -> tuple[str, ...]:
    near = store.near_words(name)
    return () if name.lower() in near else near


def nearest_values(asked: str, known: Sequence[str]) -> list[str]:
    """Return the values of a facet that are spelled most like ``asked``, letter case aside."""
    lowered: dict[str, str] = {}
    for one in known:
        lowered.setdefault(one.lower(), one)
    close = get_close_matches(asked.lower(), lowered, n=3, cutoff=0.5)
    return [lowered[one] for one in close]
