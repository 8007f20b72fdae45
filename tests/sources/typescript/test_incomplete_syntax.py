"""Texts that tree-sitter repairs: any child may be missing, and the rest is read."""

from __future__ import annotations

import pytest

from typematch.ir.module import Module
from typematch.ir.types import UNREADABLE, Literal
from typematch.program.resolution.module_summary import ModuleSummary, summarize_module
from typematch.program.resolution.symbols import Program
from typematch.sources.typescript import read_module

_REST = "\nexport interface Rest { a: string }\nexport declare function rest(): Rest;\n"

# The first three are the smallest found by mutation.
_BROKEN = [
    "interface M{c:W<M,,>",
    "class",
    "import{?}from''",
    "import {, a as} from 'm';",
    "import * as from 'm';",
    "import a = require();",
    "export {?} from 'm';",
    "export * as from 'm';",
    "export default class extends {}",
    "class A extends {}",
    "class A<T extends> { constructor( }",
    "interface { a: 1 }",
    "interface A<> { <T,,>(): ; new (; [k: string]: }",
    "enum { A }",
    "enum E { = 1, , A = -, B = E[] }",
    "namespace { const a = 1 }",
    "namespace A. { const a = 1 }",
    "declare module { }",
    "const = 1;",
    "const a = < >b, b = as const, c = ! , d = new ;",
    "type A = typeof ;",
    "type A = infer ;",
    "type A<T> = T extends infer ? 1 : ;",
    "type A = | & ;",
    "type A = keyof ;",
    "type A = readonly ;",
    "type A = B<,>;",
    "type A = [a: , ...];",
    "type A = `${}`;",
    "type A = { [K in ]: 1; readonly [] : 2; a?: ; get : 1 };",
    "type A = (x: ) => x is ;",
    "type A = (x) => asserts ;",
    "type A = abstract new ;",
]


def resolved(module: Module) -> Program:
    """Return the program of one file, summarized as it is stored, and with its names resolved."""
    text = summarize_module(module).to_json()
    text.encode("utf-8")
    program = Program({"a.ts": ModuleSummary.from_json(text)}, lambda _specifier, _file: None)
    program.resolution_digest("a.ts")
    program.fragments("a.ts", module)
    return program


@pytest.mark.parametrize("path", ["a.ts", "a.d.ts", "a.tsx"])
@pytest.mark.parametrize("text", _BROKEN)
def test_a_broken_statement_costs_no_other(text: str, path: str) -> None:
    module = read_module((_REST + text).encode(), path=path)
    assert module.errors > 0
    assert [declared.name for declared in module.scope.declarations][:2] == ["Rest", "rest"]
    resolved(module)


@pytest.mark.parametrize("text", _BROKEN)
def test_a_broken_statement_alone(text: str) -> None:
    module = read_module(text.encode(), path="a.d.ts")
    assert module.errors > 0
    resolved(module)


def test_a_missing_type_argument_is_unreadable() -> None:
    module = read_module(b"interface M{c:W<M,,>", path="a.d.ts")
    (member,) = module.scope.declarations[0].members
    assert UNREADABLE in member.type.arguments  # type: ignore[attr-defined]


def test_a_missing_part_leaves_no_type_parameters_behind() -> None:
    text = b"interface A<T> { m<U>(x: infer ): U; n: U; o: T }"
    (declared,) = read_module(text, path="a.d.ts").scope.declarations
    kinds = {member.name: type(member.type).__name__ for member in declared.members}
    assert kinds["o"] == "Var"
    assert kinds["n"] == "Named"


def test_names_with_lone_surrogates_can_be_stored() -> None:
    text = (
        b'export interface A { "\\ud800": "\\ud800"; b: `${string}\\udfff` }\n'
        b'import { "\\ud800" as x } from "./\\u{dfff}";\n'
        b'export { x as "\\ud800" };\n'
        b'export enum E { "\\udc00" = "\\udc00" }\n'
        b'declare module "\\ud800" { export const y: import("\\ud800").Z }\n'
        b'export const pair: "\\ud83d\\ude00";\n'
    )
    module = read_module(text, path="a.ts")
    resolved(module)
    names = [member.name for member in module.scope.declarations[0].members]
    assert names == ["\\ud800", "b"]
    assert module.specifiers == ("./\\udfff", "\\ud800")
    assert repr(module.scope.declarations).encode("utf-8")
    assert module.scope.declarations[2].value == Literal("string", "\U0001f600")
