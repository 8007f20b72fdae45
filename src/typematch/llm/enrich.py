"""Enrichment: a model describes entries by the problems they solve, and the text is indexed.

Users search by problem, while documentation describes the solution.  The model's text is indexed
and embedded as further texts of the entry.  Each request describes one entry, so that injected text
cannot affect another.  An entry is described again only if what is sent of it changed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from pydantic import BaseModel

from typematch.errors import ClaudeError
from typematch.index.entries.selection import Condition, GlobCondition, Selection
from typematch.index.text.text_fields import Enrichment
from typematch.llm.batches import BatchAnswers, Batches, Estimate, Progress
from typematch.llm.gateway import Cost, Gateway, Prompt
from typematch.llm.prompts import UNTRUSTED, data_block, json_line
from typematch.package_names import LIBRARY
from typematch.search.present.truncate import truncate_line

if TYPE_CHECKING:
    from typematch.index.store import Store

MAX_TOKENS = 2_000
EXPECTED_OUTPUT_TOKENS = 350  # per answer, thinking at low effort included
_MAX_QUESTIONS = 5
_MAX_SUMMARY, _MAX_QUESTION, _MAX_INTERFACE = 400, 160, 400  # characters
# Kinds of members that their container's description already covers.
_MEMBER_KINDS = ("property", "accessor", "constructor", "call")

SYSTEM = f"""\
You write for a search index of APIs: functions, types, services and their operations. You are \
given one of them. Say only what its signature and documentation support.
"summary": in one or two sentences which problems it solves, in the words of somebody who has the \
problem and does not know the name.
"questions": 3 to {_MAX_QUESTIONS} short questions that a developer might type and that it answers.
"interface": in one sentence what one gives it and what one gets.
{UNTRUSTED}"""


class EnrichmentReply(BaseModel):
    summary: str
    questions: list[str]
    interface: str


@dataclass(frozen=True, slots=True)
class EnrichmentReport:
    """Result of a run.

    Attributes:
        entries: number of selected entries.
        unchanged: number of those that already had a current description.
        written: number of entries enriched by this run.
        failed: number of requests without an answer, by reason.
        skipped: why nothing was sent; empty if requests were sent.
    """

    entries: int
    unchanged: int
    estimate: Estimate
    written: int = 0
    failed: Mapping[str, int] = field(default_factory=dict)
    cost: Cost = field(default_factory=Cost)
    skipped: str = ""


# Returns whether to continue at the estimated cost.
Confirm = Callable[[Estimate], bool]


def enrichable(selection: Selection) -> Selection:
    """Return ``selection`` narrowed to exported entries outside the standard library.

    Members other than methods are excluded unless the selection names kinds.
    """
    narrowed = [
        *selection,
        Condition("is", (GlobCondition("exported"),)),
        Condition("pkg", (GlobCondition(LIBRARY),), negated=True),
    ]
    if not any(condition.key == "kind" for condition in selection):
        narrowed.append(Condition("kind", tuple(map(GlobCondition, _MEMBER_KINDS)), negated=True))
    return tuple(narrowed)


def enrich(
    store: Store,
    gateway: Gateway,
    choose: Callable[[], Selection],
    *,
    confirm: Confirm = lambda _: True,
    batch: bool = True,
    progress: Progress = lambda done, total: None,  # noqa: ARG005
) -> EnrichmentReport:
    """Enrich the entries that match the selection returned by ``choose``.

    Args:
        confirm: called with the estimate before anything is sent; False stops the run.
        batch: submit batches (half the price, results within a day) instead of single requests.

    Raises:
        ClaudeError: requests could not be sent.  The next run resumes submitted batches.
    """
    with store.snapshot():
        known = store.enriched_digests()
        inputs = list(store.enrichment_inputs(choose()))
    descriptions = {
        entry.digest: entry.description for entry in inputs if entry.digest not in known
    }
    prompts_by_description = {
        digest: enrichment_prompt(description) for digest, description in descriptions.items()
    }
    prompts_by_request = {
        gateway.digest(prompt): prompt for prompt in prompts_by_description.values()
    }
    batches = Batches(gateway, "enrich")
    estimate = batches.estimate(prompts_by_request, EXPECTED_OUTPUT_TOKENS, batch=batch)
    unchanged = sum(entry.digest in known for entry in inputs)
    report = EnrichmentReport(len(inputs), unchanged, estimate)
    if not descriptions:
        return report
    if gateway.settings.problem and estimate.requests:
        return replace(report, skipped=gateway.settings.problem)
    if estimate.requests and not confirm(estimate):
        return replace(report, skipped="not confirmed")
    with store.writing():
        pass  # raise now if the database is read-only, before answers are paid for
    answers = (
        batches.answers(prompts_by_request, estimate, progress)
        if batch
        else _answers_without_batch(gateway, prompts_by_request, progress)
    )
    enrichments = {
        digest: enrichment_of(answers.answers[request_digest])
        for digest, prompt in prompts_by_description.items()
        if (request_digest := gateway.digest(prompt)) in answers.answers
    }
    with store.writing() as writer:
        written = writer.write_enrichments(enrichments, estimate.model)
    reasons = list(answers.errors.values())
    failed = {reason: reasons.count(reason) for reason in sorted(set(reasons))}
    return replace(report, written=written, failed=failed, cost=answers.cost)


def _answers_without_batch(
    gateway: Gateway, prompts: Mapping[str, Prompt[EnrichmentReply]], progress: Progress
) -> BatchAnswers[EnrichmentReply]:
    answers: dict[str, EnrichmentReply] = {}
    errors: dict[str, str] = {}
    cost = Cost()
    step = 4 * gateway.settings.concurrency
    digests = list(prompts)
    for start in range(0, len(digests), step):
        chunk = digests[start : start + step]
        for digest, answer in zip(
            chunk, gateway.ask_all([prompts[digest] for digest in chunk]), strict=True
        ):
            if isinstance(answer, ClaudeError):
                errors[digest] = answer.what
            else:
                answers[digest] = answer.value
                cost += answer.cost
        progress(start + len(chunk), len(digests))
        if len(errors) == start + len(chunk):
            break  # every request so far failed: stop
    return BatchAnswers(answers, errors, cost)


def enrichment_prompt(description: Mapping[str, str]) -> Prompt[EnrichmentReply]:
    return Prompt(
        "enrich", "small", SYSTEM, data_block([json_line(description)]), EnrichmentReply, MAX_TOKENS
    )


def enrichment_of(reply: EnrichmentReply) -> Enrichment:
    """Return a reply with its texts cut to their maximum lengths."""
    questions: Sequence[str] = [
        truncate_line(question, _MAX_QUESTION) for question in reply.questions
    ]
    return Enrichment(
        truncate_line(reply.summary, _MAX_SUMMARY),
        tuple(dict.fromkeys(question for question in questions if question))[:_MAX_QUESTIONS],
        truncate_line(reply.interface, _MAX_INTERFACE),
    )
