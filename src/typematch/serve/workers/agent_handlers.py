"""The requests of coding agents: several calls of the catalog in one request."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from typematch.errors import NoEntryError, TypematchError, UsageError
from typematch.ir.constructors import ARRAYS, promise_value_type
from typematch.ir.type_parts import Signature
from typematch.ir.types import Array, Object, Reference, Type, Union
from typematch.query.read_as import facet_text
from typematch.query.signature.type_expr import KEYWORDS
from typematch.search.present.wire_format import Document, adapt_document, search_document
from typematch.search.score.deadline import Deadline, TimeLimit
from typematch.serve.show_entry import show_entry
from typematch.serve.workers.limits import MAX_HITS

if TYPE_CHECKING:
    from typematch.catalog import Catalog
    from typematch.ir.entry import Entry
    from typematch.search.results import Hit, SearchResult

_MAX_RECEIVERS = 3  # classes and interfaces of one answer; each may take a search
_MAX_MENTIONS = 500  # functions that are looked at for a type
_CALLED = ("function", "method", "const", "property", "constructor", "operation", "call")
_DEFAULT_IMPORT = re.compile(r"import ([\w$]+) from ")
_TYPE_NAME = re.compile(r"\s*((?:[^\W\d]|\$)[\w$]*(?:\.[\w$]+)*)\s*(?:<.*>)?\s*", re.DOTALL)


def agent_search(
    catalog: Catalog, query: str, limit: int, page: int, seconds: TimeLimit = None
) -> Document:
    """Return the search document of a page, from 1.

    It has a key ``receivers``: an expression for what a member is called on, by id of the entry.
    """
    deadline = Deadline(seconds)
    result = catalog.search(query, limit=limit, max_limit=MAX_HITS, page=page, seconds=seconds)
    receivers = _receivers(catalog, [hit.entry for hit in result.hits], deadline)
    return {**search_document(result), "receivers": receivers}


def read_entries(
    catalog: Catalog, names: Sequence[str], depth: int, max_tokens: int, query: str = ""
) -> Document:
    """Return the entries with what their types refer to, and the errors of those not found.

    Args:
        query: a signature; the code that calls each entry with this type is added.

    Raises:
        UsageError: none is found.
    """
    found, documents, errors = [], [], []
    for name in names:
        try:
            entry = catalog.get(name)
        except NoEntryError as error:
            errors.append(error.what)
            continue
        except UsageError as error:  # ambiguous
            errors.append(str(error))
            continue
        graph = catalog.references(entry.id, depth=depth, max_tokens=max_tokens // len(names))
        found.append(entry)
        adapted = None
        if query:
            adapted = adapt_document(query, entry.id, catalog.adapt(query, entry.id))
        documents.append(show_entry(catalog, entry, graph, adapted))
    if not documents:
        raise UsageError("\n".join(errors), hint="Search for a name to find its id.")
    return {
        "entries": documents,
        "errors": errors,
        "receivers": _receivers(catalog, found, Deadline()),
    }


def producers_and_consumers(
    catalog: Catalog, type_: str, package: str, limit: int, seconds: TimeLimit = None
) -> Document:
    """Return search documents of the functions that return a type and that take it.

    A declared type is compared by its name, without type arguments; any other, and an array, by
    assignability.
    """
    deadline = Deadline(seconds)
    scope = f"  {facet_text('pkg', [package])}" if package else ""
    name = _TYPE_NAME.fullmatch(type_)
    if name is None or name[1] in KEYWORDS or f"global#{name[1]}" in ARRAYS:
        producers, consumers = (
            catalog.search(
                facet_text(key, [type_]) + scope, limit=limit, seconds=deadline.left(share)
            )
            for key, share in (("returns", 0.5), ("param", 1.0))
        )
    else:
        mentions = catalog.search(
            f"mentions:{name[1]}{scope}", limit=_MAX_MENTIONS, seconds=seconds
        )
        if mentions.relaxed:  # nothing mentions it
            mentions = replace(mentions, hits=(), relaxed=())
        producers = _with_hits(mentions, _producers(mentions.hits, name[1]), limit)
        consumers = _with_hits(mentions, _consumers(mentions.hits, name[1]), limit)
    return {"producers": search_document(producers), "consumers": search_document(consumers)}


def _with_hits(result: SearchResult, hits: Sequence[Hit], limit: int) -> SearchResult:
    return replace(result, hits=tuple(hits[:limit]), total=len(hits))


def _producers(hits: Iterable[Hit], name: str) -> list[Hit]:
    """Return the hits whose result is the type: those that need the fewest arguments first."""
    return _by_effort(hits, name, lambda call: _is_named(call.returns, name))


def _consumers(hits: Iterable[Hit], name: str) -> list[Hit]:
    def takes(call: Signature) -> bool:
        return any(_is_named(parameter.type, name) for parameter in call.parameters)

    return _by_effort(hits, name, takes)


def _by_effort(hits: Iterable[Hit], name: str, has_type: Callable[[Signature], bool]) -> list[Hit]:
    found = []
    for hit in hits:
        entry = hit.entry
        calls = [call for signature in entry.signatures for call in _calls(signature.type)]
        if entry.kind in _CALLED and any(map(has_type, calls)):
            # A member of the type itself can be called only by who has one.
            is_own = entry.container.rpartition(".")[2] == name and entry.kind != "constructor"
            arguments = len(_arguments(entry))
            order = (entry.deprecated, not entry.exported, is_own, entry.id.count("#"), arguments)
            found.append((order, entry.id, hit))
    return [hit for _, _, hit in sorted(found, key=lambda item: item[:2])]


def _calls(type_: Type) -> Sequence[Signature]:
    """Return the call signatures of a function type."""
    return (*type_.calls, *type_.constructs) if isinstance(type_, Object) else ()


def _is_named(type_: Type, name: str) -> bool:
    """Return whether a type is the named one, also in a promise, an array or a union."""
    match type_:
        case Reference(target):
            own = target.rpartition("#")[2].rpartition(":")[2]
            if own == name or own.rpartition(".")[2] == name:
                return True
            value = promise_value_type(type_)
            return value is not None and _is_named(value, name)
        case Array(element):
            return _is_named(element, name)
        case Union(members):
            return any(_is_named(member, name) for member in members)
        case _:
            return False


def _receivers(catalog: Catalog, entries: Iterable[Entry], deadline: Deadline) -> Mapping[str, str]:
    """Return how to get what each member is called on: ``Axios: new Axios()``, by id.

    Those that are not found before the deadline are left out.
    """
    containers: dict[str, str] = {}
    receivers: dict[str, str] = {}
    for entry in entries:
        container = entry.id.rpartition("#")[0]
        is_member = entry.kind == "method" and "#" in container and not entry.static
        if not is_member or not entry.import_statement:  # a global, or of a module's own
            continue
        if container not in containers:
            if len(containers) >= _MAX_RECEIVERS or deadline.expired():
                continue
            containers[container] = _receiver(catalog, container, deadline)
        if containers[container]:
            receivers[entry.id] = containers[container]
    return receivers


def _receiver(catalog: Catalog, id_: str, deadline: Deadline) -> str:
    """Return an expression for a value of a class or interface; empty if none is known."""
    try:
        container = catalog.get(id_)
        if container.kind == "class" and not container.signature.startswith("abstract"):
            arguments = ", ".join(_constructor(catalog, id_))
            return f"{container.name}: new {_expression(container)}({arguments})"
        scope = facet_text("pkg", [container.package])
        result = catalog.search(
            f"mentions:{container.name} {scope}", limit=_MAX_MENTIONS, seconds=deadline.left()
        )
    except TypematchError:
        return ""
    if result.relaxed:
        return ""
    for hit in _producers(result.hits, container.name):
        entry = hit.entry
        if entry.exported and entry.id.count("#") == 1 and not entry.deprecated:
            waits = "await " if entry.is_async else ""
            call = f"{_expression(entry)}({', '.join(_arguments(entry))})"
            return f"{container.name}: {waits}{call}"
    return ""


def _expression(entry: Entry) -> str:
    """Return the name after the import: the qualified name, with the local name of a default."""
    name = entry.qualified_name.rpartition(":")[2]
    default = _DEFAULT_IMPORT.match(entry.import_statement)
    outermost, dot, rest = name.partition(".")
    return f"{default[1]}{dot}{rest}" if default and outermost == "default" else name


def _constructor(catalog: Catalog, id_: str) -> Sequence[str]:
    """Return the required arguments of a class's constructor."""
    try:
        return _arguments(catalog.get(f"{id_}#constructor"))
    except TypematchError:
        return ()


def _arguments(entry: Entry) -> Sequence[str]:
    """Return the names of the required parameters."""
    parameters = entry.signatures[0].parameters if entry.signatures else ()
    return [
        parameter.name or "_"
        for parameter in parameters
        if not parameter.optional and not parameter.rest
    ]
