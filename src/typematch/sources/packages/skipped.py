"""Collect what is left out, and tell it in a few lines."""

from __future__ import annotations

import os

from typematch.sources.packages.model import Skipped

_NAMED = 3  # files or folders named per reason; the others are counted


class SkippedFiles:
    """Things left out, by reason; paths inside ``root`` are shown from there."""

    def __init__(self, root: str = "") -> None:
        self.root = root
        self._by_reason: dict[str, list[str]] = {}

    def add(self, path: str, reason: str) -> None:
        shown = path
        if self.root and path.startswith(self.root + os.sep):
            shown = path[len(self.root) + 1 :].replace(os.sep, "/")
        # Names need not be text on every system; what is told must be.
        shown = shown.encode("utf-8", "backslashreplace").decode("utf-8")
        self._by_reason.setdefault(reason, []).append(shown)

    def merge(self, other: SkippedFiles) -> None:
        for reason, paths in other._by_reason.items():
            self._by_reason.setdefault(reason, []).extend(paths)

    def told(self) -> tuple[Skipped, ...]:
        """Return one entry per reason, in the order the reasons came up."""
        return tuple(
            Skipped(_named(paths), reason, len(paths)) for reason, paths in self._by_reason.items()
        )


def _named(paths: list[str]) -> str:
    named = ", ".join(paths[:_NAMED])
    more = len(paths) - _NAMED
    return f"{named} and {more:,} more" if more > 0 else named
