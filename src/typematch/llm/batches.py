"""Ask many questions at half the price, and never pay twice for one.

What is submitted is noted in the user's accounts before it is sent and named afterwards, so a run
that is killed at any moment goes on: a batch that has a name is waited for, and one that was sent
but not named yet is looked for among the service's own batches.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic

from typematch.errors import ClaudeError
from typematch.llm.client import RequestRefusedError, Result
from typematch.llm.gateway import (
    Cost,
    Gateway,
    Prompt,
    Shape,
    answer_in,
    check_end,
    most_of,
)
from typematch.llm.usage import Usage
from typematch.llm.usage_ledger import Batch

MOST_REQUESTS = 10_000  # in one batch
_CLOCKS_DIFFER = 300.0  # seconds, at most, ours and the service's

# (how many requests are done, of how many)
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Estimate:
    """What answers will take, about: ``output`` tokens are a guess from the length asked for."""

    questions: int
    kept: int
    usage: Usage
    dollars: float
    model: str


@dataclass(frozen=True, slots=True)
class Answered(Generic[Shape]):
    """Answers by digest; ``failed``: why there is none, by digest."""

    answers: Mapping[str, Shape]
    failed: Mapping[str, str]
    bill: Cost


class Batches:
    """Questions of one stage, answered in batches."""

    def __init__(
        self, gateway: Gateway, stage: str, *, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self._gateway = gateway
        self._stage = stage
        self._accounts = gateway.accounts
        self._sleep = sleep

    def estimate(
        self, prompts: Mapping[str, Prompt[Shape]], output: int, *, batch: bool = True
    ) -> Estimate:
        """Return what ``prompts``, by digest, will take where each answer has ``output`` tokens."""
        open_ones = frozenset().union(*(one.items for one in self._accounts.open_batches()))
        waiting = [
            prompt
            for digest, prompt in prompts.items()
            if digest not in open_ones and self._gateway.kept(prompt, digest) is None
        ]
        model = self._gateway.model(waiting[0].model if waiting else "small")
        price = self._gateway.price(model)
        usages = [Usage(most_of(self._plain(one)).input, output) for one in waiting]
        return Estimate(
            len(waiting),
            len(prompts) - len(waiting),
            sum(usages, Usage()),
            sum(price.dollars(one, batch=batch) for one in usages),
            model,
        )

    def _plain(self, prompt: Prompt[Shape]) -> dict[str, object]:
        """Return about what is sent; without the SDK, which a mere estimate does not need."""
        schema = prompt.shape.model_json_schema()
        return {
            "system": prompt.system,
            "messages": prompt.content,
            "format": schema,
            "max_tokens": prompt.max_tokens,
        }

    def answers(
        self,
        prompts: Mapping[str, Prompt[Shape]],
        estimate: Estimate,
        progress: Progress = lambda done, total: None,  # noqa: ARG005
    ) -> Answered[Shape]:
        """Return the answers to all ``prompts``: those kept, those under way, and new ones.

        Raises:
            ClaudeError: the service cannot be asked, or the budget does not allow it.  What was
                submitted stays noted, and the next run goes on with it.
        """
        problem = self._gateway.settings.problem
        bill, failed = Cost(), dict[str, str]()
        waiting = self._unanswered(prompts)
        if problem and waiting:
            raise ClaudeError(problem)
        for batch in self._accounts.open_batches():
            if batch.items & prompts.keys():
                bill += self._finish(batch, prompts, failed, progress)
        waiting = [one for one in self._unanswered(prompts) if one not in failed]
        for start in range(0, len(waiting), MOST_REQUESTS):
            some = waiting[start : start + MOST_REQUESTS]
            share = len(some) / max(estimate.questions, 1)
            batch = self._submit(some, prompts, estimate, share)
            bill += self._finish(batch, prompts, failed, progress)
        kept = {digest: self._gateway.kept(prompt, digest) for digest, prompt in prompts.items()}
        answers = {digest: value for digest, value in kept.items() if value is not None}
        return Answered(answers, failed, bill)

    def _unanswered(self, prompts: Mapping[str, Prompt[Shape]]) -> list[str]:
        return [one for one, prompt in prompts.items() if self._gateway.kept(prompt, one) is None]

    def _submit(
        self,
        digests: Sequence[str],
        prompts: Mapping[str, Prompt[Shape]],
        estimate: Estimate,
        share: float,
    ) -> Batch:
        most = Usage(int(estimate.usage.input * share), int(estimate.usage.output * share))
        bodies = [(digest, self._gateway.body(prompts[digest])) for digest in digests]
        spending = self._accounts.reserve(
            self._stage, estimate.model, most, estimate.dollars * share, self._gateway.settings,
            requests=len(digests),
        )  # fmt: skip
        number = self._accounts.begin_batch(estimate.model, digests, spending)
        try:
            name = self._gateway.client.create_batch(bodies)
        except RequestRefusedError:
            self._accounts.end_batch(number)
            self._accounts.release(spending)
            raise
        # Any other error: it may have been heard although no answer came.  The next run looks.
        self._accounts.name_batch(number, name)
        [batch] = [one for one in self._accounts.open_batches() if one.number == number]
        return batch

    def _finish(
        self,
        batch: Batch,
        prompts: Mapping[str, Prompt[Shape]],
        failed: dict[str, str],
        progress: Progress,
    ) -> Cost:
        """Wait for a batch to end and keep its answers; return what it did cost."""
        results = self._results(batch, progress)
        if results is None:  # it was never heard
            self._accounts.end_batch(batch.number)
            self._accounts.release(batch.spending)
            return Cost()
        usage = Usage()
        for one in results:
            usage += one.message.usage if one.message else Usage()
            prompt = prompts.get(one.name)
            if one.message is None:
                failed[one.name] = one.problem
                continue
            try:
                if prompt is None:  # of another selection: its text is paid for all the same
                    check_end(one.message, 0)
                else:
                    answer_in(one.message, prompt)
            except ClaudeError as error:
                failed[one.name] = error.what
            else:
                self._accounts.keep(one.name, self._stage, batch.model, one.message.text)
        price = self._gateway.price(batch.model)
        dollars = price.dollars(usage, batch=True)
        self._accounts.settle(batch.spending, usage, dollars)
        self._accounts.end_batch(batch.number)
        return Cost(batch.model, len(results), 0, usage, dollars)

    def _results(self, batch: Batch, progress: Progress) -> Sequence[Result] | None:
        client = self._gateway.client
        if batch.name:
            return self._waited(batch.name, progress)
        since = batch.at - _CLOCKS_DIFFER
        known = self._accounts.batch_names()
        for name in client.batches_since(since, len(batch.items)):
            if name in known:
                continue
            results = self._waited(name, progress)
            if {one.name for one in results} == batch.items:
                self._accounts.name_batch(batch.number, name)
                return results
        return None

    def _waited(self, name: str, progress: Progress) -> Sequence[Result]:
        client = self._gateway.client
        try:
            while True:
                done, total, ended = client.batch_progress(name)
                progress(done, total)
                if ended:
                    return client.batch_results(name)
                self._sleep(self._gateway.settings.batch_poll_seconds)
        except ClaudeError as error:
            hint = "Run it again: it goes on with this batch, and nothing is paid twice."
            raise ClaudeError(error.what, name, hint) from None
