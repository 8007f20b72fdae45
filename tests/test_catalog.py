"""The Python interface: ``typematch.open`` and ``Catalog``."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path

import pytest

import typematch
from conftest import FIXTURES
from databases import copy_database
from file_trees import writer
from typematch import gc_tuning
from typematch.catalog import Catalog
from typematch.errors import MissingDatabaseError, SourceError, UsageError


@pytest.fixture
def catalog(tiny: Path) -> Iterator[Catalog]:
    with typematch.open(tiny, create=False) as opened:
        yield opened


def test_the_tour_of_the_package_docstring(tmp_path: Path) -> None:
    with typematch.open(tmp_path / "typematch.db") as catalog:
        report = catalog.add(FIXTURES / "toolbox")
        assert report.entries > 0
        assert report.unchanged == 0
        assert report.failed == ()
        assert catalog.add(FIXTURES / "toolbox").unchanged == report.files

        result = catalog.search("(items: T[], size: number) => T[][]", limit=3)
        assert result.read_as.startswith("<T>(items: T[], size: number) => T[][]")
        assert next(hit.entry.id for hit in result) == "toolbox#chunk"
        hit = result[0]
        assert hit.cost is not None
        assert hit.cost == sum(edit.cost for edit in hit.edits)
        assert [edit.sentence for edit in hit.edits] != []

        entry = catalog.get("chunk")
        assert entry.import_statement == 'import { chunk } from "toolbox"'
        assert (entry.path, entry.line) == ("toolbox/index.d.ts", 17)
        assert (entry.min_arity, entry.max_arity) == (1, 2)


def test_a_missing_file_is_created_only_with_create(tmp_path: Path) -> None:
    with pytest.raises(MissingDatabaseError):
        typematch.open(tmp_path / "none.db", create=False)
    assert not (tmp_path / "none.db").exists()


def test_adding_nothing_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with typematch.open(tmp_path / "a.db") as catalog, pytest.raises(SourceError):
        catalog.add(tmp_path / "empty")
    with typematch.open(tmp_path / "a.db") as catalog, pytest.raises(UsageError):
        catalog.add()


def test_entries_are_in_order_of_id(catalog: Catalog) -> None:
    ids = [entry.id for entry in catalog.entries()]
    assert ids == sorted(ids)
    assert len(ids) == len(set(ids))
    assert {entry.package for entry in catalog.entries("deadline")} == {"deadline"}


def test_an_entry_is_found_by_a_suffix_of_its_id(catalog: Catalog) -> None:
    assert catalog.get("Queue#push").id == "toolbox#Queue#push"
    with pytest.raises(UsageError, match="toolbox#Queue#push"):
        catalog.get("push")
    with pytest.raises(UsageError, match="no entry 'pushh'"):
        catalog.get("pushh")


def test_overloads_are_signatures_of_one_entry(catalog: Catalog) -> None:
    entry = catalog.get("toolbox#filter")
    assert len(entry.signatures) == 2
    assert catalog.declaration(entry).count("\n") == 1


def test_facet_counts_of_a_query(catalog: Catalog) -> None:
    counts = catalog.facets("pkg:toolbox kind:class,enum")
    assert counts["kind"] == {"class": 1, "enum": 1}
    assert counts["pkg"] == {"toolbox": 2}


def test_stats_count_packages_and_kinds(catalog: Catalog) -> None:
    stats = catalog.stats()
    assert {name for name, *_ in stats.package_counts} == {"lib", "deadline", "toolbox"}
    assert stats.entries == sum(stats.kinds.values())


def test_a_package_can_be_removed_and_the_rest_exported(tiny: Path, tmp_path: Path) -> None:
    copy = copy_database(tiny, tmp_path / "copy.db")
    with typematch.open(copy) as catalog:
        assert catalog.remove("deadline") > 0
        assert catalog.remove("deadline") == 0
        assert list(catalog.entries("deadline")) == []
        catalog.export(tmp_path / "shipped.db")
        with pytest.raises(UsageError, match="already"):
            catalog.export(tmp_path / "shipped.db")
    with typematch.open(tmp_path / "shipped.db", create=False) as shipped:
        assert shipped.get("chunk").package == "toolbox"


def test_sort_by_cost_lists_the_cheapest_of_all_hits(catalog: Catalog) -> None:
    query = "(items: T[], size: number) => T[]  sort:cost"
    everything = [hit.cost for hit in catalog.search(query, limit=None)]
    assert everything == sorted(cost for cost in everything if cost is not None)
    assert [hit.cost for hit in catalog.search(query, limit=5)] == everything[:5]


def test_the_collector_is_relaxed_while_a_catalog_is_open(
    tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A command that another test ran in this process has relaxed it for good.
    monkeypatch.setattr(gc_tuning, "_users", 0)
    before = (700, 10, 10)
    gc.set_threshold(*before)
    first = typematch.open(tiny, create=False)
    assert gc.get_threshold() > before
    second = typematch.open(tiny, create=False)
    first.close()
    assert gc.get_threshold() > before
    second.close()
    assert gc.get_threshold() == before


def test_limited_hits_are_the_first_of_all_hits(catalog: Catalog) -> None:
    everything = [hit.entry.id for hit in catalog.search("kind:function", limit=None)]
    assert [hit.entry.id for hit in catalog.search("kind:function", limit=5)] == everything[:5]
    assert catalog.search("kind:function", limit=5).total == len(everything)


@pytest.mark.parametrize(
    "query",
    [
        "(a: string, b: number) => string[]",
        "(a: string) => unknown  is:assignable",
        ":: { name: string }",
        "split a list :: (items: T[], size: number) => T[][]",
    ],
)
def test_a_search_without_time_returns_no_unscored_hits_and_a_notice(
    catalog: Catalog, query: str
) -> None:
    complete = catalog.search(query, limit=None)
    ended = catalog.search(query, limit=None, seconds=0.0)
    assert len(complete) > 0
    assert sum(notice.startswith("The search ended after ") for notice in ended.notices) == 1
    assert ended.at_least
    assert list(ended) == []
    assert not any(notice.startswith("The search ended") for notice in complete.notices)
    assert list(catalog.search(query, limit=None, seconds=1_000.0)) == list(complete)


def test_a_search_by_words_ignores_the_time_limit(catalog: Catalog) -> None:
    assert list(catalog.search("chunk", seconds=0.0)) == list(catalog.search("chunk"))


def test_a_negative_time_limit_is_an_error(catalog: Catalog) -> None:
    with pytest.raises(UsageError, match="-1"):
        catalog.search("chunk", seconds=-1.0)


def test_a_negative_number_of_hits_is_an_error(catalog: Catalog) -> None:
    with pytest.raises(UsageError, match="the limit of hits is -1"):
        catalog.search("chunk", limit=-1)


def test_hits_have_the_ranks_of_their_channels(catalog: Catalog) -> None:
    assert catalog.search("chunk")[0].channels["lexical"] == 1
    assert catalog.search("(string) => number")[0].channels == {"structural": 1}


def test_is_assignable_finds_what_the_relation_accepts(catalog: Catalog) -> None:
    """The relation of each single function and the query agrees with the search."""
    query = "(text: string) => unknown"
    found = {
        hit.entry.id for hit in catalog.search(f"{query} is:assignable pkg:toolbox", limit=None)
    }
    expected = {
        entry.id
        for entry in catalog.entries("toolbox")
        if entry.signatures
        and entry.kind != "constructor"
        and not entry.outer
        and any(
            typematch.assignable(signature.text, query, NAMES) for signature in entry.signatures
        )
    }
    assert {"toolbox#parseNumber", "toolbox#isString", "toolbox#whatever"} <= found
    assert {entry_id for entry_id in found if "Queue#" not in entry_id} == expected


NAMES = """
type Comparator<T> = (a: T, b: T) => number;
interface Queue<T> { push(item: T): this; map<U>(change: (item: T) => U): Queue<U> }
"""


def test_a_name_resolves_to_an_internal_type_if_none_is_exported(tmp_path: Path) -> None:
    write = writer(tmp_path / "p")
    folder = write(
        {
            "package.json": {"name": "p", "types": "index.d.ts"},
            "index.d.ts": "import { Apple } from './a'; interface Basket { b: 1 }\n"
            "export declare function f(a: Apple): Basket;",
            "a.d.ts": "export interface Apple { a: 1 }",
        }
    )
    with typematch.open(tmp_path / "p.db") as made:
        made.add(folder)
        result = made.search("(a: Apple) => Basket")
    assert result.notices == ()
    assert [hit.entry.id for hit in result][:1] == ["p#f"]
    assert result.hits[0].cost == 0


def test_signature_facets_hold_for_the_same_overload(tmp_path: Path) -> None:
    folder = writer(tmp_path / "p")(
        {
            "package.json": {"name": "p", "types": "index.d.ts"},
            "index.d.ts": """
                export declare function both(a: string): void;
                export declare function both(a: string, b: number): Promise<string>;
                export declare function apart(a: string): Promise<string>;
                export declare function apart(a: string, b: number): void;
            """,
        }
    )
    with typematch.open(tmp_path / "p.db") as made:
        made.add(folder)
        together = made.search("returns:Promise<_> arity:2 pkg:p")
        assert [hit.entry.id for hit in together] == ["p#both"]
        assert together.hits[0].signature == "(a: string, b: number) => Promise<string>"
        # No overload meets both, so a condition is relaxed.
        assert made.search("param:number arity:1 pkg:p").relaxed
        assert made.search("-returns:Promise<_> arity:2 pkg:p").total == 0


def test_an_alias_finds_its_entry(tmp_path: Path) -> None:
    text = (
        "declare const _: _.Static;\n"
        "declare namespace _ { interface Static { chunk(a: string): void } }\nexport = _;\n"
    )
    manifest = {"name": "cut", "types": "index.d.ts"}
    project = writer(tmp_path / "cut")({"package.json": manifest, "index.d.ts": text})
    with typematch.open(tmp_path / "cut.db") as catalog:
        catalog.add(project)
        expected = catalog.get("cut#_.chunk")
        for name in ("cut#chunk", "cut#Static#chunk", "Static#chunk"):
            assert catalog.get(name) == expected
