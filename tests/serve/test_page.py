"""The web page in a browser: typing, clicking, keys, layout, accessibility, hostile input.

Needs Chromium: Playwright's own or an installed one (``scripts/browser`` installs one).  Without it
these tests are skipped with a message.
"""

from __future__ import annotations

import json
import re
import textwrap
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from serve.servers import serving
from typematch.catalog import Catalog

pytest.importorskip("playwright", reason="the web page is not tested: playwright is not installed")
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

from serve.pages import OpenPage, search, wait_for_answer

pytestmark = pytest.mark.slow

JOINED = "(email: string, isbn: string) => Promise<Reservation>  pkg:bookshop"
CHUNK = "(size: number, items: readonly T[]) => T[][]"


def test_typing_a_signature_shows_the_alignment_of_the_first_hit(open_page: OpenPage) -> None:
    page = open_page()
    box = page.get_by_role("searchbox")
    expect(box).to_be_focused()
    box.press_sequentially(CHUNK, delay=5)  # without Enter
    hit = page.locator('.hit[data-id="toolbox#chunk"]')
    hit.wait_for()
    assert page.get_by_role("status").first.inner_text().endswith("hits")
    expect(hit.locator(".match .marks")).to_have_text(["swapped", "swapped"])
    places = hit.locator(".match-place .place")
    assert places.all_inner_texts() == [
        "size: number", "items: readonly T[]", "T[][]", "items: readonly T[]", "size?: number",
        "T[][]",
    ]  # fmt: skip
    assert hit.locator(".match-lines path").count() == 3
    words = hit.locator(".match-words").inner_text()
    assert "size: swapped; size is optional" in words
    assert "arguments in the order items, size" in words
    for name in ("keyword", "name", "variable"):
        assert hit.locator(f".hit-signature .{name}").count() > 0, name
    assert hit.locator(".channels li").count() >= 1


def test_alignment_lines_end_at_the_boxes_they_join(open_page: OpenPage) -> None:
    """The ends of the lines lie in the boxes of the aligned parameters."""
    page = open_page(f"/?q={quote(CHUNK)}")
    hit = page.locator('.hit[data-id="toolbox#chunk"]')
    hit.click()
    field = hit.locator(".match-field").bounding_box()
    assert field is not None
    boxes = {
        (side, path): hit.locator(f'.{side} [data-place="{path}"] .place').bounding_box()
        for side in ("query", "candidate")
        for path in ("$.parameters[0]", "$.parameters[1]", "$.returns")
    }
    ends = []
    for line in hit.locator(".match-lines path").all():
        numbers = [float(n) for n in re.findall(r"-?[\d.]+", line.get_attribute("d") or "")]
        ends.append([(field["x"] + x, field["y"] + y) for x, y in (numbers[:2], numbers[-2:])])
    joined = [tuple(_box_at(end, boxes) for end in both) for both in ends]
    assert joined == [
        (("query", "$.parameters[1]"), ("candidate", "$.parameters[0]")),
        (("query", "$.parameters[0]"), ("candidate", "$.parameters[1]")),
        (("query", "$.returns"), ("candidate", "$.returns")),
    ]


def _box_at(end: tuple[float, float], boxes: dict[Any, Any]) -> Any:
    x, y = end
    for name, box in boxes.items():
        near = box["x"] - 2 <= x <= box["x"] + box["width"] + 2
        if near and box["y"] - 2 <= y <= box["y"] + box["height"] + 2:
            return name
    return None


@pytest.mark.parametrize(
    ("query", "entry", "labels"),
    [
        ("(text: string) => string[]", "toolbox#text.words", ["left out"]),
        ("(text: string, n: number, d: Date) => number", "toolbox#parseNumber", ["not used"]),
        ("(xs: T[]) => T", "toolbox#first", ["checked for undefined"]),
        ("(xs: T[]) => T[]  pkg:toolbox", "toolbox#sortBy", ["to be supplied"]),
        (
            "(ms: number, v: T) => T  pkg:deadline",
            "deadline#timeout",
            ["swapped, wrapped in a promise", "swapped", "awaited"],
        ),
    ],
)
def test_changed_parameters_are_labelled(
    open_page: OpenPage, query: str, entry: str, labels: list[str]
) -> None:
    page = open_page(f"/?q={quote(query)}")
    hit = page.locator(f'.hit[data-id="{entry}"]')
    hit.click()
    hit.locator(".match").wait_for()
    assert hit.locator(".match .marks").all_inner_texts() == labels


def test_chips_remove_and_relax_parts_of_the_query(open_page: OpenPage) -> None:
    page = open_page(f"/?q={quote(CHUNK + '  kind:function')}")
    chips = page.locator(".chip")
    assert chips.count() == 4
    page.get_by_role("button", name="Remove kind:function").click()
    expect(chips).to_have_count(3)
    assert page.get_by_role("searchbox").input_value() == CHUNK
    page.get_by_role("button", name="Relax size: number").click()
    expect(page.get_by_role("searchbox")).to_have_value("(size: _, items: readonly T[]) => T[][]")
    page.go_back()
    expect(page.get_by_role("searchbox")).to_have_value(CHUNK)
    expect(chips).to_have_count(3)


def test_facet_checkboxes_restrict_the_query_and_show_counts(open_page: OpenPage) -> None:
    page = open_page("/?q=map")
    method = page.get_by_role("checkbox", name=re.compile(r"^method "))
    count = int(re.findall(r"\d+", page.locator("label", has=method).inner_text())[0])
    method.check()
    expect(page.get_by_role("searchbox")).to_have_value("map  kind:method")
    wait_for_answer(page)
    assert page.get_by_role("status").first.inner_text() in (f"{count} hits", f"20 of {count} hits")
    assert set(page.locator(".hit .badge:first-of-type").all_inner_texts()) <= {"method"}
    page.get_by_role("checkbox", name=re.compile(r"^method")).uncheck()
    expect(page.get_by_role("searchbox")).to_have_value("map")


