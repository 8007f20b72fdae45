from __future__ import annotations

from collections.abc import Sequence

import pytest

from fakes.stores import as_store
from typematch.errors import QuerySyntaxError
from typematch.index.entries.selection import EVERYTHING, Selection
from typematch.index.records import ProjectPackages
from typematch.ir.types import Object, Reference
from typematch.query.model import TypeValue
from typematch.search.prepare.prepared_query import PreparedQuery, prepare_query

PACKAGES = ("lodash", "@types/node", "toolbox")


class Declarations:
    """Array and Promise are global; two packages export a User, one of them a Team."""

    def global_key(self, name: str, /) -> str | None:
        return f"global#{name}" if name in ("Array", "Promise") else None

    def undeclared_names(self, _name: str, /) -> tuple[str, ...]:
        return ()

    def packages_declaring_global(self, _name: str, /) -> frozenset[str]:
        return frozenset(("lib",))

    def exported_types(self, name: str, /, selection: Selection = EVERYTHING) -> tuple[str, ...]:
        keys = {"User": ("a/index.d.ts#User", "b/index.d.ts#User"), "Team": ("a/index.d.ts#Team",)}
        exported = keys.get(name, ())
        return exported[:1] if selection else exported

    def declared_types(self, name: str, /, selection: Selection = EVERYTHING) -> tuple[str, ...]:
        return self.exported_types(name, selection)

    def importable_types(self, *_: object) -> tuple[str, ...]:
        return ()

    def project_packages(self) -> ProjectPackages:
        return ProjectPackages()

    def has_exact_signature(self, _: Object, /) -> bool:
        return False

    def co_occur(self, _: Sequence[str], /) -> bool:
        return False

    def get(self, _: str, /) -> None:
        return None

    def unknown_words(self, _: Sequence[str], /) -> tuple[str, ...]:
        return ()

    def similar_type_names(
        self, names: Sequence[str], /, limit: int = 3
    ) -> dict[str, tuple[str, ...]]:
        return {name: ("User",)[:limit] if name == "Usr" else () for name in names}

    def type_named(self, noun: str, /) -> str | None:
        return {"user": "User", "users": "User"}.get(noun.lower())

    def scope_values(self, facet: str, /) -> tuple[str, ...]:
        return {"pkg": PACKAGES, "module": ("rxjs", "rxjs/operators"), "tag": ("beta",)}[facet]


def prepared(text: str) -> PreparedQuery:
    return prepare_query(text, as_store(Declarations()))


def test_each_declaration_of_a_name_is_a_reading() -> None:
    query = prepared("(User) => void")
    assert len(query.signatures) == 2
    assert query.read_as.endswith("(User is a/index.d.ts#User or b/index.d.ts#User)")


def test_a_scope_selects_a_declaration() -> None:
    assert len(prepared("(User) => void  pkg:lodash").signatures) == 1


def test_globals_are_not_explained() -> None:
    assert prepared("(Promise<string>) => void").read_as == "(Promise<string>) => void"


def test_names_behind_facets_are_resolved_too() -> None:
    query = prepared("returns:User")
    [constraint] = query.query.constraints
    types = [value.type for value in constraint.values if isinstance(value, TypeValue)]
    assert types == [Reference("a/index.d.ts#User"), Reference("b/index.d.ts#User")]


def test_an_unknown_name_becomes_a_type_parameter_with_a_notice() -> None:
    query = prepared("(Usr) => Usr")
    assert query.variables == ("Usr",)
    assert "did you mean User?" in query.notices[0]


@pytest.mark.parametrize(
    ("query", "notice"),
    [
        pytest.param(
            "x pkg:lodahs", "No package here is called lodahs; did you mean lodash?", id="misspelt"
        ),
        pytest.param("x module:rxjs", "", id="a module"),
        pytest.param("x module:rx", "No module here is called rx", id="no prefix of a word"),
        pytest.param("x module:rx*", "", id="the folders of a module by a glob"),
        pytest.param("x pkg:@TYPES/*", "", id="a glob, in any case"),
        pytest.param("x -pkg:nothing", "", id="a negated facet"),
        pytest.param("x pkg:lodash,nothing", "", id="one of two"),
    ],
)
def test_an_empty_scope_has_a_notice(query: str, notice: str) -> None:
    scopes = prepared(query).empty_scopes
    assert scopes[0].startswith(notice) if notice else not scopes


def test_an_empty_query_is_an_error() -> None:
    with pytest.raises(QuerySyntaxError):
        prepared("")


def test_nouns_are_resolved_to_declared_types() -> None:
    sentence = prepared("takes a list of users and returns a map").query.sentence
    assert sentence is not None
    assert [parameter.text for parameter in sentence.parameters] == ["User[]"]


def test_high_confidence_constraints_of_a_sentence_become_facets() -> None:
    constraints = prepared(
        "async function that takes two dates and gives something back"
    ).sentence_constraints
    assert [(constraint.key, constraint.negated) for constraint in constraints] == [
        ("param", False), ("param", False), ("returns", False), ("arity", False), ("is", False),
        ("kind", False),
    ]  # fmt: skip
    assert prepared("chunk kind:method").sentence_constraints == ()
