"""Under which names packages show what they declare."""

from __future__ import annotations

import pytest

from program.modules import Files, ambient, const, func, interface, module, n, namespace, script
from typematch.ir.module import DeclarationStatement, Export, Import, Member, Module
from typematch.ir.types import NUMBER, STRING, VOID, Intersection, Object, Signature, TypeOf
from typematch.program.exports import Exports, PackageEntryPoints

F = func("f", VOID)


def exports(files: dict[str, Module], *packages: PackageEntryPoints) -> Exports:
    """Return the exports of packages; a file belongs to the package before the first underscore."""
    return Exports(Files(**files).program, packages, lambda file: file.partition("_")[0])


P = PackageEntryPoints("p", "1", ((".", "p"),))


@pytest.mark.parametrize(
    ("files", "key", "name", "statement"),
    [
        pytest.param({"p": module(F)}, "p#f", "f", 'import { f } from "p"', id="named"),
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
            id="by default",
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
            {"p": module(Export("=", "_"), const("_", n("_.S")), namespace("_", interface("S")))},
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
        pytest.param({"p": script(F)}, "global#f", "f", "", id="global"),
        pytest.param(
            {"p": module(Export("x", "", "")), "p_in": module(F)}, "p_in#f", "f", "", id="internal"
        ),
    ],
)
def test_a_declaration_is_found_as(
    files: dict[str, Module], key: str, name: str, statement: str
) -> None:
    place = exports(files, P).place(key)
    assert (place.package, place.name) == ("p", name)
    assert place.import_statement(name) == statement
    assert place.exported is (bool(statement) or key.startswith("global"))


def test_the_second_entry_point_is_part_of_the_name_and_the_first_wins() -> None:
    packages = PackageEntryPoints("p", "", ((".", "p"), ("./testing", "p_testing")))
    found = exports(
        {
            "p": module(F),
            "p_testing": module(Export("f", "f", "./p"), func("g", VOID)),
        },
        packages,
    )
    assert found.place("p#f").name == "f"
    assert found.place("p#f").aliases == ("testing:f",)
    only = found.place("p_testing#g")
    assert only.name == "testing:g"
    assert only.import_statement("testing:g") == 'import { g } from "p/testing"'


def test_a_declaration_goes_by_the_package_that_holds_it() -> None:
    files = {"p": module(Export("*", "", "./q"), Export("*", "", "./types_q")),
             "q": module(F), "types_q": module(func("g", VOID))}  # fmt: skip
    found = exports(files, P, PackageEntryPoints("q", "", ((".", "q"),)))
    assert found.place("q#f").package == "q"
    # Its own package is not indexed: it belongs to the one that shows it.
    assert found.place("types_q#g").package == "p"


def test_a_constant_shows_the_members_of_its_type_and_of_what_that_extends() -> None:
    derived = DeclarationStatement("interface", "D", 1, type=Object(), extends=(n("B"),))
    found = exports(
        {"p": module(const("c", Intersection((n("D"), TypeOf(n("other"))))), derived,
                     interface("B", exported=False), const("other", STRING))},
        P,
    )  # fmt: skip
    assert found.shown("p#D", "x").name == "c."
    assert found.shown("p#B", "x").name == "c."


def test_an_inherited_member_that_is_declared_anew_is_not_shown() -> None:
    made = interface("D", ("x", NUMBER))
    derived = DeclarationStatement(
        "interface",
        "D",
        1,
        type=made.type,
        extends=(n("B"),),
        members=(Member("property", "x", NUMBER, 1),),
    )
    found = exports(
        {"p": module(const("c", n("D")), derived, interface("B"), const("d", n("B")))}, P
    )
    assert found.shown("p#B", "x").name == "B#"
    assert found.shown("p#B", "y").name == "c."


def test_what_a_constant_constructs_is_an_instance_of_it() -> None:
    makes = Object(constructs=(Signature((), n("I")),))
    found = exports({"p": module(const("C", makes), interface("I", exported=False))}, P)
    assert found.shown("p#I").name == "C#"


def test_namespaces_in_a_circle_end() -> None:
    found = exports(
        {"p": module(F, Export("self", "*", "./p"), Import("me", "./p", "*"), Export("me", "me"))},
        P,
    )
    assert found.place("p#f").name == "f"


def test_own_code_without_entry_points_shows_what_its_files_export() -> None:
    found = exports(
        {"app": module(F), "app_b": module(F, func("hidden", VOID, exported=False))},
        PackageEntryPoints("app", "", (), own=True),
    )
    assert found.place("app#f").exported
    assert (found.place("app_b#f").name, found.place("app_b#f").exported) == ("f~2", True)
    assert not found.place("app_b#hidden").exported


def test_a_digest_changes_with_the_names_of_a_file() -> None:
    inner = module(F)
    one = exports({"p": module(Export("f", "f", "./p_in")), "p_in": inner}, P)
    two = exports({"p": module(Export("g", "f", "./p_in")), "p_in": inner}, P)
    again = exports({"p": module(Export("f", "f", "./p_in")), "p_in": inner}, P)
    assert one.digest("p_in") == again.digest("p_in") != two.digest("p_in")
