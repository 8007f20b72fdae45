from __future__ import annotations

from typing import Any

import pytest

from typematch.evaluate.compiler.functions import compare, evaluate, report
from typematch.evaluate.corpus import join_entries
from typematch.ir.constructors import function
from typematch.ir.entry import Entry, EntryParameter, EntrySignature
from typematch.ir.type_parts import Parameter
from typematch.ir.types import NUMBER, STRING


def entry(name: str, *, line: int = 1, optional: int = 0, **more: Any) -> Entry:
    parameters = [
        EntryParameter(f"p{i}", "string", STRING, optional=i >= 2 - optional) for i in range(2)
    ]
    signature = EntrySignature(
        text="(p0: string, p1: string) => number",
        type=function([Parameter(p.name, STRING) for p in parameters], NUMBER),
        parameters=tuple(parameters),
        returns="number",
        return_type=NUMBER,
        min_arity=2 - optional,
        max_arity=2,
    )
    return Entry(
        id=f"p#{name}",
        kind="function",
        name=name,
        qualified_name=name,
        container="",
        package="p",
        version="1.0.0",
        path="p/index.d.ts",
        line=line,
        signature=signature.text,
        signatures=(signature,),
        **more,
    )


def row(name: str, *, line: int = 1, arity: int = 2, min_arity: int = 2) -> dict[str, Any]:
    return {
        "id": f"p#{name}",
        "package": "p",
        "file": "p/index.d.ts",
        "line": line,
        "name": name,
        "kind": "function",
        "signature": "",
        "arity": arity,
        "min_arity": min_arity,
        "async": False,
    }


def test_compare_names_each_field_that_differs() -> None:
    assert compare(entry("f"), row("f")) == {}
    assert compare(entry("f", optional=1, is_async=True), row("f")) == {
        "min_arity": (1, 2),
        "async": (True, False),
    }


@pytest.mark.parametrize(
    ("found", "cause"),
    [
        pytest.param(
            entry("g", aliases=("f",)),
            "found under another name; this name is an alias",
            id="alias",
        ),
        pytest.param(entry("g"), "an entry of another name on that line", id="name"),
        pytest.param(entry("f", line=2), "the same name on another line", id="line"),
        pytest.param(entry("g", line=2), "no entry on that line", id="nothing"),
    ],
)
def test_a_missed_function_has_a_reason(found: Entry, cause: str) -> None:
    result = evaluate(join_entries([row("f")], [found]), [found])
    assert [group["cause"] for group in result["missing_causes"]] == [cause]
    assert result["found"] == 0
    assert result["found_with_aliases"] == (cause.endswith("alias"))
    assert f"not found: {cause}: 1" in report(result)


def test_join_prefers_the_entry_that_can_be_called() -> None:
    kept = entry("f")
    bare = Entry(
        **{**{n: getattr(kept, n) for n in kept.__slots__}, "signatures": (), "id": "p#f~2"}
    )
    assert join_entries([row("f")], [bare, kept]).entries == {"p#f": kept}
    assert join_entries([row("f")], [kept, bare]).entries == {"p#f": kept}


def test_functions_join_the_entry_of_which_their_name_is_an_alias() -> None:
    found = entry("g", aliases=("f", "h"))
    joined = join_entries([row("f"), row("g")], [found])
    assert joined.ids == {"p#g": frozenset({"p#f", "p#g"})}
    assert joined.entries == {"p#g": found}
    assert joined.by_alias == {"p#f": found}


def test_an_entry_of_the_name_comes_before_an_alias() -> None:
    named, other = entry("f"), entry("g", aliases=("f",))
    joined = join_entries([row("f")], [other, named])
    assert joined.ids == {"p#f": frozenset({"p#f"})}
    assert joined.by_alias == {}


@pytest.mark.parametrize(
    ("escaped", "name"),
    [("Box#__@iterator@12", "Box#[Symbol.iterator]"), ("Box#__@Mark@12", "Box#[Mark]")],
)
def test_names_of_symbols_are_those_of_the_source(escaped: str, name: str) -> None:
    assert join_entries([row(escaped)], [entry(name)]).entries.keys() == {f"p#{escaped}"}


def test_entries_of_one_declaration_are_counted() -> None:
    entries = [entry("f"), entry("f", line=2), entry("g"), entry("f")]
    assert evaluate(join_entries([], entries), entries)["repeated"] == 1
