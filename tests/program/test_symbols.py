"""Name resolution."""

from __future__ import annotations

import pytest

from program.modules import (
    ProgramFiles,
    alias,
    ambient,
    const,
    func,
    global_scope,
    interface,
    module,
    named,
    namespace,
    script,
)
from typematch.ir.module import DeclarationStatement, EnumMember, Export, Import, Scope
from typematch.ir.type_parts import Property
from typematch.ir.types import (
    NUMBER,
    STRING,
    VOID,
    Array,
    Intrinsic,
    Literal,
    Named,
    Object,
    Reference,
    TypeOf,
    UniqueSymbol,
)

A = interface("A", ("a", STRING))
OTHER = interface("A", ("other", STRING))


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        pytest.param({"main": module(A, alias("X", named("A")))}, "main#A", id="the same file"),
        pytest.param(
            {"lib": module(A), "main": module(Import("A", "./lib", "A"), alias("X", named("A")))},
            "lib#A",
            id="an import",
        ),
        pytest.param(
            {"lib": module(A), "main": module(Import("B", "./lib", "A"), alias("X", named("B")))},
            "lib#A",
            id="an import under another name",
        ),
        pytest.param(
            {"lib": module(A), "main": module(Import("L", "./lib", "*"), alias("X", named("L.A")))},
            "lib#A",
            id="a namespace import",
        ),
        pytest.param(
            {
                "lib": module(DeclarationStatement("interface", "A", 1, type=A.type, default=True)),
                "main": module(Import("D", "./lib", "default"), alias("X", named("D"))),
            },
            "lib#A",
            id="a default import",
        ),
        pytest.param(
            {
                "lib": module(
                    DeclarationStatement("interface", "A", 1, type=A.type), Export("default", "A")
                ),
                "main": module(Import("D", "./lib", "default"), alias("X", named("D"))),
            },
            "lib#A",
            id="a default export clause",
        ),
        pytest.param(
            {
                "lib": module(A),
                "mid": module(Export("B", "A", "./lib")),
                "main": module(Import("B", "./mid", "B"), alias("X", named("B"))),
            },
            "lib#A",
            id="a re-export under another name",
        ),
        pytest.param(
            {
                "lib": module(A),
                "mid": module(Export("*", "", "./lib")),
                "main": module(Import("A", "./mid", "A"), alias("X", named("A"))),
            },
            "lib#A",
            id="export star",
        ),
        pytest.param(
            {
                "lib": module(A, Export("*", "", "./mid")),
                "mid": module(Export("*", "", "./lib")),
                "main": module(Import("A", "./mid", "A"), alias("X", named("A"))),
            },
            "lib#A",
            id="an export cycle",
        ),
        pytest.param(
            {
                "lib": module(A),
                "mid": module(OTHER, Export("*", "", "./lib")),
                "main": module(Import("A", "./mid", "A"), alias("X", named("A"))),
            },
            "mid#A",
            id="an explicit export has precedence over a star",
        ),
        pytest.param(
            {
                "lib": module(A),
                "mid": module(Export("z", "*", "./lib")),
                "main": module(Import("z", "./mid", "z"), alias("X", named("z.A"))),
            },
            "lib#A",
            id="export star as a namespace",
        ),
        pytest.param(
            {
                "lib": module(namespace("N", A, exported=False), Export("=", "N")),
                "main": module(Import("A", "./lib", "A"), alias("X", named("A"))),
            },
            "lib#N.A",
            id="a named import from export =",
        ),
        pytest.param(
            {
                "lib": module(namespace("N", A, exported=False), Export("=", "N")),
                "main": module(Import("L", "./lib", "="), alias("X", named("L.A"))),
            },
            "lib#N.A",
            id="import = require",
        ),
        pytest.param(
            {
                "lib": module(namespace("N", A, exported=False), Export("=", "N")),
                "main": module(Import("L", "./lib", "default"), alias("X", named("L.A"))),
            },
            "lib#N.A",
            id="a default import of export =",
        ),
        pytest.param(
            {
                "main": module(
                    namespace("N", namespace("M", A)),
                    Import("B", "", "N.M.A"),
                    alias("X", named("B")),
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
                "main": module(Import("A", "node:fs", "A"), alias("X", named("A"))),
            },
            '"fs"#A',
            id="the node: prefix",
        ),
        pytest.param(
            {
                "lib": script(ambient("*.css", A)),
                "main": module(Import("A", "./x.css", "A"), alias("X", named("A"))),
            },
            None,
            id="a relative name matches no pattern of another folder",
        ),
        pytest.param(
            {
                "lib": script(ambient("*.css", A)),
                "main": module(Import("A", "theme/x.css", "A"), alias("X", named("A"))),
            },
            '"*.css"#A',
            id="a pattern",
        ),
        pytest.param(
            {"lib": script(A), "main": module(alias("X", named("A")))}, "global#A", id="a script"
        ),
        pytest.param(
            {"lib": module(global_scope(A)), "main": module(alias("X", named("A")))},
            "global#A",
            id="declare global",
        ),
        pytest.param(
            {
                "lib": module(A, Export("Lib", "export as namespace")),
                "main": script(alias("X", named("Lib.A"))),
            },
            "lib#A",
            id="a UMD global",
        ),
        pytest.param(
            {
                "lib": module(A),
                "main": module(
                    const("A", STRING), Export("*", "", "./lib"), alias("X", named("A"))
                ),
            },
            None,
            id="values are not types and export star does not import",
        ),
        pytest.param(
            {"main": module(Import("A", "./gone", "A"), alias("X", named("A")))},
            None,
            id="a missing module",
        ),
    ],
)
def test_target_of_a_type_name(files: dict[str, object], expected: str | None) -> None:
    program = ProgramFiles(**files)  # type: ignore[arg-type]
    scope = "global" if expected == "lib#A" and "Lib" in repr(files) else "main"
    body = program.body(f"{scope}#X")
    if expected is None:
        assert isinstance(body, Named)
    else:
        assert body == Reference(expected)


