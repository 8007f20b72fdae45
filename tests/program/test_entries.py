"""What a person can find in a file, tried on TypeScript text."""

from __future__ import annotations

import pytest

from program.modules import Files
from typematch.ir.entry import Entry
from typematch.ir.render import render
from typematch.ir.types import NUMBER, STRING, Array, Reference, Var
from typematch.program.entries import entries_of
from typematch.program.exports import Exports, PackageEntryPoints
from typematch.sources.typescript import read_module

LIBRARY = """
interface Promise<T> { then(f: (value: T) => void): void }
interface PromiseLike<T> { then(f: (value: T) => void): void }
interface Array<T> { length: number }
interface Function { call(this: Function): any }
"""


def entries(text: str, **others: str) -> dict[str, Entry]:
    """Return the entries of ``text``, the main file of package p, by qualified name."""
    texts = {"lib": LIBRARY, "p": text, **others}
    modules = {
        file: read_module(source.encode(), path=f"{file}.d.ts") for file, source in texts.items()
    }
    files = Files(**modules)
    packages = (
        PackageEntryPoints("lib", "", ((".", "lib"),)),
        PackageEntryPoints("p", "1.2.3", ((".", "p"),)),
    )
    exports = Exports(files.program, packages, lambda file: "lib" if file == "lib" else "p")
    found = [
        entry
        for file, module in modules.items()
        if file != "lib"
        for entry in entries_of(file, module, exports, files)
    ]
    assert len({entry.id for entry in found}) == len(found)
    return {entry.id.removeprefix("p#"): entry for entry in found}


def test_a_function() -> None:
    found = entries(
        "/** Cuts.\n * @deprecated use slice */\n"
        "export declare function cut<T extends object = {}>(xs: T[], size?: number): T[][];"
    )["cut"]
    assert (found.kind, found.id, found.version, found.line) == ("function", "p#cut", "1.2.3", 3)
    assert found.signature == "<T extends object = {}>(xs: T[], size?: number) => T[][]"
    assert (found.min_arity, found.max_arity) == (1, 2)
    assert found.deprecated
    assert found.import_statement == 'import { cut } from "p"'
    (signature,) = found.signatures
    assert [(item.name, item.type, item.optional) for item in signature.parameters] == [
        ("xs", "T[]", False),
        ("size", "number", True),
    ]
    assert signature.returns == "T[][]"
    assert signature.type_parameters == (("T", "object", "{}"),)


def test_overloads_are_signatures_of_one_entry() -> None:
    found = entries(
        "export declare function f(a: string): string;\n"
        "export declare function f(a: string, ...rest: number[]): number;"
    )
    assert list(found) == ["f"]
    entry = found["f"]
    assert [signature.text for signature in entry.signatures] == [
        "(a: string) => string",
        "(a: string, ...rest: number[]) => number",
    ]
    assert (entry.min_arity, entry.max_arity) == (1, None)
    assert entry.signatures[1].max_arity is None


def test_deprecated_is_what_has_no_other_overload() -> None:
    found = entries(
        "export declare function f(a: string): 1;\n"
        "/** @deprecated */ export declare function f(a: number): 1;\n"
        "/** @deprecated a */ export declare function g(a: string): 1;\n"
        "/** @deprecated b */ export declare function g(a: number): 1;\n"
        "/** @deprecated c */ export declare const h: (a: number) => 1;\n"
        "export interface I {\n/** @deprecated */ m(): 1;\n/** New. */ m(a: 1): 1;\n"
        "/** @deprecated */ p: () => void }"
    )
    assert {name for name, entry in found.items() if entry.deprecated} == {"g", "h", "I#p"}
    assert found["f"].doc is None
    described = found["I#m"].doc
    assert described is not None
    assert described.summary == "New."


def test_this_is_the_constant_that_shows_its_members() -> None:
    found = entries(
        "export interface Matcher<T> { (path: string): T }\n"
        "interface App<L> {\n"
        "  all: Matcher<this>; set(name: L): this; on(f: (app: this) => void): void\n"
        "}\n"
        "export declare const app: App<string>; export declare class C { m(): this } export {}"
    )
    shown = {name: render(one.signatures[0].type) for name, one in found.items() if one.signatures}
    assert shown["app.all"] == "(path: string) => App<string>"
    assert shown["app.set"] == "(name: string) => App<string>"
    assert shown["app.on"] == "(f: (app: App<string>) => void) => void"
    assert shown["C#m"] == "() => this"


