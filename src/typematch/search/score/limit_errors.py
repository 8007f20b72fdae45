"""Limits of reducing and comparing types that no stage of a search has handled."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from typematch.errors import UsageError
from typematch.program.reduction.limits import TOO_DEEP, LimitReached


@contextmanager
def limits_as_errors() -> Iterator[None]:
    """Raise what exceeds a limit as an error for the user.

    Stages that meet types of that size count them as undecided; this is for the rest.

    Raises:
        UsageError: types are too large to compare.
    """
    try:
        yield
    except LimitReached as limit:
        raise _too_large(limit.reason) from limit
    except RecursionError as error:
        raise _too_large(TOO_DEEP) from error


def _too_large(reason: str) -> UsageError:
    return UsageError(
        f"the types are too large to compare ({reason})",
        hint="Search for a part of the type, write _ for inner types, or select packages (pkg:).",
    )
