"""Compare types that hang on a variable.

The compiler's special rules for ``T``, ``keyof T``, ``T[K]`` and their like.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from typematch.ir.constructors import constituents, intersection, union
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
from typematch.match.assignability.inference_variables import key_variable
from typematch.match.assignability.members import is_empty
from typematch.match.assignability.template_literals import mapping_holds, template_holds
from typematch.match.assignability.variance import UNMEASURABLE, UNRELIABLE
from typematch.match.verdict import Misfit
from typematch.program.reduction.conditional_types import permissive, restrictive
from typematch.program.reduction.constraints import (
    constraint_of,
    default_constraint,
    distributive_constraint,
)
from typematch.program.reduction.generic import is_generic
from typematch.program.reduction.indexed_access import ANY_KEY, known_keys, written_mapped
from typematch.program.reduction.instantiate import instantiate
from typematch.program.reduction.members import base_constraint, is_numeric
from typematch.program.reduction.skolemize import variables_for
from typematch.program.reduction.unions import is_enum_member, keyword_of

if TYPE_CHECKING:
    from typematch.match.assignability.relation import Relation

OPEN: tuple[bool, Misfit | None] = (False, None)
FITS: tuple[bool, Misfit | None] = (True, None)


def to_deferred(
    rel: Relation, s: Type, t: Type, tc: type, state: int
) -> tuple[bool, Misfit | None]:
    """Try the rules for a target that hangs on a variable.

    Returns:
        (True, None) if it fits, (False, None) if these rules do not say.
    """
    if tc is Free:
        return _to_variable(rel, s, t)
    if tc is KeyOf:
        return _to_keys(rel, s, t)  # type: ignore[arg-type]
    if tc is IndexedAccess:
        return _to_access(rel, s, t, state)  # type: ignore[arg-type]
    if tc is Mapped:
        return _to_mapped(rel, s, t)  # type: ignore[arg-type]
    if tc is Conditional:
        return _to_conditional(rel, s, t)  # type: ignore[arg-type]
    if tc is Template:
        return FITS if template_holds(rel, s, t) else OPEN  # type: ignore[arg-type]
    if (
        tc is Reference
        and keyword_of(rel.reducer, t) is STRING
        and not is_enum_member(rel.reducer, t)
    ):
        return FITS if mapping_holds(rel, s, t) else OPEN  # type: ignore[arg-type]
    return OPEN


def _to_variable(rel: Relation, s: Type, t: Type) -> tuple[bool, Misfit | None]:
    """A mapped type fits ``T`` if its keys hold ``keyof T`` and its template fits ``T[P]``."""
    if (
        isinstance(s, Mapped)
        and s.rename is None
        and s.optional != "+"
        and rel.related(KeyOf(t), s.keys) is None
    ):
        key = key_variable(rel, s)
        value = instantiate(s.type, (key,), normal=rel.reducer.normal)
        if rel.related(value, IndexedAccess(t, key)) is None:
            return FITS
    return OPEN


def from_written_mapped(rel: Relation, source: Type, t: Type) -> bool:
    """Return whether what is written as a mapped type fits a variable in ``t`` by that rule.

    It holds for ``Record<PropertyKey, any>`` too, of which the normal form is a plain object type.
    """
    variables = [member for member in constituents(t) if member.__class__ is Free]
    if not variables:
        return False
    written = written_mapped(rel.reducer, source)
    if written is None:
        return False
    return any(_to_variable(rel, written, variable) is FITS for variable in variables)


def to_written_mapped(rel: Relation, s: Type, target: Type) -> bool:
    """Return whether nothing is given for what is written as a mapped type of options: it fits.

    So it does where that has index signatures, which an interface is not implied to have.
    """
    if not is_empty(rel, s):
        return False
    written = written_mapped(rel.reducer, target)
    return written is not None and written.optional == "+"


def _to_keys(rel: Relation, s: Type, t: KeyOf) -> tuple[bool, Misfit | None]:
    of = rel.reducer.normal(t.type)
    if isinstance(s, KeyOf) and rel.related(of, s.type) is None:
        return FITS
    if isinstance(of, Tuple):
        return FITS if rel.related(s, known_keys(rel.reducer, of)) is None else OPEN
    if isinstance(of, Mapped):
        return FITS if rel.related(s, of.keys) is None else OPEN
    above = constraint_of(rel.reducer, of)
    if above is not None and rel.related(s, KeyOf(above)) is None:
        return FITS
    return OPEN


def _to_access(rel: Relation, s: Type, t: IndexedAccess, state: int) -> tuple[bool, Misfit | None]:
    if (
        isinstance(s, IndexedAccess)
        and rel.related(s.object, t.object) is None
        and rel.related(s.index, t.index) is None
    ):
        return FITS
    receiver, index = rel.reducer.normal(t.object), rel.reducer.normal(t.index)
    base_receiver = base_constraint(rel.reducer, receiver)
    base_index = base_constraint(rel.reducer, index)
    wide = receiver if base_receiver is None else rel.reducer.normal(base_receiver)
    keys = index if base_index is None else rel.reducer.normal(base_index)
    if is_generic(wide) or is_generic(keys):
        return OPEN
    written = _written_through(rel, wide, keys, base_receiver is not None)
    if written is not None and rel.related(s, written, state) is None:
        return FITS
    return OPEN


def _written_through(rel: Relation, receiver: Type, keys: Type, constrained: bool) -> Type | None:
    """Return what may be written to every key: the intersection; None where a key is not there."""
    shape = rel.reducer.shape(receiver)
    parts: list[Type] = []
    for key in constituents(keys):
        if isinstance(key, Literal):
            counted = is_numeric(key.text) and any(one.key is NUMBER for one in shape.indexes)
            known = counted or shape.get(key.text) is not None
            if not known and (constrained or not shape.indexes):
                return None
        elif constrained and all(index.key is not NUMBER for index in shape.indexes):
            # Through a constraint, a string signature says nothing about what the variable has.
            return None
        parts.append(rel.reducer.normal(IndexedAccess(receiver, key)))
    return intersection(parts) if parts else NEVER


def _to_mapped(rel: Relation, s: Type, t: Mapped) -> tuple[bool, Misfit | None]:
    if t.optional == "-" or isinstance(s, Mapped):
        return OPEN
    template = t.type
    if (
        t.rename is None
        and isinstance(template, IndexedAccess)
        and template.object is s
        and template.index is _KEY
    ):
        return FITS
    reducer = rel.reducer
    if t.rename is not None:
        return OPEN
    wanted = reducer.normal(t.keys)
    having = _keys_without_indexes(rel, s)
    if t.optional == "+":
        shared = reducer.normal(intersection((wanted, having)))
        if shared is NEVER:
            return OPEN
    else:
        shared = None
        if rel.related(wanted, having) is not None:
            return OPEN
    value = _without_nullish(template)
    if isinstance(value, IndexedAccess) and value.index is _KEY and value.object.loose == 0:
        return FITS if rel.related(s, value.object) is None else OPEN
    key: Type = key_variable(rel, t)
    opened = instantiate(template, (key,), normal=reducer.normal)
    if shared is not None:
        key = intersection((shared, key))
    return FITS if rel.related(IndexedAccess(s, key), opened) is None else OPEN


def _keys_without_indexes(rel: Relation, s: Type) -> Type:
    if is_generic(s):
        return rel.reducer.normal(KeyOf(s))
    return known_keys(rel.reducer, s, indexes=False)


def _without_nullish(t: Type) -> Type:
    return union([m for m in constituents(t) if m is not UNDEFINED and m is not NULL])


_KEY = Var(0, 0)


def _to_conditional(rel: Relation, s: Type, t: Conditional) -> tuple[bool, Misfit | None]:
    """A plain condition is met by what fits both of its branches."""
    if takes_nothing_plain(t) or isinstance(s, Conditional):
        return OPEN
    if _branch_excluded(rel, t, True) is False and rel.related(s, t.yes) is not None:
        return OPEN
    if _branch_excluded(rel, t, False) is False and rel.related(s, t.no) is not None:
        return OPEN
    return FITS


def _branch_excluded(rel: Relation, t: Conditional, yes: bool) -> bool:
    """Return whether one branch of an open condition can surely not be taken."""
    reducer = rel.reducer
    excluded = not rel.assignable(permissive(reducer, t.check), permissive(reducer, t.extends))
    if yes:
        return excluded
    sure = rel.assignable(restrictive(reducer, t.check), restrictive(reducer, t.extends))
    return not excluded and sure


def takes_nothing_plain(t: Conditional) -> bool:
    """Return whether an open condition is not met by what fits both of its branches.

    One of them hangs on what is inferred, or on what is distributed.  Where a variable was
    distributed that is no more, it is taken that a branch mentioned it: nearly all do.
    """
    if t.infer:
        return True
    inside = t.yes.free | t.no.free
    return t.distributive and (not t.check.free or not inside.isdisjoint(t.check.free))


def from_deferred(rel: Relation, s: Type, t: Type, state: int) -> tuple[bool, Misfit | None]:
    """Try the rules for a source that hangs on a variable: what is known of it must fit."""
    match s:
        case Free() | IndexedAccess():
            if isinstance(s, IndexedAccess) and isinstance(t, IndexedAccess):
                return OPEN
            return _by_constraint(rel, s, t, state)
        case KeyOf():
            return True, rel.related(ANY_KEY, t)
        case Template():
            return OPEN if not isinstance(t, (Free, IndexedAccess)) else _string(rel, t)
        case Reference():
            return _from_mapping(rel, s, t)
        case Conditional():
            return _from_conditional(rel, s, t, state)
        case _:
            return OPEN


def _by_constraint(rel: Relation, s: Type, t: Type, state: int) -> tuple[bool, Misfit | None]:
    above = constraint_of(rel.reducer, s)
    broken = rel.related(UNKNOWN if above is None else above, t, state)
    return True, broken


def _string(rel: Relation, t: Type) -> tuple[bool, Misfit | None]:
    return OPEN if rel.related(STRING, t) is not None else FITS


def _from_mapping(rel: Relation, s: Reference, t: Type) -> tuple[bool, Misfit | None]:
    if isinstance(t, Reference) and keyword_of(rel.reducer, t) is STRING:
        if s.target != t.target:
            return True, Misfit("type", s, t)
        return True, rel.related(s.arguments[0], t.arguments[0])
    if isinstance(t, (Object, Reference)):
        return OPEN
    return _string(rel, t)


def _from_conditional(
    rel: Relation, s: Conditional, t: Type, state: int
) -> tuple[bool, Misfit | None]:
    if (
        isinstance(t, Conditional)
        and _same_condition(rel, s, t)
        and rel.related(_yes_of(rel, s), _yes_of(rel, t)) is None
        and rel.related(s.no, t.no) is None
    ):
        return FITS
    broken = rel.related(default_constraint(rel.reducer, s), t, state)
    if broken is None:
        return FITS
    if not isinstance(t, Conditional):
        narrowed = distributive_constraint(rel.reducer, s)
        if narrowed is not None and rel.related(narrowed, t, state) is None:
            return FITS
    return True, broken


def _yes_of(rel: Relation, t: Conditional) -> Type:
    """Return the first branch, the same rigid variables in the place of equal ``infer``."""
    if not t.infer:
        return t.yes
    return instantiate(t.yes, variables_for(rel.reducer, t.infer), normal=rel.reducer.normal)


def _same_condition(rel: Relation, s: Conditional, t: Conditional) -> bool:
    if s.infer != t.infer or (s.infer and s.extends is not t.extends):
        return False
    same = s.extends is t.extends or identical(rel, s.extends, t.extends)
    return same and (rel.related(s.check, t.check) is None or rel.related(t.check, s.check) is None)


def _optionality(rel: Relation, t: Mapped) -> int:
    """Return 1 where a mapped type makes optional, -1 where it makes required.

    Else what it maps over says.
    """
    if t.optional:
        return 1 if t.optional == "+" else -1
    if isinstance(t.keys, KeyOf):
        over = rel.reducer.normal(t.keys.type)
        if isinstance(over, Mapped):
            return _optionality(rel, over)
    return 0


def mapped_related(rel: Relation, s: Mapped, t: Mapped) -> Misfit | None:
    """Compare two mapped types whose keys are open: same modifiers, keys and templates related."""
    misfit = Misfit("type", s, t)
    if _optionality(rel, s) > _optionality(rel, t) or (s.rename is None) != (t.rename is None):
        return misfit
    rel.variances.report(s.keys, UNMEASURABLE if _optionality(rel, s) < 0 else UNRELIABLE)
    broken = rel.related(t.keys, s.keys)
    if broken is not None:
        return broken
    key = key_variable(rel, t)
    normal = rel.reducer.normal
    if s.rename is not None and t.rename is not None:
        one, other = (instantiate(r, (key,), normal=normal) for r in (s.rename, t.rename))
        if one is not other and not identical(rel, one, other):
            return misfit
    given = instantiate(s.type, (key,), normal=normal)
    return rel.related(given, instantiate(t.type, (key,), normal=normal))
