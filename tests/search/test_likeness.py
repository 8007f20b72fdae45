"""Who implements an interface: the stores of ``fixtures/stores``, the service in ``musicbox``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from conftest import FIXTURES
from typematch.catalog import Catalog
from typematch.errors import SourceError
from typematch.search.score.implementations import THRESHOLD, Implementation, InterfaceMatches

STORE = FIXTURES / "asked" / "key-value.ts"
PLAYER = FIXTURES / "asked" / "player.yaml"


@pytest.fixture(scope="module")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Catalog]:
    with Catalog(tmp_path_factory.mktemp("likeness") / "typematch.db") as opened:
        names = ("stores", "musicbox", "petshop", "toolbox")
        opened.add(*(FIXTURES / name for name in names), model=None)
        yield opened


def _asked(catalog: Catalog, tmp_path: Path, text: str) -> InterfaceMatches:
    file = tmp_path / "needed.ts"
    file.write_text(text, encoding="utf-8")
    [likeness] = catalog.match(file)
    return likeness


def _by_id(likeness: InterfaceMatches) -> dict[str, Implementation]:
    return {one.id: one for one in likeness.found}


def _members(one: Implementation) -> dict[str, str]:
    return {each.method.partition(":")[0]: each.member for each in one.covered}


def test_a_whole_implementation_is_found_and_told_method_by_method(catalog: Catalog) -> None:
    [likeness] = catalog.match(STORE)
    memory = _by_id(likeness)["stores#MemoryStore"]
    assert _members(memory) == {name: name for name in ("delete", "get", "keys", "set")}
    assert (memory.kind, memory.cost, memory.missing, memory.share) == ("class", 0, (), 1.0)
    [left_out] = [edit.sentence for each in memory.covered for edit in each.edits]
    assert left_out == "seconds left out"


def test_inherited_methods_count(catalog: Catalog) -> None:
    [likeness] = catalog.match(STORE)
    inherited = _by_id(likeness)["stores#FileStore"]
    assert inherited.missing == ()
    assert "stores#Readable#get" in [each.id for each in inherited.covered]


def test_a_partial_one_under_other_names_lists_what_is_missing(catalog: Catalog) -> None:
    [likeness] = catalog.match(STORE)
    remote = _by_id(likeness)["stores#RemoteCache"]
    assert _members(remote) == {"delete": "remove", "get": "fetch", "set": "put"}
    assert [one.method for one in remote.missing] == [
        "keys: (prefix: string) => AsyncIterable<string>"
    ]
    assert THRESHOLD <= remote.share < 1.0


def test_names_without_the_types_are_nothing(catalog: Catalog) -> None:
    [likeness] = catalog.match(STORE)
    assert "stores#Registry" not in _by_id(likeness)


def test_a_service_is_found_by_a_document(catalog: Catalog) -> None:
    [likeness] = catalog.match(PLAYER)
    assert likeness.needed.name == "Player"
    [service] = likeness.found
    assert (service.id, service.kind) == ("musicbox#Musicbox", "service")
    assert _members(service) == {
        "listPlaylists": "myPlaylists",
        "searchSongs": "findSongs",
        "setVolume": "setVolume",
    }
    assert [one.method.partition(":")[0] for one in service.missing] == ["lyrics"]


def test_a_service_is_found_by_an_interface(catalog: Catalog, tmp_path: Path) -> None:
    text = """
    interface Song { id: string; title: string }
    export interface Jukebox {
      findSongs(text: string): Promise<Song[]>;
      setVolume(percent: number): Promise<void>;
    }"""
    assert "musicbox#Musicbox" in _by_id(_asked(catalog, tmp_path, text))


def test_a_package_is_found_by_functions(catalog: Catalog, tmp_path: Path) -> None:
    text = """
    export function chunk<T>(items: T[], size: number): T[][];
    export function groupBy<T>(items: T[], key: (item: T) => string): Map<string, T[]>;"""
    likeness = _asked(catalog, tmp_path, text)
    assert _members(_by_id(likeness)["toolbox"]) == {"chunk": "chunk", "groupBy": "groupBy"}


def test_a_member_of_that_name_that_does_not_fit_is_told(catalog: Catalog, tmp_path: Path) -> None:
    text = """
    export interface Almost {
      set(key: string, value: string): Promise<void>;
      keys(prefix: string): AsyncIterable<string>;
      get(key: string): Promise<{ found: boolean; bytes: Uint8Array }>;
    }"""
    [missing] = _by_id(_asked(catalog, tmp_path, text))["stores#MemoryStore"].missing
    assert missing.reason.startswith("get is there, but ")


def test_overloads_may_have_one_member(catalog: Catalog, tmp_path: Path) -> None:
    text = """
    export interface Twice {
      set(key: string, value: string): Promise<void>;
      set(key: string, value: string, seconds: number): Promise<void>;
    }"""
    memory = _by_id(_asked(catalog, tmp_path, text))["stores#MemoryStore"]
    assert [each.member for each in memory.covered] == ["set", "set"]


def test_nothing_is_claimed_below_the_threshold(catalog: Catalog, tmp_path: Path) -> None:
    text = """
    export interface Rocket {
      ignite(stage: number, fuel: { kerosene: bigint; oxygen: bigint }): Promise<symbol>;
      land(pad: URL, gear: Map<symbol, bigint>): AsyncIterable<bigint>;
    }"""
    likeness = _asked(catalog, tmp_path, text)
    assert likeness.found == ()
    assert likeness.nearest < THRESHOLD


def test_types_that_contain_themselves_and_fields(catalog: Catalog, tmp_path: Path) -> None:
    text = """
    interface Tree { name: string; children: Tree[] }
    export interface Forest { readonly size: number; plant(tree: Tree): Tree }"""
    likeness = _asked(catalog, tmp_path, text)
    assert likeness.needed.fields == ("size",)
    assert [one.name for one in likeness.needed.methods] == ["plant"]


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("empty.ts", "export type A = string;", "nothing in this file has a method"),
        ("broken.ts", "export interface A { f(x: ", "cannot be read"),
        ("broken.yaml", "openapi: 3.0.0\npaths: {}", "nothing in it"),
    ],
)
def test_a_file_without_methods_is_an_error(
    catalog: Catalog, tmp_path: Path, name: str, text: str, said: str
) -> None:
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    with pytest.raises(SourceError, match=said):
        catalog.match(file)


def test_a_file_that_is_not_there_is_an_error(catalog: Catalog, tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="cannot read this file"):
        catalog.match(tmp_path / "nowhere.ts")