def test_members_of_a_class() -> None:
    found = entries(
        "export declare class C<T> {\n"
        "  constructor(x: T);\n"
        "  run(y: T): void;\n"
        "  static make(): C<string>;\n"
        "  private secret(): void;\n"
        "  get size(): number;\n"
        "  callback?: (x: T) => void;\n"
        "  readonly plain: string;\n"
        "}"
    )
    kinds = {name: entry.kind for name, entry in found.items()}
    assert kinds == {
        "C": "class",
        "C#constructor": "constructor",
        "C#run": "method",
        "C.make": "method",
        "C#secret": "method",
        "C#size": "accessor",
        "C#callback": "property",
        "C#plain": "property",
    }
    assert found["C"].type == Reference("p#C", (Var(0, 0),))
    assert found["C#run"].outer == ("T",)
    assert found["C#run"].container == "C"
    assert found["C#run"].import_statement == 'import { C } from "p"'
    assert found["C.make"].static
    assert found["C.make"].outer == ()
    assert (found["C#secret"].visibility, found["C#secret"].exported) == ("private", False)
    assert found["C#callback"].signatures
    assert found["C#plain"].type == STRING
    assert found["C#plain"].readonly


@pytest.mark.parametrize(
    ("declared", "parameters", "returns"),
    [
        pytest.param("type Fn = (a: number) => string; export const f: Fn", 1, STRING, id="alias"),
        pytest.param(
            "type Fn<A> = (a: A, b: A) => A; export const f: Fn<number>", 2, NUMBER, id="generic"
        ),
        pytest.param(
            "interface Fn<A, B = A> { (a: A): B } export const f: Fn<number>",
            1,
            NUMBER,
            id="an interface with a default",
        ),
        pytest.param(
            "interface G { (a: string): number } interface Fn extends G {} export const f: Fn",
            1,
            NUMBER,
            id="an inherited call signature",
        ),
        pytest.param(
            "declare function g(a: number): string; export const f: typeof g",
            1,
            STRING,
            id="typeof",
        ),
        pytest.param(
            "declare const o: { g(a: number): string }; export const f: typeof o.g",
            1,
            STRING,
            id="typeof a member",
        ),
        pytest.param(
            "declare class K { m(a: number): string } export const f: typeof K.prototype.m",
            1,
            STRING,
            id="typeof a method",
        ),
        pytest.param(
            "interface I { m(a: number): string } export const f: I['m']",
            1,
            STRING,
            id="an indexed access",
        ),
        pytest.param(
            "type Fn = () => string; export const f: Fn | undefined", 0, STRING, id="or undefined"
        ),
        pytest.param(
            "type A = (a: string) => string; type B = (a: string, b: number) => string;"
            "export const f: A | B",
            2,
            STRING,
            id="one of two",
        ),
    ],
)
def test_a_constant_can_be_called(declared: str, parameters: int, returns: object) -> None:
    entry = entries(f"{declared}; export {{}};")["f"]
    assert entry.kind == "const"
    (signature,) = entry.signatures
    assert len(signature.parameters) == parameters
    assert signature.returned is returns


def test_a_constant_that_cannot_be_called_keeps_its_type() -> None:
    found = entries(
        "export declare const x: string; export declare const y: Loop; type Loop = Loop;"
    )
    assert (found["x"].signatures, found["x"].type) == ((), STRING)
    assert found["y"].signatures == ()


def test_signatures_found_elsewhere_may_mention_the_class_around() -> None:
    found = entries(
        "type Fn<A> = <B>(a: A, b: B) => A;\n"
        "export interface Box<T, F extends Fn<T>> {\n"
        "  map: Fn<T>; dispatch: F; self: this; (x: T): T\n"
        "}"
    )
    assert found["Box#map"].signature == "map: Fn<T>"
    (signature,) = found["Box#map"].signatures
    assert signature.text == "<U>(a: T, b: U) => T"
    assert found["Box#map"].outer == ("T", "F")
    assert found["Box#dispatch"].signatures
    assert found["Box#self"].signatures[0].text == "(x: T) => T"
    assert found["Box#()"].kind == "call"


