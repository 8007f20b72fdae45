"""A match drawn: every place on either side has a line, and the line says what becomes of it."""

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

# (asked, the entry, its lines: from>to marks; # and a number is a parameter, = the result)
DRAWN = [
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
    folder = tmp_path_factory.mktemp("drawn")
    (folder / "package.json").write_text('{"name": "drawn", "types": "index.d.ts"}')
    (folder / "index.d.ts").write_text(DECLARED)
    with Catalog(folder / "typematch.db") as made:
        made.add(folder, model=None)
        yield made


def found(catalog: Catalog, asked: str, entry: str) -> tuple[SearchResult, Hit]:
    result = catalog.search(f"{asked}  pkg:drawn")
    return result, next(hit for hit in result if hit.entry.id == f"drawn#{entry}")


def drawn(hit: Hit) -> str:
    """Return the lines of a hit as the table has them."""
    lines = [f"{line.asked}>{line.found} {' '.join(line.marks)}" for line in hit.lines]
    text = ", ".join(lines).replace("$.returns", "=")
    return re.sub(r"\$\.parameters\[(\d)\]", r"#\1", text)


@pytest.mark.parametrize(("asked", "entry", "lines"), DRAWN)
def test_a_match_is_drawn(catalog: Catalog, asked: str, entry: str, lines: str) -> None:
    _, hit = found(catalog, asked, entry)
    assert drawn(hit) == lines


@pytest.mark.parametrize(("asked", "entry"), [(asked, entry) for asked, entry, _ in DRAWN])
def test_every_place_has_a_line_and_every_edit_that_costs_is_told(
    catalog: Catalog, asked: str, entry: str
) -> None:
    result, hit = found(catalog, asked, entry)
    assert result.asked is not None
    signature = hit.entry.signatures[hit.overload or 0]
    there = {f"$.parameters[{i}]" for i in range(len(signature.parameters))} | {"$.returns"}
    assert there <= {line.found for line in hit.lines}
    asking = {f"$.parameters[{i}]" for i in range(len(result.asked.parameters))} | {"$.returns"}
    assert asking == {line.asked for line in hit.lines} - {""}
    told = {i for line in hit.lines for i in line.edits}
    # What is said of the whole (its variables, the order) has no place of its own.
    whole = {i for i, edit in enumerate(hit.edits) if edit.path in ("$", "$.parameters")}
    assert told | whole == set(range(len(hit.edits)))


def test_the_asked_signature_is_said_by_its_parts(catalog: Catalog) -> None:
    asked = catalog.search("<T extends object>(T[], ...more: ?k[]) => T").asked
    assert asked is not None
    assert asked.text == "<T extends object, k>(T[], ...more: k[]) => T"
    assert [(one.name, one.type, one.rest) for one in asked.parameters] == [
        ("", "T[]", False), ("more", "k[]", True)
    ]  # fmt: skip
    assert catalog.search("chunk").asked is None
