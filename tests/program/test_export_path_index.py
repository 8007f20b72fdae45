"""Export paths, import statements and export digests."""

from __future__ import annotations

import pytest

from program.modules import (
    ProgramFiles,
    alias,
    ambient,
    const,
    func,
    interface,
    module,
    named,
    namespace,
    script,
)
from typematch.ir.module import DeclarationStatement, Export, Import, Member, Module
from typematch.ir.type_parts import Signature
from typematch.ir.types import NUMBER, STRING, VOID, Intersection, Object, TypeOf
from typematch.package_names import project_module
from typematch.program.export_path_index import ExportPathIndex
from typematch.program.export_paths import ExportForm, ExportPath
from typematch.program.package_walk import PackageEntryPoints

F = func("f", VOID)


def path_index(files: dict[str, Module], *packages: PackageEntryPoints) -> ExportPathIndex:
    """Return the export paths of packages; the part of a file name before ``_`` is its package."""
    return ExportPathIndex(
        ProgramFiles(**files).program, packages, lambda file: file.partition("_")[0]
    )


P = PackageEntryPoints("p", "1", ((".", "p"),))


@pytest.mark.parametrize(
    ("module", "specifier"),
    [
        ("lodash", "lodash"),
        ("@types/d3-scale", "d3-scale"),
        ("@types/babel__core/lib", "@babel/core/lib"),
        ("three/src/math/MathUtils.d.ts", "three/src/math/MathUtils.js"),
        ("p/x.d.mts", "p/x.mjs"),
        ("p/words.ts", "p/words.ts"),
    ],
)
def test_what_code_imports(module: str, specifier: str) -> None:
    path = ExportPath("p", "f", module=module, form="named")
    assert path.import_statement("f") == f'import {{ f }} from "{specifier}"'


@pytest.mark.parametrize(
    ("files", "key", "name", "statement"),
    [
        pytest.param({"p": module(F)}, "p#f", "f", 'import { f } from "p"', id="a named export"),
        pytest.param(
            {"p": module(Export("*", "", "./p_in")), "p_in": module(F)},
            "p_in#f",
            "f",
            'import { f } from "p"',
            id="through a barrel",
        ),
        pytest.param(
            {"p": module(Export("z", "*", "./p_in")), "p_in": module(F)},
            "p_in#f",
            "z.f",
            'import { z } from "p"',
            id="in a namespace",
        ),
        pytest.param(
            {"p": module(func("g", VOID, exported=False, default=True))},
            "p#g",
            "default",
            'import p from "p"',
            id="a default export",
        ),
        pytest.param(
            {"p": module(Export("=", "e"), func("e", VOID), namespace("e", F))},
            "p#e.f",
            "e.f",
            'import { f } from "p"',
            id="in the namespace of export =",
        ),
        pytest.param(
            {"p": module(Export("=", "e"), func("e", VOID))},
            "p#e",
            "e",
            'import e from "p"',
            id="export = itself",
        ),
        pytest.param(
            {"p": module(Export("=", "export="), const("export=", NUMBER))},
            "p#export=",
            "export=",
            'import p from "p"',
            id="export = of a value without a name",
        ),
        pytest.param(
            {
                "p": module(
                    Export("=", "_"), const("_", named("_.S")), namespace("_", interface("S"))
                )
            },
            "p#_.S",
            "S",
            'import { S } from "p"',
            id="a type beside an exported constant",
        ),
        pytest.param(
            {"p": script(ambient("fs", F), ambient("node:fs", Export("*", "", "fs")))},
            '"fs"#f',
            "fs:f",
            'import { f } from "fs"',
            id="in an ambient module",
        ),
        pytest.param(
            {"p": script(ambient("p", F), ambient("p/sub", Export("g", "f", "p")))},
            '"p"#f',
            "f",
            'import { f } from "p"',
            id="in an ambient module of the package's own name",
        ),
        pytest.param(
            {"p": script(ambient("p/sub", F))},
            '"p/sub"#f',
            "sub:f",
            'import { f } from "p/sub"',
            id="in an ambient module of a subpath",
        ),
        pytest.param(
            {"p": module(func("function", VOID))},
            "p#function",
            "function",
            'import { function as function_ } from "p"',
            id="a reserved word",
        ),
        pytest.param({"p": script(F)}, "global#f", "f", "", id="a global"),
        pytest.param(
            {"p": module(Export("x", "", "")), "p_in": module(F)},
            "p_in#f",
            "f",
            "",
            id="an internal declaration",
        ),
    ],
)
def test_name_and_import_statement(
    files: dict[str, Module], key: str, name: str, statement: str
) -> None:
    path = path_index(files, P).path(key)
    assert (path.package, path.name) == ("p", name)
    assert path.import_statement(name) == statement
    assert path.exported is (bool(statement) or key.startswith("global"))


