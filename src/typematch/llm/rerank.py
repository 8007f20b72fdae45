"""Let a model judge the first hits: a score, one sentence why, and what is missing.

Candidates are offered under labels that say nothing, in an order drawn from the digest of the
question: a model prefers what stands first, and the same question must be sent as the same bytes.
Long lists go in windows.  A text that speaks to its judge gets a window of its own, so that it can
talk about no score but its own; with windows of one that is so of every text.

What comes back is repaired: labels that were not offered and second scores for one label are
dropped, scores out of range are moved to its ends, and all of it is counted.
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
from typematch.llm.gateway import Cost, Gateway, Prompt
from typematch.llm.prompts import UNTRUSTED, data, line, request_line, speaks_to_a_judge
from typematch.llm.reports import report_of
from typematch.match.strictness import Strictness
from typematch.search.fuse.reranking import misfits
from typematch.search.llm_protocols import Judged, StageReport
from typematch.search.present.truncate import cut
from typematch.search.score.scoring import TypeScorers

if TYPE_CHECKING:
    from typematch.index.store import Store
    from typematch.search.results import Hit

HIGHEST = 10.0
MAX_TOKENS = 8_000
# Characters: thirty candidates in two windows make at most 20,000 with all around them.
_MOST_QUESTION = 600
_MOST_LINE = 540  # of one candidate; where its texts are longer all of them are cut
_MOST_NAME, _MOST_SIGNATURE, _MOST_DOC, _MOST_VERDICT = 80, 180, 160, 120
_SHARES = (1.0, 0.8, 0.6, 0.4, 0.2)
_MOST_SAID = 240  # characters of a sentence that is shown

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


class Verdict(BaseModel):
    id: str
    score: float = Field(description="0 to 10")
    why: str
    missing: str


class Verdicts(BaseModel):
    verdicts: list[Verdict]


@dataclass(frozen=True, slots=True)
class RerankCandidate:
    label: str
    hit: Hit
    text: str


@dataclass(slots=True)
class _Repairs:
    """What was wrong with answers, counted."""

    unknown: int = 0
    twice: int = 0
    out_of_range: int = 0
    missing: int = 0
    contradicted: int = 0

    def sentences(self) -> Iterable[str]:
        for count, what in (
            (self.unknown, "named what was not offered"),
            (self.twice, "scored something twice"),
            (self.out_of_range, "gave a score outside 0 to 10"),
            (self.missing, "left a hit out, which keeps its place"),
        ):
            if count:
                yield f"Claude {what} ({_times(count)})."
        if self.contradicted:
            yield f"Claude spoke against the types ({_times(self.contradicted)}); that is left out."


class ClaudeReranker:
    """Fills ``search.stages.Reranker``."""

    def __init__(self, gateway: Gateway) -> None:
        self._gateway = gateway

    @property
    def candidates(self) -> int:
        return self._gateway.settings.candidates

    def rerank(
        self, question: str, hits: Sequence[Hit], store: Store, /
    ) -> tuple[Mapping[str, Judged], StageReport]:
        offered = windows(question, hits, self._gateway.settings.window)
        prompts = [prompt_of(question, window) for window in offered]
        answers = self._gateway.ask_all(prompts)
        bill, repairs, judged = Cost(), _Repairs(), dict[str, Judged]()
        failed = [answer for answer in answers if isinstance(answer, ClaudeError)]
        with TypeScorers(store, Strictness.SOFT) as judges:
            facts = ClaimChecker(store, judges)
            for window, answer in zip(offered, answers, strict=True):
                if not isinstance(answer, ClaudeError):
                    bill += answer.bill
                    judged |= _judged(window, answer.value.verdicts, facts, repairs)
        if len(failed) == len(answers) and failed:
            return {}, report_of("rerank", bill, skipped=failed[0].what)
        notes = list(repairs.sentences())
        if failed:
            notes.append(f"Some hits were not judged and keep their places: {failed[0].what}.")
        return judged, report_of("rerank", bill, notes=notes)


def windows(question: str, hits: Sequence[Hit], size: int) -> list[list[RerankCandidate]]:
    """Deal hits into windows of at most ``size``; what speaks to its judge is alone in one."""
    seed = blake2b(question.encode("utf-8", "replace"), digest_size=8).digest()
    order = list(range(len(hits)))
    Random(seed).shuffle(order)
    offered = [
        RerankCandidate(f"c{place}", hits[index], candidate_text(f"c{place}", hits[index]))
        for place, index in enumerate(order, 1)
    ]
    loud = [one for one in offered if speaks_to_a_judge(one.text)]
    plain = [one for one in offered if one not in loud]
    dealt = [plain[start : start + size] for start in range(0, len(plain), size)]
    return [*dealt, *([one] for one in loud)]


def prompt_of(question: str, window: Sequence[RerankCandidate]) -> Prompt[Verdicts]:
    request = request_line(question, _MOST_QUESTION)
    content = f"{request}\n{data(one.text for one in window)}"
    return Prompt("rerank", "strong", SYSTEM, content, Verdicts, MAX_TOKENS)


def candidate_text(label: str, hit: Hit) -> str:
    """Return the line that offers a hit, of at most ``_MOST_LINE`` characters."""
    entry = hit.entry
    texts = {
        "name": (entry.qualified_name, _MOST_NAME),
        "of": (entry.service or entry.package, _MOST_NAME),
        "http": (entry.http, _MOST_NAME),
        "signature": (hit.signature, _MOST_SIGNATURE),
        "says": (_said(hit), _MOST_DOC),
        "types": (verdict_of(hit), _MOST_VERDICT),
        "serves": (hit.clause, _MOST_NAME),
    }
    for share in _SHARES:
        shown = {name: cut(text, int(most * share)) for name, (text, most) in texts.items()}
        offered = line({"id": label, "kind": entry.kind, **shown})
        if len(offered) <= _MOST_LINE:
            return offered
    return line({"id": label, "kind": entry.kind})


def verdict_of(hit: Hit) -> str:
    """Return in words what the relation found; empty where no type was asked for."""
    if hit.undecided:
        return "it could not be decided whether the types fit"
    if hit.cost is None:
        return f"gives what {hit.supplies} needs" if hit.supplies else ""
    told = "; ".join(edit.sentence for edit in hit.edits if edit.price)
    if misfits(hit):
        return f"does NOT fit the types asked for: {told}"
    return f"fits, but: {told}" if told else "fits the types asked for"


def _said(hit: Hit) -> str:
    return hit.snippet or (hit.entry.doc.summary if hit.entry.doc else "")


def _judged(
    window: Sequence[RerankCandidate],
    verdicts: Sequence[Verdict],
    facts: ClaimChecker,
    repairs: _Repairs,
) -> Mapping[str, Judged]:
    offered = {one.label: one.hit for one in window}
    judged: dict[str, Judged] = {}
    for verdict in verdicts:
        hit = offered.get(verdict.id.strip())
        if hit is None:
            repairs.unknown += 1
        elif hit.entry.id in judged:
            repairs.twice += 1
        elif math.isnan(verdict.score):
            repairs.out_of_range += 1
        else:
            score = min(max(verdict.score, 0.0), HIGHEST)
            repairs.out_of_range += score != verdict.score
            why = cut(verdict.why, _MOST_SAID)
            if facts.contradict(why, hit.entry):
                repairs.contradicted += 1
                why = ""
            judged[hit.entry.id] = Judged(score, why, cut(verdict.missing, _MOST_SAID))
    repairs.missing += len(offered) - len(judged)
    return judged


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"
