"""Answer a question: read it, find, rank, and say how it was done.

``question`` asks the channels; what nothing answers is asked again with less (``relax``).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from typematch.index.store import Store
from typematch.index.text.words import split_identifier
from typematch.ir.entry import Entry, EntrySignature
from typematch.ir.lift import standing_alone
from typematch.ir.render import render
from typematch.ir.types import Type
from typematch.match.edit_kinds import RECEIVER_FIRST, Edit
from typematch.query.chips import parts
from typematch.query.model import Query
from typematch.query.read_as import read_as
from typematch.query.signature_text import asked_signature
from typematch.search.executor import QueryExecutor
from typematch.search.fuse.ranked import RankedEntries, RankedEntry, list_order
from typematch.search.fuse.reranking import reranked
from typematch.search.llm_protocols import NONE, Reranker, StageReport, Stages, sentence_of
from typematch.search.prepare.package_selection import choices, within
from typematch.search.prepare.prepared_query import PreparedQuery, read
from typematch.search.prepare.query_expansion import Ask, expanded
from typematch.search.prepare.relaxation import relaxations, releases
from typematch.search.prepare.spelling import misspelled
from typematch.search.present.counting import Counts, counts, those_found
from typematch.search.present.snippets import snippet
from typematch.search.results import Hit, SearchResult
from typematch.search.retrieve.clause_search import SearchContext, answer_clauses
from typematch.search.retrieve.dense import OpenEmbedder
from typematch.search.retrieve.structural import TypeMatch
from typematch.search.retrieve.text_channels import query_words
from typematch.search.score.alignment import AlignmentEdge, lines
from typematch.search.score.deadline import Deadline, Seconds
from typematch.search.score.scoring import TypeScorers

_FEW = 3  # hits; with fewer, a sentence's own filters are given up


def search(
    text: str,
    store: Store,
    *,
    limit: int | None,
    open_embedder: OpenEmbedder | None = None,
    services: int | None = None,
    count_facets: bool = False,
    only: Sequence[str] | None = None,
    stages: Stages = NONE,
    seconds: Seconds = None,
) -> SearchResult:
    """Return the best ``limit`` hits, all with None, for ``text``; its own ``limit:`` wins.

    Args:
        open_embedder: opens the model that the vectors were made with; without it only types and
            words are compared.
        services: keep to the operations of so many services, the best.
        count_facets: count the values of facets among all that is found.
        only: ids of entries that an earlier search for the same found: the hits are these, in this
            order, whatever is found by now; of what is not there any more there is a notice.
        stages: what a model is asked for.
        seconds: how long to go on comparing types; a notice says where that was not enough.

    Raises:
        QuerySyntaxError: the query cannot be read.
        UsageError: its ``like:`` names no entry.
    """
    request = read(text, store)
    if request.query.limit is not None:
        limit = request.query.limit
    wanted = _wanted(request.query, limit, stages.reranker)

    patience = Deadline(seconds)

    def ask(one: PreparedQuery) -> RankedEntries:
        return answered(one, store, wanted, open_embedder, services, patience)

    answer, reports = _staged(request, ask, store, stages)
    notices = [*request.notices, *request.empty_scopes, *answer.notices]
    if not request.empty_scopes:
        notices += misspelled(request.query, store, found=bool(answer.found))
        if patience.ended_after is not None:
            notices.append(_ended(patience.ended_after))
        elif not answer.found:
            notices.append(_why_nothing(request.query, store))
    if only is None:
        page = _sorted(answer.found[:wanted], request.query.sort)
        ranked = [*page, *answer.found[len(page) :]]
    else:
        page = ranked = _again(only, answer, store)
        notices += _gone(len(only) - len(page))
    asked = None if answer.clauses else asked_signature(request.query)
    hits: Sequence[Hit] = _hits(page, answer, store, request.query, asked)
    if stages.reranker is not None and hits:
        hits, report = _judged(request, hits, store, stages.reranker)
        reports.append(report)
    notices += [told for one in reports for told in (sentence_of(one), *one.notes) if told]
    behind = [one.brief.id for one in ranked[len(hits) :]]
    return SearchResult(
        query=text,
        read_as=_read_as(request, answer),
        hits=tuple(hits[:limit]),
        total=len(answer.found),
        at_least=patience.has_ended or not answer.complete,
        relaxed=answer.said,
        notices=tuple(notices),
        undecided=sum(1 for one in answer.found if one.finding and one.finding.undecided),
        clauses=answer.clauses,
        services=answer.services if services is None else answer.services[:services],
        parts=parts(request.query),
        asked=asked,
        ids=(*[hit.entry.id for hit in hits], *behind),
        facets=_counted(request, answer, store) if count_facets else None,
        stages=tuple(reports),
    )


def _ended(seconds: float) -> str:
    return f"Ended after {seconds:.2f} s; there may be more hits, and better ones."


def _counted(request: PreparedQuery, answer: RankedEntries, store: Store) -> Counts:
    return counts(those_found(request, answer, store), store)


def _again(ids: Sequence[str], answer: RankedEntries, store: Store) -> list[RankedEntry]:
    """Return the entries of these ids that are still there, as they were found if they were."""
    found = {one.brief.id: one for one in answer.found}
    others = store.numbers([name for name in ids if name not in found])
    briefs = store.briefs(others.values())
    bare = {name: RankedEntry(briefs[n], list_order(briefs[n]), 0.0) for name, n in others.items()}
    known = {**bare, **found}
    return [known[name] for name in ids if name in known]


def _gone(count: int) -> list[str]:
    if not count:
        return []
    noun = "hit is" if count == 1 else "hits are"
    return [f"{count} {noun} no longer in this database."]


def _staged(
    request: PreparedQuery, ask: Ask, store: Store, stages: Stages
) -> tuple[RankedEntries, list[StageReport]]:
    """Answer a request, from the packages that are worth it, in all the words that there are."""
    answer = ask(request)
    reports: list[StageReport] = []
    if stages.selector is not None and not request.empty_scopes:
        offered = choices(answer, store)
        chosen, report = stages.selector.select(request.query.text, offered)
        reports.append(report)
        ask = within(chosen, ask)
        answer = ask(request) if chosen else answer
    if stages.expander is not None and not request.empty_scopes:
        answer, report = expanded(request, answer, stages.expander, ask, store)
        reports.append(report)
    return answer, reports


def _is_ranked(query: Query) -> bool:
    return query.sort in ("", "relevance")


def _wanted(query: Query, limit: int | None, reranker: Reranker | None) -> int | None:
    """Return how many hits are needed for a page of ``limit``."""
    if reranker is None or limit is None or not _is_ranked(query):
        return limit
    return max(limit, reranker.candidates)


def _judged(
    request: PreparedQuery, hits: Sequence[Hit], store: Store, reranker: Reranker
) -> tuple[Sequence[Hit], StageReport]:
    """Return the hits, the first of them in the order that a model gives them."""
    if not _is_ranked(request.query):
        why = f"sort:{request.query.sort} orders them already"
        return hits, StageReport("rerank", skipped=why)
    first, rest = hits[: reranker.candidates], hits[reranker.candidates :]
    judged, report = reranker.rerank(request.query.text, first, store)
    typed = bool(request.signatures or request.types)
    return [*reranked(first, judged, typed=typed), *rest], report


def _read_as(request: PreparedQuery, answer: RankedEntries) -> str:
    """Return how a request was understood: what it says about types counts in code alone."""
    if not answer.services or request.query.said is None or request.query.constraints:
        return request.read_as
    return read_as(replace(request.query, said=None))


def answered(
    request: PreparedQuery,
    store: Store,
    limit: int | None,
    open_embedder: OpenEmbedder | None,
    services: int | None = None,
    patience: Deadline | None = None,
) -> RankedEntries:
    """Return everything found, with less asked for where nothing answers."""
    if request.empty_scopes:
        return RankedEntries()
    with TypeScorers(store, request.query.strictness) as judges:
        question = QueryExecutor(
            request, store, limit, open_embedder, judges, patience or Deadline()
        )

        def plain(query: Query) -> RankedEntries:
            if query is request.query:
                return _whole(question, request)
            return question.answer(query)

        asking = SearchContext(store, open_embedder, limit, services)
        return answer_clauses(request.query, asking, plain)


def _whole(question: QueryExecutor, request: PreparedQuery) -> RankedEntries:
    answer = _heard(question, request)
    if answer.found or question.patience.has_ended:
        return answer
    for easier in relaxations(request.query):
        second = question.answer(easier.query)
        if second.found:
            return replace(second, said=(*easier.sentences, *second.said))
    return answer


def _heard(question: QueryExecutor, request: PreparedQuery) -> RankedEntries:
    """Answer with what a sentence says for sure as a filter, as long as enough answers."""
    answer = question.answer(request.query, request.heard)
    for easier in releases(request.heard):
        if len(answer.found) >= _FEW:
            break
        answer = question.answer(request.query, easier.heard)
        answer = replace(answer, said=(*easier.sentences, *answer.said))
    return answer


def _words(query: Query) -> tuple[str, ...]:
    return split_identifier(query_words(query))


def _sorted(page: Sequence[RankedEntry], sort: str) -> Sequence[RankedEntry]:
    if sort == "name":
        return sorted(page, key=lambda one: (one.brief.name.lower(), one.brief.id))
    if sort == "path":
        return sorted(page, key=lambda one: (one.brief.path, one.brief.line, one.brief.id))
    if sort == "cost":
        return sorted(page, key=lambda one: (one.order[0], one.brief.id))
    return page


def _hits(
    page: Sequence[RankedEntry],
    answer: RankedEntries,
    store: Store,
    query: Query,
    asked: EntrySignature | None,
) -> tuple[Hit, ...]:
    words = _words(query)
    numbers = [one.brief.number for one in page]
    entries = store.entries(numbers)
    overloads = store.overloads(numbers, answer.met)
    supplied = store.briefs([one.supplies for one in page if one.supplies])
    return tuple(
        Hit(
            entry=entry,
            score=one.score,
            cost=_cost(one.finding),
            edits=told(entry, one.finding),
            channels=one.channels,
            overload=one.finding.overload if one.finding else overloads.get(one.brief.number),
            undecided=one.finding.undecided if one.finding else "",
            snippet=_snippet(entry, split_identifier(one.clause) if one.clause else words),
            clause=one.clause,
            supplies=supplied[one.supplies].id if one.supplies in supplied else "",
            lines=_lines(entry, one, asked),
        )
        for entry, one in zip(entries, page, strict=True)
    )


def _lines(
    entry: Entry, one: RankedEntry, asked: EntrySignature | None
) -> tuple[AlignmentEdge, ...]:
    finding = one.finding
    if asked is None or finding is None or finding.undecided or one.reworded:
        return ()
    if finding.overload >= len(entry.signatures):
        return ()
    signature = entry.signatures[finding.overload]
    return lines(asked, signature, finding.way, told(entry, finding))


def _snippet(entry: Entry, words: Sequence[str]) -> str:
    return snippet(entry.doc.text, words) if entry.doc is not None and words else ""


def told(entry: Entry, finding: TypeMatch | None) -> tuple[Edit, ...]:
    """Return the edits with types as text, in the found signature's own names."""
    if finding is None or finding.overload >= len(entry.signatures):
        return () if finding is None else finding.edits
    names = _names_of_variables(entry, finding)
    told = (replace(edit, a=_text(edit.a, names), b=_text(edit.b, names)) for edit in finding.edits)
    # That `T` is `T` goes without saying.
    return tuple(edit for edit in told if edit.price or edit.a != edit.b)


