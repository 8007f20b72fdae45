"""What a module's text declares."""

from __future__ import annotations

import sys
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from typematch.ir.module import DeclarationStatement, Export, Import, Module
from typematch.ir.render import render
from typematch.ir.type_parts import Property
from typematch.ir.types import UNANNOTATED, UNDEFINED, Named, Object, Tuple
from typematch.sources.typescript import read_module


def read(text: str, path: str = "a.d.ts") -> Module:
    module = read_module(text.encode(), path=path)
    assert module.errors == 0
    return module


def only(text: str, path: str = "a.d.ts") -> DeclarationStatement:
    (declared,) = read(text, path).scope.declarations
    return declared


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("const a = 1", "1", id="a constant keeps its literal"),
        pytest.param("let a = 1", "number", id="a variable is widened"),
        pytest.param("const a = -1n", "-1n", id="bigint"),
        pytest.param("const a = new Map<string, X>()", "Map<string, X>", id="new"),
        pytest.param("const a = b.c", "typeof b.c", id="a plain name"),
        pytest.param(
            "const a = f()", 'CallResult<typeof f, [], "constant">', id="a call is computed later"
        ),
        pytest.param("const a = [1, 'x'] as const", 'readonly [1, "x"]', id="as const"),
        pytest.param("let a = [1, [true], 2]", "(number | boolean[])[]", id="array"),
        pytest.param("let a = [1, f()]", "_", id="array with a call"),
        pytest.param("let a = []", "_", id="empty array"),
        pytest.param("const a = { b: 1, c: 'x' }", "{ b: number; c: string }", id="object"),
        pytest.param(
            "const a = { b: { c: 1 } } as const", "{ readonly b: { readonly c: 1 } }", id="frozen"
        ),
        pytest.param("const a = <T>(x: T) => 1", "<T>(x: T) => number", id="arrow function"),
        pytest.param(
            "const a = async (x = 1) => f(x)",
            "(x?: number) => Promise<Awaited<ReturnType<typeof f>>>",
            id="async",
        ),
        pytest.param(
            "const a = function () { return new B() }", "() => B", id="function expression"
        ),
        pytest.param("const a = function () { g() }", "() => void", id="no result"),
        pytest.param("const a: readonly X[] | null = b", "readonly X[] | null", id="annotation"),
    ],
)
def test_initialisers(text: str, expected: str) -> None:
    declared = only(text, "a.ts")
    assert declared.value is not None
    assert render(declared.value) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("function f<T>(a: T, ...b: T[]): a is X", "<T>(a: T, ...b: T[]) => a is X"),
        (
            "function f(this: X, {a}: Y,\n b /* c */ = 1): asserts b",
            "(this: X, {a}: Y, b = 1) => asserts b",
        ),
        ("function f(a)", "(a) => _"),
        ("const f: (a: A) => B", "(a: A) => B"),
    ],
)
def test_overloads_keep_their_text(text: str, expected: str) -> None:
    assert only(text).overloads[0].text == expected


def test_a_class_has_an_instance_and_a_static_side() -> None:
    declared = only(
        """
        export declare abstract class C<T> extends D.E<T> implements I {
            private constructor(readonly a: string, protected b?: T);
            static make(): C<string>;
            get v(): string; set v(value: string | number);
            #p; [key: string]: unknown; ["x y"]: 1; [Symbol.iterator](): T; [s]: 2;
            m(a: string): void; m(a: number): void;
        }"""
    )
    assert declared.type is not None
    assert declared.value is not None
    assert render(declared.type, names=(("T",),)) == (
        "{ [key: string]: unknown; #p: _; [s]: 2; [Symbol.iterator](): T; readonly a: string; "
        "b?: T; m(a: string): void; m(a: number): void; get v(): string; "
        'set v(value: string | number); "x y": 1 }'
    )
    assert render(declared.value, names=(("T",),)) == (
        "{ new (a: string, b?: T): this; make(): C<string> }"
    )
    kinds = {(member.kind, member.name, member.visibility) for member in declared.members}
    assert ("constructor", "constructor", "private") in kinds
    assert ("property", "b", "protected") in kinds
    assert declared.abstract
    assert declared.exported
    assert len(next(member for member in declared.members if member.name == "m").overloads) == 2


