"""The query as an adapter sees it: its parameters by name, and the arguments of the call."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from typematch.adapt.expressions import Expression, object_literal
from typematch.adapt.identifiers import UniqueNames, member_access, string_literal
from typematch.adapt.model import MatchedCall
from typematch.adapt.type_text import TypeWriter
from typematch.ir.constructors import intersection, object_type, renormalize, union
from typematch.ir.intern import InternedNode, children, rebuild, replace_fields
from typematch.ir.render import is_identifier
from typematch.ir.type_parts import Parameter, Predicate, Property
from typematch.ir.types import ANY, ELLIPSIS, UNDEFINED, Array, Free, Type, VariableKind
from typematch.match.edit_kinds import (
    CONSTRAINED,
    CURRIED,
    PACKED,
    SPECIALISED,
    SPREAD,
    Edit,
)
from typematch.match.edits.options_object import spreadable_properties
from typematch.program.reduction.instantiate import instantiate

# No name, or the one that ``render`` writes for a parameter without a name.
_GENERATED_NAME = re.compile(r"arg\d+|")


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of the call, as the query provides it."""

    name: str
    expression: Expression
    type: Type
    optional: bool = False
    rest: bool = False


@dataclass(frozen=True, slots=True)
class TypeVariable:
    """A type parameter of the adapter; types mention it as ``variable``."""

    name: str
    variable: Free
    constraint: Type | None
    default: Type | None
    const: bool


class AdaptedQuery:
    """The query's signature after the edits that change its type.

    Args:
        hints: names for parameters that have none in the query, by index.

    Attributes:
        variables: its type parameters; those specialised by an edit are gone.
        parameters: with unique names; ``...`` is a rest parameter of any.
        has_ellipsis: the last parameter stands for any further arguments.
    """

    def __init__(self, call: MatchedCall, names: UniqueNames, hints: Mapping[int, str]) -> None:
        [signature] = call.query.calls
        specialised = {
            str(edit.a): edit.b
            for edit in call.edits
            if edit.kind is SPECIALISED and isinstance(edit.b, Type)
        }
        constraints = {
            str(edit.a): edit.b
            for edit in call.edits
            if edit.kind is CONSTRAINED and isinstance(edit.b, Type)
        }
        written = [name.removeprefix("?") for name in call.variables]
        values = [
            specialised.get(name) or Free(VariableKind.QUERY, index, name)
            for index, name in enumerate(written)
        ]
        self.variables = tuple(
            TypeVariable(
                name,
                value,
                _constraint(
                    None if item.constraint is None else instantiate(item.constraint, values),
                    constraints.get(name),
                ),
                None if item.default is None else instantiate(item.default, values),
                item.const,
            )
            for name, item, value in zip(written, signature.type_parameters, values, strict=False)
            if isinstance(value, Free) and name not in specialised
        )
        self.returns = instantiate(signature.returns, values)
        self.predicate: Predicate | None = (
            None if signature.predicate is None else instantiate(signature.predicate, values)
        )
        self.has_this = signature.this is not None
        self.original_names = [parameter.name for parameter in signature.parameters]
        parameters = []
        for index, parameter in enumerate(signature.parameters):
            if parameter.type is ELLIPSIS:
                name = names.unique("rest")
                parameters.append(Parameter(name, Array(ANY), rest=True))
                continue
            name = parameter.name
            if _GENERATED_NAME.fullmatch(name) or not is_identifier(name):
                name = hints.get(index, "")
            parameters.append(
                replace_fields(
                    parameter,
                    name=names.unique(name),
                    type=instantiate(parameter.type, values),
                )
            )
        self.parameters: tuple[Parameter, ...] = tuple(parameters)
        self.has_ellipsis = any(item.type is ELLIPSIS for item in signature.parameters)

    def arguments(self, edits: Sequence[Edit]) -> tuple[list[Argument], Argument | None]:
        """Return the arguments of the call that was compared, and that of a second call.

        Currying moves the first argument to a second call, spreading replaces an object by its
        properties, packing joins arguments to an object.
        """
        rewrites = {edit.kind: str(edit.a) for edit in edits if edit.kind in (SPREAD, PACKED)}
        arguments: list[Argument] = []
        count = len(self.parameters) - self.has_ellipsis
        for parameter, original in zip(self.parameters[:count], self.original_names, strict=False):
            properties = spreadable_properties(parameter)
            if rewrites.get(SPREAD) == original and properties:
                arguments += [
                    Argument(
                        item.name,
                        Expression(member_access(parameter.name, item.name)),
                        item.type,
                        item.optional,
                    )
                    for item in properties
                ]
            else:
                value = Expression(parameter.name)
                arguments.append(
                    Argument(original, value, parameter.type, parameter.optional, parameter.rest)
                )
        last = None
        if any(edit.kind is CURRIED for edit in edits):
            last, arguments = arguments[0], arguments[1:]
        return _packed(arguments, rewrites.get(PACKED, "")), last

    def with_own_variables(self, t: Type) -> Type:
        """Return a type of the match with the variables of this query, which have equal names.

        ``any`` stands for other variables: code cannot name those of the candidate.
        """
        own = {variable.name: variable.variable for variable in self.variables}
        return cast(Type, _replace_variables(t, own))

    def mentions(self, t: Type) -> bool:
        """Return whether ``t`` is a part of a parameter or of the result."""
        pending: list[InternedNode] = [*self.parameters, self.returns]
        seen: set[InternedNode] = set()
        while pending:
            node = pending.pop()
            if node is t:
                return True
            if node not in seen:
                seen.add(node)
                pending += children(node)
        return False

    # Texts -------------------------------------------------------------------------------------

    def type_parameters_text(self, types: TypeWriter) -> str:
        """Return ``<T extends X>``, or an empty text without type parameters."""
        texts = []
        for variable in self.variables:
            text = f"const {variable.name}" if variable.const else variable.name
            if variable.constraint is not None:
                text += f" extends {types.text(variable.constraint)}"
            if variable.default is not None:
                text += f" = {types.text(variable.default)}"
            texts.append(text)
        return f"<{', '.join(texts)}>" if texts else ""

    def parameters_text(self, types: TypeWriter | None) -> str:
        """Return the parameters, with their types if ``types`` are given."""
        texts = []
        required = [i for i, item in enumerate(self.parameters) if not (item.optional or item.rest)]
        for index, parameter in enumerate(self.parameters):
            text = f"...{parameter.name}" if parameter.rest else parameter.name
            if types is not None and parameter.optional and required and index < required[-1]:
                # TypeScript has no optional parameter before a required one.
                text = f"{text}: {types.text(union((parameter.type, UNDEFINED)))}"
            elif types is not None:
                optional = "?" if parameter.optional else ""
                text = f"{text}{optional}: {types.text(parameter.type)}"
            texts.append(text)
        return ", ".join(texts)

    def result_text(self, types: TypeWriter) -> str:
        """Return the result type, or the type predicate."""
        predicate = self.predicate
        if predicate is None:
            return types.text(self.returns)
        name = "this" if predicate.parameter < 0 else self.parameters[predicate.parameter].name
        text = f"asserts {name}" if predicate.asserts else name
        return text if predicate.type is None else f"{text} is {types.text(predicate.type)}"


