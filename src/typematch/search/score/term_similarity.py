"""Score entries by how near their words are to the words of a query.

The vector of a text mixes all its words, and full text knows only equal ones.  Here each word of
the query is compared with the nearest word of the entry (late interaction): ``biggest`` is near to
``largest``, whatever stands around it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from typematch.index.store import EntrySummary, Store
from typematch.index.text.full_text import full_text_query
from typematch.index.vectors.embedding import TermModel
from typematch.search.score.ranks import relative_scores

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_DOC_CHARACTERS = 1_000
_DOC_WEIGHT = 0.8  # of a word of the documentation; of a word of the qualified name 1.0
# Words whose cosine is lower have nothing in common.
_MIN_COSINE = 0.3
_MAX_WORDS = 40  # of a query


def term_scores(
    words: str, entries: Sequence[EntrySummary], model: TermModel, store: Store
) -> dict[int, float]:
    """Return the similarity of ``words`` and each entry, by number; the best one is 1.0."""
    terms = full_text_query(words).words[:_MAX_WORDS]
    if not terms or not entries:
        return {}
    similarity = _similarity(terms, entries, model, store)
    numbers = [entry.number for entry in entries]
    return relative_scores(dict(zip(numbers, similarity, strict=True)))


def _similarity(
    terms: Sequence[str], entries: Sequence[EntrySummary], model: TermModel, store: Store
) -> list[float]:
    """Return by entry the mean similarity of its nearest words, weighted by how rare a term is."""
    import numpy as np

    docs = store.docs([entry.number for entry in entries], characters=_DOC_CHARACTERS)
    names = [_qualified_name(entry) for entry in entries]
    prose = [docs.get(entry.number, "") for entry in entries]
    cosines = _informative(model.term_cosines(terms, [*names, *prose]))
    nearest = np.maximum(cosines[: len(names)], _DOC_WEIGHT * cosines[len(names) :])
    weights = np.array(store.word_weights(terms), dtype=np.float32)
    similarity: list[float] = (nearest @ weights / weights.sum()).tolist()
    return similarity


def _informative(cosines: NDArray[np.float32]) -> NDArray[np.float32]:
    import numpy as np

    return np.where(cosines < _MIN_COSINE, np.float32(0), cosines)


def _qualified_name(entry: EntrySummary) -> str:
    """Return the name, its container and its package."""
    return f"{entry.id.partition('#')[2]} {entry.package}"
