"""The representations of operations that the evaluation compares."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from conftest import FIXTURES
from typematch.catalog import Catalog
from typematch.evaluate.relevance.representations import REPRESENTATIONS, OperationSource
from typematch.index.sql_store import SqlStore, open_store
from typematch.index.text.text_fields import Enrichment


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SqlStore]:
    path = tmp_path_factory.mktemp("recipes") / "typematch.db"
    with Catalog(path) as catalog:
        catalog.add(FIXTURES / "musicbox", model=None)
    opened = open_store(path, create=False)
    yield opened
    opened.close()


def _source(store: SqlStore, name: str, enrichment: Enrichment | None = None) -> OperationSource:
    [entry] = [entry for entry in store.all_entries("musicbox") if entry.name == name]
    return OperationSource(entry, store, enrichment or Enrichment())


@pytest.mark.parametrize(
    ("recipe", "expected"),
    [
        (
            "fields",
            "Musicbox\nPOST /playlists/{playlistId}/songs\nAdd a song to a playlist.",
        ),
        ("names", "playlists playlist id songs add song position song id"),
        (
            "words",
            "add song: takes string playlist id and object with position and song id body, "
            "returns promise of nothing",
        ),
    ],
)
def test_a_representation_of_an_operation(recipe: str, expected: str, store: SqlStore) -> None:
    assert REPRESENTATIONS[recipe](_source(store, "addSong")) == (expected,)


def test_leaves_expand_named_types(store: SqlStore) -> None:
    lines = "\n".join(REPRESENTATIONS["leaves"](_source(store, "myPlaylists"))).splitlines()
    assert lines[2:] == [
        "result[].id: string",
        "result[].name: string",
        "result[].songs[].id: string",
        "result[].songs[].singer: string",
        "result[].songs[].title: string",
    ]


def test_the_thin_representation_omits_bodies(store: SqlStore) -> None:
    [text] = REPRESENTATIONS["thin"](_source(store, "addSong"))
    assert "playlistId: string" in text
    assert "position" not in text
    assert "body.position: number" in REPRESENTATIONS["full"](_source(store, "addSong"))[0]


def test_token_windows_begin_like_the_full_text(store: SqlStore) -> None:
    source = _source(store, "findSongs")
    long = OperationSource(source.entry, source.declarations)
    texts = REPRESENTATIONS["tokens"](long)
    assert " ".join(texts).split()[:20] == REPRESENTATIONS["full"](long)[0].split()[:20]


def test_an_enrichment_is_used_unchanged(store: SqlStore) -> None:
    enrichment = Enrichment(
        "Puts a song on a list.", ("How do I add a song?", "Where do songs go?")
    )
    source = _source(store, "addSong", enrichment)
    assert REPRESENTATIONS["summary"](source) == ("Puts a song on a list.",)
    assert REPRESENTATIONS["question"](source) == enrichment.questions
    assert REPRESENTATIONS["summary"](_source(store, "addSong")) == ()
