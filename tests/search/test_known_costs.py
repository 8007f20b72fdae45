"""Costs kept from earlier searches, bounded in size."""

from __future__ import annotations

from pathlib import Path

from file_trees import writer
from typematch.catalog import Catalog
from typematch.match.verdict import Fit
from typematch.search.score.known_costs import KnownCosts


def test_the_costs_of_the_oldest_queries_are_forgotten() -> None:
    known = KnownCosts((0, 0))
    for query in range(8):
        known.of(query).bounds.update(dict.fromkeys(((n, 0) for n in range(30_000)), query))
    assert known.of(7).bounds[0, 0] == 7
    assert not known.of(0).bounds


def test_queries_without_candidates_are_forgotten_too() -> None:
    known = KnownCosts((0, 0))
    first = known.of(0)
    for query in range(1, 200):
        known.of(query)
    assert known.of(199) is known.of(199)
    assert known.of(0) is not first


def test_a_query_that_is_asked_again_is_kept() -> None:
    known = KnownCosts((0, 0))
    fit = Fit(())
    for query in range(8):
        known.of(query).matches.update(dict.fromkeys(((n, 0) for n in range(600)), fit))
        known.of(0)
    assert known.of(0).matches[0, 0] is fit
    assert not known.of(1).matches


def test_an_entry_indexed_after_a_search_is_found_by_the_next(tmp_path: Path) -> None:
    write = writer(tmp_path / "project")
    first = "export declare function first(a: string): Promise<number>;\n"
    second = first.replace("first", "second")
    project = write({"package.json": {"name": "p"}, "index.d.ts": first})
    with Catalog(tmp_path / "c.db") as catalog:
        for text, name in ((first, "first"), (second, "second")):
            write({"index.d.ts": text})
            catalog.add(project, model=None)
            hits = catalog.search("(a: string) => Promise<number>  pkg:p").hits
            assert [hit.entry.name for hit in hits] == [name]
