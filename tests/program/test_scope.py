"""Which declaration a name means."""

from __future__ import annotations

import pytest

from program.modules import (
    Files,
    alias,
    ambient,
    const,
    func,
    global_scope,
    interface,
    module,
    n,
    namespace,
    script,
)
from typematch.ir.module import DeclarationStatement, EnumMember, Export, Import, Scope
from typematch.ir.types import (
    NUMBER,
    STRING,
    VOID,
    Array,
    Intrinsic,
    Literal,
    Named,
    Object,
    Property,
    Reference,
    TypeOf,
    UniqueSymbol,
)

A = interface("A", ("a", STRING))
OTHER = interface("A", ("other", STRING))


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        pytest.param({"main": module(A, alias("X", n("A")))}, "main#A", id="its own file"),
        pytest.param(
            {"lib": module(A), "main": module(Import("A", "./lib", "A"), alias("X", n("A")))},
            "lib#A",
            id="an import",
        ),
        pytest.param(
            {"lib": module(A), "main": module(Import("B", "./lib", "A"), alias("X", n("B")))},
            "lib#A",
            id="an import under another name",
        ),
        pytest.param(
            {"lib": module(A), "main": module(Import("L", "./lib", "*"), alias("X", n("L.A")))},
            "lib#A",
            id="a namespace import",
        ),
        pytest.param(
            {
                "lib": module(DeclarationStatement("interface", "A", 1, type=A.type, default=True)),
                "main": module(Import("D", "./lib", "default"), alias("X", n("D"))),
            },
            "lib#A",
            id="a default import",
        ),
        pytest.param(
            {
                "lib": module(
                    DeclarationStatement("interface", "A", 1, type=A.type), Export("default", "A")
                ),
                "main": module(Import("D", "./lib", "default"), alias("X", n("D"))),
            },
            "lib#A",
            id="a default export clause",
        ),
        pytest.param(
            {
                "lib": module(A),
                "mid": module(Export("B", "A", "./lib")),
                "main": module(Import("B", "./mid", "B"), alias("X", n("B"))),
            },
            "lib#A",
            id="a re-export under another name",
        ),
        pytest.param(
            {
                "lib": module(A),
                "mid": module(Export("*", "", "./lib")),
                "main": module(Import("A", "./mid", "A"), alias("X", n("A"))),
            },
            "lib#A",
            id="a star",
        ),
        pytest.param(
            {
                "lib": module(A, Export("*", "", "./mid")),
                "mid": module(Export("*", "", "./lib")),
                "main": module(Import("A", "./mid", "A"), alias("X", n("A"))),
            },
            "lib#A",
            id="stars in a circle",
        ),
        pytest.param(
            {
                "lib": module(A),
                "mid": module(OTHER, Export("*", "", "./lib")),
                "main": module(Import("A", "./mid", "A"), alias("X", n("A"))),
            },
            "mid#A",
            id="an explicit export before a star",
        ),
        pytest.param(
            {
                "lib": module(A),
                "mid": module(Export("z", "*", "./lib")),
                "main": module(Import("z", "./mid", "z"), alias("X", n("z.A"))),
            },
            "lib#A",
            id="a star with a name",
        ),
        pytest.param(
            {
                "lib": module(namespace("N", A, exported=False), Export("=", "N")),
                "main": module(Import("A", "./lib", "A"), alias("X", n("A"))),
            },
            "lib#N.A",
            id="a named import from export =",
        ),
        pytest.param(
            {
                "lib": module(namespace("N", A, exported=False), Export("=", "N")),
                "main": module(Import("L", "./lib", "="), alias("X", n("L.A"))),
            },
            "lib#N.A",
            id="import = require",
        ),
        pytest.param(
            {
                "lib": module(namespace("N", A, exported=False), Export("=", "N")),
                "main": module(Import("L", "./lib", "default"), alias("X", n("L.A"))),
            },
            "lib#N.A",
            id="a default import of export =",
        ),
        pytest.param(
            {
                "main": module(
                    namespace("N", namespace("M", A)),
                    Import("B", "", "N.M.A"),
                    alias("X", n("B")),
                )
            },
            "main#N.M.A",
            id="an import alias",
        ),
        pytest.param(
            {"lib": script(ambient("fs", A)), "main": module(alias("X", Named(("A",), (), "fs")))},
            '"fs"#A',
            id="an import type of an ambient module",
        ),
        pytest.param(
            {
                "lib": script(ambient("fs", A)),
                "main": module(Import("A", "node:fs", "A"), alias("X", n("A"))),
            },
            '"fs"#A',
            id="the node: prefix",
        ),
        pytest.param(
            {
                "lib": script(ambient("*.css", A)),
                "main": module(Import("A", "./x.css", "A"), alias("X", n("A"))),
            },
            None,
            id="a relative name matches no pattern of another folder",
        ),
        pytest.param(
            {
                "lib": script(ambient("*.css", A)),
                "main": module(Import("A", "theme/x.css", "A"), alias("X", n("A"))),
            },
            '"*.css"#A',
            id="a pattern",
        ),
        pytest.param(
            {"lib": script(A), "main": module(alias("X", n("A")))}, "global#A", id="a script"
        ),
        pytest.param(
            {"lib": module(global_scope(A)), "main": module(alias("X", n("A")))},
            "global#A",
            id="declare global",
        ),
        pytest.param(
            {
                "lib": module(A, Export("Lib", "export as namespace")),
                "main": script(alias("X", n("Lib.A"))),
            },
            "lib#A",
            id="a UMD global",
        ),
        pytest.param(
            {
                "lib": module(A),
                "main": module(const("A", STRING), Export("*", "", "./lib"), alias("X", n("A"))),
            },
            None,
            id="a value is no type, and a star brings nothing into scope",
        ),
        pytest.param(
            {"main": module(Import("A", "./gone", "A"), alias("X", n("A")))},
            None,
            id="a missing module",
        ),
    ],
)
def test_a_type_name_means(files: dict[str, object], expected: str | None) -> None:
    program = Files(**files)  # type: ignore[arg-type]
    scope = "global" if expected == "lib#A" and "Lib" in repr(files) else "main"
    body = program.body(f"{scope}#X")
    if expected is None:
        assert isinstance(body, Named)
    else:
        assert body == Reference(expected)


