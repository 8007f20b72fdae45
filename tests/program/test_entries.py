"""Catalog entries of TypeScript text."""

from __future__ import annotations

import pytest

from program.modules import ProgramFiles
from typematch.ingest.file_entries import Reduction
from typematch.ir.entry import Entry
from typematch.ir.render import render
from typematch.ir.types import NUMBER, STRING, Array, Reference, Var
from typematch.program.entries import entries_of
from typematch.program.export_path_index import ExportPathIndex
from typematch.program.package_walk import PackageEntryPoints
from typematch.sources.typescript import read_module

LIBRARY = """
interface Promise<T> { then(f: (value: T) => void): void }
interface PromiseLike<T> { then(f: (value: T) => void): void }
interface Array<T> { length: number }
interface Function { call(this: Function): any }
type Partial<T> = { [P in keyof T]?: T[P] };
type Readonly<T> = { readonly [P in keyof T]: T[P] };
type ReturnType<T> = T extends (...args: any) => infer R ? R : any;
type InstanceType<T> = T extends abstract new (...args: any) => infer R ? R : any;
"""


def entries(text: str, **others: str) -> dict[str, Entry]:
    """Return the entries of ``text``, the main file of package p, by id without the package."""
    texts = {"lib": LIBRARY, "p": text, **others}
    modules = {
        file: read_module(source.encode(), path=f"{file}.d.ts") for file, source in texts.items()
    }
    files = ProgramFiles(**modules)
    packages = (
        PackageEntryPoints("lib", "", ((".", "lib"),)),
        PackageEntryPoints("p", "1.2.3", ((".", "p"),)),
    )
    path_index = ExportPathIndex(
        files.program, packages, lambda file: "lib" if file == "lib" else "p", files
    )
    listed = [
        entry
        for file, module in modules.items()
        if file != "lib"
        for entry in entries_of(file, module, path_index, files, Reduction(files).reduce)
    ]
    assert len({entry.id for entry in listed}) == len(listed)
    return {entry.id.removeprefix("p#"): entry for entry in listed}


def test_a_function_declaration() -> None:
    entry = entries(
        "/** Cuts.\n * @deprecated use slice */\n"
        "export declare function cut<T extends object = {}>(xs: T[], size?: number): T[][];"
    )["cut"]
    assert (entry.kind, entry.id, entry.version, entry.line) == (
        "function",
        "p#cut",
        "1.2.3",
        3,
    )
    assert entry.signature == "<T extends object = {}>(xs: T[], size?: number) => T[][]"
    assert (entry.min_arity, entry.max_arity) == (1, 2)
    assert entry.deprecated
    assert entry.import_statement == 'import { cut } from "p"'
    (signature,) = entry.signatures
    assert [
        (parameter.name, parameter.type, parameter.optional) for parameter in signature.parameters
    ] == [
        ("xs", "T[]", False),
        ("size", "number", True),
    ]
    assert signature.returns == "T[][]"
    assert signature.type_parameters == (("T", "object", "{}"),)


def test_overloads_are_signatures_of_one_entry() -> None:
    listed = entries(
        "export declare function f(a: string): string;\n"
        "export declare function f(a: string, ...rest: number[]): number;"
    )
    assert list(listed) == ["f"]
    entry = listed["f"]
    assert [signature.text for signature in entry.signatures] == [
        "(a: string) => string",
        "(a: string, ...rest: number[]) => number",
    ]
    assert (entry.min_arity, entry.max_arity) == (1, None)
    assert entry.signatures[1].max_arity is None


def test_a_function_is_deprecated_if_all_overloads_are() -> None:
    listed = entries(
        "export declare function f(a: string): 1;\n"
        "/** @deprecated */ export declare function f(a: number): 1;\n"
        "/** @deprecated a */ export declare function g(a: string): 1;\n"
        "/** @deprecated b */ export declare function g(a: number): 1;\n"
        "/** @deprecated c */ export declare const h: (a: number) => 1;\n"
        "export interface I {\n/** @deprecated */ m(): 1;\n/** New. */ m(a: 1): 1;\n"
        "/** @deprecated */ p: () => void }"
    )
    assert {name for name, entry in listed.items() if entry.deprecated} == {"g", "h", "I#p"}
    assert listed["f"].doc is None
    described = listed["I#m"].doc
    assert described is not None
    assert described.summary == "New."


