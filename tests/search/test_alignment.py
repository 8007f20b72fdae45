"""Alignments: every position on either side has an edge, and its marks."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from typematch.catalog import Catalog
from typematch.search.results import Hit, SearchResult

DECLARED = """
export function chunk<T>(items: readonly T[], size?: number): T[][];
export function repeat(text: string, times: number): string;
export function between(low: number, high: number, value: Date): boolean;
export function read(path: string, encoding: string): Promise<string>;
export function find(text: string): Date | undefined;
export function later(): Promise<Date>;
export function join(glue: string, ...parts: string[]): string;
export function split(size: number): (text: string) => string[];
export function guard(value: unknown, name: string): value is Date;
export function crop(path: string, width: number, height: number): bigint;
export function shrink(path: string, options: { width: number; fast?: boolean }): RegExp;
export function once(make: () => Date): Date[];
export class Rope { cut(at: number): boolean; }
export function bare(this: Rope, at: number): symbol;
"""

# (query, entry, its edges: from>to marks; # and a number is a parameter, = the result)
ALIGNED = [
    ("(xs: T[]) => T[][]", "chunk", "#0>#0 assignable, >#1 left-out, =>= fits"),
    ("(n: number, s: string) => string", "repeat", "#1>#0 swapped, #0>#1 swapped, =>= fits"),
    ("(s: string) => string", "repeat", "#0>#0 fits, >#1 supplied, =>= fits"),
    (
        "(d: Date, a: number, b: number) => boolean",
        "between",
        "#1>#0 swapped, #2>#1 swapped, #0>#2 swapped, =>= fits",
    ),
    ("(p: string, e: string) => string", "read", "#0>#0 fits, #1>#1 fits, =>= awaited"),
    ("(s: string) => Date", "find", "#0>#0 fits, =>= checked"),
    ("(s: string) => Promise<Date>", "find", "#0>#0 fits, =>= checked wrapped"),
    ("() => Date", "later", "=>= awaited"),
    ("(s: string, d: Date) => Date", "find", "#0>#0 fits, #1> dropped, =>= checked"),
    ("(a: string, b: string, c: string) => string", "join",
     "#0>#0 fits, #1>#1 fits, #2>#1 fits, =>= fits"),
    ("(s: string, n: number) => string[]", "split",
     "#1>#0 fits, #0>=.parameters[0] second-call, =>= fits"),
    ("(r: Rope, n: number) => boolean", "Rope#cut",
     "#0>$.this receiver, #1>#0 fits, =>= fits"),
    ("(n: number) => symbol", "bare", ">$.this supplied, #0>#0 fits, =>= fits"),
    ("(s: string, ...) => string", "repeat", "#0>#0 fits, #1>#1 fits, =>= fits"),
    ("(..., n: number) => string", "repeat", "#0>#0 fits, #1>#1 fits, =>= fits"),
    ("(p: string, o: { width: number, height: number }) => bigint", "crop",
     "#0>#0 fits, #1>#1 spread, #1>#2 spread, =>= fits"),
    ("(p: string, width: number, fast: boolean) => RegExp", "shrink",
     "#0>#0 fits, #1>#1 gathered assignable, #2>#1 gathered assignable, =>= fits"),
    ("(d: Date) => Date[]", "once", "#0>#0 deferred, =>= fits"),
    ("(xs: T[]) => T[][]  is:assignable", "chunk", "#0>#0 fits, >#1 left-out, =>= fits"),
    ("find a date that takes a string and returns a Date", "find", "#0>#0 fits, =>= checked"),
]  # fmt: skip


@pytest.fixture(scope="module")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Catalog]:
    folder = tmp_path_factory.mktemp("aligned")
    (folder / "package.json").write_text('{"name": "aligned", "types": "index.d.ts"}')
    (folder / "index.d.ts").write_text(DECLARED)
    with Catalog(folder / "typematch.db") as made:
        made.add(folder, model=None)
        yield made


def search(catalog: Catalog, query: str, entry: str) -> tuple[SearchResult, Hit]:
    result = catalog.search(f"{query}  pkg:aligned")
    return result, next(hit for hit in result if hit.entry.id == f"aligned#{entry}")


def edges_text(hit: Hit) -> str:
    """Return the edges of a hit in the notation of the table."""
    edges = [f"{edge.query}>{edge.candidate} {' '.join(edge.marks)}" for edge in hit.alignment]
    text = ", ".join(edges).replace("$.returns", "=")
    return re.sub(r"\$\.parameters\[(\d)\]", r"#\1", text)


@pytest.mark.parametrize(("query", "entry", "edges"), ALIGNED)
def test_hits_are_aligned(catalog: Catalog, query: str, entry: str, edges: str) -> None:
    _, hit = search(catalog, query, entry)
    assert edges_text(hit) == edges


@pytest.mark.parametrize(("query", "entry"), [(query, entry) for query, entry, _ in ALIGNED])
def test_every_position_and_every_edit_with_a_cost_has_an_edge(
    catalog: Catalog, query: str, entry: str
) -> None:
    result, hit = search(catalog, query, entry)
    assert result.query_signature is not None
    signature = hit.entry.signatures[hit.overload or 0]
    assert _positions(len(signature.parameters)) <= {edge.candidate for edge in hit.alignment}
    query_positions = _positions(len(result.query_signature.parameters))
    assert query_positions == {edge.query for edge in hit.alignment} - {""}
    aligned = {index for edge in hit.alignment for index in edge.edits}
    # Edits of the whole signature (its variables, the order) have no position.
    whole = {index for index, edit in enumerate(hit.edits) if edit.path in ("$", "$.parameters")}
    assert aligned | whole == set(range(len(hit.edits)))


def _positions(parameters: int) -> set[str]:
    return {f"$.parameters[{index}]" for index in range(parameters)} | {"$.returns"}


def test_the_query_signature_has_its_parts_as_text(catalog: Catalog) -> None:
    signature = catalog.search("<T extends object>(T[], ...more: ?k[]) => T").query_signature
    assert signature is not None
    assert signature.text == "<T extends object, k>(T[], ...more: k[]) => T"
    assert [
        (parameter.name, parameter.type, parameter.rest) for parameter in signature.parameters
    ] == [("", "T[]", False), ("more", "k[]", True)]
    assert catalog.search("chunk").query_signature is None
