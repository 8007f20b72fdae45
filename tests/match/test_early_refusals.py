"""The quick reject and the masks refuse no pair that the relation accepts: all pairs of a table."""

from __future__ import annotations

from match.texts import relation_and_types
from typematch.index.masks.bits import MAY_BE_ANY
from typematch.index.masks.type_masks import TypeMasks
from typematch.match.prefilter.quick_reject import QuickReject
from typematch.match.prefilter.relation_pool import RelationPool
from typematch.match.verdict import Fit

_DECLARATIONS = """
interface P { name: string; age?: number }
interface Weak { a?: string; b?: number }
interface Call { (x: string): number; extra: boolean }
class C<T> { private p: T; v: T; m(x: T): void }
class D2 extends C<string> { w: number }
enum E { A, B = "x" }
enum N { A, B }
declare const sym: unique symbol;
type Rec = { a: Rec } | string;
type K = keyof P;
type Al = string | number;
type Disc = { kind: "a"; x: number } | { kind: "b"; x: number };
type Fn = (x: string) => void;
type Br = string & { __b: 1 };
interface Indexed { [k: string]: number }
interface NumIdx { [k: number]: string; length: number }
interface Empty {}
type Cond<T> = T extends string ? 1 : 2;
type MapT<T> = { [K in keyof T]: T[K] | undefined };
abstract class AC { abstract q(): void }
interface Iter2<T> extends Iterable<T> { z?: 1 }
"""
_TYPES = """
any
unknown
never
void
undefined
null
string
number
boolean
bigint
symbol
object
{}
"a"
1
true
1n
`a${string}`
`${number}`
string[]
readonly string[]
any[]
never[]
[]
[string]
[string, number?]
[string, ...number[]]
readonly [string, number]
[boolean]
[true] | [false]
{ kind: "a" | "b"; x: number }
Disc
{ kind: "a" } & { x: number }
{ kind: "a" | "b" } & { x: number }
P
Weak
Call
C<string>
C<any>
D2
E
N
N.A
E.B
typeof sym
Rec
K
Al
Fn
Br
Indexed
NumIdx
Empty
Cond<string>
Cond<any>
Cond<"a" | 1>
MapT<P>
Partial<P>
Required<P>
Record<string, number>
Record<"name", string>
Pick<P, "name">
Promise<string>
PromiseLike<string>
Iterable<string>
Iterator<string>
ArrayLike<string>
Set<string>
ReadonlySet<string | number>
Map<string, number>
ReadonlyMap<string, number>
Function
Object
String
Number
Boolean
(x: string) => number
(x?: string) => void
(...xs: string[]) => void
(x: any) => any
() => void
() => never
() => string
() => Promise<string>
<T>(x: T) => T
<T>(x: T) => string
<T>(x: T) => T[]
<T>(x: T[]) => T
<T extends string>(x: T) => T
<T extends P>(x: T) => T["name"]
<T, U extends keyof T>(x: T, k: U) => T[U]
<T>(x: T) => Cond<T>
<T>(x: MapT<T>) => MapT<T>
<T>(x: T) => <U>(y: U) => [T, U]
(x: string) => <U>(y: U) => [string, U]
<T>(f: (x: T) => string) => T
{ m(cb: <T>(x: T) => T[]): void }
{ m(cb: (x: string) => [string]): void }
{ m(cb: <T>(x: T) => [T]): void }
{ m(cb?: (<T>(x: T) => unknown) | null): void }
{ name: string }
{ name: string; call: unknown }
{ apply: any; other?: 1 }
new () => C<string>
abstract new () => AC
typeof C
typeof AC
{ (x: string): void; (y: number): string }
{ a: string }
{ a?: string }
{ a: string | undefined }
{ length: number }
{ name: string }
{ toString(): string }
{ [k: string]: string }
{ [k: string]: any }
{ [k: string]: unknown }
{ [k: number]: string }
{ m(x: string): void }
{ m: (x: string) => void }
{ m(x: string | number): void }
{ 0: string }
{ "0": string; length: 1 }
{ [Symbol.iterator](): Iterator<string> }
{ then(cb: (v: string) => any): any }
{ call(): void }
{ then: any }
string | undefined
P | null
{} | null | undefined
string[] | number[]
(string | number)[]
[string | number]
[string] | [number]
keyof any
string & { a: 1 }
P & Weak
P & { z: number }
{ a: string } & { b: number }
Uppercase<string>
Date
RegExp
Error
ReturnType<Fn>
Parameters<Fn>
Generator<string, void, unknown>
AsyncIterable<string>
(x: unknown) => x is string
(x: unknown) => boolean
(x: unknown) => asserts x
(this: P, x: string) => void
(this: void) => void
(x: string, ...rest: [number, string?]) => void
(...args: any[]) => unknown
(...args: never[]) => unknown
(cb: (x: string) => void) => void
(cb: (x: string | number) => void) => void
{ m(cb: (x: string) => void): void }
{ m(cb: (x: string | number) => string): void }
{ m(cb: (x: string) => string | number): void }
Iter2<string>
IArguments
TemplateStringsArray
{ a: any }
{ a: { b: { c: string } } }
{ a: { b: { c: "x" } } }
unknown[]
object[]
{ length: number; [n: number]: string }
WeakMap<P, string>
Partial<[string, number]>
NonNullable<string | null>
ThisType<P>
{ 0: boolean; kind: 1 }
{ 0: true; kind: 1 } | { 0: false; kind: 1 }
{ a: string; b: undefined } | { a: number; b: 1 }
{ a: string; b?: 1 }
{ [K in "a" | "b"]: string }
readonly any[]
[any]
[...string[], number]
[x: string, y?: number]
{ -readonly [K in keyof P]-?: P[K] }
{ data: string | undefined; e: 1 }
{ data: string; e: 1 } | { data: undefined; e: 1 }
{ ok: boolean }
{ ok: true } | { ok: false }
{ v: P | null; k: 1 }
{ v: P; k: 1 } | { v: null; k: 1 }
{ e: N }
{ e: N.A } | { e: N.B }
Promise<{ ok: boolean }>
Promise<{ ok: true } | { ok: false }>
[P | null]
[P] | [null]
{ [sym]: 1 }
{ [sym]: 1; [k: string]: string }
{ [k: symbol]: 1 }
Set<any>
Iterable<any>
{ [k: `x${string}`]: string }
{ xa: number }
(x?: number, y?: string) => void
(x: undefined) => void
(x: void) => void
(...a: [string, ...number[]]) => void
() => undefined
() => unknown
Promise<never>
Promise<void>
Promise<any>
{ a: never }
Array<never>
Object & { a?: 1 }
new (...a: any[]) => object
abstract new (...a: any) => any
{ new (): C<string>; z: 1 }
{ readonly length: number }
{ [n: number]: any }
Map<any, any>
WeakSet<object>
CallableFunction
{ apply: any }
{ prototype: any }
{ bind: any; name: string }
{ name?: string }
{ length?: number; q?: 1 }
{ message?: string }
Symbol
symbol | string
bigint | number
N.A | 1
"a" | N
"""


