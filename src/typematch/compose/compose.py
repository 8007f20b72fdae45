"""Find pipelines for a query."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import islice

from typematch.adapt.model import MatchedCall
from typematch.adapt.pipeline import write_pipeline
from typematch.adapt.pipeline_model import MatchedPipeline, PipelineCall
from typematch.compose.callable_functions import CallableFunctions
from typematch.compose.checked_plans import CheckedPlan
from typematch.compose.functions import Functions
from typematch.compose.goal import Goal, goals_of
from typematch.compose.model import Composition, Pipeline, Step
from typematch.compose.names import name_words
from typematch.compose.search import PipelineSearch
from typematch.compose.type_facts import TypeFacts
from typematch.compose.work import Work
from typematch.errors import UsageError
from typematch.index.store import Store
from typematch.ir.render import render
from typematch.ir.type_parts import Parameter
from typematch.search.prepare.facet_conditions import facet_conditions
from typematch.search.prepare.prepared_query import prepare_query
from typematch.search.present.adapters import StoreScope, page_types
from typematch.search.retrieve.text_channels import query_words
from typematch.search.score.deadline import Deadline
from typematch.search.score.edit_text import rendered_edits
from typematch.search.score.scoring import TypeScorers
from typematch.search.score.type_match import TypeMatch

MAX_DEPTH = 3
_WORK = 1_200.0
_UNCHECKED_WORK = 200.0  # for pipelines whose last call returns any
_MAX_CHECKED = 40  # pipelines of one goal that are written
_FACET_SECONDS = 1.0  # CPU time of comparing the types of facets
_FACETS_IN_PART = "The facets have too many types to compare; some functions were left out."
_TAKEN_FOR_GRANTED = "the last call returns any: the type of the result is taken for granted"


def compose(text: str, store: Store, *, depth: int = MAX_DEPTH, limit: int = 5) -> Composition:
    """Return the cheapest pipelines of two to ``depth`` calls that have a query's type.

    Raises:
        QuerySyntaxError: the query cannot be parsed.
        UsageError: the query has no signature, or one that says too little, or ``depth`` or
            ``limit`` is out of range.
    """
    if not 2 <= depth <= MAX_DEPTH:
        raise UsageError(
            f"a pipeline has 2 to {MAX_DEPTH} calls, not {depth}", hint="Leave out --depth."
        )
    if limit < 1:
        raise UsageError(f"no pipelines were asked for: {limit}", hint="Give 1 or more.")
    prepared = prepare_query(text, store)
    goals = goals_of(prepared)
    work = 0.0
    with TypeScorers(store) as scorers:
        facts = TypeFacts(scorers)
        deadline = Deadline(cpu_seconds=_FACET_SECONDS)
        selection = facet_conditions(
            prepared.query.constraints, store, scorers.is_assignable, deadline.expired
        )
        functions = Functions(store, selection)
        words = frozenset(
            word for part in query_words(prepared.query).split() for word in name_words(part)
        )
        found: list[Pipeline] = []
        left = 0
        writer = _ComposedCode(store)
        callable_functions: dict[tuple[Parameter, ...], CallableFunctions] = {}
        for index, goal in enumerate(goals):
            # Each reading has an equal part of what is left.
            share = Work((_WORK - work) / (len(goals) - index))
            for variable, constraint in goal.constraints:
                facts.constrain(variable, constraint)
            if goal.arguments not in callable_functions:
                callable_functions[goal.arguments] = CallableFunctions(
                    goal.arguments, functions, share, depth
                )
            search = PipelineSearch(
                goal,
                functions,
                callable_functions[goal.arguments],
                facts,
                share,
                depth=depth,
                words=words,
            )
            found += writer.written(search, goal, limit)
            work += share.done
            if share.expired:
                left += search.left
        found.sort(key=lambda pipeline: pipeline.cost)
        found = found[:limit]
        if len(found) < limit:
            goal = goals[0]
            search = PipelineSearch(
                goal,
                functions,
                callable_functions[goal.arguments],
                facts,
                Work(_UNCHECKED_WORK),
                depth=2,
                words=words,
                unchecked=True,
            )
            found += writer.written(search, goal, limit - len(found))
    return Composition(
        text,
        prepared.read_as,
        tuple(found[:limit]),
        work=round(work),
        exhausted=left > 0,
        left=left,
        notices=(
            *prepared.notices,
            *([_FACETS_IN_PART] if deadline.has_stopped else []),
            *([_exhausted(round(work), left)] if left else []),
        ),
    )


def _exhausted(work: int, left: int) -> str:
    return (
        f"The search ended after {work:,} units of work with {left:,} partial pipelines left; "
        "a package (pkg:NAME) or a depth of 2 narrows it."
    )


class _ComposedCode:
    """Writes the code of checked plans."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._scope = StoreScope(store)
        self._types = page_types(self._scope)

    def written(self, plans: Iterable[CheckedPlan], goal: Goal, limit: int) -> list[Pipeline]:
        """Return the first pipelines that code can express; those of equal names are one."""
        pipelines: list[Pipeline] = []
        seen: set[tuple[str, ...]] = set()
        for plan in islice(plans, _MAX_CHECKED):
            names = tuple(call.function.entry.name for call in plan.calls)
            if names in seen:
                continue
            pipeline = self._pipeline(plan, goal)
            if pipeline is not None:
                seen.add(names)
                pipelines.append(pipeline)
                if len(pipelines) >= limit:
                    break
        return pipelines

    def _pipeline(self, plan: CheckedPlan, goal: Goal) -> Pipeline | None:
        entries = self._store.entries([call.function.entry.number for call in plan.calls])
        calls, steps = [], []
        for entry, call in zip(entries, plan.calls, strict=True):
            overload = call.function.overload
            if overload >= len(entry.signatures):
                return None
            match = MatchedCall(
                call.query, (), entry, overload, call.fit.edits, call.fit.assignment
            )
            calls.append(PipelineCall(match, call.sources, call.result, call.awaited))
            type_match = TypeMatch(
                call.function.entry.number,
                overload,
                call.fit.cost,
                call.fit.edits,
                assignment=call.fit.assignment,
            )
            edits = rendered_edits(entry, type_match)
            parameters = tuple(parameter.name for parameter in call.query.calls[0].parameters)
            result = render(call.result)
            steps.append(Step(entry, overload, call.cost, edits, call.names, parameters, result))
        clients = {e.container for e in entries if e.kind == "operation"}
        code = write_pipeline(
            MatchedPipeline(goal.function, goal.names, tuple(calls)), self._scope, self._types
        )
        if code is None or code.undeclared or len(code.holes) > len(clients):
            return None
        if plan.unchecked:
            code = replace(code, notes=(*code.notes, _TAKEN_FOR_GRANTED))
        return Pipeline(tuple(steps), plan.cost, code, plan.unchecked)
