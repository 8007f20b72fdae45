"""Searches functions by the first sentence of their documentation, which is not indexed.

The catalog has the data's functions with name, container, package and signature, through the same
texts, columns and vectors as real entries.  Type constraints in the sentences are not used.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from typematch.errors import SourceError, TypematchError
from typematch.evaluate.corpus import Row
from typematch.evaluate.relevance.ranking import mean, reciprocal_rank
from typematch.index.sql_store import SqlStore
from typematch.ir.entry import Entry, EntryParameter, EntrySignature
from typematch.ir.types import Object
from typematch.search.fuse.fusion import fused_scores
from typematch.search.retrieve.dense import vector_search
from typematch.search.retrieve.lexical import lexical_search
from typematch.search.score.ranks import relative_scores
from typematch.search.score.weights import WEIGHTS
from typematch.sources.typescript import read_type

if TYPE_CHECKING:
    from typematch.index.vectors.embedding import Embedder

CUTS = (1, 10, 50)
_DEPTH = 200  # entries from each channel

# Indices of documents, best first.
Ranking = Sequence[int]


def read_benchmark(file: Path) -> tuple[list[Row], list[Row]]:
    """Return the functions and the questions.

    Raises:
        SourceError: the file is missing or damaged.
    """
    try:
        data = json.loads(gzip.decompress(file.read_bytes()))
    except OSError as error:
        raise SourceError("this data file cannot be read", str(file), str(error)) from error
    except ValueError as error:
        raise SourceError("this data file is damaged", str(file), str(error)) from error
    return data["docs"], data["qs"]


def document_entry(place: int, document: Row) -> Entry:
    """Return a function of the data as an entry; its id contains its index."""
    text = as_function_type(document["sig"])
    container = document["cont"] or ""
    qualified = f"{container}.{document['name']}" if container else document["name"]
    return Entry(
        id=f"{document['pkg']}#{place}",
        kind="function",
        name=document["name"],
        qualified_name=qualified,
        container=container,
        package=document["pkg"],
        version="",
        path=f"{document['pkg']}/index.d.ts",
        line=place + 1,
        signature=text,
        signatures=_signatures(text),
        exported=True,
    )


def as_function_type(signature: str) -> str:
    """Return ``(a: string): R`` as a function type: ``(a: string) => R``."""
    depth = 0
    for place, character in enumerate(signature):
        depth += (character in "([{") - (character in ")]}")
        if character == ")" and not depth:
            result = signature[place + 1 :].strip().removeprefix(":").strip()
            return f"{signature[: place + 1]} => {result or 'any'}"
    return signature


def _signatures(text: str) -> tuple[EntrySignature, ...]:
    """Return the signature; none if it is truncated in the data."""
    with suppress(TypematchError):
        read = read_type(text)
        if isinstance(read, Object) and len(read.calls) == 1:
            call = read.calls[0]
            least = sum(not (parameter.optional or parameter.rest) for parameter in call.parameters)
            return (
                EntrySignature(
                    text=text,
                    type=read,
                    parameters=tuple(
                        EntryParameter(
                            parameter.name, "", parameter.type, parameter.optional, parameter.rest
                        )
                        for parameter in call.parameters
                    ),
                    returns="",
                    return_type=call.returns,
                    min_arity=least,
                    max_arity=len(call.parameters),
                ),
            )
    return ()


def write_documents(store: SqlStore, documents: Sequence[Row], embedder: Embedder) -> None:
    """Write the functions with their vectors."""
    from typematch.index.store import NewFile

    entries = [document_entry(place, document) for place, document in enumerate(documents)]
    by_package: dict[str, list[Entry]] = {}
    for entry in entries:
        by_package.setdefault(entry.package, []).append(entry)
    with store.writing() as writer:
        for package, its in by_package.items():
            file = NewFile(its[0].path, b"", b"", b"", "", entries=its)
            writer.write_package(package, "", [file])
        store.database.create_indexes()
        writer.embed(embedder, lambda done, total: None)  # noqa: ARG005


def rankers(store: SqlStore, embedder: Embedder) -> Callable[[str], Mapping[str, Ranking]]:
    """Return a function that ranks the documents by each channel and by both."""
    places = {
        brief.number: int(brief.id.rpartition("#")[2].partition("~")[0])
        for brief in store.summaries(store.select(())).values()
    }

    def rank(question: str) -> Mapping[str, Ranking]:
        channels = {
            "lexical": lexical_search(question, (), store, (), limit=_DEPTH).scores,
            "dense": vector_search(question, store, (), lambda _: embedder, limit=_DEPTH).cosines,
        }
        relative = {name: relative_scores(found) for name, found in channels.items()}
        scores = fused_scores(relative, WEIGHTS.channels["words"])
        fused = sorted(scores, key=lambda number: (-round(scores[number], 9), number))
        return {
            name: [places[number] for number in found]
            for name, found in {**channels, "fused": fused}.items()
        }

    return rank


def evaluate(questions: Iterable[Row], rank: Callable[[str], Mapping[str, Ranking]]) -> Row:
    """Return MRR@10 and recall@k of each channel."""
    values: dict[str, dict[str, list[float]]] = {}
    for question in questions:
        relevant = frozenset(question["rel"])
        for name, ranking in rank(question["q"]).items():
            measured = values.setdefault(name, {})
            measured.setdefault("mrr@10", []).append(reciprocal_rank(ranking, relevant))
            for cut in CUTS:
                found = not relevant.isdisjoint(ranking[:cut])
                measured.setdefault(f"recall@{cut}", []).append(float(found))
    return {
        name: {measure: mean(value) for measure, value in measured.items()}
        for name, measured in values.items()
    }


def report(result: Mapping[str, Any]) -> str:
    measures = ["mrr@10", *(f"recall@{cut}" for cut in CUTS)]
    lines = [f"{'':10}" + "".join(f"{measure:>12}" for measure in measures)]
    for name, measured in result.items():
        lines.append(f"{name:10}" + "".join(f"{measured[measure]:>12.3f}" for measure in measures))
    return "\n".join(lines)