def test_inner_names_hide_outer_ones_of_the_same_meaning() -> None:
    files = Files(
        main=module(
            A,
            namespace("N", const("A", STRING), alias("X", n("A"))),
            namespace("M", A, alias("X", n("A"))),
        )
    )
    assert files.body("main#N.X") == Reference("main#A")
    assert files.body("main#M.X") == Reference("main#M.A")


def test_namespaces_of_two_statements_see_each_other() -> None:
    files = Files(main=module(namespace("N", A), namespace("N", alias("X", n("A")))))
    assert files.body("main#N.X") == Reference("main#N.A")
    found = files.get("main#N")
    assert found is not None
    assert found.members == (("A", "main#N.A"), ("X", "main#N.X"))


def test_two_circles_of_stars_that_share_a_module_both_find_the_name() -> None:
    files = Files(
        top=module(Export("*", "", "./side"), Export("*", "", "./lib")),
        side=module(Export("*", "", "./top")),
        lib=module(A),
        main=module(
            Import("A", "./top", "A"),
            Import("B", "./side", "A"),
            alias("X", n("A")),
            alias("Y", n("B")),
        ),
    )
    assert files.body("main#X") == Reference("lib#A")
    assert files.body("main#Y") == Reference("lib#A")


def test_an_alias_may_hide_the_name_it_begins_with() -> None:
    inner = Scope(
        "namespace",
        imports=(Import("N", "", "N.M"),),
        declarations=(alias("X", n("N.A")),),
    )
    files = Files(
        main=module(
            namespace("N", namespace("M", A)),
            DeclarationStatement("namespace", "P", 1, body=inner, exported=True),
        )
    )
    assert files.body("main#P.X") == Reference("main#N.M.A")


def test_an_augmentation_adds_to_the_module_it_names() -> None:
    files = Files(
        lib=module(A),
        mid=module(Export("*", "", "./lib")),
        main=module(
            Import("A", "./lib", "A"),
            ambient("./lib", interface("A", ("more", NUMBER)), interface("New", ("x", n("A")))),
        ),
        far=module(ambient("./mid", interface("A", ("far", NUMBER)))),
    )
    assert set(files.properties("lib#A")) == {"a", "more", "far"}
    assert files.properties("lib#New") == {"x": Reference("lib#A")}


def test_an_augmentation_of_export_equals_adds_to_its_namespace() -> None:
    files = Files(
        lib=module(const("_", n("_.S")), namespace("_", interface("S")), Export("=", "_")),
        main=module(ambient("./lib", interface("S", ("chunk", VOID)))),
    )
    assert files.properties("lib#_.S") == {"chunk": VOID}
    assert files.value("lib#_") == Reference("lib#_.S")


def test_an_augmentation_hides_no_module_that_another_file_finds() -> None:
    files = Files(
        [("lib", "far")],
        lib=module(A),
        far=module(ambient("lib", interface("B"))),
        main=module(Import("A", "lib", "A"), alias("X", n("A"))),
    )
    assert files.body("main#X") == Reference("lib#A")


