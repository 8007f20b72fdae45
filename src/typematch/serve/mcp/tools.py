"""The tools: their descriptions, their arguments, and the handlers that answer them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from typematch.query.model import FACETS
from typematch.search.present.wire_format import Document
from typematch.serve.mcp import models
from typematch.serve.mcp.answers import (
    compose_answer,
    match_answer,
    packages_answer,
    producers_answer,
    read_answer,
    relate_answer,
    search_answer,
)


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool.

    Attributes:
        description: for the agent; it contains the query syntax.
        handler_call: the worker's handler and its arguments, from the tool's arguments.
        answer: the answer, from the handler's document and the tool's arguments.
    """

    title: str
    description: str
    arguments_model: type[BaseModel]
    answer_model: type[BaseModel]
    handler_call: Callable[[Any], tuple[str, dict[str, Any]]]
    answer: Callable[[Document, Any], BaseModel]


_SEARCH = f"""\
Find functions, methods, types and HTTP operations in the indexed code, packages and API documents \
by type, by meaning, or both. Best first; each hit lists its differences from the query.
The query is any mix of:
- a TypeScript signature: (items: T[], size: number) => T[][]   A single capital letter is a type \
variable, _ any one type, ... any further parameters; parameter names are ignored.
- debounce :: (f: (...) => _, ms: number) => _   the same with a name;  :: {{ id: string }}   \
types of this shape
- words: split a list into batches   Each need of a sentence is searched separately.
- facets, as in  kind:method returns:Promise<_> arity:1..2 pkg:lodash -is:deprecated   (a,b is or, \
- is not); also as `facets`. Keys: {" ".join(FACETS)}
`weak` hits are far from the query; `receiver` says how to get what a member is called on. Read \
hits before you use them. Every answer is JSON of at most max_tokens tokens; `truncated: true` \
means it was shortened."""

_READ = """\
Read up to ten entries by id: the whole declaration with all overloads or members, documentation, \
how to import or call it, and the declarations of the types it refers to, `depth` steps far. With \
the signature that you need as `query`, `code` calls the entry with exactly that type."""

_PRODUCERS = """\
List the functions and operations that return a type, also in a promise, and those that take it: \
how to get a value, and what to do with one."""

_RELATE = """\
Check whether a value of type `source` is assignable to type `target`, as the TypeScript compiler \
decides with `strict`; if not, where and why. They may name indexed types \
(import("package").Name if there are several), the globals of ECMAScript, and what `declarations` \
declares."""

_COMPOSE = """\
Find pipelines of two or three calls that together have a signature, when no single function has \
it: (path: string) => Promise<User[]>. Every argument comes from the query, from an earlier result \
or is a literal; `code` is ready to paste. Give each parameter the name of the value that you \
have. A result of any or unknown is refused."""

_MATCH = """\
Find implementations of an interface: pass TypeScript that declares the required interfaces (or an \
OpenAPI document), and get the classes, interfaces, services and packages that have their methods, \
with what is covered and what is missing."""

_PACKAGES = """\
List the indexed packages and document collections, the largest first, with their versions and \
numbers of entries."""

# The suffix of a document's name determines its language.
_DOCUMENT_NAMES = {"typescript": "document.ts", "openapi": "document.yaml"}

TOOLS: Mapping[str, Tool] = {
    "search": Tool(
        title="Search by type and meaning",
        description=_SEARCH,
        arguments_model=models.SearchArguments,
        answer_model=models.SearchAnswer,
        handler_call=lambda arguments: (
            "agent_search",
            {
                "query": arguments.full_query(),
                "limit": arguments.limit,
                "page": arguments.page,
            },
        ),
        answer=lambda document, arguments: search_answer(document, arguments.max_tokens),
    ),
    "read": Tool(
        title="Read entries",
        description=_READ,
        arguments_model=models.ReadArguments,
        answer_model=models.ReadAnswer,
        handler_call=lambda arguments: (
            "read_entries",
            {
                "names": arguments.ids,
                "depth": arguments.depth,
                "max_tokens": arguments.max_tokens,
                "query": arguments.query,
            },
        ),
        answer=lambda document, arguments: read_answer(document, arguments.max_tokens),
    ),
    "producers_and_consumers": Tool(
        title="Find what returns and what takes a type",
        description=_PRODUCERS,
        arguments_model=models.ProducersArguments,
        answer_model=models.ProducersAnswer,
        handler_call=lambda arguments: (
            "producers_and_consumers",
            {
                "type_": arguments.type,
                "package": arguments.package,
                "limit": arguments.limit,
            },
        ),
        answer=lambda document, arguments: producers_answer(document, arguments.max_tokens),
    ),
    "relate": Tool(
        title="Compare two types",
        description=_RELATE,
        arguments_model=models.RelateArguments,
        answer_model=models.RelateAnswer,
        handler_call=lambda arguments: ("relate", arguments.model_dump(exclude={"max_tokens"})),
        answer=lambda document, arguments: relate_answer(document, arguments.max_tokens),
    ),
    "compose": Tool(
        title="Compose calls",
        description=_COMPOSE,
        arguments_model=models.ComposeArguments,
        answer_model=models.ComposeAnswer,
        handler_call=lambda arguments: (
            "compose",
            arguments.model_dump(exclude={"max_tokens"}),
        ),
        answer=lambda document, arguments: compose_answer(document, arguments.max_tokens),
    ),
    "match": Tool(
        title="Find implementations of an interface",
        description=_MATCH,
        arguments_model=models.MatchArguments,
        answer_model=models.MatchAnswer,
        handler_call=lambda arguments: (
            "match",
            {
                "name": _DOCUMENT_NAMES[arguments.language],
                "content": arguments.document.encode(),
                "limit": arguments.limit,
            },
        ),
        answer=lambda document, arguments: match_answer(document, arguments.max_tokens),
    ),
    "packages": Tool(
        title="List what is indexed",
        description=_PACKAGES,
        arguments_model=models.PackagesArguments,
        answer_model=models.PackagesAnswer,
        handler_call=lambda _: ("stats", {}),
        answer=lambda document, arguments: packages_answer(
            document, arguments.name, arguments.max_tokens
        ),
    ),
}
