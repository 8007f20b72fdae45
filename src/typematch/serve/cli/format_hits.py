"""Text lines for hits: signature, location, and why it fits."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from typematch.adapt.model import Adapter
from typematch.search.llm_protocols import RelevanceJudgment, StageReport
from typematch.search.present.doc_markup import summary_line
from typematch.search.present.edit_sentences import informative_edits, short_sentence
from typematch.search.present.truncate import truncate_line
from typematch.search.results import Hit, SearchResult
from typematch.serve.cli.source_links import path_from_here
from typematch.serve.cli.terminal import Terminal

FileLocator: TypeAlias = Callable[[str], str]

# Strings are kept; brackets lose inner space and a trailing comma.
_INNER_SPACE = re.compile(
    r"""(?P<text>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`)
      | (?P<open>[(<\[])\s+
      | ,?\s+(?P<close>[)>\]])""",
    re.VERBOSE,
)

SIGNATURE_WIDTH = 400  # characters; `show` prints longer ones in full
_SUMMARY_WIDTH = 160  # characters


def no_link(name: str) -> str:  # noqa: ARG001
    """Return no path: the locator for terminals without links."""
    return ""


def result_lines(
    result: SearchResult,
    terminal: Terminal,
    locate: FileLocator = no_link,
    *,
    explain: bool = False,
    adapt: bool = False,
    services: bool = False,
) -> Iterator[str]:
    """Yield the lines of a result: ``Read as:``, selected services, notices, hits, count, costs.

    Args:
        locate: returns the absolute path of a file by its path in the catalog, "" if not found.
        explain: print every edit with its cost.
        adapt: print the code that calls each hit.
        services: print the services that were selected.
    """
    yield f"{terminal.style('dim', 'Read as:')} {terminal.code(result.read_as)}"
    if services and result.services:
        yield f"{terminal.style('dim', 'Services:')} {', '.join(result.services)}"
    sentences = [
        *(("Relaxed:", sentence) for sentence in result.relaxed),
        *(("Note:", sentence) for sentence in result.notices),
    ]
    for title, sentence in sentences:
        first, *more = terminal.fold(sentence, used_columns=len(title) + 1)
        yield f"{terminal.style('warning', title)} {first}"
        yield from more
    for clause, hits in hits_by_clause(result):
        if clause:
            yield ""
            yield f"{terminal.style('dim', 'for:')} {clause}"
        for hit in hits:
            yield ""
            yield from hit_lines(hit, terminal, locate, explain=explain, adapt=adapt)
    yield ""
    yield terminal.style("dim", hit_count_line(result))
    for report in result.stages:
        if not report.skipped:
            yield terminal.style("dim", stage_cost_line(report))


def stage_cost_line(report: StageReport) -> str:
    """Return the cost of a stage: "rerank by MODEL: 2 requests, 812 tokens in, ..., $0.0158"."""
    stage = f"{report.stage} by {report.model}"
    if not report.requests:
        return f"{stage}: no request, the answer was cached"
    noun = "request" if report.requests == 1 else "requests"
    return (
        f"{stage}: {report.requests} {noun}, {report.tokens_in:,} tokens in, "
        f"{report.tokens_out:,} out, {dollars_text(report.dollars)}"
    )


def hits_by_clause(result: SearchResult) -> Iterator[tuple[str, Sequence[Hit]]]:
    """Yield (clause, hits) in the order of the clauses, each group best first.

    Hits that serve no single clause come last.  A query of one clause gives one group, named "".
    """
    if not result.clauses:
        yield "", result.hits
        return
    for clause in dict.fromkeys(result.clauses):
        hits = [hit for hit in result.hits if hit.clause == clause]
        if hits:
            yield clause, hits
    ungrouped = [hit for hit in result.hits if hit.clause not in result.clauses]
    if ungrouped:
        yield "all of it", ungrouped


def hit_count_line(result: SearchResult) -> str:
    """Return the summary line: "20 of 134 hits"."""
    if not result.total:
        return "no hits"
    noun = "hit" if result.total == 1 else "hits"
    hint = "--limit N or --limit all shows more"
    if len(result) < result.total:
        total = f"at least {result.total}" if result.at_least else f"{result.total}"
        text = f"{len(result)} of {total} {noun}; {hint}"
    elif result.at_least:
        text = f"{result.total} {noun}, and there may be others; {hint}"
    else:
        text = f"{result.total} {noun}"
    if result.undecided:
        is_single = result.undecided == 1
        text += f"; {result.undecided} candidate{' was' if is_single else 's were'} not decided"
    return text


def dollars_text(amount: float) -> str:
    """Return an amount of US dollars: four decimals, six for amounts below $0.001."""
    return f"${amount:.4f}" if amount >= 0.001 or not amount else f"${amount:.6f}"


def hit_lines(
    hit: Hit,
    terminal: Terminal,
    locate: FileLocator = no_link,
    *,
    explain: bool = False,
    adapt: bool = False,
) -> Iterator[str]:
    entry = hit.entry
    signature = short_signature(hit.signature)
    first, *more = terminal.fold(signature, used_columns=len(entry.id) + 2)
    yield f"{terminal.style('name', entry.id)}  {terminal.code(first)}"
    yield from map(terminal.code, more)
    located = locate(entry.path)
    location = f"{path_from_here(entry.path, located)}:{entry.line}"
    link = terminal.style("dim", terminal.link(location, located, entry.line))
    details = "  ".join(part for part in (entry.http, fit_line(hit)) if part)
    first, *more = terminal.fold(details, used_columns=len(location) + 6)
    yield f"    {link}" + (f"  {first}" if first else "")
    yield from more
    if summary := hit.snippet or summary_line(entry.doc):
        first, *more = terminal.fold(truncate_line(summary, _SUMMARY_WIDTH), used_columns=4)
        yield f"    {terminal.style('dim', first)}"
        yield from (terminal.style("dim", line) for line in more)
    if hit.judgment is not None:
        first, *more = terminal.fold(grade_line(hit.judgment), used_columns=4)
        yield f"    {first}"
        yield from more
    if adapt and hit.adapter is not None:
        first, *more = terminal.fold(adapter_line(hit.adapter), used_columns=4)
        yield f"    {terminal.code(first)}"
        yield from map(terminal.code, more)
    if explain:
        yield from explain_lines(hit)


def adapter_line(adapter: Adapter) -> str:
    """Return an adapter as one line: the code, then what it needs and what it is not."""
    holes = ", ".join(f"{hole.name}: {hole.type}" for hole in adapter.holes)
    remarks = [
        f"with {holes}" if holes else "",
        *adapter.notes,
        f"cannot import {', '.join(adapter.undeclared)}" if adapter.undeclared else "",
    ]
    remark = "; ".join(part for part in remarks if part)
    return f"{adapter.code}  // {remark}" if remark else adapter.code


def grade_line(grade: RelevanceJudgment) -> str:
    """Return a model's grade as one line: "8/10  Splits an array.  Missing: ..."."""
    missing = f"Missing: {grade.missing}" if grade.missing else ""
    parts = (f"{grade.score:g}/10", grade.why, missing)
    return "  ".join(" ".join(part.split()) for part in parts if part)


def fit_line(hit: Hit) -> str:
    """Return in one line why a hit fits: its edits, and flags such as deprecated."""
    parts = [short_sentence(edit) for edit in informative_edits(hit.edits)]
    if hit.cost == 0 and not parts:
        parts.append("fits as it is")
    if hit.undecided:
        parts.append(f"undecided: {hit.undecided}")
    if hit.provides_for:
        parts.append(f"gives what {hit.provides_for} needs")
    if hit.deprecation is not None:
        parts.append("deprecated")
    if not hit.entry.exported:
        parts.append("internal")
    if hit.more:
        parts.append(f"and {hit.more} more {'place' if hit.more == 1 else 'places'}")
    return "; ".join(parts)


def explain_lines(hit: Hit) -> Iterator[str]:
    """Yield every edit with its cost, the total, and the ranks in the retrieval channels."""
    if hit.cost is not None:
        for edit in hit.edits:
            yield f"    {edit.cost:>8}  {edit.sentence}  ({edit.kind.name} at {edit.path})"
        yield f"    {hit.cost:>8g}  total"
    if hit.channels:
        ranks = ", ".join(f"{name} {rank}" for name, rank in hit.channels.items())
        yield f"    {'rank':>8}  {ranks}"


def short_signature(signature: str) -> str:
    """Return a signature on one line, cut to ``SIGNATURE_WIDTH`` characters."""
    return truncate_line(one_line_signature(signature), SIGNATURE_WIDTH)


def one_line_signature(signature: str) -> str:
    """Return a signature on one line, without the spaces and commas of a multi-line layout."""
    return _INNER_SPACE.sub(
        lambda found: found["text"] or found["open"] or found["close"], signature
    )