def test_a_click_on_a_service_restricts_the_search_to_it(open_page: OpenPage) -> None:
    page = open_page(f"/?q={quote('play a song')}")
    page.get_by_role("button", name="Musicbox").click()
    expect(page.get_by_role("searchbox")).to_have_value("play a song  service:Musicbox")
    wait_for_answer(page)
    assert page.locator('.hit[data-id="musicbox#Musicbox#play"]').count() == 1
    names = page.locator(".hit").evaluate_all("(hits) => hits.map((hit) => hit.dataset.id)")
    assert all(name.startswith("musicbox#") for name in names)


def test_the_sort_order_is_part_of_the_query(open_page: OpenPage) -> None:
    page = open_page("/?q=map")
    page.get_by_label("Sort by").select_option("name")
    expect(page.get_by_role("searchbox")).to_have_value("map  sort:name")


def test_the_panel_shows_all_overloads_and_copies_the_import(open_page: OpenPage) -> None:
    page = open_page("/?q=filter", permissions=["clipboard-read", "clipboard-write"])
    page.locator('.hit[data-id="toolbox#filter"]').click()
    panel = page.get_by_role("complementary", name="Entry")
    expect(panel.get_by_role("heading", name="toolbox#filter")).to_be_focused()
    assert panel.locator(".overloads pre").count() == 2
    expect(panel).to_contain_text("Keep the items that pass.")
    panel.get_by_role("button", name="Copy import").click()
    expect(panel.get_by_role("button", name="Copied")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == 'import { filter } from "toolbox"'


def test_the_panel_copies_the_code_for_the_signature(open_page: OpenPage) -> None:
    query = "(size: number, items: T[]) => T[][]  pkg:toolbox"
    path = f"/?q={quote(query)}&open={quote('toolbox#chunk')}"
    page = open_page(path, permissions=["clipboard-read", "clipboard-write"])
    panel = page.get_by_role("complementary", name="Entry")
    expect(panel).to_contain_text("(size, items) => chunk(items, size);")
    panel.get_by_role("button", name="Copy code").click()
    expect(panel.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()").startswith(
        'import { chunk } from "toolbox";\n'
    )


def pipelines(page: Page) -> Locator:
    region = page.get_by_role("region", name="Pipelines")
    region.locator(".pipeline, .hit-why").first.wait_for()
    return region


def test_pipelines_are_offered_above_dear_hits_and_drawn_as_chains(open_page: OpenPage) -> None:
    page = open_page(f"/?q={quote(JOINED)}", permissions=["clipboard-read", "clipboard-write"])
    expect(page.locator("#offer")).to_contain_text("The best hit costs 2960.")
    page.locator("#offer").get_by_role("button", name="Compose calls").click()
    chain = pipelines(page).locator(".pipeline").first
    expect(page.get_by_role("heading", name="Pipelines")).to_be_focused()
    expect(chain.get_by_role("heading", level=3)).to_have_text("findCustomer → findBook → reserve")
    assert chain.locator(".chain-link").count() == 5  # the query, three steps, the result
    assert chain.locator(".flow").evaluate_all("(all) => all.map((each) => each.className)") == [
        "flow", "flow order", "flow", "flow"
    ]  # fmt: skip
    assert chain.locator(".flow code").all_inner_texts() == ["Book | undefined", "Reservation"]
    expect(chain.locator(".call").last).to_contain_text("book: step 2")
    expect(chain.locator(".call").last).to_contain_text("check book for undefined")
    chain.get_by_role("button", name="Copy code").click()
    expect(chain.get_by_role("button", name="Copied")).to_be_visible()
    assert "return reserve(customer, book!);" in page.evaluate("navigator.clipboard.readText()")


def test_the_chain_marks_what_is_missing_and_what_is_any(open_page: OpenPage) -> None:
    query = "(text: string, playlistId: string) => Promise<void>"
    page = open_page(f"/?q={quote(query)}&compose=1")
    [first, *others] = pipelines(page).locator(".pipeline").all()
    expect(first.locator(".given")).to_contain_text("musicbox: Musicbox to be supplied")
    expect(first.locator(".badge")).to_have_count(0)
    assert [other.locator(".badge").inner_text() for other in others] == [
        "result any: not checked"
    ] * len(others)
    assert others


def test_pipelines_work_with_the_keyboard_and_are_part_of_the_address(open_page: OpenPage) -> None:
    page = open_page("/?q=" + quote("(isbn: string) => Promise<Author>"))
    expect(page.locator("#offer")).to_be_empty()  # a hit is cheap
    expect(page.locator("#later-offer button")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("p")
    expect(pipelines(page).get_by_role("heading", level=3).first).to_have_text(
        "findBook → findAuthor"
    )
    assert "compose=1" in page.url
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Close pipelines")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.locator(".chain a").first).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#panel h2")).to_have_text("bookshop#findBook")
    page.keyboard.press("Escape")
    page.reload()
    assert pipelines(page).locator(".pipeline").count() > 1
    page.get_by_role("button", name="Close pipelines").click()
    expect(page.locator("#pipelines")).to_be_empty()
    page.go_back()
    pipelines(page)
    search(page, "split an array")
    expect(page.locator("#pipelines")).to_be_empty()
    expect(page.get_by_role("button", name="Compose calls")).to_have_count(0)  # no signature


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        (
            "(x: Uint16Array) => Catalogue  pkg:toolbox",
            "No pipeline of two or three calls has this signature.",
        ),
        ("(s: string) => any", "every function gives a value of this result type. Give the type"),
    ],
)
def test_a_query_without_pipelines_says_why(open_page: OpenPage, query: str, sentence: str) -> None:
    page = open_page(f"/?q={quote(query)}&compose=1")
    expect(page.locator("#pipelines")).to_contain_text(sentence)