def test_a_class_expression_is_a_class_by_the_name_of_its_constant() -> None:
    declared = only("export const Box = class Inner<T> { get(): T { throw 1 } };", "a.ts")
    assert (declared.kind, declared.name) == ("class", "Box")
    assert declared.text == "const Box = class Inner<T>"
    assert [(member.kind, member.name) for member in declared.members] == [("method", "get")]


def test_utf_16_with_its_mark_is_read() -> None:
    text = "export declare const wide: '€';"
    for encoded in (text.encode("utf-16"), b"\xfe\xff" + text.encode("utf-16-be")):
        [declared] = read_module(encoded, path="a.d.ts").scope.declarations
        assert declared.text == "const wide: '€'"


def test_the_implementation_behind_overloads_cannot_be_called() -> None:
    text = "function f(a: string): 1; function f(a: any) { return 1 }"
    assert [item.overloads[0].text for item in read(text, "a.ts").scope.declarations] == [
        "(a: string) => 1"
    ]


def test_enums_count() -> None:
    text = 'enum E { A, B = 1 << 3, C, D = "x", F = A | B, G = f(), H = `t` }'
    expected = {"A": "0", "B": "8", "C": "9", "D": "x", "F": "8", "G": None, "H": "t"}
    assert enum_values(text, "a.ts") == expected
    assert enum_values(f"declare const {text}", "a.ts") == expected


def test_in_a_declared_enum_nobody_knows_what_stands_without_a_value() -> None:
    text = "enum E { A, B = 1, C, D = B | 4 }"
    expected = {"A": None, "B": "1", "C": None, "D": "5"}
    assert enum_values(f"declare {text}", "a.ts") == expected
    assert enum_values(f"export {text}") == expected


def enum_values(text: str, path: str = "a.d.ts") -> dict[str, str | None]:
    return {item.name: getattr(item.value, "text", None) for item in only(text, path).enum_members}


def test_imports_and_exports() -> None:
    module = read(
        """/// <reference types="node" />
        import d, { a as b, type c } from "m"; import * as n from "n"; import r = require("r");
        import q = A.B; export * from "o"; export * as p from "p"; export { b as x };
        export type * from "t";
        export { default as y } from "z"; export = q.r; export as namespace N;
        type I = import("i").J<string>;"""
    )
    assert module.is_module
    assert module.specifiers == ("types:node", "m", "n", "r", "o", "p", "t", "z", "i")
    assert module.scope.imports == (
        Import("d", "m", "default"), Import("b", "m", "a"), Import("c", "m", "c"),
        Import("n", "n", "*"),
        Import("r", "r", "="), Import("q", "", "A.B"),
    )  # fmt: skip
    assert module.scope.exports == (
        Export("*", "", "o"), Export("p", "*", "p"), Export("x", "b"), Export("*", "", "t"),
        Export("y", "default", "z"), Export("=", "q.r"), Export("N", "export as namespace"),
    )  # fmt: skip


@pytest.mark.parametrize("end", ["", ";"])
def test_a_required_module_is_exported_by_the_import_itself(end: str) -> None:
    # The grammar has no `export` before `import x = require()`.
    module = read(
        f"""export import a = require('a'){end}
        import b = require("b"){end}
        export import type c = require("c"){end}
        export import d = a.D{end}"""
    )
    assert (module.is_module, module.errors) == (True, 0)
    assert module.specifiers == ("a", "b", "c")
    assert module.scope.imports == (
        Import("a", "a", "=", True), Import("b", "b", "="), Import("c", "c", "=", True),
        Import("d", "", "a.D", True),
    )  # fmt: skip


def test_an_augmentation_names_a_module_and_a_script_declares_one() -> None:
    text = 'declare module "m" { interface A {} }'
    assert read(f"{text} export {{}}").specifiers == ("m",)
    assert read(text).specifiers == ()


@pytest.mark.parametrize(
    ("text", "path", "exported"),
    [
        pytest.param("export const a: 1; const b: 2;", "a.d.ts", ["a", "b"], id="ambient: all"),
        pytest.param("const b: 2; export {}", "a.d.ts", [], id="unless it says itself"),
        pytest.param("const b: 2; export default b", "a.d.ts", [], id="an assignment says so too"),
        pytest.param("export const a = 1; const b = 2;", "a.ts", ["a"], id="code: what is marked"),
        pytest.param("const b: 2;", "a.d.ts", [], id="a script exports nothing"),
    ],
)
def test_what_is_exported(text: str, path: str, exported: list[str]) -> None:
    assert [item.name for item in read(text, path).scope.declarations if item.exported] == exported


