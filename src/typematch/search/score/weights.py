"""The weights of relevance: one table.

They were chosen on the labelled queries of ``compiler/`` and half of those of ``wide/``;
``scripts/fit_fusion.py`` fits them anew, and prints what the half that was not fitted says of both.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Priors:
    """Factors of an entry's score, by what it is; whatever it is not has 1.0."""

    not_callable: float = 0.7
    class_: float = 0.9  # also a constructor and what is called as a function
    internal: float = 0.5  # its package does not export it
    deprecated: float = 0.9
    library: float = 0.9  # the ECMAScript globals, which every catalog has


# A kind of query: words alone, a sentence that mentions things of a type, a sentence that says what
# is taken and returned, a signature with words.
_CHANNELS: Mapping[str, Mapping[str, float]] = {
    "words": {"lexical": 1.0, "dense": 4.0, "terms": 1.0, "package": 1.0},
    "mention": {"structural": 0.64, "lexical": 1.0, "dense": 4.0, "terms": 1.0, "package": 1.0},
    "sentence": {"structural": 2.0, "lexical": 1.0, "dense": 4.0, "terms": 1.0, "package": 1.0},
    "signature": {"structural": 3.0, "lexical": 1.0, "dense": 1.5},
}


@dataclass(frozen=True, slots=True)
class Weights:
    """What the order of entries depends on, beside what was found.

    Attributes:
        channels: of the scores of each channel, by kind of query.
        name: of the name score in the lexical channel; the best full-text score has 1.0.
        half_cost: edit units at which a type match is worth half of one without cost.
        similarity: of the words of a signature, beside its cost, in a query without other words;
            an exact type match has 1.0.
    """

    channels: Mapping[str, Mapping[str, float]] = field(default_factory=lambda: _CHANNELS)
    name: float = 1.0
    half_cost: float = 100.0
    similarity: float = 0.75
    priors: Priors = field(default_factory=Priors)


WEIGHTS = Weights()
