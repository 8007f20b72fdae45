"""The page in a browser: what a person types, sees, clicks and hears about.

Needs Chromium: Playwright's own, or one that is installed (``scripts/browser`` gets one).  Without
it these tests are skipped, and say so.
"""

from __future__ import annotations

import json
import re
import shutil
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from serve.servers import serving
from typematch.catalog import Catalog

pytest.importorskip("playwright", reason="the page is not tested: playwright is not installed")
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Error, Page, expect, sync_playwright

pytestmark = pytest.mark.slow

FIXTURES = Path(__file__).parent.parent.parent / "fixtures"
CHUNK = "(size: number, items: readonly T[]) => T[][]"
HOSTILE = {
    "package.json": '{"name": "hostile", "types": "index.d.ts"}',
    "index.d.ts": """
        /**
         * <script>document.title = "owned"</script><img src=x onerror="document.title='owned'">
         * [click me](javascript:document.title='owned') [data](data:text/html,x)
         * [safe](https://example.org/safe)
         */
        export function hostile(
            markup: "<img src=x onerror=document.title='owned'>", quote: '"><b>bold</b>'
        ): void;
        export interface Hostile { "<script>document.title='owned'</script>": string }
    """,
    "api.yaml": """
        openapi: 3.0.0
        info: { title: "<b>Bold</b> service", version: "1" }
        paths:
          "/<i>thing</i>/{id}":
            get:
              summary: "<img src=x onerror=document.title='owned'>"
              tags: ["<u>tag</u>"]
              responses: { "200": { description: "<em>fine</em>" } }
    """,
}


def _indexed(folder: Path) -> Path:
    hostile = folder / "hostile"
    hostile.mkdir()
    for name, text in HOSTILE.items():
        (hostile / name).write_text(textwrap.dedent(text))
    database = folder / "typematch.db"
    with Catalog(database) as catalog:
        named = [FIXTURES / name for name in ("toolbox", "patience", "musicbox")]
        catalog.add(*named, hostile, hostile / "api.yaml", model=None)
    return database


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(_indexed(tmp_path_factory.mktemp("page"))) as at:
        yield at


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        for installed in (None, *map(shutil.which, ("chromium", "google-chrome"))):
            try:
                started = playwright.chromium.launch(executable_path=installed)
            except Error:
                continue
            yield started
            started.close()
            return
        pytest.skip("THE PAGE IS NOT TESTED: no Chromium here; scripts/browser gets one")


Opening = Callable[..., Page]


@pytest.fixture
def opened(browser: Browser, address: str) -> Iterator[Opening]:
    """Return what opens the page at a path; at the end nothing may have gone wrong in it."""
    wrong: list[str] = []
    requested: list[str] = []
    servers = {address}
    contexts = []

    def open_(path: str = "/", *, at: str = address, **how: Any) -> Page:
        how = {"viewport": {"width": 1300, "height": 900}, **how}
        servers.add(at)
        context = browser.new_context(**how)
        context.set_default_timeout(30_000)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("request", lambda one: requested.append(one.url))
        page.goto(f"{at}{path}")
        settled(page)
        return page

    yield open_
    for context in contexts:
        context.close()
    assert wrong == []
    assert [
        url for url in requested if not url.startswith(tuple(servers))
    ] == []  # it works offline


def settled(page: Page) -> None:
    """Wait until what was asked is answered."""
    if page.locator(".box").count():
        page.locator(".box:not(.waiting)").wait_for()


def asked(page: Page, query: str) -> None:
    page.get_by_role("searchbox").fill(query)
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"\?q="))
    settled(page)


def test_a_signature_is_typed_and_the_match_is_drawn(opened: Opening) -> None:
    page = opened()
    box = page.get_by_role("searchbox")
    expect(box).to_be_focused()
    box.press_sequentially(CHUNK, delay=5)  # live: nobody presses Enter
    hit = page.locator('.hit[data-id="toolbox#chunk"]')
    hit.wait_for()
    assert page.get_by_role("status").first.inner_text().endswith("hits")
    expect(hit.locator(".match .said")).to_have_text(["swapped", "swapped"])
    places = hit.locator(".match-place .place")
    assert places.all_inner_texts() == [
        "size: number", "items: readonly T[]", "T[][]", "items: readonly T[]", "size?: number",
        "T[][]",
    ]  # fmt: skip
    assert hit.locator(".match-lines path").count() == 3
    words = hit.locator(".match-words").inner_text()
    assert "size: swapped; size may be left out" in words
    assert "arguments in the order items, size" in words
    for name in ("keyword", "name", "variable"):
        assert hit.locator(f".hit-signature .{name}").count() > 0, name
    assert hit.locator(".channels li").count() >= 1


