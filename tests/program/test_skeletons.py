"""What is left of a module without its types."""

from __future__ import annotations

from program.modules import alias, ambient, const, func, interface, module, n, namespace, script
from typematch.ir.module import DeclarationStatement, EnumMember, Export, Import
from typematch.ir.types import (
    NUMBER,
    STRING,
    Intersection,
    Named,
    Object,
    Property,
    Reference,
    Signature,
    TypeOf,
)
from typematch.program.resolution.module_summary import LinkSkeleton, Skeleton, skeleton

ENUM = DeclarationStatement("enum", "E", 1, exported=True, enum_members=(EnumMember("A", None, 1),))


def test_a_skeleton_survives_being_written_and_read() -> None:
    read = skeleton(
        module(
            Import("a", "./lib", "*", exported=True),
            Export("*", "", "./far"),
            ENUM,
            namespace("N", interface("I", ("x", n("a.B"))), const("c", n("I"))),
            ambient("m", func("f", STRING)),
        )
    )
    assert Skeleton.from_json(read.to_json()) == read


def test_equal_modules_give_equal_text() -> None:
    one = module(alias("X", Intersection((n("A"), n("B")))))
    assert skeleton(one).to_json() == skeleton(one).to_json()


def test_free_names_are_those_that_types_use() -> None:
    body = Object(
        (Property("@?Symbol.x", STRING), Property("a", n("A.B", n("C")))),
        calls=(Signature((), TypeOf(n("v.w"), (), (n("D"),))),),
    )
    read = skeleton(script(alias("X", body), alias("Y", Named(("Z",), (), "mod"))))
    assert read.scope.free == ("t:A.B", "t:C", "t:D", "t:Z@mod", "v:Symbol.x", "v:v.w")


def test_names_of_an_inner_scope_are_its_own() -> None:
    read = skeleton(script(namespace("N", alias("X", n("A")))))
    assert read.scope.free == ()
    (inner,) = read.scope.names
    assert inner.body is not None
    assert inner.body.free == ("t:A",)


def test_links_lead_to_declarations_whose_members_a_name_shows() -> None:
    makes = Object(constructs=(Signature((), n("Made")),))
    read = skeleton(
        script(
            const("c", Intersection((n("A"), TypeOf(n("b"))))),
            const("d", makes),
            const("e", NUMBER),
            DeclarationStatement("class", "K", 1, extends=(n("Base", n("X")),)),
        )
    )
    links = {name.name: name.links for name in read.scope.names}
    assert links == {
        "c": (LinkSkeleton("is", "t:A"), LinkSkeleton("is", "v:b")),
        "d": (LinkSkeleton("new", "t:Made"),),
        "e": (),
        "K": (LinkSkeleton("extends", "t:Base"),),
    }


def test_references_are_no_names() -> None:
    assert skeleton(script(alias("X", Reference("file#A")))).scope.free == ()
