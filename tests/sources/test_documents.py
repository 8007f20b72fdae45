"""Laws of reading documents: nothing written in one breaks the reader."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from sources.openapi.documents import Files
from typematch.program.resolution.module_summary import summarize_module
from typematch.program.resolution.symbols import Program
from typematch.sources.documents import read_document
from typematch.sources.openapi.loading import load

FIXTURES = Path(__file__).parent.parent.parent / "fixtures"
DOCUMENTS = [
    load((FIXTURES / name).read_bytes(), name).value
    for name in (
        "petshop/adoption.yaml",
        "petshop/grooming.postman_collection.json",
        "catalog/parcels.yaml",
        "catalog/weather.json",
    )
]
ODD: list[Any] = [
    None, True, 0, -1.5, 10**30, "", "x", "@@x", "#p", "{{a}}", "../../x", [], {}, [[]], {"": 1},
    {"$ref": "#/components/schemas/Animal"}, {"$ref": "#"}, {"$ref": 7}, {"a.b#c": {}},
    {"type": ["object", "null"]}, {"allOf": [{"$ref": "#/components/schemas/Papers"}]},
]  # fmt: skip


def places(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if way:
        yield way
    parts = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in parts:
        if isinstance(inner, dict | list):
            yield from places(inner, (*way, key))
        else:
            yield (*way, key)


@st.composite
def damaged(draw: st.DrawFn) -> Any:
    """A document of ours in which up to four parts are something else, or gone."""
    value = copy.deepcopy(draw(st.sampled_from(DOCUMENTS)))
    for _ in range(draw(st.integers(1, 4))):
        known = list(places(value))
        if not known:
            break
        *way, last = draw(st.sampled_from(known))
        holder = value
        for key in way:
            holder = holder[key]
        if draw(st.booleans()) or isinstance(holder, list):
            holder[last] = copy.deepcopy(draw(st.sampled_from(ODD)))
        else:
            del holder[last]
    return value


@given(damaged())
def test_a_mutated_document_is_read_or_has_a_reason(value: Any) -> None:
    module = read_document(json.dumps(value).encode(), path="a.json", siblings=Files())
    assert bool(module.unreadable) != bool(module.scope.declarations)
    program = Program({"a.json": summarize_module(module)}, lambda *_: None)
    keys = {fragment.key for fragment in program.fragments("a.json", module)}
    declared = {f"a.json#{declaration.name}" for declaration in module.scope.declarations}
    assert declared <= keys
