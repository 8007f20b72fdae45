"""Simulated models: what a server of ``messages_api`` answers to what it was asked."""

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


def question(body: Body) -> str:
    """Return the text of the last message."""
    content = body["messages"][-1]["content"]
    return content if isinstance(content, str) else " ".join(one["text"] for one in content)


def offered(body: Body) -> list[Candidate]:
    """Return what a prompt offers between its data tags, line by line."""
    found = _DATA.search(question(body))
    return [json.loads(line) for line in found[1].split("\n")] if found else []


def verdict(
    candidate: Candidate, score: float, why: str = "Does it.", missing: str = ""
) -> dict[str, Any]:
    return {"id": candidate["id"], "score": score, "why": why, "missing": missing}


def judge(score: Callable[[Candidate], float]) -> Behaviour:
    """Score every candidate, and say so."""

    def answer(body: Body) -> Reply:
        return Reply({"verdicts": [verdict(one, score(one)) for one in offered(body)]})

    return answer


def oracle(scores: Mapping[str, float]) -> Behaviour:
    """Know how good each is, by its name; what is not in ``scores`` is of no use."""
    return judge(lambda one: scores.get(one["name"], 0.0))


def at_random(seed: int) -> Behaviour:
    random = Random(seed)
    return judge(lambda _: random.uniform(0, 10))


def obedient(order: str, honest: Callable[[Candidate], float]) -> Behaviour:
    """Score honestly, unless a text in the prompt holds ``order``: then do what it says.

    What it says is to score its own entry 10 and to turn the scores of all others upside down.
    """

    def answer(body: Body) -> Reply:
        everything = offered(body)
        told = any(order in json.dumps(one) for one in everything)
        return Reply(
            {
                "verdicts": [
                    verdict(one, 10 if order in json.dumps(one) else 10 - honest(one))
                    if told
                    else verdict(one, honest(one))
                    for one in everything
                ]
            }
        )

    return answer


def is_for(body: Body, field: str) -> bool:
    """Whether the answer that is asked for has a field: so one server may serve every stage."""
    return field in body["output_config"]["format"]["schema"]["properties"]


def saying(
    *phrasings: str,
    needs: Sequence[str] = (),
    concepts: Sequence[str] = (),
    constraints: Sequence[str] = (),
) -> Behaviour:
    """Say a request in these words."""
    said = {
        "phrasings": list(phrasings),
        "needs": list(needs),
        "concepts": list(concepts),
        "constraints": list(constraints),
    }
    return lambda _: Reply(said)


def choosing(*names: str) -> Behaviour:
    """Choose the packages and services of these names."""

    def answer(body: Body) -> Reply:
        ids = {one["name"]: one["id"] for one in offered(body)}
        return Reply({"ids": [ids.get(name, name) for name in names]})

    return answer


def results(body: Body) -> list[Candidate]:
    """Return what all tools have shown so far in a conversation, line by line."""
    shown: list[Candidate] = []
    for message in body["messages"]:
        for block in message["content"] if isinstance(message["content"], list) else []:
            if block["type"] == "tool_result" and (found := _DATA.search(block["content"])):
                shown += [json.loads(line) for line in found[1].split("\n")]
    return shown


def enriching(body: Body) -> Reply:
    """Say of an entry what an honest model might."""
    [one] = offered(body)
    return Reply(
        {
            "summary": f"Solves the flibbertigibbet of {one['name']}.",
            "questions": [f"how do I {one['name']} a wugglefrop?", "what else?"],
            "interface": f"Takes what {one['name']} takes.",
        }
    )


def always(reply: Reply) -> Behaviour:
    return lambda _: reply


def in_turn(*behaviours: Behaviour | Reply) -> Behaviour:
    """Answer by each in turn, and by the last from then on."""
    turns = itertools.chain(behaviours, itertools.repeat(behaviours[-1]))

    def answer(body: Body) -> Reply:
        now = next(turns)
        return now if isinstance(now, Reply) else now(body)

    return answer