@pytest.mark.parametrize(
    ("module", "local"),
    [("p-limit", "pLimit"), ("delete", "delete_"), ("*.module.css", "moduleCss"), ("2d", "_2d")],
)
def test_a_default_export_is_imported_under_a_name_made_of_its_module(
    module: str, local: str
) -> None:
    path = ExportPath("p", f"{module}:default", module, module, "default")
    assert path.import_statement(path.name) == f'import {local} from "{module}"'


@pytest.mark.parametrize(
    ("declared", "local"),
    [("Link", "Link"), ("default", "link"), ("Anchor", "link"), ("l", "link")],
)
def test_a_default_import_has_the_declared_spelling_of_its_module(
    declared: str, local: str
) -> None:
    module = "next/link"
    path = ExportPath("next", "link:default", "link", module, "default", declared=declared)
    assert path.import_statement(path.name) == f'import {local} from "{module}"'


@pytest.mark.parametrize(
    ("package", "name", "form", "is_main"),
    [
        ("p-limit", "default", "default", True),
        ("p-limit", "pLimit", "named", True),
        ("@scope/p-limit", "PLimit", "named", True),
        ("escape-html", "escape", "equals", True),
        ("csv-stringify", "stringify", "named", True),
        ("csv-stringify", "csv", "named", False),
        ("csv-stringify", "ify", "named", False),
        ("p-limit", "pLimit", "internal", False),
        ("p", "p.p", "named", False),
        ("p", "p#p", "named", False),
    ],
)
def test_the_main_export_of_a_package(
    package: str, name: str, form: ExportForm, is_main: bool
) -> None:
    assert ExportPath(package, name, form=form).is_main is is_main
    assert not ExportPath(package, f"sub:{name}", "sub", form=form).is_main


def test_names_behind_a_subpath_are_prefixed_and_the_main_entry_point_has_precedence() -> None:
    packages = PackageEntryPoints("p", "", ((".", "p"), ("./testing", "p_testing")))
    index = path_index(
        {
            "p": module(F),
            "p_testing": module(Export("f", "f", "./p"), func("g", VOID)),
        },
        packages,
    )
    assert index.path("p#f").name == "f"
    assert index.path("p#f").aliases == ("testing:f",)
    only = index.path("p_testing#g")
    assert only.name == "testing:g"
    assert only.import_statement("testing:g") == 'import { g } from "p/testing"'


def test_a_second_subpath_of_one_file_gives_aliases() -> None:
    packages = PackageEntryPoints("p", "", ((".", "p"), ("./a", "p_a"), ("./b", "p_a")))
    index = path_index({"p": module(F), "p_a": module(func("g", VOID))}, packages)
    path = index.path("p_a#g")
    assert (path.name, path.aliases) == ("a:g", ("b:g",))


def test_static_members_of_an_exported_class_are_imported_by_their_own_names() -> None:
    made = DeclarationStatement("class", "K", 1, type=Object(), value=Object())
    index = path_index({"p": module(Export("=", "K"), made)}, P)
    path = index.value_path("p#K")
    assert (path.name, path.aliases) == ("K.", ("",))


def test_a_module_as_default_export_leaves_its_members_their_own_names() -> None:
    files = {
        "p": module(
            Export("default", "in_"), Import("in_", "./p_in", "*"), Export("*", "", "./p_in")
        ),
        "p_in": module(F),
    }
    path = path_index(files, P).path("p_in#f")
    assert (path.name, path.aliases) == ("f", ("default.f",))


def test_a_second_name_of_a_namespace_gives_aliases() -> None:
    files = {
        "p": module(
            Import("Pattern", "./p_in", "*"), Export("Pattern", "Pattern"), Export("P", "Pattern")
        ),
        "p_in": module(F, Export("self", "", "./p_in")),
    }
    path = path_index(files, P).path("p_in#f")
    assert {path.name, *path.aliases} == {"P.f", "Pattern.f"}


def test_a_declaration_without_path_has_the_other_names_that_modules_export_it_by() -> None:
    schema = interface("Schema")
    files = {
        "p": module(Import("x", "q", "*")),
        "q": module(schema, Export("Schema", "Schema"), Export("Kind", "Schema")),
        "q_in": module(Export("Form", "Schema", "q"), Export("default", "Schema", "q")),
    }
    path = path_index(files, P).path("q#Schema")
    assert (path.exported, path.name, path.aliases) == (False, "Schema", ("Kind", "Form"))


