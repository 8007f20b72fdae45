from __future__ import annotations

from typematch.query.english.sentence_constraints import read_phrases, sure_constraints
from typematch.query.parse import parse
from typematch.search.prepare.relaxation import ORDER, relaxations, releases


def given_up(text: str) -> list[set[str]]:
    """Return what each relaxation leaves out, by facet key and "name"."""
    query = parse(text)
    tried = []
    for easier in relaxations(query):
        before = {one.key for one in query.constraints if not one.negated}
        after = {one.key for one in easier.query.constraints if not one.negated}
        tried.append((before - after) | ({"name"} if query.name != easier.query.name else set()))
        assert len(easier.sentences) == len(tried[-1])
    return tried


def test_one_thing_at_a_time_then_all_together() -> None:
    assert given_up("chunk :: (_) => _  kind:method arity:2") == [
        {"arity"},
        {"kind"},
        {"name"},
        {"arity", "kind"},
        {"arity", "kind", "name"},
    ]


def test_where_to_look_is_never_given_up() -> None:
    assert given_up("(_) => _  pkg:lodash path:src/* -kind:method like:chunk") == []


def test_a_name_alone_is_never_given_up() -> None:
    assert given_up("chunk kind:method") == [{"kind"}]


def test_the_published_order_is_the_documented_one() -> None:
    from typematch.search.prepare import relaxation as relax

    assert relax.__doc__ is not None
    assert ", ".join(ORDER[:-1]) in " ".join(relax.__doc__.split())


def test_what_a_sentence_says_is_given_up_in_the_same_order() -> None:
    heard = sure_constraints(read_phrases("async method that takes a string and returns a date"))
    given_up = [tuple(one.key for one in each.heard) for each in releases(heard)]
    assert given_up == [
        ("param", "returns", "is", "kind"),
        ("returns", "is", "kind"),
        ("is", "kind"),
        ("kind",),
        (),
    ]
    assert [len(each.sentences) for each in releases(heard)] == [1, 2, 3, 4, 5]
    assert list(releases(())) == []
