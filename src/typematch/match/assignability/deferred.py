"""Rules for deferred types: ``T``, ``keyof T``, ``T[K]``, mapped and conditional types.

They are the branches of the checker's structuredTypeRelatedToWorker for type variables.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from typematch.ir.constructors import constituents, intersection, union
from typematch.ir.literals import is_numeric_name
from typematch.ir.types import (
    NEVER,
    NULL,
    NUMBER,
    STRING,
    UNDEFINED,
    UNKNOWN,
    Conditional,
    Free,
    IndexedAccess,
    KeyOf,
    Literal,
    Mapped,
    Object,
    Reference,
    Template,
    Tuple,
    Type,
    Var,
)
from typematch.match.assignability.identity import identical
from typematch.match.assignability.intersection_state import IntersectionState
from typematch.match.assignability.members import is_empty_object
from typematch.match.assignability.rules import NO_RULE, RELATED, RuleResult
from typematch.match.assignability.template_literals import (
    is_member_of_string_mapping,
    matches_template,
)
from typematch.match.assignability.variance import UNMEASURABLE, UNRELIABLE
from typematch.match.inference.inference_variables import key_variable
from typematch.match.verdict import Misfit
from typematch.program.reduction.alias_bodies import mapped_declaration
from typematch.program.reduction.conditional_types import permissive, restrictive
from typematch.program.reduction.constraints import (
    constraint_of,
    default_constraint,
    distributive_constraint,
)
from typematch.program.reduction.generic import is_generic
from typematch.program.reduction.indexed_access import ANY_KEY, known_keys
from typematch.program.reduction.members import base_constraint
from typematch.program.reduction.skolemize import skolems_for
from typematch.program.reduction.unions import is_enum_member, primitive_of

if TYPE_CHECKING:
    from typematch.match.assignability.relation import Relation


def target_rules(rel: Relation, s: Type, t: Type, tc: type, state: IntersectionState) -> RuleResult:
    """Apply the rules for a deferred target; they accept or do not decide."""
    if tc is Free:
        return _to_type_parameter(rel, s, t)
    if tc is KeyOf:
        return _to_keyof(rel, s, t)  # type: ignore[arg-type]
    if tc is IndexedAccess:
        return _to_indexed_access(rel, s, t, state)  # type: ignore[arg-type]
    if tc is Mapped:
        return _to_mapped(rel, s, t)  # type: ignore[arg-type]
    if tc is Conditional:
        return _to_conditional(rel, s, t)  # type: ignore[arg-type]
    if tc is Template:
        return RELATED if matches_template(rel, s, t) else NO_RULE  # type: ignore[arg-type]
    if (
        tc is Reference
        and primitive_of(rel.reducer, t) is STRING
        and not is_enum_member(rel.reducer, t)
    ):
        return RELATED if is_member_of_string_mapping(rel, s, t) else NO_RULE  # type: ignore[arg-type]
    return NO_RULE


def _to_type_parameter(rel: Relation, s: Type, t: Type) -> RuleResult:
    """Relate a mapped type to ``T``: ``keyof T`` to its keys, its template to ``T[P]``."""
    if (
        isinstance(s, Mapped)
        and s.rename is None
        and s.optional != "+"
        and rel.related(KeyOf(t), s.keys) is None
    ):
        key = key_variable(rel, s)
        value = rel.reducer.instantiate(s.type, (key,))
        if rel.related(value, IndexedAccess(t, key)) is None:
            return RELATED
    return NO_RULE


def declared_mapped_to_type_parameter(rel: Relation, source: Type, t: Type) -> bool:
    """Apply the rule for mapped types to a source declared as one, and a type parameter in ``t``.

    Needed for ``Record<PropertyKey, any>``, whose normal form is an object type.
    """
    variables = [member for member in constituents(t) if member.__class__ is Free]
    if not variables:
        return False
    mapped = mapped_declaration(rel.reducer, source)
    if mapped is None:
        return False
    return any(_to_type_parameter(rel, mapped, variable) == RELATED for variable in variables)


def empty_to_optional_mapped(rel: Relation, s: Type, target: Type) -> bool:
    """Return whether ``s`` is empty and ``target`` is declared as an optional mapped type.

    Such a pair is related even if ``target`` has index signatures, which an interface is not
    implied to have.
    """
    if not is_empty_object(rel, s):
        return False
    mapped = mapped_declaration(rel.reducer, target)
    return mapped is not None and mapped.optional == "+"


def _to_keyof(rel: Relation, s: Type, t: KeyOf) -> RuleResult:
    operand = rel.reducer.normal(t.type)
    if isinstance(s, KeyOf) and rel.related(operand, s.type) is None:
        return RELATED
    if isinstance(operand, Tuple):
        return RELATED if rel.related(s, known_keys(rel.reducer, operand)) is None else NO_RULE
    if isinstance(operand, Mapped):
        return RELATED if rel.related(s, operand.keys) is None else NO_RULE
    constraint = constraint_of(rel.reducer, operand)
    if constraint is not None and rel.related(s, KeyOf(constraint)) is None:
        return RELATED
    return NO_RULE


def _to_indexed_access(
    rel: Relation, s: Type, t: IndexedAccess, state: IntersectionState
) -> RuleResult:
    if (
        isinstance(s, IndexedAccess)
        and rel.related(s.object, t.object) is None
        and rel.related(s.index, t.index) is None
    ):
        return RELATED
    receiver, index = rel.reducer.normal(t.object), rel.reducer.normal(t.index)
    base_receiver = base_constraint(rel.reducer, receiver)
    base_index = base_constraint(rel.reducer, index)
    object_constraint = receiver if base_receiver is None else rel.reducer.normal(base_receiver)
    index_constraint = index if base_index is None else rel.reducer.normal(base_index)
    if is_generic(object_constraint) or is_generic(index_constraint):
        return NO_RULE
    write_type = _write_type(rel, object_constraint, index_constraint, base_receiver is not None)
    if write_type is not None and rel.related(s, write_type, state) is None:
        return RELATED
    return NO_RULE


def _write_type(rel: Relation, receiver: Type, keys: Type, constrained: bool) -> Type | None:
    """Return the type that may be written to every key, None where a key does not exist.

    It is the intersection of the properties (getIndexedAccessType with AccessFlags.Writing).
    """
    members = rel.reducer.members_of(receiver)
    parts: list[Type] = []
    for key in constituents(keys):
        if isinstance(key, Literal):
            has_number_index = is_numeric_name(key.text) and any(
                signature.key is NUMBER for signature in members.indexes
            )
            exists = has_number_index or members.get(key.text) is not None
            if not exists and (constrained or not members.indexes):
                return None
        elif constrained and all(index.key is not NUMBER for index in members.indexes):
            # A type variable need not have the string index signature of its constraint.
            return None
        parts.append(rel.reducer.normal(IndexedAccess(receiver, key)))
    return intersection(parts) if parts else NEVER


def _to_mapped(rel: Relation, s: Type, t: Mapped) -> RuleResult:
    if t.optional == "-" or isinstance(s, Mapped):
        return NO_RULE
    template = t.type
    if (
        t.rename is None
        and isinstance(template, IndexedAccess)
        and template.object is s
        and template.index is _KEY
    ):
        return RELATED
    reducer = rel.reducer
    if t.rename is not None:
        return NO_RULE
    target_keys = reducer.normal(t.keys)
    source_keys = _explicit_keys(rel, s)
    if t.optional == "+":
        common_keys = reducer.normal(intersection((target_keys, source_keys)))
        if common_keys is NEVER:
            return NO_RULE
    else:
        common_keys = None
        if rel.related(target_keys, source_keys) is not None:
            return NO_RULE
    value = _without_nullish(template)
    if isinstance(value, IndexedAccess) and value.index is _KEY and value.object.loose_depth == 0:
        return RELATED if rel.related(s, value.object) is None else NO_RULE
    key: Type = key_variable(rel, t)
    template_at_key = reducer.instantiate(template, (key,))
    if common_keys is not None:
        key = intersection((common_keys, key))
    return RELATED if rel.related(IndexedAccess(s, key), template_at_key) is None else NO_RULE


def _explicit_keys(rel: Relation, s: Type) -> Type:
    if is_generic(s):
        return rel.reducer.normal(KeyOf(s))
    return known_keys(rel.reducer, s, index_signatures=False)


def _without_nullish(t: Type) -> Type:
    return union([m for m in constituents(t) if m is not UNDEFINED and m is not NULL])


_KEY = Var(0, 0)
# A conditional type around itself so many times is taken to expand without end, whatever the other
# side is (structuredTypeRelatedToWorker).
_MAX_CONDITIONAL_LEVEL = 10


def _to_conditional(rel: Relation, s: Type, t: Conditional) -> RuleResult:
    """A source related to both branches is related to the conditional type."""
    if rel.stack.targets.level >= _MAX_CONDITIONAL_LEVEL:
        return RELATED
    if branches_insufficient(t) or isinstance(s, Conditional):
        return NO_RULE
    if _branch_excluded(rel, t, True) is False and rel.related(s, t.yes) is not None:
        return NO_RULE
    if _branch_excluded(rel, t, False) is False and rel.related(s, t.no) is not None:
        return NO_RULE
    return RELATED


def _branch_excluded(rel: Relation, t: Conditional, yes: bool) -> bool:
    """Return whether one branch of a deferred conditional type can never be taken."""
    reducer = rel.reducer
    never_true = not rel.assignable(permissive(reducer, t.check), permissive(reducer, t.extends))
    if yes:
        return never_true
    always_true = rel.assignable(restrictive(reducer, t.check), restrictive(reducer, t.extends))
    return not never_true and always_true


def branches_insufficient(t: Conditional) -> bool:
    """Return whether a source related to both branches need not be related to ``t``.

    True if a branch uses an ``infer`` variable or the distributed check type.  Where the check type
    has been substituted, a branch is assumed to have used it: nearly all do.
    """
    if t.infer:
        return True
    branch_variables = t.yes.free | t.no.free
    return t.distributive and (not t.check.free or not branch_variables.isdisjoint(t.check.free))


def source_rules(rel: Relation, s: Type, t: Type, state: IntersectionState) -> RuleResult:
    """Apply the rules for a deferred source: its constraint must be related to the target."""
    match s:
        case Free() | IndexedAccess():
            if isinstance(s, IndexedAccess) and isinstance(t, IndexedAccess):
                return NO_RULE
            return _constraint_related(rel, s, t, state)
        case KeyOf():
            return True, rel.related(ANY_KEY, t)
        case Template():
            return NO_RULE if not isinstance(t, (Free, IndexedAccess)) else _string_related(rel, t)
        case Reference():
            return _from_string_mapping(rel, s, t)
        case Conditional():
            return _from_conditional(rel, s, t, state)
        case _:
            return NO_RULE


def _constraint_related(rel: Relation, s: Type, t: Type, state: IntersectionState) -> RuleResult:
    constraint = constraint_of(rel.reducer, s)
    misfit = rel.related(UNKNOWN if constraint is None else constraint, t, state)
    return True, misfit


def _string_related(rel: Relation, t: Type) -> RuleResult:
    return NO_RULE if rel.related(STRING, t) is not None else RELATED


def _from_string_mapping(rel: Relation, s: Reference, t: Type) -> RuleResult:
    if isinstance(t, Reference) and primitive_of(rel.reducer, t) is STRING:
        if s.target != t.target:
            return True, Misfit("type", s, t)
        return True, rel.related(s.arguments[0], t.arguments[0])
    if isinstance(t, (Object, Reference)):
        return NO_RULE
    return _string_related(rel, t)


def _from_conditional(
    rel: Relation, s: Conditional, t: Type, state: IntersectionState
) -> RuleResult:
    if rel.stack.sources.level >= _MAX_CONDITIONAL_LEVEL:
        return RELATED
    if (
        isinstance(t, Conditional)
        and _same_check(rel, s, t)
        and rel.related(_true_branch(rel, s), _true_branch(rel, t)) is None
        and rel.related(s.no, t.no) is None
    ):
        return RELATED
    misfit = rel.related(default_constraint(rel.reducer, s), t, state)
    if misfit is None:
        return RELATED
    if not isinstance(t, Conditional):
        distributive = distributive_constraint(rel.reducer, s)
        if distributive is not None and rel.related(distributive, t, state) is None:
            return RELATED
    return True, misfit


def _true_branch(rel: Relation, t: Conditional) -> Type:
    """Return the true branch with rigid variables for ``infer``, equal ones for equal ``infer``."""
    if not t.infer:
        return t.yes
    return rel.reducer.instantiate(t.yes, skolems_for(rel.reducer, t.infer))


def _same_check(rel: Relation, s: Conditional, t: Conditional) -> bool:
    if s.infer != t.infer or (s.infer and s.extends is not t.extends):
        return False
    same = s.extends is t.extends or identical(rel, s.extends, t.extends)
    return same and (rel.related(s.check, t.check) is None or rel.related(t.check, s.check) is None)


def _combined_optionality(rel: Relation, t: Mapped) -> int:
    """Return 1 if a mapped type adds ``?``, -1 if it removes it, 0 if neither.

    Without a modifier of its own, that of the mapped type it maps over counts
    (getCombinedMappedTypeOptionality).
    """
    if t.optional:
        return 1 if t.optional == "+" else -1
    if isinstance(t.keys, KeyOf):
        modifiers_type = rel.reducer.normal(t.keys.type)
        if isinstance(modifiers_type, Mapped):
            return _combined_optionality(rel, modifiers_type)
    return 0


def mapped_types_related(rel: Relation, s: Mapped, t: Mapped) -> Misfit | None:
    """Compare two generic mapped types: modifiers, keys, then templates (mappedTypeRelatedTo)."""
    misfit = Misfit("type", s, t)
    if _combined_optionality(rel, s) > _combined_optionality(rel, t) or (s.rename is None) != (
        t.rename is None
    ):
        return misfit
    rel.variances.report(s.keys, UNMEASURABLE if _combined_optionality(rel, s) < 0 else UNRELIABLE)
    keys_misfit = rel.related(t.keys, s.keys)
    if keys_misfit is not None:
        return keys_misfit
    key = key_variable(rel, t)
    reducer = rel.reducer
    if s.rename is not None and t.rename is not None:
        source_name, target_name = (
            reducer.instantiate(rename, (key,)) for rename in (s.rename, t.rename)
        )
        if source_name is not target_name and not identical(rel, source_name, target_name):
            return misfit
    source_template = reducer.instantiate(s.type, (key,))
    return rel.related(source_template, reducer.instantiate(t.type, (key,)))
