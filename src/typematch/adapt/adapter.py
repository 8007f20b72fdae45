"""Write the adapter of a match: an expression of the query's type that calls the candidate."""

from __future__ import annotations

from typematch.adapt.callee import callee_of
from typematch.adapt.candidate import MatchedCandidate, is_destructured
from typematch.adapt.conversions import CONVERSIONS, ConversionWriter
from typematch.adapt.expressions import Expression, arrow, call
from typematch.adapt.identifiers import UniqueNames, lower_camel
from typematch.adapt.imports import Imports
from typematch.adapt.model import Adapter, AdapterScope, Hole, MatchedCall, TypeQueries
from typematch.adapt.overloads import is_captured
from typematch.adapt.query import AdaptedQuery, Argument
from typematch.adapt.type_text import TypeWriter, mentions_variables
from typematch.ir.constructors import PROMISES, constituents, intersection
from typematch.ir.type_parts import Parameter
from typematch.ir.types import (
    ANY,
    UNKNOWN,
    VOID,
    Reference,
    Type,
)
from typematch.match.edit_kinds import (
    ACCEPTS_ANY_TYPE,
    ALIAS_FOLLOWED,
    ARGUMENT_SUPPLIED,
    CONSTRAINED,
    CONTAINS_ANY,
    CURRIED,
    INSTANTIATED,
    IS_ANY,
    MISMATCHED,
    NARROWER_RESULT,
    NOT_ANNOTATED,
    OPTIONAL_LEFT_OUT,
    OPTIONAL_SUPPLIED,
    RENAMED,
    SPECIALISED,
    SPREAD,
    UNINFERRED,
    WIDER_PARAMETER,
    WRAPPED,
)
from typematch.match.edits.argument_assignment import LEFT_OUT

# With these edits alone the compiler assigns the function itself.
_ASSIGNABLE_AS_IT_IS = frozenset(
    (
        *(ACCEPTS_ANY_TYPE, ALIAS_FOLLOWED, CONTAINS_ANY, INSTANTIATED, IS_ANY, NARROWER_RESULT),
        *(NOT_ANNOTATED, OPTIONAL_LEFT_OUT, OPTIONAL_SUPPLIED, RENAMED, WIDER_PARAMETER),
    )
)
_UNDEFINED = Expression("undefined")


def write_adapter(match: MatchedCall, scope: AdapterScope, queries: TypeQueries) -> Adapter | None:
    """Return the adapter of a match; None if its edits do not say how to call the candidate.

    Args:
        queries: answers questions about types.
    """
    if match.overload >= len(match.entry.signatures):
        return None
    if any(edit.kind is MISMATCHED for edit in match.edits):
        return None
    return _AdapterWriter(match, scope, queries).write()


