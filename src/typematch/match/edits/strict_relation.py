"""The strict relation as the edits use it: yes/no answers.

The quick reject precedes the comparison of two types, not that of two signatures.
"""

from __future__ import annotations

from collections.abc import Sequence

from typematch.ir.constructors import constituents
from typematch.ir.type_parts import Signature
from typematch.ir.types import ANY, VOID, Array, Intrinsic, Literal, Object, Reference, Type, Var
from typematch.match.assignability.identity import identical
from typematch.match.assignability.relation import Relation
from typematch.match.parameter_lists import parameter_list
from typematch.match.prefilter.quick_reject import QuickReject
from typematch.match.verdict import Undecided
from typematch.program.reduction.bounded import (
    expanded,
    known_base_types,
    known_members,
    single_call,
)
from typematch.program.reduction.heritage import extends_declaration
from typematch.program.reduction.skolemize import erasure

_WRITTEN = frozenset((Intrinsic, Literal, Array, Object, Var))  # not expanded


class StrictRelation:
    """Assignability, reduction and inference for one search."""

    def __init__(self, relation: Relation, quick_reject: QuickReject) -> None:
        self._relation = relation
        self._reducer = relation.reducer
        self._quick_reject = quick_reject

    def is_assignable(self, source: Type, target: Type) -> bool:
        """Return whether the relation accepts the pair; an undecided pair counts as rejected."""
        if source is target:
            return True
        if not self._quick_reject.may_be_assignable(source, target):
            return False
        return bool(self._relation.assign_part(source, target))

    def may_be_assignable(self, source: Type, target: Type, /) -> bool:
        """Return what ``is_assignable`` does; lower bounds compare by quick rejection instead."""
        return self.is_assignable(source, target)

    def is_signature_assignable(self, source: Signature, target: Signature) -> bool:
        return bool(self._relation.assign_signature(source, target))

    def is_identical(self, s: Type, t: Type) -> bool:
        """Return whether two types are identical; False if a limit is reached."""
        compare = self._reducer.with_own_budget
        return compare(lambda: identical(self._relation, s, t)) or False

    def derives_from(self, t: Type, base: Type) -> bool:
        """Return whether the declaration of ``t`` extends ``base``, directly or through others."""
        seen: set[str] = set()  # keys of declarations; one in error may extend itself
        pending = [t]
        while pending:
            current = pending.pop()
            if not isinstance(current, Reference) or current.target in seen:
                continue
            seen.add(current.target)
            for extended in known_base_types(self._reducer, current):
                if self.is_identical(extended, base):
                    return True
                pending.append(extended)
        return False

    def extends_erased(self, t: Type, base: Type) -> bool:
        """Return whether ``t`` extends an instance of ``base``, whose type arguments are ``any``.

        False if ``base`` has other type arguments, or none.
        """
        if not isinstance(t, Reference) or not isinstance(base, Reference):
            return False
        if not base.arguments or any(argument is not ANY for argument in base.arguments):
            return False
        return extends_declaration(self._reducer, t.target, base.target)

    def expand(self, t: Type, /) -> Type:
        """Return ``t`` in head normal form; unchanged if a limit is reached."""
        return expanded(self._reducer, t)

    def with_defaults(self, t: Reference) -> Reference:
        """Return ``t`` with one argument for each type parameter of its declaration."""
        return self._reducer.with_defaults(t)

    def accepts_void(self, t: Type) -> bool:
        """Return whether an argument of type ``t`` may be left out (acceptsVoid)."""
        return VOID in constituents(t if t.__class__ in _WRITTEN else self.expand(t))

    def single_call(self, t: Type, /) -> Signature | None:
        """Return the call signature of a type that has exactly one; else None."""
        return single_call(self._reducer, t)

    def call_signatures(self, t: Type) -> tuple[Signature, ...] | None:
        """Return the call signatures of ``t``; None if a limit is reached."""
        members = known_members(self._reducer, t)
        return None if members is None else tuple(members.calls)

    def member_count(self, t: Type) -> int | None:
        """Return the number of members of ``t``; None if a limit is reached."""
        members = known_members(self._reducer, t)
        return None if members is None else len(members.names)

    def index_types(self, t: Type) -> Sequence[Type]:
        """Return the types of the index signatures of ``t``; none if a limit is reached."""
        members = known_members(self._reducer, t)
        return () if members is None else [index.type for index in members.indexes]

    def type_arguments(self, source: Signature, target: Signature) -> tuple[Type, ...] | Undecided:
        """Infer the type arguments with which ``source`` may be assignable to ``target``."""
        return self._relation.infer_type_arguments(source, target)

    def max_arguments(self, signature: Signature) -> int | None:
        """Return how many arguments a signature takes; None for any number, or if it is unknown.

        Its type parameters count as ``any``.
        """
        erased = self.erase(signature)
        parameters = self._relation.within_budget(lambda: parameter_list(self._relation, erased))
        if isinstance(parameters, Undecided) or parameters.rest is not None:
            return None
        return parameters.count

    def erase(self, signature: Signature) -> Signature:
        """Return ``signature`` with ``any`` for its type parameters (getErasedSignature)."""
        return erasure(self._reducer, signature)