def test_this_is_the_type_of_the_constant_that_exports_the_member() -> None:
    listed = entries(
        "export interface Matcher<T> { (path: string): T }\n"
        "interface App<L> {\n"
        "  all: Matcher<this>; set(name: L): this; on(f: (app: this) => void): void\n"
        "}\n"
        "export declare const app: App<string>; export declare class C { m(): this } export {}"
    )
    rendered = {
        name: render(entry.signatures[0].type) for name, entry in listed.items() if entry.signatures
    }
    assert rendered["app.all"] == "(path: string) => App<string>"
    assert rendered["app.set"] == "(name: string) => App<string>"
    assert rendered["app.on"] == "(f: (app: App<string>) => void) => void"
    assert rendered["C#m"] == "() => this"


def test_members_of_a_class() -> None:
    listed = entries(
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
    kinds = {name: entry.kind for name, entry in listed.items()}
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
    assert listed["C"].type == Reference("p#C", (Var(0, 0),))
    assert listed["C#run"].outer == ("T",)
    assert listed["C#run"].container == "C"
    assert listed["C#run"].import_statement == 'import { C } from "p"'
    assert listed["C.make"].static
    assert listed["C.make"].outer == ()
    assert (listed["C#secret"].visibility, listed["C#secret"].exported) == ("private", False)
    assert listed["C#callback"].signatures
    assert listed["C#plain"].type == STRING
    assert listed["C#plain"].readonly


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
            "declare namespace ns { function g(a: number): string }\n"
            'export const f: typeof ns["g"]',
            1,
            STRING,
            id="an indexed access of a namespace",
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
            "type Fn = () => string; export const f: Fn | undefined",
            0,
            STRING,
            id="a union with undefined",
        ),
        pytest.param(
            "type A = (a: string) => string; type B = (a: string, b: number) => string;"
            "export const f: A | B",
            2,
            STRING,
            id="a union of functions",
        ),
    ],
)
def test_call_signatures_of_constants(declared: str, parameters: int, returns: object) -> None:
    entry = entries(f"{declared}; export {{}};")["f"]
    assert entry.kind == "const"
    (signature,) = entry.signatures
    assert len(signature.parameters) == parameters
    assert signature.return_type is returns


def test_constants_that_are_not_callable_keep_their_type() -> None:
    listed = entries(
        "export declare const x: string; export declare const y: Loop; type Loop = Loop;"
    )
    assert (listed["x"].signatures, listed["x"].type) == ((), STRING)
    assert listed["y"].signatures == ()


def test_an_instance_does_not_have_the_calls_of_the_value_that_its_class_extends() -> None:
    listed = entries(
        "declare const Base: { (x: string): number; new (): { a: string } };\n"
        "export declare class D extends Base {}\n"
        "export declare const inst: D;"
    )
    assert listed["inst"].signatures == ()


def test_signatures_found_through_aliases_may_mention_type_parameters_of_the_container() -> None:
    listed = entries(
        "type Fn<A> = <B>(a: A, b: B) => A;\n"
        "export interface Box<T, F extends Fn<T>> {\n"
        "  map: Fn<T>; dispatch: F; self: this; (x: T): T\n"
        "}"
    )
    assert listed["Box#map"].signature == "map: Fn<T>"
    (signature,) = listed["Box#map"].signatures
    assert signature.text == "<U>(a: T, b: U) => T"
    assert listed["Box#map"].outer == ("T", "F")
    assert listed["Box#dispatch"].signatures
    assert listed["Box#self"].signatures[0].text == "(x: T) => T"
    assert listed["Box#()"].kind == "call"


@pytest.mark.parametrize(
    ("declared", "expected"),
    [
        pytest.param("export function f(): Promise<void>", True, id="a promise"),
        pytest.param("export function f(): PromiseLike<void>", True, id="a PromiseLike"),
        pytest.param("type P<T> = Promise<T>; export function f(): P<void>", True, id="an alias"),
        pytest.param("export function f<T>(): Promise<T>", True, id="a promise of a type variable"),
        pytest.param("export function f(): Promise<void> | void", False, id="a union with void"),
        pytest.param(
            "export function f(): Promise<void>; export function f(a: 1): void",
            False,
            id="in one of two overloads",
        ),
        pytest.param("type P = P; export function f(): P", False, id="an endless alias"),
    ],
)
def test_is_async(declared: str, expected: bool) -> None:
    assert entries(f"{declared}; export {{}};")["f"].is_async is expected