class _AdapterWriter:
    def __init__(self, match: MatchedCall, scope: AdapterScope, queries: TypeQueries) -> None:
        self._match = match
        self._scope = scope
        self._queries = queries
        self._kinds = frozenset(edit.kind for edit in match.edits)
        self._names = UniqueNames()
        imports = Imports(self._names)
        self._imports = imports
        self._types = TypeWriter(scope, imports)
        # The import keeps its name; parameters and types give way.
        self._callee = callee_of(match.entry, scope, imports)
        self._candidate = MatchedCandidate(match, scope)
        self._query = AdaptedQuery(match, self._names, self._candidate.parameter_hints())
        for variable in self._query.variables:
            queries.declare(variable.variable, variable.constraint)
        self._candidate.infer(self._query)
        self._conversions = ConversionWriter(self._types, self._names, queries.expand)
        self._holes: list[Hole] = []
        self._undeclared: list[str] = []
        self._is_async = False

    def write(self) -> Adapter | None:
        if not self._is_callable():
            return None
        if self._is_assignable_as_it_is():
            assert self._callee.function is not None
            code = self._callee.function
        else:
            code = self._arrow()
        if not self._callee.is_reachable:
            self._undeclared.append(self._match.entry.qualified_name)
        notes = [
            edit.sentence for edit in self._match.edits if edit.kind in (SPECIALISED, CONSTRAINED)
        ]
        returns = self._query.result_text(self._types)
        if self._is_async and not self._is_promised():
            returns = f"Promise<{returns}>"
            notes.append("the result is a promise")
        parameters = self._query.parameters_text(self._types)
        type_parameters = self._query.type_parameters_text(self._types)
        type_text = f"({parameters}) => {returns}"
        undeclared = tuple(dict.fromkeys((*self._undeclared, *self._types.undeclared)))
        return Adapter(
            code=code.text,
            type=type_text if self._holes else f"{type_parameters}{type_text}",
            type_parameters=type_parameters if self._holes else "",
            imports=self._imports.statements,
            holes=tuple(self._holes),
            notes=tuple(notes),
            undeclared=undeclared,
        )

    def _is_callable(self) -> bool:
        """Whether a call that can be written has the type of the match."""
        if self._is_assignable_as_it_is():
            return True
        # Overloads that fit only together have no call with the result that the query needs.
        only_together = CURRIED in self._kinds and CONTAINS_ANY in self._kinds
        if self._query.has_this or only_together or not self._takes_receiver():
            return False
        if is_captured(self._match, self._query, self._queries):
            return False
        is_member = self._callee.function is None and not self._candidate.has_receiver
        return not is_member or self._candidate.has_instance(self._queries)

    def _takes_receiver(self) -> bool:
        """Whether the receiver has the type of a declared ``this``, which the match ignores."""
        this = self._candidate.this
        if not self._candidate.has_receiver or this in (ANY, UNKNOWN) or not self._match.assignment:
            return True
        arguments, _ = self._query.arguments(self._match.edits)
        source = self._match.assignment[0]
        return source < 0 or self._queries.is_assignable(arguments[source].type, this)

    def _is_assignable_as_it_is(self) -> bool:
        """Whether the function itself has the query's type."""
        # A call may be resolved to an overload before the one that matches.
        is_ambiguous = self._match.overload > 0 or CONTAINS_ANY in self._kinds
        is_single = len(self._match.entry.signatures) == 1
        return (
            self._callee.is_value
            and self._kinds <= _ASSIGNABLE_AS_IT_IS
            and (is_single or is_ambiguous or not self._match.assignment)
            and not self._query.has_ellipsis
            and not self._passes_undefined_to_rest()
        )

    def _passes_undefined_to_rest(self) -> bool:
        """Whether an optional argument becomes an element of a rest parameter."""
        arguments, _ = self._query.arguments(self._match.edits)
        return any(
            source >= 0 and arguments[source].optional and self._candidate.is_rest(position)
            for position, source in enumerate(self._match.assignment)
        )

    # The call ----------------------------------------------------------------------------------

    def _arrow(self) -> Expression:
        body = self._body()
        hoisted = self._conversions.hoisted
        if hoisted:
            body = Expression(f"{{ {' '.join(hoisted)} return {body.text}; }}")
        is_annotated = not self._holes and any(
            mentions_variables(t) for t in self._conversions.written_types
        )
        is_guard = self._query.predicate is not None
        types = self._types if is_annotated or is_guard else None
        return arrow(
            self._query.parameters_text(types),
            body,
            type_parameters=self._query.type_parameters_text(types) if types else "",
            returns=self._query.result_text(types) if types and is_guard else "",
            is_async=self._is_async,
        )

    def _body(self) -> Expression:
        """Return the call with its result converted."""
        arguments, last = self._query.arguments(self._match.edits)
        result = self._called(arguments)
        edits = [
            edit
            for edit in self._match.edits
            if edit.path == "$.returns" and edit.kind in CONVERSIONS
        ]
        if self._query.predicate is not None and last is None:
            edits = []  # they are about the type that is guarded
        if edits and edits[-1].kind is WRAPPED:
            self._is_async = True
            edits = edits[:-1]
        source = self._candidate.returns
        result = self._conversions.convert(result, source, edits)
        if last is not None:
            second = self._queries.single_call(source)
            takes_none = second is not None and not second.parameters
            result = call(result, [] if takes_none else [last.expression])
        self._is_async = (
            self._is_async
            or result.awaits
            or any("await " in statement for statement in self._conversions.hoisted)
        )
        return result

    def _called(self, arguments: list[Argument]) -> Expression:
        if not self._match.assignment and self._candidate.parameters:
            return self._called_as_whole(arguments)
        passed: list[Expression | None] = []
        supplied = 0
        for position, source in enumerate(self._by_name(arguments)):
            if source >= 0:
                passed.append(self._argument(position, arguments[source]))
            elif source == LEFT_OUT:
                rest_hole = self._candidate.required_rest(position)
                passed.append(None if rest_hole is None else self._rest_hole(rest_hole))
            elif self._query.has_ellipsis:
                rest = self._query.parameters[-1].name
                passed.append(Expression(f"{rest}[{supplied}]"))
                supplied += 1
            else:
                parameter = self._candidate.parameter(position)
                passed.append(self._hole(parameter.name, parameter.type))
        receiver = None
        if self._candidate.has_receiver:
            receiver, passed = passed[0], passed[1:]
        while passed and passed[-1] is None:
            passed.pop()
        return self._call(receiver, [item or _UNDEFINED for item in passed])

    def _by_name(self, arguments: list[Argument]) -> list[int]:
        """Return the assignment with properties of one type passed to the parameters of their name.

        The properties of a type have no order.
        """
        assignment = list(self._match.assignment)
        if SPREAD not in self._kinds:
            return assignment
        for position in range(len(assignment)):
            name = self._candidate.parameter(position).name
            for other, source in enumerate(assignment):
                current = assignment[position]
                if source < 0 or current < 0 or arguments[source].name != name:
                    continue
                if arguments[source].type is arguments[current].type:
                    assignment[position], assignment[other] = source, current
        return assignment

    def _called_as_whole(self, arguments: list[Argument]) -> Expression:
        """Return the call of a function that was compared as a whole: all arguments in order."""
        if self._candidate.parameters[-1].rest:
            passed = [_spread_argument(argument) for argument in arguments]
        else:
            passed = _first_arguments(arguments, len(self._candidate.parameters))
        receiver = None
        if self._candidate.has_receiver and passed:
            receiver, passed = passed[0], passed[1:]
        return self._call(receiver, passed)

    def _call(self, receiver: Expression | None, passed: list[Expression]) -> Expression:
        function = self._callee.function
        if function is None:
            function = self._callee.of_instance(self._receiver(receiver))
        elif self._needs_this():
            function = Expression(f"{function.operand}.call")
            passed = [self._hole("self", self._candidate.this), *passed]
        function = Expression(f"{function.operand}{self._explicit_type_arguments()}")
        return call(function, passed, new=self._callee.is_constructor)

    def _needs_this(self) -> bool:
        """Whether the function declares a ``this`` that the query does not give."""
        return any(
            edit.path == "$.this" and edit.kind is ARGUMENT_SUPPLIED for edit in self._match.edits
        )

    def _explicit_type_arguments(self) -> str:
        """Return ``<...>`` where the compiler would not infer the values of the match."""
        converted = any(edit.path == "$.returns" for edit in self._match.edits)
        is_lost = UNINFERRED in self._kinds and (CURRIED in self._kinds or converted)
        values = self._candidate.own_type_arguments
        if not is_lost and all(self._query.mentions(value) for value in values):
            return ""
        if not values or any(v is UNKNOWN or not self._types.can_write(v) for v in values):
            return ""
        self._conversions.written_types += values
        return f"<{', '.join(self._types.text(value) for value in values)}>"

    def _argument(self, position: int, argument: Argument) -> Expression:
        path = f"$.parameters[{position}]"
        edits = [edit for edit in self._match.edits if edit.path == path]
        value = self._conversions.convert(argument.expression, argument.type, edits)
        if argument.rest:
            return Expression(f"...{value.operand}", awaits=value.awaits)
        # A rest parameter is optional, but its elements are not.
        return (
            value.not_null() if argument.optional and self._candidate.is_rest(position) else value
        )

    def _receiver(self, argument: Expression | None) -> Expression:
        """Return the object whose member is called."""
        if argument is None:
            t: Type = self._candidate.instance
            if self._needs_this():
                t = intersection((t, self._candidate.this))
            return self._hole(lower_camel(self._match.entry.container), t)
        if not self._callee.is_optional:
            return argument
        # An object without the optional member is assignable too.
        t = self._candidate.receiver
        if not self._types.can_write(t):
            return argument
        self._conversions.written_types.append(t)
        return argument.asserted(self._types.text(t))

    def _rest_hole(self, rest: Parameter) -> Expression:
        return Expression(f"...{self._hole(rest.name, rest.type).text}")

    def _hole(self, name: str, t: Type) -> Expression:
        unique = self._names.unique("options" if is_destructured(name) else name)
        self._holes.append(Hole(unique, self._types.text(t)))
        return Expression(unique)

    def _is_promised(self) -> bool:
        """Whether an async function has the query's result type."""
        whole = self._queries.expand(self._query.returns)
        if whole in (ANY, UNKNOWN, VOID):
            return True
        return any(
            isinstance(member, Reference) and member.target in PROMISES
            for member in constituents(whole)
        )


def _spread_argument(argument: Argument) -> Expression:
    value = argument.expression
    return Expression(f"...{value.operand}") if argument.rest else value


def _first_arguments(arguments: list[Argument], count: int) -> list[Expression]:
    """Return the first ``count`` arguments; those of a rest parameter are read one by one."""
    passed: list[Expression] = []
    for argument in arguments:
        if not argument.rest:
            passed.append(argument.expression)
        else:
            name = argument.expression.operand
            missing = range(count - len(passed))
            passed += [Expression(f"{name}[{index}]") for index in missing]
    return passed[:count]
