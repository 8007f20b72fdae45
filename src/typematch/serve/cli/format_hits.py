"""Print hits so that they read like code: the signature, where it is, and why it fits."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from typematch.match.edit_kinds import Edit
from typematch.search.llm_protocols import Judged, StageReport
from typematch.search.present.truncate import cut
from typematch.search.results import Hit, SearchResult
from typematch.serve.cli.terminal import Terminal

Locate: TypeAlias = Callable[[str], str]

# A string stays as it is; a bracket loses the space and the last comma inside it.
_GAPS = re.compile(
    r"""(?P<text>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`)
      | (?P<open>[(<\[])\s+
      | ,?\s+(?P<close>[)>\]])""",
    re.VERBOSE,
)

SIGNATURE_WIDTH = 400  # characters; a longer one is cut, `show` prints it whole
_SUMMARY_WIDTH = 160  # characters


def nowhere(name: str) -> str:  # noqa: ARG001
    """Return no path: what to use where links are not shown."""
    return ""


def answer_lines(
    result: SearchResult,
    shown: Terminal,
    locate: Locate = nowhere,
    *,
    explain: bool = False,
    services: bool = False,
) -> Iterator[str]:
    """Yield the lines of a whole answer, ``Read as:`` first; then, if wanted, the services."""
    yield f"{shown.style('dim', 'Read as:')} {shown.code(result.read_as)}"
    if services and result.services:
        yield f"{shown.style('dim', 'Services:')} {', '.join(result.services)}"
    for sentence in result.relaxed:
        yield f"{shown.style('warning', 'Relaxed:')} {sentence}"
    for sentence in result.notices:
        yield f"{shown.style('warning', 'Note:')} {sentence}"
    for clause, hits in grouped(result):
        if clause:
            yield ""
            yield f"{shown.style('dim', 'for:')} {clause}"
        for hit in hits:
            yield ""
            yield from hit_lines(hit, shown, locate, explain=explain)
    yield ""
    yield shown.style("dim", counted(result))
    for report in result.stages:
        if not report.skipped:
            yield shown.style("dim", paid(report))


def paid(report: StageReport) -> str:
    """Return what a stage did cost: "rerank by MODEL: 2 requests, 812 tokens in, ..., $0.0158"."""
    asked = f"{report.stage} by {report.model}"
    if not report.requests:
        return f"{asked}: nothing was sent, the answer is kept from before"
    noun = "request" if report.requests == 1 else "requests"
    return (
        f"{asked}: {report.requests} {noun}, {report.tokens_in:,} tokens in, "
        f"{report.tokens_out:,} out, {dollars(report.dollars)}"
    )


def grouped(result: SearchResult) -> Iterator[tuple[str, Sequence[Hit]]]:
    """Yield the hits by the clause that they serve, in the clauses' order, each group best first.

    What serves none alone comes last; of a request for one thing there is one group without a name.
    """
    if not result.clauses:
        yield "", result.hits
        return
    for clause in dict.fromkeys(result.clauses):
        hits = [hit for hit in result.hits if hit.clause == clause]
        if hits:
            yield clause, hits
    rest = [hit for hit in result.hits if hit.clause not in result.clauses]
    if rest:
        yield "all of it", rest


def counted(result: SearchResult) -> str:
    """Return the last line: "20 of 134 hits"."""
    if not result.total:
        return "no hits"
    noun = "hit" if result.total == 1 else "hits"
    more = "--limit N or --limit all shows more"
    if len(result) < result.total:
        total = f"at least {result.total}" if result.at_least else f"{result.total}"
        text = f"{len(result)} of {total} {noun}; {more}"
    elif result.at_least:
        text = f"{result.total} {noun}, and there may be others; {more}"
    else:
        text = f"{result.total} {noun}"
    if result.undecided:
        one = result.undecided == 1
        text += f"; {result.undecided} candidate{' was' if one else 's were'} too deep to decide"
    return text


def dollars(amount: float) -> str:
    """Return an amount as text; of small ones enough digits to see that they are not nothing."""
    return f"${amount:.4f}" if amount >= 0.001 or not amount else f"${amount:.6f}"


def hit_lines(
    hit: Hit, shown: Terminal, locate: Locate = nowhere, *, explain: bool = False
) -> Iterator[str]:
    entry = hit.entry
    signature = shortened(hit.signature)
    first, *more = shown.fold(signature, behind=len(entry.id) + 2)
    yield f"{shown.style('name', entry.id)}  {shown.code(first)}"
    yield from map(shown.code, more)
    place = f"{entry.path}:{entry.line}"
    link = shown.style("dim", shown.link(place, locate(entry.path), entry.line))
    why = "  ".join(part for part in (entry.http, reason(hit)) if part)
    first, *more = shown.fold(why, behind=len(place) + 6)
    yield f"    {link}" + (f"  {first}" if first else "")
    yield from more
    if entry.doc and (said := hit.snippet or entry.doc.summary):
        first, *more = shown.fold(cut(said, _SUMMARY_WIDTH), behind=4)
        yield f"    {shown.style('dim', first)}"
        yield from (shown.style("dim", line) for line in more)
    if hit.judged is not None:
        first, *more = shown.fold(judgement(hit.judged), behind=4)
        yield f"    {first}"
        yield from more
    if explain:
        yield from explained(hit)


def judgement(judged: Judged) -> str:
    """Return in one line what a model says of a hit: "8/10  Splits an array.  Missing: ..."."""
    missing = f"Missing: {judged.missing}" if judged.missing else ""
    return "  ".join(part for part in (f"{judged.score:g}/10", judged.why, missing) if part)


def reason(hit: Hit) -> str:
    """Return in one line why a hit fits: its edits' sentences, marks that a caller should know."""
    parts = [edit.sentence for edit in told(hit.edits)]
    if hit.cost == 0 and not parts:
        parts.append("fits as it is")
    if hit.undecided:
        parts.append(f"undecided: {hit.undecided}")
    if hit.supplies:
        parts.append(f"gives what {hit.supplies} needs")
    if hit.entry.deprecated:
        parts.append("deprecated")
    if not hit.entry.exported:
        parts.append("internal")
    return "; ".join(parts)


def told(edits: Sequence[Edit]) -> list[Edit]:
    """Return the edits worth a word in one line: renaming ``T`` to ``T`` is none."""
    return [edit for edit in edits if edit.price or edit.a != edit.b]


def explained(hit: Hit) -> Iterator[str]:
    """Yield every edit with its price, and the sum."""
    if hit.cost is not None:
        for edit in hit.edits:
            yield f"    {edit.price:>8}  {edit.sentence}  ({edit.kind.name} at {edit.path})"
        yield f"    {hit.cost:>8g}  in all"
    if hit.channels:
        ranks = ", ".join(f"{name} {rank}" for name, rank in hit.channels.items())
        yield f"    {'rank':>8}  {ranks}"


def shortened(signature: str) -> str:
    """Return a signature in one line that is not too long to be read in a list."""
    return cut(tidy(signature), SIGNATURE_WIDTH)


def tidy(signature: str) -> str:
    """Return a signature that was written on several lines as one writes it on one."""
    return _GAPS.sub(lambda found: found["text"] or found["open"] or found["close"], signature)
