"""The nouns that operations require and provide."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from conftest import FIXTURES
from typematch.catalog import Catalog
from typematch.index.entries.operation_dependencies import OperationDependencies, dependencies_of
from typematch.index.text.words import singular
from typematch.ir.entry import Entry


@pytest.fixture(scope="module")
def entries(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Entry]]:
    with Catalog(tmp_path_factory.mktemp("dependencies") / "typematch.db") as catalog:
        catalog.add(FIXTURES / "musicbox", FIXTURES / "toolbox", model=None)
        yield {entry.name: entry for entry in catalog.entries() if entry.package != "lib"}


MEMBERS = {"musicbox/musicbox.yaml#Musicbox.Playlist": ("id", "name", "songs")}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("addSong", OperationDependencies(requires=("playlist",))),
        ("createPlaylist", OperationDependencies(requires=("user",))),
        ("whoAmI", OperationDependencies(provides=("me", "user"))),
        ("myPlaylists", OperationDependencies(provides=("playlist", "id", "name", "song"))),
        ("chunk", OperationDependencies()),
    ],
)
def test_dependencies_of_operations(
    name: str, expected: OperationDependencies, entries: dict[str, Entry]
) -> None:
    assert dependencies_of(entries[name], lambda key: MEMBERS.get(key, ())) == expected


@pytest.mark.parametrize(
    ("plural", "expected"),
    [
        ("songs", "song"),
        ("categories", "category"),
        ("addresses", "address"),
        ("boxes", "box"),
        ("status", "status"),
        ("analysis", "analysis"),
        ("class", "class"),
    ],
)
def test_the_singular_of_a_noun(plural: str, expected: str) -> None:
    assert singular(plural) == expected
