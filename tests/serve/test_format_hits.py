from __future__ import annotations

import json

import pytest

from conftest import Golden
from typematch.ingest.run import IndexReport
from typematch.ir.entry import Entry, EntryParameter, EntrySignature
from typematch.ir.module import Doc
from typematch.ir.types import NUMBER, Object
from typematch.match.edit_kinds import INSTANTIATED, ORDER_CHANGED, RENAMED, Edit
from typematch.search.present.truncate import truncate_line
from typematch.search.present.wire_format import search_document
from typematch.search.results import Hit, SearchResult
from typematch.serve.cli.catalog_commands.index import report_lines
from typematch.serve.cli.format_hits import (
    dollars_text,
    fit_line,
    hit_count_line,
    one_line_signature,
    result_lines,
)
from typematch.serve.cli.terminal import Terminal

CHUNK = Entry(
    id="toolbox#chunk",
    kind="function",
    name="chunk",
    qualified_name="chunk",
    container="",
    package="toolbox",
    version="1.2.0",
    path="toolbox/index.d.ts",
    line=16,
    signature="<T>(items: readonly T[], size?: number) => T[][]",
    signatures=(
        EntrySignature(
            text="<T>(items: readonly T[], size?: number) => T[][]",
            type=Object(),
            parameters=(EntryParameter("size", "number", NUMBER, optional=True),),
            returns="T[][]",
            return_type=NUMBER,
            min_arity=1,
            max_arity=2,
            type_parameters=(("T", "", ""),),
        ),
    ),
    min_arity=1,
    max_arity=2,
    doc=Doc(
        "Split an array into pieces.\n\nThe last may be shorter.", "Split an array into pieces."
    ),
    exported=True,
    import_statement='import { chunk } from "toolbox"',
)
EDITS = (
    Edit(RENAMED, a="T", b="T"),
    Edit(INSTANTIATED, "$.parameters[0]", "T", "string"),
    Edit(ORDER_CHANGED, "$", "2, 1"),
)
HIT = Hit(CHUNK, 0.75, 32, EDITS, {"structural": 1}, 0)
RESULT = SearchResult(
    query="(number, string[]) => string[][]",
    read_as="(number, string[]) => string[][]",
    hits=(HIT,),
    total=3,
    relaxed=("no entry has arity:7, so it was left out",),
    notices=("there is no type Strng; did you mean String?",),
    undecided=2,
)


def test_a_result_is_formatted_as_text(golden: Golden) -> None:
    golden("page.txt", "\n".join(result_lines(RESULT, Terminal())) + "\n")


def test_explain_prints_the_cost_of_each_edit(golden: Golden) -> None:
    golden("explained.txt", "\n".join(result_lines(RESULT, Terminal(), explain=True)) + "\n")


def test_a_result_with_colours_and_links(golden: Golden) -> None:
    terminal = Terminal(colour=True, links=True)
    golden(
        "coloured.txt",
        "\n".join(result_lines(RESULT, terminal, lambda name: f"/home/me/{name}")) + "\n",
    )


def test_the_json_document_of_a_result(golden: Golden) -> None:
    golden("search.json", json.dumps(search_document(RESULT), indent=2) + "\n")


@pytest.mark.parametrize(
    ("hit", "expected"),
    [
        pytest.param(HIT, "T = string; arguments in the order 2, 1", id="visible edits"),
        pytest.param(Hit(CHUNK, 1, 0, EDITS[:1]), "fits as it is", id="free rename"),
        pytest.param(Hit(CHUNK, 1), "", id="query without types"),
        pytest.param(Hit(CHUNK, 0, undecided="too deep"), "undecided: too deep", id="undecided"),
    ],
)
def test_the_line_that_explains_a_fit(hit: Hit, expected: str) -> None:
    assert fit_line(hit) == expected


@pytest.mark.parametrize(
    ("total", "at_least", "expected"),
    [
        pytest.param(0, False, "no hits", id="none"),
        pytest.param(1, False, "1 hit", id="one"),
        pytest.param(
            9, True, "1 of at least 9 hits; --limit N or --limit all shows more", id="more"
        ),
        pytest.param(
            1, True, "1 hit, and there may be others; --limit N or --limit all shows more", id="all"
        ),
    ],
)
def test_the_line_with_the_number_of_hits(total: int, at_least: bool, expected: str) -> None:
    hits = (HIT,) if total else ()
    assert hit_count_line(SearchResult("q", "q", hits, total, at_least)) == expected


def test_a_long_signature_is_cut() -> None:
    assert truncate_line("a\n  b " + "x" * 20, 8) == "a b xxx…"


@pytest.mark.parametrize(
    ("signature", "expected"),
    [
        pytest.param("( a: A, b: B, ) => C", "(a: A, b: B) => C", id="trailing comma"),
        pytest.param("< A, B, >(a: A) => [ A, B ]", "<A, B>(a: A) => [A, B]", id="all brackets"),
        pytest.param('( a: "( x )" ) => 1', '(a: "( x )") => 1', id="strings are kept"),
    ],
)
def test_signatures_are_joined_to_one_line(signature: str, expected: str) -> None:
    assert one_line_signature(signature) == expected


def test_the_index_report_lists_problems_in_documents() -> None:
    problems = tuple((f"specs/{n}.yaml", "#/paths: there are none") for n in range(12))
    report = IndexReport(entries=1, files=12, unchanged=0, problems=problems)
    lines = list(report_lines(report, "test.db"))
    start = lines.index("      12  problems in documents:")
    assert lines[start + 1] == "          specs/0.yaml: #/paths: there are none"
    assert lines[start + 11] == "          and 2 more"


@pytest.mark.parametrize(
    ("amount", "expected"),
    [(0.0, "$0.0000"), (0.01464, "$0.0146"), (0.001, "$0.0010"), (0.000074, "$0.000074")],
)
def test_small_amounts_have_more_decimals(amount: float, expected: str) -> None:
    assert dollars_text(amount) == expected
