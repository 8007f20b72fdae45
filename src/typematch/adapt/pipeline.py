"""Write the code of a pipeline: a function whose statements are calls, the last one returned."""

from __future__ import annotations

from collections.abc import Sequence

from typematch.adapt.call_writer import CallWriter, CodeContext
from typematch.adapt.callee import callee_of
from typematch.adapt.candidate import MatchedCandidate
from typematch.adapt.expressions import Expression, arrow, object_literal
from typematch.adapt.identifiers import (
    UniqueNames,
    lower_camel,
    member_access,
    split_words,
    string_literal,
)
from typematch.adapt.model import Adapter, AdapterScope, MatchedCall, TypeQueries
from typematch.adapt.pipeline_model import (
    ArgumentSource,
    Constant,
    EarlierResult,
    Given,
    MatchedPipeline,
    ObjectOf,
    PipelineCall,
)
from typematch.adapt.query import AdaptedQuery, Argument
from typematch.adapt.type_text import mentions_variables
from typematch.ir.declaration import is_global
from typematch.ir.render import is_identifier, plain_name
from typematch.ir.types import Array, Reference
from typematch.match.edit_kinds import Edit

_INDENT = "  "


def write_pipeline(
    pipeline: MatchedPipeline, scope: AdapterScope, queries: TypeQueries
) -> Adapter | None:
    """Return the code of a pipeline; None if one of its calls cannot be written.

    The objects whose operations are called are holes: the clients of services.
    """
    return _PipelineWriter(pipeline, scope, queries).write()


class _CallQuery(AdaptedQuery):
    """The query of one call, its arguments being expressions of the code."""

    def __init__(
        self, call: MatchedCall, names: Sequence[str], expressions: Sequence[Expression]
    ) -> None:
        super().__init__(call, UniqueNames(), {})
        self._values = [
            Argument(name, expression, parameter.type)
            for name, expression, parameter in zip(names, expressions, self.parameters, strict=True)
        ]

    def arguments(self, _edits: Sequence[Edit]) -> tuple[list[Argument], Argument | None]:
        return list(self._values), None


class _PipelineWriter:
    def __init__(
        self, pipeline: MatchedPipeline, scope: AdapterScope, queries: TypeQueries
    ) -> None:
        self._pipeline = pipeline
        self._context = context = CodeContext(scope, queries)
        self._callees = [
            callee_of(call.match.entry, scope, context.imports) for call in pipeline.calls
        ]
        whole = MatchedCall(
            pipeline.query, pipeline.variables, pipeline.calls[-1].match.entry, 0, (), ()
        )
        self._query = AdaptedQuery(whole, context.names, {})
        for variable in self._query.variables:
            queries.declare(variable.variable, variable.constraint)
        self._results: list[str] = []

    def write(self) -> Adapter | None:
        context, statements = self._context, []
        last = len(self._pipeline.calls) - 1
        is_async = False
        for index, (call, callee) in enumerate(
            zip(self._pipeline.calls, self._callees, strict=True)
        ):
            candidate = MatchedCandidate(call.match, context.scope)
            values = [self._value(source) for source in call.sources]
            names = [p.name for p in call.match.query.calls[0].parameters]
            query = _CallQuery(call.match, names, values)
            candidate.infer(query)
            writer = CallWriter(call.match, context, callee, candidate, query)
            if not callee.is_reachable or not writer.is_callable():
                return None
            code = writer.body()
            is_async = is_async or writer.is_async or call.awaited
            statements += context.conversions.hoisted
            context.conversions.hoisted.clear()
            if index == last:
                statements.append(f"return {code.text};")
            else:
                name = context.names.unique(_result_name(call))
                self._results.append(name)
                value = code.awaited() if call.awaited else code
                statements.append(f"const {name} = {value.text};")
        return self._adapter(statements, is_async=is_async)

    def _adapter(self, statements: Sequence[str], *, is_async: bool) -> Adapter:
        context, query = self._context, self._query
        block = "\n".join(["{", *(f"{_INDENT}{line}" for line in statements), "}"])
        is_annotated = any(mentions_variables(t) for t in context.conversions.written_types)
        types = context.types if is_annotated and not context.holes else None
        code = arrow(
            query.parameters_text(types),
            Expression(block),
            type_parameters=query.type_parameters_text(types) if types else "",
            is_async=is_async,
        )
        return context.adapter(code, query, is_async=is_async, name="pipeline")

    def _value(self, source: ArgumentSource) -> Expression:
        match source:
            case Given(index):
                return Expression(self._query.parameters[index].name)
            case Constant(text):
                return Expression(text, is_object=text.startswith("{"))
            case ObjectOf(properties):
                return object_literal(
                    (name if is_identifier(name) else string_literal(name), self._value(value))
                    for name, value in properties
                )
            case EarlierResult(call, path, may_be_undefined):
                value = Expression(self._results[call])
                if may_be_undefined:
                    value = value.not_null()
                for read in path:
                    text = (
                        member_access(value.operand, read.name)
                        if read.name
                        else f"{value.operand}[0]!"
                    )
                    value = Expression(text)
                    if read.may_be_undefined:
                        value = value.not_null()
                return value


def _result_name(call: PipelineCall) -> str:
    """Return a name for the result of a call: of its type, or of what the function returns."""
    t, plural = call.result, ""
    if isinstance(t, Array):
        t, plural = t.element, "s"
    if isinstance(t, Reference) and not is_global(t.target):
        return f"{lower_camel(plain_name(t.target))}{plural}"
    entry = call.match.entry
    name = entry.container if entry.kind == "constructor" else entry.name
    words = split_words(name.rpartition(".")[2])
    return lower_camel("".join(words[1:])) if len(words) > 1 else "result"