def test_referenced_types_can_be_expanded(open_page: OpenPage) -> None:
    page = open_page(f"/?open={quote('toolbox#Team')}")
    panel = page.locator("#panel")
    panel.get_by_text("Types it refers to").click()
    panel.get_by_text("User interface").click()
    expect(panel.locator("details details pre").first).to_contain_text("email?: string")


def test_reloading_restores_hits_and_panel(open_page: OpenPage) -> None:
    page = open_page()
    search(page, "split an array  pkg:toolbox")
    page.locator('.hit[data-id="toolbox#chunk"]').get_by_role("link").click()
    page.get_by_role("heading", name="toolbox#chunk").wait_for()
    before = (page.url, page.locator("#hits").inner_text(), page.locator("#panel").inner_text())
    page.reload()
    wait_for_answer(page)
    page.get_by_role("heading", name="toolbox#chunk").first.wait_for()
    assert before == (
        page.url, page.locator("#hits").inner_text(), page.locator("#panel").inner_text()
    )  # fmt: skip
    page.go_back()
    expect(page.locator("#panel")).to_be_hidden()


def test_everything_works_with_the_keyboard_alone(open_page: OpenPage) -> None:
    page = open_page()
    press = page.keyboard.press
    page.keyboard.type("kind:function pkg:toolbox")
    press("Enter")
    page.locator(".hit").first.wait_for()
    press("ArrowDown")
    press("ArrowDown")
    second = page.locator(".hit").nth(1)
    expect(second).to_be_focused()
    press("Enter")
    expect(page.locator("#panel h2")).to_be_focused()
    expect(page.locator("#panel h2")).to_have_text(second.get_attribute("data-id") or "?")
    press("c")
    expect(page.locator("#copy-import")).to_have_text(re.compile("Copied|Not copied"))
    press("Escape")
    expect(page.locator("#panel")).to_be_hidden()
    expect(second).to_be_focused()
    press("ArrowUp")
    press("ArrowUp")
    expect(page.get_by_role("searchbox")).to_be_focused()
    press("ArrowDown")
    press("/")
    expect(page.get_by_role("searchbox")).to_be_focused()
    page.keyboard.type("sum")
    press("Enter")
    page.locator('.hit[data-id="toolbox#sum"]').wait_for()
    for _ in range(40):  # every chip, facet and button is reachable
        press("Tab")
        if page.locator("#theme").evaluate("(element) => element === document.activeElement"):
            break
    press("Enter")
    assert page.locator("html").get_attribute("data-theme") == "dark"


def test_show_more_appends_the_next_page(open_page: OpenPage) -> None:
    page = open_page("/?q=kind:method")
    hits = page.locator(".hit")
    expect(hits).to_have_count(20)
    page.get_by_role("button", name="Show more").click()
    expect(hits).to_have_count(40)
    expect(hits.nth(20)).to_be_focused()
    ids = hits.evaluate_all("(hits) => hits.map((hit) => hit.dataset.id)")
    assert len(set(ids)) == 40
    assert page.get_by_role("status").first.inner_text().startswith("40 of ")


def test_a_syntax_error_is_shown_with_a_caret(open_page: OpenPage) -> None:
    page = open_page(f"/?q={quote('(string -> number')}")
    expect(page.locator("#problem pre")).to_contain_text("         ^")
    search(page, "chunk")
    expect(page.locator("#problem")).to_be_hidden()


TYPED = (
    "(items: T[], size: number) => T[][]",
    "debounce :: (f: (...) => _, ms: number) => _  kind:function",
    "split a list into batches  pkg:toolbox -is:deprecated",
    "(path: string) => Promise<_>",
    ":: { id: string }",
    "kind:interface has:id",
    "returns:Promise<_> name:*read*",
    "new (a: string) => this",
    '"two words" (x',
    "play music",
)


LONGER_THAN_PAUSE = 230  # milliseconds; a search starts after a pause in typing


@pytest.mark.parametrize("query", TYPED)
@pytest.mark.parametrize("width", [1300, 390])
def test_typing_shows_no_error_and_moves_nothing(
    open_page: OpenPage, query: str, width: int
) -> None:
    page = open_page("/?q=c", viewport={"width": width, "height": 900})
    box, hits = page.get_by_role("searchbox"), page.locator("#hits")
    place = hits.bounding_box()
    assert place is not None
    tops = {place["y"]}
    # Stopped: after a pause, which a slow machine would make, unreadable input is explained.
    page.clock.install(time="2030-01-01T00:00:00")
    page.clock.pause_at("2030-01-01T00:00:10")
    box.fill("")
    page.clock.run_for(LONGER_THAN_PAUSE)
    wait_for_answer(page)
    for index, character in enumerate(query):
        page.keyboard.insert_text(character)
        page.clock.run_for(LONGER_THAN_PAUSE)
        wait_for_answer(page)
        typed = query[: index + 1]
        expect(box).to_have_value(typed)
        expect(page.locator("#problem")).to_be_hidden()
        shown = page.locator("#hits").bounding_box()
        if page.locator(".hit").count() and shown is not None:
            tops.add(shown["y"])
        # Hits, chips and facets belong to the query in the box, or cannot change it.
        stale = page.locator("#columns.stale").count() == 1
        assert page.locator("#facets[inert]").count() == stale
        assert page.locator("#chips[inert]").count() == stale
    assert max(tops) - min(tops) <= 4, tops
    if not query.endswith("(x"):  # it cannot be read
        assert page.locator("#columns.stale").count() == 0


