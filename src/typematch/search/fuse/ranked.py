"""What a question found, and in which order it is shown."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from typematch.index.entries.selection import Selection
from typematch.index.store import EntrySummary
from typematch.index.text.words import split_identifier
from typematch.search.fuse.fusion import WEIGHTS, reciprocal_rank_fusion
from typematch.search.fuse.ordering import Rank, name_fit, rank
from typematch.search.retrieve.lexical import KIND_WEIGHTS, standing
from typematch.search.retrieve.structural import TypeMatch

_HALF_SCORE = 100  # cost in edit units at which a score has fallen to a half
# What it is worth, beside 1.0 for fitting as it is, that a found signature sounds like the asked
# one.  Chosen on the 26 shape queries, with an eye on both halves of them: .3 to .6 moved a half by
# more than .05.
_ALIKE = 0.5


@dataclass(frozen=True, slots=True)
class RankedEntry:
    """An entry and its place; ``finding`` where a type was asked for, ``fit`` of its name.

    ``alike``: how much its signature sounds like the one asked for, from 0 to 1.  ``clause``: of a
    request for several things, the one that it serves; ``supplies``: the number of the operation
    that it gives an argument to, where that is why it is here.  ``reworded``: another way to say
    the request found it, so that its finding speaks of that one.
    """

    brief: EntrySummary
    order: Rank
    fit: float
    finding: TypeMatch | None = None
    channels: Mapping[str, int] = field(default_factory=dict)
    fused: float | None = None
    alike: float = 0.0
    clause: str = ""
    supplies: int = 0
    reworded: bool = False

    @property
    def score(self) -> float:
        if self.fused is not None:
            return self.fused
        if self.finding is None:
            return self.fit
        if math.isinf(self.finding.cost):
            return 0.0
        fit = _HALF_SCORE / (_HALF_SCORE + self.finding.cost)
        return (fit + _ALIKE * self.alike) / (1 + _ALIKE)


@dataclass(frozen=True, slots=True)
class RankedEntries:
    """What was found, best first; ``complete``: there is no more.

    ``said`` is for ``relaxed``, ``notices`` for whoever asked, and ``met`` is what every hit meets.
    ``clauses`` are those of a request for several things, ``services`` the titles of the services
    that do best, where operations were asked for.
    """

    found: Sequence[RankedEntry] = ()
    complete: bool = True
    said: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    met: Selection = ()
    clauses: tuple[str, ...] = ()
    services: tuple[str, ...] = ()


def by_fit(found: RankedEntry) -> tuple[object, ...]:
    """Order what a type found: what costs nothing first, undecided last."""
    costless = found.finding is not None and not found.finding.cost
    undecided = found.finding is not None and math.isinf(found.finding.cost)
    score = 0.0 if costless else -round(found.score, 9)
    return (not costless, undecided, score, *found.order)


def channels_of(
    one: RankedEntry, by_cost: Mapping[int, int], spoken: Mapping[int, float]
) -> Mapping[str, int]:
    number = one.brief.number
    ranked = {"structural": by_cost[number]}
    if number in spoken:
        ranked["lexical"] = 1 + sum(score > spoken[number] for score in spoken.values())
    return ranked


def list_order(brief: EntrySummary) -> Rank:
    """Order what nothing but facets asked for: exported first, then by id."""
    return 0, 0, not brief.exported, False, 0, 0, brief.id


def by_best_rank(rankings: Iterable[Sequence[RankedEntry]]) -> list[tuple[int, RankedEntry]]:
    """Merge rankings: each entry by the best place that it has in any, of equals the earlier.

    Returns the place of the ranking, from 0, and what it found, with the score of its new place.
    """
    placed: dict[int, tuple[int, int, RankedEntry]] = {}
    for part, ranking in enumerate(rankings):
        for place, one in enumerate(ranking):
            known = placed.get(one.brief.number)
            if known is None or place < known[0]:
                placed[one.brief.number] = place, part, one
    ordered = sorted(placed.values(), key=lambda each: each[:2])
    return [
        (part, replace(one, fused=1 / (1 + place))) for place, (_, part, one) in enumerate(ordered)
    ]


def fused(
    typed: str,
    channels: Mapping[str, Mapping[int, int]],
    weights: str,
    findings: Mapping[int, TypeMatch],
    briefs: Mapping[int, EntrySummary],
) -> list[RankedEntry]:
    """Return the entries of all channels in one order, best first.

    Args:
        typed: the words of the question, as they were typed.
        channels: ranks by entry, by channel.
        weights: a key of ``fusion.WEIGHTS``.
        briefs: of every entry in ``channels``.
    """
    fits = name_fit(split_identifier(typed))
    found = []
    for number, score in reciprocal_rank_fusion(channels, WEIGHTS[weights]).items():
        brief, finding = briefs[number], findings.get(number)
        fit = fits(brief)
        cost = finding.cost if finding is not None else math.inf
        found.append(
            RankedEntry(
                brief,
                rank(cost, fit, brief),
                fit,
                finding,
                {name: one[number] for name, one in channels.items() if number in one},
                score * standing(brief),
            )
        )
    exact = weights != "typed"

    def order(one: RankedEntry) -> tuple[object, ...]:
        # Who types a name wants what is called so, and rather something to call.
        is_it = exact and one.fit == 1.0
        quiet = is_it and one.brief.kind in KIND_WEIGHTS
        other_case = is_it and one.brief.name != typed
        # Rounded: two sums that ought to be equal must not differ by a bit.
        score = 0.0 if is_it else -round(one.fused or 0.0, 9)
        return (not is_it, quiet, other_case, score, *one.order)

    return sorted(found, key=order)
