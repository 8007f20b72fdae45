"""Measures the intent task without one part of the search at a time: what does each part earn?

Each row is the whole search, run on every query, changed in one thing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import fields, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from typematch.evaluate.corpus import JoinedFunctions, Row
from typematch.evaluate.relevance import intent
from typematch.index.engines.engine import DriverConnection
from typematch.index.sql_store import SqlStore, open_store
from typematch.index.text.text_fields import NO_ENRICHMENT, text_rows
from typematch.index.vectors.open_embedders import OpenEmbedders
from typematch.index.vectors.vector_texts import embedding_text, is_embedded
from typematch.index.vectors.vector_writer import write_texts
from typematch.ir.entry import Entry
from typematch.ir.types import Object
from typematch.search.retrieve.variant import STANDARD, Variant
from typematch.search.score.weights import WEIGHTS, Priors

_BATCH = 2_000  # entries of one transaction
_NO_PRIORS = Priors(**{prior.name: 1.0 for prior in fields(Priors)})


def variants() -> Mapping[str, Variant]:
    """Return the changed searches that need no other catalog, by what they lack."""
    found = {"priors": Variant(replace(WEIGHTS, priors=_NO_PRIORS))}
    for channel in ("lexical", "terms", "package"):
        found[channel] = Variant(
            replace(
                WEIGHTS,
                channels={
                    sort: {**weights, channel: 0.0} for sort, weights in WEIGHTS.channels.items()
                },
            )
        )
    found["English constraints"] = Variant(sentences=False)
    found["folding"] = Variant(folding=False)
    return found


def evaluate(
    queries: Iterable[Row], functions: JoinedFunctions, store: SqlStore, *, unseen: Set[str]
) -> Row:
    """Return the measures of the search as it is, and without each part."""
    rows = list(queries)
    opened = OpenEmbedders().stored
    rankers = {"as it is": intent.variant_ranker(store, STANDARD, opened)}
    for part, variant in variants().items():
        rankers[f"without {part}"] = intent.variant_ranker(store, variant, opened)
    rankers["without embedding"] = intent.variant_ranker(store, STANDARD, None)
    with _without_context(store) as other:
        rankers["without context"] = intent.variant_ranker(other, STANDARD, opened)
        return intent.evaluate(rows, functions, rankers, unseen=unseen)


def report(result: Row) -> str:
    """Return the tables of nDCG@10 and page@10, of all queries and of each half."""
    systems = {"all": result["systems"], **result["halves"]}
    lines = []
    for measure in ("ndcg@10", "page@10"):
        for half, by_name in systems.items():
            lines += [*intent.table(f"{measure}, {half}", measure, by_name), ""]
    return "\n".join(lines)


@contextmanager
def _without_context(store: SqlStore) -> Iterator[SqlStore]:
    """Yield a copy of a catalog whose texts and vectors know no container, module or package."""
    with TemporaryDirectory() as folder:
        copy = Path(folder) / "catalog.db"
        store.export(copy)
        other = open_store(copy)
        try:
            _remove_context(other)
            yield other
        finally:
            other.close()


def _remove_context(store: SqlStore) -> None:
    model = store.model()
    numbers = store.select(())
    with store.writing() as writer:
        with store.database.transaction() as connection:
            connection.execute("DELETE FROM entry_vector")
            connection.execute("DELETE FROM package_vector")
        for start in range(0, len(numbers), _BATCH):
            batch = numbers[start : start + _BATCH]
            with store.database.transaction() as connection:
                _rewrite_texts(store, connection, batch)
        if model is not None:
            writer.embed(OpenEmbedders().stored(model), lambda done, total: None)  # noqa: ARG005


def _rewrite_texts(store: SqlStore, connection: DriverConnection, numbers: Sequence[int]) -> None:
    texts = store.database.texts
    bare = [replace(entry, container="", package="") for entry in store.entries(numbers)]
    for number, entry in zip(numbers, bare, strict=True):
        texts.delete_entry_rows(number)
        row, operation = text_rows(number, entry, _members(entry, store), NO_ENRICHMENT)
        texts.write([row])
        if operation is not None:
            texts.write([operation], operations=True)
    embedded = [pair for pair in zip(numbers, bare, strict=True) if is_embedded(pair[1])]
    write_texts(connection, [(number, embedding_text(entry)) for number, entry in embedded])


def _members(entry: Entry, store: SqlStore) -> Sequence[str]:
    """Return the names of the properties of the type that an entry declares."""
    declaration = store.get(entry.declaration) if entry.type is not None else None
    type_ = None if declaration is None else declaration.type
    return [member.name for member in type_.properties] if isinstance(type_, Object) else ()