# Pairs that the quick reject refuses without the relation.
_REFUSED = """
<T>(x: At<"b", T>) => T  =>  (x: string) => string
<T>(x: T) => T[]  =>  <T>(x: T) => T
<T>(x: T) => number  =>  <T extends string>(x: T) => T
(x: unknown) => string  =>  <T extends string>(x: T) => T
() => void  =>  { valid: boolean }
() => void  =>  { valid: boolean } | { error: string }
"""
_COMPUTED = """
interface Kinds<T> { a: T; b: (y: T) => boolean }
type At<K extends keyof Kinds<any>, T> = Kinds<T>[K];
"""


def test_generic_signatures_and_functions_are_refused_without_the_relation() -> None:
    pairs = [line.split("  =>  ") for line in _REFUSED.strip().split("\n")]
    relation, types = relation_and_types(_COMPUTED, [text for pair in pairs for text in pair])
    head_cache = RelationPool(relation.reducer.declarations).head_cache
    quick_reject = QuickReject(head_cache, relation.reducer)
    accepted = [
        pair
        for pair, source, target in zip(pairs, types[::2], types[1::2], strict=True)
        if quick_reject.may_be_assignable(source, target)
    ]
    assert accepted == []


def test_no_pair_that_the_relation_accepts_is_refused_early() -> None:
    texts = _TYPES.strip().split("\n")
    relation, types = relation_and_types(_DECLARATIONS, texts)
    quick_reject = QuickReject(
        RelationPool(relation.reducer.declarations).head_cache, relation.reducer
    )
    masks = TypeMasks(relation.reducer.declarations)
    accepted, refused = 0, []
    for source, source_text in zip(types, texts, strict=True):
        for target, target_text in zip(types, texts, strict=True):
            if not isinstance(relation.assign(source, target), Fit):
                continue
            accepted += 1
            s, t = masks.source_mask(source), masks.target_mask(target)
            if not quick_reject.may_be_assignable(source, target):
                refused.append(("quick reject", source_text, target_text))
            if not s.strict & MAY_BE_ANY and t.strict & ~s.strict:
                refused.append(("mask", source_text, target_text))
            if s.names is not None and t.names and not s.names & t.names:
                refused.append(("names", source_text, target_text))
    assert refused == []
    assert accepted > 5_000
