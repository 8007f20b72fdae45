"""How a measurement may change a search: other weights, or without one of its parts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from typematch.search.retrieve.retrieved import Retrieved
from typematch.search.score.weights import WEIGHTS, Weights


def _ignore(_: Retrieved) -> None:
    pass


@dataclass(frozen=True, slots=True)
class Variant:
    """A search as it is, or changed for a measurement.

    Attributes:
        sentences: words are also read as a sentence that describes types.
        folding: repetitions are folded into the first.
        observe: receives what was found, each time that something is ranked.
    """

    weights: Weights = WEIGHTS
    sentences: bool = True
    folding: bool = True
    observe: Callable[[Retrieved], object] = _ignore


STANDARD = Variant()
