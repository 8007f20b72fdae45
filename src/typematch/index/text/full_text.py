"""Full text over the fields of entries: words of a query, and which of them a search needs.

One column for each field, stemmed.  ``text.fts5`` and ``text.postings`` store and rank the texts.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from typematch.index.engines.engine import Database
from typematch.index.entries.selection import EVERYTHING, Selection
from typematch.index.text.words import split_identifiers, words_of
from typematch.word_operators import is_excluded, is_prefix

# BM25 weights of each column, in the order of ``TextFields``: of all entries, and of operations.
# Those of all entries were chosen on the labelled queries of one corpus and checked on another:
# full text alone has nDCG@10 .391 and .297, with the weights of operations .362 and .272.
WEIGHTS = {
    "name": (4.0, 6.0),
    "container": (2.0, 2.0),
    "package": (1.0, 1.0),
    "summary": (3.0, 3.0),
    "prose": (2.0, 1.0),
    "signature": (2.0, 1.0),
    "member_names": (1.0, 1.0),
    "enrichment_summary": (2.0, 2.0),
    "enrichment_questions": (2.0, 2.0),
    "enrichment_interface": (1.0, 1.0),
}
NAME_COLUMNS = ("name", "container", "package")
# Document frequencies are those of a table.  `list` and `fetch` are rare in functions and occur in
# every third operation, so operations have an index of their own as well.
TABLES = ("text", "operation_text")

_MAX_COUNTED_WORDS = 200  # words of a query whose frequency is looked up
_MIN_SIMILARITY = 0.75  # of a suggestion to the unknown word; 1.0 is equal
_MAX_CACHED_WORDS = 10_000
# A word in a larger share of all texts is dropped if the query has rarer ones.
_COMMON_SHARE = 0.25
MAX_WORDS = 12  # of a long query, the rarest; more cost time and change nothing
# Parameters of BM25, as FTS5 has them.
K1, B = 1.2, 0.75
_SMALLEST_IDF = 1e-6  # of a term that occurs in half of all texts

_STOP_WORDS = """
a an and any are as at be been by can do does for from given gives has have how i if in into is it
its let me my of on or so some such than that the their them then there these they this those to us
use used using want was we were what when where which while will with you your
"""
STOP_WORDS = frozenset(_STOP_WORDS.split())


@dataclass(frozen=True, slots=True)
class FullTextQuery:
    """Words to search for, split and in lower case.

    Attributes:
        words: each adds to the score.
        phrases: must occur as they are.
        excluded: must not occur.
        prefixes: beginnings of words; they count as words.
        names_only: search the columns of names only.
        frequencies: the number of texts with each of ``words``; empty if they were not counted.
    """

    words: tuple[str, ...] = ()
    phrases: tuple[tuple[str, ...], ...] = ()
    excluded: tuple[str, ...] = ()
    prefixes: tuple[str, ...] = ()
    names_only: bool = False
    frequencies: tuple[int, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.words or self.phrases or self.prefixes)

    @property
    def has_words(self) -> bool:
        """Whether there is any word, required or excluded."""
        return bool(self or self.excluded)


def full_text_query(words: str, phrases: Sequence[str] = ()) -> FullTextQuery:
    """Parse the words of a query: ``-word`` is excluded, ``word*`` is a prefix.

    Stop words are dropped unless there are no others.
    """
    excluded: list[str] = []
    required: list[str] = []
    prefixes: list[str] = []
    for word in words.split():
        excludes = is_excluded(word)
        parts = words_of(word)
        if is_prefix(word) and not excludes:
            prefixes.append(parts[-1])
            parts = parts[:-1]
        (excluded if excludes else required).extend(parts)
    informative = [word for word in required if word not in STOP_WORDS] or required
    quoted = tuple(split for phrase in phrases if (split := words_of(phrase)))
    return FullTextQuery(
        tuple(dict.fromkeys(informative)),
        quoted,
        tuple(dict.fromkeys(excluded)),
        tuple(dict.fromkeys(prefixes)),
    )


def without_phrases(words: str, phrases: Sequence[str]) -> str:
    """Return ``words`` without the first occurrence of each phrase."""
    for phrase in phrases:
        words = words.replace(phrase, " ", 1)
    return words


def inverse_document_frequency(texts: int, frequency: int) -> float:
    """Return the weight of a term in BM25 that ``frequency`` of ``texts`` have, as FTS5 does."""
    idf = math.log((texts - frequency + 0.5) / (frequency + 0.5))
    return idf if idf > 0.0 else _SMALLEST_IDF


class FullTextIndex:
    """The full-text index of one file."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._texts = database.texts
        # Of this data version: document frequencies by word, similar words by word and limit, and
        # the words of names.
        self._version: int | None = None
        self._frequencies: dict[str, int] = {}
        self._similar: dict[tuple[str, int], tuple[str, ...]] = {}
        self._words: frozenset[str] | None = None

    def lexical(
        self,
        query: FullTextQuery,
        selection: Selection = EVERYTHING,
        *,
        limit: int,
        match_all: bool = False,
        operations: bool = False,
    ) -> list[tuple[int, float]]:
        if not query:
            return []
        if not match_all and not operations and len(query.words) > 1:
            counted = self._informative_words(query.words)
            words, frequencies = zip(*counted, strict=True)
            query = replace(query, words=words, frequencies=frequencies)
        return self._texts.ranked(
            query,
            selection,
            limit=limit,
            match_all=match_all,
            operations=operations,
        )

    def has_coverage(self, words: Sequence[str], numbers: Sequence[int], share: float, /) -> bool:
        weights = self.word_weights(words)
        remaining = math.fsum(weights)
        needed, most = share * remaining, 0.0
        covered = dict.fromkeys(numbers, 0.0)
        # Rare words first: they have the highest weights, and few texts have them.
        for weight, word in sorted(zip(weights, words, strict=True), reverse=True):
            if most >= needed or most + remaining < needed:
                break
            remaining -= weight
            for number in self._texts.entries_with(word, numbers):
                covered[number] += weight
                most = max(most, covered[number])
        return most >= needed

    def word_weights(self, words: Sequence[str], /) -> tuple[float, ...]:
        texts, *frequencies = self._document_frequencies(("", *words))
        return tuple(math.log(1 + texts / (1 + frequency)) for frequency in frequencies)

    def unknown_words(self, words: Sequence[str], /) -> tuple[str, ...]:
        frequencies = self._document_frequencies(words)
        return tuple(word for word, found in zip(words, frequencies, strict=True) if not found)

    def similar_words(self, word: str, /, limit: int = 3) -> tuple[str, ...]:
        self._check_version()
        similar = self._similar.get((word, limit))
        if similar is None:
            similar = self._similar[word, limit] = self._similar_words(word, limit)
        return similar

    def _similar_words(self, word: str, limit: int) -> tuple[str, ...]:
        from difflib import get_close_matches

        word = word.lower()
        known = [other for other in self._words_of_names() if abs(len(other) - len(word)) <= 2]
        return tuple(get_close_matches(word, known, n=limit, cutoff=_MIN_SIMILARITY))

    def _words_of_names(self) -> frozenset[str]:
        """Return the names of all entries and their words, in lower case."""
        if self._words is None:
            rows = self._database.query("SELECT DISTINCT name FROM entry", ())
            names = [name for (name,) in rows]
            self._words = frozenset((*split_identifiers(names), *map(str.lower, names)))
        return self._words

    def _informative_words(self, words: Sequence[str]) -> list[tuple[str, int]]:
        """Return the words to search for with their frequencies: not too many, nor too common.

        They are in order of frequency, which is the order in which scores are summed.
        """
        counted = words[:_MAX_COUNTED_WORDS]
        texts, *frequencies = self._document_frequencies(("", *counted))
        known = sorted(
            (pair for pair in zip(counted, frequencies, strict=True) if pair[1]),
            key=lambda pair: pair[1],
        )[:MAX_WORDS]
        common = texts * _COMMON_SHARE
        rare = [(word, frequency) for word, frequency in known if frequency <= common]
        return rare or known or [(word, 0) for word in counted[:MAX_WORDS]]

    def _document_frequencies(self, words: Sequence[str]) -> list[int]:
        """Return the number of texts with each word; of all texts for the empty word."""
        self._check_version()
        counts = self._frequencies
        for word in words:
            if word not in counts:
                counts[word] = self._counted(word)
        return [counts[word] for word in words]

    def _counted(self, word: str) -> int:
        if word:
            return self._texts.document_frequency(word)
        return int(self._database.query("SELECT count(*) FROM entry")[0][0])

    def _check_version(self) -> None:
        version = self._database.data_version()
        is_full = len(self._frequencies) + len(self._similar) > _MAX_CACHED_WORDS
        if version != self._version or is_full:
            self._frequencies, self._similar, self._words = {}, {}, None
            self._version = version

    def clear_cache(self) -> None:
        self._version = None
        self._texts.clear_cache()
