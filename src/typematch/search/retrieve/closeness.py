"""Decide whether hits of a query in words are close to it, or only the nearest of what there is.

Full text and vectors always find something.  A hit is close if its texts have the words of the
query that matter, or if its vector is near.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from typematch.index.store import Store
from typematch.index.text.full_text import STOP_WORDS, full_text_query
from typematch.index.text.words import words_of
from typematch.search.retrieve.dense import OpenEmbedder, query_vectors

# Of coverage plus cosine of the best hits.  That of code was chosen on compiler/ with 40 requests
# that have nothing to do with the catalog (39 have at most .93) and 75 labelled ones (.98 or
# more); on wide/ 35 of the 40 have less and no labelled one has.  That of operations was chosen
# on RestBench (.46 and .60), where catalogs are small and every other word is a name.
_MIN_CLOSENESS = 0.94
_MIN_CLOSENESS_OF_OPERATIONS = 0.53
# Of the cosine alone: words may occur in an example that has another subject.  The lowest of a
# labelled query is .38; placeholder text that a documentation quotes has .33 on both corpora.
_MIN_COSINE = 0.35
# Of coverage alone, without vectors.
_MIN_COVERAGE = 0.35
_MIN_COVERAGE_OF_OPERATIONS = 0.25
_MAX_WORDS = 20  # of a longer text no entry has most words
_PROPER_NAME = re.compile(
    r"(?<=[^.?!\s] )[\"'(]*([A-Z0-9][\w'.-]*)"
)  # not at a sentence's beginning


def are_close(
    texts: Sequence[str],
    numbers: Sequence[int],
    store: Store,
    open_embedder: OpenEmbedder | None,
    *,
    operations: bool = False,
) -> bool:
    """Return whether one of the entries is close to one of ``texts``.

    Args:
        texts: a request and its clauses.
        numbers: the best entries.
        open_embedder: opens the model of the vectors; without it only words are compared.
        operations: the entries are operations of services.
    """
    for text in texts:
        words = full_text_query(text).words
        if STOP_WORDS.issuperset(words):
            continue  # every other text has them
        if len(words) > _MAX_WORDS:
            return True
        cosine = _best_cosine(text, numbers, store, open_embedder)
        if cosine is None:
            least = _MIN_COVERAGE_OF_OPERATIONS if operations else _MIN_COVERAGE
        elif cosine < _MIN_COSINE and not operations:
            continue
        else:
            least = _MIN_CLOSENESS_OF_OPERATIONS if operations else _MIN_CLOSENESS
        share = least - (cosine or 0.0)
        if share <= 0 or store.has_coverage(_without_names(words, text, store), numbers, share):
            return True
    return False


def _without_names(words: Sequence[str], text: str, store: Store) -> Sequence[str]:
    """Return ``words`` without unknown proper names and numbers: they are values, not APIs."""
    names = {part for name in _PROPER_NAME.findall(text) for part in words_of(name)}
    unknown = frozenset(store.unknown_words([word for word in words if word in names]))
    return [word for word in words if word not in unknown] or words


def _best_cosine(
    text: str, numbers: Sequence[int], store: Store, open_embedder: OpenEmbedder | None
) -> float | None:
    """Return the highest cosine of ``text`` and the entries; None without vectors."""
    if open_embedder is None:
        return None
    vectors = query_vectors((text,), store, open_embedder).vectors
    if vectors is None:
        return None
    import numpy as np

    return float(store.cosines(vectors, np.array(sorted(numbers), dtype=np.int64)).max())
