"""How the parts of a declaration come together."""

from __future__ import annotations

from itertools import permutations

from typematch.ir.constructors import function, object_type
from typematch.ir.types import NUMBER, STRING, VOID, Object, Property, Reference
from typematch.program.resolution.declaration_merging import Fragment, merge


def method(name: str, *, takes: str) -> Property:
    return Property(name, function((), Reference(takes)), method=True)


def test_nothing_makes_no_declaration() -> None:
    assert merge("f#x", []) is None


def test_the_order_in_which_parts_arrive_does_not_matter() -> None:
    parts = [
        Fragment("b#X", "X", "interface", "a", 0, type=object_type([method("m", takes="a")])),
        Fragment("b#X", "X", "interface", "b", 0, type=object_type([method("m", takes="b")])),
        Fragment("b#X", "X", "interface", "b", 1, type=object_type([method("m", takes="c")])),
    ]
    merged = {repr(merge("b#X", order)) for order in permutations(parts)}
    assert len(merged) == 1
    found = merge("b#X", parts)
    assert found is not None
    assert isinstance(found.type, Object)
    overloads = found.type.properties[0].type
    assert isinstance(overloads, Object)
    # The file that the key names comes first.
    assert [call.returns for call in overloads.calls] == [
        Reference("b"),
        Reference("c"),
        Reference("a"),
    ]


def test_a_class_and_an_interface_share_members_but_the_class_has_the_value() -> None:
    static = object_type([Property("create", VOID)])
    found = merge(
        "f#C",
        [
            Fragment("f#C", "C", "interface", "f", 0, type=object_type([Property("a", STRING)])),
            Fragment(
                "f#C", "C", "class", "f", 1, type=object_type([Property("b", NUMBER)]), value=static
            ),
            Fragment("f#C", "C", "namespace", "f", 2, members=(("x", "f#C.x"),)),
        ],
    )
    assert found is not None
    assert found.kind == "class"
    assert found.value == static
    assert found.members == (("x", "f#C.x"),)
    assert found.type == object_type([Property("a", STRING), Property("b", NUMBER)])


def test_a_constant_and_a_type_of_one_name_keep_both_meanings() -> None:
    found = merge(
        "f#X",
        [
            Fragment("f#X", "X", "const", "f", 0, value=Reference("f#Make")),
            Fragment("f#X", "X", "alias", "f", 1, type=STRING),
        ],
    )
    assert found is not None
    assert (found.kind, found.type, found.value) == ("alias", STRING, Reference("f#Make"))


def test_heritage_named_twice_counts_once() -> None:
    base = Reference("f#B")
    parts = [Fragment("f#X", "X", "interface", "f", place, extends=(base,)) for place in (0, 1)]
    found = merge("f#X", parts)
    assert found is not None
    assert found.extends == (base,)
