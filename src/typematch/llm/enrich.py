"""Have a model say of entries what problems they solve, what they answer, what goes in and out.

People ask by the problem, documentation answers by the solution.  What the model says becomes views
of the entry, indexed and embedded beside its own texts.  One entry is asked about at a time: no
text can say anything of another.  Only what is described otherwise than before is asked again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from pydantic import BaseModel

from typematch.errors import ClaudeError
from typematch.index.entries.selection import Condition, Selection
from typematch.index.entries.selection import TextCondition as Pattern
from typematch.index.text.text_views import Enrichment
from typematch.llm.batches import Answered, Batches, Estimate, Progress
from typematch.llm.gateway import Cost, Gateway, Prompt
from typematch.llm.prompts import UNTRUSTED, data, line
from typematch.search.present.truncate import cut

if TYPE_CHECKING:
    from typematch.index.sqlite import SqliteStore

MAX_TOKENS = 2_000
EXPECTED_TOKENS = 350  # of an answer, thinking at low effort included
_MOST_QUESTIONS = 5
_MOST_SUMMARY, _MOST_QUESTION, _MOST_INTERFACE = 400, 160, 400  # characters
# Parts of things of which a summary would say what the whole's says.
_PARTS = ("property", "accessor", "constructor", "call")

SYSTEM = f"""\
You write for a search index of APIs: functions, types, services and their operations. You are \
given one of them. Say only what its signature and documentation support.
"summary": in one or two sentences which problems it solves, in the words of somebody who has the \
problem and does not know the name.
"questions": 3 to {_MOST_QUESTIONS} short questions that a developer might type and that it answers.
"interface": in one sentence what one gives it and what one gets.
{UNTRUSTED}"""


class EnrichmentReply(BaseModel):
    summary: str
    questions: list[str]
    interface: str


@dataclass(frozen=True, slots=True)
class Enriched:
    """What a run did.

    Attributes:
        entries: that were looked at; ``unchanged`` of them had been enriched before.
        written: entries that were enriched now.
        failed: how many descriptions got no answer, by reason.
        skipped: why nothing was asked; empty where it was.
    """

    entries: int
    unchanged: int
    estimate: Estimate
    written: int = 0
    failed: Mapping[str, int] = field(default_factory=dict)
    bill: Cost = field(default_factory=Cost)
    skipped: str = ""


# Whether to go on, knowing what it will cost.
Confirm = Callable[[Estimate], bool]


def worth_enriching(selection: Selection) -> Selection:
    """Return ``selection`` narrowed to what one can use and whose name says something."""
    narrowed = [
        *selection,
        Condition("is", (Pattern("exported"),)),
        Condition("pkg", (Pattern("lib"),), negated=True),
    ]
    if not any(one.facet == "kind" for one in selection):
        narrowed.append(Condition("kind", tuple(map(Pattern, _PARTS)), negated=True))
    return tuple(narrowed)


def enrich(
    store: SqliteStore,
    gateway: Gateway,
    choose: Callable[[], Selection],
    *,
    confirm: Confirm = lambda _: True,
    batch: bool = True,
    progress: Progress = lambda done, total: None,  # noqa: ARG005
) -> Enriched:
    """Enrich the entries that meet what ``choose`` returns.

    Args:
        confirm: is asked before anything is sent.
        batch: half the price, done within a day; else one by one, at once.

    Raises:
        ClaudeError: nothing could be asked; what was submitted is waited for by the next run.
    """
    with store.snapshot():
        known = store.known()
        offered = list(store.offered(choose()))
    new = {one.digest: one.said for one in offered if one.digest not in known}
    # Of descriptions the prompts, and of prompts the digests that their answers are kept under.
    prompts = {digest: prompt_of(said) for digest, said in new.items()}
    asked = {gateway.digest(prompt): prompt for prompt in prompts.values()}
    batches = Batches(gateway, "enrich")
    estimate = batches.estimate(asked, EXPECTED_TOKENS, batch=batch)
    unchanged = sum(one.digest in known for one in offered)
    report = Enriched(len(offered), unchanged, estimate)
    if not new:
        return report
    if gateway.settings.problem and estimate.questions:
        return replace(report, skipped=gateway.settings.problem)
    if estimate.questions and not confirm(estimate):
        return replace(report, skipped="it was not confirmed")
    with store.writing():
        pass  # it can be written: what is paid for will have a place
    found = (
        batches.answers(asked, estimate, progress) if batch else _at_once(gateway, asked, progress)
    )
    said = {
        digest: told_of(found.answers[kept])
        for digest, prompt in prompts.items()
        if (kept := gateway.digest(prompt)) in found.answers
    }
    with store.writing():
        written = store.tell(said, estimate.model)
    reasons = list(found.failed.values())
    failed = {reason: reasons.count(reason) for reason in sorted(set(reasons))}
    return replace(report, written=written, failed=failed, bill=found.bill)


def _at_once(
    gateway: Gateway, asked: Mapping[str, Prompt[EnrichmentReply]], progress: Progress
) -> Answered[EnrichmentReply]:
    answers: dict[str, EnrichmentReply] = {}
    failed: dict[str, str] = {}
    bill = Cost()
    step = 4 * gateway.settings.concurrency
    digests = list(asked)
    for start in range(0, len(digests), step):
        some = digests[start : start + step]
        for digest, answer in zip(some, gateway.ask_all([asked[one] for one in some]), strict=True):
            if isinstance(answer, ClaudeError):
                failed[digest] = answer.what
            else:
                answers[digest] = answer.value
                bill += answer.bill
        progress(start + len(some), len(digests))
        if len(failed) == start + len(some):
            break  # none of them was answered: nor will the others be
    return Answered(answers, failed, bill)


def prompt_of(said: Mapping[str, str]) -> Prompt[EnrichmentReply]:
    return Prompt("enrich", "small", SYSTEM, data([line(said)]), EnrichmentReply, MAX_TOKENS)


def told_of(said: EnrichmentReply) -> Enrichment:
    """Return what a model said, each text within its bounds."""
    questions: Sequence[str] = [cut(one, _MOST_QUESTION) for one in said.questions]
    return Enrichment(
        cut(said.summary, _MOST_SUMMARY),
        tuple(dict.fromkeys(one for one in questions if one))[:_MOST_QUESTIONS],
        cut(said.interface, _MOST_INTERFACE),
    )