def test_scopes() -> None:
    scope = read(
        """declare module "m" { global { var g: 1 } function f(): void; }
        declare global { interface Array<T> { x: T } }
        declare namespace A.B { const c: 1 } export {}"""
    ).scope
    ambient, outer = scope.scopes
    assert (ambient.kind, ambient.name, outer.kind) == ("ambient", "m", "global")
    assert [item.name for item in ambient.scopes[0].declarations] == ["g"]
    (a,) = scope.declarations
    assert a.body is not None
    b = a.body.declarations[0]
    assert b.body is not None
    assert (a.name, b.name, b.exported, b.body.declarations[0].name) == ("A", "B", True, "c")


def test_default_exports_have_names() -> None:
    for text in (
        "export default function (): void;",
        "export default class {}",
        "export default 1",
    ):
        declared = only(text, "a.ts")
        assert (declared.name, declared.default, declared.exported) == ("default", True, False)
    assert only("export default function f(): void", "a.d.ts").name == "f"


def test_docs() -> None:
    declared = only(
        """/** Splits. It {@link X splits} well.
         * @deprecated use g
         * @param a what
         */
        export function f(a: string): void"""
    )
    assert declared.doc is not None
    assert declared.doc.summary == "Splits."
    assert declared.doc.text == "Splits. It splits well."
    assert declared.doc.deprecated == "use g"
    assert declared.doc.tags == (("param", "a what"),)


@pytest.mark.parametrize(
    "text",
    [
        "interface A<in out T, out U = never> {}",
        "interface A { (a: string): void\n  // more\n  <T>(b: T): T\n  (c: 1): 2 }",
        "type A = import('./types.ts').F<B, C> | typeof import('m').x",
        "type A = [...import('m').B]",
        "declare function f(using: U, static: V): void",
        "interface A { abstract?: boolean; static?: 1 }",
        "type A = { [K in keyof readonly any[]]?: boolean }",
        "type A = { [K in keyof B]? : B[K] }",
        "type A = [new: B, ...symbol: C[]] | [D, number?: E]",
        "declare function f(...names: (typeof undefined | string)[]): void",
        "declare const a: string.email | object.module",
        "declare const type: 1; export { type, type as interface }",
        "type A = `a\\n${B}\\``",
        "export default function (): void",
    ],
)
def test_gaps_of_the_grammar_are_closed(text: str) -> None:
    module = read(text)
    assert module.scope.declarations
    assert not module.errors


def test_keywords_that_are_names_keep_their_names() -> None:
    declared = only("type A = [new: B, symbol: C, rest: typeof undefined, last: string.email]")
    assert isinstance(declared.type, Tuple)
    assert [element.label for element in declared.type.elements[:2]] == ["new", "symbol"]
    assert declared.type.elements[2].type is UNDEFINED
    assert declared.type.elements[3].type == Named(("string", "email"))


def test_members_run_on_lines_are_all_read() -> None:
    declared = only("interface A { (a: string): void\n // more\n <T>(b: T): T\n (c: 1): 2 }")
    assert [item.text for item in declared.members[0].overloads] == [
        "(a: string) => void", "<T>(b: T) => T", "(c: 1) => 2",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "type A = " + "[" * 10_000 + "]" * 10_000,
        "const a = " + "[" * 10_000 + "]" * 10_000 + " as const",
        "const a = " + "(" * 10_000 + "1" + ")" * 10_000,
        "type A = " + "{a:" * 10_000,
        "namespace A {" * 10_000,
        "enum E { A = " + "(" * 10_000 + "1" + ")" * 10_000 + "}",
    ],
)
def test_deep_nesting_is_bounded(text: str) -> None:
    assert read_module(text.encode(), path="a.ts").unreadable == ""


def test_unreadable_files_say_so() -> None:
    assert read_module(b"\0\1\2", path="a.ts").unreadable == "binary file"
    assert read_module(b"", path="a.ts").scope.declarations == ()
    assert read_module(b'export type A = "\xff"', path="a.ts").scope.declarations[0].name == "A"


def test_what_is_whole_in_a_broken_file_is_read() -> None:
    module = read_module(b"export const b: string;\nexport type = @;", path="a.d.ts")
    assert module.errors
    assert "b" in [item.name for item in module.scope.declarations]


@given(st.binary(max_size=60) | st.text("{}[]()<>=>:;,.?|&`'\"ab/*@ \n").map(str.encode))
def test_no_text_raises(text: bytes) -> None:
    read_module(text, path="a.ts")
    read_module(b"export type A = " + text, path="a.d.ts")


