"""Terms of texts as FTS5 has them, for engines that have no such index.

FTS5's own tokenizer is asked, once for each run of letters and digits, so both engines split, fold
and stem alike.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from typematch.index.engines.sqlite_driver import driver
from typematch.index.text.fts5 import TOKENIZER

# ASCII signs separate terms; what other characters do, the tokenizer knows.
_RUN = re.compile(r"[0-9A-Za-z\x80-\U0010ffff]+")
_MAX_CACHED_RUNS = 300_000


class TermReader:
    """Splits texts into terms; those of a run of characters are cached."""

    def __init__(self) -> None:
        self._connection = driver().connect(":memory:", check_same_thread=False)
        self._connection.execute(f"CREATE VIRTUAL TABLE run USING fts5(t, tokenize='{TOKENIZER}')")
        self._connection.execute("CREATE VIRTUAL TABLE term USING fts5vocab('run', 'instance')")
        self._terms: dict[str, tuple[str, ...]] = {}

    def terms(self, text: str) -> list[str]:
        """Return the terms of a text, in order."""
        known = self._terms
        found: list[str] = []
        for run in _RUN.findall(text):
            terms = known.get(run)
            found += self._tokenized(run) if terms is None else terms
        return found

    def prepare(self, texts: Sequence[str]) -> None:
        """Read the runs of many texts at once: one by one, each takes ten times as long."""
        needed = {run for text in texts for run in _RUN.findall(text)}
        if len(self._terms) + len(needed - self._terms.keys()) > _MAX_CACHED_RUNS:
            self._terms.clear()
        runs = list(needed - self._terms.keys())
        connection = self._connection
        connection.execute("DELETE FROM run")
        connection.executemany("INSERT INTO run (rowid, t) VALUES (?, ?)", enumerate(runs))
        by_run: dict[int, list[tuple[int, str]]] = {}
        for term, number, place in connection.execute("SELECT term, doc, offset FROM term"):
            by_run.setdefault(number, []).append((place, term))
        for number, run in enumerate(runs):
            places = sorted(by_run.get(number, ()))
            self._terms[run] = tuple(term for _, term in places)

    def _tokenized(self, run: str) -> tuple[str, ...]:
        self.prepare((run,))
        return self._terms[run]
