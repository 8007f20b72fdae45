"""The pieces of a query: each can be taken away or softened, and what is left can be asked."""

from __future__ import annotations

import pytest

from typematch.query.chips import parts
from typematch.query.parse import parse

# (query, piece, without it, with less of it)
PIECES = [
    ("(items: T[], n?: number) => T[][]", "items: T[]", "(n?: number) => T[][]",
     "(items: _, n?: number) => T[][]"),
    ("<T extends object>(T, string) => T", "string", "<T extends object>(T) => T",
     "<T extends object>(T, _) => T"),
    ("(a: string) => Date  pkg:x", "Date", "(a: string) => _  pkg:x", None),
    ("(a: string) => _", "_", None, None),
    ("(a: string, ...) => _", "...", "(a: string) => _", None),
    ("(f: (...) => _, ...xs: ?k[]) => ?k", "...xs: k[]", "(f: (...) => _) => ?k",
     "(f: (...) => _, ...xs: _[]) => ?k"),
    ("chunk :: (a: string) => _  kind:method", "chunk", "(a: string) => _  kind:method", None),
    ("chunk kind:method :: (a: string) => _", "chunk", "(a: string) => _  kind:method", None),
    ("user :: {id: string} -is:async", "user", ":: {id: string}  -is:async", None),
    ("user :: {id: string} -is:async", "{ id: string }", "user  -is:async", None),
    (":: {id: string}", "{ id: string }", "", None),
    ("(x: unknown) => x is string", "(x: unknown) => x is string", "", None),
    ("retry it  is:async", "retry it", "is:async", None),
    ("retry it -is:async now", "-is:async", "retry it now", None),
    ("arity:2 retry", "arity:2", "retry", "arity:1..3 retry"),
    ("arity:>=2 retry", "arity:2..", "retry", "arity:1.. retry"),
    ("is:exact (a) => b", "is:exact", "(a) => b", "is:assignable (a) => b"),
    ("is:assignable (a) => b", "is:assignable", "(a) => b", None),
    ("has:id:string", "has:id:string", "", "has:id"),
    ('x pkg:"a b",c', 'pkg:"a b",c', "x", 'x pkg:"*a b*",*c*'),
    ("name:*read*", "name:*read*", "", None),
    ("takes a date and returns a string", "takes Date", "takes and returns a string", None),
    ("takes a date and returns a string", "returns string", "takes a date and returns", None),
]  # fmt: skip


@pytest.mark.parametrize(("text", "piece", "without", "softer"), PIECES)
def test_a_piece(text: str, piece: str, without: str | None, softer: str | None) -> None:
    [found] = [one for one in parts(parse(text)) if one.text == piece]
    assert (found.without, found.softer) == (without, softer)


def test_a_facet_says_what_it_asks() -> None:
    [found] = parts(parse('-pkg:"a b",c'))
    assert (found.key, found.values, found.negated) == ("pkg", ("a b", "c"), True)


def test_what_a_sentence_says_is_marked_as_likely_or_sure() -> None:
    found = parts(parse("asynchronously split a list into batches"))
    said = {one.text: one.likely for one in found if one.sort == "said"}
    assert said["is:async"] is False
    assert said["takes T[]"] is True


@pytest.mark.parametrize("text", sorted({text for text, *_ in PIECES}))
def test_what_is_left_can_be_asked_and_asks_something_else(text: str) -> None:
    pieces = parts(parse(text))
    for one in pieces:
        for other in (one.without, one.softer):
            if other:
                assert parts(parse(other)) != pieces, other
