"""Hypothesis strategies for types; every class of ``ir.types`` occurs."""

from __future__ import annotations

from hypothesis import strategies as st

from typematch.ir.constructors import intersection, object_type, union
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
    IndexedAccess,
    KeyOf,
    Literal,
    Mapped,
    Named,
    Reference,
    Template,
    Tuple,
    Type,
    TypeOf,
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


def composites(types: st.SearchStrategy[Type]) -> st.SearchStrategy[Type]:
    """Types built from ``types``."""
    member_lists = st.lists(types, min_size=1, max_size=3)
    elements = st.builds(Element, types, st.sampled_from(["required", "optional", "rest"]))
    properties = st.builds(Property, names, types, st.booleans(), st.booleans())
    return st.one_of(
        st.builds(Array, types, st.booleans()),
        st.builds(Tuple, st.lists(elements, max_size=3).map(tuple)),
        member_lists.map(union),
        member_lists.map(intersection),
        st.builds(
            object_type,
            st.lists(properties, max_size=3),
            st.lists(_signatures(types), max_size=2),
            st.lists(_signatures(types), max_size=1),
            st.lists(st.builds(IndexSignature, st.just(STRING), types), max_size=1),
        ),
        st.builds(Reference, keys, member_lists.map(tuple)),
        st.builds(KeyOf, types),
        st.builds(IndexedAccess, types, types),
        st.builds(Mapped, types, types, st.none() | types),
        st.builds(Conditional, types, types, types, types),
        st.builds(TypeOf, st.builds(Reference, keys), st.lists(names, max_size=2).map(tuple)),
        st.builds(lambda t: Template(("a", "b"), (t,)), types),
    )


types: st.SearchStrategy[Type] = st.recursive(leaves, composites, max_leaves=8)
