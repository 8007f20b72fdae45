"""The edits that search allows beyond assignability, each with its cost and its sentence.

A candidate may take its arguments in another order, or return a promise of the result.  Each such
difference is an edit; the cost of a hit is the sum of the costs of its edits, and its explanation
is their sentences.  Costs are in edit units: an exact match costs 0, and what tsc accepts costs a
few units unless it carries little information (``any``, an ignored query argument).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import cast

from typematch.ir.render import render
from typematch.ir.types import ANY, UNKNOWN, Type, Union
from typematch.match.differing_parts import (
    additional_members,
    additional_properties,
    differing_parts,
    without_access_to_any,
)


@dataclass(frozen=True, slots=True)
class EditKind:
    """A kind of edit.

    Attributes:
        name: stable identifier in documents.
        cost: base cost in edit units.
        sentence: the explanation, a format string of ``{path}``, ``{a}`` and ``{b}``.
        step_cost: cost of each unit of ``Edit.extra_units`` (such as an extra property).
    """

    name: str
    cost: int
    sentence: str
    step_cost: int = 0


@dataclass(frozen=True, slots=True)
class Edit:
    """An edit at a path of the candidate's signature: ``$.parameters[1]``, ``$.returns``.

    ``a`` and ``b`` fill the sentence.  Types are rendered when the sentence is read: a search
    makes far more edits than it shows.  They are shortened to what differs.

    Attributes:
        than: the query's type where ``b`` is wider or narrower.
        template: the sentence, if it is not that of the kind.
    """

    kind: EditKind
    path: str = "$"
    a: str | Type = ""
    b: str | Type = ""
    extra_units: int = 0
    than: Type | None = None
    template: str = ""

    @property
    def cost(self) -> int:
        return self.kind.cost + self.kind.step_cost * self.extra_units

    @property
    def sentence(self) -> str:
        return self.describe()

    def describe(self, type_parameter_names: Sequence[str] = ()) -> str:
        """Return the sentence, type parameters under the names in the candidate's declaration."""
        shown = self.rendered(type_parameter_names)
        return (shown.template or self.kind.sentence).format(path=self.path, a=shown.a, b=shown.b)

    def rendered(self, type_parameter_names: Sequence[str] = ()) -> Edit:
        """Return the edit with types as text, shortened to what differs."""
        a, b, template = self.a, self.b, self.template
        if self.kind == UNINFERRED and b in (ANY, UNKNOWN):
            template = _UNDETERMINED
        elif self.kind == ALIAS_FOLLOWED and isinstance(a, Type) and isinstance(b, Type):
            a, b = differing_parts(a, b)
        elif self.than is not None and isinstance(b, Type):
            members = additional_members(b, self.than) if self.kind == WIDER_PARAMETER else None
            properties = additional_properties(b, self.than)
            if members is not None:
                b, template = members, _ALSO_ACCEPTED
            elif properties is not None:
                b = _display_text(properties, type_parameter_names).replace("{ ", "{ …; ", 1)
        elif self.kind == CONTENT_NARROWED and isinstance(b, Union):
            b = _some_members(b, type_parameter_names)
        a, b = (_display_text(part, type_parameter_names) for part in (a, b))
        return replace(self, a=a, b=b, than=None, template=template)


def _some_members(t: Union, names: Sequence[str]) -> str | Type:
    """Return a union, of a long one its first member and the number of the others."""
    rest = len(t.members) - 1
    if rest < _MAX_MEMBERS:
        return t
    return f"{_display_text(t.members[0], names)} or {rest} other types"


_MAX_MEMBERS = 4  # members of a union in a sentence
_UNDETERMINED = "no argument determines {a}"
_ALSO_ACCEPTED = "{a} also accepts {b}"


def _display_text(part: str | Type, names: Sequence[str]) -> str:
    if isinstance(part, str):
        return part
    text = render(cast(Type, without_access_to_any(part)), names=(names,))
    # `_` is a type parameter without a name, of a class whose members do not mention it.
    return _NAMELESS_ARRAY.sub(_array_name, _NAMELESS_ARGUMENTS.sub("", text))


def _array_name(match: re.Match[str]) -> str:
    return "ReadonlyArray" if match[1] else "Array"


_NAMELESS_ARGUMENTS = re.compile(r"<_(?:, _)*>")
_NAMELESS_ARRAY = re.compile(r"(readonly )?(?<!\w)_\[\]")


