"""The chips of a query: each can be removed or relaxed, and the result is a valid query."""

from __future__ import annotations

import pytest

from typematch.query.chips import query_chips
from typematch.query.parse import parse

# (query, chip, query without it, query with a weaker form of it)
CHIPS = [
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


@pytest.mark.parametrize(("text", "chip_text", "without", "softer"), CHIPS)
def test_a_chip_has_the_queries_without_it_and_with_a_weaker_form(
    text: str, chip_text: str, without: str | None, softer: str | None
) -> None:
    [chip] = [chip for chip in query_chips(parse(text)) if chip.text == chip_text]
    assert (chip.without, chip.softer) == (without, softer)


def test_a_facet_chip_has_key_and_values() -> None:
    [chip] = query_chips(parse('-pkg:"a b",c'))
    assert (chip.key, chip.values, chip.negated) == ("pkg", ("a b", "c"), True)


def test_sentence_chips_are_marked_as_likely_or_sure() -> None:
    chips = query_chips(parse("asynchronously split a list into batches"))
    likely = {chip.text: chip.likely for chip in chips if chip.kind == "sentence"}
    assert likely["is:async"] is False
    assert likely["takes T[]"] is True


@pytest.mark.parametrize("text", sorted({text for text, *_ in CHIPS}))
def test_the_queries_of_a_chip_are_valid_and_different(text: str) -> None:
    chips = query_chips(parse(text))
    for chip in chips:
        for changed in (chip.without, chip.softer):
            if changed:
                assert query_chips(parse(changed)) != chips, changed
