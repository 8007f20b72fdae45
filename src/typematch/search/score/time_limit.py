"""The time that comparing types with a query may take."""

from __future__ import annotations

from typematch.ir.intern import InternedNode, children
from typematch.query.model import HasValue, TypeValue
from typematch.search.prepare.prepared_query import PreparedQuery
from typematch.search.score.deadline import Deadline, TimeLimit

# Where the caller sets no limit, comparing types ends at this CPU time after the search began.
# None of 60 random signatures on wide/ (191,510 entries), each in a new process, reached the first:
# their median was 1.5 seconds.
_TYPE_SECONDS = 10.0
# For a sentence, whose types only steer, and for a query of many types.
_STEERING_SECONDS = 1.5
# Limits of an ordinary query: arguments; types, parameters and properties.
_MAX_ARGUMENTS = 12
_MAX_PARTS = 200


def search_deadline(prepared: PreparedQuery, seconds: TimeLimit, *, is_page: bool) -> Deadline:
    """Return the deadline of a search that starts now.

    Args:
        seconds: the caller's limit.
        is_page: without that, comparing types for a page of hits has a limit of CPU time.  All hits
            take what they take.

    Raises:
        UsageError: the limit is negative.
    """
    is_limited = is_page and seconds is None
    return Deadline(seconds, cpu_seconds=_cpu_seconds(prepared) if is_limited else None)


def _cpu_seconds(prepared: PreparedQuery) -> float:
    """Return the CPU time after which comparing types with a query ends."""
    if prepared.query.sentence is not None:
        return _STEERING_SECONDS
    functions = prepared.signatures[:1]
    if any(len(function.calls[0].parameters) > _MAX_ARGUMENTS for function in functions):
        return _STEERING_SECONDS
    remaining = _MAX_PARTS
    pending: list[InternedNode] = [*functions, *prepared.types[:1]]
    for constraint in prepared.query.constraints:
        typed = (value for value in constraint.values if isinstance(value, TypeValue | HasValue))
        pending += [value.type for value in typed if value.type is not None]
    while pending and remaining:
        pending += children(pending.pop())
        remaining -= 1
    return _STEERING_SECONDS if pending else _TYPE_SECONDS
