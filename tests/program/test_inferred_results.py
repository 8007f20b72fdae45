"""Results that functions do not annotate, where their bodies and other declarations say them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from file_trees import writer
from typematch.catalog import Catalog
from typematch.match.verdict import FIT, Misfit

FILES: dict[str, object] = {
    "package.json": {"name": "app"},
    "declared.ts": """
        export interface User { id: string; age?: number; tags: string[] }
        export class Box<T> { constructor(readonly value: T) {} }
        export class Name { text: string = ""; parse(s: string): Name { return this } }
        export const name = new Name();
        export function load(id: string): Promise<User> { throw 1 }
        export function identity<T>(x: T): T { return x }
        export function watch<T>(x: T): () => void { throw 1 }
        export function over(n: number): string;
        export function over(n: string): number;
        export function over(n: any): any { return n }
        export function same(n: number): string;
        export function same(n: string): string;
        export function same(n: any): any { return n }
    """,
    "main.ts": """
        import { Box, identity, load, name, Name, over, same, User, watch } from "./declared";
        import * as all from "./declared";
        export function call() { return same(1) }
        export function ofGeneric() { return watch(1) }
        export function ofNamespace() { return all.load("a") }
        export async function awaits(id: string) { const user = await load(id); return user }
        export function viaOther() { return call().length }
        export function property(user: User) { return user.id }
        export function optional(user: User) { return user.age }
        export function method(text: string) { return name.parse(text) }
        export function library(tags: string[]) { return tags.join(",") }
        export function made({ id, tags }: User) { return { id, first: tags, size: 1 } }
        export function curried<K>(key: K) { return <V>(value: V): [K, V] => [key, value] }
        export function counted() { let n = 0; n += 1; return n }
        export function joined(n: number) { if (n > 1) return "a"; return n }
        export function annotated() { const set: Set<string> = new Set(); return set }
        export function text(n: number) { return String(n) }
        export class Counter { self() { return this } }

        export function unknownGeneric() { return identity(1) }
        export function unknownOverloads() { return over(1) }
        export function unknownName() { return missing() }
        export function unknownNarrowed(user: User) {
          if (!user.age) return 0;
          return user.age;
        }
        export function unknownPredicate(x: 1 | "a") { return typeof x === "string" }
        export function unknownNew(x: number) { return new Box(x) }
        export function unknownFrozen(x: number) { return { x, k: "a" } as const }
        export function unknownLocal() {
          interface User { z: 1 }
          const user: User = { z: 1 };
          return user;
        }
        export function unknownShadow(load: any) { return load("a") }
        export function unknownCircular() { return unknownCircular2() }
        export function unknownCircular2() { return unknownCircular() }
        export function unknownAssigned() { let x = null; x = "a"; return x }
        export function unknownDeclared(x: 1 | null) { const y: 1 | null = x; return y }
    """,
}
KNOWN = {
    "call": "() => string",
    "ofGeneric": "() => () => void",
    "ofNamespace": "() => Promise<User>",
    "awaits": "(id: string) => Promise<User>",
    "viaOther": "() => number",
    "property": '(user: User) => User["id"]',
    "optional": '(user: User) => User["age"]',
    "method": "(text: string) => Name",
    "library": "(tags: string[]) => string",
    "made": '({ id, tags }: User) => { first: User["tags"]; id: User["id"]; size: number }',
    "curried": "<K>(key: K) => <T>(value: T) => [K, T]",
    "counted": "() => number",
    "joined": '(n: number) => number | "a"',
    "annotated": "() => Set<string>",
    "text": "(n: number) => string",
    "Counter#self": "() => this",
}


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """The signatures of the functions in main.ts, by name."""
    root = tmp_path_factory.mktemp("inferred")
    with Catalog(root / "typematch.db") as catalog:
        catalog.add(writer(root / "app")(FILES), model=None)
        yield {
            entry.qualified_name: entry.signatures[0].text
            for entry in catalog.entries("app")
            if entry.signatures and entry.path == "app/main.ts"
        }


@pytest.mark.parametrize(("name", "text"), KNOWN.items())
def test_a_result_is_known(texts: dict[str, str], name: str, text: str) -> None:
    assert texts[name] == text


def test_what_is_not_known_is_not_annotated(texts: dict[str, str]) -> None:
    unknown = {name: text for name, text in texts.items() if name.startswith("unknown")}
    assert len(unknown) == 13
    assert [name for name, text in unknown.items() if not text.endswith(" => _")] == []


def test_a_change_of_a_callee_changes_the_result(tmp_path_factory: pytest.TempPathFactory) -> None:
    root = tmp_path_factory.mktemp("changed")
    files = {"package.json": {"name": "app"}, "b.ts": "export function g(): string { return '' }"}
    write = writer(root / "app")
    write({**files, "a.ts": 'import { g } from "./b"; export function f() { return g() }'})
    with Catalog(root / "typematch.db") as catalog:
        catalog.add(root / "app", model=None)
        assert catalog.get("app#f").signature == "() => string"
        write({"b.ts": "export function g(): number { return 1 }"})
        catalog.add(root / "app", model=None)
        assert catalog.get("app#f").signature == "() => number"


SCHEMA = """
    export interface Schema<T> { readonly out: T; optional(): Schema<T | undefined> }
    export declare function text(): Schema<string>;
    export declare function record<T extends { [key: string]: Schema<unknown> }>(shape: T):
        Schema<{ [K in keyof T]: T[K]["out"] }>;
    export declare function piped<T, U>(schema: Schema<T>, change: (value: T) => U): Schema<U>;
    export type Infer<S extends Schema<unknown>> = S["out"];
"""
USERS = """
    import { Infer, piped, record, text } from "./schema";
    const User = record({ name: text(), nick: text().optional() });
    type User = Infer<typeof User>;
    export function greet(user: User): boolean { return true }
    const Changed = piped(text(), (value) => value.length);
    type Changed = Infer<typeof Changed>;
    export { User, Changed };
"""


def test_a_type_inferred_from_a_call_has_members(tmp_path: Path) -> None:
    write = writer(tmp_path / "app")
    write({"package.json": {"name": "app"}, "schema.ts": SCHEMA, "users.ts": USERS})
    with Catalog(tmp_path / "typematch.db") as catalog:
        catalog.add(tmp_path / "app", model=None)
        shown = catalog.search(":: { name: string }").hits
        assert [hit.entry.line for hit in shown if hit.entry.name == "User"] == [4]
        assert "is-any" not in [edit.kind.name for edit in shown[0].edits]
        assert catalog.relate("User", "{ name: string }") is FIT
        assert isinstance(catalog.relate("{ name: 1, nick: 'a' }", "User"), Misfit)
        write({"schema.ts": SCHEMA.replace("text(): Schema<string>", "text(): Schema<number>")})
        catalog.add(tmp_path / "app", model=None)
        assert catalog.relate("{ name: 1, nick: 2 }", "User") is FIT
        assert isinstance(catalog.relate("User", "{ name: string }"), Misfit)
