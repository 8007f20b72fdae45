"""Rendering types as TypeScript text."""

from __future__ import annotations

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from typematch.errors import TypeSyntaxError
from typematch.ir.constructors import function, intersection, object_type, union
from typematch.ir.render import render
from typematch.ir.type_parts import (
    Element,
    IndexSignature,
    Parameter,
    Predicate,
    Property,
    Signature,
    TypeParameter,
)
from typematch.ir.types import (
    ANY,
    BIGINT,
    BOOLEAN,
    NEVER,
    NULL,
    NUMBER,
    OBJECT,
    STRING,
    SYMBOL,
    THIS,
    UNDEFINED,
    UNKNOWN,
    VOID,
    Array,
    Conditional,
    IndexedAccess,
    KeyOf,
    Literal,
    Mapped,
    Named,
    Object,
    Reference,
    Template,
    Tuple,
    Type,
    TypeOf,
    UniqueSymbol,
    Var,
)
from typematch.sources.typescript import read_type


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param("(string|number)[]", "(string | number)[]", id="union in an array"),
        pytest.param(
            "readonly (readonly string[])[]", "readonly (readonly string[])[]", id="readonly"
        ),
        pytest.param("(() => void) | null", "(() => void) | null", id="function in a union"),
        pytest.param("(new () => X)[]", "(new () => X)[]", id="constructor in an array"),
        pytest.param("keyof (A & B)", "keyof (A & B)", id="keyof an intersection"),
        pytest.param("(keyof A)['x']", '(keyof A)["x"]', id="index of a keyof"),
        pytest.param("<A>(a: A) => <B>(b: B) => A", "<T>(a: T) => <U>(b: U) => T", id="letters"),
        pytest.param("<A>(t: T) => A", "<U>(t: T) => U", id="letters that are names are skipped"),
        pytest.param("{ f(): void; f(x: A): B }", "{ f(): void; f(x: A): B }", id="overloads"),
        pytest.param(
            "{ get a(): A; set a(v: B) }", "{ get a(): A; set a(value: B) }", id="accessors"
        ),
        pytest.param(
            "{ 'a-b'?: 1; readonly c: 2 }", '{ "a-b"?: 1; readonly c: 2 }', id="quoted name"
        ),
        pytest.param("A extends (infer U)[] ? U : B", "A extends (infer T)[] ? T : B", id="infer"),
        pytest.param(
            "A extends [infer U extends string] ? U : B",
            "A extends [(infer T extends string)] ? T : B",
            id="infer with a constraint",
        ),
        pytest.param(
            "{ -readonly [K in keyof A as `x${K}`]+?: A[K] }",
            "{ -readonly [T in keyof A as `x${T}`]?: A[T] }",
            id="mapped",
        ),
        pytest.param("(x: any) => asserts x is A", "(x: any) => asserts x is A", id="assertion"),
        pytest.param("(this: A) => this is B", "(this: A) => this is B", id="this"),
        pytest.param("[a: A, b?: B, ...c: C[]]", "[a: A, b?: B, ...c: C[]]", id="labels"),
        pytest.param("[A?, ...B]", "[A?, ...B]", id="variadic"),
        pytest.param("{}", "{}", id="empty"),
        pytest.param("unique symbol", "unique symbol", id="unique symbol"),
        pytest.param("typeof import('m').a.b<C>", 'typeof import("m").a.b<C>', id="typeof"),
    ],
)
def test_rendered_text(source: str, expected: str) -> None:
    read = read_type(source)
    assert render(read) == expected
    assert read_type(expected) is read


def test_references_render_the_name_in_their_key() -> None:
    target = Reference("p/a.d.ts#N.A", (STRING,))
    assert render(target) == "N.A<string>"
    assert render(target, display_name=lambda key: f"<{key}>") == "<p/a.d.ts#N.A><string>"


def test_outer_variables_render_with_the_names_of_their_binders() -> None:
    inner = function((Parameter("x", Var(1, 0)),), Var(0, 0), (TypeParameter(),))
    assert render(inner, names=(("T",),)) == "<U>(x: T) => U"


