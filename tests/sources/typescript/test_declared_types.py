"""Types that a source does not annotate, from its declaration output."""

from __future__ import annotations

from typematch.ir.module import DeclarationStatement, Module
from typematch.ir.render import render
from typematch.sources.typescript import read_module
from typematch.sources.typescript.declared_types import with_declared_types

SOURCE = """
import { z } from "zod";
/** A person. */
export const Person = z.object({ name: z.string() });

/** Twice as much. */
export function twice(n: number) { return compute(n) }
export function given(n: number): number { return n }
export class Box {
  /** What is inside. */
  content = compute(1);
  open(key: string) { return unlock(this, key) }
  close(): void {}
}
function hidden() { return compute(2) }
"""
OUTPUT = """
import { z } from "zod";
import { Lock } from "./locks.js";
export declare const Person: z.ZodObject<{ name: z.ZodString }>;
export declare function twice(n: number): number;
export declare function given(n: number): number;
export declare class Box {
  content: Set<string>;
  open(key: string): Lock | null;
  close(): void;
}
"""


def typed() -> Module:
    source = read_module(SOURCE.encode(), path="box.ts")
    return with_declared_types(source, read_module(OUTPUT.encode(), path="box.d.ts"))


def statement(name: str) -> DeclarationStatement:
    [found] = [item for item in typed().scope.declarations if item.name == name]
    return found


def test_results_are_taken_from_the_output() -> None:
    twice = statement("twice")
    assert [overload.text for overload in twice.overloads] == ["(n: number) => number"]
    assert twice.overloads[0].inferred
    assert twice.doc is not None
    assert (twice.line, twice.doc.text, twice.exported) == (7, "Twice as much.", True)


def test_values_are_taken_from_the_output() -> None:
    person = statement("Person")
    assert person.value is not None
    assert render(person.value) == "z.ZodObject<{ name: z.ZodString }>"
    assert person.text == "const Person: z.ZodObject<{ name: z.ZodString }>"
    assert person.line == 4


def test_members_are_taken_from_the_output() -> None:
    members = {member.name: member for member in statement("Box").members}
    assert render(members["content"].type) == "Set<string>"
    assert (members["content"].line, members["content"].inferred) == (11, True)
    assert members["open"].overloads[0].returns == "Lock | null"
    assert (members["close"].line, members["close"].inferred) == (13, False)


def test_what_is_annotated_or_not_emitted_stays() -> None:
    source = read_module(SOURCE.encode(), path="box.ts").scope.declarations
    for name in ("given", "hidden"):
        assert statement(name) == next(item for item in source if item.name == name)


def test_imports_of_the_output_are_added() -> None:
    module = typed()
    assert [item.local for item in module.scope.imports] == ["z", "Lock"]
    assert module.specifiers == ("zod", "./locks.js")


def test_an_output_of_another_source_changes_nothing() -> None:
    source = read_module(SOURCE.encode(), path="box.ts")
    other = read_module(b"export declare function other(): void;", path="box.d.ts")
    assert with_declared_types(source, other) == source


def test_an_inferred_any_stays_unknown() -> None:
    text = b"export function f(n: number) { return g(n) }\nexport const c = g(1);"
    output = b"export declare function f(n: number): any;\nexport declare const c: any;"
    source = read_module(text, path="a.ts")
    assert with_declared_types(source, read_module(output, path="a.d.ts")).scope.declarations == (
        source.scope.declarations
    )