def test_members_of_a_constant_that_a_module_reexports_are_imported_by_their_own_names() -> None:
    interface_type = interface("I", ("chunk", NUMBER))
    files = {
        "p": module(
            Export("chunk", "chunk", "./in"),
            Export("piece", "chunk", "./in"),
            Export("part", "zip", "./in"),
            Import("c", "./in", "default"),
            Export("default", "c"),
        ),
        "in": module(Export("=", "c"), const("c", named("I"), exported=False), interface_type),
    }
    index = path_index(files, P)
    path = index.member_path("in#I", "chunk")
    assert (path.name, path.aliases) == ("", ("default.",))
    assert path.import_statement("chunk") == 'import { chunk } from "p"'
    assert path.other_names("chunk") == ("piece",)
    assert index.value_path("in#c", "chunk").name == ""
    # What is not re-exported by its own name is a member of the default export.
    assert index.member_path("in#I", "zip").name == "default."


def test_exports_beside_an_export_assignment_are_imported_by_their_own_names() -> None:
    files = {
        "p": module(Import("m", "./in", "="), Export("=", "m")),
        "in": module(
            Export("=", "c"),
            const("c", NUMBER, exported=False),
            Export("Data", "Data"),
            interface("Data", exported=False),
        ),
    }
    index = path_index(files, P)
    assert index.path("in#c").import_statement("c") == 'import c from "p"'
    path = index.path("in#Data")
    assert (path.name, path.import_statement("Data")) == ("Data", 'import { Data } from "p"')


def test_a_declaration_belongs_to_the_package_that_declares_it_if_that_is_indexed() -> None:
    files = {"p": module(Export("*", "", "./q"), Export("*", "", "./types_q")),
             "q": module(F), "types_q": module(func("g", VOID))}  # fmt: skip
    index = path_index(files, P, PackageEntryPoints("q", "", ((".", "q"),)))
    assert index.path("q#f").package == "q"
    # Its own package is not indexed, so the package that re-exports it names it.
    assert index.path("types_q#g").package == "p"


def test_ambient_modules_and_globals_belong_to_the_package_that_declares_them() -> None:
    # ``q`` is a dependency of ``p`` and not indexed itself.
    files = {"p": module(Import("", "", "./q")), "q": script(ambient("fs", F), func("g", VOID))}
    index = path_index(files, P)
    assert index.path('"fs"#f').package == "q"
    assert index.path("global#g").package == "q"


def test_a_constant_exports_the_members_of_its_type_and_of_its_bases() -> None:
    derived = DeclarationStatement("interface", "D", 1, type=Object(), extends=(named("B"),))
    index = path_index(
        {"p": module(const("c", Intersection((named("D"), TypeOf(named("other"))))), derived,
                     interface("B", exported=False), const("other", STRING))},
        P,
    )  # fmt: skip
    assert index.member_path("p#D", "x").name == "c."
    assert index.member_path("p#B", "x").name == "c."


def test_a_redeclared_inherited_member_is_not_exported_by_a_constant() -> None:
    made = interface("D", ("x", NUMBER))
    derived = DeclarationStatement(
        "interface",
        "D",
        1,
        type=made.type,
        extends=(named("B"),),
        members=(Member("property", "x", NUMBER, 1),),
    )
    index = path_index(
        {"p": module(const("c", named("D")), derived, interface("B"), const("d", named("B")))}, P
    )
    assert index.member_path("p#B", "x").name == "B#"
    assert index.member_path("p#B", "y").name == "c."


def _class(name: str, base: str, *members: str, exported: bool = True) -> DeclarationStatement:
    return DeclarationStatement(
        "class",
        name,
        1,
        type=Object(),
        extends=(named(base),) if base else (),
        members=tuple(Member("property", member, NUMBER, 1) for member in members),
        exported=exported,
    )


def test_an_exported_class_exports_the_members_of_its_internal_bases() -> None:
    index = path_index(
        {"p": module(_class("Map", "Camera", "pan"), _class("Camera", "Evented", exported=False),
                     _class("Evented", "", exported=False))},
        P,
    )  # fmt: skip
    path = index.member_path("p#Camera", "fly")
    assert path.name == index.member_path("p#Evented", "on").name == "Map#"
    assert path.import_statement("Map#fly") == 'import { Map } from "p"'
    assert index.member_path("p#Camera", "pan").name == "Camera#"  # redeclared
    assert not index.path("p#Camera").exported


def test_a_second_class_with_an_internal_base_gives_aliases() -> None:
    index = path_index(
        {"p": module(_class("B", "Base"), _class("A", "Base"), _class("Base", "", exported=False))},
        P,
    )
    path = index.member_path("p#Base", "x")
    assert (path.name, path.aliases) == ("B#", ("A#",))


def test_an_exported_alias_exports_the_members_of_an_internal_type() -> None:
    index = path_index(
        {"p": module(alias("Transporter", named("Mail", NUMBER)),
                     _class("Mail", "Evented", "send", exported=False),
                     _class("Evented", "", "on", exported=False))},
        P,
    )  # fmt: skip
    path = index.member_path("p#Mail", "send")
    assert path.name == index.member_path("p#Evented", "on").name == "Transporter#"
    assert path.import_statement("Transporter#send") == 'import { Transporter } from "p"'
    assert not index.path("p#Mail").exported


