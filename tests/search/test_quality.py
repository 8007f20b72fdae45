"""Search quality on the small packages in ``fixtures``, as a TypeScript developer expects it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from typematch.catalog import Catalog
from typematch.errors import UsageError
from typematch.search.present.facet_counts import COUNTED_FACETS


@pytest.fixture(scope="module")
def catalog(tiny: Path) -> Iterator[Catalog]:
    with Catalog(tiny, create=False) as opened:
        yield opened


OURS = "pkg:toolbox,deadline"  # without the globals, which match many queries


def ids(catalog: Catalog, query: str, limit: int | None = 20) -> list[str]:
    return [hit.entry.id for hit in catalog.search(query, limit=limit)]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        pytest.param("(items: T[], size: number) => T[][]", "toolbox#chunk", id="its signature"),
        pytest.param("(A[], number) => A[][]", "toolbox#chunk", id="other names of variables"),
        pytest.param("(number, T[]) => T[][]", "toolbox#chunk", id="arguments in another order"),
        pytest.param("(number[]) => number", "toolbox#sum", id="a readonly array takes any array"),
        pytest.param("(string[]) => string[][]", "toolbox#chunk", id="a variable made concrete"),
        pytest.param(
            "(items: T[], (a: T, b: T) => number) => T[]",
            "toolbox#sortWith",
            id="aliases are expanded",
        ),
        pytest.param("(T[], (x: T) => boolean) => T[]", "toolbox#filter", id="the second overload"),
        pytest.param(
            "(path: string) => string  is:async", "deadline#readText", id="the result is awaited"
        ),
        pytest.param("(number) => Promise<void>", "deadline#sleep", id="a promise"),
        pytest.param(
            "debounce :: (f: (...) => _, ms: number) => _", "deadline#debounce", id="by name too"
        ),
        pytest.param("(x: unknown) => x is string", "toolbox#isString", id="a type guard"),
        pytest.param(
            "(text: string) => number  is:assignable",
            "toolbox#parseNumber",
            id="what is any comes last among what the compiler accepts",
        ),
        pytest.param("(x: T) => Queue<T>", "toolbox#Queue#push", id="the receiver is an argument"),
        pytest.param(
            "() => string | undefined", "toolbox#Queue#shift", id="a method of a generic class"
        ),
        pytest.param("chunk", "toolbox#chunk", id="a name"),
        pytest.param("sort by", "toolbox#sortBy", id="the words of a name"),
        pytest.param("pad start", "toolbox#text.padStart", id="a name in a namespace"),
        pytest.param(":: {id: string}", "toolbox#Team", id="the shorter of the types with an id"),
    ],
)
def test_top_hit(catalog: Catalog, query: str, expected: str) -> None:
    assert ids(catalog, f"{query}  {OURS}")[:1] == [expected]


@pytest.mark.parametrize(
    ("query", "count", "expected"),
    [
        pytest.param("(number[]) => number", 3, "toolbox#max", id="or undefined, at a cost"),
        pytest.param(":: {id: string}", 2, "toolbox#User", id="both types with an id"),
        pytest.param("(string) => number", 3, "toolbox#parseNumber", id="the radix is optional"),
        pytest.param("returns:Promise<_>", 9, "deadline#retry", id="a facet about types"),
        pytest.param("has:email", 1, "toolbox#User", id="a field"),
        pytest.param("kind:method", 9, "toolbox#Queue#push", id="a kind"),
    ],
)
def test_in_top(catalog: Catalog, query: str, count: int, expected: str) -> None:
    assert expected in ids(catalog, f"{query}  {OURS}", count)


@pytest.mark.parametrize(
    ("query", "unwanted"),
    [
        pytest.param(":: {id: string}", "toolbox#Numbered", id="its id is a number"),
        pytest.param("(string) => number  is:assignable", "toolbox#sum", id="another parameter"),
        pytest.param("kind:function -name:chunk", "toolbox#chunk", id="a negated facet"),
        pytest.param("kind:function", "toolbox#Queue#push", id="another kind"),
        pytest.param("is:deprecated", "toolbox#chunk", id="not deprecated"),
        pytest.param("returns:Promise<_>", "toolbox#chunk", id="no promise"),
        pytest.param("returns:Promise<_>", "toolbox#whatever", id="any is no answer"),
    ],
)
def test_absent(catalog: Catalog, query: str, unwanted: str) -> None:
    found = ids(catalog, query, None)
    assert found
    assert unwanted not in found


def test_any_ranks_last(catalog: Catalog) -> None:
    found = ids(catalog, "(string) => string  is:loose", None)
    assert found.index("toolbox#text.capitalize") < found.index("toolbox#whatever")


def test_exported_entries_come_before_internal_ones(catalog: Catalog) -> None:
    found = ids(catalog, "kind:function pkg:toolbox", None)
    assert found[-1] == "toolbox#regroup"
    assert found[:-1] == sorted(found[:-1])


def test_globals_are_searched_too(catalog: Catalog) -> None:
    assert "lib#parseInt" in ids(catalog, "(string) => number", 3)


def test_functions_come_before_methods_of_equal_cost(catalog: Catalog) -> None:
    found = ids(catalog, "(text: string, start?: number) => number", None)
    assert found.index("lib#parseInt") < found.index("lib#String#indexOf")


@pytest.mark.parametrize("query", ["(string) => string", "chunk", "kind:function", ":: {id: _}"])
def test_a_query_always_gives_the_same_page(catalog: Catalog, query: str) -> None:
    assert ids(catalog, query) == ids(catalog, query)
    assert ids(catalog, query, 3) == ids(catalog, query)[:3]


@pytest.mark.parametrize("query", ["(T[], number) => T[]  sort:cost", "(T[], number) => T[]"])
def test_fits_without_cost_come_first(catalog: Catalog, query: str) -> None:
    costs = [hit.cost or 0 for hit in catalog.search(query, limit=None)]
    first = [cost for cost in costs if not cost]
    assert costs[: len(first)] == first
    assert "sort:cost" not in query or costs == sorted(costs)


def test_parameter_names_order_matches_of_equal_cost(catalog: Catalog) -> None:
    hits = catalog.search("(work: () => Promise<T>, ms: number) => Promise<T>  pkg:deadline")
    scores = [hit.score for hit in hits if hit.cost]
    assert scores == sorted(scores, reverse=True)


def test_a_curried_function_matches_an_uncurried_signature(catalog: Catalog) -> None:
    [hit] = [
        hit
        for hit in catalog.search("(xs: A[], f: (x: A) => B) => B[]", limit=None)
        if hit.entry.id == "toolbox#map"
    ]
    assert "called in two steps, (f)(xs)" in [edit.sentence for edit in hit.edits]
    assert (hit.cost or 0) < 60


def test_an_unknown_package_gives_no_hits_and_a_notice(catalog: Catalog) -> None:
    result = catalog.search("(string) => string  pkg:toolbax")
    assert not result.hits
    assert result.notices == ("No package here is called toolbax; did you mean toolbox?",)


def test_a_facet_without_hits_is_relaxed_with_a_sentence(catalog: Catalog) -> None:
    result = catalog.search("chunk arity:7")
    assert result.hits[0].entry.id == "toolbox#chunk"
    assert result.relaxed == ("no hits with arity:7, so it was left out",)
    assert result.left_out == ("arity:7",)
    assert catalog.search("chunk arity:2").left_out == ()


def test_a_strict_query_gives_up_nothing(catalog: Catalog) -> None:
    assert catalog.search("chunk arity:7 strict:yes").hits == ()
    assert catalog.search("chunk arity:7 strict:no").hits
    sentence = "async constructor that returns a regular expression"
    assert catalog.search(sentence).relaxed
    assert catalog.search(f"{sentence}  strict:yes").relaxed == ()
    signature = "<K extends string | number>(T[], (item: T) => K) => Map<K, T[]>"
    assert catalog.search(signature).relaxed
    strict = catalog.search(f"{signature}  strict:yes")
    assert strict.relaxed == ()
    assert strict.total < 3


def test_a_query_without_hits_has_a_notice(catalog: Catalog) -> None:
    result = catalog.search("zzzz")
    assert not result.hits
    assert "No name here has any of these words." in result.notices


def test_an_unknown_name_becomes_a_type_parameter_with_a_notice(catalog: Catalog) -> None:
    result = catalog.search("(Strng[]) => Strng")
    assert any("Strng" in notice for notice in result.notices)
    assert result.hits


def test_the_limit_facet_overrides_the_limit(catalog: Catalog) -> None:
    assert len(catalog.search("kind:function limit:2")) == 2


def test_sort_by_name(catalog: Catalog) -> None:
    names = [hit.entry.name for hit in catalog.search("kind:function sort:name", limit=None)]
    assert names == sorted(names, key=str.lower)


def test_like_finds_entries_of_the_same_type(catalog: Catalog) -> None:
    found = ids(catalog, f"like:toolbox#text.capitalize  {OURS}")
    assert "toolbox#text.capitalize" not in found
    assert "toolbox#text.padStart" in found


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        pytest.param("bhunk", "No entry here has the word bhunk; did you mean chunk?", id="a word"),
        pytest.param(
            "name:chunkk", "Nothing here is called chunkk; did you mean chunk?", id="name:"
        ),
        pytest.param("tag:parm", "No tag here is called parm; did you mean param?", id="a value"),
        pytest.param("Chunkk :: (_) => _", "did you mean chunk?", id="a name before ::"),
    ],
)
def test_misspelled_words_have_a_suggestion(catalog: Catalog, query: str, expected: str) -> None:
    assert expected in " ".join(catalog.search(query).notices)


def test_a_word_with_a_star_is_a_prefix(catalog: Catalog) -> None:
    assert "toolbox#chunk" in ids(catalog, "leng* pkg:toolbox")
    assert "toolbox#chunk" not in ids(catalog, "leng pkg:toolbox")
    assert "toolbox#chunk" not in ids(catalog, "lengt* -pieces pkg:toolbox")
    assert ids(catalog, 'lengt* "into pieces" pkg:toolbox')[:1] == ["toolbox#chunk"]


def test_internal_entries_rank_below_exported_ones(catalog: Catalog) -> None:
    exported = [hit.entry.exported for hit in catalog.search("items of one length  pkg:toolbox")]
    assert exported[:1] == [True]
    assert ids(catalog, "regroup")[:1] == ["toolbox#regroup"]


def test_one_word_is_not_read_as_a_sentence(catalog: Catalog) -> None:
    result = catalog.search("map  pkg:toolbox")
    assert result.read_as == "words 'map'  pkg:toolbox"
    assert result.hits[0].entry.id == "toolbox#map"


def test_high_confidence_constraints_of_a_sentence_filter(catalog: Catalog) -> None:
    hits = catalog.search("async function that waits for milliseconds  pkg:deadline")
    assert hits.hits
    assert all(hit.entry.is_async for hit in hits)


def test_sentence_filters_are_relaxed_with_a_sentence(catalog: Catalog) -> None:
    result = catalog.search("async function that splits an array into pieces  pkg:toolbox")
    assert result.hits[0].entry.id == "toolbox#chunk"
    assert any("is:async, so it only affects the order" in sentence for sentence in result.relaxed)


@pytest.mark.parametrize(
    ("query", "limit"),
    [
        ("kind:function sort:name", 3),
        ("kind:function limit:3", 2),
        ("kind:function limit:2", 3),
        ("(a: string) => _", 2),
        ("split a list into pieces", 2),
    ],
)
def test_pages_continue_the_list(catalog: Catalog, query: str, limit: int) -> None:
    first = catalog.search(query, limit=limit)
    pages = [catalog.search(query, limit=limit, page=page) for page in (1, 2, 3)]
    assert len(first.hits) == len(pages[1].hits)
    listed = [hit.entry.id for page in pages for hit in page.hits]
    assert listed == list(first.ids[: len(listed)])
    assert {page.ids for page in pages} == {first.ids}
    assert not catalog.search(query, limit=limit, page=1_000).hits
    assert {page.notices for page in pages} == {first.notices}
    with pytest.raises(UsageError, match="the page is 0"):
        catalog.search(query, page=0)


def test_facets_count_the_entries_found(catalog: Catalog) -> None:
    query = "(items: T[], size: number) => T[][]  pkg:toolbox"
    counts = catalog.facets(query)
    total = catalog.search(query, limit=20).total
    assert sum(counts["kind"].values()) == total
    assert counts["returns"]["_[]"] >= 1
    assert catalog.facets("chunk  pkg:toolbox")["arity"] == {"2": 1}
    assert catalog.facets("zzzz")["kind"] == {}


@pytest.mark.parametrize(
    "query", ["kind:class arity:1", "kind:enum returns:Date", "arity:1 kind:enum"]
)
def test_facets_of_a_relaxed_query_of_facets_count_its_hits(catalog: Catalog, query: str) -> None:
    result = catalog.search(query, limit=5, count_facets=True)
    assert result.left_out
    assert result.hits
    assert result.facets is not None
    assert sum(result.facets["kind"].values()) == result.total
    assert catalog.facets(query) == result.facets


def test_a_hit_has_the_sentence_with_the_words_of_the_query(catalog: Catalog) -> None:
    [hit] = [hit for hit in catalog.search("shorter piece") if hit.entry.id == "toolbox#chunk"]
    assert hit.snippet == "The last piece may be shorter."


@pytest.mark.parametrize("query", ["\N{PARTY POPPER}", "*", '""', "] ]"])
def test_punctuation_alone_finds_nothing_with_a_notice(catalog: Catalog, query: str) -> None:
    result = catalog.search(query)
    assert not result.hits
    assert "The query has no words, only punctuation." in result.notices
    assert catalog.search(f"{query} kind:class").hits


@pytest.mark.parametrize(
    "query",
    [
        'NEAR("a" "b")', "a AND OR NOT b", '"unbalanced', "name : x", 'read* AND "file', "^start",
        "a\0b", "chunk\0", "\N{PARTY POPPER} chunk", "-", "-chunk", '-"chunk"', "it's",
        "'; DROP TABLE entry; --", "\ud800 x", "chunk " * 3_000, "takes a list of " * 90,
        "at least 999999999999999999 arguments", "* chunk**",
    ],
)  # fmt: skip
def test_no_query_text_breaks_a_search(catalog: Catalog, query: str) -> None:
    assert catalog.search(query, limit=3).read_as
    assert catalog.facets(query).keys() == set(COUNTED_FACETS)


@pytest.mark.parametrize(("first", "second"), [("A", "B"), ("K", "V"), ("X", "Y")])
def test_the_letters_of_variables_do_not_order_hits(
    catalog: Catalog, first: str, second: str
) -> None:
    template = "(items: {0}[], f: (item: {0}) => {1}) => {1}"
    assert ids(catalog, template.format(first, second)) == ids(catalog, template.format("T", "U"))