def test_project_source_is_listed_like_typings() -> None:
    listed = entries(
        "export {}",
        own="export default class Job { #x = 1; async run(): Promise<void> {} }\n"
        "export function f(a: string): string;\n"
        "export function f(a: any): any { return a }\n",
    )
    assert {name: (entry.kind, entry.exported) for name, entry in listed.items()} == {
        "Job": ("class", False),
        "Job##x": ("property", False),
        "Job#run": ("method", False),
        "f": ("function", False),
    }
    assert listed["Job#run"].is_async


def test_members_of_object_types_are_qualified_by_the_constant() -> None:
    listed = entries("export declare const o: { a: { run(x: number): string }; n: number };")
    assert listed["o.a.run"].kind == "method"
    assert listed["o.a.run"].container == "o.a"
    assert listed["o.n"].type == NUMBER


def test_interfaces_aliases_and_enums_are_entries() -> None:
    listed = entries(
        "export interface I<T> { x: T }\nexport type A = string;\nexport enum E { One }\n"
        "interface Hidden { y: string } export {};"
    )
    assert {name: entry.kind for name, entry in listed.items()} == {
        "I": "interface",
        "I#x": "property",
        "A": "alias",
        "E": "enum",
        "Hidden": "interface",
        "Hidden#y": "property",
    }
    assert not listed["Hidden"].exported
    assert listed["E"].exported


def test_a_callable_keeps_the_id_that_it_shares_with_a_type() -> None:
    listed = entries("export interface X { a: string }\nexport declare const X: (a: string) => X;")
    assert listed["X"].kind == "const"
    assert listed["X~2"].kind == "interface"


def test_re_exports_are_aliases_of_one_entry() -> None:
    listed = entries(
        "export { f, f as g } from './q'; export * as q from './q';",
        q="export declare function f(): void;",
    )
    assert list(listed) == ["f"]
    assert listed["f"].path == "q"
    assert listed["f"].aliases == ("g", "q.f")


def test_parts_of_a_merged_declaration_in_two_files_have_unique_ids() -> None:
    listed = entries(
        "export interface I { a(): void }",
        q="export {}; declare module './p' { interface I { a(x: string): void; b(): void } }",
    )
    assert {name: (entry.kind, entry.path) for name, entry in listed.items()} == {
        "I": ("interface", "p"),
        "I#a": ("method", "p"),
        "I#a~2": ("method", "q"),
        "I#b": ("method", "q"),
    }


def test_a_member_named_by_a_constant_has_the_text_of_the_constant() -> None:
    listed = entries(
        'import { other } from "./q";\n'
        'declare const id: "~app/Id";\n'
        "export interface I { [id](): void; [other](): void }",
        q='export declare const other: "fantasy-land/map";',
    )
    assert listed["I#~app/Id"].kind == "method"
    assert listed["I#fantasy-land/map"].kind == "method"


def test_symbol_names_are_in_brackets() -> None:
    listed = entries(
        "declare const tag: unique symbol;\n"
        "export interface I { [Symbol.iterator](): void; [tag](): void }"
    )
    assert "I#[Symbol.iterator]" in listed
    assert "I#[tag]" in listed


def test_type_predicates_and_this_parameters() -> None:
    listed = entries("export declare function isText(this: number, x: unknown): x is string;")
    (signature,) = listed["isText"].signatures
    assert (signature.predicate, signature.this) == ("x is string", "number")
    assert listed["isText"].min_arity == 1


def test_an_optional_parameter_before_a_required_one_counts_as_required() -> None:
    listed = entries("export declare function f(a?: string, b: number, c?: string): void;")
    assert (listed["f"].min_arity, listed["f"].max_arity) == (2, 3)


def test_a_rest_parameter_of_a_tuple_type_takes_its_elements() -> None:
    listed = entries(
        "type Pair<T> = readonly [augend: T, addend: T];\n"
        "type Last = [...string[], number, number];\n"
        "export declare function pair<T>(...args: Pair<T>): T;\n"
        "export declare function more(x: number, ...args: [a?: string, ...rest: number[]]): void;\n"
        "export declare function last(x: number, ...args: Last): void;\n"
        "export declare function required(...args: [number, ...Last]): void;\n"
        "export declare function open<A extends unknown[]>(x: number, ...args: A): void;"
    )
    arities = {name: (entry.min_arity, entry.max_arity) for name, entry in listed.items()}
    assert arities["pair"] == (2, 2)
    assert arities["more"] == (1, None)
    assert arities["last"] == (1, None)  # required elements after others do not count
    assert arities["required"] == (1, None)
    assert arities["open"] == (1, None)


