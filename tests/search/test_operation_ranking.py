"""Requests in prose to services: operations per clause, and the providers of their arguments."""

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


def test_every_clause_finds_its_operation(services: Catalog) -> None:
    request = "list my playlists, then add a song to the first and turn down the volume"
    result = services.search(request, limit=6)
    assert result.clauses == (
        "list my playlists",
        "add a song to the first",
        "turn down the volume",
    )
    first: dict[str, str] = {}
    for hit in result:
        first.setdefault(hit.clause, hit.entry.name)
    assert first == {
        "list my playlists": "myPlaylists",
        "add a song to the first": "addSong",
        "turn down the volume": "setVolume",
    }


def test_providers_of_an_argument_are_listed(services: Catalog) -> None:
    result = services.search("create an empty playlist", limit=5)
    assert result.top is not None
    assert result.top.entry.name == "createPlaylist"
    profile = next(hit for hit in result if hit.entry.name == "whoAmI")
    assert profile.provides_for == result.top.entry.id


def test_hits_are_ordered_by_score(services: Catalog) -> None:
    scores = [hit.score for hit in services.search("list playlists and play a song", limit=None)]
    assert scores == sorted(scores, reverse=True)
    assert scores[0] == 1.0


def test_the_http_method_that_agrees_with_the_verb_comes_first(services: Catalog) -> None:
    assert _names(services.search("delete all songs of a playlist", limit=1)) == ["clearPlaylist"]


def test_only_operations_of_the_best_services_are_listed(services: Catalog) -> None:
    request = "list my playlists and search for songs by title"
    assert services.search(request).services[0] == "Musicbox"
    result = services.search(request, services=1, limit=None)
    assert result.services == ("Musicbox",)
    assert {hit.entry.service for hit in result} == {"Musicbox"}


def test_facets_restrict_a_request(services: Catalog) -> None:
    result = services.search("songs of a playlist  http:DELETE", limit=None)
    assert _names(result) == ["clearPlaylist"] + [hit.entry.name for hit in result.hits[1:]]
    assert all(hit.entry.http.startswith("DELETE ") for hit in result)


def test_an_exact_name_comes_first(services: Catalog) -> None:
    assert _names(services.search("setVolume", limit=1)) == ["setVolume"]
    assert _names(services.search("Playlist kind:schema", limit=1)) == ["Playlist"]


def test_code_and_operations_are_searched_together(mixed: Catalog) -> None:
    assert _names(mixed.search("split an array into pieces of one length", limit=1)) == ["chunk"]
    assert _names(mixed.search("create an empty playlist for somebody", limit=1)) == [
        "createPlaylist"
    ]


def test_a_sentence_with_parameters_and_result_finds_code_first(mixed: Catalog) -> None:
    query = "function that takes a list of songs and a number and returns a list of lists"
    assert _names(mixed.search(query, limit=1)) == ["chunk"]


def test_the_wire_format_has_clauses(services: Catalog) -> None:
    document = search_document(services.search("list my playlists and play a song", limit=3))
    assert document["clauses"] == ["list my playlists", "play a song"]
    assert {hit["clause"] for hit in document["hits"]} <= {*document["clauses"], ""}
    assert document["services"][0] == "Musicbox"


def test_a_quoted_name_in_a_request_is_not_a_phrase_search(services: Catalog) -> None:
    assert _names(services.search('add "Yellow" to a playlist', limit=1)) == ["addSong"]
    assert _names(services.search('"empty playlist"', limit=None)) == ["createPlaylist"]


def test_selecting_services_for_a_signature_gives_a_notice(services: Catalog) -> None:
    result = services.search("(text: string) => Promise<_>", services=1)
    assert any(notice.startswith("No services were selected") for notice in result.notices)
    assert services.search("create an empty playlist", services=1).notices == ()


def test_operations_without_http_are_ranked_too(tmp_path_factory: pytest.TempPathFactory) -> None:
    with Catalog(tmp_path_factory.mktemp("catalog") / "typematch.db") as catalog:
        catalog.add(FIXTURES / "catalog")
        request = "convert an amount to another currency, then get a quote for a parcel"
        result = catalog.search(request, limit=10)
    first = {hit.clause: hit.entry.name for hit in reversed(result.hits)}
    assert first == {
        "convert an amount to another currency": "convert",
        "get a quote for a parcel": "quote",
    }