def _names_of_variables(entry: Entry, finding: TypeMatch) -> list[str]:
    """Return the names of a function's variables as it was judged, those of its class first."""
    signature = entry.signatures[finding.overload]
    own = [name for name, _, _ in signature.type_parameters]
    if any(edit.kind is RECEIVER_FIRST for edit in finding.edits):
        return [*entry.outer, *own]
    _, outer = standing_alone(signature.type)
    return [*entry.outer[:outer], *own]


def _text(part: str | Type, names: Sequence[str]) -> str:
    return part if isinstance(part, str) else render(part, names=(names,))


def _cost(finding: TypeMatch | None) -> float | None:
    return None if finding is None or math.isinf(finding.cost) else finding.cost


def _why_nothing(query: Query, store: Store) -> str:
    """Return one sentence: why there is no hit."""
    if not store.count():
        return "There is nothing in this database yet; typematch index PATH fills it."
    facets_given = " ".join(dict.fromkeys(f"{one.key}:" for one in query.constraints))
    if query.signature is not None and query.strictness.value in ("assignable", "exact"):
        return (
            f"No function here fits so strictly; without is:{query.strictness.value} "
            "the nearest ones are listed with what they lack."
        )
    if facets_given and (query.signature or query.type or _words(query)):
        return f"Nothing here answers within {facets_given}; leave one out to see more."
    if facets_given:
        return f"No entry meets {facets_given} together; leave one out to see more."
    if query.type is not None:
        return "No interface, class or alias here is assignable to this type."
    if query.signature is not None:
        return "No function here comes near this signature."
    return "No name here has any of these words."
