"""The sentences of edits, as hits show them."""

from __future__ import annotations

from pathlib import Path

import pytest

from match.texts import match_texts
from typematch.catalog import Catalog
from typematch.ir.constructors import union
from typematch.ir.types import STRING, Literal, Reference
from typematch.match.edit_kinds import (
    ALIAS_FOLLOWED,
    CONTAINER_INSTANTIATED,
    CONTENT_NARROWED,
    INSTANTIATED,
    MORE_SPECIFIC,
    NARROWER_RESULT,
    OPTIONAL_LEFT_OUT,
    UNINFERRED,
    WIDER_PARAMETER,
    Edit,
)
from typematch.match.verdict import Fit
from typematch.search.present.edit_sentences import informative_edits, short_sentence, shortened

url, node_url = Reference("global#URL"), Reference("url#URL")
awaited = Reference("global#Awaited", (STRING,))


@pytest.mark.parametrize(
    ("edit", "is_shown"),
    [
        pytest.param(Edit(ALIAS_FOLLOWED, a="URL", b="URL"), False, id="itself"),
        pytest.param(Edit(ALIAS_FOLLOWED, a="Id", b="string"), True, id="an alias"),
        pytest.param(Edit(INSTANTIATED, a="T", b="any"), False, id="any"),
        pytest.param(Edit(UNINFERRED, a="T", b="any"), True, id="any that costs"),
        pytest.param(Edit(CONTAINER_INSTANTIATED, a="_", b="string"), False, id="without a name"),
        pytest.param(Edit(ALIAS_FOLLOWED, a=awaited, b=STRING), False, id="Awaited"),
        pytest.param(Edit(ALIAS_FOLLOWED, a=url, b=node_url), False, id="another of its name"),
        pytest.param(Edit(MORE_SPECIFIC), True, id="without types"),
        pytest.param(Edit(NARROWER_RESULT, a="x", b="x"), True, id="with the second alone"),
        pytest.param(Edit(OPTIONAL_LEFT_OUT, a="size"), True, id="with one"),
    ],
)
def test_an_edit_that_says_nothing_is_not_shown(edit: Edit, is_shown: bool) -> None:
    assert bool(informative_edits([edit])) == is_shown


@pytest.mark.parametrize(
    ("text", "limit", "expected"),
    [
        ("Map<string, number>", 20, "Map<string, number>"),
        ("Map<string, Record<string, number[]>>", 30, "Map<string, Record<…>>"),
        ("Map<string, Record<string, number[]>>", 12, "Map<…>"),
        (
            "(a: string, b: { id: string }) => Promise<Buffer>",
            40,
            "(a: string, b: {…}) => Promise<Buffer>",
        ),
        ("A | B | C | D | E | F", 10, "A | B | C…"),
        ("", 10, ""),
    ],
)
def test_a_long_type_is_shortened_from_the_inside(text: str, limit: int, expected: str) -> None:
    assert shortened(text, limit) == expected
    assert len(expected) <= limit


def test_type_parameters_of_a_class_that_a_method_does_not_mention_have_no_name(
    tmp_path: Path,
) -> None:
    (tmp_path / "index.d.ts").write_text(
        "export class Shelf<T> { size<K>(key: K): Map<K, symbol>; add(item: T): void; }"
    )
    with Catalog(tmp_path / "typematch.db") as catalog:
        catalog.add(tmp_path / "index.d.ts", model=None)
        hit = catalog.adapt("(s: Shelf<string>, n: bigint) => Map<bigint, symbol>", "Shelf#size")
    assert hit is not None
    assert [edit.sentence for edit in hit.edits] == [
        "called on Shelf",
        "_ = string",
        "K = bigint",
        "key accepts any type",
    ]
    shown = [edit.sentence for edit in informative_edits(hit.edits)]
    assert shown == ["called on Shelf", "K = bigint", "key accepts any type"]


def test_an_edit_is_shown_once() -> None:
    edits = [
        Edit(ALIAS_FOLLOWED, path, "Id", "string") for path in ("$.parameters[0]", "$.returns")
    ]
    assert len(informative_edits(edits)) == 1


@pytest.mark.parametrize(
    ("found", "query", "declares", "expected"),
    [
        pytest.param(
            "(x: Id) => Promise<Id[]>",
            "(x: string) => Promise<string[]>",
            "type Id = string",
            ["Id is string", "Id is string"],
            id="an alias inside of other types",
        ),
        pytest.param(
            "(f: (x: Id, n: number) => void) => void",
            "(g: (a: string, b: number) => void) => void",
            "type Id = string",
            ["Id is string"],
            id="an alias inside of a function, names of parameters aside",
        ),
        pytest.param(
            "(x: Id, f: <T>(x: T) => Id) => void",
            "(x: string, f: <T>(x: T) => string) => void",
            "type Id = string",
            ["Id is string", "<T>(x: T) => Id is <T>(x: T) => string"],
            id="whole functions with type parameters",
        ),
        pytest.param(
            "(data: string | Uint8Array | null) => void",
            "(data: string) => void",
            "",
            ["data also accepts Uint8Array | null"],
            id="the other members of a union",
        ),
        pytest.param(
            "(data: Map<string, 1> | undefined) => void",
            "(data: Map<string, 1>) => void",
            "",
            ["data also accepts undefined"],
            id="a long member and undefined",
        ),
        pytest.param(
            "() => { name: string; address: string; age: number }",
            "() => { name: string; address: string }",
            "",
            ["returns the more specific { …; age: number }"],
            id="the other properties",
        ),
        pytest.param(
            "<T>() => T",
            "() => string",
            "",
            ["A = string, which no argument determines"],
            id="a type argument that the result has",
        ),
        pytest.param(
            "<T>(f: () => void) => Promise<T>",
            "(f: () => void) => Promise<any>",
            "",
            ["no argument determines A"],
            id="no type argument",
        ),
        pytest.param(
            "<P extends string | number>(key: P) => P",
            "(key: string) => string",
            "",
            ["A = string", "key accepts more: string | number"],
            id="the constraint of a type parameter",
        ),
        pytest.param(
            "(x: { a: 1 }['a'] extends 1 ? string : number) => void",
            "(x: string) => void",
            "",
            [],
            id="a conditional type as what it is",
        ),
    ],
)
def test_types_in_a_sentence_are_shortened_to_what_differs(
    found: str, query: str, declares: str, expected: list[str]
) -> None:
    verdict = match_texts(found, query, declares)
    assert isinstance(verdict, Fit)
    edits = [edit.rendered(("A", "B")) for edit in verdict.edits]
    assert [edit.sentence for edit in edits if informative_edits([edit])] == expected


def test_a_long_union_is_shown_by_its_first_member() -> None:
    members = union([Literal("string", name) for name in "abcdef"])
    edit = Edit(CONTENT_NARROWED, a="the result", b=members)
    assert edit.sentence == 'the result may also contain "a" or 5 other types'


def test_a_sentence_has_short_types() -> None:
    long = f"Result<{', '.join(f'Type{number}' for number in range(20))}>"
    assert short_sentence(Edit(WIDER_PARAMETER, a="data", b=long)) == "data accepts more: Result<…>"
