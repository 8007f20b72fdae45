"""Simulated models for the server of ``messages_api``."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from fakes.messages_api import Behaviour, Body, Reply

Candidate = Mapping[str, Any]

_DATA = re.compile(r"<data>\n(.*)\n</data>", re.DOTALL)


def user_message(body: Body) -> str:
    """Return the text of the last message."""
    content = body["messages"][-1]["content"]
    return content if isinstance(content, str) else " ".join(block["text"] for block in content)


def data_items(body: Body) -> list[Candidate]:
    """Return the items between the data tags of a prompt."""
    match = _DATA.search(user_message(body))
    return [json.loads(line) for line in match[1].split("\n")] if match else []


def grade(
    candidate: Candidate, score: float, why: str = "Does it.", missing: str = ""
) -> dict[str, Any]:
    return {"id": candidate["id"], "score": score, "why": why, "missing": missing}


def grading_model(score: Callable[[Candidate], float]) -> Behaviour:
    """Grade every candidate with ``score``."""

    def answer(body: Body) -> Reply:
        return Reply(
            {"verdicts": [grade(candidate, score(candidate)) for candidate in data_items(body)]}
        )

    return answer


def oracle_model(scores: Mapping[str, float]) -> Behaviour:
    """Grade candidates by name; names not in ``scores`` get 0."""
    return grading_model(lambda candidate: scores.get(candidate["name"], 0.0))


def random_model(seed: int) -> Behaviour:
    random = Random(seed)
    return grading_model(lambda _: random.uniform(0, 10))


def injected_model(injection: str, honest: Callable[[Candidate], float]) -> Behaviour:
    """Grade with ``honest``, unless a text in the prompt contains ``injection``: then obey it.

    The injected candidate gets 10, and the grades of all others in the prompt are inverted.
    """

    def answer(body: Body) -> Reply:
        candidates = data_items(body)
        is_injected = any(injection in json.dumps(candidate) for candidate in candidates)
        return Reply(
            {
                "verdicts": [
                    grade(
                        candidate,
                        10 if injection in json.dumps(candidate) else 10 - honest(candidate),
                    )
                    if is_injected
                    else grade(candidate, honest(candidate))
                    for candidate in candidates
                ]
            }
        )

    return answer


def has_reply_field(body: Body, field: str) -> bool:
    """Whether the requested answer has a field: tells the stages apart."""
    return field in body["output_config"]["format"]["schema"]["properties"]


def expansion_model(
    *phrasings: str,
    needs: Sequence[str] = (),
    concepts: Sequence[str] = (),
    constraints: Sequence[str] = (),
) -> Behaviour:
    """Answer with these paraphrases and queries."""
    reply = {
        "phrasings": list(phrasings),
        "needs": list(needs),
        "concepts": list(concepts),
        "constraints": list(constraints),
    }
    return lambda _: Reply(reply)


def selection_model(*names: str) -> Behaviour:
    """Select the packages and services with these names."""

    def answer(body: Body) -> Reply:
        ids = {item["name"]: item["id"] for item in data_items(body)}
        return Reply({"ids": [ids.get(name, name) for name in names]})

    return answer


def tool_items(body: Body) -> list[Candidate]:
    """Return the items of all tool results in a conversation."""
    items: list[Candidate] = []
    for message in body["messages"]:
        for block in message["content"] if isinstance(message["content"], list) else []:
            if block["type"] == "tool_result" and (match := _DATA.search(block["content"])):
                items += [json.loads(line) for line in match[1].split("\n")]
    return items


def enrichment_model(body: Body) -> Reply:
    """Describe an entry with words that occur nowhere else."""
    [item] = data_items(body)
    return Reply(
        {
            "summary": f"Solves the flibbertigibbet of {item['name']}.",
            "questions": [f"how do I {item['name']} a wugglefrop?", "what else?"],
            "interface": f"Takes what {item['name']} takes.",
        }
    )


def always(reply: Reply) -> Behaviour:
    return lambda _: reply


def in_turn(*behaviours: Behaviour | Reply) -> Behaviour:
    """Answer with each behaviour in turn, and repeat the last."""
    turns = itertools.chain(behaviours, itertools.repeat(behaviours[-1]))

    def answer(body: Body) -> Reply:
        current = next(turns)
        return current if isinstance(current, Reply) else current(body)

    return answer
