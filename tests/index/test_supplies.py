"""What an operation needs before it can be called, and what it gives."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from conftest import FIXTURES
from typematch.catalog import Catalog
from typematch.index.entries.operation_dependencies import OperationDependencies, supplies_of
from typematch.index.text.words import singular
from typematch.ir.entry import Entry


@pytest.fixture(scope="module")
def entries(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Entry]]:
    with Catalog(tmp_path_factory.mktemp("supplies") / "typematch.db") as catalog:
        catalog.add(FIXTURES / "musicbox", FIXTURES / "toolbox", model=None)
        yield {one.name: one for one in catalog.entries() if one.package != "lib"}


MEMBERS = {"musicbox/musicbox.yaml#Musicbox.Playlist": ("id", "name", "songs")}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("addSong", OperationDependencies(needs=("playlist",))),
        ("createPlaylist", OperationDependencies(needs=("user",))),
        ("whoAmI", OperationDependencies(gives=("me", "user"))),
        ("myPlaylists", OperationDependencies(gives=("playlist", "id", "name", "song"))),
        ("chunk", OperationDependencies()),
    ],
)
def test_supplies(name: str, expected: OperationDependencies, entries: dict[str, Entry]) -> None:
    assert supplies_of(entries[name], lambda key: MEMBERS.get(key, ())) == expected


@pytest.mark.parametrize(
    ("plural", "one"),
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
def test_nouns_in_the_singular(plural: str, one: str) -> None:
    assert singular(plural) == one
