"""Fingerprints of function types."""

from __future__ import annotations

import pytest

from typematch.ir.fingerprint import exact_fingerprint
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
        ("(a: string[]) => number", "(a: readonly string[]) => number"),
        ("(a: string, b?: number) => void", "(a: string, b: number) => void"),
        ("(a: unknown) => a is string", "(a: unknown) => boolean"),
        ("(a: Map<string, number>) => void", "(a: Map<number, string>) => void"),
    ],
)
def test_different_functions_have_different_fingerprints(first: str, second: str) -> None:
    assert exact_fingerprint(read_type(first)) != exact_fingerprint(read_type(second))