# Costs follow the order in which Hoogle and Inkuire prefer their edits; only the order matters.
RENAMED = EditKind("renamed", 0, "{a} = {b}")
OPTIONAL_LEFT_OUT = EditKind("optional-left-out", 0, "{a} left out")
ALIAS_FOLLOWED = EditKind("alias-followed", 2, "{a} is {b}")
INSTANTIATED = EditKind("instantiated", 2, "{a} = {b}", step_cost=3)
WIDER_PARAMETER = EditKind("wider-parameter", 4, "{a} accepts more: {b}", step_cost=1)
NARROWER_RESULT = EditKind("narrower-result", 4, "returns the more specific {b}", step_cost=1)
OPTIONAL_SUPPLIED = EditKind("optional-supplied", 3, "{a} is optional")
MORE_SPECIFIC = EditKind("more-specific", 4, "has more members than the query", step_cost=1)
CONTAINER_INSTANTIATED = EditKind(
    "container-instantiated", 20, "{a} = {b} in its class", step_cost=3
)
RECEIVER_FIRST = EditKind("receiver-first", 20, "called on {a}")
NO_VALUE = EditKind("no-value", 20, "{a} is no value")
CONSTRAINED = EditKind("constrained", 20, "only for {a} that is {b}")
READONLY_COPIED = EditKind("readonly-copied", 20, "copy {a}, which is readonly")
ACCEPTS_ANY_TYPE = EditKind("accepts-any-type", 25, "{a} accepts any type")
OPTIONAL_SKIPPED = EditKind("optional-skipped", 30, "pass undefined for {a}")
ORDER_CHANGED = EditKind("order-changed", 30, "arguments in the order {a}")
ARRAY_SPREAD = EditKind("array-spread", 30, "spread {a}")
CURRIED = EditKind("curried", 40, "called in two steps, {a}")
ITERABLE_COLLECTED = EditKind("iterable-collected", 40, "collect {a} into an array")
UNION_MEMBER = EditKind("union-member", 50, "{a} only as {b}")
NOT_EMPTY = EditKind("not-empty", 50, "{a} must not be empty")
OPTIONAL_REQUIRED = EditKind("optional-required", 50, "{a} is required")
AWAITED = EditKind("awaited", 60, "await {a}")
WRAPPED = EditKind("wrapped", 60, "wrap {a} in a promise")
UNDEFINED_CHECKED = EditKind("undefined-checked", 60, "check {a} for {b}")
CONTENT_NARROWED = EditKind("content-narrowed", 60, "{a} may also contain {b}")
PASSED_AS_THUNK = EditKind("passed-as-thunk", 60, "pass {a} as a function that returns it")
UNINFERRED = EditKind("uninferred", 60, "{a} = {b}, which no argument determines", step_cost=3)
CONTAINS_ANY = EditKind("contains-any", 100, "{a} contains any")
SPECIALISED = EditKind("specialised", 200, "only for {a} = {b}")
ARGUMENT_SUPPLIED = EditKind("argument-supplied", 300, "{a} must be supplied", step_cost=300)
NOT_ANNOTATED = EditKind("not-annotated", 400, "{a} has no type annotation")
PACKED = EditKind("packed", 420, "{a} passed as part of {b}", step_cost=20)
SPREAD = EditKind("spread", 420, "{a} passed one by one")
ARGUMENT_UNUSED = EditKind("argument-unused", 1000, "{a} is not used")
MISMATCHED = EditKind("mismatched", 2000, "{a} is not assignable: {b}")
IS_ANY = EditKind("is-any", 5000, "{a} is any or unknown")

EDIT_KINDS: tuple[EditKind, ...] = (
    RENAMED,
    OPTIONAL_LEFT_OUT,
    ALIAS_FOLLOWED,
    INSTANTIATED,
    OPTIONAL_SUPPLIED,
    WIDER_PARAMETER,
    NARROWER_RESULT,
    MORE_SPECIFIC,
    CONTAINER_INSTANTIATED,
    RECEIVER_FIRST,
    NO_VALUE,
    CONSTRAINED,
    READONLY_COPIED,
    ACCEPTS_ANY_TYPE,
    OPTIONAL_SKIPPED,
    ORDER_CHANGED,
    ARRAY_SPREAD,
    CURRIED,
    ITERABLE_COLLECTED,
    UNION_MEMBER,
    NOT_EMPTY,
    OPTIONAL_REQUIRED,
    AWAITED,
    WRAPPED,
    UNDEFINED_CHECKED,
    CONTENT_NARROWED,
    PASSED_AS_THUNK,
    UNINFERRED,
    CONTAINS_ANY,
    SPECIALISED,
    ARGUMENT_SUPPLIED,
    NOT_ANNOTATED,
    PACKED,
    SPREAD,
    ARGUMENT_UNUSED,
    MISMATCHED,
    IS_ANY,
)

# Edits of candidates that tsc rejects, the cheapest of them included: a fit that costs less is
# assignable.
REJECTED_BY_TSC = (
    CONTAINER_INSTANTIATED,
    RECEIVER_FIRST,
    CONSTRAINED,
    READONLY_COPIED,
    ORDER_CHANGED,
    ARRAY_SPREAD,
    ITERABLE_COLLECTED,
    UNION_MEMBER,
    NOT_EMPTY,
    OPTIONAL_REQUIRED,
    AWAITED,
    WRAPPED,
    UNDEFINED_CHECKED,
    CONTENT_NARROWED,
    PASSED_AS_THUNK,
)
CHEAPEST_REJECTED_COST = min(kind.cost for kind in REJECTED_BY_TSC)
# The most that a hit costs, in edit units, unless ``is:loose`` asks for all: it admits one supplied
# argument, or query variables made concrete.
HIGHEST_COST = 310
