from __future__ import annotations

import pytest

from typematch.query.english.sentence_constraints import read_sentence, sure_constraints
from typematch.query.parse import parse
from typematch.search.prepare import relaxation
from typematch.search.prepare.relaxation import ORDER, filter_relaxations, query_relaxations


def left_out(text: str) -> list[set[str]]:
    """Return what each relaxation leaves out: facet keys and "name"."""
    query = parse(text)
    result = []
    for relaxed in query_relaxations(query):
        before = {constraint.key for constraint in query.constraints if not constraint.negated}
        after = {
            constraint.key for constraint in relaxed.query.constraints if not constraint.negated
        }
        name = {"name"} if query.name != relaxed.query.name else set()
        result.append((before - after) | name)
        assert len(relaxed.sentences) == len(result[-1])
    return result


def test_facets_are_left_out_one_by_one_and_then_together() -> None:
    assert left_out("chunk :: (_) => _  kind:method arity:2") == [
        {"arity"},
        {"kind"},
        {"name"},
        {"arity", "kind"},
        {"arity", "kind", "name"},
    ]


def test_scope_facets_are_never_left_out() -> None:
    assert left_out("(_) => _  pkg:lodash path:src/* -kind:method like:chunk") == []


def test_the_facet_of_names_is_never_left_out() -> None:
    assert left_out("(_) => _  name:chunk kind:method") == [{"kind"}]
    assert left_out("chunk :: (_) => _  name:other") == [{"name"}]
    [relaxed] = query_relaxations(parse("chunk :: (_) => _  name:other"))
    assert relaxed.left_out == ("chunk ::",)


def test_a_name_without_a_type_is_never_left_out() -> None:
    assert left_out("chunk kind:method") == [{"kind"}]


@pytest.mark.parametrize("query", ["has:id", "pkg:lodash has:id", "-kind:method arity:2"])
def test_a_query_is_not_relaxed_to_everything_in_a_scope(query: str) -> None:
    assert left_out(query) == []


def test_the_module_documents_the_order() -> None:
    assert relaxation.__doc__ is not None
    assert ", ".join(ORDER[:-1]) in " ".join(relaxation.__doc__.split())


def test_sentence_filters_are_given_up_in_the_same_order() -> None:
    sentence = read_sentence("async method that takes a string and returns a date")
    filters = sure_constraints(sentence)
    relaxed = list(filter_relaxations(filters))
    assert [tuple(constraint.key for constraint in step.constraints) for step in relaxed] == [
        ("param", "returns", "is", "kind"),
        ("returns", "is", "kind"),
        ("is", "kind"),
        ("kind",),
        (),
    ]
    assert [len(step.sentences) for step in relaxed] == [1, 2, 3, 4, 5]
    assert list(filter_relaxations(())) == []
