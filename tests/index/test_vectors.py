"""Vectors of texts: made once, resumed after an interruption, and found alike on both paths."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from fakes.letters import Letters
from typematch.errors import DatabaseError
from typematch.index.entries.selection import Condition, TextCondition
from typematch.index.sqlite import SqliteStore, open_store
from typematch.index.vectors import vector_store as vectors
from typematch.index.vectors.vector_store import quantized
from typematch.ingest.run import run
from typematch.search.pipeline import search

FIXTURES = Path(__file__).parents[2] / "fixtures"


@pytest.fixture
def store(tmp_path: Path) -> SqliteStore:
    return open_store(tmp_path / "typematch.db")


def index(store: SqliteStore, embedder: object) -> tuple[str, ...]:
    return run([FIXTURES / "toolbox"], store, embedder=lambda: embedder).notices  # type: ignore[arg-type,return-value]


def test_equal_texts_are_embedded_once(store: SqliteStore) -> None:
    embedder = Letters()
    index(store, embedder)
    assert len(embedder.asked) == len(set(embedder.asked))
    assert store.vector_state().missing == 0


def test_an_interruption_keeps_what_is_done(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vectors, "_AT_ONCE", 50)
    broken = Letters(fails_after=2)
    assert "without vectors" in " ".join(index(store, broken))
    state = store.vector_state()
    assert state.texts - state.missing == 100
    assert store.dense(broken.embed_query("chunk"), limit=5)
    after = Letters()
    index(store, after)
    assert not set(broken.asked) & set(after.asked)
    assert store.vector_state().missing == 0


@pytest.mark.parametrize("failure", [KeyboardInterrupt(), None])
def test_a_stop_or_a_full_disk_keeps_what_is_embedded(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch, failure: BaseException | None
) -> None:
    monkeypatch.setattr(vectors, "_AT_ONCE", 50)
    broken = Letters(width=4096)
    embed = broken.embed

    def embed_until_it_stops(texts: Sequence[str]) -> object:
        if len(broken.asked) == 100:
            if failure is not None:
                raise failure
            pages = store.database.connection.execute("PRAGMA page_count").fetchone()[0]
            store.database.connection.execute(f"PRAGMA max_page_count = {pages}").fetchall()
        return embed(texts)

    monkeypatch.setattr(broken, "embed", embed_until_it_stops)
    with pytest.raises(KeyboardInterrupt if failure else DatabaseError):
        index(store, broken)
    state = store.vector_state()
    assert 100 <= state.texts - state.missing < state.texts
    found = search("chunk", store, limit=5, open_embedder=lambda _: Letters(width=4096))
    assert found.hits[0].entry.id == "toolbox#chunk"
    assert "have no vector yet; typematch index goes on with them" in " ".join(found.notices)
    store.database.connection.execute("PRAGMA max_page_count = 1073741823").fetchall()
    after = Letters(width=4096)
    index(store, after)
    assert len(after.asked) == state.missing
    assert store.vector_state().missing == 0


def test_another_model_makes_all_of_them_again(store: SqliteStore) -> None:
    first, second = Letters("first"), Letters("second")
    index(store, first)
    index(store, second)
    assert set(first.asked) == set(second.asked)
    assert store.model() == second.identity


def test_both_paths_find_the_same(store: SqliteStore) -> None:
    embedder = Letters()
    index(store, embedder)
    asked = embedder.embed_query("split items")
    toolbox = (Condition("pkg", (TextCondition("toolbox"),)),)
    if store.vector_state().scored_by != "sqlite-vec":
        pytest.skip("sqlite-vec cannot be loaded here")
    extended = store.dense(asked, toolbox, limit=10)
    store.dense(asked, limit=1)  # loads the matrix: numpy from now on
    plain = store.dense(asked, toolbox, limit=10)
    assert [number for number, _ in extended] == [number for number, _ in plain]
    assert np.allclose([far for _, far in extended], [far for _, far in plain], atol=1e-5)


def test_a_removed_package_takes_its_vectors(store: SqliteStore) -> None:
    index(store, Letters())
    store.remove("toolbox")
    toolbox = (Condition("pkg", (TextCondition("toolbox"),)),)
    assert not store.dense(Letters().embed_query("chunk"), toolbox, limit=5)


def test_bytes_keep_the_direction() -> None:
    spread = np.linspace(-1, 1, 64, dtype=np.float32)[None, :]
    unit = spread / np.linalg.norm(spread)
    back = quantized(unit).astype(np.float32)
    assert float((back / np.linalg.norm(back) * unit).sum()) > 0.9999