def test_incomplete_input_is_underlined_and_explained_after_a_pause_or_enter(
    open_page: OpenPage,
) -> None:
    page = open_page("/?q=chunk")
    box, problem = page.get_by_role("searchbox"), page.locator("#problem")
    box.fill("(string -> number")
    expect(page.locator("#colours .wrong")).to_have_text("-")
    expect(problem).to_be_hidden()
    assert page.locator(".hit").count() > 0
    page.keyboard.press("Enter")
    expect(problem).to_contain_text("cannot read the query at column 9")
    box.press_sequentially("s")
    expect(problem).to_be_hidden()
    expect(problem).to_be_visible()  # after a pause
    page.get_by_role("button", name="Search for (string) => numbers").click()
    expect(box).to_have_value("(string) => numbers")
    wait_for_answer(page)
    expect(problem).to_be_hidden()
    expect(page.locator("#colours .wrong")).to_have_count(0)


def test_enter_in_the_box_searches_and_opens_nothing(open_page: OpenPage) -> None:
    page = open_page()
    page.get_by_role("searchbox").fill("chunk")
    page.keyboard.press("Enter")
    page.locator(".hit").first.wait_for()
    page.wait_for_timeout(300)
    page.keyboard.press("Enter")
    page.wait_for_timeout(300)
    expect(page.locator("#panel")).to_be_hidden()
    expect(page.get_by_role("searchbox")).to_be_focused()


def test_c_copies_the_import_of_the_active_hit(open_page: OpenPage) -> None:
    page = open_page(
        "/?q=name:chunk%20pkg:toolbox", permissions=["clipboard-read", "clipboard-write"]
    )
    page.keyboard.press("ArrowDown")
    page.keyboard.press("c")
    expect(page.locator("#toast")).to_have_text('Copied: import { chunk } from "toolbox"')
    assert page.evaluate("navigator.clipboard.readText()") == 'import { chunk } from "toolbox"'
    expect(page.locator("#panel")).to_be_hidden()


def test_focus_stays_on_the_facet_and_on_the_chips(open_page: OpenPage) -> None:
    page = open_page("/?q=map")
    method = page.get_by_role("checkbox", name=re.compile(r"^method"))
    method.focus()
    page.keyboard.press("Space")
    expect(page.get_by_role("searchbox")).to_have_value("map  kind:method")
    wait_for_answer(page)
    expect(method).to_be_focused()
    page.get_by_role("button", name="Remove kind:method").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("searchbox")).to_have_value("map")
    wait_for_answer(page)
    expect(page.locator("#chips button:focus")).to_have_count(1)


def test_escape_keeps_the_query_and_the_address(open_page: OpenPage) -> None:
    page = open_page("/?q=chunk")
    page.get_by_role("searchbox").focus()
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(page.get_by_role("searchbox")).to_have_value("chunk")
    page.wait_for_timeout(400)
    assert page.url.endswith("/?q=chunk")


def test_queries_that_were_kept_are_steps_of_the_history(open_page: OpenPage) -> None:
    page = open_page()
    box = page.get_by_role("searchbox")
    for typed in ("ch", "chunk"):  # two states of one query
        box.fill(typed)
        page.wait_for_url(f"**/?q={typed}")
        wait_for_answer(page)
    page.keyboard.press("Enter")
    box.fill("sum")
    page.wait_for_url("**/?q=sum")
    page.locator('.hit[data-id="toolbox#sum"]').click()
    page.locator("#panel h2").wait_for()
    seen = []
    for _ in range(3):
        page.go_back()
        wait_for_answer(page)
        seen.append(page.url.partition("/?")[2])
    assert seen == ["q=sum", "q=chunk", ""]
    expect(box).to_have_value("")


def test_a_reload_restores_the_place_in_the_list(open_page: OpenPage) -> None:
    page = open_page("/?q=kind:method")
    hits = page.locator(".hit")
    page.get_by_role("button", name="Show more").click()
    expect(hits).to_have_count(40)
    hits.nth(30).evaluate("(hit) => hit.scrollIntoView()")
    page.wait_for_timeout(500)
    before = page.evaluate("scrollY")
    assert before > 1_000
    page.reload()
    expect(hits).to_have_count(40)
    page.wait_for_function(f"Math.abs(scrollY - {before}) < 5")
    hits.nth(30).click()
    page.locator("#panel h2").wait_for()
    page.go_back()
    expect(page.locator("#panel")).to_be_hidden()
    expect(hits).to_have_count(40)


def test_help_opens_with_keys_and_its_examples_run(open_page: OpenPage) -> None:
    page = open_page("/?q=chunk")
    help_ = page.get_by_role("dialog", name="How to ask")
    page.keyboard.press("Control+k")
    expect(help_).to_be_visible()
    page.keyboard.press("Escape")
    expect(help_).to_be_hidden()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("?")
    expect(help_).to_be_visible()
    queries = help_.locator("button code").all_inner_texts()
    help_.get_by_role("button", name="split a list into batches").click()
    expect(help_).to_be_hidden()
    expect(page.get_by_role("searchbox")).to_have_value("split a list into batches")
    for query in queries:  # each is a query that can be read
        page.goto(page.url.partition("?")[0] + f"?q={quote(query)}")
        wait_for_answer(page)
        expect(page.locator("#problem")).to_be_hidden()


