"""Interned nodes: identity, children, and free variables."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from type_strategies import composites, leaves, types
from typematch.ir import types as kinds
from typematch.ir.intern import InternedNode, binder_fields, children, rebuild, replace_fields
from typematch.ir.type_parts import Property
from typematch.ir.types import STRING, THIS, Array, Free, Type, Var, VariableKind

T, U = Free(VariableKind.LOCAL, 1, "T"), Free(VariableKind.LOCAL, 2, "U")
open_types: st.SearchStrategy[Type] = st.recursive(
    st.one_of(
        leaves,
        st.sampled_from([T, U, THIS]),
    ),
    composites,
    max_leaves=8,
)


def child_nodes(node: InternedNode) -> Iterator[tuple[str, InternedNode]]:
    """Yield (field name, node) for every node in a field; does not use ``child_fields``."""
    for name in node.__match_args__:
        value = getattr(node, name)
        for item in value if isinstance(value, tuple) else (value,):
            if isinstance(item, InternedNode):
                yield name, item


def descendants(node: InternedNode) -> Iterator[InternedNode]:
    yield node
    for _, part in child_nodes(node):
        yield from descendants(part)


def expected_loose_depth(node: InternedNode) -> int:
    """Return the number of enclosing binders that ``node`` depends on."""
    if isinstance(node, Var):
        return node.depth + 1
    inside = binder_fields(node)
    return max(
        (max(0, expected_loose_depth(part) - (name in inside)) for name, part in child_nodes(node)),
        default=0,
    )


@given(open_types)
def test_child_fields_loose_depth_and_free_match_a_direct_computation(t: Type) -> None:
    for node in descendants(t):
        assert list(children(node)) == [part for _, part in child_nodes(node)]
        assert node.loose_depth == expected_loose_depth(node)
        assert node.free == {
            part for part in descendants(node) if part is THIS or isinstance(part, Free)
        }


def test_child_fields_are_the_fields_that_hold_nodes() -> None:
    assert Property.child_fields == ("type", "write")
    assert Array.child_fields == ("element",)
    assert Var.child_fields == Free.child_fields == kinds.Literal.child_fields == ()
    assert kinds.Template.child_fields == ("types",)


@given(types)
def test_rebuilt_copied_and_unpickled_nodes_are_the_same_object(t: Type) -> None:
    assert rebuild(t, lambda part, _: part) is t
    assert replace_fields(t) is t
    assert copy.deepcopy(t) is pickle.loads(pickle.dumps(t)) is t


def test_nodes_are_immutable() -> None:
    with pytest.raises(AttributeError, match="frozen"):
        STRING.name = "number"