def test_members_of_a_constant_have_its_type_arguments() -> None:
    listed = entries(
        "interface Zero<F, A = F> { zero: () => F; all(of: A): F[] }\n"
        "interface More<T> extends Zero<T, T[]> { more: () => T }\n"
        "export declare const texts: More<string>; export {};"
    )
    for name, returned in (("zero", STRING), ("more", STRING), ("all", Array(STRING))):
        entry = listed[f"texts.{name}"]
        assert entry.outer == ()
        assert entry.signatures[0].return_type is returned
    (signature,) = listed["texts.all"].signatures
    assert signature.parameters[0].resolved is Array(STRING)


IMPLICIT = """
export class Empty {}
export class Own { constructor(x: string) }
export class Generic<T> extends Empty { value: T }
export class Pair<T, U = T[]> { constructor(first: T, rest?: U) }
export class Passed<K> extends Pair<K, K | null> {}
export class Last extends Passed<string> {}
export abstract class Abstract { constructor(name: string) }
export abstract class Unmade {}
export class Concrete extends Abstract {}
export class Private { private constructor() }
export class OfPrivate extends Private {}
export class Protected { protected constructor() }
export class OfProtected extends Protected {}
interface Both { b: 1 }
interface BothConstructor { new (code: number): Both; new (code: string, options?: object): Both }
declare const Both: BothConstructor;
export class OfValue extends Both {}
type Constructor<T> = new (...args: any[]) => T;
declare function mixin<T extends Constructor<{}>>(base: T): T & Constructor<{ extra: 1 }>;
export class Mixed extends mixin(Own) {}
interface Merged extends Both {}
export class Merged extends Own {}
export class OfMissing extends Missing {}
export class OfOfMissing extends OfMissing {}
declare class Internal {}
declare class Hidden extends Own {}
export const make: typeof Hidden;
export {};
"""


@pytest.mark.parametrize(
    ("name", "signatures"),
    [
        ("Empty", ["new () => Empty"]),
        ("Own", ["new (x: string) => Own"]),
        ("Generic", ["new () => Generic<T>"]),
        ("Passed", ["new (first: K, rest?: K | null) => Passed<K>"]),
        ("Last", ["new (first: string, rest?: string | null) => Last"]),
        ("Unmade", []),
        ("Concrete", ["new (name: string) => Concrete"]),
        ("OfPrivate", []),
        ("OfProtected", []),
        (
            "OfValue",
            ["new (code: number) => OfValue", "new (code: string, options?: object) => OfValue"],
        ),
        ("Mixed", ["new (x: string) => Mixed"]),
        ("Merged", ["new (x: string) => Merged"]),
        ("OfMissing", []),
        ("OfOfMissing", []),
        ("Internal", []),
        ("make", ["new (x: string) => Hidden"]),
    ],
)
def test_a_class_without_a_constructor_has_that_of_its_base(
    name: str, signatures: list[str]
) -> None:
    entry = entries(IMPLICIT).get(f"{name}#constructor")
    found = [] if entry is None else [item.text for item in entry.signatures]
    assert found == signatures


def test_an_implicit_constructor_is_a_function_of_its_class() -> None:
    entry = entries(IMPLICIT)["Passed#constructor"]
    [signature] = entry.signatures
    assert signature.return_type == Reference("p#Passed", (Var(0, 0),))
    assert (entry.outer, entry.line, entry.exported) == (("K",), 6, True)
    assert entry.import_statement == 'import { Passed } from "p"'
    assert [parameter.type for parameter in signature.parameters] == ["K", "K | null"]


def test_a_constructor_returns_its_class() -> None:
    found = entries(
        "export declare class Plain { constructor(x: string); }\n"
        "export declare class Box<T> { constructor(x: T); }\n"
    )
    assert found["Plain#constructor"].signatures[0].return_type == Reference("p#Plain")
    [signature] = found["Box#constructor"].signatures
    assert signature.return_type == Reference("p#Box", (Var(0, 0),))
    assert found["Box#constructor"].outer == ("T",)


