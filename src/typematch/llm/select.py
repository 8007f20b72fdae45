"""Have a model choose which packages and services are worth searching.

It is offered a compact catalog: a line for each, those first in which the request finds most, as
many as fit the budget of tokens, however many there are.  Names that were not offered are dropped.
"""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel

from typematch.errors import ClaudeError
from typematch.llm.gateway import Cost, Gateway, Prompt
from typematch.llm.prompts import UNTRUSTED, data, line, request_line
from typematch.llm.reports import report_of
from typematch.llm.usage import most_tokens
from typematch.search.llm_protocols import Choice, StageReport
from typematch.search.present.truncate import cut

MAX_TOKENS = 2_000
_MOST_REQUEST = 1_500  # characters
_MOST_NAME, _MOST_FOUND = 80, 60  # characters; of each thing that was found

SYSTEM = f"""\
A developer's request is to be answered from a catalog of packages and services. Choose those that \
are worth searching for it: all that may hold a part of the answer, and none that surely hold \
none. Each line offers one: "found" is what a search by words finds in it first.
Answer with their ids, the most promising first.
{UNTRUSTED}"""


class Chosen(BaseModel):
    ids: list[str]


class ClaudeSelector:
    """Fills ``search.stages.Selector``."""

    def __init__(self, gateway: Gateway) -> None:
        self._gateway = gateway

    def select(
        self, question: str, choices: Sequence[Choice], /
    ) -> tuple[Sequence[Choice], StageReport]:
        lines = catalog_lines(choices, self._gateway.settings.catalog_tokens)
        if len(choices) < 2:
            return (), report_of("select", Cost(), skipped="there is nothing to choose among")
        request = request_line(question, _MOST_REQUEST)
        content = f"{request}\n{data(lines)}"
        prompt = Prompt("select", "small", SYSTEM, content, Chosen, MAX_TOKENS)
        try:
            answer = self._gateway.ask(prompt)
        except ClaudeError as error:
            return (), report_of("select", Cost(), skipped=error.what)
        offered = {f"p{place}": one for place, one in enumerate(choices[: len(lines)], 1)}
        named = list(dict.fromkeys(one.strip() for one in answer.value.ids))
        chosen = [offered[one] for one in named if one in offered]
        notes = []
        if len(chosen) < len(named):
            notes.append(f"Claude chose {len(named) - len(chosen)} that were not offered.")
        if len(lines) < len(choices):
            left = len(choices) - len(lines)
            notes.append(f"{left:,} packages in which the request finds least were not offered.")
        if not chosen:
            return (), report_of("select", answer.bill, skipped="it chose none", notes=notes)
        notes.insert(0, f"Searched in: {', '.join(one.name for one in chosen)}.")
        return chosen, report_of("select", answer.bill, notes=notes)


def catalog_lines(choices: Sequence[Choice], tokens: int) -> list[str]:
    """Return a line for each of the first ``choices``, as many as fit into so many tokens."""
    lines: list[str] = []
    for place, one in enumerate(choices, 1):
        written = line(
            {
                "id": f"p{place}",
                "name": cut(one.name, _MOST_NAME),
                "kind": "service" if one.facet == "service" else "package",
                "entries": one.entries,
                "found": [cut(text, _MOST_FOUND) for text in one.found],
            }
        )
        tokens -= most_tokens(written)
        if tokens < 0:
            break
        lines.append(written)
    return lines
