"""Call planning: an agent with the tools ``search`` and ``read`` plans the calls for a request.

The plan lists entries in call order and the data that flows between them.  It may only contain
entries that a tool has returned, and the relation checks the types of every data flow.  Steps and
tokens are limited; at the limit the model must write its plan without further tool calls.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from typematch.errors import ClaudeError, TypematchError
from typematch.llm.data_flow import DataFlowChecker
from typematch.llm.gateway import Cost, Gateway, parse_answer, stage_report
from typematch.llm.prompts import UNTRUSTED, data_block, json_line, request_line
from typematch.search.call_plan import DataFlow, Discovery, PlannedCall
from typematch.search.llm_protocols import StageReport
from typematch.search.present.truncate import truncate_line

if TYPE_CHECKING:
    from typematch.index.store import Store
    from typematch.ir.entry import Entry
    from typematch.search.present.references import References
    from typematch.search.results import SearchResult

MAX_TOKENS = 6_000
_MAX_REQUEST = 2_000  # characters
_MAX_SIGNATURE, _MAX_DOC, _MAX_DECLARATION, _MAX_PROSE = 160, 120, 1_500, 600
_MAX_HITS = 20
REFERENCE_TOKENS = 800  # budget for the declarations that an entry refers to

SYSTEM = f"""\
You plan which functions or API operations serve a developer's request, and in which order they \
are called. Use the tools: search finds candidates for one need at a time, read shows a \
declaration and the types that it refers to. Take the request apart into its needs, search for \
each, also for what gives the ids and other values that a call requires, read what you are unsure \
of, and stop as soon as you know enough.
Then answer: "calls" in the order in which they are made, each with its id and why in at most 15 \
words; "flows": what a call gives to a later one ("gives" is a path in the result, such as \
songs[].id or the word result; "takes" is the parameter or the field of the body); "missing": \
what of the request nothing serves, empty where nothing is missing.
Use only ids that a tool has shown.
{UNTRUSTED}"""

TOOLS: Sequence[Mapping[str, Any]] = (
    {
        "name": "search",
        "description": "Find functions and operations for one need, said in words, or by a "
        "TypeScript function type such as (id: string) => Promise<User>. Gives the best k.",
        "input_schema": {
            "type": "object",
            "properties": {"query": {"type": "string"}, "k": {"type": "integer"}},
            "required": ["query", "k"],
            "additionalProperties": False,
        },
    },
    {
        "name": "read",
        "description": "Show the whole declaration of an id, its documentation, and the types "
        "that it refers to.",
        "input_schema": {
            "type": "object",
            "properties": {"id": {"type": "string"}},
            "required": ["id"],
            "additionalProperties": False,
        },
    },
)


class PlannedCallReply(BaseModel):
    id: str
    why: str


class PlannedFlowReply(BaseModel):
    from_id: str
    gives: str
    to_id: str
    takes: str


class PlanReply(BaseModel):
    calls: list[PlannedCallReply]
    flows: list[PlannedFlowReply]
    missing: str


@dataclass(frozen=True, slots=True)
class CatalogTools:
    """Access of the agent to a catalog.

    Attributes:
        search: (query, maximum number of hits) -> result.
        read: id of an entry -> its declaration and the declarations it refers to.
    """

    store: Store
    search: Callable[[str, int], SearchResult]
    read: Callable[[str], References]


def discover(request: str, gateway: Gateway, tools: CatalogTools) -> Discovery:
    """Return a call plan for ``request``; on failure, the reason and the hits of a search."""
    agent = _PlanningAgent(gateway, tools)
    try:
        plan = agent.plan(request)
    except ClaudeError as error:
        return hits_without_plan(
            request, tools, stage_report("discover", agent.cost, skipped=error.what)
        )
    return agent.verified(request, plan)


def hits_without_plan(request: str, tools: CatalogTools, report: StageReport) -> Discovery:
    hits = tools.search(request, _MAX_HITS)
    return Discovery(request, (), (), "", (), report, hits)


@dataclass(slots=True)
class _PlanningAgent:
    gateway: Gateway
    tools: CatalogTools
    cost: Cost = field(default_factory=Cost)
    queries: list[str] = field(default_factory=list)
    shown_ids: set[str] = field(default_factory=set)

    def plan(self, request: str) -> PlanReply:
        settings = self.gateway.settings
        request_text = request_line(request, _MAX_REQUEST)
        messages: list[Mapping[str, Any]] = [{"role": "user", "content": request_text}]
        steps = 0
        while True:
            over_budget = self.cost.usage.total >= settings.discover_tokens
            final = over_budget or steps >= settings.discover_steps
            turn = self.gateway.converse(
                "discover",
                system=SYSTEM,
                messages=messages,
                tools=TOOLS,
                reply_type=PlanReply,
                max_tokens=MAX_TOKENS,
                final=final,
            )
            self.cost += turn.cost
            if not turn.tool_calls:
                return parse_answer(PlanReply, turn.text)
            if final:
                limit = (
                    f"discover_tokens ({settings.discover_tokens:,})"
                    if over_budget
                    else f"discover_steps ({settings.discover_steps})"
                )
                raise ClaudeError(
                    f"there is no plan within {limit}", hint="Raise it in the settings."
                )
            messages += [
                {"role": "assistant", "content": list(turn.content)},
                {"role": "user", "content": [self._tool_result(call) for call in turn.tool_calls]},
            ]
            steps += 1

    def _tool_result(self, call: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the result block of a tool call; errors are returned to the model."""
        result = {"type": "tool_result", "tool_use_id": call["id"]}
        try:
            return {**result, "content": self._run_tool(call["name"], call["input"])}
        except TypematchError as error:
            return {**result, "content": truncate_line(str(error), _MAX_PROSE), "is_error": True}
        except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError):
            return {**result, "content": "the input is not what this tool takes", "is_error": True}

    def _run_tool(self, name: str, arguments: Mapping[str, Any]) -> str:
        if name == "search":
            return self._search(
                str(arguments["query"]), min(max(int(arguments["k"]), 1), _MAX_HITS)
            )
        if name == "read":
            return self._read(str(arguments["id"]))
        raise ValueError(name)

    def _search(self, query: str, k: int) -> str:
        self.queries.append(query)
        result = self.tools.search(query, k)
        lines = []
        for hit in result:
            entry = hit.entry
            self.shown_ids.add(entry.id)
            lines.append(
                json_line(
                    {
                        "id": entry.id,
                        "kind": entry.kind,
                        "http": entry.http,
                        "signature": truncate_line(hit.signature, _MAX_SIGNATURE),
                        "says": truncate_line(entry.doc.summary if entry.doc else "", _MAX_DOC),
                        "gives_what_needs": hit.provides_for,
                    }
                )
            )
        return data_block(lines) if lines else "nothing was found; search in other words"

    def _read(self, id_: str) -> str:
        references = self.tools.read(id_)
        entry = references.entry
        self.shown_ids.add(entry.id)
        entry_line = json_line(
            {
                "id": entry.id,
                "http": entry.http,
                "declaration": truncate_line(references.text, _MAX_DECLARATION),
                "says": truncate_line(entry.doc.text if entry.doc else "", _MAX_PROSE),
            }
        )
        declarations = [
            json_line({"type": declaration.name, "declaration": declaration.text})
            for declaration in references.declarations
        ]
        return data_block([entry_line, *declarations])

    def verified(self, request: str, plan: PlanReply) -> Discovery:
        """Return the plan without unknown entries, with every data flow checked."""
        store = self.tools.store
        planned_ids = dict.fromkeys(call.id.strip() for call in plan.calls)
        known_ids = [id_ for id_ in planned_ids if id_ in self.shown_ids]
        numbers = store.entry_numbers(known_ids)
        planned = store.entries([numbers[id_] for id_ in known_ids if id_ in numbers])
        entries = {entry.id: entry for entry in planned}
        reasons = {
            call.id.strip(): truncate_line(call.why, _MAX_PROSE) for call in reversed(plan.calls)
        }
        notes = []
        if len(entries) < len(planned_ids):
            dropped = len(planned_ids) - len(entries)
            notes.append(f"Claude planned {dropped} calls to unknown entries; they are left out.")
        flows = self._checked_flows(plan.flows, entries, notes)
        return Discovery(
            request,
            tuple(PlannedCall(entry, reasons[id_]) for id_, entry in entries.items()),
            tuple(flows),
            truncate_line(plan.missing, _MAX_PROSE),
            tuple(self.queries),
            stage_report("discover", self.cost, notes=notes),
        )

    def _checked_flows(
        self, planned: Sequence[PlannedFlowReply], entries: Mapping[str, Entry], notes: list[str]
    ) -> list[DataFlow]:
        checker = DataFlowChecker(self.tools.store)
        order = list(entries)
        flows = []
        for flow in planned:
            source, target = flow.from_id.strip(), flow.to_id.strip()
            is_known = source in entries and target in entries
            if not is_known or order.index(source) >= order.index(target):
                names = " to ".join(truncate_line(name, _MAX_DOC) for name in (source, target))
                notes.append(f"A flow from {names} is not in the plan's order.")
                continue
            checked = checker.check(entries[source], flow.gives, entries[target], flow.takes)
            source_path = truncate_line(flow.gives, _MAX_DOC)
            target_path = truncate_line(flow.takes, _MAX_DOC)
            verdict, types = checked.verdict, checked.explanation
            flows.append(DataFlow(source, source_path, target, target_path, verdict, types))
        return flows
