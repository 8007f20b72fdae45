"""Term similarity: each word of a query against the nearest word of an entry."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from typematch.index.sql_store import SqlStore, open_store
from typematch.index.store import NewFile
from typematch.index.vectors.bundled_model import BundledModel
from typematch.ir.entry import Entry
from typematch.ir.module import Doc
from typematch.search.score.term_similarity import term_scores


@pytest.fixture(scope="module")
def model() -> BundledModel:
    return BundledModel()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqlStore]:
    opened = open_store(tmp_path / "terms.db")
    docs = {"maximum": "Returns the largest number.", "join": "Concatenates texts.", "bare": ""}
    entries = [
        Entry(
            id=f"pkg#{name}",
            kind="function",
            name=name,
            qualified_name=name,
            container="",
            package="pkg",
            version="",
            path="pkg/index.d.ts",
            line=line,
            signature="() => void",
            doc=Doc(text=text, summary=text) if text else None,
            exported=True,
        )
        for line, (name, text) in enumerate(docs.items(), start=1)
    ]
    with opened.writing() as writer:
        file = NewFile("pkg/index.d.ts", b"", b"", b"", "", entries=entries)
        writer.write_package("pkg", "", [file])
    yield opened
    opened.close()


def test_term_cosines_have_a_row_for_each_text_and_a_column_for_each_word(
    model: BundledModel,
) -> None:
    cosines = model.term_cosines(["biggest", "text"], ["the largest number", "", "text"])
    assert cosines.shape == (3, 2)
    assert cosines[2, 1] == pytest.approx(1.0, abs=1e-5)
    assert not cosines[1].any()
    assert cosines[0, 0] > cosines[2, 0]


def test_no_words_and_no_texts_have_no_cosines(model: BundledModel) -> None:
    assert model.term_cosines([], ["text"]).shape == (1, 0)
    assert model.term_cosines(["word"], []).shape == (0, 1)
    assert not np.any(model.term_cosines(["word"], ["", ""]))


def test_the_entry_with_the_nearest_words_is_best(model: BundledModel, store: SqlStore) -> None:
    summaries = list(store.summaries(store.select(())).values())
    scores = term_scores("biggest number", summaries, model, store)
    names = {summary.number: summary.name for summary in summaries}
    best = max(scores, key=lambda number: scores[number])
    assert names[best] == "maximum"
    assert scores[best] == 1.0


def test_without_entries_nothing_is_scored(model: BundledModel, store: SqlStore) -> None:
    assert term_scores("biggest number", [], model, store) == {}
