"""What has nothing to do with the catalog is not presented as an answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest

from bench_floor import read_sections
from conftest import FIXTURES
from typematch.catalog import Catalog

_NOT_CLOSE = "Nothing here is close to this; the nearest entries are listed."


@pytest.fixture(scope="module")
def catalogs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mapping[str, Catalog]]:
    """Return catalogs with vectors: of code, and of the operations of a service."""
    opened = {}
    for name in ("toolbox", "musicbox"):
        opened[name] = Catalog(tmp_path_factory.mktemp(name) / "typematch.db")
        opened[name].add(FIXTURES / name)
    yield opened
    for catalog in opened.values():
        catalog.close()


@pytest.mark.parametrize("package", ["toolbox", "musicbox"])
@pytest.mark.parametrize(
    ("query", "unknown"),
    [
        ("zzzqqqxxyy", "zzzqqqxxyy"),
        ("blorptang the snorfle", "blorptang, snorfle"),
        ("tectonic earthquake photosynthesis", "tectonic, earthquake, photosynthesis"),
    ],
)
def test_nothing_close_gives_at_most_three_hits_and_says_so(
    catalogs: Mapping[str, Catalog], package: str, query: str, unknown: str
) -> None:
    catalog = catalogs[package]
    result = catalog.search(query)
    assert len(result) == result.total <= 3
    assert not result.services
    notices = " ".join(result.notices)
    if len(result):
        assert _NOT_CLOSE in result.notices
        assert unknown in notices
    else:
        assert "No name here has any of these words." in notices


@pytest.mark.parametrize(
    ("package", "query"),
    [
        ("toolbox", "split an array into chunks"),
        ("toolbox", "chunk"),
        ("toolbox", "hunk"),  # part of a name
        ("toolbox", "make text longer with a character"),
        ("toolbox", '"of one length"'),
        ("toolbox", "takes a frobnicator and a string, returns a number"),
        ("musicbox", "play a song of Lana Del Rey and Taylor Swift"),
        ("musicbox", "add a song to my playlist"),
        ("musicbox", "turn down the volume, then list my playlists"),
    ],
)
def test_requests_that_the_catalog_serves_keep_their_hits(
    catalogs: Mapping[str, Catalog], package: str, query: str
) -> None:
    result = catalogs[package].search(query)
    assert result.hits
    assert _NOT_CLOSE not in result.notices


def test_no_request_of_the_list_that_has_nothing_to_do_with_code_is_answered(
    catalogs: Mapping[str, Catalog],
) -> None:
    sections = read_sections()
    assert [len(queries) for queries in sections.values()] == [40, 30, 30]
    for query in sections["nothing"]:
        result = catalogs["toolbox"].search(query)
        if result.hits and "::" not in query:
            assert _NOT_CLOSE in result.notices, query
            assert len(result) <= 3


@pytest.mark.parametrize(
    ("query", "notice"),
    [
        (
            "xyzzyq :: (x: string) => Date",
            "No entry here has the word xyzzyq: only types were compared.",
        ),
        (
            "bhunk :: (x: string) => Date",
            "No entry here has the word bhunk: only types were compared; did you mean chunk?",
        ),
        (
            "splits :: (x: string) => Date",
            "No hit has splits in its name; the hits were found by their types.",
        ),
    ],
)
def test_a_name_before_a_signature_that_no_hit_has_is_said(
    catalogs: Mapping[str, Catalog], query: str, notice: str
) -> None:
    result = catalogs["toolbox"].search(query)
    assert result.hits
    assert notice in result.notices


@pytest.mark.parametrize("query", ["Promise<string>", "string[]", "{ name: string }"])
def test_a_type_alone_is_answered_with_the_facets_that_find_it(
    catalogs: Mapping[str, Catalog], query: str
) -> None:
    notice = (
        f"A type alone is read as words: returns:({query}) finds functions that return it, "
        f"param:({query}) functions that accept it."
    )
    toolbox = catalogs["toolbox"]
    assert notice in toolbox.search(query).notices
    for facet in ("returns", "param"):
        assert not toolbox.search(f"{facet}:({query})").notices


def test_the_name_of_a_hit_needs_no_notice(catalogs: Mapping[str, Catalog]) -> None:
    result = catalogs["toolbox"].search("chunk :: (items: string[], size: number) => string[][]")
    assert result.hits[0].entry.name == "chunk"
    assert not any("name" in notice for notice in result.notices)
