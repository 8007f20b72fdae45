"""How long a search may look: for a server that others wait for, and for whoever cannot wait."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeAlias

from typematch.errors import UsageError

Seconds: TypeAlias = float | Callable[[], float] | None


class Deadline:
    """Time that runs out, if it does.

    Attributes:
        ended_after: seconds after which something was not looked at because there was no time left.
    """

    def __init__(self, seconds: Seconds = None) -> None:
        """Start now; None never ends, and what is asked again each time may change its mind.

        Raises:
            UsageError: that is less than no time.
        """
        if isinstance(seconds, (int, float)) and not seconds >= 0:
            raise UsageError(
                f"a search cannot take {seconds:g} seconds", hint="Give it 0 or more, or None."
            )
        self.ended_after: float | None = None
        self._seconds = seconds
        self._begun = time.monotonic()

    @property
    def has_ended(self) -> bool:
        return self.ended_after is not None

    def is_over(self, share: float = 1.0) -> bool:
        """Return whether there is no time left, to be asked before something is left aside.

        Args:
            share: of the time, what may be over by now: the rest is for something else.
        """
        seconds = self._seconds
        if seconds is None:
            return False
        gone = time.monotonic() - self._begun
        if gone < share * (seconds() if callable(seconds) else seconds):
            return False
        self.ended_after = gone
        return True
