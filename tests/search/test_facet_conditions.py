from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from fakes.stores import as_store
from match.texts import Declared
from typematch.errors import UsageError
from typematch.index.entries.selection import (
    EVERYTHING,
    Condition,
    GlobCondition,
    InNumbers,
    RangeCondition,
    Selection,
)
from typematch.index.store import TypePosition
from typematch.ir.type_parts import Property
from typematch.ir.types import (
    ANY,
    NEVER,
    NUMBER,
    STRING,
    Conditional,
    IndexedAccess,
    Literal,
    Object,
    Type,
    Var,
)
from typematch.match.assignability.relation import Relation
from typematch.query.parse import parse
from typematch.search.prepare.facet_conditions import facet_conditions


class Types:
    """Types by position, and an entry with two overloads."""

    def __init__(self, types: dict[str, list[Type]] | None = None) -> None:
        self._types = types or {}
        self.selections: list[Selection] = []

    def types_at(
        self,
        position: TypePosition,
        target: Type | None = None,
        *,
        name: str = "",
        selection: Selection = EVERYTHING,
    ) -> Iterator[tuple[int, Type]]:
        assert target is not None or name
        self.selections.append(selection)
        yield from enumerate(self._types.get(position, []))

    def find(self, id_or_suffix: str, /, limit: int = 20) -> list[str]:
        ids = [id_ for id_ in ("p#chunk", "q#chunk", "p#sum") if id_.endswith(id_or_suffix)]
        return ids[:limit]

    def similar_ids(self, _: str, /) -> tuple[str, ...]:
        return ()

    def entry_numbers(self, ids: Sequence[str], /) -> dict[str, int]:
        return dict.fromkeys(ids, 7)

    def signatures_of(self, number: int, /) -> tuple[int, ...]:
        return (number, number + 1)


def related(source: Type, target: Type) -> bool:
    return bool(Relation(Declared({})).assign(source, target))


def equal(source: Type, target: Type) -> bool:
    return source is target or ANY in (source, target)


def condition(query: str, types: Types | None = None) -> Condition:
    [result] = facet_conditions(parse(query).constraints, as_store(types or Types()), equal)
    return result


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        pytest.param("kind:method", Condition("kind", (GlobCondition("method"),)), id="a flag"),
        pytest.param(
            "-pkg:lodash,@types/*",
            Condition("pkg", (GlobCondition("lodash"), GlobCondition("@types/*")), negated=True),
            id="negated globs",
        ),
        pytest.param("arity:1..3", Condition("arity", (RangeCondition(1, 3),)), id="a range"),
        pytest.param(
            "arity:>=2", Condition("arity", (RangeCondition(2, None),)), id="an open range"
        ),
        pytest.param("is:async", Condition("is", (GlobCondition("async"),)), id="is"),
        pytest.param("has:id", Condition("has", (GlobCondition("id"),)), id="a field of any type"),
        pytest.param(
            "mentions:string", Condition("mentions", (GlobCondition("string"),)), id="mentions"
        ),
        pytest.param("like:sum", Condition("type", (InNumbers((7, 8)),)), id="like"),
    ],
)
def test_facets_become_conditions(query: str, expected: Condition) -> None:
    assert condition(query) == expected


def test_a_type_becomes_the_numbers_of_assignable_types() -> None:
    types = Types({"returns": [STRING, NUMBER, STRING, ANY, Var(0, 0)]})
    assert condition("returns:string", types) == Condition("returns", (InNumbers((0, 2)),))


def test_any_and_bare_type_variables_do_not_match() -> None:
    types = Types({"parameter": [ANY, Var(1, 0), STRING]})
    assert condition("param:string", types) == Condition("param", (InNumbers((2,)),))


@pytest.mark.parametrize(
    ("query", "numbers"), [("returns:string", (3, 2)), ("returns:_", (0, 1, 2, 3))]
)
def test_computed_types_that_are_any_without_their_variables_do_not_match(
    query: str, numbers: tuple[int, ...]
) -> None:
    member = IndexedAccess(Var(0, 0), Literal("string", "id"))
    of_wrapper = IndexedAccess(Object((Property("id", STRING),)), Literal("string", "id"))
    types = Types(
        {"returns": [member, Conditional(member, STRING, member, member), of_wrapper, STRING]}
    )
    [result] = facet_conditions(parse(query).constraints, as_store(types), related)
    assert result == Condition("returns", (InNumbers(numbers),))


@pytest.mark.parametrize(("query", "numbers"), [("returns:string", (1,)), ("returns:never", (0,))])
def test_results_of_type_never_match_only_never(query: str, numbers: tuple[int, ...]) -> None:
    types = Types({"returns": [NEVER, STRING]})
    assert condition(query, types) == Condition("returns", (InNumbers(numbers),))


def test_a_wildcard_matches_every_result() -> None:
    types = Types({"returns": [STRING, ANY]})
    assert condition("returns:_", types) == Condition("returns", (InNumbers((0, 1)),))


def test_a_property_has_a_name_and_a_type() -> None:
    types = Types({"property": [NUMBER, STRING]})
    assert condition("has:id:string", types) == Condition("has", (InNumbers((1,), "id"),))


@pytest.mark.parametrize(
    ("like", "problem"),
    [
        ("chunk", r"'chunk' is ambiguous; it matches:\n  p#chunk\n  q#chunk"),
        ("nothing", "there is no entry 'nothing'"),
    ],
)
def test_like_must_select_one_entry(like: str, problem: str) -> None:
    with pytest.raises(UsageError, match=problem):
        condition(f"like:{like}")


@pytest.mark.parametrize(
    ("query", "compared", "expected"),
    [
        # The types equal to the one asked for, numbers 1 and 3, are compared before the others.
        ("returns:string", 1, Condition("returns", (InNumbers((1,)),))),
        ("returns:string", 3, Condition("returns", (InNumbers((1, 3)),))),
        ("-returns:string", 3, Condition("returns", (InNumbers((1, 3, 2)),), negated=True)),
        ("returns:string", 0, Condition("entry", (InNumbers(()),))),
        ("-returns:string", 0, Condition("entry", (InNumbers(()),))),
        ("kind:method", 0, Condition("kind", (GlobCondition("method"),))),
    ],
)
def test_types_that_are_not_compared_in_time_do_not_meet_a_facet(
    query: str, compared: int, expected: Condition
) -> None:
    types = Types({"returns": [NUMBER, STRING, NUMBER, STRING]})
    checks = iter([*[False] * (compared + bool(compared)), *[True] * 9])
    [result] = facet_conditions(
        parse(query).constraints, as_store(types), equal, lambda: next(checks)
    )
    assert result == expected


def test_only_types_of_entries_that_meet_the_other_conditions_are_compared() -> None:
    types = Types({"returns": [STRING], "parameter": [NUMBER]})
    query = parse("returns:string param:number pkg:lodash")
    returns, parameter, package = facet_conditions(query.constraints, as_store(types), equal)
    assert returns == Condition("returns", (InNumbers((0,)),))
    assert parameter == Condition("param", (InNumbers((0,)),))
    assert package == Condition("pkg", (GlobCondition("lodash"),))
    assert types.selections == [(package,), (package, returns)]