def test_typeof_is_split_into_declaration_and_path() -> None:
    files = Files(
        lib=module(namespace("N", const("c", n("A"))), const("d", STRING)),
        main=module(
            Import("L", "./lib", "*"),
            alias("X", TypeOf(n("L.N.c.p.q"))),
            alias("Y", TypeOf(n("L.d"))),
            alias("Z", TypeOf(n("L"))),
            alias("I", TypeOf(Named((), (), "./lib"))),
        ),
    )
    assert files.body("main#X") == TypeOf(Reference("lib#N.c"), ("p", "q"))
    assert files.body("main#Y") == TypeOf(Reference("lib#d"))
    assert files.body("main#Z") == TypeOf(Reference("lib#"))
    assert files.body("main#I") == TypeOf(Reference("lib#"))


def test_a_module_is_a_declaration_with_its_exports_as_members() -> None:
    files = Files(
        lib=module(A, Export("*", "", "./far"), Export("far", "*", "./far")),
        far=module(func("f", VOID), const("hidden", VOID, exported=False)),
    )
    found = files.get("lib#")
    assert found is not None
    assert found.members == (("A", "lib#A"), ("f", "far#f"), ("far", "far#"))


def test_enum_members_are_declarations() -> None:
    one = Literal("number", "1")
    enum = DeclarationStatement(
        "enum", "E", 1, exported=True, enum_members=(EnumMember("One", one, 1),)
    )
    files = Files(main=module(enum, alias("X", n("E.One")), alias("Y", n("E"))))
    assert files.body("main#X") == Reference("main#E.One")
    assert files.body("main#Y") == Reference("main#E")
    assert files.body("main#E.One") == one
    found = files.get("main#E")
    assert found is not None
    assert found.members == (("One", "main#E.One"),)


def test_the_global_array_is_an_array_and_one_of_its_own_is_not() -> None:
    files = Files(
        lib=script(interface("Array")),
        main=module(alias("X", n("Array", STRING)), alias("Y", n("ReadonlyArray", STRING))),
        own=module(interface("Array"), alias("X", n("Array", STRING))),
    )
    assert files.body("main#X") == Array(STRING)
    assert files.body("main#Y") == Array(STRING, readonly=True)
    assert files.body("own#X") == Reference("own#Array", (STRING,))


def test_symbols_and_private_members_know_where_they_were_declared() -> None:
    members = Object(
        (
            Property("@?s", STRING),
            Property("hidden", STRING, visibility="private"),
            Property("shown", STRING),
        )
    )
    files = Files(
        main=module(
            const("s", UniqueSymbol()),
            DeclarationStatement("class", "C", 1, type=members, exported=True),
        )
    )
    assert files.value("main#s") == UniqueSymbol("main#s")
    body = files.body("main#C")
    assert isinstance(body, Object)
    owners = {item.name: item.owner for item in body.properties}
    assert owners == {"@@main#s": "", "hidden": "main#C", "shown": ""}


def test_the_body_of_a_type_that_the_compiler_computes() -> None:
    files = Files(lib=script(alias("Uppercase", n("intrinsic"))))
    assert files.body("global#Uppercase") is Intrinsic("intrinsic")


def test_a_class_may_extend_a_constant() -> None:
    files = Files(
        main=module(
            const("Base", Object()),
            DeclarationStatement(
                "class", "C", 1, type=Object(), extends=(n("Base"),), exported=True
            ),
        )
    )
    found = files.get("main#C")
    assert found is not None
    assert found.extends == (TypeOf(Reference("main#Base")),)


@pytest.mark.parametrize(
    ("before", "after", "same"),
    [
        pytest.param(A, interface("A", ("changed", NUMBER)), True, id="its members"),
        pytest.param(A, interface("B", ("a", STRING)), False, id="its name"),
    ],
)
def test_bindings_tell_whether_a_change_elsewhere_matters(
    before: DeclarationStatement, after: DeclarationStatement, same: bool
) -> None:
    main = module(Import("A", "./lib", "A"), alias("X", n("A")))
    old = Files(lib=module(before), main=main).program.bindings("main")
    new = Files(lib=module(after), main=main).program.bindings("main")
    assert (old == new) is same


def test_missing_imports_are_counted() -> None:
    files = Files(
        a=module(Import("x", "gone", "x")),
        b=module(Import("x", "gone", "x"), Import("A", "a", "*")),
    )
    assert files.program.unresolved() == {"gone": 2}


def test_interfaces_merge_in_order_of_declaration() -> None:
    files = Files(
        b=script(interface("A", ("b", STRING))),
        a=script(interface("A", ("a", STRING))),
    )
    assert list(files.properties("global#A")) == ["a", "b"]


def test_a_function_and_its_namespace_are_one_declaration() -> None:
    files = Files(
        main=module(func("f", VOID), func("f", STRING), namespace("f", const("x", NUMBER)))
    )
    found = files.get("main#f")
    assert found is not None
    assert found.kind == "function"
    assert found.members == (("x", "main#f.x"),)
    assert isinstance(found.value, Object)
    assert [call.returns for call in found.value.calls] == [VOID, STRING]
