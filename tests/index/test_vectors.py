"""Stored vectors: one for each text, resumable, searched by sqlite-vec or numpy."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from fakes.letters import LetterCountEmbedder
from typematch.errors import DatabaseError
from typematch.index.entries.selection import Condition, GlobCondition
from typematch.index.sql_store import SqlStore, open_store
from typematch.index.vectors import vector_writer
from typematch.index.vectors.quantization import quantized
from typematch.ingest.run import run
from typematch.search.pipeline import search

FIXTURES = Path(__file__).parents[2] / "fixtures"


@pytest.fixture
def store(tmp_path: Path) -> SqlStore:
    return open_store(tmp_path / "typematch.db")


def index(store: SqlStore, embedder: object) -> tuple[str, ...]:
    return run([FIXTURES / "toolbox"], store, embedder=lambda: embedder).notices  # type: ignore[arg-type,return-value]


def test_equal_texts_are_embedded_once(store: SqlStore) -> None:
    embedder = LetterCountEmbedder()
    index(store, embedder)
    assert len(embedder.embedded) == len(set(embedder.embedded))
    assert store.vector_state().texts_without_vector == 0


def test_data_properties_have_no_vectors(store: SqlStore) -> None:
    index(store, LetterCountEmbedder())
    query = (
        "SELECT DISTINCT e.kind, e.signatures > 0 FROM entry e "
        "LEFT JOIN entry_vector v ON v.entry = e.id WHERE v.entry IS {}"
    )
    without = {tuple(row) for row in store.database.query(query.format("NULL"))}
    embedded = {tuple(row) for row in store.database.query(query.format("NOT NULL"))}
    assert without == {("property", 0)}
    assert not without & embedded


def test_vectors_computed_before_a_failure_are_kept(
    store: SqlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vector_writer, "_BATCH", 50)
    failing = LetterCountEmbedder(fails_after=2)
    assert "without vectors" in " ".join(index(store, failing))
    state = store.vector_state()
    assert state.texts - state.texts_without_vector == 100
    assert store.dense(failing.embed_query("chunk"), limit=5)
    after = LetterCountEmbedder()
    index(store, after)
    assert not set(failing.embedded) & set(after.embedded)
    assert store.vector_state().texts_without_vector == 0


@pytest.mark.parametrize(
    "failure",
    [KeyboardInterrupt(), pytest.param(None, id="full disk", marks=pytest.mark.sqlite_file)],
)
def test_vectors_computed_before_an_interrupt_or_a_full_disk_are_kept(
    store: SqlStore, monkeypatch: pytest.MonkeyPatch, failure: BaseException | None
) -> None:
    monkeypatch.setattr(vector_writer, "_BATCH", 50)
    failing = LetterCountEmbedder(width=4096)
    embed = failing.embed

    def embed_until_it_stops(texts: Sequence[str]) -> object:
        if len(failing.embedded) == 100:
            if failure is not None:
                raise failure
            pages = store.database.connection.execute("PRAGMA page_count").fetchone()[0]
            store.database.connection.execute(f"PRAGMA max_page_count = {pages}").fetchall()
        return embed(texts)

    monkeypatch.setattr(failing, "embed", embed_until_it_stops)
    with pytest.raises(KeyboardInterrupt if failure else DatabaseError):
        index(store, failing)
    state = store.vector_state()
    assert 100 <= state.texts - state.texts_without_vector < state.texts
    found = search("chunk", store, limit=5, open_embedder=lambda _: LetterCountEmbedder(width=4096))
    assert found.hits[0].entry.id == "toolbox#chunk"
    assert "have no vector yet; the next indexing run computes them" in " ".join(found.notices)
    if failure is None:
        store.database.connection.execute("PRAGMA max_page_count = 1073741823").fetchall()
    after = LetterCountEmbedder(width=4096)
    index(store, after)
    assert len(after.embedded) == state.texts_without_vector
    assert store.vector_state().texts_without_vector == 0


def test_another_model_replaces_all_vectors(store: SqlStore) -> None:
    first, second = LetterCountEmbedder("first"), LetterCountEmbedder("second")
    index(store, first)
    index(store, second)
    assert set(first.embedded) == set(second.embedded)
    assert store.model() == second.identity
    assert store.package_cosines(second.embed_query("toolbox"))


def test_sqlite_vec_and_numpy_rank_alike(store: SqlStore) -> None:
    embedder = LetterCountEmbedder()
    index(store, embedder)
    query = embedder.embed_query("split items")
    toolbox = (Condition("pkg", (GlobCondition("toolbox"),)),)
    if store.vector_state().scored_by != "sqlite-vec":
        pytest.skip("sqlite-vec cannot be loaded here")
    by_sqlite_vec = store.dense(query, toolbox, limit=10)
    store.dense(query, limit=1)  # loads the matrix: numpy from now on
    by_numpy = store.dense(query, toolbox, limit=10)
    assert [number for number, _ in by_sqlite_vec] == [number for number, _ in by_numpy]
    assert np.allclose(
        [cosine for _, cosine in by_sqlite_vec], [cosine for _, cosine in by_numpy], atol=1e-5
    )


def test_a_removed_package_has_no_vectors(store: SqlStore) -> None:
    index(store, LetterCountEmbedder())
    with store.writing() as writer:
        writer.remove_package("toolbox")
    toolbox = (Condition("pkg", (GlobCondition("toolbox"),)),)
    assert not store.dense(LetterCountEmbedder().embed_query("chunk"), toolbox, limit=5)
    assert not store.package_cosines(LetterCountEmbedder().embed_query("toolbox"))


def test_a_package_has_the_vector_of_its_name_and_purpose(store: SqlStore) -> None:
    embedder = LetterCountEmbedder()
    index(store, embedder)
    with store.writing() as writer:
        writer.write_purposes({"toolbox": "Saws and nails", "unknown": "No entry has it"})
        writer.embed(embedder, lambda done, total: None)  # noqa: ARG005
    cosines = store.package_cosines(embedder.embed_query("toolbox saws and nails"))
    assert cosines == {"toolbox": pytest.approx(1.0, abs=1e-3)}


def test_quantization_keeps_the_direction() -> None:
    ramp = np.linspace(-1, 1, 64, dtype=np.float32)[None, :]
    unit = ramp / np.linalg.norm(ramp)
    back = quantized(unit).astype(np.float32)
    assert float((back / np.linalg.norm(back) * unit).sum()) > 0.9999
