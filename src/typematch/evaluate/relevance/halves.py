"""Labelled queries in two halves, by packages: one that weights are fitted on, one held out."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b

from typematch.evaluate.corpus import Row


def held_out_packages(queries: Iterable[Row]) -> frozenset[str]:
    """Return every second package of the labels, in the order of a digest of its name."""
    packages = {package for query in queries for package in packages_of(query)}
    ordered = sorted(packages, key=lambda name: blake2b(name.encode()).digest())
    return frozenset(ordered[::2])


def packages_of(query: Row) -> frozenset[str]:
    """Return the packages of the functions that answer a query."""
    return frozenset(function.partition("#")[0] for function in query["relevant"])


def held_out(queries: Iterable[Row]) -> frozenset[str]:
    """Return the ids of the queries that a function of a held-out package answers."""
    rows = list(queries)
    packages = held_out_packages(rows)
    return frozenset(row["id"] for row in rows if not packages.isdisjoint(packages_of(row)))
