"""Exports of a catalog against the compiler's."""

from __future__ import annotations

from typing import Any

from typematch.evaluate.compiler.exports import evaluate, report
from typematch.ir.constructors import function
from typematch.ir.entry import Entry, EntrySignature
from typematch.ir.types import VOID

SIGNATURE = EntrySignature("() => void", function((), VOID), (), "void", VOID, 0, 0)


def entry(name: str, *, line: int = 1, package: str = "p", **more: Any) -> Entry:
    return Entry(
        id=f"{package}#{name}",
        kind="function",
        name=name,
        qualified_name=name,
        container="",
        package=package,
        version="1",
        path="p/index.d.ts",
        line=line,
        signature="() => void",
        **{
            "signatures": (SIGNATURE,),
            "exported": True,
            "import_statement": f'import {{ {name} }} from "p"',
            **more,
        },
    )


def row(name: str, *, line: int = 1, **more: Any) -> dict[str, Any]:
    found = {"package": "p", "subpath": ".", "name": name, "kind": "function", "callable": True}
    place = {"file": "p/index.d.ts", "line": line}
    return {**found, **place, "arity": 0, "deprecated": False, **more}


def test_names_aliases_and_differences_are_counted() -> None:
    rows = [
        row("f"),
        row("alias", line=2),
        row("lost", line=3),
        row("two", line=4, arity=2),
        row("own", line=5),
        row("T", callable=False),
        row("c.m", line=7),
    ]
    entries = [
        entry("f"),
        entry("g", line=2, aliases=("alias",)),
        entry("two", line=4),
        entry("own", line=5, package="q"),
        entry("extra", line=6),
        entry("c.m", line=7),
        entry("sub:deep", line=8),
    ]
    result = evaluate(rows, entries)
    assert (result["callables"], result["found"], result["elsewhere"]) == (4, 3, 1)
    assert (result["members"], result["members_found"]) == (1, 1)
    assert result["differing"] == {"not callable": 0, "arity": 1, "deprecated": 0}
    assert (result["others"], result["others_found"]) == (1, 0)
    assert result["too_much"] == 2  # ``g`` and ``extra``
    assert "missing: export (function): 1" in report(result, show=False)


def test_typings_belong_to_the_package_that_they_describe() -> None:
    assert evaluate([row("f", package="@types/p")], [entry("f")])["found"] == 1
    assert evaluate([row("f")], [entry("f", package="@types/p")])["found"] == 1


def test_a_module_that_the_compiler_cannot_resolve_is_listed() -> None:
    rows = [{"package": "p", "subpath": "./x", "missing": True}]
    result = evaluate(rows, [])
    assert result["unresolved"] == 1
    assert "p ./x" in report(result, show=False)
