"""Say what a stage did and what it did cost."""

from __future__ import annotations

from collections.abc import Iterable

from typematch.llm.gateway import Cost
from typematch.search.llm_protocols import StageReport


def report_of(
    stage: str, bill: Cost, *, skipped: str = "", notes: Iterable[str] = ()
) -> StageReport:
    return StageReport(
        stage=stage,
        model=bill.model,
        skipped=skipped,
        notes=tuple(notes),
        requests=bill.requests,
        kept=bill.kept,
        tokens_in=bill.usage.all_input,
        tokens_out=bill.usage.output,
        dollars=bill.dollars,
    )