_WORDS = st.sampled_from(["a", "b", "of", "type", "x1", "$y"])
_PROPERTY_NAMES = _WORDS | st.sampled_from(["x-y", "1", "@@iterator", "@?foo", 'say "hi"'])
_LEAVES: st.SearchStrategy[Type] = st.one_of(
    st.sampled_from(
        [
            STRING,
            NUMBER,
            BOOLEAN,
            BIGINT,
            SYMBOL,
            ANY,
            UNKNOWN,
            NEVER,
            VOID,
            UNDEFINED,
            NULL,
            OBJECT,
            THIS,
            UniqueSymbol(),
        ]
    ),
    st.builds(Literal, st.just("string"), st.text(st.characters(exclude_categories=["Cs", "Cc"]))),
    st.builds(Literal, st.just("number"), st.integers(-3, 300).map(str)),
    st.builds(Literal, st.just("bigint"), st.integers(-3, 300).map(str)),
    st.builds(
        Named,
        st.lists(st.sampled_from(["A", "B", "T", "Foo"]), min_size=1, max_size=2).map(tuple),
        st.just(()),
        st.none() | st.just("./m"),
    ),
)


def _construct_signatures(types: st.SearchStrategy[Type]) -> st.SearchStrategy[Signature]:
    """Signatures without predicates."""
    parameters = st.lists(
        st.builds(Parameter, _WORDS, types, st.booleans()), max_size=3, unique_by=lambda p: p.name
    ).map(tuple)
    signatures = st.builds(
        Signature,
        parameters,
        types,
        st.lists(
            st.builds(TypeParameter, st.none() | types, st.none() | types, st.booleans()),
            max_size=2,
        ).map(tuple),
        st.none() | types,
    )
    generic = st.just(
        Signature(
            (Parameter("x", Array(Var(0, 0))),), Var(0, 1), (TypeParameter(), TypeParameter())
        )
    )
    return signatures | generic


def _signatures(types: st.SearchStrategy[Type]) -> st.SearchStrategy[Signature]:
    """Signatures without predicates, or with one that names an existing parameter."""
    guards = st.builds(
        lambda t: Signature((Parameter("x", ANY),), BOOLEAN, predicate=Predicate(0, t)), types
    )
    return _construct_signatures(types) | guards


def _variadic(types: st.SearchStrategy[Type]) -> st.SearchStrategy[Element]:
    """Spread names: the grammar takes a bracket after the dots for a pattern."""
    spread = st.builds(Named, st.just(("G",)), st.lists(types, min_size=1, max_size=2).map(tuple))
    return st.builds(Element, spread, st.just("variadic"), st.sampled_from(["", "a"]))


def _composites(types: st.SearchStrategy[Type]) -> st.SearchStrategy[Type]:
    member_lists = st.lists(types, min_size=1, max_size=3)
    kinds = st.sampled_from(["required", "optional", "rest"])
    labelled = st.builds(Element, types, kinds, st.just("a"))
    unlabelled = st.builds(Element, types, st.sampled_from(["required", "optional"]))
    elements = labelled | unlabelled | _variadic(types)
    properties = st.builds(
        Property,
        _PROPERTY_NAMES,
        types,
        st.booleans(),
        st.booleans(),
    )
    methods = st.builds(
        lambda name, signature: Property(name, Object(calls=(signature,)), method=True),
        _WORDS,
        _signatures(types),
    )
    modifiers = st.sampled_from(["", "+", "-"])
    return st.one_of(
        st.builds(Array, types, st.booleans()),
        st.builds(Tuple, st.lists(elements, max_size=3).map(tuple), st.booleans()),
        member_lists.map(union),
        member_lists.map(intersection),
        st.builds(
            object_type,
            st.lists(properties | methods, max_size=3, unique_by=lambda p: p.name),
            st.lists(_signatures(types), max_size=2),
            st.lists(_construct_signatures(types), max_size=1),
            st.lists(st.builds(IndexSignature, st.just(STRING), types, st.booleans()), max_size=1),
        ),
        st.builds(Named, st.just(("G",)), member_lists.map(tuple)),
        st.builds(KeyOf, types),
        st.builds(IndexedAccess, types, types),
        st.builds(Mapped, types, types, st.none() | types, modifiers, modifiers),
        st.builds(Conditional, types, types, types, types),
        st.builds(
            lambda check, no: Conditional(
                check, Array(Var(0, 0)), Var(0, 0), no, (TypeParameter(),)
            ),
            types,
            types,
        ),
        st.builds(
            TypeOf, st.just(Named(("a", "b"))), st.just(()), st.lists(types, max_size=2).map(tuple)
        ),
        st.builds(lambda t: Template(("a`", "${b\\"), (t,)), _LEAVES),
    )


# Hypothesis warns that the strategy itself is long to print.
@pytest.mark.filterwarnings("ignore::hypothesis.errors.HypothesisWarning")
@given(st.recursive(_LEAVES, _composites, max_leaves=8))
def test_rendered_text_parses_to_the_same_type(t: Type) -> None:
    text = render(t)
    try:
        read = read_type(text)
    except TypeSyntaxError:
        reject()  # the grammar rejects some valid types: typeof a<readonly B[]>
    assert read is t, text
