"""Adapters: the code that each edit becomes, and what it needs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from typematch.adapt.identifiers import UniqueNames
from typematch.adapt.imports import Imports, access_path
from typematch.adapt.model import Adapter, Hole
from typematch.adapt.snippet import snippet
from typematch.catalog import Catalog
from typematch.ir.entry import Entry
from typematch.search.results import Hit

DECLARED = """
export function chunk<T>(items: readonly T[], size?: number): T[][];
export function repeat(text: string, times: number): string;
export function read(path: string, encoding: string): Promise<string>;
export function find(text: string): Date | undefined;
export function later(): Promise<Date>;
export function joined(glue: string, ...parts: string[]): string;
export function split(size: number): (text: string) => string[];
export function isDate(value: unknown): value is Date;
export function isLate(value: unknown, name: string): value is Date;
export function crop(path: string, width: number, height: number): bigint;
export function shrink(path: string, options: { width: number; fast?: boolean }): RegExp;
export function once(make: () => Date): Date[];
export function sorted(items: number[]): Int8Array;
export function head(items: [bigint, ...bigint[]]): Map<string, bigint>;
export function parse(text: string): BigInt64Array;
export function elements(items: string[]): Uint8Array;
export function longest<T extends { length: number }>(item: T): Set<T>;
export function upper(text: Uppercase<string>): Set<symbol>;
export function wide(text: string, pattern?: RegExp, times?: number): DataView;
export namespace deep { export function cut(at: bigint): symbol; }
export class Rope<T> {
  constructor(at: symbol);
  cut(at: T): Promise<symbol>;
  static of(at: Date): Rope<Date>;
}
export class Plain { constructor(at: Uint16Array); }
export class Bound<K extends { key: string }> { get(at: bigint): K; }
export function mapped(items: BigUint64Array): bigint[];
export function mapped(items: object): any[];
export interface Steps { run<T>(this: () => T, at: Uint32Array): T; }
export interface Handlers { onClose?(code: bigint): number; }
export interface Job<T> { data: T }
export class Worker { work<D>(name: Date, run: (jobs: Job<D>[]) => Promise<void>): WeakSet<Date>; }
export interface Settings {
  retry?: { times?: number } & { onFailure?: (at: DataView) => Int8Array };
}
export type Query = { encode?: (at: Int16Array) => DataView } & Handlers;
declare function voided(flag: boolean): "voided";
export { voided as void };
export function bare(this: Rope<number>, at: Date): symbol;
export function call(value: Float64Array): (name: string) => bigint;
export declare const maybe: ((at: Float32Array) => number) | undefined;
export namespace Array { export function packed(items: Int32Array[]): Int16Array; }
export function called<F extends (...args: any[]) => unknown>(
  f: F, ...args: Parameters<F>): WeakSet<F>;
