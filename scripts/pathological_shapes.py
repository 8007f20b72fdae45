"""Generates TypeScript files of unusual shapes: one text per shape and size.

The size is a number of declarations, members, levels, heritage types or characters; the text is
linear in it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import isqrt


def _lines(count: int, line: Callable[[int], str]) -> str:
    return "".join(f"{line(number)}\n" for number in range(count))


def _joined(separator: str, count: int, item: Callable[[int], str]) -> str:
    return separator.join(item(number) for number in range(count))


def _literal(number: int) -> str:
    return f'"u{number}"'


def _tagged(number: int) -> str:
    return f'{{ kind: "{number}"; v: {number} }}'


def diamond(levels: int) -> str:
    """Return interfaces of which each extends all before it."""

    def level(number: int) -> str:
        bases = ", ".join(f"L{base}" for base in range(number))
        return (
            f"export interface L{number}{f' extends {bases}' if bases else ''} {{ q{number}: 1 }}"
        )

    return _lines(levels, level) + f"export declare function use(x: L{levels - 1}): L0;\n"


def _callable_diamond(size: int) -> str:
    def level(number: int) -> str:
        bases = f" extends A{number - 1}, B{number - 1}" if number else ""
        call = f"(x: {number}): void;"
        return "".join(f"export interface {side}{number}{bases} {{ {call} }}\n" for side in "AB")

    return _lines(size, level) + f"export declare const call: A{size - 1};\n"


def _chain(size: int) -> str:
    def level(number: int) -> str:
        base = f" extends I{number - 1}" if number else ""
        return f"export interface I{number}{base} {{ p{number}: I{number} }}"

    return _lines(size, level)


def _class_chain(size: int) -> str:
    def level(number: int) -> str:
        base = f" extends C{number - 1}" if number else ""
        return f"export declare class C{number}{base} {{ static s{number}: 1; m{number}(): this }}"

    return _lines(size, level)


SHAPES: Mapping[str, Callable[[int], str]] = {
    "functions": lambda size: _lines(size, lambda n: f"export declare function f{n}(x: {n}): {n};"),
    "one line": lambda size: " ".join(f"export type T{n} = {n};" for n in range(size)),
    "same name": lambda size: _lines(size, lambda n: f"export declare function f(x: {n}): {n};"),
    "same member": lambda size: _lines(size, lambda n: f"export interface I {{ m(x: {n}): {n} }}"),
    "properties": lambda size: (
        "export interface I {\n" + _lines(size, lambda n: f"  p{n}: {n};") + "}\n"
    ),
    "property accesses": lambda size: (
        "export declare const o: {\n"
        + _lines(size, lambda n: f"  p{n}: {n};")
        + "};\n"
        + _lines(size, lambda n: f"export declare const c{n}: (typeof o)['p{n}'];")
    ),
    "union": lambda size: (
        f"export type U = {_joined(' | ', size, _literal)};\nexport declare function f(x: U): U;\n"
    ),
    "union of objects": lambda size: (
        f"export type U = {_joined(' | ', size, _tagged)};\nexport declare function f(x: U): U;\n"
    ),
    "intersection": lambda size: (
        f"export type X = {' & '.join(f'{{ p{n}: {n} }}' for n in range(size))};\n"
        "export declare function f(x: X): X;\n"
    ),
    "callable intersection": lambda size: (
        f"export declare const f: {' & '.join(f'((x: {n}) => {n})' for n in range(size))};\n"
    ),
    "enum": lambda size: (
        "export enum E {\n"
        + _lines(size, lambda n: f"  M{n} = 'm{n}',")
        + "}\nexport declare function f(x: E): E;\n"
    ),
    "enum uses": lambda size: (
        "export enum E {\n"
        + _lines(size, lambda n: f"  M{n},")
        + "}\n"
        + "export interface I {\n"
        + _lines(size, lambda n: f"  [E.M{n}]: typeof E.M{n};")
        + "}\n"
    ),
    "namespace": lambda size: (
        "export namespace N {\n"
        + _lines(size, lambda n: f"  export type T{n} = {n};")
        + "}\n"
        + _lines(size, lambda n: f"export declare const c{n}: N.T{n};")
    ),
    "diamond": lambda size: diamond(max(2, isqrt(2 * size))),
    "callable diamond": _callable_diamond,
    "heritage chain": _chain,
    "class chain": _class_chain,
    "alias chain": lambda size: (
        _lines(size, lambda n: f"export type A{n} = {f'A{n - 1}' if n else 'string'};")
        + f"export declare const c: A{size - 1};\n"
    ),
    "constant chain": lambda size: _lines(
        size, lambda n: f"export declare const c{n}: {f'typeof c{n - 1}' if n else '() => 1'};"
    ),
    "computed constants": lambda size: (
        "type F<T> = T extends string ? (value: T) => T : { value: T };\n"
        + _lines(size, lambda n: f"export declare const c{n}: F<{_literal(n)}>;")
    ),
    "computed chain": lambda size: (
        "type F<T> = T extends (x: infer X) => infer Y ? (x: Y) => X : () => 1;\n"
        + _lines(
            size, lambda n: f"export declare const c{n}: F<{f'typeof c{n - 1}' if n else '1'}>;"
        )
    ),
    "import aliases": lambda size: (
        "export namespace N { export type T = 1 }\n"
        + _lines(size, lambda n: f"import A{n} = {f'A{n - 1}' if n else 'N'};")
        + f"export declare const c: A{size - 1}.T;\n"
    ),
    "distribute": lambda size: (
        "type D<T> = T extends string ? { v: T } : never;\n"
        f"export declare const d: D<{_joined(' | ', size, _literal)}>;\n"
        "export declare function f(x: typeof d): void;\n"
    ),
    "mapped keys": lambda size: (
        f"type K = {_joined(' | ', size, _literal)};\n"
        "export declare function f(x: { [P in K]: P }): Record<K, number>;\n"
    ),
    "parameters": lambda size: (
        f"export declare function f({', '.join(f'a{n}: {n}' for n in range(size))}): void;\n"
    ),
    "type parameters": lambda size: (
        f"export declare function f<{', '.join(f'T{n}' for n in range(size))}>"
        f"({', '.join(f'a{n}: T{n}' for n in range(size))}): void;\n"
    ),
    "overloads": lambda size: (
        "export interface I {\n" + _lines(size, lambda n: f"  m(x: {n}): {n};") + "}\n"
    ),
    "nested brackets": lambda size: f"export type N = {'[' * size}1{']' * size};\n",
    "nested functions": lambda size: f"export type N = {'() => ' * size}1;\n",
    "nested objects": lambda size: f"export type N = {'{ a: ' * size}1{' }' * size};\n",
    "nested namespaces": lambda size: (
        "".join(f"export namespace N{n} {{ " for n in range(size)) + "}" * size
    ),
    "long doc": lambda size: f"/** {'word ' * size} */\nexport declare function f(): void;\n",
    "doc brackets": lambda size: (
        f"/** {'{' * size} {'{@link a ' * size} {'[' * size}\n"
        f" * @param {'{' * size} x {'<' * size} */\nexport declare function f(x: 1): void;\n"
    ),
    "doc tags": lambda size: (
        "/**\n" + _lines(size, lambda n: f" * @tag{n} text") + " */\nexport declare const c: 1;\n"
    ),
    "open comments": lambda size: "export const a = 1;\n" + "/*" * size,
    "open strings": lambda size: "export const a = 1;\n" + '\\"' * size,
    "blanks": lambda size: f"export const a = (\n{' ' * size}\n1\n{' ' * size});\n{' ' * size}",
    "broken": lambda size: _lines(size, lambda n: f"export interface I{n} {{ a: <( ; }}"),
    "re-exports": lambda size: _lines(size, lambda n: f"export {{ a{n} as b{n} }} from './x{n}';"),
    "ambient modules": lambda size: _lines(
        size, lambda n: f"declare module 'm{n}' {{ export const c: {n}; }}"
    ),
    "late names": lambda size: (
        "export declare const K: {\n"
        + _lines(size, lambda n: f"  readonly k{n}: 'k{n}';")
        + "};\nexport interface I {\n"
        + _lines(size, lambda n: f"  [K.k{n}]: {n};")
        + "}\n"
    ),
}