def test_lines_join_what_goes_together(opened: Opening) -> None:
    """The drawn ends lie on the boxes of the places that the server says belong together."""
    page = opened(f"/?q={quote(CHUNK)}")
    hit = page.locator('.hit[data-id="toolbox#chunk"]')
    hit.click()
    field = hit.locator(".match-field").bounding_box()
    assert field is not None
    boxes = {
        (whose, place): hit.locator(f'.{whose} [data-place="{place}"] .place').bounding_box()
        for whose in ("asked", "found")
        for place in ("$.parameters[0]", "$.parameters[1]", "$.returns")
    }
    ends = []
    for path in hit.locator(".match-lines path").all():
        numbers = [float(n) for n in re.findall(r"-?[\d.]+", path.get_attribute("d") or "")]
        ends.append([(field["x"] + x, field["y"] + y) for x, y in (numbers[:2], numbers[-2:])])
    joined = [tuple(_at(end, boxes) for end in both) for both in ends]
    assert joined == [
        (("asked", "$.parameters[1]"), ("found", "$.parameters[0]")),
        (("asked", "$.parameters[0]"), ("found", "$.parameters[1]")),
        (("asked", "$.returns"), ("found", "$.returns")),
    ]


def _at(end: tuple[float, float], boxes: dict[Any, Any]) -> Any:
    x, y = end
    for name, box in boxes.items():
        near = box["x"] - 2 <= x <= box["x"] + box["width"] + 2
        if near and box["y"] - 2 <= y <= box["y"] + box["height"] + 2:
            return name
    return None


@pytest.mark.parametrize(
    ("query", "entry", "said"),
    [
        ("(text: string) => string[]", "toolbox#text.words", ["left out"]),
        ("(text: string, n: number, d: Date) => number", "toolbox#parseNumber", ["not used"]),
        ("(xs: T[]) => T", "toolbox#first", ["checked for undefined"]),
        ("(xs: T[]) => T[]  pkg:toolbox", "toolbox#sortBy", ["to be supplied"]),
        (
            "(ms: number, v: T) => T  pkg:patience",
            "patience#timeout",
            ["swapped, wrapped in a promise", "swapped", "awaited"],
        ),
    ],
)
def test_what_becomes_of_arguments_is_said_in_words(
    opened: Opening, query: str, entry: str, said: list[str]
) -> None:
    page = opened(f"/?q={quote(query)}")
    hit = page.locator(f'.hit[data-id="{entry}"]')
    hit.click()
    hit.locator(".match").wait_for()
    assert hit.locator(".match .said").all_inner_texts() == said


def test_chips_are_taken_away_and_softened(opened: Opening) -> None:
    page = opened(f"/?q={quote(CHUNK + '  kind:function')}")
    chips = page.locator(".chip")
    assert chips.count() == 4
    page.get_by_role("button", name="Take away kind:function").click()
    expect(chips).to_have_count(3)
    assert page.get_by_role("searchbox").input_value() == CHUNK
    page.get_by_role("button", name="Ask less of size: number").click()
    expect(page.get_by_role("searchbox")).to_have_value("(size: _, items: readonly T[]) => T[][]")
    page.go_back()
    expect(page.get_by_role("searchbox")).to_have_value(CHUNK)
    expect(chips).to_have_count(3)


def test_facets_narrow_down_and_say_how_many(opened: Opening) -> None:
    page = opened("/?q=map")
    method = page.get_by_role("checkbox", name=re.compile(r"^method "))
    count = int(re.findall(r"\d+", page.locator("label", has=method).inner_text())[0])
    method.check()
    expect(page.get_by_role("searchbox")).to_have_value("map  kind:method")
    settled(page)
    assert page.get_by_role("status").first.inner_text() in (f"{count} hits", f"20 of {count} hits")
    assert set(page.locator(".hit .badge:first-of-type").all_inner_texts()) <= {"method"}
    page.get_by_role("checkbox", name=re.compile(r"^method")).uncheck()
    expect(page.get_by_role("searchbox")).to_have_value("map")


def test_a_service_that_does_best_is_chosen(opened: Opening) -> None:
    page = opened(f"/?q={quote('play a song')}")
    page.get_by_role("button", name="Musicbox").click()
    expect(page.get_by_role("searchbox")).to_have_value("play a song  service:Musicbox")
    settled(page)
    assert page.locator('.hit[data-id="musicbox#Musicbox#play"]').count() == 1
    names = page.locator(".hit").evaluate_all("(all) => all.map((one) => one.dataset.id)")
    assert all(name.startswith("musicbox#") for name in names)


def test_sorting_is_part_of_the_query(opened: Opening) -> None:
    page = opened("/?q=map")
    page.get_by_label("Sort by").select_option("name")
    expect(page.get_by_role("searchbox")).to_have_value("map  sort:name")


