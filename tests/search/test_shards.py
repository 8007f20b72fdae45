"""Shards of a catalog: which entries they have, and pages that are merged from theirs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

import typematch
from conftest import FIXTURES
from typematch import Catalog, Hit, SearchResult, merge_results
from typematch.errors import UsageError
from typematch.index.engines.shards import Shard

COUNT = 3
PACKAGES = ("alpha", "beta", "gamma", "delta", "epsilon", "zeta")
QUERIES = (
    "(items: T[], size: number) => T[][]",
    "(text: string) => string",
    "(user: User) => string",
    "(nothing: 42) => never",
)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Catalog]:
    """Six packages, each with functions of its own and one type that all of them use."""
    folder = tmp_path_factory.mktemp("packages")
    for number, name in enumerate(PACKAGES):
        package = folder / "node_modules" / name
        package.mkdir(parents=True)
        (package / "package.json").write_text(
            f'{{"name": "{name}", "version": "1.0.0", "types": "index.d.ts"}}'
        )
        declared = "export interface User { id: string }\n" if number == 0 else ""
        imported = 'import { User } from "alpha";\n' if number else ""
        (package / "index.d.ts").write_text(
            f"{imported}{declared}"
            f"export declare function {name}Name(user: User): string;\n"
            f"export declare function {name}Text(text: string, at?: number): string;\n"
            f"export declare function {name}Split<T>(items: T[], size: number): T[][];\n"
        )
    with typematch.open(tmp_path_factory.mktemp("whole") / "whole.db") as catalog:
        catalog.add(folder / "node_modules", FIXTURES / "toolbox", model=None)
        yield catalog


@pytest.fixture(scope="module")
def shards(whole: Catalog, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Catalog]]:
    folder = tmp_path_factory.mktemp("shards")
    with ExitStack() as stack:
        opened = []
        for number in range(1, COUNT + 1):
            path = folder / f"{number}.db"
            whole.export(path, shard=f"{number}/{COUNT}")
            opened.append(stack.enter_context(typematch.open(path, create=False)))
        yield opened


def functions(catalog: Catalog) -> set[str]:
    hits = catalog.search("kind:function", limit=1_000).hits
    return {hit.entry.id for hit in hits if hit.entry.package in PACKAGES}


def test_each_function_is_in_one_shard(whole: Catalog, shards: list[Catalog]) -> None:
    parts = [functions(shard) for shard in shards]
    assert set().union(*parts) == functions(whole)
    assert sum(map(len, parts)) == len(functions(whole)) == 3 * len(PACKAGES)
    for number, part in enumerate(parts, start=1):
        assert all(Shard(number, COUNT).holds(id_.partition("#")[0]) for id_ in part)


def test_each_shard_has_all_declarations(shards: list[Catalog]) -> None:
    for shard in shards:
        assert [hit.entry.id for hit in shard.search("kind:interface User")][:1] == ["alpha#User"]


@pytest.mark.parametrize("query", QUERIES)
def test_pages_by_cost_are_those_of_the_whole(
    whole: Catalog, shards: list[Catalog], query: str
) -> None:
    asked = f"{query} sort:cost"
    merged = merge_results([shard.search(asked) for shard in shards])
    expected = whole.search(asked)
    assert [(hit.entry.id, hit.cost) for hit in merged] == [
        (hit.entry.id, hit.cost) for hit in expected
    ]


def test_a_page_has_at_most_the_limit(shards: list[Catalog]) -> None:
    results = [shard.search("(text: string) => string sort:cost") for shard in shards]
    assert len(merge_results(results, 2)) == 2


@pytest.mark.parametrize("order", ["sort:COST", 'sort:"cost"'])
def test_the_query_sets_order_and_limit_of_a_merged_page(
    whole: Catalog, shards: list[Catalog], order: str
) -> None:
    asked = f"(text: string) => string {order} limit:4"
    merged = merge_results([shard.search(asked) for shard in shards])
    assert [hit.entry.id for hit in merged] == [hit.entry.id for hit in whole.search(asked)]


def test_a_shard_is_neither_written_nor_divided(shards: list[Catalog], tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=f"this is shard 1/{COUNT} of a catalog"):
        shards[0].export(tmp_path / "part.db", shard="1/2")
    with pytest.raises(UsageError, match=f"this is shard 1/{COUNT} of a catalog"):
        shards[0].add(FIXTURES / "petshop", model=None)


@pytest.mark.parametrize("text", ["0/4", "5/4", "1", "1/", "/4", "a/b", "-1/4", "1/0"])
def test_what_is_no_shard(text: str) -> None:
    with pytest.raises(UsageError, match="is no shard"):
        Shard.parse(text)


# Merging ------------------------------------------------------------------------------------------


def found(*hits: Hit, relaxed: tuple[str, ...] = ()) -> SearchResult:
    query = "(a: string) => string sort:cost"
    return SearchResult(query, query, hits=hits, total=len(hits), relaxed=relaxed)


@pytest.fixture(scope="module")
def hit(whole: Catalog) -> Hit:
    return whole.search("(text: string) => string").hits[0]


def named(hit: Hit, name: str, cost: float | None, undecided: str = "") -> Hit:
    return replace(
        hit, entry=replace(hit.entry, name=name, id=name), cost=cost, undecided=undecided
    )


def test_equal_costs_are_in_order_of_id(hit: Hit) -> None:
    first, second, third = (named(hit, name, 5) for name in "abc")
    merged = merge_results([found(second), found(first, third)])
    assert [found_hit.entry.id for found_hit in merged] == ["a", "b", "c"]


def test_what_only_a_small_shard_lists_is_left_out(hit: Hit) -> None:
    near = [named(hit, name, 1) for name in "abc"]
    far, unknown = named(hit, "far", 900), named(hit, "unknown", None, "the limit of steps")
    merged = merge_results([found(*near), found(far, unknown, relaxed=("misfits, too",))])
    assert [found_hit.entry.id for found_hit in merged] == ["a", "b", "c", "unknown"]
    assert merged.relaxed == ()


def test_too_few_in_all_shards_stay_relaxed(hit: Hit) -> None:
    merged = merge_results([found(named(hit, "far", 900), relaxed=("misfits, too",)), found()])
    assert [found_hit.entry.id for found_hit in merged] == ["far"]
    assert merged.relaxed == ("misfits, too",)


def test_there_is_nothing_to_merge() -> None:
    with pytest.raises(ValueError, match="no results"):
        merge_results([])