def test_destructured_constants_have_the_types_of_the_members_they_are_read_from() -> None:
    listed = entries(
        "export interface Maths extends Base {\n"
        "  format(x: number): string; format(x: string, n: number): string; pi: number\n"
        "}\n"
        "interface Base { create(): void }\n"
        "export const {\n  create,\n  format: print,\n  pi\n}: Maths;"
    )
    assert [signature.text for signature in listed["print"].signatures] == [
        "(x: number) => string",
        "(x: string, n: number) => string",
    ]
    assert (listed["print"].kind, listed["print"].line) == ("const", 7)
    assert listed["print"].import_statement == 'import { print } from "p"'
    assert listed["create"].signatures[0].text == "() => void"
    assert not listed["pi"].signatures
    assert listed["Maths#format"].kind == "method"


@pytest.mark.parametrize(
    "type_",
    [
        pytest.param("Factory", id="an alias of Readonly<{ }>"),
        pytest.param("Readonly<{ is(a: string): boolean; n: 1 }>", id="Readonly<{ }>"),
        pytest.param("{ n: 1 } & { is(a: string): boolean }", id="an intersection"),
        pytest.param("Box<string>", id="an interface with type arguments"),
        pytest.param("Partial<Box<string>>", id="Partial of an interface"),
        pytest.param("Generic<string>", id="an alias with type parameters"),
        pytest.param("typeof hidden", id="typeof a constant"),
        pytest.param("typeof Static", id="typeof a class"),
        pytest.param("typeof ns", id="typeof a namespace"),
        pytest.param("Instance", id="a class instance"),
        pytest.param("ReturnType<typeof make>", id="what a function returns"),
        pytest.param('Nested["inner"]', id="an indexed access"),
        pytest.param("InstanceType<typeof Instance>", id="an instance type"),
        pytest.param("ReturnType<typeof make> & { other: 1 }", id="computed and written"),
    ],
)
def test_members_of_a_constant_are_named_after_it(type_: str) -> None:
    listed = entries(
        "type Factory = Readonly<{ is(a: string): boolean; n: 1 }>;\n"
        "type Generic<T> = Readonly<{ is(a: T): boolean }> & { n: 1 };\n"
        "interface Box<T> { is(a: T): boolean; n: 1 }\n"
        "declare const hidden: { is(a: string): boolean; n: 1 };\n"
        "declare class Static { static is(a: string): boolean }\n"
        "declare class Instance { is(a: string): boolean }\n"
        "declare function make(): Factory;\n"
        "interface Nested { inner: Factory }\n"
        "declare namespace ns { function is(a: string): boolean }\n"
        f"export declare const made: {type_};\nexport {{}};"
    )
    entry = listed["made.is"]
    assert entry.exported
    assert entry.import_statement == 'import { made } from "p"'
    (signature,) = entry.signatures
    assert signature.parameters[0].resolved is STRING
    assert entry.outer == ()


def test_typeof_a_class_constructs_instances_of_it() -> None:
    listed = entries(
        "declare class Hidden { constructor(a: string); run(): void }\n"
        "export declare const Made: typeof Hidden;\nexport {};"
    )
    assert listed["Made#run"].exported
    assert listed["Made#constructor"].exported
    assert "Made.run" not in listed


def test_a_callable_constant_is_one_entry() -> None:
    listed = entries(
        "export declare const f: { (a: string): number; sub: { (): void; x: 1 } };\n"
        "export declare const g: ((a: string) => number) & { sub(): void };\n"
        "export type F = { (a: string): number };"
    )
    assert set(listed) == {"f", "f.sub", "f.sub.x", "g", "g.sub", "F", "F#()"}
    assert listed["g"].signatures[0].text == "(a: string) => number"


def test_the_documentation_is_that_of_the_first_overload_with_prose() -> None:
    listed = entries(
        "export declare function f(a: string): 1;\n"
        "/** @deprecated use a string */ export declare function f(a: number): 1;\n"
        "/** Groups. @deprecated */ export declare function f(a: boolean): 1;\n"
        "/** @internal */ export declare function g(a: string): 1;\n"
        "/** Cuts. */ export declare function g(a: number): 1;"
    )
    for name, summary in (("f", "Groups."), ("g", "Cuts.")):
        doc = listed[name].doc
        assert doc is not None
        assert doc.summary == summary
        assert not listed[name].deprecated


