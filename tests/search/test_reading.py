from __future__ import annotations

from collections.abc import Sequence

import pytest

from typematch.errors import QuerySyntaxError
from typematch.index.entries.selection import EVERYTHING, Selection
from typematch.ir.types import Object, Reference
from typematch.query.model import TypeValue
from typematch.search.prepare.prepared_query import PreparedQuery, read

PACKAGES = ("lodash", "@types/node", "toolbox")


class Shelf:
    """Array and Promise are global; two packages export a User, one of them a Team."""

    def global_key(self, name: str, /) -> str | None:
        return f"global#{name}" if name in ("Array", "Promise") else None

    def exported(self, name: str, /, selection: Selection = EVERYTHING) -> tuple[str, ...]:
        keys = {"User": ("a/index.d.ts#User", "b/index.d.ts#User"), "Team": ("a/index.d.ts#Team",)}
        found = keys.get(name, ())
        return found[:1] if selection else found

    def declared(self, name: str, /, selection: Selection = EVERYTHING) -> tuple[str, ...]:
        return self.exported(name, selection)

    def has_spelling(self, _: Object, /) -> bool:
        return False

    def are_together(self, _: Sequence[str], /) -> bool:
        return False

    def get(self, _: str, /) -> None:
        return None

    def similar(self, name: str, /, limit: int = 3) -> tuple[str, ...]:
        return ("User",)[:limit] if name == "Usr" else ()

    def type_called(self, noun: str, /) -> str | None:
        return {"user": "User", "users": "User"}.get(noun.lower())

    def scope_values(self, facet: str, /) -> tuple[str, ...]:
        return {"pkg": PACKAGES, "module": ("rxjs", "rxjs/operators"), "tag": ("beta",)}[facet]


def request(text: str) -> PreparedQuery:
    return read(text, Shelf())


def test_each_meaning_of_a_name_is_a_reading() -> None:
    made = request("(User) => void")
    assert len(made.signatures) == 2
    assert made.read_as.endswith("(User is a/index.d.ts#User or b/index.d.ts#User)")


def test_a_scope_decides_between_them() -> None:
    assert len(request("(User) => void  pkg:lodash").signatures) == 1


def test_globals_need_no_mention() -> None:
    assert request("(Promise<string>) => void").read_as == "(Promise<string>) => void"


def test_names_behind_facets_are_resolved_too() -> None:
    made = request("returns:User")
    [constraint] = made.query.constraints
    types = [value.type for value in constraint.values if isinstance(value, TypeValue)]
    assert types == [Reference("a/index.d.ts#User"), Reference("b/index.d.ts#User")]


def test_a_name_found_nowhere_is_a_variable_and_that_is_said() -> None:
    made = request("(Usr) => Usr")
    assert made.variables == ("Usr",)
    assert "did you mean User?" in made.notices[0]


@pytest.mark.parametrize(
    ("query", "said"),
    [
        pytest.param(
            "x pkg:lodahs", "No package here is called lodahs; did you mean lodash?", id="misspelt"
        ),
        pytest.param("x module:rxjs", "", id="a module"),
        pytest.param("x module:rx", "No module here is called rx", id="no part of a word"),
        pytest.param("x pkg:@TYPES/*", "", id="a glob, in any case"),
        pytest.param("x -pkg:nothing", "", id="taken away, there is nothing to miss"),
        pytest.param("x pkg:lodash,nothing", "", id="one of two"),
    ],
)
def test_an_empty_scope_is_said(query: str, said: str) -> None:
    scopes = request(query).empty_scopes
    assert scopes[0].startswith(said) if said else not scopes


def test_a_bad_query_is_an_error() -> None:
    with pytest.raises(QuerySyntaxError):
        request("")


def test_nouns_mean_the_types_that_the_catalog_declares() -> None:
    said = request("takes a list of users and returns a map").query.said
    assert said is not None
    assert [one.text for one in said.parameters] == ["User[]"]


def test_what_a_sentence_says_for_sure_is_heard() -> None:
    heard = request("async function that takes two dates and gives something back").heard
    assert [(one.key, one.negated) for one in heard] == [
        ("param", False), ("param", False), ("returns", False), ("arity", False), ("is", False),
        ("kind", False),
    ]  # fmt: skip
    assert request("chunk kind:method").heard == ()
