"""What an operation is said to be, in each of the ways that are measured."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from conftest import FIXTURES
from typematch.catalog import Catalog
from typematch.evaluate.relevance.representations import RECIPES, Source
from typematch.index.sqlite import SqliteStore, open_store
from typematch.index.text.text_views import Enrichment


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SqliteStore]:
    path = tmp_path_factory.mktemp("recipes") / "typematch.db"
    with Catalog(path) as catalog:
        catalog.add(FIXTURES / "musicbox", model=None)
    opened = open_store(path, create=False)
    yield opened
    opened.close()


def _source(store: SqliteStore, name: str, told: Enrichment | None = None) -> Source:
    [entry] = [one for one in store.all_entries("musicbox") if one.name == name]
    return Source(entry, store, told or Enrichment())


@pytest.mark.parametrize(
    ("recipe", "said"),
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
def test_one_text(recipe: str, said: str, store: SqliteStore) -> None:
    assert RECIPES[recipe](_source(store, "addSong")) == (said,)


def test_leaves_follow_named_types(store: SqliteStore) -> None:
    lines = "\n".join(RECIPES["leaves"](_source(store, "myPlaylists"))).splitlines()
    assert lines[2:] == [
        "result[].id: string",
        "result[].name: string",
        "result[].songs[].id: string",
        "result[].songs[].singer: string",
        "result[].songs[].title: string",
    ]


def test_thin_leaves_bodies_out(store: SqliteStore) -> None:
    [said] = RECIPES["thin"](_source(store, "addSong"))
    assert "playlistId: string" in said
    assert "position" not in said
    assert "body.position: number" in RECIPES["full"](_source(store, "addSong"))[0]


def test_fixed_texts_overlap(store: SqliteStore) -> None:
    source = _source(store, "findSongs")
    long = Source(source.entry, source.declarations)
    texts = RECIPES["tokens"](long)
    assert " ".join(texts).split()[:20] == RECIPES["full"](long)[0].split()[:20]


def test_what_a_model_told_is_said_as_it_is(store: SqliteStore) -> None:
    told = Enrichment("Puts a song on a list.", ("How do I add a song?", "Where do songs go?"))
    source = _source(store, "addSong", told)
    assert RECIPES["summary"](source) == ("Puts a song on a list.",)
    assert RECIPES["question"](source) == told.questions
    assert RECIPES["summary"](_source(store, "addSong")) == ()
