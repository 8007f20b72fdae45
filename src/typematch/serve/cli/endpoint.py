"""Say how an operation is called, and what else it may answer with."""

from __future__ import annotations

from collections.abc import Iterator

from typematch.ir.entry import Entry


def head(entry: Entry) -> str:
    """Return what an entry is, and of what: of a service and its parts the service."""
    if entry.service:
        of = f"{entry.service} {entry.version}".strip()
        inside = "" if entry.kind == "service" else f" of {of}"
        return f"{entry.kind}{inside or ' ' + of} in {entry.package}"
    return f"{entry.kind} of {entry.package} {entry.version}".rstrip()


def call_lines(entry: Entry) -> Iterator[str]:
    """Yield the call: method and path, where each parameter goes, who may."""
    endpoint = entry.endpoint
    if endpoint is None:
        return
    yield entry.http
    parameters = entry.signatures[0].parameters
    for parameter, (place, wire) in zip(parameters, endpoint.places, strict=True):
        if place == "body":
            yield f"{parameter.name} as {wire}"
        else:
            yield f"{parameter.name} in {place}" + (
                f", as {wire}" if wire != parameter.name else ""
            )
    if endpoint.security:
        yield f"security: {', '.join(endpoint.security)}"
    if entry.tags:
        yield f"tags: {', '.join(entry.tags)}"


def response_lines(entry: Entry) -> Iterator[str]:
    """Yield every response: its status, its type, what is said of it."""
    for status, said, held in entry.endpoint.responses if entry.endpoint else ():
        yield f"{status}  {held}" + (f"  {said}" if said else "")
