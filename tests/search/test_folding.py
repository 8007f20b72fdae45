"""Entries that differ only in their place are listed once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from file_trees import writer
from typematch.catalog import Catalog
from typematch.search.present.wire_format import search_document

_TYPES = """
/** A branch of a repository. */
export interface Branch {
  /** Whether it is deleted on merge. */
  deleteOnMerge?: boolean;
}
export interface Repository {
  /** Whether it is deleted on merge. */
  deleteOnMerge?: boolean;
}
export interface Settings {
  /** Whether it is deleted on merge. */
  deleteOnMerge?: boolean;
  /** Whether all of them are deleted on merge. */
  deleteAllOnMerge?: boolean;
}
export declare class First { reset(hard: boolean): void; }
export declare class Second { reset(hard: boolean): void; }
export declare class Third { reset(hard: boolean): void; }
export declare class Fourth { reset(hard: boolean): void; }
export declare class Fifth { reset(hard: boolean): void; }
export interface Texts {
  /** Whether it is deleted on merge. */
  deleteOnMerge?: string;
}
"""


@pytest.fixture(scope="module")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Catalog]:
    folder: Path = tmp_path_factory.mktemp("folding")
    root = writer(folder / "forge")(
        {"package.json": {"name": "forge", "types": "index.d.ts"}, "index.d.ts": _TYPES}
    )
    with Catalog(folder / "typematch.db") as opened:
        opened.add(root, model=None)
        yield opened


def test_a_repeated_member_is_listed_once_with_the_number_of_others(catalog: Catalog) -> None:
    result = catalog.search("delete on merge pkg:forge")
    named = [hit for hit in result if hit.entry.name == "deleteOnMerge"]
    assert sorted((hit.signature, hit.more) for hit in named) == [
        ("deleteOnMerge?: boolean", 2),
        ("deleteOnMerge?: string", 0),
    ]
    assert result.total == len(result)
    assert [hit["more"] for hit in search_document(result)["hits"]] == [h.more for h in result]


def test_of_equal_methods_three_are_listed(catalog: Catalog) -> None:
    result = catalog.search("reset pkg:forge")
    assert [hit.more for hit in result if hit.entry.name == "reset"] == [2, 0, 0]


def test_facets_alone_and_signatures_list_every_entry(catalog: Catalog) -> None:
    assert sum(hit.more for hit in catalog.search("kind:property")) == 0
    assert len(catalog.search("kind:property name:deleteOnMerge")) == 4


_CLIENT = """
export declare class Client {
  private token;
  /** Send a telegram. */
  send(text: string): void;
}
interface A { size?: number } interface B { size?: string }
"""


@pytest.mark.parametrize(
    "files",
    [
        ("client.d.mts", "client.d.ts"),
        ("esm/client.d.mts", "cjs/client.d.ts"),
        ("dist/esm/client.d.ts", "lib/client.d.ts"),
        ("client.d.mts", "browser/client.d.ts"),
        ("client.d.ts", "client.src.d.ts"),
        ("client.esm.d.ts", "client.umd.d.cts"),
        ("client.mts", "client.ts"),
    ],
)
def test_formats_of_one_module_are_listed_once(tmp_path: Path, files: tuple[str, str]) -> None:
    main, other = files
    exports = {".": {"types": f"./{main}"}, "./required": {"types": f"./{other}"}}
    root = writer(tmp_path / "telegraph")(
        {
            "package.json": {"name": "telegraph", "exports": exports},
            main: _CLIENT,
            other: f"{_CLIENT}interface OfThisFormat {{}}",  # so both are read
        }
    )
    with Catalog(tmp_path / "typematch.db") as catalog:
        catalog.add(root, model=None)
        found = {hit.entry.id: hit.more for hit in catalog.search("send a telegram")}
        assert found["telegraph#Client#send"] == found["telegraph#Client"] == 1
        assert not any("required:" in entry_id for entry_id in found)
        assert len(catalog.search("(text: string) => void name:send pkg:telegraph")) == 2
        # Two members of one line are no copies.
        sizes = [hit.entry.id for hit in catalog.search("size kind:property pkg:telegraph")]
        assert sizes == ["telegraph#A#size", "telegraph#B#size"]


_SENDER = """
export interface Text { words: string[] }
/** Sends telegrams. */
export declare class Sender {
  /** Send a telegram. */
  send(text: Text): void;
  repeat(): %s;
}
"""


def test_a_class_of_two_modules_is_listed_once(tmp_path: Path) -> None:
    exports = {".": {"types": "./all.d.ts"}, "./parts/*": "./parts/*"}
    root = writer(tmp_path / "telegraph")(
        {
            "package.json": {"name": "telegraph", "exports": exports},
            "all.d.ts": _SENDER % "number",
            "parts/sender.d.ts": f"export {{}};{_SENDER % 'string'}",
        }
    )
    with Catalog(tmp_path / "typematch.db") as catalog:
        catalog.add(root, model=None)
        found = {hit.entry.id: hit.more for hit in catalog.search("send a telegram")}
        assert found["telegraph#Sender#send"] == found["telegraph#Sender"] == 1
        assert not any(entry_id.endswith(":Sender#send") for entry_id in found)
        # Their types are written differently.
        repeats = [
            hit for hit in catalog.search("repeat pkg:telegraph") if hit.entry.name == "repeat"
        ]
        assert [hit.more for hit in repeats] == [0, 0]


def test_words_that_no_entry_has_are_named(catalog: Catalog) -> None:
    typed = catalog.search("xyzzyq :: (hard: boolean) => void")
    assert "No entry here has the word xyzzyq: only types were compared." in typed.notices
    worded = catalog.search("delete branch xyzzyq qqq")
    assert "No entry here has the words xyzzyq, qqq." in worded.notices
