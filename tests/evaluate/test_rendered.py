from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from typematch.evaluate.compiler.render_roundtrip import (
    compiler_request,
    draw,
    evaluate,
    import_path,
    report,
    verdict,
)
from typematch.evaluate.corpus import join_entries
from typematch.ir.constructors import function
from typematch.ir.entry import Entry, EntrySignature
from typematch.ir.type_parts import Parameter
from typematch.ir.types import STRING, Reference, Type


def entry(name: str, returns: Type = STRING, imported: str = "", **more: Any) -> Entry:
    shown = function([Parameter("a", STRING)], returns)
    signature = EntrySignature("", shown, (), "", returns, 1, 1)
    return Entry(
        id=f"p#{name}", kind="function", name=name, qualified_name=name, container="", package="p",
        version="", path="p/index.d.ts", line=1, signature="", signatures=(signature,),
        import_statement=imported, exported=True, **more,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("name", "imported", "expected"),
    [
        pytest.param("f", 'import { f } from "p"', ("p", "f"), id="named"),
        pytest.param("n.f", 'import { n } from "p/sub"', ("p/sub", "n.f"), id="in a namespace"),
        pytest.param("default", 'import p from "p"', ("p", "default"), id="default"),
        pytest.param("_.map", 'import { map } from "lodash"', ("lodash", "map"), id="export ="),
        pytest.param("pMap", 'import pMap from "p"', ("p", ""), id="the whole of export ="),
        pytest.param("fs:read", 'import { read } from "fs"', ("fs", "read"), id="ambient module"),
        pytest.param("Math.max", "", ("", "Math.max"), id="global"),
    ],
)
def test_import_path_of_a_function(name: str, imported: str, expected: tuple[str, str]) -> None:
    assert import_path(entry(name, imported=imported)) == expected


def test_the_request_has_numbered_placeholders_for_declarations() -> None:
    box = Reference("p/index.d.ts#Box", (STRING,))
    wanted = compiler_request([("p#f", entry("f", box, 'import { f } from "p"'))], Path("corpus"))
    assert wanted["keys"] == ["p/index.d.ts#Box"]
    assert wanted["functions"] == [
        {
            "id": "p#f",
            "module": "p",
            "path": "f",
            "text": "(a: string) => __typematch_key_0__<string>",
        }
    ]


def test_the_sample_has_only_functions_that_typeof_can_name_and_is_deterministic() -> None:
    entries = [entry(name) for name in ("a", "b", "c", "C#method")]
    entries.append(replace(entry("d"), exported=False))
    rows = [
        {"id": e.id, "package": "p", "file": e.path, "line": e.line, "name": e.qualified_name}
        for e in entries
    ]
    joined = join_entries(rows, entries)
    assert {name for name, _ in draw(joined, number=9, seed=1)} == {"p#a", "p#b", "p#c"}
    assert draw(joined, number=2, seed=5) == draw(joined, number=2, seed=5)


def test_the_report_lists_differing_functions() -> None:
    rows: list[dict[str, Any]] = [
        {"id": "p#a", "text": "A", "forward": True, "back": True},
        {"id": "p#b", "text": "B", "forward": True, "back": False, "compiler": "C"},
        {"id": "p#c", "text": "D", "unreadable": "Cannot find name 'D'.", "forward": True},
        {"id": "p#d", "text": "E", "unknown": "no export"},
    ]
    assert [verdict(row) for row in rows] == [
        "equal", "ours is narrower", "the compiler cannot read ours", "typeof does not reach it",
    ]  # fmt: skip
    text = report(evaluate(rows), show=True)
    assert "the very type          1  33.33 %" in text
    assert "p#c: the compiler cannot read ours Cannot find name 'D'." in text
