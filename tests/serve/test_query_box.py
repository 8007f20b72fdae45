"""The search box in a browser: its colours, and the completion of facets and types."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from typematch.errors import TypematchError
from typematch.query.parse import parse
from typematch.query.split import split_query

pytest.importorskip("playwright", reason="the web page is not tested: playwright is not installed")
from PIL import Image, ImageChops, ImageStat
from playwright.sync_api import Page, expect

from serve.pages import OpenPage, wait_for_answer

pytestmark = pytest.mark.slow

SENTENCES = Path(__file__).parent.parent / "query" / "sentences.txt"
QUERIES = (
    "parse :: (text: string, n: number) => Promise<T | null>  kind:function,method -is:deprecated",
    "returns:Promise<string | null> name:*read* split a list",
    'retry "with backoff" pkg:"two words" has:id:string arity:<3',
    "kind:function (a: string) => b sort:name",
    "(name: string, kind: number) => x",
    ":: { id: string }",
    "new (a: string) => Map<K, V>",
    "it's don't 'quoted text' kind:method",
    "a ? b ? kind: x",
    "(a: { b: [c, d] }) -> e path:src/*",
    'http:"GET /users*" node:fs::x',
    "param:Array< _ > x",
    "{ a: (b) => c }",
    "\U0001f600 :: (s: string) => T",
    "",
)
PARTS = """async (queries) => {
  const { queryParts } = await import("/scripts/query_parts.js");
  return queries.map((query) => queryParts(query)
    .map(({ kind, start, end }) => [kind, query.slice(start, end)]));
}"""


def _coloured(page: Page) -> list[list[str]]:
    spans: list[list[str]] = page.locator("#colours span").evaluate_all(
        "(all) => all.map((each) => [each.className, each.textContent])"
    )
    return spans


def test_types_facets_and_words_have_colours_while_they_are_typed(open_page: OpenPage) -> None:
    page = open_page()
    page.keyboard.type("wait :: (ms: number) => T kind:me")
    assert _coloured(page) == [
        ["words", "wait"], ["separator", "::"], ["sign", "("], ["name", "ms"], ["sign", ":"],
        ["keyword", "number"], ["sign", ")"], ["sign", "=>"], ["variable", "T"],
        ["facet", "kind:"], ["value", "me"],
    ]  # fmt: skip
    colours = page.locator("#colours span").evaluate_all(
        "(all) => all.map((each) => [each.className, getComputedStyle(each).color])"
    )
    of_class = dict(colours)
    named = ("words", "keyword", "variable", "facet", "value")
    assert len({of_class[name] for name in named}) == len(named)
    page.keyboard.press("Control+a")
    page.keyboard.press("Delete")
    assert _coloured(page) == []
    fill = "(box) => getComputedStyle(box).webkitTextFillColor"
    assert page.locator("#query").evaluate(fill) != "rgba(0, 0, 0, 0)"  # of the placeholder


@pytest.mark.parametrize("width", [1300, 390])
@pytest.mark.parametrize("keys", [["Home"], ["Home", "End"]], ids=["start", "scrolled"])
def test_the_coloured_text_is_where_the_text_of_the_box_is(
    open_page: OpenPage, width: int, keys: list[str]
) -> None:
    """The box looks as without colours, also where a long text is scrolled."""
    query = f"words {QUERIES[0]} {'longer ' * 20}"
    viewport = {"width": width, "height": 800}
    page = open_page(f"/?q={quote(query)}", viewport=viewport, bypass_csp=True)
    page.keyboard.press("Escape")
    for key in keys:
        page.keyboard.press(key)
    page.wait_for_timeout(300)
    shown = [
        _box_with(page, style)
        for style in (
            "#colours, #colours * { color: black !important; caret-color: transparent }",
            "#query { -webkit-text-fill-color: black !important } .copy { visibility: hidden }",
            "#query { -webkit-text-fill-color: transparent !important }",
        )
    ]
    copied, original, empty = shown
    assert page.locator("#query").evaluate("(box) => box.scrollLeft > 500") == (len(keys) > 1)
    # The scroll position of an input is rounded, so that fractions of a pixel differ.
    shifted = ImageChops.offset(original, 1, 0)
    assert _difference(copied, original) < 0.7 * _difference(shifted, original)
    assert _difference(empty, original) > 0


def _box_with(page: Page, style: str) -> Image.Image:
    page.add_style_tag(content=f"{style} #query {{ caret-color: transparent }}")
    return Image.open(BytesIO(page.locator("#search").screenshot())).convert("L")


def _difference(first: Image.Image, second: Image.Image) -> float:
    return float(ImageStat.Stat(ImageChops.difference(first, second)).sum[0])


def test_the_parts_that_are_coloured_are_those_that_the_server_reads(open_page: OpenPage) -> None:
    page = open_page()
    queries = [*QUERIES, *SENTENCES.read_text(encoding="utf-8").splitlines()[:200]]
    for query, parts in zip(queries, page.evaluate(PARTS, queries), strict=True):
        try:
            pieces, parsed = split_query(query), parse(query)
        except TypematchError:
            continue
        keys = [token.text for token in pieces.tokens if token.kind == "KEY"]
        shown = [
            text.removeprefix("-").removesuffix(":") for kind, text in parts if kind == "facet"
        ]
        assert shown == keys, query
        has_type = parsed.signature is not None or parsed.type is not None
        assert any(kind == "type" for kind, _ in parts) == has_type, query
        assert any(kind == "separator" for kind, _ in parts) == (pieces.separator >= 0), query
        rest = "".join(text for kind, text in parts if kind not in ("facet", "value"))
        assert rest.replace(" ", "") == pieces.rest.replace(" ", ""), query


def test_the_text_is_visible_with_forced_colours(open_page: OpenPage) -> None:
    page = open_page("/?q=chunk%20kind:function", forced_colors="active")
    fill, text = page.locator("#query").evaluate(
        "(box) => [getComputedStyle(box).webkitTextFillColor, getComputedStyle(box).color]"
    )
    assert fill == text
    # It would be drawn twice.
    assert (
        page.locator("#colours span").first.evaluate("(span) => getComputedStyle(span).visibility")
        == "hidden"
    )


def test_marks_of_direction_leave_the_text_to_the_browser(open_page: OpenPage) -> None:
    query = quote("chunk \u202e kind:function")
    page = open_page(f"/?q={query}")
    expect(page.locator("#search.coloured")).to_have_count(0)
    page.get_by_role("searchbox").fill("chunk")
    expect(page.locator("#search.coloured")).to_have_count(1)


@pytest.mark.parametrize(
    ("typed", "listed", "accepted"),
    [
        ("(teams: Tea", ["Team"], "(teams: Team"),
        ("returns:Tea", ["returns:Team"], "returns:Team"),
        ("map pkg:tool", ["pkg:toolbox"], "map pkg:toolbox"),
        (":: Tea", ["Team"], ":: Team"),
    ],
)
def test_types_and_packages_are_completed_in_the_box(
    open_page: OpenPage, typed: str, listed: list[str], accepted: str
) -> None:
    page = open_page()
    box = page.get_by_role("searchbox")
    box.press_sequentially(typed)
    options = page.locator("#completions li")
    expect(options).to_have_text(listed)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(box).to_have_value(accepted)
    assert "".join(text for _, text in _coloured(page)) == accepted.replace(" ", "")
    wait_for_answer(page)


def test_names_of_parameters_are_not_completed(open_page: OpenPage) -> None:
    page = open_page()
    asked: list[Any] = []
    page.on("request", lambda request: asked.append(request.url))
    page.get_by_role("searchbox").press_sequentially("(items: T[], te")
    page.wait_for_timeout(600)
    expect(page.locator("#completions li")).to_have_count(0)
    assert [url for url in asked if "/api/complete" in url]
