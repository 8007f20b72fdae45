"""Decoding a search document gives the result that was encoded."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from typematch.catalog import Catalog
from typematch.ir.constructors import union
from typematch.ir.entry import Entry
from typematch.ir.types import ANY, NUMBER, STRING
from typematch.match.edit_kinds import EDIT_KINDS, UNINFERRED, WIDER_PARAMETER, Edit, EditKind
from typematch.search.llm_protocols import RelevanceJudgment
from typematch.search.present import wire_schema
from typematch.search.present.edit_sentences import informative_edits
from typematch.search.present.result_decoder import check_document, decode_search_result
from typematch.search.present.wire_format import Document, encode, search_document
from typematch.search.results import Hit, SearchResult
from typematch.serve.cli.format_hits import result_lines
from typematch.serve.cli.terminal import Terminal

TEXTS = st.text("aT[]<>,: =|", min_size=1, max_size=12)


def sent(result: SearchResult) -> Document:
    """Return the document of a result after it was sent as JSON."""
    document: Document = json.loads(json.dumps(search_document(result)))
    return document


@pytest.mark.parametrize(
    "query",
    ["(size: number, items: T[]) => T[][]", "split a list", "kind:method", ":: { id: string }"],
)
def test_a_decoded_result_is_listed_like_the_original(query: str, tiny: Path) -> None:
    with Catalog(tiny, create=False) as catalog:
        result = catalog.search(query, limit=20)
    assert result.hits
    decoded = decode_search_result(sent(result))
    for explain in (False, True):
        expected = list(result_lines(result, Terminal(), explain=explain, adapt=True))
        assert list(result_lines(decoded, Terminal(), explain=explain, adapt=True)) == expected


def test_adapters_are_decoded(tiny: Path) -> None:
    with Catalog(tiny, create=False) as catalog:
        result = catalog.search("(items: string[]) => Promise<string[][]>  pkg:toolbox", limit=20)
    adapters = [hit.adapter for hit in result]
    assert any(adapter is not None and adapter.holes for adapter in adapters)
    assert [hit.adapter for hit in decode_search_result(sent(result))] == adapters


def test_relevance_judgments_are_decoded(tiny: Path) -> None:
    with Catalog(tiny, create=False) as catalog:
        result = catalog.search("split a list", limit=2)
    judgment = RelevanceJudgment(7.5, "It splits arrays.", "no streams")
    judged = replace(result, hits=(replace(result.hits[0], judgment=judgment), *result.hits[1:]))
    assert [hit.judgment for hit in decode_search_result(sent(judged))] == [judgment, None]


@given(st.sampled_from(EDIT_KINDS), TEXTS, TEXTS, st.integers(0, 5))
def test_a_decoded_edit_has_the_same_cost_and_sentence(
    kind: EditKind, a: str, b: str, extra_units: int
) -> None:
    edit = Edit(kind, "$.returns", a, b, extra_units)
    entry = Entry("p#x", "function", "x", "x", "", "p", "", "p/x.d.ts", 1, "() => void")
    result = SearchResult("x", "x", hits=(Hit(entry, 1.0, edits=(edit,)),), total=1)
    [decoded] = decode_search_result(search_document(result)).hits[0].edits
    edit_type = wire_schema.EditDocument
    assert encode(edit_type, decoded) == encode(edit_type, edit)
    if "{b}" in kind.sentence and not set(":=,") & set(a + b):
        assert informative_edits([decoded]) == ([decoded] if informative_edits([edit]) else [])


@pytest.mark.parametrize(
    ("edit", "sentence"),
    [
        (Edit(UNINFERRED, a="T", b=ANY), "no argument determines T"),
        (
            Edit(WIDER_PARAMETER, a="x", b=union((STRING, NUMBER)), than=STRING),
            "x also accepts number",
        ),
    ],
)
def test_a_sentence_that_is_not_that_of_the_kind_is_decoded(edit: Edit, sentence: str) -> None:
    entry = Entry("p#x", "function", "x", "x", "", "p", "", "p/x.d.ts", 1, "() => void")
    hits = (Hit(entry, 1.0, edits=(edit.rendered(),)),)
    document = search_document(SearchResult("x", "x", hits=hits, total=1))
    [decoded] = decode_search_result(document).hits[0].edits
    assert (decoded.sentence, decoded.cost) == (sentence, edit.cost)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        pytest.param({"total": "3"}, r"\$\.total is a str, not a int", id="wrong type"),
        pytest.param({"hits": [{}]}, r"\$\.hits\[0\] has no key 'entry'", id="missing key"),
        pytest.param(
            {"facets": {"kind": {"class": []}}},
            r"\$\.facets\['kind'\]\['class'\] is a list",
            id="nested",
        ),
    ],
)
def test_a_malformed_document_is_rejected_with_the_path_of_the_error(
    change: dict[str, Any], message: str
) -> None:
    document = search_document(SearchResult("x", "x"))
    with pytest.raises(ValueError, match=message):
        decode_search_result({**document, **change})


def test_keys_of_a_newer_version_are_ignored() -> None:
    document = {**search_document(SearchResult("x", "x")), "added": {"later": 1}}
    assert decode_search_result(document) == SearchResult("x", "x")


def test_encoded_entries_have_the_types_of_the_schema(tiny: Path) -> None:
    with Catalog(tiny, create=False) as catalog:
        for entry in catalog.entries("toolbox"):
            check_document(encode(wire_schema.EntryDocument, entry), wire_schema.EntryDocument)
        stats = encode(wire_schema.StatsDocument, catalog.stats())
    check_document(stats, wire_schema.StatsDocument)
