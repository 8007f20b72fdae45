"""How long a search may look: for a server that others wait for, and for whoever cannot wait."""

from __future__ import annotations

import time

from typematch.errors import UsageError


class Patience:
    """Time that runs out, if it does.

    Attributes:
        has_ended: something was not looked at because there was no time left.
    """

    def __init__(self, seconds: float | None = None) -> None:
        """Start now; None never ends.

        Raises:
            UsageError: that is less than no time.
        """
        if seconds is not None and not seconds >= 0:
            raise UsageError(
                f"a search cannot take {seconds:g} seconds", hint="Give it 0 or more, or None."
            )
        self.seconds = seconds
        self.has_ended = False
        self._end = None if seconds is None else time.monotonic() + seconds

    def is_over(self, share: float = 1.0) -> bool:
        """Return whether there is no time left, to be asked before something is left aside.

        Args:
            share: of the time, what may be over by now: the rest is for something else.
        """
        if self._end is None or self.seconds is None:
            return False
        if time.monotonic() < self._end - (1 - share) * self.seconds:
            return False
        self.has_ended = True
        return True
