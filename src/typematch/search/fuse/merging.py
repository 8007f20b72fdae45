"""Merge rankings: channels of one query, and answers to several queries."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from typematch.index.text.words import split_identifier
from typematch.search.fuse.fusion import cost_score, fused_scores, with_structural
from typematch.search.fuse.ranked import RankedEntries, RankedEntry, type_match_order
from typematch.search.retrieve.lexical import entry_weight, is_function
from typematch.search.retrieve.retrieved import RetrievedByType, RetrievedByWords
from typematch.search.score.name_match import name_scorer, sort_key
from typematch.search.score.ranks import tied_ranks
from typematch.search.score.weights import Weights


def fuse_channels(found: RetrievedByWords, weights: Weights) -> list[RankedEntry]:
    """Return the entries of all channels in one order, best first."""
    words, matches, priors = found.words, found.matches, weights.priors
    name_score = name_scorer(split_identifier(words))
    channels = with_structural(found.channels, matches, weights)
    ranks = {name: _ranks(scores) for name, scores in channels.items()}
    scores = with_structural(found.scores, matches, weights)
    ranked = []
    for number, score in fused_scores(scores, weights.channels[found.query_kind]).items():
        summary, match = found.summaries[number], matches.get(number)
        name = name_score(summary)
        cost = match.cost if match is not None else math.inf
        ranked.append(
            RankedEntry(
                summary,
                sort_key(cost, name, summary),
                name,
                match,
                {name: by_entry[number] for name, by_entry in ranks.items() if number in by_entry},
                score * entry_weight(summary, priors),
            )
        )
    names_first = found.query_kind != "signature"

    def order(entry: RankedEntry) -> tuple[object, ...]:
        # An entry with just this name comes first; of these a function or method, in this case.
        has_name = names_first and entry.name_score == 1.0
        other_kind = has_name and not is_function(entry.summary)
        other_case = has_name and entry.summary.name != words
        # Rounded: float error must not order entries of equal score.
        score = 0.0 if has_name else -round(entry.fused_score or 0.0, 9)
        return not has_name, other_kind, other_case, score, entry.sort_key

    return sorted(ranked, key=order)


def order_type_matches(found: RetrievedByType, weights: Weights) -> list[RankedEntry]:
    """Return the entries that a query without words found, best first."""
    ranked = []
    for number, match in found.matches.items():
        summary, name = found.summaries[number], found.name_scores[number]
        similarity = found.similarity.get(number, 0.0)
        if summary.deprecated:
            similarity *= weights.priors.deprecated
        ranked.append(
            RankedEntry(
                summary,
                sort_key(match.cost, name, summary),
                name,
                match,
                fused_score=_type_score(match.cost, similarity, weights),
                parameter_words=found.parameter_words[number],
            )
        )
    ranked.sort(key=lambda entry: (found.pages[entry.summary.number], *type_match_order(entry)))
    return ranked


def _type_score(cost: float, similarity: float, weights: Weights) -> float:
    """Return the score of a type match, beside the words of its signature; 0.0 if undecided."""
    if math.isinf(cost):
        return 0.0
    similarity = similarity if cost else 1.0
    score = cost_score(cost, weights.half_cost) + weights.similarity * similarity
    return score / (1 + weights.similarity)


def _ranks(scores: Mapping[int, float]) -> dict[int, int]:
    return tied_ranks({number: -score for number, score in scores.items()})


def channel_ranks(
    structural_ranks: Mapping[int, int], lexical_similarity: Mapping[int, float]
) -> Callable[[RankedEntry], Mapping[str, int]]:
    """Return a function to the ranks of an entry that a type query found."""
    lexical_ranks = _ranks(lexical_similarity)

    def of(entry: RankedEntry) -> Mapping[str, int]:
        number = entry.summary.number
        ranks = {"structural": structural_ranks[number]}
        if number in lexical_ranks:
            ranks["lexical"] = lexical_ranks[number]
        return ranks

    return of


def merge_by_best_rank(rankings: Iterable[Sequence[RankedEntry]]) -> list[tuple[int, RankedEntry]]:
    """Order entries by their best rank in any ranking; ties in the order of the rankings.

    Returns:
        the index of the ranking, and the entry with the score of its new rank.
    """
    best: dict[int, tuple[int, int, RankedEntry]] = {}
    for index, ranking in enumerate(rankings):
        for rank, entry in enumerate(ranking):
            known = best.get(entry.summary.number)
            if known is None or rank < known[0]:
                best[entry.summary.number] = rank, index, entry
    ordered = sorted(best.values(), key=lambda item: item[:2])
    return [
        (index, entry._replace(fused_score=1 / (1 + rank)))
        for rank, (_, index, entry) in enumerate(ordered)
    ]


def merge_scopes(answers: Sequence[RankedEntries]) -> RankedEntries:
    """Merge the answers to one query in several scopes."""
    if len(answers) == 1:
        return answers[0]
    merged = merge_by_best_rank([answer.entries for answer in answers])
    return replace(
        answers[0],
        entries=[entry for _, entry in merged],
        complete=all(answer.complete for answer in answers),
    )


def merge_expansions(answer: RankedEntries, others: Sequence[RankedEntries]) -> RankedEntries:
    """Merge the answer to a query with those to other wordings of it."""
    answers = [answer, *others]
    merged = [
        entry._replace(clause=entry.clause if index == 0 else "", from_expansion=index != 0)
        for index, entry in merge_by_best_rank([answer.entries for answer in answers])
    ]
    return replace(answer, entries=merged, complete=all(answer.complete for answer in answers))


def merge_clauses(
    whole: RankedEntries, clauses: tuple[str, ...], answers: Sequence[RankedEntries]
) -> RankedEntries:
    """Merge the answer to a whole request with the answers to its clauses."""
    merged = [
        entry._replace(clause=clauses[index - 1] if index else "")
        for index, entry in merge_by_best_rank([answer.entries for answer in (whole, *answers)])
    ]
    complete = all(answer.complete for answer in (whole, *answers))
    return replace(whole, entries=merged, complete=complete, clauses=clauses)


def concatenate(first: RankedEntries, second: RankedEntries) -> RankedEntries:
    """Append the entries of ``second`` that ``first`` does not have."""
    listed = {entry.summary.number for entry in first.entries}
    rest = [entry for entry in second.entries if entry.summary.number not in listed]
    return replace(
        first,
        entries=[*first.entries, *_scored_below(first.entries, rest)],
        complete=first.complete and second.complete,
        notices=tuple(dict.fromkeys((*first.notices, *second.notices))),
        clauses=first.clauses or second.clauses,
        services=first.services or second.services,
    )


def exact_names_first(answer: RankedEntries, by_name: RankedEntries) -> RankedEntries:
    """Put the entries of ``by_name`` whose name is the query before those of ``answer``."""
    named = [entry for entry in by_name.entries if entry.name_score == 1.0]
    numbers = {entry.summary.number for entry in named}
    rest = [entry for entry in answer.entries if entry.summary.number not in numbers]
    return replace(answer, entries=[*named, *_scored_below(named, rest)])


def _scored_below(first: Sequence[RankedEntry], rest: Sequence[RankedEntry]) -> list[RankedEntry]:
    """Scale the scores of ``rest`` below those of ``first``; the order is kept."""
    least = min((entry.score for entry in first), default=1.0)
    return [entry._replace(fused_score=entry.score * least) for entry in rest]
