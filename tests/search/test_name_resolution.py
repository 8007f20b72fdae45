"""Resolution of the names in a query."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from fakes.stores import as_store
from typematch.index.entries.selection import EVERYTHING, Condition, GlobCondition, Selection
from typematch.index.records import ProjectPackages
from typematch.ir.constructors import function, without_parameter_names
from typematch.ir.declaration import Declaration
from typematch.ir.fingerprint import exact_fingerprint
from typematch.ir.type_parts import Parameter, TypeParameter
from typematch.ir.types import (
    NUMBER,
    STRING,
    WILDCARD,
    Array,
    Named,
    Object,
    Reference,
    Type,
    TypeOf,
    Var,
)
from typematch.query.signature.type_expr import read_signature, read_type
from typematch.search.prepare.name_resolution import (
    MAX_READINGS,
    ResolvedType,
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
    "Element": ("slate.ts#Element", "global#Element"),
    "HTMLElement": ("global#HTMLElement",),
    "Promise": ("bluebird/index.d.ts#Promise",),
    "Many": tuple(f"m{i}.ts#Many" for i in range(40)),
}
DECLARED = {
    "cli/index.d.ts#Option": Declaration("cli/index.d.ts#Option", "Option", "class"),
    "fp/index.d.ts#Option": Declaration(
        "fp/index.d.ts#Option", "Option", "alias", (TypeParameter(),)
    ),
}
# Mentioned together by a function.
TOGETHER = (
    {"rxjs/index.d.ts#Observable", "m30.ts#Many"},
    {"global#Element", "global#HTMLElement"},
    {"slate.ts#Element"},
)
UNDECLARED = {"ReactNode": ("React.ReactNode", "ReactNode")}
HIDDEN = {"User": ("log/user.ts#User",)}  # not exported


class FewNames:
    """A few declarations, and the signatures of functions."""

    def __init__(self, *signatures: Object) -> None:
        self._fingerprints = {exact_fingerprint(signature) for signature in signatures}
        self.lookups: list[tuple[str, ...]] = []

    def global_key(self, name: str, /) -> str | None:
        return f"global#{name}" if name in ("Array", "ReadonlyArray", "Promise", "User2") else None

    def exported_types(self, name: str, /, selection: Selection = EVERYTHING) -> tuple[str, ...]:
        packages = [v.pattern for c in selection for v in c.values if isinstance(v, GlobCondition)]
        keys = KEYS.get(name, ())
        return tuple(key for key in keys if not packages or key.partition("/")[0] in packages)

    def declared_types(self, name: str, /, selection: Selection = EVERYTHING) -> tuple[str, ...]:
        return (*self.exported_types(name, selection), *HIDDEN.get(name, ()))

    def undeclared_names(self, name: str, /) -> tuple[str, ...]:
        return UNDECLARED.get(name, ())

    def importable_types(self, *_: object) -> tuple[str, ...]:
        return ()

    def project_packages(self) -> ProjectPackages:
        return ProjectPackages()

    def packages_declaring_global(self, *_: object) -> frozenset[str]:
        return frozenset()

    def is_language_global(self, name: str, /) -> bool:
        return name in ("Array", "ReadonlyArray", "Promise")

    def has_exact_signature(self, target: Object, /) -> bool:
        return exact_fingerprint(target) in self._fingerprints

    def co_occur(self, keys: Sequence[str], /) -> bool:
        assert keys
        return any(together.issuperset(keys) for together in TOGETHER)

    def get(self, key: str, /) -> Declaration | None:
        return DECLARED.get(key)

    def similar_type_names(
        self, names: Sequence[str], /, limit: int = 3
    ) -> dict[str, tuple[str, ...]]:
        self.lookups.append(tuple(names))
        return {name: ("Observable",)[:limit] if name.startswith("Obs") else () for name in names}


NAMES = as_store(FewNames())


def _signature(text: str, scope: Selection = EVERYTHING, *signatures: Object) -> ResolvedType:
    parsed = read_signature(text)
    store = as_store(FewNames(*signatures))
    return resolve_signature(parsed.type, store, variables=parsed.variables, scope=scope)


def _parameter(reading: Type) -> Type:
    assert isinstance(reading, Object)
    return reading.calls[0].parameters[0].type


def _returns(reading: Type) -> Type:
    assert isinstance(reading, Object)
    return reading.calls[0].returns


def test_globals_come_before_exports() -> None:
    [reading] = resolve_type(
        read_type("Promise<Observable<string>>"), as_store(FewNames())
    ).readings
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
def test_declarations_with_the_right_number_of_type_parameters_are_preferred(
    text: str, keys: tuple[str, ...]
) -> None:
    [name] = resolve_type(read_type(text), NAMES).names
    assert name.keys == keys


def test_the_global_array_is_the_array_type() -> None:
    [reading] = resolve_type(
        read_type("Array<ReadonlyArray<string>>"), as_store(FewNames())
    ).readings
    assert reading is Array(Array(STRING, True))
    assert resolve_type(read_type("Array"), NAMES).readings == (Array(WILDCARD),)


def test_each_declaration_of_a_name_is_a_reading_of_the_type() -> None:
    resolved = _signature("(User, User) => User[]")
    assert [_returns(reading) for reading in resolved.readings] == [
        Array(Reference("api/user.ts#User")),
        Array(Reference("db/user.ts#User")),
    ]
    assert resolved.names[0].keys == KEYS["User"]
    assert resolved.notices == ()


def test_the_scope_selects_a_declaration() -> None:
    resolved = _signature("() => User", (Condition("pkg", (GlobCondition("db"),)),))
    assert [_returns(r) for r in resolved.readings] == [Reference("db/user.ts#User")]


def test_dotted_names_and_import_types_select_a_declaration() -> None:
    assert resolve_type(read_type("z.ZodType"), NAMES).readings == (
        Reference("zod/index.d.ts#ZodType"),
    )
    assert resolve_type(read_type('import("api/sub").User'), NAMES).readings == (
        Reference("api/user.ts#User"),
    )


def test_a_name_of_an_import_is_that_of_its_module() -> None:
    # As in `import * as rxjs from "rxjs"`.
    for written in ("rxjs.Observable", "all.Rxjs.Observable"):
        assert resolve_type(read_type(written), NAMES).readings == (
            Reference(KEYS["Observable"][0]),
        )
    [reading] = resolve_type(read_type("Db.User"), NAMES).readings
    assert reading is Reference("db/user.ts#User")
    unknown = resolve_type(read_type("express.User"), NAMES)
    assert unknown.readings == (WILDCARD,)
    assert unknown.notices[0].startswith("Nothing here is called express.User")


def test_the_reading_that_is_the_signature_of_a_function_is_first() -> None:
    text = "(User, number) => Many"
    signature = function(
        [Parameter("u", Reference("log/user.ts#User")), Parameter("n", NUMBER)],
        Reference("m30.ts#Many"),
    )
    others = _signature(text).readings
    assert without_parameter_names(signature) not in map(without_parameter_names, others)
    resolved = _signature(text, EVERYTHING, signature)
    assert without_parameter_names(resolved.readings[0]) is without_parameter_names(signature)
    assert len(resolved.readings) == MAX_READINGS
    assert resolved.names[0].keys == ("log/user.ts#User", "api/user.ts#User", "db/user.ts#User")


def test_the_signature_of_a_function_decides_before_the_globals() -> None:
    text = "(number) => Promise<string>"
    [of_global] = _signature(text).readings
    signature = function(
        [Parameter("n", NUMBER)], Reference("bluebird/index.d.ts#Promise", (STRING,))
    )
    first, second = _signature(text, EVERYTHING, signature).readings
    assert without_parameter_names(first) is without_parameter_names(signature)
    assert second is of_global


def test_readings_whose_declarations_occur_together_come_first() -> None:
    resolved = _signature("(source: Observable, of: Promise<Many>) => void")
    first, *others = (str(reading) for reading in resolved.readings)
    assert "m30.ts#Many" in first
    assert "m0.ts#Many" in others[0]
    assert len(resolved.readings) == MAX_READINGS
    assert [name.keys[:2] for name in resolved.names if name.name == "Many"] == [
        ("m30.ts#Many", "m0.ts#Many")
    ]


def test_a_global_of_the_dom_is_read_beside_others() -> None:
    first, second = _signature("(from: Element, to: HTMLElement) => void").readings
    assert _parameter(first) is Reference("global#Element")
    assert _parameter(second) is Reference("slate.ts#Element")
    first, second = _signature("(from: Element, to: Promise<string>) => void").readings
    assert _parameter(first) is Reference("slate.ts#Element")
    assert _parameter(second) is Reference("global#Element")


def test_all_names_as_globals_are_a_reading() -> None:
    resolved = _signature("(p: Emitter | Target) => number")
    first = str(resolved.readings[0])
    assert "global#Emitter" in first
    assert "global#Target" in first
    assert len(resolved.readings) == 4


def test_an_unknown_name_becomes_a_type_parameter_with_a_notice() -> None:
    resolved = _signature("(T, Obsrvable, (x: Obsrvable) => T) => Obsrvable<T>")
    [reading] = resolved.readings
    assert isinstance(reading, Object)
    [call] = reading.calls
    assert len(call.type_parameters) == 2
    assert call.parameters[1].type is Var(0, 1)
    assert call.returns is Var(0, 1)
    assert resolved.variables == ("T", "Obsrvable")
    [notice] = resolved.notices
    assert "Obsrvable" in notice
    assert "did you mean Observable" in notice


@pytest.mark.parametrize(
    ("written", "suggested"),
    [
        pytest.param("strin", "did you mean string", id="a keyword"),
        pytest.param("Nubmer", "did you mean number", id="whatever the case"),
        pytest.param("Obsrvable", "did you mean Observable", id="no keyword is similar"),
    ],
)
def test_types_of_the_language_are_suggested_first(written: str, suggested: str) -> None:
    [notice] = _signature(f"(x: {written}) => void").notices
    assert suggested in notice
    assert "or String" not in notice


def test_a_name_that_types_mention_and_nothing_declares_stays_a_name() -> None:
    resolved = _signature("(ReactNode<string>) => void")
    assert [_parameter(reading) for reading in resolved.readings] == [
        Named(("React", "ReactNode"), (STRING,)),
        Named(("ReactNode",), (STRING,)),
    ]
    assert resolved.notices == (
        "Nothing here declares ReactNode: it is compared by its name only.",
    )
    [name] = resolved.names
    assert not name.is_declared


def test_similar_names_are_looked_up_at_once_and_for_a_few_names_only() -> None:
    parameters = ", ".join(f"Strange{number}" for number in range(30))
    parsed = read_signature(f"({parameters}) => void")
    names = FewNames()
    resolved = resolve_signature(parsed.type, as_store(names), variables=parsed.variables)
    assert len(resolved.notices) == 30
    assert names.lookups == [tuple(f"Strange{number}" for number in range(8))]


def test_inside_an_inner_signature_the_type_parameter_is_one_binder_out() -> None:
    [reading] = _signature("(f: <U>(x: U) => Nothing) => Nothing").readings
    assert isinstance(reading, Object)
    inner = reading.calls[0].parameters[0].type
    assert _returns(inner) is Var(1, 0)


def test_without_a_signature_an_unknown_name_becomes_a_wildcard() -> None:
    resolved = resolve_type(read_type("{ a: Nothing | string }"), NAMES)
    assert len(resolved.notices) == 1
    assert resolved.readings == (read_type("{ a: _ | string }"),)


def test_typeof_resolves_a_value_and_keeps_the_property_path() -> None:
    [reading] = resolve_type(read_type("typeof chunk.name.length"), NAMES).readings
    assert reading is TypeOf(Reference("lodash/chunk.d.ts#chunk"), ("name", "length"))


def test_the_number_of_readings_is_limited_with_a_notice() -> None:
    resolved = _signature("(Many) => User")
    assert len(resolved.readings) == MAX_READINGS
    assert "80 readings" in resolved.notices[0]


def test_similar_names_are_looked_up_for_some_names_of_the_whole_query() -> None:
    names = FewNames()
    first = resolve_type(read_type("[Odd1, Odd2, Odd3, Odd4, Odd5]"), as_store(names))
    second = resolve_type(read_type("[Odd6, Odd7, Odd8, Odd9]"), as_store(names), others=[first])
    third = resolve_type(read_type("Odd10"), as_store(names), others=[first, second])
    assert names.lookups == [tuple(f"Odd{n}" for n in range(1, 6)), ("Odd6", "Odd7", "Odd8")]
    assert third.notices == ("Nothing here is called Odd10: it stands for any type.",)


def test_a_name_that_is_only_looked_for_is_no_type() -> None:
    resolved = resolve_type(read_type("Odd1"), as_store(FewNames()), is_compared=False)
    assert resolved.notices == ("Nothing here is called Odd1.",)