def test_overloads_are_deprecated_one_by_one() -> None:
    listed = entries(
        "export declare function f(a: string): 1;\n"
        "/** @deprecated use a string */ export declare function f(a: number): 1;\n"
        "export interface I {\n/** @deprecated */ m(): 1;\n/** New. */ m(a: 1): 1 }"
    )
    for name, deprecations in (("f", [None, "use a string"]), ("I#m", ["", None])):
        assert [overload.deprecation for overload in listed[name].signatures] == deprecations


def test_a_function_that_only_a_constant_exports_is_that_constant() -> None:
    listed = entries(
        "/** Converts. */ declare function toRadians(degrees: number): number;\n"
        "declare function helper(): void;\n"
        "export declare function own(): void;\n"
        "export declare const Maths: { toRadians: typeof toRadians; own: typeof own };\n"
        "export declare const radians: typeof toRadians;\nexport {};"
    )
    assert set(listed) == {"helper", "own", "Maths", "Maths.toRadians", "Maths.own", "radians"}
    for name in ("Maths.toRadians", "radians"):
        assert listed[name].signature == "(degrees: number) => number"
        doc = listed[name].doc
        assert doc is not None
        assert doc.summary == "Converts."


def test_members_of_export_equals_are_found_by_their_own_names() -> None:
    listed = entries(
        "declare const _: _.Static;\n"
        "declare namespace _ { interface Static { chunk(a: string): void } }\n"
        "export = _;"
    )
    assert "chunk" in listed["_.chunk"].aliases


def test_members_of_what_a_constant_constructs_are_found_by_its_type() -> None:
    listed = entries(
        "interface Methods { rest: Rest }\n"
        "interface Rest { list(): void }\n"
        "declare function methods(): Methods['rest'] & { more: 1 };\n"
        "declare class Core { request(): void; static plugin(): void }\n"
        "type Constructor<T> = new (...args: any[]) => T;\n"
        "export declare const Client: typeof Core & Constructor<ReturnType<typeof methods>>;\n"
        "export {};"
    )
    assert {"Client#list", "Client#request", "Client.plugin"} <= set(listed)


def test_members_written_in_a_type_argument_belong_to_what_a_constant_constructs() -> None:
    listed = entries(
        "interface Paginate { (route: string): void }\n"
        "declare class Core { request(): void }\n"
        "type Constructor<T> = new (...args: any[]) => T;\n"
        "type Box<T> = { value: T };\n"
        "export declare const Client: typeof Core & Constructor<Core & {\n"
        "  paginate: Paginate; }>;\n"
        "export declare const box: Box<{ inner: Paginate }>;\n"
        "export {};"
    )
    assert listed["Client#paginate"].signature == "paginate: Paginate"
    assert listed["Client#paginate"].line == 6
    assert [signature.text for signature in listed["Client#paginate"].signatures] == [
        "(route: string) => void"
    ]
    assert not [name for name in listed if "inner" in name]


def test_members_written_in_a_type_argument_may_have_another_type_in_what_is_constructed() -> None:
    listed = entries(
        "interface Codec<T> { decode(text: string): T }\n"
        "type Decoded<T> = { [K in keyof T]: T[K] extends Codec<infer V> ? V : never };\n"
        "interface Model<F> { new (fields: Decoded<F>): { id: string } & Decoded<F> }\n"
        "declare const User_base: Model<{ name: Codec<string>; id: Codec<number> }>;\n"
        "export declare class User extends User_base {}\nexport {};"
    )
    members = [name for name in listed if name.startswith(("User#", "User_base#name"))]
    assert members == ["User#constructor"]


def test_members_of_static_properties_are_named_after_the_class() -> None:
    listed = entries(
        "declare class Hidden { run(): void; static make(): void }\n"
        "declare function webhooks(): Hooks;\n"
        "interface Hooks { verify(): void }\n"
        "export declare class Shown { static Hidden: typeof Hidden;"
        " static hooks: ReturnType<typeof webhooks> }\nexport {};"
    )
    assert {"Shown.Hidden#run", "Shown.Hidden.make", "Shown.hooks.verify"} <= set(listed)


