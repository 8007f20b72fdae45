"""Text lines for API operations: how to call them, and their responses."""

from __future__ import annotations

from collections.abc import Iterator

from typematch.ir.entry import Entry
from typematch.search.present.doc_markup import plain_line


def entry_heading(entry: Entry) -> str:
    """Return the kind of an entry with its package, or its service for parts of a service."""
    if entry.service:
        service = f"{entry.service} {entry.version}".strip()
        suffix = "" if entry.kind == "service" else f" of {service}"
        return f"{entry.kind}{suffix or ' ' + service} in {entry.package}"
    return f"{entry.kind} of {entry.package} {entry.version}".rstrip()


def call_lines(entry: Entry) -> Iterator[str]:
    """Yield method and path, the location of each parameter, security schemes, tags."""
    endpoint = entry.endpoint
    if endpoint is None:
        return
    yield entry.http
    parameters = entry.signatures[0].parameters
    for parameter, (location, wire_name) in zip(parameters, endpoint.parameters, strict=True):
        if location == "body":
            yield f"{parameter.name} as {wire_name}"
        else:
            yield f"{parameter.name} in {location}" + (
                f", as {wire_name}" if wire_name != parameter.name else ""
            )
    if endpoint.security:
        yield f"security: {', '.join(endpoint.security)}"
    if entry.tags:
        yield f"tags: {', '.join(entry.tags)}"


def response_lines(entry: Entry) -> Iterator[str]:
    """Yield every response: status, type, description."""
    for status, description, type_text in entry.endpoint.responses if entry.endpoint else ():
        text = plain_line(description)
        yield f"{status}  {type_text}" + (f"  {text}" if text else "")
