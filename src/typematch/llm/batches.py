"""Batch requests at half the price, resumable at any point.

A batch is recorded in the usage ledger before it is submitted, and its id afterwards.  After a
crash, the next run waits for a batch with a recorded id, and searches the service's list for one
that was submitted but whose id was not recorded.  No request is paid for twice.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic

from typematch.errors import ClaudeError
from typematch.llm.client import BatchResult, RequestRefusedError
from typematch.llm.gateway import (
    Cost,
    Gateway,
    Prompt,
    ReplyT,
    answer_of_message,
    check_stop_reason,
    worst_case_usage,
)
from typematch.llm.usage import Usage
from typematch.llm.usage_ledger import Batch

MAX_BATCH_REQUESTS = 10_000  # in one batch
_CLOCK_SKEW_SECONDS = 300.0  # maximum difference to the service's clock

# (finished requests, all requests)
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Estimate:
    """Estimated cost of the requests that are not cached.

    Attributes:
        requests: number of requests to send.
        cached: number of prompts whose answer is cached or already submitted.
        usage: upper bound of input tokens, expected output tokens.
    """

    requests: int
    cached: int
    usage: Usage
    dollars: float
    model: str


@dataclass(frozen=True, slots=True)
class BatchAnswers(Generic[ReplyT]):
    """Answers by digest of the prompt; ``errors``: why an answer is missing, by digest."""

    answers: Mapping[str, ReplyT]
    errors: Mapping[str, str]
    cost: Cost


class Batches:
    """Runs the prompts of one stage in batches."""

    def __init__(
        self, gateway: Gateway, stage: str, *, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self._gateway = gateway
        self._stage = stage
        self._ledger = gateway.ledger
        self._sleep = sleep

    def estimate(
        self, prompts: Mapping[str, Prompt[ReplyT]], output_tokens: int, *, batch: bool = True
    ) -> Estimate:
        """Return the estimated cost of ``prompts`` (by digest) at ``output_tokens`` per answer."""
        submitted = frozenset().union(*(open_.digests for open_ in self._ledger.open_batches()))
        missing = [
            prompt
            for digest, prompt in prompts.items()
            if digest not in submitted and self._gateway.cached_answer(prompt, digest) is None
        ]
        model = self._gateway.model_name(missing[0].model if missing else "small")
        price = self._gateway.price(model)
        usages = [
            Usage(worst_case_usage(self._approximate_body(prompt)).total_input, output_tokens)
            for prompt in missing
        ]
        return Estimate(
            len(missing),
            len(prompts) - len(missing),
            sum(usages, Usage()),
            sum(price.dollars(usage, batch=batch) for usage in usages),
            model,
        )

    def _approximate_body(self, prompt: Prompt[ReplyT]) -> dict[str, object]:
        """Return an approximation of the request body that does not need the SDK."""
        schema = prompt.reply_type.model_json_schema()
        return {
            "system": prompt.system,
            "messages": prompt.content,
            "format": schema,
            "max_tokens": prompt.max_tokens,
        }

    def answers(
        self,
        prompts: Mapping[str, Prompt[ReplyT]],
        estimate: Estimate,
        progress: Progress = lambda done, total: None,  # noqa: ARG005
    ) -> BatchAnswers[ReplyT]:
        """Return the answers to ``prompts``: cached, from submitted batches, and new ones.

        Raises:
            ClaudeError: the service is not available, or a budget is exceeded.  Submitted batches
                stay recorded, and the next run resumes them.
        """
        problem = self._gateway.settings.problem
        cost, errors = Cost(), dict[str, str]()
        missing = self._unanswered(prompts)
        if problem and missing:
            raise ClaudeError(problem)
        for batch in self._ledger.open_batches():
            if batch.digests & prompts.keys():
                cost += self._finish(batch, prompts, errors, progress)
        missing = [digest for digest in self._unanswered(prompts) if digest not in errors]
        for start in range(0, len(missing), MAX_BATCH_REQUESTS):
            chunk = missing[start : start + MAX_BATCH_REQUESTS]
            share = len(chunk) / max(estimate.requests, 1)
            batch = self._submit(chunk, prompts, estimate, share)
            cost += self._finish(batch, prompts, errors, progress)
        cached = {
            digest: self._gateway.cached_answer(prompt, digest)
            for digest, prompt in prompts.items()
        }
        answers = {digest: value for digest, value in cached.items() if value is not None}
        return BatchAnswers(answers, errors, cost)

    def _unanswered(self, prompts: Mapping[str, Prompt[ReplyT]]) -> list[str]:
        return [
            digest
            for digest, prompt in prompts.items()
            if self._gateway.cached_answer(prompt, digest) is None
        ]

    def _submit(
        self,
        digests: Sequence[str],
        prompts: Mapping[str, Prompt[ReplyT]],
        estimate: Estimate,
        share: float,
    ) -> Batch:
        expected = Usage(int(estimate.usage.input * share), int(estimate.usage.output * share))
        bodies = [(digest, self._gateway.request_body(prompts[digest])) for digest in digests]
        reservation = self._ledger.reserve(
            self._stage, estimate.model, expected, estimate.dollars * share, self._gateway.settings,
            requests=len(digests),
        )  # fmt: skip
        row_id = self._ledger.record_batch(estimate.model, digests, reservation)
        try:
            batch_id = self._gateway.client.create_batch(bodies)
        except RequestRefusedError:
            self._ledger.close_batch(row_id)
            self._ledger.release(reservation)
            raise
        # After any other error the batch may exist without a reply: the next run looks for it.
        self._ledger.set_batch_id(row_id, batch_id)
        return next(batch for batch in self._ledger.open_batches() if batch.row_id == row_id)

    def _finish(
        self,
        batch: Batch,
        prompts: Mapping[str, Prompt[ReplyT]],
        errors: dict[str, str],
        progress: Progress,
    ) -> Cost:
        """Wait for a batch to end and cache its answers; return its cost."""
        results = self._results(batch, progress)
        if results is None:  # the batch was never created
            self._ledger.close_batch(batch.row_id)
            self._ledger.release(batch.reservation)
            return Cost()
        usage = Usage()
        by_digest = {result.custom_id: result for result in results}
        for digest in sorted(batch.digests):
            result = by_digest.get(digest)
            if result is None:
                errors[digest] = "the service returned no result"
                continue
            usage += result.message.usage if result.message else Usage()
            prompt = prompts.get(result.custom_id)
            if result.message is None:
                errors[result.custom_id] = result.error
                continue
            try:
                if prompt is None:  # from another selection: cache the text that was paid for
                    check_stop_reason(result.message, 0)
                else:
                    answer_of_message(result.message, prompt)
            except ClaudeError as error:
                errors[result.custom_id] = error.what
            else:
                self._ledger.cache_text(
                    result.custom_id, self._stage, batch.model, result.message.text
                )
        price = self._gateway.price(batch.model)
        dollars = price.dollars(usage, batch=True)
        self._ledger.settle(batch.reservation, usage, dollars)
        self._ledger.close_batch(batch.row_id)
        return Cost(batch.model, len(batch.digests), 0, usage, dollars)

    def _results(self, batch: Batch, progress: Progress) -> Sequence[BatchResult] | None:
        client = self._gateway.client
        if batch.batch_id:
            return self._await_results(batch.batch_id, progress)
        earliest = batch.submitted_at - _CLOCK_SKEW_SECONDS
        known_ids = self._ledger.batch_ids()
        for batch_id in client.batches_since(earliest, len(batch.digests)):
            if batch_id in known_ids:
                continue
            results = self._await_results(batch_id, progress)
            # Some results may be missing or unreadable; another batch has other digests.
            if {result.custom_id for result in results} <= batch.digests:
                self._ledger.set_batch_id(batch.row_id, batch_id)
                return results
        return None

    def _await_results(self, batch_id: str, progress: Progress) -> Sequence[BatchResult]:
        client = self._gateway.client
        try:
            while True:
                done, total, ended = client.batch_progress(batch_id)
                progress(done, total)
                if ended:
                    return client.batch_results(batch_id)
                self._sleep(self._gateway.settings.batch_poll_seconds)
        except ClaudeError as error:
            hint = "Run the command again: it resumes this batch, and nothing is paid twice."
            raise ClaudeError(error.what, batch_id, hint) from None
