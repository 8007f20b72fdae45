"""Read the words of a query that no entry has as words of the catalog: other spellings, synonyms.

Words that an entry has stay as they are, so nothing that is found without this gets lost.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from typematch.index.store import Store
from typematch.index.text.full_text import (
    STOP_WORDS,
    FullTextQuery,
    full_text_query,
    without_phrases,
)
from typematch.query.model import Query
from typematch.query.split import split_query
from typematch.search.prepare.spelling import MAX_WORDS, MIN_LETTERS

_MIN_LETTERS_SUBSTITUTED = 8  # "bread" is no misspelled "break"
# Words of documentation that no request is about: "cold" is no misspelled "could".
_FUNCTION_TEXT = """
could would should might must shall does done being because about after before between both each
every other into only over same also very more most much many
"""
_FUNCTION_WORDS = STOP_WORDS | frozenset(_FUNCTION_TEXT.split())
# The words of a line have one meaning; those that are used most come first.
_SYNONYMS = """
request fetch
record dictionary dict hashmap
remove delete erase discard
find search lookup locate
create make build construct
join concat append
maximum largest biggest greatest highest
minimum smallest least lowest
start begin launch commence
stop end finish terminate
callback handler listener
text string
number numeric
boolean bool
clone copy duplicate
directory folder dir
convert transform
delay sleep wait pause
print output display
parse decode deserialize
stringify encode serialize
error exception failure
validate check verify
average mean
length size count
unique distinct dedupe
email mail
url uri link
"""
_SYNONYM_LINES = tuple(tuple(line.split()) for line in _SYNONYMS.split("\n") if line)


def word_readings(query: Query, store: Store) -> dict[str, str]:
    """Return the words to search for instead of words that no entry has.

    Phrases, prefixes, excluded words, names of types and proper names stay as they are.
    """
    typed = f"{query.name} {query.words}"
    words = full_text_query(without_phrases(typed, query.phrases)).words
    if not words or len(words) > MAX_WORDS:
        return {}
    unknown = [word for word in store.unknown_words(words) if _pattern(word).search(typed)]
    readings = {}
    for word in unknown:
        for other in (*_named_synonyms(word, store), *_spellings(word, store)):
            readings[word] = other
            break
    return readings


def with_readings(text: str, readings: dict[str, str]) -> str:
    """Return the text of a query with other words in place of those of ``readings``.

    Values of facets stay as they are.
    """
    rest = split_query(text).rest
    words = [
        (match.start(), match.end(), other)
        for word, other in readings.items()
        for match in _pattern(word).finditer(rest)
    ]
    for start, end, other in sorted(words, reverse=True):
        text = text[:start] + other + text[end:]
    return text


def _pattern(word: str) -> re.Pattern[str]:
    """Match a word that stands alone and in lower case: a capital begins a name."""
    return re.compile(rf"(?<![\w*\"-]){re.escape(word)}(?![\w*\"])")


def _named_synonyms(word: str, store: Store) -> Iterator[str]:
    """Yield the synonyms of a word that a name of the catalog has."""
    for line in _SYNONYM_LINES:
        if word in line:
            for other in line:
                named = FullTextQuery((other,), names_only=True)
                if other != word and store.lexical(named, limit=1):
                    yield other


def _spellings(word: str, store: Store) -> list[str]:
    """Return the words of names that differ from ``word`` by one slip, the most used first."""
    if len(word) < MIN_LETTERS or not word.isalpha():
        return []
    near = [other for other in store.similar_words(word) if _is_slip(word, other)]
    return sorted(near, key=lambda other: store.word_weights((other,)))


def _is_slip(word: str, other: str) -> bool:
    """Whether ``word`` is ``other`` with a letter left out, added, or exchanged with the next.

    In a long word a letter may also be another one.  The first letter is right.
    """
    if word[0] != other[0] or len(other) < MIN_LETTERS or other in _FUNCTION_WORDS:
        return False
    shorter, longer = sorted((word, other), key=len)
    start = next((i for i, letter in enumerate(shorter) if letter != longer[i]), len(shorter))
    if len(longer) == len(shorter) + 1:
        return shorter[start:] == longer[start + 1 :]
    if len(longer) != len(shorter):
        return False
    is_exchange = word[start + 2 :] == other[start + 2 :] and set(word[start : start + 2]) == set(
        other[start : start + 2]
    )
    is_substitution = word[start + 1 :] == other[start + 1 :]
    return is_exchange or (is_substitution and len(word) >= _MIN_LETTERS_SUBSTITUTED)
