from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from typematch.errors import UsageError
from typematch.index.entries.selection import Between, Condition, OneOfTypes
from typematch.index.entries.selection import TextCondition as Pattern
from typematch.index.store import Place
from typematch.ir.types import ANY, NUMBER, STRING, Array, Type, Var
from typematch.query.parse import parse
from typematch.search.prepare.facet_conditions import selection

STRINGS = Array(STRING)


class Shelf:
    """Types by place, and one entry with two overloads."""

    def __init__(self, types: dict[str, list[Type]] | None = None) -> None:
        self._types = types or {}

    def types_in(
        self, place: Place, asked: Type | None = None, *, name: str = ""
    ) -> Iterator[tuple[int, Type]]:
        assert asked is not None or name
        yield from enumerate(self._types.get(place, []))

    def find(self, id_or_suffix: str, /, limit: int = 20) -> list[str]:
        known = [one for one in ("p#chunk", "q#chunk", "p#sum") if one.endswith(id_or_suffix)]
        return known[:limit]

    def numbers(self, ids: Sequence[str], /) -> dict[str, int]:
        return dict.fromkeys(ids, 7)

    def signatures_of(self, number: int, /) -> tuple[int, ...]:
        return (number, number + 1)


def equal(source: Type, target: Type) -> bool:
    return source is target or ANY in (source, target)


def condition(query: str, shelf: Shelf | None = None) -> Condition:
    [made] = selection(parse(query).constraints, shelf or Shelf(), equal)
    return made


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        pytest.param("kind:method", Condition("kind", (Pattern("method"),)), id="a flag"),
        pytest.param(
            "-pkg:lodash,@types/*",
            Condition("pkg", (Pattern("lodash"), Pattern("@types/*")), negated=True),
            id="globs, taken away",
        ),
        pytest.param("arity:1..3", Condition("arity", (Between(1, 3),)), id="a range"),
        pytest.param("arity:>=2", Condition("arity", (Between(2, None),)), id="an open range"),
        pytest.param("is:async", Condition("is", (Pattern("async"),)), id="is"),
        pytest.param("has:id", Condition("has", (Pattern("id"),)), id="a field of any type"),
        pytest.param("mentions:string", Condition("mentions", (Pattern("string"),)), id="mentions"),
        pytest.param("like:sum", Condition("type", (OneOfTypes((7, 8)),)), id="like"),
    ],
)
def test_facets_become_conditions(query: str, expected: Condition) -> None:
    assert condition(query) == expected


def test_a_type_becomes_the_types_that_the_relation_accepts() -> None:
    shelf = Shelf({"returns": [STRING, NUMBER, STRING, ANY, Var(0, 0)]})
    assert condition("returns:string", shelf) == Condition("returns", (OneOfTypes((0, 2)),))


def test_any_and_bare_variables_say_nothing() -> None:
    shelf = Shelf({"parameter": [ANY, Var(1, 0), STRING]})
    assert condition("param:string", shelf) == Condition("param", (OneOfTypes((2,)),))


def test_any_result_is_meant_by_a_wildcard() -> None:
    shelf = Shelf({"returns": [STRING, ANY]})
    assert condition("returns:_", shelf) == Condition("returns", (OneOfTypes((0, 1)),))


def test_a_field_has_a_name_and_a_type() -> None:
    shelf = Shelf({"property": [NUMBER, STRING]})
    assert condition("has:id:string", shelf) == Condition("has", (OneOfTypes((1,), "id"),))


@pytest.mark.parametrize("like", ["chunk", "nothing"])
def test_like_must_mean_one_entry(like: str) -> None:
    with pytest.raises(UsageError, match=f"like:{like}"):
        condition(f"like:{like}")
