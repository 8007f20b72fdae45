"""Normal forms of unions, and bound variables."""

from __future__ import annotations

from itertools import permutations

from typematch.ir.constructors import bound_indices, union
from typematch.ir.lift import close_over_container, mentioned_parameters
from typematch.ir.type_parts import Parameter, Signature, TypeParameter
from typematch.ir.types import (
    ANY,
    NUMBER,
    STRING,
    Free,
    IndexedAccess,
    Literal,
    Mapped,
    Object,
    Reference,
    Union,
    Var,
    VariableKind,
)


def test_free_variables_of_different_kinds_are_different() -> None:
    variables = {Free(kind, 1, "T") for kind in VariableKind}
    assert len(variables) == len(VariableKind)
    assert Free(VariableKind.LOCAL, 1, "T") is Free(VariableKind.LOCAL, 1, "T")


def test_union_members_that_differ_in_variables_sort_by_kind_and_serial() -> None:
    variables = [
        Free(VariableKind.PLACEHOLDER, 2),
        Free(VariableKind.PLACEHOLDER, 1),
        Free(VariableKind.CONTAINER, 3),
        Free(VariableKind.QUERY, 0),
        Free(VariableKind.LOCAL, 1),
        Free(VariableKind.LOCAL, 2),
    ]
    members = tuple(Reference("p/a.d.ts#A", (variable,)) for variable in variables)
    assert all(union(order) is Union(members) for order in permutations(members))


def test_union_order_of_numbers_that_differ_by_less_than_1e_10_is_fixed() -> None:
    members = [Literal("number", text) for text in ("1e-12", "2e-12", "3e-12")]
    assert len({union(order) for order in permutations(members)}) == 1


def test_the_keys_of_a_mapped_type_are_outside_its_binder() -> None:
    mapped = Mapped(Var(0, 2), IndexedAccess(Var(1, 1), Var(0, 0)))
    assert bound_indices(mapped) == {1, 2}
    select = Object(calls=(Signature((Parameter("state", mapped),), NUMBER),))
    _, count = close_over_container(select)
    assert count == 3


def test_a_member_has_the_constraints_of_the_type_parameters_that_it_mentions() -> None:
    first, second = TypeParameter(STRING, STRING), TypeParameter(Var(0, 2), None)
    takes_both = Object(calls=(Signature((Parameter("x", Var(0, 0)),), Var(0, 1)),))
    mentioned = mentioned_parameters(takes_both, (first, second, TypeParameter()))
    # The second one's constraint is a later type parameter, which the member does not mention.
    assert mentioned == (TypeParameter(STRING), TypeParameter())
    closed, count = close_over_container(takes_both, mentioned)
    assert (closed.calls[0].type_parameters, count) == (mentioned, 2)
    assert mentioned_parameters(takes_both, (TypeParameter(ANY), second)) == ()
    assert mentioned_parameters(takes_both, (first,)) == ()
