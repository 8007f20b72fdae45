"""Types for property tests: every class of ``ir.types`` occurs."""

from __future__ import annotations

from hypothesis import strategies as st

from typematch.ir.constructors import intersection, object_type, union
from typematch.ir.types import (
    ANY,
    BOOLEAN,
    NEVER,
    NULL,
    NUMBER,
    STRING,
    UNDEFINED,
    UNKNOWN,
    VOID,
    Array,
    Conditional,
    Element,
    IndexedAccess,
    IndexSignature,
    KeyOf,
    Literal,
    Mapped,
    Named,
    Parameter,
    Predicate,
    Property,
    Reference,
    Signature,
    Template,
    Tuple,
    Type,
    TypeOf,
    TypeParameter,
    UniqueSymbol,
    Var,
)

names = st.sampled_from(["a", "b", "length", "then", "id", "x-y", "\N{SNOWMAN}"])
keys = st.sampled_from(["p/a.d.ts#A", "p/a.d.ts#N.B", "global#Array", '"m"#f'])
leaves: st.SearchStrategy[Type] = st.one_of(
    st.sampled_from([STRING, NUMBER, BOOLEAN, ANY, UNKNOWN, NEVER, VOID, UNDEFINED, NULL]),
    st.builds(Literal, st.just("string"), st.text(max_size=3)),
    st.builds(Literal, st.just("number"), st.integers(-3, 300).map(str)),
    st.builds(Reference, keys),
    st.builds(Named, st.lists(names, min_size=1, max_size=2).map(tuple)),
    st.builds(UniqueSymbol, keys),
    st.builds(Var, st.integers(0, 1), st.integers(0, 1)),
)


def _signatures(types: st.SearchStrategy[Type]) -> st.SearchStrategy[Signature]:
    parameters = st.lists(st.builds(Parameter, names, types, st.booleans()), max_size=3)
    return st.builds(
        Signature,
        parameters.map(tuple),
        types,
        st.lists(st.builds(TypeParameter, st.none() | types), max_size=2).map(tuple),
        st.none() | types,
        st.none() | st.builds(Predicate, st.integers(-1, 1), st.none() | types),
    )


def wholes(types: st.SearchStrategy[Type]) -> st.SearchStrategy[Type]:
    several = st.lists(types, min_size=1, max_size=3)
    elements = st.builds(Element, types, st.sampled_from(["required", "optional", "rest"]))
    properties = st.builds(Property, names, types, st.booleans(), st.booleans())
    return st.one_of(
        st.builds(Array, types, st.booleans()),
        st.builds(Tuple, st.lists(elements, max_size=3).map(tuple)),
        several.map(union),
        several.map(intersection),
        st.builds(
            object_type,
            st.lists(properties, max_size=3),
            st.lists(_signatures(types), max_size=2),
            st.lists(_signatures(types), max_size=1),
            st.lists(st.builds(IndexSignature, st.just(STRING), types), max_size=1),
        ),
        st.builds(Reference, keys, several.map(tuple)),
        st.builds(KeyOf, types),
        st.builds(IndexedAccess, types, types),
        st.builds(Mapped, types, types, st.none() | types),
        st.builds(Conditional, types, types, types, types),
        st.builds(TypeOf, st.builds(Reference, keys), st.lists(names, max_size=2).map(tuple)),
        st.builds(lambda t: Template(("a", "b"), (t,)), types),
    )


types: st.SearchStrategy[Type] = st.recursive(leaves, wholes, max_leaves=8)
