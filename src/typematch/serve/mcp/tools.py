"""The tools: what each is told to an agent as, what it asks of a worker, what it answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from typematch.query.model import FACETS
from typematch.search.present.wire_format import Document
from typematch.serve.mcp import models
from typematch.serve.mcp.answers import (
    match_answer,
    packages_answer,
    read_answer,
    relate_answer,
    search_answer,
)


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool.

    Attributes:
        about: what an agent reads, from which it must learn how to ask.
        ask: (name of a worker's question, its arguments) for an agent's question.
        answer: a short answer of what the worker answered.
    """

    title: str
    about: str
    question: type[BaseModel]
    reply: type[BaseModel]
    ask: Callable[[Any], tuple[str, dict[str, Any]]]
    answer: Callable[[Document, Any], BaseModel]


_LIMIT = "The answer is JSON of at most max_tokens tokens; `truncated: true` says that it was cut."

_SEARCH = f"""\
Find functions, methods, types and HTTP operations in the indexed code, packages and API documents \
by type, by meaning, or both. Best first; each hit says why it fits and what it lacks.
The query is any mix of:
- a signature as in TypeScript: (items: T[], size: number) => T[][]   A single capital letter is \
a type variable, _ any one type, ... any further parameters; names of parameters do not count.
- debounce :: (f: (...) => _, ms: number) => _   the same with a name;  :: {{ id: string }}   \
types that have this shape
- words: split a list into batches   Several needs in one sentence are searched one by one.
- facets, as in  kind:method returns:Promise<_> arity:1..2 pkg:lodash -is:deprecated   (a,b is or, \
- is not). Keys: {" ".join(FACETS)}
Read a hit's id before you use it. {_LIMIT}"""

_READ = f"""\
Read one entry by its id, or an end of the id that means no other: the whole declaration with \
all overloads or members, documentation, how to import or call it, and the declarations of the \
types it refers to, `depth` steps far. {_LIMIT}"""

_RELATE = f"""\
Ask whether a value of type `source` may be assigned to a place of type `target`, as the \
TypeScript compiler decides it under `strict`; if not, where it breaks and why. Types they name \
are declared in `declarations`; the globals of ECMAScript are known. {_LIMIT}"""

_MATCH = f"""\
Find who implements an interface: give TypeScript with the interfaces that are needed (or an \
OpenAPI document), and get the classes, interfaces, services and packages that have their methods, \
with what is covered and what is missing. {_LIMIT}"""

_PACKAGES = f"""\
List the indexed packages and collections of documents, the largest first, with their versions and \
how many entries each has. Search inside one with the facet pkg:NAME. {_LIMIT}"""

# The ending of a document's name says in which language it is.
_NEEDED = {"typescript": "needed.ts", "openapi": "needed.yaml"}

TOOLS: Mapping[str, Tool] = {
    "search": Tool(
        "Search by type and meaning",
        _SEARCH,
        models.SearchQuestion,
        models.SearchAnswer,
        lambda asked: ("search", {"query": asked.query, "limit": asked.limit}),
        lambda document, asked: search_answer(document, asked.max_tokens),
    ),
    "read": Tool(
        "Read an entry",
        _READ,
        models.ReadQuestion,
        models.ReadAnswer,
        lambda asked: (
            "read",
            {"name": asked.id, "depth": asked.depth, "max_tokens": asked.max_tokens},
        ),
        lambda document, asked: read_answer(document, asked.max_tokens),
    ),
    "relate": Tool(
        "Compare two types",
        _RELATE,
        models.RelateQuestion,
        models.RelateAnswer,
        lambda asked: ("relate", asked.model_dump(exclude={"max_tokens"})),
        lambda document, asked: relate_answer(document, asked.max_tokens),
    ),
    "match": Tool(
        "Find who implements an interface",
        _MATCH,
        models.MatchQuestion,
        models.MatchAnswer,
        lambda asked: (
            "match",
            {
                "name": _NEEDED[asked.language],
                "content": asked.document.encode(),
                "limit": asked.limit,
            },
        ),
        lambda document, asked: match_answer(document, asked.max_tokens),
    ),
    "packages": Tool(
        "List what is indexed",
        _PACKAGES,
        models.PackagesQuestion,
        models.PackagesAnswer,
        lambda _: ("stats", {}),
        lambda document, asked: packages_answer(document, asked.name, asked.max_tokens),
    ),
}