def test_an_exported_namespace_keeps_its_own_name_beside_a_constant() -> None:
    listed = entries(
        "export declare const Alias: typeof Own;\n"
        "export declare namespace Own { interface Options { x: 1 } function make(): void }"
    )
    assert listed["Own.make"].aliases == ("Alias.make",)
    assert listed["Own.Options"].aliases == ()


def test_circular_types_end() -> None:
    listed = entries(
        "type A = A & A; type B = B['x'] & ReturnType<typeof b>; declare const b: () => B;\n"
        "export declare const a: A; export declare const c: B;"
    )
    assert {"a", "c"} <= set(listed)


def test_typeof_a_member_of_this_has_the_signatures_of_the_member() -> None:
    listed = entries(
        "interface Maybe<T> { map<U>(f: (x: T) => U): Maybe<U>; alias: typeof this.map }\n"
        "export declare const Nothing: Maybe<never>;\n"
        "export interface Box<T> { get(): T; read: typeof this.get }\nexport {};"
    )
    assert listed["Nothing.alias"].signatures[0].text == "<T>(f: (x: never) => T) => Maybe<T>"
    assert listed["Box#read"].signatures[0].text == "() => T"


def test_inherited_members_are_found_by_the_name_of_every_constant() -> None:
    listed = entries(
        "interface Base { floor(d: string): string }\n"
        "interface Interval extends Base { range(): 1 }\n"
        "export declare const day: Interval; export declare const week: Interval;\n"
        "export declare const year: Interval;\nexport {};"
    )
    assert listed["day.floor"].aliases == ("week.floor", "year.floor")


def test_a_constant_with_the_name_of_a_type_is_not_part_of_the_type() -> None:
    listed = entries(
        "export interface Node extends Base { id: 1 }\ninterface Base { scope(): void }\n"
        "export declare const Node: { new (): Node };\n"
        "export declare const first: Node;\nexport {};"
    )
    base = listed["Node#scope"]
    assert base.aliases == ("first.scope",)


def test_names_come_in_the_order_of_the_source() -> None:
    listed = entries(
        "declare namespace outer { export { Inner }; export const Alias: typeof Inner.Client; }\n"
        "declare namespace Inner { class Client { query(): void } }\nexport = outer;"
    )
    assert listed["outer.Inner.Client#query"].aliases[:1] == ("outer.Alias#query",)


MIXINS = """
export declare class Emitter { on(event: string): this }
declare function Query<T>(Base?: T): { new (...args: any[]): {
    query(sql: string): string; query(sql: string, values: number[]): string; close(): string;
} } & T;
declare function Depth<T>(level: number, Base: T): Constructor<{ readonly depth: T[] }> & T;
type Constructor<T> = new (...args: any[]) => T;
"""


def test_a_class_has_the_members_of_its_mixins() -> None:
    found = entries(
        f"{MIXINS}export declare class Pool<P> extends Query(Depth(1, Emitter)) "
        "{ close(): void }\nexport {};"
    )
    members = [name for name in found if name.startswith("Pool#")]
    assert sorted(members) == ["Pool#close", "Pool#constructor", "Pool#depth", "Pool#query"]
    query, depth = found["Pool#query"], found["Pool#depth"]
    assert (query.kind, query.line, query.max_arity, query.declaration) == (
        "method",
        8,
        2,
        "p#Pool",
    )
    assert [signature.text for signature in query.signatures] == [
        "(sql: string) => string",
        "(sql: string, values: number[]) => string",
    ]
    assert (depth.kind, depth.readonly, depth.signature) == (
        "property",
        True,
        "readonly depth: unknown[]",
    )
    assert found["Pool#close"].signature == "() => void"


def test_the_members_of_an_internal_mixin_have_the_name_of_the_exported_class() -> None:
    found = entries(
        f"{MIXINS}declare class Base extends Query(Emitter) {{}}\n"
        "export declare class Pool extends Base {}\nexport {};"
    )
    assert found["Pool#query"].import_statement == 'import { Pool } from "p"'
    assert "Base#query" not in found


