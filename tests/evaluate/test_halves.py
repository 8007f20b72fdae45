"""Labelled queries that are held out when weights are fitted."""

from __future__ import annotations

from typematch.evaluate.corpus import Row
from typematch.evaluate.relevance.halves import held_out, held_out_packages, packages_of


def row(id_: str, *functions: str) -> Row:
    return {"id": id_, "relevant": dict.fromkeys(functions, 2)}


ROWS = [row(f"q{number}", f"package{number}#run") for number in range(7)]


def test_every_second_package_is_held_out_whatever_the_order_of_queries() -> None:
    packages = held_out_packages(ROWS)
    assert len(packages) == 4
    assert held_out_packages(reversed(ROWS)) == packages


def test_a_query_is_held_out_if_one_of_its_packages_is() -> None:
    packages = held_out_packages(ROWS)
    names = {f"package{number}" for number in range(7)}
    unseen, known = min(packages), min(names - packages)
    mixed = row("mixed", f"{known}#run", f"{unseen}#run")
    assert packages_of(mixed) == {known, unseen}
    held = held_out([*ROWS, mixed])
    assert "mixed" in held
    assert {query["id"] for query in ROWS if packages_of(query) <= packages} <= held
    assert not any(query["id"] in held for query in ROWS if packages_of(query).isdisjoint(packages))