def _constraint(own: Type | None, added: Type | None) -> Type | None:
    """Return the constraint of a variable of the query that a match constrains further."""
    parts = [constraint for constraint in (own, added) if constraint is not None]
    return intersection(parts) if parts else None


def _packed(arguments: list[Argument], packed_names: str) -> list[Argument]:
    """Return the arguments, those in a list of names joined to one object in place of the first."""
    names = packed_names.split(", ") if packed_names else []
    packed = [index for index, item in enumerate(arguments) if item.name and item.name in names]
    if not packed:
        return arguments
    properties = [(arguments[index].name, arguments[index]) for index in packed]
    literal = object_literal(
        (name if is_identifier(name) else string_literal(name), item.expression)
        for name, item in properties
    )
    t = object_type([Property(name, item.type, item.optional) for name, item in properties])
    kept = [item for index, item in enumerate(arguments) if index not in packed]
    options = Argument("", literal, t, all(item.optional for _, item in properties))
    return [*kept[: packed[0]], options, *kept[packed[0] :]]


def _replace_variables(node: InternedNode, variables: Mapping[str, Free]) -> InternedNode:
    """Return ``node`` with the variable of the same name for each free variable; else ``any``."""
    if isinstance(node, Free):
        return variables.get(node.name, ANY)
    if not any(isinstance(variable, Free) for variable in node.free):
        return node
    return renormalize(rebuild(node, lambda part, _: _replace_variables(part, variables)))
