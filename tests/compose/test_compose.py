"""Compositions: which pipelines are found, in which order, and the code of each."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from typematch.adapt.snippet import snippet
from typematch.catalog import Catalog
from typematch.compose import compose as compose_module
from typematch.compose.model import Pipeline
from typematch.errors import UsageError

FIXTURES = Path(__file__).parents[2] / "fixtures"
DECLARED = """
export interface Draft { text: string; }
export interface Page { html: string; }
export interface Leaf { color: string; }
export interface Ring { size: number; }
export interface Gem { weight: bigint; }
export function draft(title: string): Draft;
export function draft(title: number): Leaf;
export function render(draft: Draft, format: "html" | "pdf"): Page;
export function melt(gem: Gem): Ring;
export function forge(ring: Ring): Gem;
export function load(path: string): Promise<string>;
export function parse(text: string): any;
export function pluck(leaf: Leaf): Ring;
export interface Tools { "sharpen-it"(ring: Ring): Gem; }
export function tools(name: symbol): Tools;
declare function remove(leaf: Leaf): Ring[];
export { remove as delete };
export default function polish(ring: Ring): Uint8Array;
export class Press { constructor(leaf: Leaf); print(copies: number): Uint32Array; }
export function joined(...rings: Ring[]): Float64Array;
export function smelt(this: Press, ring: Ring): Int8Array;
export type Tint = "red" | "blue";
export interface Stone { facets: bigint; }
export function dye(tint: Tint): Stone;
export function carve(inscription: string | Uint8Array): Stone;
export function polished(stone: Stone): BigInt64Array;
export function start(options: { leaf: Leaf; ring?: Ring }): Int16Array;
"""

# (query, entries of the first pipeline)
FIRST = [
    ("(path: string) => Promise<Book[]>", "readShelf parseShelf"),
    ("(isbn: string) => Promise<Author>", "findBook findAuthor"),
    ("(books: Book[], words: string) => Book[]", "Catalogue#constructor Catalogue#search"),
    ("(path: string, author: Author) => Promise<Book[]>", "Catalogue.load Catalogue#byAuthor"),
    ("(customer: Customer, books: Book[]) => Invoice", "fillBasket checkout"),
    ("(book: Book) => Uint8Array", "delete print"),
    ("(amount: number, from: string, to: string) => string", "convert formatMoney"),
]


@pytest.fixture(scope="module")
def bookshop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Catalog]:
    with Catalog(tmp_path_factory.mktemp("bookshop") / "typematch.db") as made:
        made.add(FIXTURES / "bookshop", model=None)
        yield made


@pytest.fixture(scope="module")
def musicbox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Catalog]:
    with Catalog(tmp_path_factory.mktemp("musicbox") / "typematch.db") as made:
        made.add(FIXTURES / "musicbox", model=None)
        yield made


@pytest.fixture(scope="module")
def declared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Catalog]:
    folder = tmp_path_factory.mktemp("composed")
    (folder / "package.json").write_text('{"name": "composed", "types": "index.d.ts"}')
    (folder / "index.d.ts").write_text(DECLARED)
    with Catalog(folder / "typematch.db") as made:
        made.add(folder, model=None)
        yield made


def names(pipeline: Pipeline) -> str:
    return " ".join(step.entry.qualified_name for step in pipeline.steps)


def code(catalog: Catalog, query: str, entries: str) -> str:
    """Return the code of the pipeline of these entries."""
    found = catalog.compose(query)
    return next(p.adapter.code for p in found if names(p) == entries)


@pytest.mark.parametrize(("query", "entries"), FIRST)
def test_first_pipeline(bookshop: Catalog, query: str, entries: str) -> None:
    assert names(bookshop.compose(query)[0]) == entries


def test_pipeline_is_a_module_to_paste(bookshop: Catalog) -> None:
    [pipeline] = bookshop.compose("(isbn: string) => Promise<Author>", limit=1)
    assert snippet(pipeline.adapter) == (
        'import { findAuthor, findBook } from "./src/shelf";\n'
        'import type { Author } from "./src/model";\n'
        "\n"
        "export const pipeline: (isbn: string) => Promise<Author> = async (isbn) => {\n"
        "  const book = await findBook(isbn);\n"
        "  return findAuthor(book!.authorId);\n"
        "};\n"
    )


def test_steps_say_what_flows_between_them(bookshop: Catalog) -> None:
    [pipeline] = bookshop.compose("(isbn: string) => Promise<Author>", limit=1)
    assert [(step.parameters, step.result) for step in pipeline.steps] == [
        (("isbn",), "Book | undefined"),
        (("authorId",), "Author"),
    ]


def test_steps_say_where_arguments_come_from(bookshop: Catalog) -> None:
    [pipeline] = bookshop.compose("(isbn: string) => Promise<Author>", limit=1)
    assert [step.arguments for step in pipeline.steps] == [("isbn",), ("step 1.authorId",)]


def test_two_results_are_joined(bookshop: Catalog) -> None:
    query = "(email: string, isbn: string) => Promise<Reservation>"
    assert code(bookshop, query, "findCustomer findBook reserve") == (
        "async (email, isbn) => {\n"
        "  const customer = await findCustomer(email);\n"
        "  const book = await findBook(isbn);\n"
        "  return reserve(customer, book!);\n"
        "}"
    )


def test_results_without_a_promise_are_awaited_and_said_so(bookshop: Catalog) -> None:
    [pipeline] = bookshop.compose("(path: string) => Book[]  name:*shelf", limit=1)
    assert pipeline.adapter.type == "(path: string) => Promise<Book[]>"
    assert pipeline.adapter.notes == ("the result is a promise",)


def test_a_promise_in_a_union_is_the_result_of_an_async_function(bookshop: Catalog) -> None:
    query = "(path: string) => Promise<Book[]> | Book[]"
    [pipeline] = bookshop.compose(f"{query}  name:*shelf", limit=1)
    assert pipeline.adapter.code.startswith("async ")
    assert pipeline.adapter.type == query
    assert pipeline.adapter.notes == ()


def test_reserved_words_are_renamed(declared: Catalog) -> None:
    assert code(declared, "(title: number) => Ring[]", "draft delete") == (
        "(title) => {\n  const leaf = draft(title);\n  return delete_(leaf);\n}"
    )


def test_overload_is_the_one_that_takes_the_arguments(declared: Catalog) -> None:
    found = declared.compose("(title: string) => Ring", depth=2)
    assert found.pipelines
    assert all("pluck" not in names(pipeline) for pipeline in found)


def test_literal_fills_a_parameter(declared: Catalog) -> None:
    assert code(declared, "(title: string) => Page", "draft render") == (
        '(title) => {\n  const draft2 = draft(title);\n  return render(draft2, "html");\n}'
    )


def test_default_export_and_constructor(declared: Catalog) -> None:
    assert "return composed(ring)" in code(declared, "(leaf: Leaf) => Uint8Array", "pluck default")
    press = code(
        declared, "(leaf: Leaf, copies: number) => Uint32Array", "Press#constructor Press#print"
    )
    assert "new Press(leaf)" in press
    assert ".print(copies)" in press


def test_member_that_is_no_identifier_is_quoted(declared: Catalog) -> None:
    found = code(declared, "(name: symbol, ring: Ring) => Gem", "tools Tools#sharpen-it")
    assert '["sharpen-it"](ring)' in found


def test_rest_parameter_takes_one_value(declared: Catalog) -> None:
    assert "joined(ring)" in code(declared, "(leaf: Leaf) => Float64Array", "pluck joined")


def test_declared_type_of_strings_is_passed_to_others_by_its_name(declared: Catalog) -> None:
    found = declared.compose("(tint: Tint) => BigInt64Array  pkg:composed")
    costs = {names(pipeline): pipeline.cost for pipeline in found}
    assert costs["dye polished"] + 40 <= costs.get("carve polished", 1_000)


def test_object_is_built_from_values_of_its_names(declared: Catalog) -> None:
    found = code(declared, "(title: number) => Int16Array", "draft start")
    assert "start({ leaf })" in found


def test_function_that_needs_this_is_no_step(declared: Catalog) -> None:
    found = declared.compose("(leaf: Leaf) => Int8Array")
    assert found.pipelines
    assert all("smelt" not in names(pipeline) for pipeline in found)


def test_cycles_are_refused(declared: Catalog) -> None:
    found = declared.compose("(leaf: Leaf) => Gem")
    assert [names(pipeline) for pipeline in found][:1] == ["pluck forge"]
    assert all("melt" not in names(pipeline) for pipeline in found)


def test_result_any_is_last_and_marked(declared: Catalog) -> None:
    found = declared.compose("(path: string) => Promise<Set<string>>  pkg:composed")
    unchecked = [pipeline.unchecked for pipeline in found]
    assert unchecked == sorted(unchecked)
    [parsed] = [p for p in found if names(p) == "load parse"]
    assert parsed.unchecked
    assert "the last call returns any: the type of the result is taken" in snippet(parsed.adapter)


@pytest.mark.parametrize(
    "query",
    [
        "(path: string) => any",
        "(path: string) => Promise<unknown>",
        "() => never",
        "() => void",
        "(...paths: string[]) => Book",
        "(a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7) => Book",
        "(x: unknown) => x is Book",
        "books of an author",
    ],
)
def test_goals_that_say_too_little_are_refused(bookshop: Catalog, query: str) -> None:
    with pytest.raises(UsageError):
        bookshop.compose(query)


@pytest.mark.parametrize("options", [{"depth": 1}, {"depth": 4}, {"limit": 0}])
def test_options_out_of_range(bookshop: Catalog, options: dict[str, int]) -> None:
    with pytest.raises(UsageError):
        bookshop.compose("(isbn: string) => Promise<Author>", **options)


def test_depth_limits_the_calls(bookshop: Catalog) -> None:
    query = "(email: string, isbn: string) => Promise<Reservation>"
    assert all(len(pipeline.steps) == 2 for pipeline in bookshop.compose(query, depth=2))


def test_facets_restrict_all_steps(bookshop: Catalog) -> None:
    found = bookshop.compose("(book: Book) => Uint8Array  pkg:bookshop")
    assert [names(pipeline) for pipeline in found] == ["delete print"]


def test_work_is_bounded_and_the_answer_says_so(
    bookshop: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compose_module, "_WORK", 20.0)
    found = bookshop.compose("(basket: Basket) => string")
    assert found.exhausted
    assert found.left > 0
    assert found.work < 60
    assert "a package (pkg:NAME) or a depth of 2 narrows it" in found.notices[-1]


def test_operations_are_called_on_one_client(musicbox: Catalog) -> None:
    [pipeline] = musicbox.compose("(name: string) => Promise<Playlist>", limit=1)
    assert names(pipeline) == "Musicbox#whoAmI Musicbox#createPlaylist"
    assert [hole.name for hole in pipeline.adapter.holes] == ["musicbox"]
    assert pipeline.adapter.code == (
        "async (name) => {\n"
        "  const user = await musicbox.whoAmI();\n"
        "  return musicbox.createPlaylist(user.id, { name });\n"
        "}"
    )


def test_properties_flow_by_their_names(musicbox: Catalog) -> None:
    query = "(text: string, playlistId: string) => Promise<void>"
    [pipeline] = musicbox.compose(query, limit=1)
    assert pipeline.steps[-1].arguments == ("playlistId", "{ songId: step 1[0].id }")


def test_every_reading_of_a_query_is_searched(tmp_path: Path) -> None:
    packages = "abcdefgh"
    for name in packages:
        folder = tmp_path / name
        folder.mkdir()
        (folder / "package.json").write_text(f'{{"name": "{name}", "types": "index.d.ts"}}')
        (folder / "index.d.ts").write_text(
            f"export interface Money {{ {name}: string; }}\n"
            f"export interface Ticket {{ seat{name}: string; }}\n"
            "export function sell(money: Money): Ticket;\n"
            "export function enter(ticket: Ticket): RegExp;\n"
        )
    with Catalog(tmp_path / "typematch.db") as catalog:
        catalog.add(*(tmp_path / name for name in packages), model=None)
        found = catalog.compose("(m: Money) => RegExp", limit=20)
        assert not found.exhausted
        assert set(packages) <= {pipeline.steps[-1].entry.package for pipeline in found}
