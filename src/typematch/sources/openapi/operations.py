"""Turn an operation into a method: its parameters by place and its body, to a promise of a result.

Required parameters come first, in the order path, query, header, cookie, body; then optional ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from typematch.ir.constructors import function, object_type, union
from typematch.ir.module import Endpoint, Member, Overload
from typematch.ir.types import UNKNOWN, VOID, Named, Property, Type
from typematch.ir.types import Parameter as TypedParameter
from typematch.sources.cleaning import Cleaner
from typematch.sources.openapi.models import (
    Media,
    OpenApiParameter,
    OpenApiResponse,
    Operation,
    RequestBody,
    ShapeError,
    checked,
)
from typematch.sources.openapi.naming import identifier
from typematch.sources.openapi.pointers import At, Pointers
from typematch.sources.openapi.response_docs import (
    ResponseDoc,
    doc_of,
    example_in,
    example_text,
    shown,
)
from typematch.sources.openapi.schema import Schemas

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
_PLACES = ("path", "query", "header", "cookie", "body")
# What a client sets by itself; the specification wants them ignored.
_IGNORED_HEADERS = frozenset(("accept", "content-type", "authorization"))
_OLD_SCHEMA = ("type", "items", "enum", "format")


@dataclass(frozen=True, slots=True)
class Given:
    """A parameter of the method.

    ``wire`` is what it is called in the request; of a body the media type.
    """

    name: str
    place: str
    wire: str
    type: Type
    required: bool
    said: str = ""
    example: str = ""


@dataclass(slots=True)
class OperationReader:
    """Reads the operations of one document.

    Attributes:
        security: names of the schemes that hold where an operation says nothing.
        old: it is OpenAPI 2.0, where parameters and responses are their own schemas, and a body is
            a parameter, or several; ``consumes`` are the media types of bodies by default.
    """

    pointers: Pointers
    schemas: Schemas
    cleaner: Cleaner
    security: tuple[str, ...] = ()
    old: bool = False
    consumes: tuple[str, ...] = ()

    def member(
        self,
        name: str,
        method: str,
        path: str,
        operation: Operation,
        shared: object,
        at: At,
        line: int,
    ) -> Member:
        """Return the method that an operation is; ``shared`` are the parameters of its path."""
        found = [*self._parameters(shared, operation, at), *self._body(operation, at)]
        if self.old:
            found = _with_form(found, operation.consumes or self.consumes)
        given = _distinct(sorted(found, key=_order))
        returned, told = self._responses(operation, at)
        result = Named(("Promise",), (returned,))
        parameters = [
            TypedParameter(one.name, one.type, optional=not one.required) for one in given
        ]
        typed = function(parameters, result)
        texts = tuple(shown(one.type) for one in given)
        returns = f"Promise<{shown(returned)}>"
        written = ", ".join(
            f"{one.name}{'' if one.required else '?'}: {text}"
            for one, text in zip(given, texts, strict=True)
        )
        text = f"({written}) => {returns}"
        said = [(one.name, one.said, one.example) for one in given]
        doc = doc_of(operation, said, told, self.cleaner)
        overload = Overload(typed.calls[0], text, (), texts, returns, line, doc)
        security = self.security
        if operation.security is not None:
            security = _schemes(operation.security)
        endpoint = Endpoint(
            method.upper(),
            path,
            operation.operation_id,
            security,
            tuple((one.place, one.wire) for one in given),
            tuple((one.status, one.said, one.type) for one in told),
        )
        return Member(
            "method", name, typed, line, text, (overload,), doc, endpoint=endpoint,
            labels=tuple(dict.fromkeys(operation.tags)),
        )  # fmt: skip

    # Parameters -----------------------------------------------------------------------------------

    def _parameters(self, shared: object, operation: Operation, at: At) -> Iterator[Given]:
        """Yield the parameters; what the operation says goes before what its path says."""
        found: dict[tuple[str, str], Given] = {}
        outer = At(at.file, at.keys[:-1])
        if shared is not None and not isinstance(shared, list):
            self.pointers.problem(outer / "parameters", "parameters that are no list; left out")
            shared = []
        for base, written in ((outer, shared or []), (at, operation.parameters)):
            assert isinstance(written, list)
            for position, one in enumerate(written):
                given = self._parameter(one, base / "parameters" / position)
                if given is not None:
                    found[given.place, given.wire] = given
        yield from found.values()

    def _parameter(self, written: Any, at: At) -> Given | None:
        followed = self.pointers.follow(written, at)
        if followed is None:
            return None
        value, there = followed
        try:
            parameter = checked(OpenApiParameter, value)
        except ShapeError as error:
            self.pointers.problem(at, f"{error}; this parameter is left out")
            return None
        if parameter.place == "header" and parameter.name.lower() in _IGNORED_HEADERS:
            return None
        if parameter.place in ("body", "formData") and not self.old:
            self.pointers.problem(at, f"in: {parameter.place} is OpenAPI 2.0; left out")
            return None
        typed: Type = UNKNOWN
        example = example_text(parameter.example, self.cleaner)
        if parameter.schema_ is not None:
            typed = self.schemas.lower(value["schema"], there / "schema")
        elif parameter.content:
            media, typed = self._media(parameter.content, value["content"], there / "content")
            example = example or example_in(parameter.content.get(media), self.cleaner)
        elif self.old:
            own = {key: value[key] for key in _OLD_SCHEMA if key in value}
            typed = self.schemas.lower(own, there)
        return Given(
            identifier(parameter.name),
            parameter.place,
            parameter.name,
            typed,
            parameter.required or parameter.place == "path",
            self.cleaner.line(parameter.description),
            example,
        )

    def _body(self, operation: Operation, at: At) -> Iterator[Given]:
        if operation.body is None:
            return
        followed = self.pointers.follow(operation.body, at / "requestBody")
        if followed is None:
            return
        value, there = followed
        try:
            body = checked(RequestBody, value)
        except ShapeError as error:
            self.pointers.problem(there, f"{error}; the body is left out")
            return
        if body.content:
            media, typed = self._media(body.content, value["content"], there / "content")
            said = self.cleaner.line(body.description)
            example = example_in(body.content.get(media), self.cleaner)
            yield Given(identifier(body.name), "body", media, typed, body.required, said, example)

    # Results --------------------------------------------------------------------------------------

    def _responses(self, operation: Operation, at: At) -> tuple[Type, list[ResponseDoc]]:
        """Return what a call gives, and what is said of every response.

        A call gives what responses of 200 to 299 hold, or without one the default response.
        """
        good: list[Type] = []
        otherwise: Type | None = None
        told: list[ResponseDoc] = []
        for status, written in operation.responses.items():
            found = None
            if not status.startswith("x-"):
                found = self._response(status, written, at / "responses" / status)
            if found is None:
                continue
            typed, one = found
            told.append(one)
            if one.good:
                good.append(typed)
            elif status == "default":
                otherwise = typed
        if not good:
            good.append(UNKNOWN if otherwise is None and not told else otherwise or VOID)
        return union(good), told

    def _response(self, status: str, written: Any, at: At) -> tuple[Type, ResponseDoc] | None:
        followed = self.pointers.follow(written, at)
        if followed is None:
            return None
        value, there = followed
        try:
            response = checked(OpenApiResponse, value)
        except ShapeError as error:
            self.pointers.problem(there, f"{error}; this response is left out")
            return None
        typed: Type = VOID
        example = ""
        if self.old and response.schema_ is not None:
            typed = self.schemas.lower(value["schema"], there / "schema")
        elif response.content:
            media, typed = self._media(response.content, value["content"], there / "content")
            example = example_in(response.content.get(media), self.cleaner)
        headers = tuple(
            (name, self.cleaner.line(said))
            for name, header in response.headers.items()
            if isinstance(header, dict) and isinstance(said := header.get("description", ""), str)
        )
        said = self.cleaner.line(response.description)
        return typed, ResponseDoc(status, said, shown(typed), headers, example)

    def _media(
        self, content: Mapping[str, Media], written: Mapping[str, Any], at: At
    ) -> tuple[str, Type]:
        """Return the media type that counts and its type: JSON, or else what comes first."""
        media = min(content, key=lambda name: (not _is_json(name), list(content).index(name)))
        if content[media].schema_ is None:
            return media, UNKNOWN
        return media, self.schemas.lower(written[media]["schema"], at / media / "schema")


def _is_json(media: str) -> bool:
    kind = media.partition(";")[0].strip().lower()
    return kind in ("application/json", "text/json") or kind.endswith("+json")


def _order(given: Given) -> tuple[bool, int]:
    return not given.required, _PLACES.index(given.place)


def _distinct(given: Sequence[Given]) -> list[Given]:
    """Return the parameters with names of their own: a second ``id`` is called ``queryId``."""
    found: list[Given] = []
    taken: set[str] = set()
    for one in given:
        name, number = one.name, 2
        if name in taken:
            name = f"{one.place}{name[:1].upper()}{name[1:]}"
        while name in taken:
            name, number = f"{one.name}{number}", number + 1
        taken.add(name)
        found.append(replace(one, name=name))
    return found


def _with_form(given: Sequence[Given], consumes: Sequence[str]) -> list[Given]:
    """Return what OpenAPI 2.0 gives, with the fields of a form as the one body that they make."""
    fields = [one for one in given if one.place == "formData"]
    media = next((name for name in consumes if _is_json(name)), next(iter(consumes), ""))
    found = [
        replace(one, wire=media or "application/json") if one.place == "body" else one
        for one in given
        if one.place != "formData"
    ]
    if fields:
        form = object_type(Property(one.wire, one.type, not one.required) for one in fields)
        media = media or "application/x-www-form-urlencoded"
        said = "; ".join(f"{one.wire}: {one.said}" for one in fields if one.said)
        needed = any(one.required for one in fields)
        found.append(Given("body", "body", media, form, needed, said))
    return found


def _schemes(security: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for one in security for name in one))


def schemes_of(written: object) -> tuple[str, ...]:
    """Return the names of the security schemes of a document."""
    known = written if isinstance(written, list) else []
    return _schemes([one for one in known if isinstance(one, dict)])