def test_facets_are_completed_in_the_box(open_page: OpenPage) -> None:
    page = open_page()
    box, listed = page.get_by_role("searchbox"), page.locator("#completions li")
    box.press_sequentially("map ki")
    expect(listed).to_have_text(["kind:"])
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(box).to_have_value("map kind:")
    box.press_sequentially("me")
    expect(listed).to_have_text(["kind:method"])
    listed.click()
    expect(box).to_have_value("map kind:method")
    page.locator(".hit").first.wait_for()
    box.fill("(a: string, na")
    page.wait_for_timeout(500)
    expect(listed).to_have_count(0)


def test_the_cost_of_a_hit_is_said_in_words(open_page: OpenPage) -> None:
    page = open_page(f"/?q={quote(CHUNK)}")
    cost = page.locator('.hit[data-id="toolbox#chunk"] .cost')
    expect(cost).to_have_text(re.compile(r"^2 changes: [a-z, ]+ cost \d+$"))


def test_a_hit_is_a_link_to_its_entry(open_page: OpenPage) -> None:
    page = open_page("/?q=name:chunk%20pkg:toolbox")
    link = page.get_by_role("link", name="chunk")
    with page.context.expect_page() as opened:
        link.click(modifiers=["ControlOrMeta"])
    other = opened.value
    expect(other.locator("#panel h2")).to_have_text("toolbox#chunk")
    expect(page.locator("#panel")).to_be_hidden()
    link.click()
    expect(page.locator("#panel h2")).to_have_text("toolbox#chunk")


def test_a_late_answer_to_an_earlier_query_is_not_shown(open_page: OpenPage) -> None:
    page = open_page()
    slow: list[Any] = []

    def delay(route: Any) -> None:
        if "q=sum" in route.request.url and not slow:
            slow.append(route)  # never answered, because it is cancelled
        else:
            route.continue_()

    page.route("**/api/search*", delay)
    box = page.get_by_role("searchbox")
    box.fill("sum")
    page.wait_for_timeout(400)
    assert slow
    box.fill("chunk")
    page.locator('.hit[data-id="toolbox#chunk"]').wait_for()
    assert page.locator('.hit[data-id="toolbox#sum"]').count() == 0


def test_typing_on_while_an_answer_is_read_is_no_problem(open_page: OpenPage) -> None:
    """The body of an answer that is cancelled while it arrives is not taken for an answer."""
    page = open_page("/?q=chunk")
    page.evaluate(
        """() => {
          const original = Response.prototype.json;
          Response.prototype.json = async function () {
            await new Promise((resolve) => setTimeout(resolve, 300));
            if (this.url.includes("q=su") && !this.url.includes("q=sum")) throw new Error("cut");
            return original.call(this);
          };
        }"""
    )
    box = page.get_by_role("searchbox")
    box.fill("su")
    page.wait_for_timeout(350)  # the answer has begun
    box.fill("sum")
    page.locator('.hit[data-id="toolbox#sum"]').wait_for()


def test_the_panel_shows_the_entry_opened_last(open_page: OpenPage) -> None:
    page = open_page("/?q=kind:function pkg:toolbox")
    late: list[Any] = []
    page.route("**/api/entry/toolbox%23chunk", lambda route: late.append(route))
    page.locator('.hit[data-id="toolbox#chunk"]').click()
    page.locator('.hit[data-id="toolbox#sum"]').click()
    page.get_by_role("heading", name="toolbox#sum").first.wait_for()
    late[0].continue_()
    page.unroute_all()
    page.wait_for_timeout(300)
    expect(page.locator("#panel h2")).to_have_text("toolbox#sum")
    page.go_back()
    expect(page.locator("#panel h2")).to_have_text("toolbox#chunk")


