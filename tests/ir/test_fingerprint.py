"""Exact and loose fingerprints of function types."""

from __future__ import annotations

import pytest

from typematch.ir.fingerprint import exact_fingerprint, loose_fingerprints
from typematch.sources.typescript import read_type


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("(a: string) => void", "(b: string) => void"),
        ("<T>(x: T) => T", "<Item>(item: Item) => Item"),
        ("(f: (x: number) => void) => void", "(g: (y: number) => void) => void"),
    ],
)
def test_exact_fingerprints_ignore_names(first: str, second: str) -> None:
    assert exact_fingerprint(read_type(first)) == exact_fingerprint(read_type(second))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("(a: string, b: number) => void", "(b: number, a: string) => void"),
        ("(a: string[]) => number | undefined", "(a: readonly string[]) => number"),
        ("(a: string, b?: number) => void", "(a: string) => void"),
        ("(a: string, b?: number) => void", "(a: string, b: number) => void"),
        ("<T, U>(x: T, f: (u: U) => T) => U", "<U, T>(f: (u: T) => U, x: U) => T"),
        ("(a: unknown) => a is string", "(a: unknown) => boolean"),
    ],
)
def test_similar_functions_share_a_loose_fingerprint(first: str, second: str) -> None:
    assert exact_fingerprint(read_type(first)) != exact_fingerprint(read_type(second))
    assert loose_fingerprints(read_type(first)) & loose_fingerprints(read_type(second))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("(a: string, b: number) => void", "(a: string, b: string) => void"),
        ("(a: string) => void", "(a: string) => string"),
        ("(a: string, b: string) => void", "(a: string) => void"),
        ("(a: Map<string, number>) => void", "(a: Map<number, string>) => void"),
    ],
)
def test_different_functions_share_no_loose_fingerprint(first: str, second: str) -> None:
    assert not loose_fingerprints(read_type(first)) & loose_fingerprints(read_type(second))
