"""Type arguments that an adapter writes: those that the compiler would not infer."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from file_trees import writer
from typematch.catalog import Catalog

DECLARED = """
export interface Gadget { size: bigint }
declare class Inner { readonly part: symbol }
export declare const inner: Inner;
export declare function opened<P = unknown, Q = P>(token: string): Q & { sub: string };
export declare function read<Q>(at: RegExp): (gadget: Gadget) => Q;
export declare function kept<A extends Gadget>(at: A): (gadget: A) => A;
export declare function preset<Q = bigint>(at: Date): (gadget: Gadget) => Q;
export declare function later<Q, R = Q>(
  first?: bigint, second?: symbol): (gadget: Gadget) => R;
export {};
"""


@pytest.fixture(scope="module")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Catalog]:
    root = tmp_path_factory.mktemp("arguments")
    package = {"name": "till", "version": "1.0.0", "types": "index.d.ts"}
    with Catalog(root / "typematch.db") as made:
        write = writer(root / "till")
        made.add(write({"package.json": package, "index.d.ts": DECLARED}), model=None)
        yield made


@pytest.mark.parametrize(
    ("query", "entry", "code"),
    [
        # No type is expected of what is called: `opened(token)` is `{ sub: string }`.
        (
            "(gadget: Gadget, token: string) => bigint",
            "opened",
            "(gadget, token) => opened<unknown, (gadget: Gadget) => bigint>(token)(gadget)",
        ),
        (
            "(gadget: Gadget, at: RegExp) => R",
            "read",
            "<R>(gadget: Gadget, at: RegExp) => read<R>(at)(gadget)",
        ),
        (
            "(gadget: Gadget, second: symbol) => bigint",
            "later",
            "(gadget, second) => later<unknown, bigint>(undefined, second)(gadget)",
        ),
        # The argument or a default determines it.
        ("(gadget: Gadget, at: Gadget) => Gadget", "kept", "(gadget, at) => kept(at)(gadget)"),
        ("(gadget: Gadget, at: Date) => bigint", "preset", "(gadget, at) => preset(at)(gadget)"),
        # The type that is expected of a call determines it.
        ("(at: RegExp) => (gadget: Gadget) => bigint", "read", "(at) => read(at)"),
    ],
)
def test_type_arguments(catalog: Catalog, query: str, entry: str, code: str) -> None:
    hit = catalog.adapt(query, f"till#{entry}")
    assert hit is not None
    assert hit.adapter is not None
    assert hit.adapter.code == code


def test_no_adapter_without_the_type_arguments_that_it_needs(catalog: Catalog) -> None:
    hit = catalog.adapt("(gadget: Gadget, token: string) => Inner", "till#opened")
    assert hit is not None
    assert hit.edits[0].kind.name == "curried"
    assert hit.adapter is None
