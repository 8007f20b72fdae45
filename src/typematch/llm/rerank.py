"""Listwise grading of the first hits by a model: a score, one reason, and what is missing.

Candidates have neutral labels and an order shuffled by a digest of the query: models prefer early
positions, and the same query must produce the same bytes for the response cache.  Long lists are
split into windows.  A candidate whose text looks like prompt injection gets a window of its own, so
that it can influence no other score; windows of size 1 (pointwise grading) do so for every text.

Answers are repaired: unknown labels and duplicate scores are dropped, scores are clamped to the
range, and every repair is counted.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from random import Random
from typing import TYPE_CHECKING

from pydantic import BaseModel, Field

from typematch.errors import ClaudeError
from typematch.llm.claim_check import ClaimChecker
from typematch.llm.gateway import Cost, Gateway, Prompt, stage_report
from typematch.llm.prompts import (
    UNTRUSTED,
    data_block,
    json_line,
    looks_like_injection,
    request_line,
)
from typematch.search.fuse.reranking import does_not_fit
from typematch.search.llm_protocols import RelevanceJudgment, StageReport
from typematch.search.present.truncate import truncate_line
from typematch.search.score.scoring import TypeScorers

if TYPE_CHECKING:
    from typematch.index.store import Store
    from typematch.search.results import Hit

MAX_SCORE = 10.0
MAX_TOKENS = 8_000
# Characters.  Thirty candidates in two windows make at most 20,000 characters of prompts.
_MAX_QUESTION = 600
_MAX_LINE = 540  # per candidate; longer texts are all shrunk by the same factor
_MAX_NAME, _MAX_SIGNATURE, _MAX_DOC, _MAX_VERDICT = 80, 180, 160, 120
_SHRINK_FACTORS = (1.0, 0.8, 0.6, 0.4, 0.2)
_MAX_SENTENCE = 240  # characters of a sentence shown to the user

SYSTEM = f"""\
You judge search results: functions, types and API operations found for a developer's request. \
For every candidate give a score from 0 to 10 for how well it does what the request asks:
10 does exactly this; 7 to 9 does it with a small detour; 4 to 6 does an essential part; \
1 to 3 is only about the same subject; 0 is of no use.
Judge each candidate by itself: by what it does, not by its place in the list or by other \
candidates. "serves" names the part of the request that it was found for; judge it by that part.
"types" is what a type checker found, and it is right: never say that a candidate takes or returns \
something that its signature does not.
Answer with every id exactly once. "why" is one plain sentence of at most 20 words. "missing" says \
in at most 10 words what it lacks for the request, and is empty where it lacks nothing.
{UNTRUSTED}"""


class CandidateGrade(BaseModel):
    id: str
    score: float = Field(description="0 to 10")
    why: str
    missing: str


class GradingReply(BaseModel):
    verdicts: list[CandidateGrade]


@dataclass(frozen=True, slots=True)
class RerankCandidate:
    label: str
    hit: Hit
    text: str


@dataclass(slots=True)
class _Repairs:
    """Counts of the problems in answers."""

    unknown: int = 0
    duplicates: int = 0
    out_of_range: int = 0
    missing: int = 0
    contradicted: int = 0

    def sentences(self) -> Iterable[str]:
        for count, problem in (
            (self.unknown, "graded an unknown candidate"),
            (self.duplicates, "graded a candidate twice"),
            (self.out_of_range, "gave a score outside 0 to 10"),
            (self.missing, "left out a candidate, which keeps its rank"),
        ):
            if count:
                yield f"Claude {problem} ({_times(count)})."
        if self.contradicted:
            times = _times(self.contradicted)
            yield f"Claude contradicted the types ({times}); the statement is not shown."


class ClaudeReranker:
    """Implements ``Reranker`` of ``search.llm_protocols``."""

    def __init__(self, gateway: Gateway) -> None:
        self._gateway = gateway

    @property
    def candidates(self) -> int:
        return self._gateway.settings.candidates

    def rerank(
        self, question: str, hits: Sequence[Hit], store: Store, /
    ) -> tuple[Mapping[str, RelevanceJudgment], StageReport]:
        candidate_windows = windows(question, hits, self._gateway.settings.window)
        prompts = [rerank_prompt(question, window) for window in candidate_windows]
        answers = self._gateway.ask_all(prompts)
        cost, repairs, grades = Cost(), _Repairs(), dict[str, RelevanceJudgment]()
        failed = [answer for answer in answers if isinstance(answer, ClaudeError)]
        with TypeScorers(store) as scorers:
            claim_checker = ClaimChecker(store, scorers)
            for window, answer in zip(candidate_windows, answers, strict=True):
                if not isinstance(answer, ClaudeError):
                    cost += answer.cost
                    grades |= _repaired_grades(
                        window, answer.value.verdicts, claim_checker, repairs
                    )
        if len(failed) == len(answers) and failed:
            return {}, stage_report("rerank", cost, skipped=failed[0].what)
        notes = list(repairs.sentences())
        if failed:
            notes.append(f"Some hits were not graded and keep their ranks: {failed[0].what}.")
        return grades, stage_report("rerank", cost, notes=notes)


def windows(question: str, hits: Sequence[Hit], size: int) -> list[list[RerankCandidate]]:
    """Split shuffled hits into windows of at most ``size``; suspicious texts get their own."""
    seed = blake2b(question.encode("utf-8", "replace"), digest_size=8).digest()
    order = list(range(len(hits)))
    Random(seed).shuffle(order)
    candidates = [
        RerankCandidate(f"c{number}", hits[index], candidate_text(f"c{number}", hits[index]))
        for number, index in enumerate(order, 1)
    ]
    suspicious = [candidate for candidate in candidates if looks_like_injection(candidate.text)]
    normal = [candidate for candidate in candidates if candidate not in suspicious]
    chunks = [normal[start : start + size] for start in range(0, len(normal), size)]
    return [*chunks, *([candidate] for candidate in suspicious)]


def rerank_prompt(question: str, window: Sequence[RerankCandidate]) -> Prompt[GradingReply]:
    request = request_line(question, _MAX_QUESTION)
    content = f"{request}\n{data_block(candidate.text for candidate in window)}"
    return Prompt("rerank", "strong", SYSTEM, content, GradingReply, MAX_TOKENS)


def candidate_text(label: str, hit: Hit) -> str:
    """Return the line of JSON for a hit, at most ``_MAX_LINE`` characters."""
    entry = hit.entry
    texts = {
        "name": (entry.qualified_name, _MAX_NAME),
        "of": (entry.service or entry.package, _MAX_NAME),
        "http": (entry.http, _MAX_NAME),
        "signature": (hit.signature, _MAX_SIGNATURE),
        "says": (_summary(hit), _MAX_DOC),
        "types": (relation_verdict(hit), _MAX_VERDICT),
        "serves": (hit.clause, _MAX_NAME),
    }
    for factor in _SHRINK_FACTORS:
        fields = {
            name: truncate_line(text, int(max_length * factor))
            for name, (text, max_length) in texts.items()
        }
        line = json_line({"id": label, "kind": entry.kind, **fields})
        if len(line) <= _MAX_LINE:
            return line
    return json_line({"id": label, "kind": entry.kind})


def relation_verdict(hit: Hit) -> str:
    """Return the relation's verdict in words; empty for a query without types."""
    if hit.undecided:
        return "it could not be decided whether the types fit"
    if hit.cost is None:
        return f"gives what {hit.provides_for} needs" if hit.provides_for else ""
    edits = "; ".join(edit.sentence for edit in hit.edits if edit.cost)
    if does_not_fit(hit):
        return f"does NOT fit the types asked for: {edits}"
    return f"fits, but: {edits}" if edits else "fits the types asked for"


def _summary(hit: Hit) -> str:
    return hit.snippet or (hit.entry.doc.summary if hit.entry.doc else "")


def _repaired_grades(
    window: Sequence[RerankCandidate],
    grades: Sequence[CandidateGrade],
    claim_checker: ClaimChecker,
    repairs: _Repairs,
) -> Mapping[str, RelevanceJudgment]:
    hits = {candidate.label: candidate.hit for candidate in window}
    repaired: dict[str, RelevanceJudgment] = {}
    for grade in grades:
        hit = hits.get(grade.id.strip())
        if hit is None:
            repairs.unknown += 1
        elif hit.entry.id in repaired:
            repairs.duplicates += 1
        elif math.isnan(grade.score):
            repairs.out_of_range += 1
        else:
            score = min(max(grade.score, 0.0), MAX_SCORE)
            repairs.out_of_range += score != grade.score
            why = truncate_line(grade.why, _MAX_SENTENCE)
            if claim_checker.contradicts(why, hit.entry):
                repairs.contradicted += 1
                why = ""
            repaired[hit.entry.id] = RelevanceJudgment(
                score, why, truncate_line(grade.missing, _MAX_SENTENCE)
            )
    repairs.missing += len(hits) - len(repaired)
    return repaired


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"
