from __future__ import annotations

import pytest

from typematch.ir.fingerprint import outlines, spelling
from typematch.sources.typescript import read_type


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("(a: string) => void", "(b: string) => void"),
        ("<T>(x: T) => T", "<Item>(item: Item) => Item"),
        ("(f: (x: number) => void) => void", "(g: (y: number) => void) => void"),
    ],
)
def test_names_do_not_count_in_a_spelling(one: str, other: str) -> None:
    assert spelling(read_type(one)) == spelling(read_type(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("(a: string, b: number) => void", "(b: number, a: string) => void"),
        ("(a: string[]) => number | undefined", "(a: readonly string[]) => number"),
        ("(a: string, b?: number) => void", "(a: string) => void"),
        ("(a: string, b?: number) => void", "(a: string, b: number) => void"),
        ("<T, U>(x: T, f: (u: U) => T) => U", "<U, T>(f: (u: T) => U, x: U) => T"),
        ("(a: unknown) => a is string", "(a: unknown) => boolean"),
    ],
)
def test_small_differences_leave_an_outline_in_common(one: str, other: str) -> None:
    assert spelling(read_type(one)) != spelling(read_type(other))
    assert outlines(read_type(one)) & outlines(read_type(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("(a: string, b: number) => void", "(a: string, b: string) => void"),
        ("(a: string) => void", "(a: string) => string"),
        ("(a: string, b: string) => void", "(a: string) => void"),
        ("(a: Map<string, number>) => void", "(a: Map<number, string>) => void"),
    ],
)
def test_other_types_have_other_outlines(one: str, other: str) -> None:
    assert not outlines(read_type(one)) & outlines(read_type(other))