export function repeated<A>(item: A): (times: number) => readonly A[];
export function gathered<A, B>(items: A[], change: (a: A, at: number) => B[]): Uint16Array;
export class Ticket { constructor(at: Uint8ClampedArray); constructor(); }
export class Desk { static open(...given: ConstructorParameters<typeof Ticket>): WeakRef<Ticket>; }
export const filled: <A>(item: A) => (times: number) => readonly A[] & { readonly 0: A };
export function each<A, B>(items: A[], change: (item: A) => B): B[];
export function each<A>(items: A[], change?: object): boolean[];
export interface Tools { "sharpen-it"(at: Int16Array): Int32Array; }
declare function remove(at: Float64Array): Int16Array;
export { remove as delete };
export function delayed<T = void>(value?: T, wait?: Int8Array): Set<WeakSet<Date>[]> | T;
export function link(at: RegExp): Promise<string>;
export function link(at: RegExp, to: Date): Promise<WeakMap<RegExp, Date>>;
export function link(at: RegExp, to?: string): Promise<string | WeakMap<RegExp, Date>>;
export function lock(at: WeakSet<Date>): string | URIError;
export function lock(at: WeakSet<Date>, to?: string): string | RegExp | URIError;
declare class Pump<A, B> { drain(at: A, to: B): WeakMap<Date, Date>; }
export class Siphon<U, V> extends Pump<V, bigint> {}
declare class Gauge<R> { measure(at: bigint): WeakMap<R, RegExp>; }
export type Meter = Gauge<Date>;
export class Held<R extends Date> { hold(at: bigint): WeakMap<R, bigint>; }
declare class Valve { shut(at: Int8Array): WeakMap<Date, RegExp>; }
export const Tap: new () => Valve;
declare function hidden(value: Float32Array): bigint;
export {};
export default function fallback(value: Float32Array, name: string): symbol;
"""

# (query, entry, code)
CODE = [
    ("(xs: T[]) => T[][]", "chunk", "chunk"),
    ("(n: number, s: string) => string", "repeat", "(n, s) => repeat(s, n)"),
    ("(p: string, e: string) => string", "read", "async (p, e) => await read(p, e)"),
    ("(s: string) => Date", "find", "(s) => find(s)!"),
    ("(s: string) => Promise<Date>", "find", "async (s) => find(s)!"),
    ("(s: Promise<string>) => Promise<BigInt64Array>", "parse", "async (s) => parse(await s)"),
    ("() => Date", "later", "async () => await later()"),
    ("(s: string, d: Date) => Date", "find", "(s, d) => find(s)!"),
    ("(a: string, b: string, c: string) => string", "joined", "joined"),
    ("(...a: string[]) => string", "joined", "joined"),
    ("(s: string, n: number) => string[]", "split", "(s, n) => split(n)(s)"),
    ("(r: Rope<T>, t: T) => Promise<symbol>", "Rope#cut", "(r, t) => r.cut(t)"),
    ("(r: Rope<T>, t: T) => symbol", "Rope#cut", "async (r, t) => await r.cut(t)"),
    ("(d: Date) => Rope<Date>", "Rope.of", "(d) => Rope.of(d)"),
    ("(at: Uint16Array) => Plain", "Plain#constructor", "(at) => new Plain(at)"),
    ("(at: bigint) => symbol", "deep.cut", "deep.cut"),
    ("(p: string, o: { width: number, height: number }) => bigint", "crop",
     "(p, o) => crop(p, o.width, o.height)"),
    ("(p: string, width: number, fast: boolean) => RegExp", "shrink",
     "(p, width, fast) => shrink(p, { width, fast })"),
    ("(d: Date) => Date[]", "once", "(d) => once(() => d)"),
    ("(xs: readonly number[]) => Int8Array", "sorted", "(xs) => sorted([...xs])"),
    ("(xs: Set<string>) => Uint8Array", "elements", "(xs) => elements(Array.from(xs))"),
    ("(xs: bigint[]) => Map<string, bigint>", "head",
     "(xs) => head(xs as [bigint, ...bigint[]])"),
    ("(x: string | Date) => BigInt64Array", "parse", "(x) => parse(x as string)"),
    ("(x?: string) => BigInt64Array", "parse", "(x) => parse(x!)"),
    ("(s: string, n: number) => DataView", "wide", "(s, n) => wide(s, undefined, n)"),
    ("(item: T) => Set<T>", "longest", "(item) => longest(item)"),
    ("(v: unknown) => v is Date", "isDate", "isDate"),
    ("(s: string, v: unknown) => v is Date", "isLate",
     "(s: string, v: unknown): v is Date => isLate(v, s)"),
    ("(h: Handlers, c: bigint) => number", "Handlers#onClose",
     "(h, c) => (h as Handlers).onClose!(c)"),
    ("(name: Date, run: (job: T) => Promise<void>) => WeakSet<Date>", "Worker#work",
     "(name, run) => worker.work(name, run)"),
    ("(at: DataView) => Int8Array", "Settings#retry.onFailure",
     "(at) => settings_retry.retry!.onFailure!(at)"),
    ("(at: Int16Array) => DataView", "Query#encode", "(at) => query.encode!(at)"),
    ("(chunk: T[], size: number) => Promise<T[][]>", "chunk",
     "async (chunk2, size) => chunk(chunk2, size)"),
    ("(name: string, value: Float64Array) => bigint", "call", "(name, value) => call(value)(name)"),
    ("(Float32Array, string) => symbol", "default", "adapted"),
    ("(string, Float32Array) => symbol", "default", "(name, value) => adapted(value, name)"),
    ("(s: string, ...) => string", "repeat", "(s, ...rest) => repeat(s, rest[0])"),
    ("(xs: T[]) => T[][]  is:assignable", "chunk", "chunk"),
    ("(t: Tools, at: Int16Array) => Int32Array", "Tools#sharpen-it",
     '(t, at) => t["sharpen-it"](at)'),
    ("(Float64Array, string) => Int16Array", "delete", "(at, value) => delete_(at)"),
    ("(wait: Int8Array) => Set<WeakSet<Date>[]> | T", "delayed",
     "<T>(wait: Int8Array) => delayed<T>(undefined, wait)"),
    ("(at: symbol, name: string) => WeakRef<Ticket>", "Desk.open", "(at, name) => Desk.open()"),
    ("(times: number, xs: readonly T[]) => T[][]", "filled",
     "(times, xs) => filled(xs)(times).map((item) => [...item])"),
    ("(times: number, xs: readonly T[]) => T[][]", "repeated",
     "(times, xs) => repeated(xs)(times).map((item) => [...item])"),
    ("(xs: A[], f: (a: A) => readonly B[]) => Uint16Array", "gathered",
     "(xs, f) => gathered(xs, (a) => [...f(a)])"),
]  # fmt: skip


@pytest.fixture(scope="module")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Catalog]:
    folder = tmp_path_factory.mktemp("adapted")
    (folder / "package.json").write_text('{"name": "adapted", "types": "index.d.ts"}')
    (folder / "index.d.ts").write_text(DECLARED)
    with Catalog(folder / "typematch.db") as made:
        made.add(folder, model=None)
        yield made


def find_hit(catalog: Catalog, query: str, entry: str) -> Hit:
    result = catalog.search(f"{query}  pkg:adapted", limit=None)
    return next(hit for hit in result if hit.entry.id == f"adapted#{entry}")


def adapter(catalog: Catalog, query: str, entry: str) -> Adapter:
    found = find_hit(catalog, query, entry).adapter
    assert found is not None
    return found


@pytest.mark.parametrize(("query", "entry", "code"), CODE)
def test_code(catalog: Catalog, query: str, entry: str, code: str) -> None:
    assert adapter(catalog, query, entry).code == code


def test_missing_argument_is_a_hole_with_its_type(catalog: Catalog) -> None:
    found = adapter(catalog, "(text: string) => string", "repeat")
    assert found.code == "(text) => repeat(text, times)"
    assert found.holes == (Hole("times", "number"),)


def test_instance_is_a_hole_in_the_variables_of_the_query(catalog: Catalog) -> None:
    found = adapter(catalog, "(at: T) => Promise<symbol>", "Rope#cut")
    assert found.code == "(at) => rope.cut(at)"
    assert found.holes == (Hole("rope", "Rope<T>"),)
    assert found.type_parameters == "<T>"
    assert found.type == "(at: T) => Promise<symbol>"
    assert found.imports == ('import type { Rope } from "adapted"',)


def test_instance_of_an_internal_class_is_that_of_the_exported_class_that_extends_it(
    catalog: Catalog,
) -> None:
    found = adapter(catalog, "(at: Date, to: bigint) => WeakMap<Date, Date>", "Siphon#drain")
    assert found.holes == (Hole("siphon", "Siphon<any, Date>"),)
    assert found.imports == ('import type { Siphon } from "adapted"',)
    assert not found.undeclared


def test_instance_of_an_internal_class_is_what_an_exported_constant_constructs(
    catalog: Catalog,
) -> None:
    found = adapter(catalog, "(at: Int8Array) => WeakMap<Date, RegExp>", "Tap#shut")
    assert found.code == "(at) => tap.shut(at)"
    assert found.holes == (Hole("tap", "InstanceType<typeof Tap>"),)
    assert found.imports == ('import type { Tap } from "adapted"',)
    assert not found.undeclared


def test_no_adapter_where_the_exported_type_has_other_type_arguments(catalog: Catalog) -> None:
    found = adapter(catalog, "(at: bigint) => WeakMap<Date, RegExp>", "Meter#measure")
    assert found.holes == (Hole("meter", "Meter"),)
    hit = find_hit(catalog, "(at: bigint) => WeakMap<RegExp, RegExp>", "Meter#measure")
    assert hit.adapter is None


def test_object_has_type_arguments_that_its_class_can_have(catalog: Catalog) -> None:
    found = adapter(catalog, "(at: bigint) => WeakMap<Date, bigint>", "Held#hold")
    assert found.holes == (Hole("held", "Held<Date>"),)
    others = catalog.search("(at: bigint) => WeakMap<RegExp, bigint>  pkg:adapted", limit=None)
    assert "adapted#Held#hold" not in {hit.entry.id for hit in others}


def test_missing_this_is_a_hole(catalog: Catalog) -> None:
    found = adapter(catalog, "(at: Date) => symbol", "bare")
    assert found.code == "(at) => bare.call(self, at)"
    assert found.holes == (Hole("self", "Rope<number>"),)


def test_missing_this_of_a_method_is_its_object(catalog: Catalog) -> None:
    found = adapter(catalog, "(at: Uint32Array) => RangeError", "Steps#run")
    assert found.code == "(at) => steps.run(at)"
    assert found.holes == (Hole("steps", "Steps & (() => RangeError)"),)


def test_awaited_result_of_a_plain_type_is_said(catalog: Catalog) -> None:
    found = adapter(catalog, "(path: string, encoding: string) => string", "read")
    assert found.type == "(path: string, encoding: string) => Promise<string>"
    assert found.notes == ("the result is a promise",)


def test_constraint_is_added_to_the_variable(catalog: Catalog) -> None:
    found = adapter(catalog, "(item: T) => Set<T>", "longest")
    assert found.type == "<T extends { length: number }>(item: T) => Set<T>"
    assert found.notes == ("only for T that is { length: number }",)


def test_specialised_variable_is_replaced(catalog: Catalog) -> None:
    found = adapter(catalog, "(text: T, times: number) => T", "repeat")
    assert found.type == "(text: string, times: number) => string"
    assert found.notes == ("only for T = string",)


def test_no_adapter_without_an_instance_of_the_class(catalog: Catalog) -> None:
    assert catalog.adapt("(at: bigint) => Float64Array", "adapted#Bound#get") is None


def test_no_adapter_where_the_compiler_calls_an_earlier_overload(catalog: Catalog) -> None:
    query = "(items: BigUint64Array) => Promise<string[]>"
    assert find_hit(catalog, query, "mapped").adapter is None
    # Without a call, the compiler compares each overload with the type.
    assert adapter(catalog, "(items: BigUint64Array) => string[]", "mapped").code == "mapped"


def test_no_adapter_that_asserts_the_result_of_an_earlier_overload(catalog: Catalog) -> None:
    hit = find_hit(catalog, "(at: RegExp) => Promise<WeakMap<RegExp, Date>>", "link")
    assert hit.adapter is None


def test_an_adapter_asserts_the_wider_result_of_an_earlier_overload(catalog: Catalog) -> None:
    found = adapter(catalog, "(at: WeakSet<Date>) => URIError", "lock")
    assert found.code == "(at) => lock(at) as URIError"


def test_no_adapter_where_an_earlier_overload_determines_another_type(catalog: Catalog) -> None:
    query = "(items: A[], change: (item: A) => readonly B[]) => readonly B[]"
    hit = next(h for h in catalog.search(query, limit=None) if h.entry.id == "adapted#each")
    assert [edit.kind.name for edit in hit.edits if edit.kind.name == "specialised"]
    assert hit.adapter is None


def test_no_adapter_for_a_receiver_without_the_declared_this(catalog: Catalog) -> None:
    query = "(steps: Steps, at: Uint32Array) => RangeError"
    assert find_hit(catalog, query, "Steps#run").adapter is None


def test_no_adapter_where_a_rest_parameter_takes_an_unknown_number(catalog: Catalog) -> None:
    assert find_hit(catalog, "(f: F) => WeakSet<F>", "called").adapter is None
    found = adapter(catalog, "(f: () => symbol) => WeakSet<() => symbol>", "called")
    assert found.code == "called"


def test_optional_argument_is_no_element_of_a_rest_parameter(catalog: Catalog) -> None:
    found = adapter(catalog, "(glue: string, part?: string) => string", "joined")
    assert found.code == "(glue, part) => joined(glue, part!)"


def test_no_adapter_for_a_name_search(catalog: Catalog) -> None:
    assert find_hit(catalog, "chunk", "chunk").adapter is None


def test_imported_name_does_not_hide_a_global(catalog: Catalog) -> None:
    found = adapter(catalog, "(items: Set<Int32Array>) => Int16Array", "Array.packed")
    assert found.code == "(items) => Array.packed(globalThis.Array.from(items))"
    assert found.type == "(items: Set<Int32Array>) => Int16Array"


def test_optional_parameter_before_a_required_one(catalog: Catalog) -> None:
    found = adapter(catalog, "(n?: number, s: string) => string", "repeat")
    assert found.type == "(n: number | undefined, s: string) => string"


def test_snippet_is_a_module_to_paste(catalog: Catalog) -> None:
    text = snippet(adapter(catalog, "(size: number, items: T[]) => T[][]", "chunk"))
    assert text == (
        'import { chunk } from "adapted";\n\n'
        "export const adapter: <T>(size: number, items: T[]) => T[][] = "
        "(size, items) => chunk(items, size);\n"
    )


def test_snippet_with_holes_is_a_function_of_them(catalog: Catalog) -> None:
    text = snippet(adapter(catalog, "(at: T) => Promise<symbol>", "Rope#cut"))
    assert text == (
        'import type { Rope } from "adapted";\n\n'
        "export const adapter = <T>(rope: Rope<T>): ((at: T) => Promise<symbol>) =>"
        " (at) => rope.cut(at);\n"
    )


def test_snippet_keeps_notes_in_comments(catalog: Catalog) -> None:
    found = adapter(catalog, "(size: number, items: T[]) => T[][]", "chunk")
    forged = replace(found, notes=("Box#a\nb is protected",), undeclared=("c\u2028d",))
    assert snippet(forged).splitlines()[2:4] == [
        "// Box#a\\nb is protected",
        "// cannot be imported: c\\u2028d",
    ]


def test_hidden_function_is_said_to_be_undeclared(catalog: Catalog) -> None:
    hit = find_hit(catalog, "(value: Float32Array) => bigint", "hidden")
    assert hit.adapter is not None
    assert hit.adapter.undeclared == ("hidden",)
    assert hit.import_statement == ""


def test_import_statement_of_a_hit(catalog: Catalog) -> None:
    hit = find_hit(catalog, "(xs: T[]) => T[][]", "chunk")
    assert hit.import_statement == 'import { chunk } from "adapted"'


def test_files_of_other_packages_of_the_project_are_imported_by_their_package() -> None:
    imports = Imports(UniqueNames())
    for package in ("shop", "@my/till"):
        imported = access_path(project_entry(package)).imported
        assert imported is not None
        imports.add(imported)
    assert imports.statements == (
        'import { Book } from "./src"',
        'import { Book as Book2 } from "@my/till/src"',
    )


def project_entry(package: str) -> Entry:
    return Entry(
        id=f"{package}#Book",
        kind="interface",
        name="Book",
        qualified_name="Book",
        container="",
        package=package,
        version="",
        path=f"{package}/src/index.ts",
        line=1,
        signature="",
        exported=True,
        import_statement='import { Book } from "./src"',
        declaration=f"{package}/src/index.ts#Book",
    )


def test_an_entry_named_like_a_reserved_word_is_imported_under_another_name(
    catalog: Catalog,
) -> None:
    text = snippet(adapter(catalog, "(flag: boolean) => 'voided'", "void"))
    assert text.startswith('import { void as void_ } from "adapted";')
    assert "void_" in text.partition("\n")[2]
