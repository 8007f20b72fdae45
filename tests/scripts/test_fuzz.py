"""The generator of pairs behind scripts/fuzz_compiler.py."""

from __future__ import annotations

from itertools import islice

from fuzz_cases import Cases
from fuzz_types import Node, removable, replaced, shrunk, simpler, word


def test_a_seed_gives_the_same_cases() -> None:
    one, other = Cases(7), Cases(7)
    for _ in range(200):
        assert one.case() == other.case()


def test_every_construct_is_drawn() -> None:
    cases = Cases(3)
    assert {cases.case().construct for _ in range(800)} == set(cases.constructs)


def test_printed_types_have_balanced_brackets() -> None:
    cases = Cases(5)
    for _ in range(300):
        case = cases.case()
        for text in (str(case.source), str(case.target)):
            for opening, closing in ("()", "[]", "{}"):
                assert text.count(opening) == text.count(closing)


def test_a_function_type_in_an_array_has_parentheses() -> None:
    function = Node("function", "", (Node("parameter", "a?", (word("string"),)), word("void")))
    assert str(Node("array", "readonly ", (function,))) == "readonly ((a?: string) => void)[]"


def test_removing_a_part_keeps_the_result() -> None:
    function = Node("function", "", (Node("parameter", "a", (word("string"),)), word("void")))
    assert list(removable(function)) == [(0,)]
    assert str(replaced(function, (0,), None)) == "() => void"


def test_shrinking_ends() -> None:
    case = Cases(11).case()
    while smaller := [c for c in islice(shrunk(case), 200) if c.size < case.size]:
        case = smaller[0]
    assert case.size <= 4
    assert not case.declarations


def test_simplifying_yields_the_parts_of_a_type() -> None:
    union = Node("union", "", (word("1"), Node("array", "", (word("2"),))))
    assert {"1", "2[]", "1 | 2"} <= {str(node) for node in simpler(union)}
