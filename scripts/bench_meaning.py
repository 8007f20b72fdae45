"""Measures word searches and meaning searches in one warm process; used by ``bench_search.py``.

Sentences are drawn from the documentation of the catalog itself, words and names are its most used
ones, so that any catalog can be measured.
"""

from __future__ import annotations

import gc
import random
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from measuring import peak_bytes

_SENTENCES = 300
_MAX_WORDS = 8  # of a sentence
_FILTERED = 5_000  # entries that a filtered search leaves
_LIMIT = 20
_DEPTH = 50


def sentences(database: Path, count: int) -> list[str]:
    """Return a random sample of first sentences of documentation, shortened."""
    found = sorted({text for (text,) in _rows(database, "SELECT summary FROM doc")})
    told = [" ".join(text.split()[:_MAX_WORDS]) for text in found if len(text.split()) > 3]
    drawn = random.Random(1)
    return drawn.sample(told, min(count, len(told)))


def most_used(database: Path, count: int) -> list[str]:
    """Return the most frequent words of documentation and names, and whole names."""
    from typematch.index.text.words import words_of

    used: Counter[str] = Counter()
    for (summary,) in _rows(database, "SELECT summary FROM doc"):
        used.update(words_of(summary))
    for (name,) in _rows(database, "SELECT name FROM entry"):
        used.update({name, *words_of(name)} if name.isidentifier() else words_of(name))
    ordered = sorted(used.items(), key=lambda item: (-item[1], item[0]))
    return [word for word, _ in ordered][:count]


def _rows(database: Path, query: str) -> list[Any]:
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        return connection.execute(query).fetchall()


def timed(call: Callable[[Any], object], queries: Sequence[Any]) -> dict[str, Any]:
    """Run each query once, the first ones twice; return milliseconds, and the failures."""
    from typematch.errors import TypematchError

    gc.collect()  # garbage of earlier measurements is not counted
    wall, cpu, failed = [], [], []
    warm_up = min(10, len(queries))
    for number, query in enumerate([*queries[:warm_up], *queries]):
        start, start_cpu = time.perf_counter(), time.process_time()
        try:
            call(query)
        except TypematchError as error:
            failed.append(str(error))
        if number >= warm_up:
            wall.append((time.perf_counter() - start) * 1000)
            cpu.append((time.process_time() - start_cpu) * 1000)
    return {"wall": wall, "cpu": cpu, "failed": failed}


def run(database: Path, words: int) -> dict[str, Any]:
    """Return measurements by name; ``words`` is the number of one-word queries."""
    import typematch as library
    from typematch.index.entries.selection import Condition, InNumbers
    from typematch.index.sql_store import open_store
    from typematch.index.text.full_text import full_text_query
    from typematch.index.vectors.embedding import open_embedder

    texts, single = sentences(database, _SENTENCES), most_used(database, words)
    store = open_store(database, create=False)
    numbers = store.select(())
    few = tuple(sorted(random.Random(2).sample(numbers, min(_FILTERED, len(numbers)))))
    among = (Condition("entry", (InNumbers(few),)),)
    embed = open_embedder("").embed_query
    vectors = [embed(text) for text in texts]
    measured = {
        "one text embedded": timed(embed, texts),
        "dense": timed(lambda vector: store.dense(vector, limit=_DEPTH), vectors),
        f"dense, of {len(few):,}": timed(
            lambda vector: store.dense(vector, among, limit=_DEPTH), vectors
        ),
        "full text": timed(lambda text: store.lexical(full_text_query(text), limit=200), texts),
    }
    store.close()
    with library.open(database, create=False) as catalog:
        measured["hybrid"] = timed(lambda text: catalog.search(text, limit=_LIMIT), texts)
        measured["one word"] = timed(lambda text: catalog.search(text, limit=_LIMIT), single)
    slowest = max(zip(measured["one word"]["cpu"], single, strict=True), default=(0.0, ""))
    return {"entries": len(numbers), "measured": measured, "slowest": slowest, "peak": peak_bytes()}
