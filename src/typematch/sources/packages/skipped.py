"""Collects skipped files by reason and summarises them."""

from __future__ import annotations

import os

from typematch.sources.packages.model import Skipped

_LISTED = 3  # files or folders listed for each reason; further ones are counted


class SkippedFiles:
    """Skipped files by reason; paths inside ``root`` are shown relative to it."""

    def __init__(self, root: str = "") -> None:
        self.root = root
        self._by_reason: dict[str, list[str]] = {}

    def add(self, path: str, reason: str) -> None:
        path_text = path
        if self.root and path.startswith(self.root + os.sep):
            path_text = path[len(self.root) + 1 :].replace(os.sep, "/")
        # File names need not be valid UTF-8; the summary must be.
        path_text = path_text.encode("utf-8", "backslashreplace").decode("utf-8")
        self._by_reason.setdefault(reason, []).append(path_text)

    def merge(self, other: SkippedFiles) -> None:
        for reason, paths in other._by_reason.items():
            self._by_reason.setdefault(reason, []).extend(paths)

    def summary(self) -> tuple[Skipped, ...]:
        """Return one entry for each reason, in order of first occurrence."""
        return tuple(
            Skipped(_listed(paths), reason, len(paths)) for reason, paths in self._by_reason.items()
        )


def _listed(paths: list[str]) -> str:
    named = ", ".join(paths[:_LISTED])
    more = len(paths) - _LISTED
    return f"{named} and {more:,} more" if more > 0 else named
