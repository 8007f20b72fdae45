"""A signature rewritten to two calls."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from file_trees import writer
from typematch.catalog import Catalog
from typematch.ir.render import render
from typematch.query.signature.type_expr import read_signature
from typematch.search.score.curried_calls import curried


@pytest.mark.parametrize(
    ("signature", "expected"),
    [
        pytest.param(
            "(xs: T[], n: number) => T[][]",
            "<T>(n: number) => (xs: T[]) => T[][]",
            id="the first argument is passed last",
        ),
        pytest.param(
            "(a: string, b: number, c: boolean) => void",
            "(b: number, c: boolean) => (a: string) => void",
            id="the first of three arguments",
        ),
        pytest.param("(a: string) => void", None, id="one argument"),
        pytest.param("(a: string, b?: number) => void", None, id="an optional parameter"),
        pytest.param("(a: string, ...b: number[]) => void", None, id="a rest parameter"),
        pytest.param("(a: string, ...) => void", None, id="an ellipsis"),
        pytest.param(
            "(a: unknown, b: number) => a is string",
            "(b: number) => (a: unknown) => a is string",
            id="a type predicate on the first argument",
        ),
        pytest.param(
            "(a: T, b: unknown) => b is T", None, id="a type predicate on another argument"
        ),
    ],
)
def test_curried(signature: str, expected: str | None) -> None:
    parsed = read_signature(signature)
    rewritten = curried(parsed.type)
    assert (rewritten and render(rewritten, names=(parsed.variables,))) == (
        expected and render(read_signature(expected).type, names=(parsed.variables,))
    )


DECLARED = """
export interface Gadget { size: bigint }
export interface Ways { (): Int8Array; (gadget: Gadget): Int16Array }
export type Mocked<F> = F & { calls: number };
export declare function later<A extends unknown[], R>(f: (...a: A) => R): (...a: A) => R;
export declare function mock<F extends (...a: any[]) => any>(f: F): Mocked<F>;
export declare function byTag<P extends object>(
  table: P): (input: Date) => ReturnType<P[keyof P] & ((...a: any) => never)>;
export declare function ways(f: RegExp): Ways;
export declare function promised<A extends unknown[], R>(
  ...f: [(...a: A) => R]): (...a: A) => R;
"""


@pytest.fixture(scope="module")
def calls(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Catalog]:
    root = tmp_path_factory.mktemp("calls")
    write = writer(root / "calls")
    package = {"name": "calls", "version": "1.0.0", "types": "index.d.ts"}
    with Catalog(root / "typematch.db") as catalog:
        catalog.add(write({"package.json": package, "index.d.ts": DECLARED}), model=None)
        yield catalog


@pytest.mark.parametrize(
    ("query", "entry", "fits"),
    [
        ("(d: Gadget, f: (d: Gadget) => bigint) => bigint", "later", True),
        ("(d: Gadget, f: () => bigint) => bigint", "later", False),
        ("(d: Gadget, f: (d?: Gadget) => bigint) => bigint", "later", True),
        ("(d: Gadget, f: (...d: Gadget[]) => bigint) => bigint", "later", True),
        ("(d: Gadget, f: (d: Gadget) => bigint) => bigint", "promised", True),
        ("(d: Gadget, f: () => bigint) => bigint", "promised", False),
        ("(d: Gadget, f: (d: Gadget) => bigint) => bigint", "mock", True),
        ("(d: Gadget, f: () => bigint) => bigint", "mock", False),
        # The compiler calls the signature that takes the argument.
        ("(d: Gadget, f: RegExp) => Int16Array", "ways", True),
        ("(d: Gadget, f: RegExp) => Int8Array", "ways", False),
        # The result of the second call is `never`.
        ("(d: Date, f: () => Gadget) => Map<Gadget, Gadget>", "byTag", False),
    ],
)
def test_second_call_is_one_that_the_compiler_accepts(
    calls: Catalog, query: str, entry: str, fits: bool
) -> None:
    hit = calls.adapt(query, f"calls#{entry}")
    assert ("curried" in [edit.kind.name for edit in hit.edits] if hit else False) is fits


def test_a_second_call_passes_an_argument(tmp_path: Path) -> None:
    root = writer(tmp_path / "shop")(
        {
            "package.json": {"name": "shop", "version": "1.0.0", "types": "index.d.ts"},
            "index.d.ts": """
export interface Price { cents: number }
interface Thunk<A> { (): A }
export declare function later(tax: number): Thunk<Price>;
export declare function taxed(tax: number): (price: Price) => Price;
""",
        }
    )
    with Catalog(tmp_path / "typematch.db") as catalog:
        catalog.add(root, model=None)
        hits = catalog.search("(price: Price, tax: number) => Price pkg:shop", limit=None).hits
    edits = {hit.entry.name: [edit.kind.name for edit in hit.edits] for hit in hits}
    assert edits["taxed"] == ["curried"]
    assert "curried" not in edits.get("later", [])
