"""An agent with two tools, search and read, that plans several calls for one request.

It searches the index as people do, reads the declarations that it may need, and answers with
entries, their order, and what data goes from one to the next.  Only entries that a tool showed it
can be in the plan, and the relation says of each flow of data whether types allow it.  Steps and
tokens are bounded: where they end, the plan is to be written with what is known.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from typematch.errors import ClaudeError, TypematchError
from typematch.llm.data_flow import DataFlowChecker
from typematch.llm.gateway import Cost, Gateway, shaped
from typematch.llm.prompts import UNTRUSTED, data, line, request_line
from typematch.llm.reports import report_of
from typematch.search.call_plan import DataFlow, Discovery, PlannedCall
from typematch.search.llm_protocols import StageReport
from typematch.search.present.truncate import cut

if TYPE_CHECKING:
    from typematch.index.store import Store
    from typematch.ir.entry import Entry
    from typematch.search.present.references import References
    from typematch.search.results import SearchResult

MAX_TOKENS = 6_000
_MOST_REQUEST = 2_000  # characters
_MOST_SIGNATURE, _MOST_DOC, _MOST_DECLARATION, _MOST_PROSE = 160, 120, 1_500, 600
_MOST_HITS = 20
REFERENCE_TOKENS = 800  # of what a declaration refers to

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


class PlannedFlow(BaseModel):
    from_id: str
    gives: str
    to_id: str
    takes: str


class Plan(BaseModel):
    calls: list[PlannedCallReply]
    flows: list[PlannedFlow]
    missing: str


@dataclass(frozen=True, slots=True)
class Library:
    """What the agent may ask of a catalog; ``search`` takes a query and a number of hits."""

    store: Store
    search: Callable[[str, int], SearchResult]
    read: Callable[[str], References]


def discover(request: str, gateway: Gateway, library: Library) -> Discovery:
    """Return a plan for ``request``; where there is none, the hits of a plain search."""
    agent = _Agent(gateway, library)
    try:
        plan = agent.plan(request)
    except ClaudeError as error:
        return without_plan(request, library, report_of("discover", agent.bill, skipped=error.what))
    return agent.checked(request, plan)


def without_plan(request: str, library: Library, report: StageReport) -> Discovery:
    hits = library.search(request, _MOST_HITS)
    return Discovery(request, (), (), "", (), report, hits)


@dataclass(slots=True)
class _Agent:
    gateway: Gateway
    library: Library
    bill: Cost = field(default_factory=Cost)
    searched: list[str] = field(default_factory=list)
    shown: set[str] = field(default_factory=set)  # ids

    def plan(self, request: str) -> Plan:
        settings = self.gateway.settings
        said = request_line(request, _MOST_REQUEST)
        messages: list[Mapping[str, Any]] = [{"role": "user", "content": said}]
        steps = 0
        while True:
            spent = self.bill.usage.total >= settings.discover_tokens
            last = spent or steps >= settings.discover_steps
            turn = self.gateway.converse(
                "discover",
                system=SYSTEM,
                messages=messages,
                tools=TOOLS,
                shape=Plan,
                max_tokens=MAX_TOKENS,
                last=last,
            )
            self.bill += turn.bill
            if not turn.calls:
                return shaped(Plan, turn.text)
            if last:
                raise ClaudeError(f"it came to no end within {settings.discover_steps} steps")
            messages += [
                {"role": "assistant", "content": list(turn.content)},
                {"role": "user", "content": [self._used(call) for call in turn.calls]},
            ]
            steps += 1

    def _used(self, call: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the result of a tool; what went wrong is the model's to mend."""
        answer = {"type": "tool_result", "tool_use_id": call["id"]}
        try:
            return {**answer, "content": self._result(call["name"], call["input"])}
        except TypematchError as error:
            return {**answer, "content": cut(str(error), _MOST_PROSE), "is_error": True}
        except (KeyError, TypeError, ValueError, AttributeError):
            return {**answer, "content": "the input is not what this tool takes", "is_error": True}

    def _result(self, name: str, given: Mapping[str, Any]) -> str:
        if name == "search":
            return self._search(str(given["query"]), min(max(int(given["k"]), 1), _MOST_HITS))
        if name == "read":
            return self._read(str(given["id"]))
        raise ValueError(name)

    def _search(self, query: str, k: int) -> str:
        self.searched.append(query)
        result = self.library.search(query, k)
        lines = []
        for hit in result:
            entry = hit.entry
            self.shown.add(entry.id)
            lines.append(
                line(
                    {
                        "id": entry.id,
                        "kind": entry.kind,
                        "http": entry.http,
                        "signature": cut(hit.signature, _MOST_SIGNATURE),
                        "says": cut(entry.doc.summary if entry.doc else "", _MOST_DOC),
                        "gives_what_needs": hit.supplies,
                    }
                )
            )
        return data(lines) if lines else "nothing was found; search in other words"

    def _read(self, name: str) -> str:
        found = self.library.read(name)
        entry = found.entry
        self.shown.add(entry.id)
        shown = line(
            {
                "id": entry.id,
                "http": entry.http,
                "declaration": cut(found.text, _MOST_DECLARATION),
                "says": cut(entry.doc.text if entry.doc else "", _MOST_PROSE),
            }
        )
        referred = [line({"type": one.name, "declaration": one.text}) for one in found.found]
        return data([shown, *referred])

    def checked(self, request: str, plan: Plan) -> Discovery:
        """Return the plan with what was shown, each flow judged by the relation."""
        store = self.library.store
        named = dict.fromkeys(one.id.strip() for one in plan.calls)
        kept = [one for one in named if one in self.shown]
        numbers = store.numbers(kept)
        found = store.entries([numbers[one] for one in kept if one in numbers])
        entries = {entry.id: entry for entry in found}
        whys = {one.id.strip(): cut(one.why, _MOST_PROSE) for one in reversed(plan.calls)}
        notes = []
        if len(entries) < len(named):
            left = len(named) - len(entries)
            notes.append(f"Claude planned {left} that no tool had shown; they are left out.")
        flows = self._flows(plan.flows, entries, notes)
        return Discovery(
            request,
            tuple(PlannedCall(entry, whys[one]) for one, entry in entries.items()),
            tuple(flows),
            cut(plan.missing, _MOST_PROSE),
            tuple(self.searched),
            report_of("discover", self.bill, notes=notes),
        )

    def _flows(
        self, said: Sequence[PlannedFlow], entries: Mapping[str, Entry], notes: list[str]
    ) -> list[DataFlow]:
        judge = DataFlowChecker(self.library.store)
        order = list(entries)
        flows = []
        for one in said:
            source, target = one.from_id.strip(), one.to_id.strip()
            good = source in entries and target in entries
            if not good or order.index(source) >= order.index(target):
                notes.append(f"A flow from {source} to {target} is not in the plan's order.")
                continue
            checked = judge.check(entries[source], one.gives, entries[target], one.takes)
            gives, takes = cut(one.gives, _MOST_DOC), cut(one.takes, _MOST_DOC)
            flows.append(DataFlow(source, gives, target, takes, checked.verdict, checked.said))
        return flows
