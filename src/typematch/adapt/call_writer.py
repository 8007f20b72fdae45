"""Write one call of a function that matches: its callee, its arguments, its result converted."""

from __future__ import annotations

from collections.abc import Sequence

from typematch.adapt.callee import Callee
from typematch.adapt.candidate import MatchedCandidate, is_destructured
from typematch.adapt.conversions import CONVERSIONS, ConversionWriter
from typematch.adapt.expressions import Expression, call
from typematch.adapt.identifiers import UniqueNames, lower_camel
from typematch.adapt.imports import Imports
from typematch.adapt.model import Adapter, AdapterScope, Hole, MatchedCall, TypeQueries
from typematch.adapt.overloads import is_captured
from typematch.adapt.query import AdaptedQuery, Argument
from typematch.adapt.receivers import exported_receiver
from typematch.adapt.type_text import TypeWriter
from typematch.ir.constructors import constituents, intersection, promise_value_type
from typematch.ir.type_parts import Parameter
from typematch.ir.types import ANY, UNKNOWN, VOID, Array, Tuple, Type
from typematch.match.edit_kinds import (
    ARGUMENT_SUPPLIED,
    ARRAY_SPREAD,
    CONTAINS_ANY,
    CURRIED,
    OPTIONAL_SKIPPED,
    SPREAD,
    UNINFERRED,
    WRAPPED,
)
from typematch.match.edits.argument_assignment import LEFT_OUT, SUPPLIED

_UNDEFINED = Expression("undefined")
_FIXED = ("required", "optional")  # kinds of elements of a tuple of known length


class CodeContext:
    """What the calls of one piece of code share.

    Attributes:
        names: of the scope of the code.
        holes: values that the code needs and the query does not give.
    """

    def __init__(self, scope: AdapterScope, queries: TypeQueries) -> None:
        self.scope = scope
        self.queries = queries
        self.names = UniqueNames()
        self.imports = Imports(self.names)
        self.types = TypeWriter(scope, self.imports)
        self.conversions = ConversionWriter(self.types, self.names, queries.expand)
        self.holes: list[Hole] = []
        self._instances: dict[Type, str] = {}

    def hole(self, name: str, t: Type) -> Expression:
        """Add a value that the code needs; return its name."""
        unique = self.names.unique("options" if is_destructured(name) else name)
        self.holes.append(Hole(unique, self.types.text(t)))
        return Expression(unique)

    def instance(self, name: str, t: Type) -> Expression:
        """Return the name of an object that the code needs, one for each type."""
        if t not in self._instances:
            self._instances[t] = self.hole(name, t).text
        return Expression(self._instances[t])

    def accepts_promise(self, t: Type) -> bool:
        """Return whether an async function may have ``t`` as the type of its result."""
        whole = self.queries.expand(t)
        if whole in (ANY, UNKNOWN, VOID):
            return True
        return any(promise_value_type(member) is not None for member in constituents(whole))

    def adapter(
        self,
        code: Expression,
        query: AdaptedQuery,
        *,
        is_async: bool,
        notes: Sequence[str] = (),
        undeclared: Sequence[str] = (),
        name: str = "adapter",
    ) -> Adapter:
        """Return the adapter with this code, which is written last.

        Args:
            undeclared: names that cannot be imported, besides those in the types.
        """
        returns = query.result_text(self.types)
        if is_async and not self.accepts_promise(query.returns):
            returns = f"Promise<{returns}>"
            notes = (*notes, "the result is a promise")
        type_parameters = query.type_parameters_text(self.types)
        type_text = f"({query.parameters_text(self.types)}) => {returns}"
        return Adapter(
            code=code.text,
            type=type_text if self.holes else f"{type_parameters}{type_text}",
            type_parameters=type_parameters if self.holes else "",
            imports=self.imports.statements,
            holes=tuple(self.holes),
            notes=tuple(notes),
            undeclared=tuple(dict.fromkeys((*undeclared, *self.types.undeclared))),
            name=name,
        )


