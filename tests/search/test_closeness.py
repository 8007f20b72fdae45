"""What has nothing to do with the catalog is not presented as an answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest

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
