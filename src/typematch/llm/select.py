"""Let a model select the packages and services to search.

The model gets a list with one line per package, those with most lexical hits first, up to a token
limit.  Ids that were not in the list are dropped.
"""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel

from typematch.errors import ClaudeError
from typematch.llm.gateway import Cost, Gateway, Prompt, stage_report
from typematch.llm.prompts import UNTRUSTED, data_block, json_line, request_line
from typematch.search.llm_protocols import ScopeChoice, StageReport
from typematch.search.present.truncate import truncate_line
from typematch.token_count import token_upper_bound

MAX_TOKENS = 2_000
_MAX_REQUEST = 1_500  # characters
_MAX_NAME, _MAX_FOUND = 80, 60  # characters; of the name, of each found entry

SYSTEM = f"""\
A developer's request is to be answered from a catalog of packages and services. Choose those that \
are worth searching for it: all that may hold a part of the answer, and none that surely hold \
none. Each line offers one: "found" is what a search by words finds in it first.
Answer with their ids, the most promising first.
{UNTRUSTED}"""


class SelectionReply(BaseModel):
    ids: list[str]


class ClaudeSelector:
    """Implements ``Selector`` of ``search.llm_protocols``."""

    def __init__(self, gateway: Gateway) -> None:
        self._gateway = gateway

    def select(
        self, question: str, choices: Sequence[ScopeChoice], /
    ) -> tuple[Sequence[ScopeChoice], StageReport]:
        lines = catalog_lines(choices, self._gateway.settings.catalog_tokens)
        if len(choices) < 2:
            return (), stage_report(
                "select", Cost(), skipped="there are fewer than two packages to choose from"
            )
        request = request_line(question, _MAX_REQUEST)
        content = f"{request}\n{data_block(lines)}"
        prompt = Prompt("select", "small", SYSTEM, content, SelectionReply, MAX_TOKENS)
        try:
            answer = self._gateway.ask(prompt)
        except ClaudeError as error:
            return (), stage_report("select", Cost(), skipped=error.what)
        listed = {f"p{number}": choice for number, choice in enumerate(choices[: len(lines)], 1)}
        ids = list(dict.fromkeys(id_.strip() for id_ in answer.value.ids))
        chosen = [listed[id_] for id_ in ids if id_ in listed]
        notes = []
        if len(chosen) < len(ids):
            notes.append(f"Claude chose {len(ids) - len(chosen)} that were not in the list.")
        if len(lines) < len(choices):
            omitted = len(choices) - len(lines)
            notes.append(f"{omitted:,} packages with the fewest hits were left out of the list.")
        if not chosen:
            return (), stage_report("select", answer.cost, skipped="Claude chose none", notes=notes)
        notes.insert(0, f"Searched in: {', '.join(choice.name for choice in chosen)}.")
        return chosen, stage_report("select", answer.cost, notes=notes)


def catalog_lines(choices: Sequence[ScopeChoice], max_tokens: int) -> list[str]:
    """Return one line per choice, for as many of the first as fit into ``max_tokens``."""
    lines: list[str] = []
    for number, choice in enumerate(choices, 1):
        line = json_line(
            {
                "id": f"p{number}",
                "name": truncate_line(choice.name, _MAX_NAME),
                "kind": "service" if choice.facet == "service" else "package",
                "entries": choice.entries,
                "found": [truncate_line(text, _MAX_FOUND) for text in choice.top_entries],
            }
        )
        max_tokens -= token_upper_bound(line)
        if max_tokens < 0:
            break
        lines.append(line)
    return lines
