"""Module summaries."""

from __future__ import annotations

from program.modules import alias, ambient, const, func, interface, module, named, namespace, script
from typematch.ir.module import DeclarationStatement, EnumMember, Export, Import
from typematch.ir.type_parts import Property, Signature
from typematch.ir.types import NUMBER, STRING, Intersection, Named, Object, Reference, TypeOf
from typematch.program.resolution.module_summary import MemberLink, ModuleSummary, summarize_module

ENUM = DeclarationStatement("enum", "E", 1, exported=True, enum_members=(EnumMember("A", None, 1),))


def test_a_summary_survives_a_json_round_trip() -> None:
    read = summarize_module(
        module(
            Import("a", "./lib", "*", exported=True),
            Export("*", "", "./far"),
            ENUM,
            namespace("N", interface("I", ("x", named("a.B"))), const("c", named("I"))),
            ambient("m", func("f", STRING)),
        )
    )
    assert ModuleSummary.from_json(read.to_json()) == read


def test_equal_modules_have_equal_json() -> None:
    example = module(alias("X", Intersection((named("A"), named("B")))))
    assert summarize_module(example).to_json() == summarize_module(example).to_json()


def test_free_names_are_the_names_that_types_use() -> None:
    body = Object(
        (Property("@?Symbol.x", STRING), Property("a", named("A.B", named("C")))),
        calls=(Signature((), TypeOf(named("v.w"), (), (named("D"),))),),
    )
    read = summarize_module(script(alias("X", body), alias("Y", Named(("Z",), (), "mod"))))
    assert read.scope.free == ("t:A.B", "t:C", "t:D", "t:Z@mod", "v:Symbol.x", "v:v.w")


def test_names_used_in_an_inner_scope_belong_to_that_scope() -> None:
    read = summarize_module(script(namespace("N", alias("X", named("A")))))
    assert read.scope.free == ()
    (inner,) = read.scope.names
    assert inner.body is not None
    assert inner.body.free == ("t:A",)


def test_links_name_the_declarations_whose_members_a_name_has() -> None:
    makes = Object(constructs=(Signature((), named("Made")),))
    read = summarize_module(
        script(
            const("c", Intersection((named("A"), TypeOf(named("b"))))),
            const("d", makes),
            const("e", NUMBER),
            DeclarationStatement("class", "K", 1, extends=(named("Base", named("X")),)),
        )
    )
    links = {name.name: name.links for name in read.scope.names}
    assert links == {
        "c": (MemberLink("is", "t:A"), MemberLink("is", "v:b")),
        "d": (MemberLink("new", "t:Made"),),
        "e": (),
        "K": (MemberLink("extends", "t:Base"),),
    }


def test_resolved_references_are_not_free_names() -> None:
    assert summarize_module(script(alias("X", Reference("file#A")))).scope.free == ()
