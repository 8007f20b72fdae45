"""Types of calls, as tsc infers them, and where nothing is inferred."""

from __future__ import annotations

from pathlib import Path

import pytest

from match.texts import Declared, relation_for
from typematch.ir.constructors import call_result_type, function
from typematch.ir.types import ANY, STRING, Reference, TypeOf
from typematch.match.assignability.relation import Relation
from typematch.match.verdict import FIT, Misfit
from typematch.program.reduction.limits import Limits
from typematch.program.reduction.reduce import Reducer

_FOLDER = Path(__file__).parent / "call_results"
_LIBRARY = (_FOLDER / "library.ts").read_text("utf-8")
_CALLS = [
    tuple(line.split("\t// "))
    for line in (_FOLDER / "calls.ts").read_text("utf-8").splitlines()
    if not line.startswith("//")
]


@pytest.mark.parametrize(("call", "expected"), _CALLS, ids=[call for call, _ in _CALLS])
def test_a_call_has_the_type_of_the_compiler_or_none(call: str, expected: str) -> None:
    name = call.split()[1]
    is_unknown = expected.startswith("unknown: ")
    target = "string" if is_unknown else expected
    relation, source, target_type = relation_for(f"typeof {name}", target, f"{_LIBRARY}{call}")
    assert (relation.reducer.normal(source) is ANY) == is_unknown
    assert relation.assign(source, target_type) is FIT
    assert relation.assign(target_type, source) is FIT


def test_the_type_of_a_call_does_not_depend_on_limits_or_order() -> None:
    names = [call.split()[1] for call, _ in _CALLS]
    calls = "\n".join(call for call, _ in _CALLS)
    small, _, _ = relation_for("1", "1", _LIBRARY + calls, Limits(steps=300, depth=12))
    full, _, _ = relation_for("1", "1", _LIBRARY + calls)
    full.reset_budget()
    types = {name: full.reducer.normal(TypeOf(Reference(f"case.ts#{name}"))) for name in names}
    for name in reversed(names):
        small.reset_budget()
        type_ = TypeOf(Reference(f"case.ts#{name}"))
        assert (small.reducer.normal(type_) is ANY) == (types[name] is ANY), name
    assert small.limits == Limits(steps=300, depth=12)


def test_calls_that_depend_on_each_other_are_unknown() -> None:
    declares = "declare function f<T>(x: T): { x: T };  const a = f(b);  const b = f(a);"
    relation, source, target = relation_for("typeof a", "typeof b", declares)
    assert relation.reducer.normal(source) is ANY
    assert relation.reducer.normal(target) is ANY


def test_a_long_chain_of_calls_ends_and_leaves_short_ones_known() -> None:
    chain = "".join(f"const c{i} = f(c{i - 1});\n" for i in range(1, 400))
    declares = f"declare function f<T>(x: T): {{ x: T }};\nconst c0 = f(1);\n{chain}"
    relation, long, short = relation_for("typeof c399", "typeof c9", declares)
    assert relation.reducer.normal(long) is ANY
    assert isinstance(relation.assign(short, STRING), Misfit)


def test_without_an_oracle_a_call_is_unknown() -> None:
    call = call_result_type(function((), STRING), (), "constant")
    assert Reducer(Declared({})).normal(call) is ANY
    assert Relation(Declared({})).reducer.normal(call) is STRING
