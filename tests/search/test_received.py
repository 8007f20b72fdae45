"""What another process answers is listed as what this one does."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from typematch.catalog import Catalog
from typematch.ir.entry import Entry
from typematch.match.edit_kinds import PRICES, Edit, EditKind
from typematch.search.llm_protocols import Judged
from typematch.search.present.result_decoder import received_result
from typematch.search.present.wire_format import edit_document, search_document
from typematch.search.results import Hit, SearchResult
from typematch.serve.cli.format_hits import answer_lines, told
from typematch.serve.cli.terminal import Terminal

TEXTS = st.text("aT[]<>,: =|", min_size=1, max_size=12)


@pytest.mark.parametrize(
    "query",
    ["(size: number, items: T[]) => T[][]", "split a list", "kind:method", ":: { id: string }"],
)
def test_a_received_answer_is_listed_as_the_answer_itself(query: str, tiny: Path) -> None:
    with Catalog(tiny, create=False) as catalog:
        result = catalog.search(query, limit=20)
    assert result.hits
    received = received_result(json.loads(json.dumps(search_document(result))))
    for explain in (False, True):
        expected = list(answer_lines(result, Terminal(), explain=explain))
        assert list(answer_lines(received, Terminal(), explain=explain)) == expected


def test_what_a_model_said_is_received_too(tiny: Path) -> None:
    with Catalog(tiny, create=False) as catalog:
        result = catalog.search("split a list", limit=2)
    judged = Judged(7.5, "It splits arrays.", "no streams")
    said = replace(result, hits=(replace(result.hits[0], judged=judged), *result.hits[1:]))
    received = received_result(json.loads(json.dumps(search_document(said))))
    assert [hit.judged for hit in received] == [judged, None]


@given(st.sampled_from(PRICES), TEXTS, TEXTS, st.integers(0, 5))
def test_an_edit_comes_back_with_its_price_and_its_sentence(
    kind: EditKind, a: str, b: str, extra: int
) -> None:
    edit = Edit(kind, "$.returns", a, b, extra)
    entry = Entry("p#x", "function", "x", "x", "", "p", "", "p/x.d.ts", 1, "() => void")
    result = SearchResult("x", "x", hits=(Hit(entry, 1.0, edits=(edit,)),), total=1)
    [received] = received_result(search_document(result)).hits[0].edits
    assert edit_document(received) == edit_document(edit)
    if "{b}" in kind.sentence and not set(":=,") & set(a + b):
        assert told([received]) == ([received] if told([edit]) else [])
