"""What the names in a query mean."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from typematch.index.entries.selection import EVERYTHING, Condition, Selection, TextCondition
from typematch.ir.constructors import function, nameless
from typematch.ir.declaration import Declaration
from typematch.ir.fingerprint import spelling
from typematch.ir.types import (
    NUMBER,
    STRING,
    WILDCARD,
    Array,
    Object,
    Parameter,
    Reference,
    Type,
    TypeOf,
    TypeParameter,
    Var,
)
from typematch.query.signature.type_expr import read_signature, read_type
from typematch.search.prepare.name_resolution import (
    MAX_READINGS,
    ResolvedQuery,
    resolve_signature,
    resolve_type,
)

KEYS = {
    "Observable": ("rxjs/index.d.ts#Observable",),
    "User": ("api/user.ts#User", "db/user.ts#User"),
    "Option": ("cli/index.d.ts#Option", "fp/index.d.ts#Option"),
    "z.ZodType": ("zod/index.d.ts#ZodType",),
    "chunk": ("lodash/chunk.d.ts#chunk",),
    "Emitter": ("global#Emitter", "events.ts#Emitter"),
    "Target": ("global#Target", "events.ts#Target"),
    "Many": tuple(f"m{i}.ts#Many" for i in range(40)),
}
DECLARED = {
    "cli/index.d.ts#Option": Declaration("cli/index.d.ts#Option", "Option", "class"),
    "fp/index.d.ts#Option": Declaration(
        "fp/index.d.ts#Option", "Option", "alias", (TypeParameter(),)
    ),
}
TOGETHER = {"rxjs/index.d.ts#Observable", "m30.ts#Many"}  # what some function mentions
HIDDEN = {"User": ("log/user.ts#User",)}  # not exported


class FewNames:
    """A handful of declarations, and the function types that are written somewhere."""

    def __init__(self, *written: Object) -> None:
        self._written = {spelling(one) for one in written}

    def global_key(self, name: str, /) -> str | None:
        return f"global#{name}" if name in ("Array", "ReadonlyArray", "Promise", "User2") else None

    def exported(self, name: str, /, selection: Selection = EVERYTHING) -> tuple[str, ...]:
        packages = [v.pattern for c in selection for v in c.values if isinstance(v, TextCondition)]
        return tuple(k for k in KEYS.get(name, ()) if all(k.startswith(f"{p}/") for p in packages))

    def declared(self, name: str, /, selection: Selection = EVERYTHING) -> tuple[str, ...]:
        return (*self.exported(name, selection), *HIDDEN.get(name, ()))

    def has_spelling(self, asked: Object, /) -> bool:
        return spelling(asked) in self._written

    def are_together(self, keys: Sequence[str], /) -> bool:
        assert keys
        return TOGETHER.issuperset(keys)

    def get(self, key: str, /) -> Declaration | None:
        return DECLARED.get(key)

    def similar(self, name: str, /, limit: int = 3) -> tuple[str, ...]:
        return ("Observable",)[:limit] if name.startswith("Obs") else ()


def _signature(text: str, scope: Selection = EVERYTHING, *written: Object) -> ResolvedQuery:
    read = read_signature(text)
    names = FewNames(*written)
    return resolve_signature(read.type, names, variables=read.variables, scope=scope)


def _returns(reading: Type) -> Type:
    assert isinstance(reading, Object)
    return reading.calls[0].returns


def test_globals_come_before_exports() -> None:
    [reading] = resolve_type(read_type("Promise<Observable<string>>"), FewNames()).readings
    inner = Reference("rxjs/index.d.ts#Observable", (STRING,))
    assert reading is Reference("global#Promise", (inner,))


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("Option<string>", ("fp/index.d.ts#Option",)),
        ("Option", ("cli/index.d.ts#Option", "fp/index.d.ts#Option")),
        ("Option<string, number>", ("cli/index.d.ts#Option", "fp/index.d.ts#Option")),
    ],
)
def test_of_two_declarations_the_one_that_takes_the_arguments_is_meant(
    text: str, keys: tuple[str, ...]
) -> None:
    [meaning] = resolve_type(read_type(text), FewNames()).meanings
    assert meaning.keys == keys


def test_the_array_of_the_language_is_the_array_type() -> None:
    [reading] = resolve_type(read_type("Array<ReadonlyArray<string>>"), FewNames()).readings
    assert reading is Array(Array(STRING, True))
    assert resolve_type(read_type("Array"), FewNames()).readings == (Array(WILDCARD),)


def test_several_declarations_are_readings_of_the_whole() -> None:
    found = _signature("(User, User) => User[]")
    assert [_returns(reading) for reading in found.readings] == [
        Array(Reference("api/user.ts#User")),
        Array(Reference("db/user.ts#User")),
    ]
    assert found.meanings[0].keys == KEYS["User"]
    assert found.notices == ()


def test_the_scope_picks_one() -> None:
    found = _signature("() => User", (Condition("pkg", (TextCondition("db"),)),))
    assert [_returns(r) for r in found.readings] == [Reference("db/user.ts#User")]


def test_dotted_names_and_import_types_pick_one() -> None:
    assert resolve_type(read_type("z.ZodType"), FewNames()).readings == (
        Reference("zod/index.d.ts#ZodType"),
    )
    assert resolve_type(read_type('import("api/sub").User'), FewNames()).readings == (
        Reference("api/user.ts#User"),
    )


def test_the_reading_that_is_written_just_so_is_first() -> None:
    text = "(User, number) => Many"
    written = function(
        [Parameter("u", Reference("log/user.ts#User")), Parameter("n", NUMBER)],
        Reference("m30.ts#Many"),
    )
    others = _signature(text).readings
    assert nameless(written) not in map(nameless, others)
    found = _signature(text, EVERYTHING, written)
    assert nameless(found.readings[0]) is nameless(written)
    assert len(found.readings) == MAX_READINGS
    assert found.meanings[0].keys == ("log/user.ts#User", "api/user.ts#User", "db/user.ts#User")


def test_readings_whose_declarations_a_function_mentions_together_come_first() -> None:
    found = _signature("(source: Observable, of: Promise<Many>) => void")
    first, *others = (str(reading) for reading in found.readings)
    assert "m30.ts#Many" in first
    assert "m0.ts#Many" in others[0]
    assert len(found.readings) == MAX_READINGS
    assert [meaning.keys[:2] for meaning in found.meanings if meaning.name == "Many"] == [
        ("m30.ts#Many", "m0.ts#Many")
    ]


def test_names_that_may_all_be_globals_are_a_reading() -> None:
    found = _signature("(p: Emitter | Target) => number")
    first = str(found.readings[0])
    assert "global#Emitter" in first
    assert "global#Target" in first
    assert len(found.readings) == 4


def test_a_name_found_nowhere_becomes_a_variable_with_a_notice() -> None:
    found = _signature("(T, Obsrvable, (x: Obsrvable) => T) => Obsrvable<T>")
    [reading] = found.readings
    assert isinstance(reading, Object)
    [call] = reading.calls
    assert len(call.type_parameters) == 2
    assert call.parameters[1].type is Var(0, 1)
    assert call.returns is Var(0, 1)
    assert found.variables == ("T", "Obsrvable")
    [notice] = found.notices
    assert "Obsrvable" in notice
    assert "did you mean Observable" in notice


def test_inside_an_inner_binder_the_variable_is_further_out() -> None:
    [reading] = _signature("(f: <U>(x: U) => Nothing) => Nothing").readings
    assert isinstance(reading, Object)
    inner = reading.calls[0].parameters[0].type
    assert _returns(inner) is Var(1, 0)


def test_in_a_type_alone_an_unknown_name_is_any_type() -> None:
    found = resolve_type(read_type("{ a: Nothing | string }"), FewNames())
    assert len(found.notices) == 1
    assert found.readings == (read_type("{ a: _ | string }"),)


def test_typeof_names_a_value_and_what_is_read_from_it() -> None:
    [reading] = resolve_type(read_type("typeof chunk.name.length"), FewNames()).readings
    assert reading is TypeOf(Reference("lodash/chunk.d.ts#chunk"), ("name", "length"))


def test_readings_are_bounded_and_the_rest_is_owned_up_to() -> None:
    found = _signature("(Many) => User")
    assert len(found.readings) == MAX_READINGS
    assert "80 readings" in found.notices[0]