def test_properties_without_type_are_unannotated() -> None:
    declared = only("interface A { b; c? }")
    assert declared.type is not None
    assert list(getattr(declared.type, "properties", ())) == [
        Property("b", UNANNOTATED), Property("c", UNANNOTATED, True),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            "export const { a, b: c, d = 1 }: T",
            {"a": 'T["a"]', "c": 'T["b"]', "d": 'Exclude<T["d"], undefined>'},
            id="an object pattern",
        ),
        pytest.param(
            "export const { a: { b, ...c }, ...d }: T",
            {"b": 'T["a"]["b"]', "c": 'Omit<T["a"], "b">', "d": 'Omit<T, "a">'},
            id="nested, with rest",
        ),
        pytest.param("const { 'a-b': c, [d]: e }: T", {"c": 'T["a-b"]', "e": "_"}, id="keys"),
        pytest.param(
            "const [a, , b, ...c]: T",
            {"a": "T[0]", "b": "T[2]", "c": "T[number][]"},
            id="an array pattern",
        ),
        pytest.param("const [a, ...b]: [1, 2, 3]", {"a": "1", "b": "[2, 3]"}, id="a tuple"),
        pytest.param("const [a]: string[]", {"a": "string"}, id="an array"),
        pytest.param("const { a } = b.c", {"a": "typeof b.c.a"}, id="of a plain name"),
        pytest.param(
            "const { a } = { a: () => 1, b: 2 }", {"a": "() => number"}, id="of a literal"
        ),
        pytest.param("const { a } = f()", {"a": "_"}, id="of a call"),
    ],
)
def test_names_that_a_pattern_binds(text: str, expected: dict[str, str]) -> None:
    declared = read(text, "a.ts").scope.declarations
    assert {
        statement.name: statement.value and render(statement.value) for statement in declared
    } == expected


def test_five_thousand_names_in_a_pattern() -> None:
    names = [f"n{number}" for number in range(5_000)]
    declared = read(f"export const {{ {', '.join(names)} }}: T").scope.declarations
    assert [statement.name for statement in declared] == names
    assert all(statement.exported for statement in declared)


@pytest.mark.parametrize(
    ("parameter", "name"),
    [
        ("{ host, port = 80 }: Options", "{ host, port }"),
        ("{ host: name, port: number = 80 }: Options", "{ host: name, port: number }"),
        ("{ 'x-y': z, e: { g }, ...rest }: Options", "{}"),
        ("{ a, b, c, d, e, f }: Options", "{ a, b, c, d, e }"),
        ("[first, , second = 2, [third]]: string[]", "[first, second]"),
        ("...[first, second]: string[]", "[first, second]"),
        ("{}: Options", "{}"),
        ("...rest: string[]", "rest"),
    ],
)
def test_a_destructured_parameter_is_named_by_its_pattern(parameter: str, name: str) -> None:
    declared = only(f"export declare function f({parameter}): void;")
    assert isinstance(declared.value, Object)
    assert [read.name for read in declared.value.calls[0].parameters] == [name]


def test_a_type_parameter_called_type_is_tested_in_a_conditional_type() -> None:
    text = """
        export type A<
          s extends string,
          type extends string = B<s>,
        > =
          | (type extends "a" ? 1 : never)
          | (type extends "b" ? 2 : never);
        export function f(): void {}
    """
    module = read_module(text.encode(), path="a.ts")
    assert module.errors == 0
    assert [declared.name for declared in module.scope.declarations] == ["A", "f"]
    type_ = module.scope.declarations[0].type
    assert type_ is not None
    assert type_.loose_depth == 1


def test_the_key_of_a_mapped_type_may_be_called_type() -> None:
    text = "export type A<T> = { [type in keyof T]: T[type] };\nexport function f(): void {}"
    module = read_module(text.encode(), path="a.ts")
    assert module.errors == 0
    assert [declared.name for declared in module.scope.declarations] == ["A", "f"]


def test_threads_parse_at_once() -> None:
    text = b"export interface A { a: string; b(x: number): Promise<string[]> }\n" * 1_000
    expected = read_module(text, path="a.ts")
    modules: list[Module] = []
    threads = [
        threading.Thread(target=lambda: modules.append(read_module(text, path="a.ts")))
        for _ in range(4)
    ]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert modules == [expected] * len(threads)
