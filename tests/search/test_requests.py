"""Requests to services in prose: what serves which clause, and what it needs before."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from conftest import FIXTURES
from typematch.catalog import Catalog
from typematch.search.present.wire_format import search_document
from typematch.search.results import SearchResult


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Catalog]:
    with Catalog(tmp_path_factory.mktemp("services") / "typematch.db") as catalog:
        catalog.add(FIXTURES / "musicbox", FIXTURES / "petshop")
        yield catalog


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Catalog]:
    with Catalog(tmp_path_factory.mktemp("mixed") / "typematch.db") as catalog:
        catalog.add(FIXTURES / "musicbox", FIXTURES / "toolbox")
        yield catalog


def _names(result: SearchResult) -> list[str]:
    return [hit.entry.name for hit in result]


def test_every_clause_is_served_by_its_operation(services: Catalog) -> None:
    request = "list my playlists, then add a song to the first and turn down the volume"
    result = services.search(request, limit=6)
    assert result.clauses == (
        "list my playlists",
        "add a song to the first",
        "turn down the volume",
    )
    served: dict[str, str] = {}
    for hit in result:
        served.setdefault(hit.clause, hit.entry.name)
    assert served == {
        "list my playlists": "myPlaylists",
        "add a song to the first": "addSong",
        "turn down the volume": "setVolume",
    }


def test_what_an_operation_needs_comes_with_it(services: Catalog) -> None:
    result = services.search("create an empty playlist", limit=5)
    assert result.top is not None
    assert result.top.entry.name == "createPlaylist"
    profile = next(hit for hit in result if hit.entry.name == "whoAmI")
    assert profile.supplies == result.top.entry.id


def test_hits_are_ordered_by_score(services: Catalog) -> None:
    scores = [hit.score for hit in services.search("list playlists and play a song", limit=None)]
    assert scores == sorted(scores, reverse=True)
    assert scores[0] == 1.0


def test_the_method_that_does_what_is_asked_comes_first(services: Catalog) -> None:
    assert _names(services.search("delete all songs of a playlist", limit=1)) == ["clearPlaylist"]


def test_services_are_chosen_first(services: Catalog) -> None:
    request = "list my playlists and search for songs by title"
    assert services.search(request).services[0] == "Musicbox"
    result = services.search(request, services=1, limit=None)
    assert result.services == ("Musicbox",)
    assert {hit.entry.service for hit in result} == {"Musicbox"}


def test_facets_narrow_a_request(services: Catalog) -> None:
    result = services.search("songs of a playlist  http:DELETE", limit=None)
    assert _names(result) == ["clearPlaylist"] + [hit.entry.name for hit in result.hits[1:]]
    assert all(hit.entry.http.startswith("DELETE ") for hit in result)


def test_a_name_as_it_is_written_comes_first(services: Catalog) -> None:
    assert _names(services.search("setVolume", limit=1)) == ["setVolume"]
    assert _names(services.search("Playlist kind:schema", limit=1)) == ["Playlist"]


def test_code_and_services_beside_each_other(mixed: Catalog) -> None:
    assert _names(mixed.search("split an array into pieces of one length", limit=1)) == ["chunk"]
    assert _names(mixed.search("create an empty playlist for somebody", limit=1)) == [
        "createPlaylist"
    ]


def test_who_says_what_it_takes_and_gives_asks_for_code(mixed: Catalog) -> None:
    asked = "function that takes a list of songs and a number and returns a list of lists"
    assert _names(mixed.search(asked, limit=1)) == ["chunk"]


def test_the_wire_format_tells_clauses(services: Catalog) -> None:
    document = search_document(services.search("list my playlists and play a song", limit=3))
    assert document["clauses"] == ["list my playlists", "play a song"]
    assert {hit["clause"] for hit in document["hits"]} <= {*document["clauses"], ""}
    assert document["services"][0] == "Musicbox"


def test_a_quoted_name_in_a_request_is_no_text_to_be_found(services: Catalog) -> None:
    assert _names(services.search('add "Yellow" to a playlist', limit=1)) == ["addSong"]
    assert _names(services.search('"empty playlist"', limit=None)) == ["createPlaylist"]


def test_choosing_services_for_a_signature_says_that_it_did_not(services: Catalog) -> None:
    result = services.search("(text: string) => Promise<_>", services=1)
    assert any(notice.startswith("No services were chosen") for notice in result.notices)
    assert services.search("create an empty playlist", services=1).notices == ()


def test_operations_without_http_are_served_too(tmp_path_factory: pytest.TempPathFactory) -> None:
    with Catalog(tmp_path_factory.mktemp("catalog") / "typematch.db") as catalog:
        catalog.add(FIXTURES / "catalog")
        request = "convert an amount to another currency, then get a quote for a parcel"
        result = catalog.search(request, limit=10)
    first = {hit.clause: hit.entry.name for hit in reversed(result.hits)}
    assert first == {
        "convert an amount to another currency": "convert",
        "get a quote for a parcel": "quote",
    }
