"""Results of words and vectors do not depend on the capabilities of the SQLite driver.

With sqlite-vec the first filtered search of a process scores in SQL, without it numpy does.  With a
driver that cannot delete from a contentless full-text index, the index stores its texts.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from fakes.letters import LetterCountEmbedder
from typematch.index.engines.sqlite import SqliteDatabase
from typematch.index.entries.selection import Condition, GlobCondition
from typematch.index.sql_store import SqlStore, open_store
from typematch.index.vectors import vector_index
from typematch.ingest.run import run
from typematch.search.pipeline import search

FIXTURES = Path(__file__).parents[2] / "fixtures"
QUERIES = (
    "split a list into pieces",
    "wait for some milliseconds",
    "async function that takes a path and returns a string",
    "group items  pkg:toolbox",
    "number  kind:function",
    "(items: T[]) => T  is:generic",
)


@pytest.fixture(
    params=[
        pytest.param(("sqlite-vec", True), id="sqlite-vec"),
        pytest.param(("numpy", True), id="numpy"),
        pytest.param(("numpy", False), id="numpy, texts stored"),
    ]
)
def scorer(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    scorer, contentless = request.param
    if scorer == "numpy":
        monkeypatch.setattr(vector_index, "load_extension", lambda _: False)
    if not contentless:
        monkeypatch.setattr(SqliteDatabase, "deletes_contentless", property(lambda _: False))
    return str(scorer)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return Path(shutil.copytree(FIXTURES / "toolbox", tmp_path / "toolbox"))


@pytest.fixture
def store(tmp_path: Path, project: Path, scorer: str) -> Iterator[SqlStore]:
    opened = open_store(tmp_path / "typematch.db")
    run([project], opened, embedder=LetterCountEmbedder)
    if scorer == "sqlite-vec" and opened.vector_state().scored_by != scorer:
        pytest.skip("sqlite-vec cannot be loaded here")
    yield opened
    opened.close()


def page(store: SqlStore, query: str) -> list[tuple[str, float]]:
    result = search(query, store, limit=None, open_embedder=lambda _: LetterCountEmbedder())
    return [(hit.entry.id, hit.score) for hit in result]


def test_the_first_search_and_later_ones_give_the_same_hits(store: SqlStore) -> None:
    first = []
    for query in QUERIES:
        store.vectors.clear_cache()
        first.append(page(store, query))
    assert all(first)
    for query, hits in zip(QUERIES, first, strict=True):
        later = page(store, query)
        assert [entry_id for entry_id, _ in later] == [entry_id for entry_id, _ in hits]
        # sqlite-vec and numpy differ in the seventh digit of a cosine.
        scores = [score for _, score in hits]
        assert [score for _, score in later] == pytest.approx(scores, abs=1e-5)


def test_an_update_reaches_words_and_vectors(store: SqlStore, project: Path) -> None:
    assert "toolbox#zebra" not in [entry_id for entry_id, _ in page(store, "zebra stripes")]
    index = project / "index.d.ts"
    text = index.read_text(encoding="utf-8")
    index.write_text(
        f"{text}\n/** Counts the stripes. */\nexport function zebra(): number;\n", encoding="utf-8"
    )
    run([project], store, embedder=LetterCountEmbedder)
    hit = search(
        "zebra stripes", store, limit=1, open_embedder=lambda _: LetterCountEmbedder()
    ).hits[0]
    assert hit.entry.id == "toolbox#zebra"
    assert set(hit.channels) == {"lexical", "dense"}
    index.write_text(text, encoding="utf-8")
    run([project], store, embedder=LetterCountEmbedder)
    assert "toolbox#zebra" not in [entry_id for entry_id, _ in page(store, "zebra stripes")]
    assert store.vector_state().texts_without_vector == 0


def test_a_removed_package_is_found_by_no_channel(store: SqlStore) -> None:
    before = page(store, "split a list into pieces")
    assert any(entry_id.startswith("toolbox#") for entry_id, _ in before)
    with store.writing() as writer:
        writer.remove_package("toolbox")
    for query in QUERIES:
        assert not any(entry_id.startswith("toolbox#") for entry_id, _ in page(store, query))


def test_sqlite_vec_and_numpy_find_the_same_neighbours(
    tmp_path: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = open_store(tmp_path / "typematch.db")
    run([project], store, embedder=LetterCountEmbedder)
    if store.vector_state().scored_by != "sqlite-vec":
        pytest.skip("sqlite-vec cannot be loaded here")
    names = [entry.name for entry in store.all_entries("toolbox")]
    functions = (Condition("kind", (GlobCondition("*"),)),)

    def nearest() -> list[list[int]]:
        neighbours = []
        for name in names:
            store.vectors.clear_cache()
            hits = store.dense(LetterCountEmbedder().embed_query(name), functions, limit=10)
            neighbours.append([number for number, _ in hits])
        return neighbours

    with_extension = nearest()
    monkeypatch.setattr(vector_index, "load_extension", lambda _: False)
    without = nearest()
    store.close()
    shared = sum(len(set(a) & set(b)) for a, b in zip(with_extension, without, strict=True))
    assert shared / sum(map(len, without)) >= 0.99