def test_inner_names_shadow_outer_names_of_the_same_meaning() -> None:
    files = ProgramFiles(
        main=module(
            A,
            namespace("N", const("A", STRING), alias("X", named("A"))),
            namespace("M", A, alias("X", named("A"))),
        )
    )
    assert files.body("main#N.X") == Reference("main#A")
    assert files.body("main#M.X") == Reference("main#M.A")


def test_merged_namespaces_share_a_scope() -> None:
    files = ProgramFiles(main=module(namespace("N", A), namespace("N", alias("X", named("A")))))
    assert files.body("main#N.X") == Reference("main#N.A")
    declaration = files.get("main#N")
    assert declaration is not None
    assert declaration.members == (("A", "main#N.A"), ("X", "main#N.X"))


def test_a_module_in_two_export_cycles_resolves_the_name() -> None:
    files = ProgramFiles(
        top=module(Export("*", "", "./side"), Export("*", "", "./lib")),
        side=module(Export("*", "", "./top")),
        lib=module(A),
        main=module(
            Import("A", "./top", "A"),
            Import("B", "./side", "A"),
            alias("X", named("A")),
            alias("Y", named("B")),
        ),
    )
    assert files.body("main#X") == Reference("lib#A")
    assert files.body("main#Y") == Reference("lib#A")


def test_an_import_alias_may_shadow_its_first_segment() -> None:
    inner = Scope(
        "namespace",
        imports=(Import("N", "", "N.M"),),
        declarations=(alias("X", named("N.A")),),
    )
    files = ProgramFiles(
        main=module(
            namespace("N", namespace("M", A)),
            DeclarationStatement("namespace", "P", 1, body=inner, exported=True),
        )
    )
    assert files.body("main#P.X") == Reference("main#N.M.A")


def test_an_augmentation_adds_to_its_module() -> None:
    files = ProgramFiles(
        lib=module(A),
        mid=module(Export("*", "", "./lib")),
        main=module(
            Import("A", "./lib", "A"),
            ambient("./lib", interface("A", ("more", NUMBER)), interface("New", ("x", named("A")))),
        ),
        far=module(ambient("./mid", interface("A", ("far", NUMBER)))),
    )
    assert set(files.properties("lib#A")) == {"a", "more", "far"}
    assert files.properties("lib#New") == {"x": Reference("lib#A")}


def test_an_augmentation_of_export_equals_adds_to_the_namespace() -> None:
    files = ProgramFiles(
        lib=module(const("_", named("_.S")), namespace("_", interface("S")), Export("=", "_")),
        main=module(ambient("./lib", interface("S", ("chunk", VOID)))),
    )
    assert files.properties("lib#_.S") == {"chunk": VOID}
    assert files.value("lib#_") == Reference("lib#_.S")


def test_an_augmentation_does_not_shadow_an_installed_module() -> None:
    files = ProgramFiles(
        [("lib", "far")],
        lib=module(A),
        far=module(ambient("lib", interface("B"))),
        main=module(Import("A", "lib", "A"), alias("X", named("A"))),
    )
    assert files.body("main#X") == Reference("lib#A")


def test_typeof_has_a_declaration_and_a_path() -> None:
    files = ProgramFiles(
        lib=module(namespace("N", const("c", named("A"))), const("d", STRING)),
        main=module(
            Import("L", "./lib", "*"),
            alias("X", TypeOf(named("L.N.c.p.q"))),
            alias("Y", TypeOf(named("L.d"))),
            alias("Z", TypeOf(named("L"))),
            alias("I", TypeOf(Named((), (), "./lib"))),
        ),
    )
    assert files.body("main#X") == TypeOf(Reference("lib#N.c"), ("p", "q"))
    assert files.body("main#Y") == TypeOf(Reference("lib#d"))
    assert files.body("main#Z") == TypeOf(Reference("lib#"))
    assert files.body("main#I") == TypeOf(Reference("lib#"))


