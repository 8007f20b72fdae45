"""Implementations of interfaces: ``fixtures/stores``, and the service in ``musicbox``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from conftest import FIXTURES
from typematch.catalog import Catalog
from typematch.errors import SourceError
from typematch.search.retrieve.implementations import THRESHOLD, Implementation, InterfaceMatches

STORE = FIXTURES / "required_interfaces" / "key-value.ts"
PLAYER = FIXTURES / "required_interfaces" / "player.yaml"


@pytest.fixture(scope="module")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Catalog]:
    with Catalog(tmp_path_factory.mktemp("implementations") / "typematch.db") as opened:
        names = ("stores", "musicbox", "petshop", "toolbox")
        opened.add(*(FIXTURES / name for name in names), model=None)
        yield opened


def _match(catalog: Catalog, tmp_path: Path, text: str) -> InterfaceMatches:
    file = tmp_path / "required.ts"
    file.write_text(text, encoding="utf-8")
    [matches] = catalog.match(file)
    return matches


def _by_id(matches: InterfaceMatches) -> dict[str, Implementation]:
    return {found.id: found for found in matches.implementations}


def _members(implementation: Implementation) -> dict[str, str]:
    return {match.method.partition(":")[0]: match.member for match in implementation.covered}


def test_a_complete_implementation_lists_the_member_of_each_method(catalog: Catalog) -> None:
    [matches] = catalog.match(STORE)
    memory = _by_id(matches)["stores#MemoryStore"]
    assert _members(memory) == {name: name for name in ("delete", "get", "keys", "set")}
    assert (memory.kind, memory.cost, memory.missing, memory.share) == ("class", 0, (), 1.0)
    [left_out] = [edit.sentence for match in memory.covered for edit in match.edits]
    assert left_out == "seconds left out"


def test_inherited_methods_cover_methods(catalog: Catalog) -> None:
    [matches] = catalog.match(STORE)
    inherited = _by_id(matches)["stores#FileStore"]
    assert inherited.missing == ()
    assert "stores#Readable#get" in [match.id for match in inherited.covered]


def test_a_partial_implementation_with_other_names_lists_missing_methods(catalog: Catalog) -> None:
    [matches] = catalog.match(STORE)
    remote = _by_id(matches)["stores#RemoteCache"]
    assert _members(remote) == {"delete": "remove", "get": "fetch", "set": "put"}
    assert [missing.method for missing in remote.missing] == [
        "keys: (prefix: string) => AsyncIterable<string>"
    ]
    assert THRESHOLD <= remote.share < 1.0


def test_equal_names_with_other_types_are_no_implementation(catalog: Catalog) -> None:
    [matches] = catalog.match(STORE)
    assert "stores#Registry" not in _by_id(matches)


def test_a_service_implements_an_openapi_document(catalog: Catalog) -> None:
    [matches] = catalog.match(PLAYER)
    assert matches.required.name == "Player"
    [service] = matches.implementations
    assert (service.id, service.kind) == ("musicbox#Musicbox", "service")
    assert _members(service) == {
        "listPlaylists": "myPlaylists",
        "searchSongs": "findSongs",
        "setVolume": "setVolume",
    }
    assert [missing.method.partition(":")[0] for missing in service.missing] == ["lyrics"]


def test_a_service_implements_an_interface(catalog: Catalog, tmp_path: Path) -> None:
    text = """
    interface Song { id: string; title: string }
    export interface Jukebox {
      findSongs(text: string): Promise<Song[]>;
      setVolume(percent: number): Promise<void>;
    }"""
    assert "musicbox#Musicbox" in _by_id(_match(catalog, tmp_path, text))


def test_a_package_implements_functions(catalog: Catalog, tmp_path: Path) -> None:
    text = """
    export function chunk<T>(items: T[], size: number): T[][];
    export function groupBy<T>(items: T[], key: (item: T) => string): Map<string, T[]>;"""
    matches = _match(catalog, tmp_path, text)
    assert _members(_by_id(matches)["toolbox"]) == {"chunk": "chunk", "groupBy": "groupBy"}


def test_a_member_of_the_name_that_does_not_fit_is_the_reason(
    catalog: Catalog, tmp_path: Path
) -> None:
    text = """
    export interface Almost {
      set(key: string, value: string): Promise<void>;
      keys(prefix: string): AsyncIterable<string>;
      get(key: string): Promise<{ found: boolean; bytes: Uint8Array }>;
    }"""
    [missing] = _by_id(_match(catalog, tmp_path, text))["stores#MemoryStore"].missing
    assert missing.reason.startswith("get is there, but ")


def test_one_member_may_cover_all_overloads(catalog: Catalog, tmp_path: Path) -> None:
    text = """
    export interface Twice {
      set(key: string, value: string): Promise<void>;
      set(key: string, value: string, seconds: number): Promise<void>;
    }"""
    memory = _by_id(_match(catalog, tmp_path, text))["stores#MemoryStore"]
    assert [match.member for match in memory.covered] == ["set", "set"]


def test_nothing_is_listed_below_the_threshold(catalog: Catalog, tmp_path: Path) -> None:
    text = """
    export interface Rocket {
      ignite(stage: number, fuel: { kerosene: bigint; oxygen: bigint }): Promise<symbol>;
      land(pad: URL, gear: Map<symbol, bigint>): AsyncIterable<bigint>;
    }"""
    matches = _match(catalog, tmp_path, text)
    assert matches.implementations == ()
    assert matches.best_share < THRESHOLD


def test_a_method_whose_type_says_little_is_covered_by_its_name_only(tmp_path: Path) -> None:
    """Many functions take a string and give nothing back."""
    (tmp_path / "package.json").write_text('{"name": "songs", "types": "index.d.ts"}')
    (tmp_path / "index.d.ts").write_text(
        """
        export class Songs {
          clearList(id: string): void;
          countSongs(words: string, limit: number): number;
          findSongs(words: string): string[];
        }"""
    )
    required = tmp_path / "required.ts"
    methods = "findSongs(a: string): string[]; countSongs(a: string, b: number): number;"
    required.write_text(
        f"""
        export interface First {{ {methods} play(id: string): void }}
        export interface Second {{ {methods} emptyList(id: string): void }}"""
    )
    with Catalog(tmp_path / "t.db") as catalog:
        catalog.add(tmp_path / "index.d.ts", model=None)
        first, second = (_by_id(matches) for matches in catalog.match(required))
    both = {"countSongs": "countSongs", "findSongs": "findSongs", "emptyList": "clearList"}
    assert [_members(found) for found in second.values() if found.kind == "class"] == [both]
    one = {"countSongs": "countSongs", "findSongs": "findSongs"}
    assert [_members(found) for found in first.values() if found.kind == "class"] == [one]


def test_recursive_types_and_fields(catalog: Catalog, tmp_path: Path) -> None:
    text = """
    interface Tree { name: string; children: Tree[] }
    export interface Forest { readonly size: number; plant(tree: Tree): Tree }"""
    matches = _match(catalog, tmp_path, text)
    assert matches.required.fields == ("size",)
    assert [method.name for method in matches.required.methods] == ["plant"]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("empty.ts", "export type A = string;", "no interface in this file has a method"),
        ("broken.ts", "export interface A { f(x: ", "syntax error"),
        ("broken.yaml", "openapi: 3.0.0\npaths: {}", "neither operations nor schemas"),
    ],
)
def test_a_file_without_methods_is_an_error(
    catalog: Catalog, tmp_path: Path, name: str, text: str, message: str
) -> None:
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    with pytest.raises(SourceError, match=message):
        catalog.match(file)


def test_a_missing_file_is_an_error(catalog: Catalog, tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="cannot read this file"):
        catalog.match(tmp_path / "nowhere.ts")
