"""The second call of a query in two steps: whether the result of the first takes its argument.

Assignability does not say it: ``() => string`` is assignable to ``(x: number) => string``, and a
call of it with an argument is an error.
"""

from __future__ import annotations

from typematch.ir.constructors import constituents
from typematch.ir.intern import replace_fields
from typematch.ir.type_parts import Signature
from typematch.ir.types import UNKNOWN, Object, Type
from typematch.match.edit_kinds import IS_ANY, NO_VALUE, NOT_ANNOTATED, Edit
from typematch.match.edits.query_signature import result_type
from typematch.match.edits.strict_relation import StrictRelation
from typematch.match.edits.subtyping_edits import subtyping_edits
from typematch.match.verdict import Undecided
from typematch.program.reduction.instantiate import instantiate

# The charges for a result that says nothing.  The others are those of the function as a whole.
_OF_RESULT = (IS_ANY, NO_VALUE, NOT_ANNOTATED)


def second_call_edits(strict: StrictRelation, function: Type, expected: Type) -> list[Edit] | None:
    """Return the charges for the result of the second call; None if it cannot be made.

    Args:
        function: the result of the first call, assignable to ``expected``.
        expected: the function type that the query expects.
    """
    if not isinstance(expected, Object) or len(expected.calls) != 1:
        return []
    edits: list[Edit] = []
    for member in constituents(strict.expand(function)):
        signatures = strict.call_signatures(member)
        if signatures is None:  # a limit was reached
            continue
        result = _called(strict, signatures, expected.calls[0])
        if result is None:
            return None
        charges = subtyping_edits(
            strict,
            result,
            result_type(expected.calls[0]),
            path="$.returns",
            name="the result",
            is_result=True,
        )
        edits += [edit for edit in charges if edit.kind in _OF_RESULT]
    return edits[:1]


def _called(
    strict: StrictRelation, signatures: tuple[Signature, ...], target: Signature
) -> Type | None:
    """Return the result of a call with the arguments of ``target``; None if it does not fit.

    The first signature that takes the arguments is called, whatever it returns (chooseOverload).
    """
    given = replace_fields(target, returns=UNKNOWN, predicate=None)
    for signature in signatures:
        taken = strict.max_arguments(signature)
        if taken is not None and taken < len(target.parameters):  # hasCorrectArity
            continue
        if not strict.is_signature_assignable(signature, given):
            continue
        if not strict.is_signature_assignable(signature, target):
            return None
        result = result_type(signature)
        if not signature.type_parameters:
            return result
        arguments = strict.type_arguments(signature, target)
        return result if isinstance(arguments, Undecided) else instantiate(result, arguments)
    return None