def test_a_class_has_the_members_of_the_constant_that_it_extends() -> None:
    found = entries(
        f"{MIXINS}declare const Timer_base: typeof Emitter & {{ new (): {{ start(): true }} }};\n"
        "export declare class Timer extends Timer_base {}\n"
        "declare const Clock_base: Constructor<{ tick(at: Date): number }> & typeof Emitter;\n"
        "export declare class Clock extends Clock_base {}\nexport {};"
    )
    assert {"Timer#start", "Clock#tick", "Emitter#on"} <= found.keys()
    assert not {"Timer#on", "Clock#on", "Clock_base#tick"} & found.keys()


@pytest.mark.parametrize(
    "base",
    ["Missing(Emitter)", "Query(...bases)", "(0, Query)(Emitter)", "f(g)"],
)
def test_an_unknown_base_adds_no_members(base: str) -> None:
    found = entries(f"{MIXINS}export declare class Pool extends {base} {{ size: number }}")
    assert [name for name in found if name.startswith("Pool#")] == ["Pool#size"]


COMPUTED = """
type Queries<Q> = Q extends Shape ? { byText<T>(text: T): T[]; size: number } : {};
type Events = "click" | "focus";
interface Shape { area(): number }
"""


def test_a_constant_has_the_functions_of_its_computed_type() -> None:
    found = entries(
        f"{COMPUTED}export declare const screen: Queries<Shape> & {{ debug(): void }};\n"
        "type Fire = { [K in Events]: (at: Date) => boolean };\n"
        "export declare const fire: Fire & ((name: Events) => boolean);\n"
        "export declare const shape: Pick<Shape, 'area'>;\n"
        "export declare const sizes: Record<Events, number>;\n"
        "declare const internal: Fire;\nexport {};"
    )
    by_text = found["screen.byText"]
    assert (by_text.kind, by_text.import_statement) == ("method", 'import { screen } from "p"')
    assert [signature.text for signature in by_text.signatures] == ["<T>(text: T) => T[]"]
    assert found["fire.click"].signature == "click: (at: Date) => boolean"
    assert [name for name in found if "." in name and "screen" not in name] == [
        "fire.click",
        "fire.focus",
    ]
    assert "screen.size" not in found


def test_a_constant_is_the_function_that_its_type_is_computed_to() -> None:
    found = entries(
        "interface Legacy { (key: string, count?: number): string }\n"
        "interface Selector { (select: (keys: object) => string): string }\n"
        "interface Options { selector: false; mode: 'strict' }\n"
        "interface Translate extends Chosen<Options['selector']> { name: string }\n"
        "type Chosen<E> = [E] extends [infer V extends true | 'strict'] ? Selector : Legacy;\n"
        "export declare const t: Options['selector'] extends true ? Selector : Legacy;\n"
        "export declare const u: Chosen<Options['mode']>;\n"
        "export declare const v: Translate;\n"
        "type Commands = { [K in keyof Options]: (value: Options[K]) => boolean };\n"
        "export declare const w: Commands['mode'];\n"
        "export declare const size: Options['selector'] extends true ? Selector : number;"
    )
    legacy = ["(key: string, count?: number) => string"]
    assert [[signature.text for signature in found[name].signatures] for name in "tuvw"] == [
        legacy,
        ["(select: (keys: object) => string) => string"],
        legacy,
        ['(value: Options["mode"]) => boolean'],
    ]
    assert not found["size"].signatures


def test_a_constant_has_the_functions_in_the_type_arguments_of_its_alias() -> None:
    found = entries(
        "type Chainable<F, C> = F & { [K in 'only' | 'skip']: Chainable<F, C> } & C;\n"
        "type Test = (name: string) => void;\n"
        "export declare const test: Chainable<Test, { each: (cases: string[]) => Test; n: 1 }>;"
    )
    members = [name for name in found if name.startswith("test.")]
    assert sorted(members) == ["test.each", "test.only", "test.skip"]
    assert [signature.text for signature in found["test.each"].signatures] == [
        "(cases: string[]) => Test"
    ]


def test_a_constant_with_very_many_functions_is_a_table() -> None:
    names = " | ".join(f'"tag{number}"' for number in range(101))
    found = entries(
        f"export declare const tags: {{ [K in {names}]: (text: K) => K }};\nexport {{}};"
    )
    assert list(found) == ["tags"]


def test_what_export_equals_exports_as_default_has_that_name_too() -> None:
    found = entries(
        "declare function connect(url: string): void;\n"
        "declare namespace connect { export { connect, connect as default } }\n"
        "export = connect;"
    )
    assert "default" in found["connect"].aliases