def test_a_request_is_repeated_when_the_server_is_overloaded(open_page: OpenPage) -> None:
    page = open_page()
    rejected: list[Any] = []

    def reject_first(route: Any) -> None:
        if rejected:
            route.continue_()
            return
        rejected.append(route)
        body = json.dumps({"format": "typematch.error/2", "detail": "busy"})
        headers = {"Retry-After": "1", "Content-Type": "application/problem+json"}
        route.fulfill(status=503, headers=headers, body=body)

    page.route("**/api/search*", reject_first)
    search(page, "chunk")
    page.locator('.hit[data-id="toolbox#chunk"]').wait_for()
    assert rejected


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    "path",
    [
        pytest.param("/", id="start"),
        pytest.param(f"/?q={quote(CHUNK)}&open={quote('toolbox#chunk')}", id="signature"),
        pytest.param(f"/?q={quote(JOINED)}&compose=1", id="pipelines"),
        pytest.param("/?q=play%20music&open=musicbox%23Musicbox%23setVolume", id="service"),
        pytest.param(f"/?q={quote('(text: string, d: Date) => Promise<Date>  sort:cost')}",
                     id="misfits"),
        pytest.param("/?q=(", id="problem"),
        pytest.param("/docs/", id="description"),
        pytest.param("/?q=chunk#help", id="help"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("width", [1300, 390])
def test_pages_have_no_accessibility_violations(
    open_page: OpenPage, path: str, scheme: str, width: int
) -> None:
    page = open_page(
        path, color_scheme=scheme, viewport={"width": width, "height": 900}, bypass_csp=True
    )
    page.wait_for_timeout(300)
    if "compose=1" in path:
        pipelines(page)
    if path.endswith("#help"):
        page.keyboard.press("Control+k")
    if path == "/docs/":
        page.locator("#model-SearchDocument").wait_for()
    for hit in page.locator(".hit").all()[:5]:
        hit.evaluate("(hit) => hit.draw()")
    violations = [
        f"{violation['impact']} {violation['id']}: "
        f"{[node['html'] for node in violation['nodes']][:3]}"
        for violation in Axe().run(page).response["violations"]
    ]
    assert violations == []
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= width, "the page must not scroll sideways"


def test_the_layout_fits_a_phone(open_page: OpenPage) -> None:
    page = open_page(f"/?q={quote(CHUNK)}", viewport={"width": 390, "height": 844}, has_touch=True)
    assert page.locator("#facet-groups").is_hidden()
    page.get_by_text("Narrow down", exact=True).click()
    page.get_by_role("checkbox").first.wait_for()
    hit = page.locator('.hit[data-id="toolbox#chunk"]')
    hit.get_by_role("heading").click()
    panel = page.locator("#panel")
    expect(panel).to_be_visible()
    box = panel.bounding_box()
    assert box is not None
    assert (box["x"], box["width"]) == (0, 390)
    assert (box["y"], box["height"]) == (0, 844)
    before = page.evaluate("scrollY")
    page.mouse.move(200, 800)
    page.mouse.wheel(0, 600)
    page.wait_for_timeout(200)
    assert page.evaluate("scrollY") == before  # the list does not scroll beneath
    panel.get_by_role("button", name="Close").click()
    expect(panel).to_be_hidden()
    assert hit.locator(".match-field.tall").count() == 1
    field, figure = (hit.locator(name).bounding_box() for name in (".match-field", ".match"))
    assert field is not None
    assert figure is not None
    assert field["x"] + field["width"] <= figure["x"] + figure["width"]


def test_a_long_path_does_not_widen_the_hits(open_page: OpenPage) -> None:
    page = open_page("/?q=name:long", viewport={"width": 390, "height": 844})
    hit = page.locator(".hit").first
    expect(hit).to_contain_text("very-long-part/very-long-part")
    assert hit.evaluate("(hit) => hit.scrollWidth - hit.clientWidth") == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_control_characters_are_shown_as_escapes(open_page: OpenPage) -> None:
    page = open_page(f"/?q=name:reversed&open={quote('hostile#reversed')}")
    page.locator("#panel h2").wait_for()
    texts = page.locator("body").inner_text()
    assert "\u202e" not in texts
    assert "\u0007" not in texts
    expect(page.locator(".hit-signature").first).to_contain_text("\\u202eevil\\u202c")
    expect(page.locator("#panel .doc")).to_contain_text("Reversed \\u202eeman")


@pytest.mark.parametrize(
    ("query", "entry", "shown"),
    [
        ("name:hostile", "hostile#hostile", "<img src=x onerror=document.title='owned'>"),
        ("kind:interface pkg:hostile", "hostile#Hostile", "<script>"),
        ("kind:operation pkg:hostile", None, "<i>thing</i>"),
        ("<script>document.title='owned'</script>", None, "<script>"),
    ],
)
def test_markup_in_names_and_texts_is_shown_as_text(
    open_page: OpenPage, query: str, entry: str | None, shown: str
) -> None:
    page = open_page(f"/?q={quote(query)}")
    hits = page.locator(".hit")
    if entry is None and hits.count():
        entry = hits.first.get_attribute("data-id")
    if entry is not None:
        page.locator(f'.hit[data-id="{entry}"]').click()
        page.locator("#panel h2").wait_for()
        page.locator("#panel summary").first.click()
    page.wait_for_timeout(300)
    created = "body script, body img, body b, body i:not(.bar i), body u, body em"
    assert page.locator(created).count() == 0
    assert "owned" not in page.title() or query in page.title()
    links = page.locator("body a").evaluate_all("(links) => links.map((link) => link.protocol)")
    assert set(links) <= {"http:", "https:"}
    assert (
        shown in page.locator("body").inner_text()
        or shown in page.get_by_role("searchbox").input_value()
    )


def test_documentation_links_only_to_http_addresses(open_page: OpenPage) -> None:
    page = open_page(f"/?open={quote('hostile#hostile')}")
    doc = page.locator("#panel .doc")
    expect(doc.get_by_role("link")).to_have_text(["safe"])
    expect(doc).to_contain_text("[click me](javascript:document.title='owned')")


DOCUMENTED = {
    "package.json": '{"name": "documented", "types": "index.d.ts"}',
    "index.d.ts": """
        /**
         * <span class="informal">Waits for `other` or {@link another}.</span>
         *
         * ![](picture.svg)
         * - one
         * - **two**
         *
         * @param ms The *milliseconds*.
         * @returns What `another` returns.
         * @example
         * wait(1)
         * @deprecated Use {@link another}.
         */
        export function wait(ms: number): void;
        /** Another. */
        export function another(): void;
    """,
}


def test_documentation_is_rendered_and_its_names_are_live(
    open_page: OpenPage, tmp_path: Path
) -> None:
    folder = tmp_path / "documented"
    folder.mkdir()
    for name, text in DOCUMENTED.items():
        (folder / name).write_text(textwrap.dedent(text))
    with Catalog(tmp_path / "t.db") as catalog:
        catalog.add(folder, model=None)
    with serving(tmp_path / "t.db") as at:
        page = open_page("/?q=name:wait&open=documented%23wait", at=at)
        panel = page.locator("#panel")
        doc = panel.locator(".doc").first
        expect(doc.locator("p").first).to_have_text("Waits for other or another.")
        assert doc.locator("li").all_inner_texts() == ["one", "two"]
        assert "picture" not in panel.inner_text()
        expect(panel.locator(".note")).to_have_text("Deprecated. Use another.")
        expect(panel.get_by_role("row", name="ms")).to_contain_text("The milliseconds.")
        expect(panel.locator("pre").first).to_have_text("wait(1)")
        expect(page.locator(".hit-doc").first).to_contain_text("Waits for other or another.")
        quoted = page.locator(".hit-doc").first.locator("code")
        expect(quoted).to_have_text(["other", "another"])
        doc.get_by_role("link", name="another").click()
        expect(panel.locator("h2")).to_have_text("documented#another")
        page.go_back()
        expect(doc.locator("code", has_text="other").first).to_be_visible()
        expect(doc.get_by_role("link", name="other", exact=True)).to_have_count(0)  # no entry


def test_an_empty_database_shows_how_to_index(open_page: OpenPage, tmp_path: Path) -> None:
    Catalog(tmp_path / "empty.db").close()
    with serving(tmp_path / "empty.db") as at:
        page = open_page(at=at)
        expect(page.get_by_role("heading")).to_have_text("The database is empty")
        expect(page.locator("main")).to_contain_text("typematch index .")
        page.goto(f"{at}/?q=anything")
        expect(page.locator("#notes")).to_contain_text("This database is empty")


def test_the_page_asks_for_the_token_and_keeps_it(open_page: OpenPage, tiny: Path) -> None:
    with serving(tiny, token="s3cret") as at:
        page = open_page("/?q=chunk", at=at)
        page.get_by_label("Token").fill("wrong")
        page.keyboard.press("Enter")
        expect(page.get_by_label("Token")).to_have_value("")
        page.get_by_label("Token").fill("s3cret")
        page.keyboard.press("Enter")
        page.locator('.hit[data-id="toolbox#chunk"]').wait_for()
        page.goto(f"{at}/docs/")
        page.get_by_role("heading", name="/api/search").wait_for()
        page.evaluate("sessionStorage.clear()")
        page.reload()
        page.get_by_label("Token").fill("s3cret")
        page.get_by_role("button", name="Use this token").click()
        page.get_by_role("heading", name="/api/search").wait_for()


def test_one_row_is_above_the_first_hit_on_a_phone(open_page: OpenPage) -> None:
    page = open_page(f"/?q={quote(CHUNK)}", viewport={"width": 390, "height": 844})
    head, hit = page.locator(".top").bounding_box(), page.locator(".hit").first.bounding_box()
    assert head is not None
    assert hit is not None
    assert hit["y"] - head["height"] < 50
    expect(page.locator("#chips")).to_be_hidden()
    page.get_by_text("Narrow down", exact=True).click()
    expect(page.locator("#chips")).to_be_visible()
    expect(page.get_by_label("Sort by")).to_be_visible()


def test_the_panel_begins_with_what_the_entry_does_and_how_it_is_called(
    open_page: OpenPage,
) -> None:
    page = open_page(f"/?q=name:chunk&open={quote('toolbox#chunk')}")
    parts = page.locator("#panel > *").evaluate_all(
        "(all) => all.map((each) => each.tagName === 'H3' ? each.textContent : each.className)"
    )
    order = [name for name in parts if name in ("doc", "Call", "import", "Parameters", "More")]
    assert order[:3] == ["doc", "Call", "import"]
    assert order[-1] == "More"  # before the declaration
    assert parts.index("Declaration") > parts.index("More")


def test_sources_are_links_where_their_address_is_set(open_page: OpenPage) -> None:
    page = open_page(f"/?q=chunk&open={quote('toolbox#chunk')}")
    place = page.locator("#panel .place-in-code").last
    expect(place).to_contain_text("toolbox/index.d.ts:")
    expect(place.get_by_role("link")).to_have_count(0)  # off by default
    field = page.get_by_label("Address of sources")
    for template, count in (
        ("javascript:alert({line})", 0),
        ("https://code.example/{package}/{file}#L{line}", 1),
    ):
        page.locator("#help-button").click()
        field.fill(template)
        field.press("Tab")
        page.keyboard.press("Escape")
        page.reload()
        page.locator("#panel h2").wait_for()
        expect(place.get_by_role("link")).to_have_count(count)
    link = place.get_by_role("link")
    expect(link).to_have_attribute(
        "href", re.compile(r"^https://code\.example/toolbox/index\.d\.ts#L\d+$")
    )
    expect(link).to_have_attribute("target", "_blank")


def test_without_hits_the_page_offers_to_leave_out_a_part(open_page: OpenPage) -> None:
    page = open_page(f"/?q={quote('chunk  pkg:toolbox kind:enum strict:yes')}")
    expect(page.locator("#result-count")).to_have_text("No hits")
    page.locator("#start").get_by_role("button", name="kind:enum").click()
    page.locator('.hit[data-id="toolbox#chunk"]').wait_for()
    expect(page.locator("#start button")).to_have_count(0)


@pytest.mark.parametrize("width", [1300, 390])
def test_the_api_reference_says_defaults_limits_and_errors(open_page: OpenPage, width: int) -> None:
    page = open_page("/docs/", viewport={"width": width, "height": 844})
    search_ = page.locator("#search")
    limit = search_.get_by_role("row", name="limit")
    expect(limit).to_contain_text("integer, default 20, 1 to 200")
    query = search_.get_by_role("row", name="q", exact=False).first
    expect(query).to_contain_text("required, up to 20,000 characters")
    statuses = page.locator("#errors th").all_inner_texts()
    assert statuses == ["400", "401", "403", "404", "408", "413", "421", "422", "503", "504"]
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_examples_of_the_api_reference_run(open_page: OpenPage) -> None:
    page = open_page("/docs/")
    page.get_by_role("heading", name="/api/search").wait_for()
    sections = page.locator(".operation:has(.run)")
    names = sections.evaluate_all("(all) => all.map((each) => each.id)")
    assert len(names) == 10
    for name in names:
        section = page.locator(f"#{name}")
        section.get_by_role("button", name="Run").click()
        answer = section.locator(".answer")
        expected = '"status": 400' if name == "errors" else '"format": "typematch.'
        expect(answer).to_contain_text(expected, timeout=30_000)


def test_the_api_reference_links_to_document_types(open_page: OpenPage) -> None:
    page = open_page("/docs/")
    page.get_by_role("heading", name="/api/search").wait_for()
    page.locator("#search").get_by_role("link", name="SearchDocument").click()
    expect(page.locator("#model-SearchDocument")).to_be_in_viewport()


def test_types_in_signatures_are_links_to_what_declares_them(open_page: OpenPage) -> None:
    page = open_page("/?q=:: { members: User[] }  pkg:toolbox&open=toolbox%23Team")
    panel = page.locator("#panel")
    user = panel.locator("pre a", has_text="User")
    expect(user).to_have_attribute("href", "?open=toolbox%23User")
    with page.context.expect_page() as opened:
        user.click(modifiers=["ControlOrMeta"])
    expect(opened.value.locator("#panel h2")).to_have_text("toolbox#User")
    expect(panel.locator("h2")).to_have_text("toolbox#Team")
    user.click()
    expect(panel.locator("h2")).to_have_text("toolbox#User")
    page.go_back()
    expect(panel.locator("h2")).to_have_text("toolbox#Team")


def test_types_in_the_signature_of_a_hit_are_links(open_page: OpenPage) -> None:
    page = open_page(f"/?q={quote('(isbn: string) => Promise<Author>  pkg:bookshop')}")
    hit = page.locator('.hit[data-id="bookshop#findAuthor"]')
    link = hit.locator(".hit-signature a", has_text="Author")
    expect(link).to_have_attribute("href", "?open=bookshop%23Author")
    assert hit.locator(".hit-signature a", has_text="string").count() == 0
    link.click()
    expect(page.locator("#panel h2")).to_have_text("bookshop#Author")
    page.keyboard.press("Escape")
    expect(hit).to_be_focused()


def test_the_call_of_a_member_that_is_imported_has_no_container(
    open_page: OpenPage, tmp_path: Path
) -> None:
    (tmp_path / "package.json").write_text('{"name": "spaces", "types": "index.d.ts"}')
    (tmp_path / "index.d.ts").write_text(
        "export = _; declare const _: _.Static;\n"
        "declare namespace _ { interface Options { x: number }\n"
        "interface Static { run(f: number, options: Options): number } }\n"
    )
    with Catalog(tmp_path / "t.db") as catalog:
        catalog.add(tmp_path, model=None)
        [hit] = catalog.search("name:run")
        statement, id_ = hit.import_statement, hit.entry.id
    with serving(tmp_path / "t.db") as at:
        page = open_page(f"/?q=name:run&open={quote(id_)}", at=at)
        imported = re.findall(r"import (?:\{ )?(\w+)", statement)
        expected = "run(f, options)" if imported == ["run"] else "_.run(f, options)"
        expect(page.locator("#panel .import").first).to_contain_text(expected)
        link = page.locator("#panel pre a", has_text="Options")
        expect(link).to_have_count(1)


def test_a_printed_page_has_the_query_the_hits_and_the_panel_one_after_another(
    open_page: OpenPage,
) -> None:
    viewport = {"width": 768, "height": 900}
    page = open_page(f"/?q=chunk&open={quote('toolbox#chunk')}", viewport=viewport)
    page.emulate_media(media="print")
    expect(page.locator("#title")).to_have_text("Hits for chunk")
    title, hit, panel = (
        page.locator(name).first.bounding_box() for name in ("#title", ".hit", "#panel")
    )
    last = page.locator(".hit").last.bounding_box()
    assert title is not None
    assert hit is not None
    assert last is not None
    assert panel is not None
    assert title["height"] > 10
    assert title["y"] < hit["y"] < last["y"] < panel["y"]
    for name in (".top", ".facets", ".keys", "#panel .close"):
        expect(page.locator(name)).to_be_hidden()


@pytest.mark.parametrize("option", ["contrast", "forced_colors"])
@pytest.mark.parametrize("width", [390, 768, 1280, 2560])
def test_high_contrast_pages_have_no_accessibility_violations(
    open_page: OpenPage, option: str, width: int
) -> None:
    setting = {"contrast": "more", "forced_colors": "active"}[option]
    page = open_page(
        f"/?q={quote(CHUNK)}",
        viewport={"width": width, "height": 900}, bypass_csp=True, **{option: setting},
    )  # fmt: skip
    assert [found["id"] for found in Axe().run(page).response["violations"]] == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_nothing_moves_where_less_motion_is_wanted(open_page: OpenPage) -> None:
    page = open_page("/?q=chunk", reduced_motion="reduce")
    moving = """() => [...document.querySelectorAll("*")].map((each) => getComputedStyle(each))
        .filter((style) => style.animationName !== "none" || style.transitionDuration !== "0s")"""
    page.locator("#search").evaluate("(box) => box.classList.add('waiting')")
    assert page.evaluate(moving) == []
