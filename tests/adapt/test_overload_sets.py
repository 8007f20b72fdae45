"""Whether an overloaded function is an adapter by itself: the compiler erases its overloads."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from file_trees import writer
from typematch.catalog import Catalog

DECLARED = """
export type Wrapped<T> = T extends string ? { text: 1 } : { count: 1 };
export declare function wrap<T>(value: T): Wrapped<T>;
export declare function wrap<T>(value: T, more: T): Wrapped<T>;
export declare function list<T>(value: T): T;
export declare function list<T>(value: T, more: T): T[];
"""


@pytest.fixture(scope="module")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Catalog]:
    root = tmp_path_factory.mktemp("overloads")
    package = {"name": "till", "version": "1.0.0", "types": "index.d.ts"}
    with Catalog(root / "typematch.db") as made:
        write = writer(root / "till")
        made.add(write({"package.json": package, "index.d.ts": DECLARED}), model=None)
        yield made


@pytest.mark.parametrize(
    ("query", "entry", "code"),
    [
        # `Wrapped<any>` is a union, which is not assignable to the result.
        (
            "(value: number, more: number) => { count: 1 }",
            "wrap",
            "(value, more) => wrap(value, more)",
        ),
        ("(value: number, more: number) => number[]", "list", "list"),
    ],
)
def test_overload_sets(catalog: Catalog, query: str, entry: str, code: str) -> None:
    hit = catalog.adapt(query, f"till#{entry}")
    assert hit is not None
    assert hit.adapter is not None
    assert hit.adapter.code == code