def test_a_module_is_a_declaration_whose_members_are_its_exports() -> None:
    files = ProgramFiles(
        lib=module(A, Export("*", "", "./far"), Export("far", "*", "./far")),
        far=module(func("f", VOID), const("hidden", VOID, exported=False)),
    )
    declaration = files.get("lib#")
    assert declaration is not None
    assert declaration.members == (("A", "lib#A"), ("f", "far#f"), ("far", "far#"))


def test_enum_members_are_declarations() -> None:
    one = Literal("number", "1")
    enum = DeclarationStatement(
        "enum", "E", 1, exported=True, enum_members=(EnumMember("One", one, 1),)
    )
    files = ProgramFiles(main=module(enum, alias("X", named("E.One")), alias("Y", named("E"))))
    assert files.body("main#X") == Reference("main#E.One")
    assert files.body("main#Y") == Reference("main#E")
    assert files.body("main#E.One") == one
    declaration = files.get("main#E")
    assert declaration is not None
    assert declaration.members == (("One", "main#E.One"),)


def test_only_the_global_array_becomes_an_array_type() -> None:
    files = ProgramFiles(
        lib=script(interface("Array")),
        main=module(alias("X", named("Array", STRING)), alias("Y", named("ReadonlyArray", STRING))),
        own=module(interface("Array"), alias("X", named("Array", STRING))),
    )
    assert files.body("main#X") == Array(STRING)
    assert files.body("main#Y") == Array(STRING, readonly=True)
    assert files.body("own#X") == Reference("own#Array", (STRING,))


def test_symbols_and_private_members_get_the_key_of_their_declaration() -> None:
    members = Object(
        (
            Property("@?s", STRING),
            Property("hidden", STRING, visibility="private"),
            Property("shown", STRING),
        )
    )
    files = ProgramFiles(
        main=module(
            const("s", UniqueSymbol()),
            DeclarationStatement("class", "C", 1, type=members, exported=True),
        )
    )
    assert files.value("main#s") == UniqueSymbol("main#s")
    body = files.body("main#C")
    assert isinstance(body, Object)
    owners = {property_.name: property_.owner for property_ in body.properties}
    assert owners == {"@@main#s": "", "hidden": "main#C", "shown": ""}


def test_intrinsic_alias_bodies() -> None:
    files = ProgramFiles(lib=script(alias("Uppercase", named("intrinsic"))))
    assert files.body("global#Uppercase") is Intrinsic("intrinsic")


def test_the_base_of_a_class_is_a_value_even_where_a_type_has_its_name() -> None:
    files = ProgramFiles(
        lib=script(DeclarationStatement("class", "Error", 1, type=Object())),
        main=module(
            alias("Error", named("never")),
            DeclarationStatement(
                "class", "C", 2, type=Object(), extends=(named("Error"),), exported=True
            ),
        ),
    )
    declaration = files.get("main#C")
    assert declaration is not None
    assert declaration.extends == (TypeOf(Reference("global#Error")),)


def test_a_class_may_extend_a_constant() -> None:
    files = ProgramFiles(
        main=module(
            const("Base", Object()),
            DeclarationStatement(
                "class", "C", 1, type=Object(), extends=(named("Base"),), exported=True
            ),
        )
    )
    declaration = files.get("main#C")
    assert declaration is not None
    assert declaration.extends == (TypeOf(Reference("main#Base")),)


@pytest.mark.parametrize(
    ("before", "after", "same"),
    [
        pytest.param(A, interface("A", ("changed", NUMBER)), True, id="a member changed"),
        pytest.param(A, interface("B", ("a", STRING)), False, id="a name changed"),
    ],
)
def test_the_resolution_digest_changes_with_the_names_that_a_file_uses(
    before: DeclarationStatement, after: DeclarationStatement, same: bool
) -> None:
    main = module(Import("A", "./lib", "A"), alias("X", named("A")))
    old = ProgramFiles(lib=module(before), main=main).program.resolution_digest("main")
    new = ProgramFiles(lib=module(after), main=main).program.resolution_digest("main")
    assert (old == new) is same


def test_interfaces_merge_in_order_of_declaration() -> None:
    files = ProgramFiles(
        b=script(interface("A", ("b", STRING))),
        a=script(interface("A", ("a", STRING))),
    )
    assert list(files.properties("global#A")) == ["a", "b"]


def test_a_function_and_its_namespace_are_one_declaration() -> None:
    files = ProgramFiles(
        main=module(func("f", VOID), func("f", STRING), namespace("f", const("x", NUMBER)))
    )
    declaration = files.get("main#f")
    assert declaration is not None
    assert declaration.kind == "function"
    assert declaration.members == (("x", "main#f.x"),)
    assert isinstance(declaration.value, Object)
    assert [call.returns for call in declaration.value.calls] == [VOID, STRING]
