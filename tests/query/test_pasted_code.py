"""A declaration that was copied from code is a query for functions like it."""

from __future__ import annotations

import pytest

from typematch.query.parse import parse
from typematch.query.pasted_code import query_of_code


@pytest.mark.parametrize(
    ("code", "query"),
    [
        (
            "function chunk<T>(arr: T[], size: number): T[][] { ... }",
            "chunk :: <T>(arr: T[], size: number) => T[][]",
        ),
        (
            "/** All. */\nexport async function readAll(s: Readable): Promise<string> {\n  x();\n}",
            "readAll :: (s: Readable) => Promise<string>",
        ),
        ("function add(a, b = 1) { return a + b; }", "add :: (a: _, b?: number) => _"),
        ("async function load(path: string) {}", "load :: (path: string) => Promise<_>"),
        ("const half = (n: number): number => n / 2", "half :: (n: number) => number"),
        ("const f = (a: string) => number", "f :: (a: string) => number"),
        ("type F = (a: string) => Promise<void>;", "F :: (a: string) => Promise<void>"),
        ("get(id: string): Promise<User>", "get :: (id: string) => Promise<User>"),
        ("static of<T>(...items: T[]): T[];", "of :: <T>(...items: T[]) => T[]"),
        (
            "function f({ a, b }: Opts, cb: (e: Error) => void = () => {}): { ok: boolean } {}",
            "f :: (options: Opts, cb?: (e: Error) => void) => { ok: boolean }",
        ),
        (
            'join(parts: string[], by = ", ", strict = true): string',
            "join :: (parts: string[], by?: string, strict?: boolean) => string",
        ),
        ("```ts\nfunction isX(v: unknown): v is X {\n}\n```", "isX :: (v: unknown) => v is X"),
        ("```TS\r\nfunction f(a: string): void;\r\n```", "f :: (a: string) => void"),
        ("```\n(a: string) => number\n```", "(a: string) => number"),
        ("function (a: string): void {", "(a: string) => void"),
        ("async function* pages(from: number) {}", "pages :: (from: number) => _"),
        ("async *pages(from: number) {}", "pages :: (from: number) => _"),
        ("*ids(): Generator<string> {}", "ids :: () => Generator<string>"),
    ],
)
def test_a_declaration_is_read_as_name_and_signature(code: str, query: str) -> None:
    assert query_of_code(code) == query
    parsed = parse(code)
    assert parsed.signature is not None
    assert parsed == parse(query)


@pytest.mark.parametrize(
    "text",
    [
        "map(f)",
        "sort (ascending)",
        "split a list (fast): how",
        "function that takes (a string)",
        "functional programming",
        "(a: string) => number",
        "map :: (T[], (t: T) => U) => U[]",
        "get(id: string): Promise<",
        "Promise<string>",
        "Map<string, () => void>",
        "f<>",
        "function f<T>",
        "async f<T>: T",
        "function f(",
        "async",
    ],
)
def test_other_texts_are_no_declaration(text: str) -> None:
    assert not query_of_code(text)
