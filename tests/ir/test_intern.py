"""Nodes: equal ones are one, and each knows its parts and what is open in it."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from given_types import leaves, types, wholes
from typematch.ir import types as kinds
from typematch.ir.intern import InternedNode, children, inside, rebuild, replaced
from typematch.ir.types import STRING, THIS, Array, Free, Property, Type, Var

opened: st.SearchStrategy[Type] = st.recursive(
    st.one_of(leaves, st.sampled_from([Free(1, "T"), Free(2, "U"), THIS])), wholes, max_leaves=8
)


def held(node: InternedNode) -> Iterator[tuple[str, InternedNode]]:
    """Yield every node in a field of ``node``, and the field's name, whatever is declared."""
    for name in node.__match_args__:
        value = getattr(node, name)
        for item in value if isinstance(value, tuple) else (value,):
            if isinstance(item, InternedNode):
                yield name, item


def within(node: InternedNode) -> Iterator[InternedNode]:
    yield node
    for _, part in held(node):
        yield from within(part)


def reach(node: InternedNode) -> int:
    """Return how many binders around ``node`` its variables need."""
    if isinstance(node, Var):
        return node.depth + 1
    within = inside(node)
    return max((max(0, reach(part) - (name in within)) for name, part in held(node)), default=0)


@given(opened)
def test_a_node_knows_its_parts_and_what_is_open_in_it(t: Type) -> None:
    for node in within(t):
        assert list(children(node)) == [part for _, part in held(node)]
        assert node.loose == reach(node)
        assert node.free == {one for one in within(node) if one is THIS or isinstance(one, Free)}


def test_every_class_says_which_fields_hold_nodes() -> None:
    assert Property.parts == ("type", "write")
    assert Array.parts == ("element",)
    assert Var.parts == Free.parts == kinds.Literal.parts == ()
    assert kinds.Template.parts == ("types",)


@given(types)
def test_what_is_built_again_is_the_same_object(t: Type) -> None:
    assert rebuild(t, lambda part, _: part) is t
    assert replaced(t) is t
    assert copy.deepcopy(t) is pickle.loads(pickle.dumps(t)) is t


def test_a_node_cannot_be_changed() -> None:
    with pytest.raises(AttributeError, match="frozen"):
        STRING.name = "number"
