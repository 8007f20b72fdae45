"""Merging of fragments into declarations."""

from __future__ import annotations

from itertools import permutations

import pytest

from typematch.ir.constructors import function, object_type
from typematch.ir.type_parts import Property
from typematch.ir.types import NUMBER, STRING, VOID, Object, Reference
from typematch.program.resolution.declaration_merging import Fragment, merge_fragments


def method(name: str, *, takes: str) -> Property:
    return Property(name, function((), Reference(takes)), method=True)


def test_no_fragments_make_no_declaration() -> None:
    assert merge_fragments("f#x", []) is None


def test_the_result_does_not_depend_on_the_order_of_fragments() -> None:
    parts = [
        Fragment("b#X", "X", "interface", "a", 0, type=object_type([method("m", takes="a")])),
        Fragment("b#X", "X", "interface", "b", 0, type=object_type([method("m", takes="b")])),
        Fragment("b#X", "X", "interface", "b", 1, type=object_type([method("m", takes="c")])),
    ]
    merged = {repr(merge_fragments("b#X", order)) for order in permutations(parts)}
    assert len(merged) == 1
    declaration = merge_fragments("b#X", parts)
    assert declaration is not None
    assert isinstance(declaration.type, Object)
    overloads = declaration.type.properties[0].type
    assert isinstance(overloads, Object)
    # The file that the key names comes first.
    assert [call.returns for call in overloads.calls] == [
        Reference("b"),
        Reference("c"),
        Reference("a"),
    ]


@pytest.mark.parametrize(
    "library",
    ["lib/dom.d.ts", "typescript/lib/lib.dom.d.ts", "@typescript/typescript-a/lib/lib.d.ts"],
)
def test_a_variable_has_the_type_that_the_standard_library_gives_it(library: str) -> None:
    values = {"@types/node/globals.d.ts": STRING, library: NUMBER, "app/lib/lib.dom.d.ts": VOID}
    parts = [
        Fragment("global#File", "File", "const", file, 0, value=value)
        for file, value in values.items()
    ]
    declaration = merge_fragments("global#File", parts)
    assert declaration is not None
    assert declaration.value == NUMBER


def test_a_class_and_an_interface_merge_members_and_the_class_gives_the_value() -> None:
    static = object_type([Property("create", VOID)])
    declaration = merge_fragments(
        "f#C",
        [
            Fragment("f#C", "C", "interface", "f", 0, type=object_type([Property("a", STRING)])),
            Fragment(
                "f#C", "C", "class", "f", 1, type=object_type([Property("b", NUMBER)]), value=static
            ),
            Fragment("f#C", "C", "namespace", "f", 2, members=(("x", "f#C.x"),)),
        ],
    )
    assert declaration is not None
    assert declaration.kind == "class"
    assert declaration.value == static
    assert declaration.members == (("x", "f#C.x"),)
    assert declaration.type == object_type([Property("a", STRING), Property("b", NUMBER)])


def test_a_constant_and_a_type_of_one_name_have_both_meanings() -> None:
    declaration = merge_fragments(
        "f#X",
        [
            Fragment("f#X", "X", "const", "f", 0, value=Reference("f#Make")),
            Fragment("f#X", "X", "alias", "f", 1, type=STRING),
        ],
    )
    assert declaration is not None
    assert (declaration.kind, declaration.type, declaration.value) == (
        "alias",
        STRING,
        Reference("f#Make"),
    )


def test_repeated_heritage_counts_once() -> None:
    base = Reference("f#B")
    parts = [Fragment("f#X", "X", "interface", "f", place, extends=(base,)) for place in (0, 1)]
    declaration = merge_fragments("f#X", parts)
    assert declaration is not None
    assert declaration.extends == (base,)
