"""Members of generic classes are called with type arguments that satisfy the constraints."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from typematch.catalog import Catalog
from typematch.search.results import Hit

_TEXT = """
export interface Base { id: number }
export class Agent<R extends Base> {
  constructor(first: R, attempts: number) {}
  get(url: string): R { return null! }
  put(request: R): string { return "" }
  read<K extends keyof R>(request: R, key: K): R[K] { return null! }
}
export class Loose<R> {
  get(url: string): R { return null! }
  put(request: R): string { return "" }
}
export class Words<R extends string> {
  get(url: string): R { return null! }
  is(value: unknown): value is R { return true }
}
export class Pool<Q extends Set<O>, O extends Base> {
  size(name: URL, options?: Partial<O>): bigint { return 0n }
}
export class Late<R extends S, S extends Base> {
  put(request: R): string { return "" }
}
"""


@pytest.fixture(scope="module")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Catalog]:
    folder = tmp_path_factory.mktemp("agents")
    (folder / "package.json").write_text('{"name": "agents"}', encoding="utf-8")
    (folder / "index.ts").write_text(_TEXT, encoding="utf-8")
    with Catalog(folder / "t.db") as opened:
        opened.add(folder, model=None)
        yield opened


def _found(catalog: Catalog, query: str) -> dict[str, Hit]:
    hits = catalog.search(f"{query}  pkg:agents is:loose", limit=None).hits
    return {hit.entry.id.partition("#")[2]: hit for hit in hits}


def _fits(catalog: Catalog, query: str) -> set[str]:
    found = _found(catalog, query)
    return {name for name, hit in found.items() if hit.cost is not None and hit.cost <= 100}


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("(url: string) => { id: number; url: URL }", {"Agent#get", "Loose#get"}),
        ("(url: string) => 'a' | 'b'", {"Loose#get", "Words#get"}),
        ("(url: string) => Date", {"Loose#get"}),
        # A parameter of a constrained type says what it accepts.
        ("(request: { id: number; url: URL }) => string", {"Agent#put"}),
        ("new (first: { id: number }, attempts: number) => _", {"Agent#constructor"}),
        ("new (first: Date, attempts: number) => _", set()),
        ("(request: { id: number; url: URL }, key: 'url') => URL", {"Agent#read"}),
        ("(request: { id: number }, key: 'url') => _", set()),
        ("(value: unknown) => value is Date", set()),
    ],
)
def test_type_arguments_of_a_class_satisfy_its_constraints(
    catalog: Catalog, query: str, expected: set[str]
) -> None:
    assert _fits(catalog, query) == expected


def test_a_call_that_does_not_depend_on_the_class_has_no_edits_for_its_constraints(
    catalog: Catalog,
) -> None:
    found = _found(catalog, "(name: URL) => bigint")
    assert [edit.kind.name for edit in found["Pool#size"].edits] == ["optional-left-out"]


def test_the_type_of_a_guard_counts_as_a_result(catalog: Catalog) -> None:
    found = _found(catalog, "(value: unknown) => value is 'a'")
    assert found["Words#is"].cost == 60  # no argument determines it


def test_members_of_one_type_have_the_cost_of_their_class(catalog: Catalog) -> None:
    found = _found(catalog, "(url: string) => { id: number }")
    assert {found[name].entry.signatures[0].type for name in ("Agent#get", "Loose#get")} == {
        found["Words#get"].entry.signatures[0].type
    }
    assert found["Agent#get"].cost == found["Loose#get"].cost == 60
    assert found["Words#get"].cost == 2000 + 20  # mismatched


def test_a_second_search_finds_the_same_members(catalog: Catalog) -> None:
    query = "(url: string) => { id: number }  pkg:agents"
    first, again = (
        [(hit.entry.id, hit.cost) for hit in catalog.search(query).hits] for _ in range(2)
    )
    assert first == again
