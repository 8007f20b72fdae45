from __future__ import annotations

import random
from dataclasses import replace

import pytest

from typematch.evaluate.compiler.perturbed_signatures import PERTURBATIONS, evaluate, report
from typematch.evaluate.corpus import JoinedFunctions
from typematch.ir.entry import Entry, EntrySignature
from typematch.ir.render import render
from typematch.ir.types import Object
from typematch.search.results import Hit, SearchResult
from typematch.sources.typescript import read_type


def changed(name: str, text: str) -> str | None:
    found = read_type(text)
    assert isinstance(found, Object)
    new = PERTURBATIONS[name](found.calls[0], random.Random(1))
    return None if new is None else render(Object(calls=(new,)))


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        (
            "two arguments swapped",
            "(a: string, b: number) => void",
            "(b: number, a: string) => void",
        ),
        ("two arguments swapped", "(a: string, b: string) => void", None),
        ("two arguments swapped", "(a: string, b?: number) => void", None),
        ("readonly array for an array", "(a: string[]) => void", "(a: readonly string[]) => void"),
        ("readonly array for an array", "(a: readonly string[]) => string[]", None),
        (
            "one optional argument left out",
            "(a: string, b?: number) => void",
            "(a: string) => void",
        ),
        ("one optional argument left out", "(a: string) => void", None),
        ("one optional argument left out", "(a?: string, b?: unknown) => b is string", None),
        ("two arguments swapped", "(a: string, b: unknown) => b is string", None),
        (
            "concrete type for a variable",
            "<T, U extends T>(x: T, f: <V>(t: T, u: U) => V) => U",
            "<T extends string>(x: string, f: <U>(t: string, u: T) => U) => T",
        ),
        ("concrete type for a variable", "<T extends object>(x: T) => T", None),
        ("promise removed", "(a: string) => string", None),
    ],
)
def test_a_perturbation_applies_or_is_none(name: str, text: str, expected: str | None) -> None:
    got = changed(name, text)
    assert got == expected or (expected and got == expected.replace("string", "number"))


def entry(name: str, text: str) -> Entry:
    type_ = read_type(text)
    assert isinstance(type_, Object)
    signature = EntrySignature(text, type_, (), "void", type_, 0, 0)
    return Entry(
        id=f"p#{name}",
        kind="function",
        name=name,
        qualified_name=name,
        container="",
        package="p",
        version="1.0.0",
        path="p/index.d.ts",
        line=1,
        signature=text,
        signatures=(signature,),
    )


def test_a_rank_counts_distinct_cheaper_signatures_that_are_not_assignable() -> None:
    mine = entry("mine", "(a: string, b: number) => void")
    cheap = entry("cheap", "(a: number, b: string) => void")
    twice = replace(cheap, id="p#twice")
    accepted = entry("accepted", "(a: unknown) => void")

    def search(text: str, limit: int | None) -> SearchResult:
        if "is:assignable" in text:
            found = [Hit(accepted, 1.0, 0.0, overload=0)]
        elif "p0" in text and text.index("p0") < text.index("p1"):
            found = [Hit(mine, 1.0, 0.0, overload=0)]
        else:
            ranked = ((accepted, 0.0), (cheap, 1.0), (twice, 1.0), (mine, 3.0))
            found = [Hit(entry_id, 1.0, cost, overload=0) for entry_id, cost in ranked]
        return SearchResult("", "", tuple(found[:limit]), len(found))

    functions = JoinedFunctions(rows=(), entries={"mine": mine}, ids={}, universal=frozenset())
    result = evaluate(functions, search, number=3, seed=1)
    row = result["changes"]["two arguments swapped"]
    assert (row["drawn"], row["good"], row["rows"][0]["rank"]) == (1, 1, 2)
    assert result["changes"]["promise removed"]["refused"] == {"the perturbation does not apply": 1}
    assert "two arguments swapped" in report(result, show=True)