def test_a_class_with_an_internal_base_gives_the_name_before_an_alias() -> None:
    index = path_index(
        {"p": module(alias("A", named("Base")), _class("B", "Base"),
                     _class("Base", "", exported=False))},
        P,
    )  # fmt: skip
    path = index.member_path("p#Base", "x")
    assert (path.name, path.aliases) == ("B#", ("A#",))


def test_circular_aliases_of_internal_types_terminate() -> None:
    index = path_index(
        {"p": module(alias("A", named("B")), alias("B", named("C"), exported=False),
                     alias("C", named("B"), exported=False))},
        P,
    )  # fmt: skip
    assert index.member_path("p#C").name == "A#"


def test_members_of_an_exported_base_have_its_name() -> None:
    index = path_index({"p": module(_class("Map", "Camera"), _class("Camera", ""))}, P)
    assert index.member_path("p#Camera", "fly").name == "Camera#"


def test_a_long_chain_of_internal_bases_is_followed_to_a_limit() -> None:
    chain = [_class(f"B{n}", f"B{n + 1}", exported=False) for n in range(5_000)]
    index = path_index({"p": module(_class("C", "B0"), *chain)}, P)
    assert index.member_path("p#B50").name == "C#"
    assert index.member_path("p#B4000").name == "B4000#"


def test_circular_internal_bases_terminate() -> None:
    index = path_index(
        {"p": module(_class("C", "A"), _class("A", "B", exported=False),
                     _class("B", "A", exported=False))},
        P,
    )  # fmt: skip
    assert index.member_path("p#B").name == "C#"


def test_members_of_what_a_constant_constructs_are_its_instance_members() -> None:
    makes = Object(constructs=(Signature((), named("I")),))
    index = path_index({"p": module(const("C", makes), interface("I", exported=False))}, P)
    assert index.member_path("p#I").name == "C#"


def test_circular_namespaces_terminate() -> None:
    index = path_index(
        {"p": module(F, Export("self", "*", "./p"), Import("me", "./p", "*"), Export("me", "me"))},
        P,
    )
    assert index.path("p#f").name == "f"


def test_a_project_without_entry_points_exports_what_its_files_export() -> None:
    index = path_index(
        {"app": module(F), "app_b": module(F, func("hidden", VOID, exported=False))},
        PackageEntryPoints("app", "", (), own=True),
    )
    assert index.path("app#f").exported
    assert (index.path("app_b#f").name, index.path("app_b#f").exported) == ("f~2", True)
    assert not index.path("app_b#hidden").exported


@pytest.mark.parametrize(
    ("file", "module"),
    [
        ("shop/src/model.ts", "./src/model"),
        ("@my/shop/src/index.tsx", "./src"),
        ("shop/index.ts", "./index"),
        ("shop~2/src/model.d.ts", "./src/model"),
        ("shop/src/model.mts", "./src/model.mjs"),
        ("shop/src/model.d.cts", "./src/model.cjs"),
    ],
)
def test_a_file_of_a_project_is_imported_from_the_folder_of_its_package(
    file: str, module: str
) -> None:
    assert project_module(file) == module


def test_a_declaration_of_a_project_is_imported_as_its_files_export_it() -> None:
    files = {
        "app_a": module(
            func("encode", VOID, exported=False),
            func("pear", VOID, exported=False),
            Export("shown", "encode", ""),
            Export("default", "pear", ""),
        ),
        "app_b": module(F, Export("models", "*", "./app_c")),
        "app_c": module(func("g", VOID), func("f", VOID)),
    }
    index = path_index(files, PackageEntryPoints("app", "", (), own=True))
    paths = [index.path(key) for key in ("app_a#encode", "app_a#pear", "app_c#g")]
    assert [path.import_statement(path.name) for path in paths] == [
        'import { shown } from "./app_a"',
        'import pear from "./app_a"',
        'import { models } from "./app_b"',
    ]
    assert not paths[1].is_main


def test_an_import_statement_has_no_number_of_a_name() -> None:
    path = ExportPath("app", "f~2", module="./b", form="named")
    assert path.import_statement(path.name) == 'import { f } from "./b"'


def test_the_export_digest_changes_with_the_names_of_a_file() -> None:
    inner = module(F)
    first = path_index({"p": module(Export("f", "f", "./p_in")), "p_in": inner}, P)
    second = path_index({"p": module(Export("g", "f", "./p_in")), "p_in": inner}, P)
    again = path_index({"p": module(Export("f", "f", "./p_in")), "p_in": inner}, P)
    assert (
        first.export_digest("p_in") == again.export_digest("p_in") != second.export_digest("p_in")
    )