@pytest.mark.parametrize(
    ("declared", "expected"),
    [
        pytest.param("export function f(): Promise<void>", True, id="a promise"),
        pytest.param("export function f(): PromiseLike<void>", True, id="like one"),
        pytest.param("type P<T> = Promise<T>; export function f(): P<void>", True, id="an alias"),
        pytest.param("export function f<T>(): Promise<T>", True, id="of a variable"),
        pytest.param("export function f(): Promise<void> | void", False, id="or nothing"),
        pytest.param(
            "export function f(): Promise<void>; export function f(a: 1): void",
            False,
            id="in one overload",
        ),
        pytest.param("type P = P; export function f(): P", False, id="an endless alias"),
    ],
)
def test_async(declared: str, expected: bool) -> None:
    assert entries(f"{declared}; export {{}};")["f"].is_async is expected


def test_code_of_ones_own_is_read_like_typings() -> None:
    found = entries(
        "export {}",
        own="export default class Job { #x = 1; async run(): Promise<void> {} }\n"
        "export function f(a: string): string;\n"
        "export function f(a: any): any { return a }\n",
    )
    assert {name: (entry.kind, entry.exported) for name, entry in found.items()} == {
        "Job": ("class", False),
        "Job##x": ("property", False),
        "Job#run": ("method", False),
        "f": ("function", False),
    }
    assert found["Job#run"].is_async


def test_objects_are_namespaces() -> None:
    found = entries("export declare const o: { a: { run(x: number): string }; n: number };")
    assert found["o.a.run"].kind == "method"
    assert found["o.a.run"].container == "o.a"
    assert found["o.n"].type == NUMBER


def test_types_have_entries() -> None:
    found = entries(
        "export interface I<T> { x: T }\nexport type A = string;\nexport enum E { One }\n"
        "interface Hidden { y: string } export {};"
    )
    assert {name: entry.kind for name, entry in found.items()} == {
        "I": "interface",
        "I#x": "property",
        "A": "alias",
        "E": "enum",
        "Hidden": "interface",
        "Hidden#y": "property",
    }
    assert not found["Hidden"].exported
    assert found["E"].exported


def test_a_name_shared_by_a_function_and_a_type_belongs_to_the_function() -> None:
    found = entries("export interface X { a: string }\nexport declare const X: (a: string) => X;")
    assert found["X"].kind == "const"
    assert found["X~2"].kind == "interface"


def test_a_re_export_is_no_second_entry() -> None:
    found = entries(
        "export { f, f as g } from './q'; export * as q from './q';",
        q="export declare function f(): void;",
    )
    assert list(found) == ["f"]
    assert found["f"].path == "q"
    assert found["f"].aliases == ("g", "q.f")


def test_parts_of_one_declaration_in_two_files_have_ids_of_their_own() -> None:
    found = entries(
        "export interface I { a(): void }",
        q="export {}; declare module './p' { interface I { a(x: string): void; b(): void } }",
    )
    assert {name: (entry.kind, entry.path) for name, entry in found.items()} == {
        "I": ("interface", "p"),
        "I#a": ("method", "p"),
        "I#a~2": ("method", "q"),
        "I#b": ("method", "q"),
    }


def test_symbols_are_shown_as_they_are_written() -> None:
    found = entries(
        "declare const tag: unique symbol;\n"
        "export interface I { [Symbol.iterator](): void; [tag](): void }"
    )
    assert "I#[Symbol.iterator]" in found
    assert "I#[tag]" in found


def test_predicates_and_this() -> None:
    found = entries("export declare function isText(this: number, x: unknown): x is string;")
    (signature,) = found["isText"].signatures
    assert (signature.predicate, signature.this) == ("x is string", "number")
    assert found["isText"].min_arity == 1


def test_a_required_parameter_after_an_optional_one_counts_both() -> None:
    found = entries("export declare function f(a?: string, b: number, c?: string): void;")
    assert (found["f"].min_arity, found["f"].max_arity) == (2, 3)


def test_a_constant_shows_members_with_the_arguments_of_its_type() -> None:
    found = entries(
        "interface Zero<F, A = F> { zero: () => F; all(of: A): F[] }\n"
        "interface More<T> extends Zero<T, T[]> { more: () => T }\n"
        "export declare const texts: More<string>; export {};"
    )
    for name, returned in (("zero", STRING), ("more", STRING), ("all", Array(STRING))):
        entry = found[f"texts.{name}"]
        assert entry.outer == ()
        assert entry.signatures[0].returned is returned
    (signature,) = found["texts.all"].signatures
    assert signature.parameters[0].resolved is Array(STRING)