def test_the_panel_has_all_of_an_entry_and_copies_its_import(opened: Opening) -> None:
    page = opened("/?q=filter", permissions=["clipboard-read", "clipboard-write"])
    page.locator('.hit[data-id="toolbox#filter"]').click()
    panel = page.get_by_role("complementary", name="Entry")
    expect(panel.get_by_role("heading", name="toolbox#filter")).to_be_focused()
    assert panel.locator(".overloads pre").count() == 2
    expect(panel).to_contain_text("Keep the items that pass.")
    panel.get_by_role("button", name="Copy import").click()
    expect(panel.get_by_role("button", name="Copied")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == 'import { filter } from "toolbox"'


def test_types_unfold(opened: Opening) -> None:
    page = opened(f"/?open={quote('toolbox#Team')}")
    panel = page.locator("#panel")
    panel.get_by_text("What its types refer to").click()
    panel.get_by_text("User interface").click()
    expect(panel.locator("details details pre").first).to_contain_text("email?: string")


def test_a_link_shows_the_same_again(opened: Opening) -> None:
    page = opened()
    asked(page, "split an array  pkg:toolbox")
    page.locator('.hit[data-id="toolbox#chunk"]').click()
    page.get_by_role("heading", name="toolbox#chunk").wait_for()
    before = (page.url, page.locator("#hits").inner_text(), page.locator("#panel").inner_text())
    page.reload()
    settled(page)
    page.get_by_role("heading", name="toolbox#chunk").first.wait_for()
    assert before == (
        page.url, page.locator("#hits").inner_text(), page.locator("#panel").inner_text()
    )  # fmt: skip
    page.go_back()
    expect(page.locator("#panel")).to_be_hidden()


def test_it_is_driven_by_the_keyboard_alone(opened: Opening) -> None:
    page = opened()
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
    for _ in range(40):  # every chip, facet and button can be reached
        press("Tab")
        if page.locator("#theme").evaluate("(one) => one === document.activeElement"):
            break
    press("Enter")
    assert page.locator("html").get_attribute("data-theme") == "dark"


def test_more_is_shown_page_by_page(opened: Opening) -> None:
    page = opened("/?q=kind:method")
    hits = page.locator(".hit")
    expect(hits).to_have_count(20)
    page.get_by_role("button", name="Show more").click()
    expect(hits).to_have_count(40)
    expect(hits.nth(20)).to_be_focused()
    ids = hits.evaluate_all("(all) => all.map((one) => one.dataset.id)")
    assert len(set(ids)) == 40
    assert page.get_by_role("status").first.inner_text().startswith("40 of ")


def test_a_query_that_cannot_be_read_is_shown_where(opened: Opening) -> None:
    page = opened(f"/?q={quote('(string -> number')}")
    expect(page.locator("#notes pre")).to_contain_text("         ^")
    asked(page, "chunk")
    expect(page.locator("#notes pre")).to_have_count(0)


def test_what_is_typed_later_wins(opened: Opening) -> None:
    """An earlier answer that comes late is not shown."""
    page = opened()
    slow: list[Any] = []

    def delay(route: Any) -> None:
        if "q=sum" in route.request.url and not slow:
            slow.append(route)  # answered never, as it is given up
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


def test_the_panel_has_what_was_opened_last(opened: Opening) -> None:
    page = opened("/?q=kind:function pkg:toolbox")
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


def test_a_busy_server_is_asked_again(opened: Opening) -> None:
    page = opened()
    refused: list[Any] = []

    def busy(route: Any) -> None:
        if refused:
            route.continue_()
            return
        refused.append(route)
        body = json.dumps({"format": "typematch.error/1", "what": "busy", "where": "", "hint": ""})
        headers = {"Retry-After": "1", "Content-Type": "application/json"}
        route.fulfill(status=503, headers=headers, body=body)

    page.route("**/api/search*", busy)
    asked(page, "chunk")
    page.locator('.hit[data-id="toolbox#chunk"]').wait_for()
    assert refused


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    "path",
    [
        pytest.param("/", id="start"),
        pytest.param(f"/?q={quote(CHUNK)}&open={quote('toolbox#chunk')}", id="signature"),
        pytest.param("/?q=play%20music&open=musicbox%23Musicbox%23setVolume", id="service"),
        pytest.param(f"/?q={quote('(text: string, d: Date) => Promise<Date>  sort:cost')}",
                     id="misfits"),
        pytest.param("/?q=(", id="problem"),
        pytest.param("/docs/", id="description"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("width", [1300, 390])
def test_nothing_keeps_anybody_out(opened: Opening, path: str, scheme: str, width: int) -> None:
    page = opened(
        path, color_scheme=scheme, viewport={"width": width, "height": 900}, bypass_csp=True
    )
    page.wait_for_timeout(300)
    for hit in page.locator(".hit").all()[:5]:
        hit.evaluate("(one) => one.draw()")
    found = Axe().run(page).response["violations"]
    serious = [
        f"{one['impact']} {one['id']}: {[node['html'] for node in one['nodes']][:3]}"
        for one in found
        if one["impact"] in ("serious", "critical")
    ]
    assert serious == []
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= width, "the page must not scroll sideways"


def test_a_phone_has_room_for_it(opened: Opening) -> None:
    page = opened(f"/?q={quote(CHUNK)}", viewport={"width": 390, "height": 844}, has_touch=True)
    assert page.locator("#facet-groups").is_hidden()
    page.get_by_text("Narrow down").click()
    page.get_by_role("checkbox").first.wait_for()
    hit = page.locator('.hit[data-id="toolbox#chunk"]')
    hit.get_by_role("heading").click()
    panel = page.locator("#panel")
    expect(panel).to_be_visible()
    box = panel.bounding_box()
    assert box is not None
    assert (box["x"], box["width"]) == (0, 390)
    panel.get_by_role("button", name="Close").click()
    expect(panel).to_be_hidden()
    assert hit.locator(".match-field.tall").count() == 1
    field, figure = (hit.locator(one).bounding_box() for one in (".match-field", ".match"))
    assert field is not None
    assert figure is not None
    assert field["x"] + field["width"] <= figure["x"] + figure["width"]


@pytest.mark.parametrize(
    ("query", "entry", "shown"),
    [
        ("name:hostile", "hostile#hostile", "<img src=x onerror=document.title='owned'>"),
        ("kind:interface pkg:hostile", "hostile#Hostile", "<script>"),
        ("kind:operation pkg:hostile", None, "<i>thing</i>"),
        ("<script>document.title='owned'</script>", None, "<script>"),
    ],
)
def test_hostile_names_and_texts_are_shown_as_text(
    opened: Opening, query: str, entry: str | None, shown: str
) -> None:
    page = opened(f"/?q={quote(query)}")
    hits = page.locator(".hit")
    if entry is None and hits.count():
        entry = hits.first.get_attribute("data-id")
    if entry is not None:
        page.locator(f'.hit[data-id="{entry}"]').click()
        page.locator("#panel h2").wait_for()
        page.locator("#panel summary").first.click()
    page.wait_for_timeout(300)
    made = "body script, body img, body b, body i:not(.bar i), body u, body em"
    assert page.locator(made).count() == 0
    assert "owned" not in page.title() or query in page.title()
    links = page.locator("body a").evaluate_all("(all) => all.map((one) => one.protocol)")
    assert set(links) <= {"http:", "https:"}
    assert (
        shown in page.locator("body").inner_text()
        or shown in page.get_by_role("searchbox").input_value()
    )


def test_links_of_the_documentation_lead_to_the_web_alone(opened: Opening) -> None:
    page = opened(f"/?open={quote('hostile#hostile')}")
    doc = page.locator("#panel .doc")
    expect(doc.get_by_role("link")).to_have_text(["safe"])
    expect(doc).to_contain_text("[click me](javascript:document.title='owned')")


def test_an_empty_catalog_says_how_to_fill_it(opened: Opening, tmp_path: Path) -> None:
    Catalog(tmp_path / "empty.db").close()
    with serving(tmp_path / "empty.db") as at:
        page = opened(at=at)
        expect(page.get_by_role("heading")).to_have_text("This catalog is empty")
        expect(page.locator("main")).to_contain_text("typematch index .")
        page.goto(f"{at}/?q=anything")
        expect(page.locator("#notes")).to_contain_text("There is nothing in this database yet")


def test_a_token_is_asked_for_and_kept(opened: Opening, tiny: Path) -> None:
    with serving(tiny, token="s3cret") as at:
        page = opened("/?q=chunk", at=at)
        page.get_by_label("Token").fill("wrong")
        page.keyboard.press("Enter")
        expect(page.get_by_label("Token")).to_have_value("")
        page.get_by_label("Token").fill("s3cret")
        page.keyboard.press("Enter")
        page.locator('.hit[data-id="toolbox#chunk"]').wait_for()
        page.goto(f"{at}/docs/")
        page.get_by_role("heading", name="The API").wait_for()


def test_the_description_can_be_read(opened: Opening) -> None:
    page = opened("/docs/")
    page.get_by_role("heading", name="/api/search").wait_for()
    page.locator("#search").get_by_role("link", name="SearchAnswer").click()
    expect(page.locator("#model-SearchAnswer")).to_be_in_viewport()