class CallWriter:
    """Writes the call of one match.

    Attributes:
        is_async: the code awaits, or its result becomes a promise.
    """

    def __init__(
        self,
        match: MatchedCall,
        context: CodeContext,
        callee: Callee,
        candidate: MatchedCandidate,
        query: AdaptedQuery,
    ) -> None:
        self.match = match
        self.context = context
        self.callee = callee
        self.candidate = candidate
        self.query = query
        self.kinds = frozenset(edit.kind for edit in match.edits)
        self.is_async = False

    def is_callable(self) -> bool:
        """Return whether a call that can be written has the type of the match."""
        # Overloads that fit only together have no call with the result that the query needs.
        only_together = CURRIED in self.kinds and CONTAINS_ANY in self.kinds
        if self.query.has_this or only_together or not self._takes_receiver():
            return False
        if self._needs_type_arguments() and not self._can_write_type_arguments():
            return False
        if not self.takes_known_rest():
            return False
        if is_captured(self.match, self.query, self.context.queries):
            return False
        has_object = self.candidate.has_receiver and self.match.assignment[:1] != (SUPPLIED,)
        if self.callee.function is not None or has_object:
            return True
        return self._has_exported_type()

    def _has_exported_type(self) -> bool:
        """Whether the exported type of the object has the type arguments of the match."""
        instance = self.candidate.instance
        exported = self._exported(instance)
        is_same = exported is instance or not instance.arguments
        return is_same or self.context.queries.is_assignable(exported, instance)

    def takes_known_rest(self) -> bool:
        """Whether it is known how many arguments a rest parameter takes.

        It is not where its type depends on a type parameter of the query: ``Parameters<A>``.
        """
        if not self.candidate.has_rest:
            return True
        rest = self.context.queries.expand(self.candidate.rest_type)
        return all(
            isinstance(member, Array | Tuple) or member in (ANY, UNKNOWN)
            for member in constituents(rest)
        )

    def _max_count(self) -> int | None:
        """Return how many arguments the candidate takes; None without a limit."""
        count = len(self.candidate.parameters)
        if not self.candidate.has_rest:
            return count
        rest = self.context.queries.expand(self.candidate.rest_type)
        if not isinstance(rest, Tuple) or any(e.kind not in _FIXED for e in rest.elements):
            return None
        return count - 1 + len(rest.elements)

    def body(self) -> Expression:
        """Return the call with its result converted."""
        arguments, last = self.query.arguments(self.match.edits)
        result = self._called(arguments)
        edits = [
            edit
            for edit in self.match.edits
            if edit.path == "$.returns" and edit.kind in CONVERSIONS
        ]
        if self.query.predicate is not None and last is None:
            edits = []  # they are about the type that is guarded
        if edits and edits[-1].kind is WRAPPED:
            self.is_async = True
            edits = edits[:-1]
        source = self.candidate.returns
        second = None if last is None else self.context.queries.single_call(source)
        if second is None:
            result = self.context.conversions.convert(result, source, edits)
        if last is not None:
            result = call(result, [last.expression])
        if second is not None:
            result = self.context.conversions.convert(result, second.returns, edits)
        self.is_async = (
            self.is_async
            or result.awaits
            or any("await " in statement for statement in self.context.conversions.hoisted)
        )
        return result

    def _called(self, arguments: list[Argument]) -> Expression:
        if not self._is_assigned():
            return self._called_as_whole(arguments)
        passed: list[Expression | None] = []
        supplied = 0
        for position, source in enumerate(self._by_name(arguments)[: self._max_count()]):
            if source >= 0:
                passed.append(self._argument(position, arguments[source]))
            elif source == LEFT_OUT:
                rest_hole = self.candidate.required_rest(position)
                passed.append(None if rest_hole is None else self._rest_hole(rest_hole))
            elif self.query.has_ellipsis:
                rest = self.query.parameters[-1].name
                passed.append(Expression(f"{rest}[{supplied}]"))
                supplied += 1
            else:
                parameter = self.candidate.parameter(position)
                is_receiver = self.candidate.has_receiver and position == 0
                t = self._exported(parameter.type) if is_receiver else parameter.type
                passed.append(self.context.hole(parameter.name, t))
        receiver = None
        if self.candidate.has_receiver:
            receiver, passed = passed[0], passed[1:]
        while passed and passed[-1] is None:
            passed.pop()
        return self._call(receiver, [item or _UNDEFINED for item in passed])

    def _by_name(self, arguments: list[Argument]) -> list[int]:
        """Return the assignment with properties of one type passed to the parameters of their name.

        The properties of a type have no order.
        """
        assignment = list(self.match.assignment)
        if SPREAD not in self.kinds:
            return assignment
        for position in range(len(assignment)):
            name = self.candidate.parameter(position).name
            for other, source in enumerate(assignment):
                current = assignment[position]
                if source < 0 or current < 0 or arguments[source].name != name:
                    continue
                if arguments[source].type is arguments[current].type:
                    assignment[position], assignment[other] = source, current
        return assignment

    def _called_as_whole(self, arguments: list[Argument]) -> Expression:
        """Return the call of a function that was compared as a whole: all arguments in order."""
        count = self._max_count()
        if count is None:
            passed = [_spread_argument(argument) for argument in arguments]
        else:
            passed = _first_arguments(arguments, count)
        receiver = None
        if self.candidate.has_receiver and passed:
            receiver, passed = passed[0], passed[1:]
        return self._call(receiver, passed)

    def _call(self, receiver: Expression | None, passed: list[Expression]) -> Expression:
        function = self.callee.function
        if function is None:
            function = self.callee.of_instance(self._receiver(receiver))
        elif self._needs_this():
            function = Expression(f"{function.operand}.call")
            passed = [self.context.hole("self", self.candidate.this), *passed]
        function = Expression(f"{function.operand}{self._explicit_type_arguments()}")
        return call(function, passed, new=self.callee.is_constructor)

    def _needs_this(self) -> bool:
        """Whether the function declares a ``this`` that the query does not give."""
        return any(
            edit.path == "$.this" and edit.kind is ARGUMENT_SUPPLIED for edit in self.match.edits
        )

    def _explicit_type_arguments(self) -> str:
        """Return ``<...>`` where the compiler would not infer the values of the match."""
        converted = any(edit.path == "$.returns" for edit in self.match.edits)
        is_lost = UNINFERRED in self.kinds and converted
        # ``undefined`` that is passed for a parameter would determine a type argument.
        is_lost = is_lost or OPTIONAL_SKIPPED in self.kinds or self._needs_type_arguments()
        values = self.candidate.own_type_arguments
        if not is_lost and (UNKNOWN in values or all(map(self.query.mentions, values))):
            return ""
        if not values or not self._can_write_type_arguments():
            return ""
        self.context.conversions.written_types += values
        return f"<{', '.join(self.context.types.text(value) for value in values)}>"

    def _needs_type_arguments(self) -> bool:
        """Whether the call fits only with type arguments that the arguments do not determine.

        No type is expected of what is called (getContextualType), so the compiler infers them from
        the arguments alone.
        """
        return CURRIED in self.kinds and self._is_assigned() and self.candidate.has_undetermined

    def _is_assigned(self) -> bool:
        """Whether the arguments were compared one by one, not the functions as a whole."""
        return bool(self.match.assignment) or not self.candidate.parameters

    def _can_write_type_arguments(self) -> bool:
        return all(map(self.context.types.can_write, self.candidate.own_type_arguments))

    def _argument(self, position: int, argument: Argument) -> Expression:
        path = f"$.parameters[{position}]"
        edits = [edit for edit in self.match.edits if edit.path == path]
        value = self.context.conversions.convert(argument.expression, argument.type, edits)
        if argument.rest or any(edit.kind is ARRAY_SPREAD for edit in edits):
            return Expression(f"...{value.operand}", awaits=value.awaits)
        # A rest parameter is optional, but its elements are not.
        return value.not_null() if argument.optional and self.candidate.is_rest(position) else value

    def _receiver(self, argument: Expression | None) -> Expression:
        """Return the object whose member is called."""
        if argument is None:
            t = self._exported(self.candidate.instance)
            if self._needs_this():
                t = intersection((t, self.candidate.this))
            return self.context.instance(lower_camel(self.match.entry.container), t)
        if not any(self.callee.optional_members):
            return argument
        # An object without the optional member is assignable too.
        t = self.candidate.receiver
        if not self.context.types.can_write(t):
            return argument
        self.context.conversions.written_types.append(t)
        return argument.asserted(self.context.types.text(t))

    def _exported(self, receiver: Type) -> Type:
        return exported_receiver(self.match.entry, receiver, self.context.scope)

    def _rest_hole(self, rest: Parameter) -> Expression:
        return Expression(f"...{self.context.hole(rest.name, rest.type).text}")

    def _takes_receiver(self) -> bool:
        """Whether the receiver has the type of a declared ``this``, which the match ignores."""
        this = self.candidate.this
        if not self.candidate.has_receiver or this in (ANY, UNKNOWN) or not self.match.assignment:
            return True
        arguments, _ = self.query.arguments(self.match.edits)
        source = self.match.assignment[0]
        return source < 0 or self.context.queries.is_assignable(arguments[source].type, this)


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
