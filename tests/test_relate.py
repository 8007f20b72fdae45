"""``typematch.relate`` and ``typematch.assignable``."""

from __future__ import annotations

from pathlib import Path

import pytest

import typematch
from typematch.catalog import Catalog
from typematch.errors import TypeSyntaxError, UsageError
from typematch.match.verdict import Misfit

SHAPES = """
export interface Shape { area(): number }
class Circle { constructor(readonly radius: number) {} area(): number { return 1 } }
type Pair<T> = [T, T];
declare const sizes: { small: 1; large: 2 };
"""
# The verdicts below are those of the compiler.
MIXINS = """
declare class Emitter { on(event: string): this; static make(): Emitter }
declare function Query<T extends new (...args: any[]) => any>(Base?: T):
    { new (...args: any[]): { query(sql: string): string } } & T;
declare function Execute<T extends new (...args: any[]) => any>(Base?: T):
    { new (...args: any[]): { execute(sql: string): number } } & T;
declare class Connection extends Query(Execute(Emitter)) { close(): void }
declare function model<P>(name: string): new (at: P) => { readonly at: P };
declare class Event extends model<Date>("event") {}
"""


@pytest.mark.parametrize(
    ("source", "target", "declarations", "expected"),
    [
        pytest.param("string[]", "Iterable<string>", "", True, id="globals are in scope"),
        pytest.param("string", "number", "", False, id="not assignable"),
        pytest.param("Circle", "Shape", SHAPES, True, id="classes are structural"),
        pytest.param("Pair<1>", "Pair<number>", SHAPES, True, id="alias from the declarations"),
        pytest.param("typeof sizes", "Record<string, number>", SHAPES, True, id="typeof a value"),
        pytest.param("keyof typeof sizes", '"small"', SHAPES, False, id="keyof typeof a value"),
        pytest.param("Connection", "{ query(sql: string): string }", MIXINS, True, id="mixin"),
        pytest.param("Connection", "{ query(sql: number): string }", MIXINS, False, id="not its"),
        pytest.param("Connection", "{ execute(s: string): number }", MIXINS, True, id="nested"),
        pytest.param("Connection", "{ on(e: string): Connection }", MIXINS, True, id="argument"),
        pytest.param("Connection", "{ other: string }", MIXINS, False, id="missing"),
        pytest.param("typeof Connection", "{ make(): Emitter }", MIXINS, True, id="static side"),
        pytest.param("new () => Connection", "typeof Connection", MIXINS, False, id="no statics"),
        pytest.param("Event", "{ at: Date }", MIXINS, True, id="type argument of the call"),
        pytest.param("Event", "{ at: string }", MIXINS, False, id="other type argument"),
    ],
)
def test_assignable(source: str, target: str, declarations: str, expected: bool) -> None:
    assert typematch.assignable(source, target, declarations) is expected


def test_declared_names_hide_the_globals() -> None:
    assert typematch.assignable("{ ok: 1 }", "Promise", "interface Promise { ok: number }")
    assert not typematch.assignable("{ ok: 1 }", "Promise<void>")


def test_capital_letters_and_underscores_are_ordinary_names() -> None:
    assert typematch.assignable("T", "string", "type T = 'a'")
    assert not typematch.assignable("string", "_")


def test_an_unknown_name_is_undecided() -> None:
    verdict = typematch.relate("Foo[]", "Bar<string>")
    assert isinstance(verdict, typematch.Undecided)
    assert verdict.reason == "nothing declares Foo, Bar"


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        ("User", "{ id: string }", "Fit"),
        ("User", "{ id: number }", "Misfit"),
        ("User[]", "Iterable<User>", "Fit"),
        ("Team", "{ members: { name: string }[] }", "Fit"),
        ("Mine", "User", "Misfit"),
        ("Nothing", "User", "Undecided"),
        ("Level.High", "Level", "Fit"),
        ("Level", "Level.High", "Misfit"),
        ("Level.Top", "Level", "Undecided"),
    ],
)
def test_names_mean_the_types_of_a_catalog(
    tiny: Path, source: str, target: str, expected: str
) -> None:
    with Catalog(tiny, create=False) as catalog:
        verdict = catalog.relate(source, target, "interface Mine { id: number }")
    assert type(verdict).__name__ == expected


def test_a_name_of_several_types_is_undecided_unless_all_agree(tmp_path: Path) -> None:
    for name, type_ in (("a", "string"), ("b", "number")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "package.json").write_text(f'{{"name": "{name}", "types": "i.d.ts"}}')
        (tmp_path / name / "i.d.ts").write_text(f"export interface Id {{ value: {type_} }}")
    with Catalog(tmp_path / "t.db") as catalog:
        catalog.add(tmp_path / "a", tmp_path / "b", model=None)
        assert catalog.relate("Id", "{ value: string | number }")
        both = catalog.relate("Id", "{ value: string }")
        assert isinstance(both, typematch.Undecided)
        assert 'choose one with import("package").Name' in both.reason
        assert catalog.relate('import("a").Id', "{ value: string }")
        assert not catalog.relate('import("b").Id', "{ value: string }")


def test_globals_are_those_of_the_index(tmp_path: Path) -> None:
    text = "declare global { interface Set<T> { dispose(): T } }\nexport {};"
    (tmp_path / "a.ts").write_text(text)
    with Catalog(tmp_path / "t.db") as catalog:
        catalog.add(tmp_path / "a.ts", model=None)
        assert catalog.relate("Set<string>", "{ dispose(): string }")
        assert not catalog.relate("Set<string>", "{ dispose(): number }")
        hidden = "interface Set<T> { other: T }"
        assert catalog.relate("{ other: 1 }", "Set<number>", hidden)
    assert not typematch.assignable("Set<string>", "{ dispose(): string }")


def test_a_misfit_has_a_path_and_a_reason() -> None:
    verdict = typematch.relate("{ a: { b: string } }", "{ a: { b: number } }")
    assert isinstance(verdict, typematch.Misfit)
    assert verdict.path == "$.a.b"
    assert "string" in verdict.reason
    assert "number" in verdict.reason


def test_only_a_fit_is_truthy() -> None:
    assert isinstance(typematch.relate("1", "number"), typematch.Fit)
    assert typematch.relate("1", "number")
    assert not typematch.relate("number", "1")


@pytest.mark.parametrize(
    ("text", "column", "problem"),
    [
        ("string[", 7, "the type is incomplete"),
        ("{ id: ", 5, "the type is incomplete"),
        ("a b", 2, "this is no type"),
        ("'[' b", 4, "this is no type"),
    ],
)
def test_a_type_syntax_error_is_raised(text: str, column: int, problem: str) -> None:
    with pytest.raises(TypeSyntaxError, match=problem) as caught:
        typematch.relate(text, "number")
    assert caught.value.column == column
    assert caught.value.exit_code == 2


def test_declarations_with_syntax_errors_are_refused() -> None:
    with pytest.raises(UsageError, match="the declarations cannot be read: 1 syntax error"):
        typematch.assignable("A", "string", "type A = 'x'; type B = ((((;")


def test_types_in_reasons_are_shortened() -> None:
    wide = f"{{ {'; '.join(f'property{number}: string' for number in range(200))} }}"
    verdict = typematch.relate(wide, "string")
    assert isinstance(verdict, Misfit)
    assert len(verdict.reason) < 400
