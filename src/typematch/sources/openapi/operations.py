"""Reads an operation as a method: from its parameters and body to a promise of its response.

Required parameters come first, in the order path, query, header, cookie, body; then optional ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from typematch.ir.constructors import function, object_type, union
from typematch.ir.module import Endpoint, Member, Overload
from typematch.ir.type_parts import Parameter as TypedParameter
from typematch.ir.type_parts import Property
from typematch.ir.types import UNKNOWN, VOID, Named, Type
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
    example_text,
    first_example,
    operation_doc,
    type_text,
)
from typematch.sources.openapi.schema import Schemas

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
_PLACES = ("path", "query", "header", "cookie", "body")
# The specification says to ignore these header parameters.
_IGNORED_HEADERS = frozenset(("accept", "content-type", "authorization"))
_OLD_SCHEMA = ("type", "items", "enum", "format")


@dataclass(frozen=True, slots=True)
class MethodParameter:
    """A parameter of the method.

    Attributes:
        place: ``in`` of the parameter, or ``body``.
        wire_name: its name in the request; the media type of a body.
    """

    name: str
    place: str
    wire_name: str
    type: Type
    required: bool
    description: str = ""
    example: str = ""


@dataclass(slots=True)
class OperationReader:
    """Reads the operations of one document.

    Attributes:
        security: names of the security schemes of operations that name none.
        is_version_2: OpenAPI 2.0: parameters and responses are schemas themselves, and a body is
            one parameter, or several form fields.
        consumes: default media types of bodies in OpenAPI 2.0.
    """

    pointers: Pointers
    schemas: Schemas
    cleaner: Cleaner
    security: tuple[str, ...] = ()
    is_version_2: bool = False
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
        """Return an operation as a method; ``shared`` are the parameters of its path item."""
        unordered = [*self._parameters(shared, operation, at), *self._body(operation, at)]
        if self.is_version_2:
            unordered = _with_form_body(unordered, operation.consumes or self.consumes)
        method_parameters = _with_unique_names(sorted(unordered, key=_parameter_order))
        response_type, response_docs = self._responses(operation, at)
        result = Named(("Promise",), (response_type,))
        parameters = [
            TypedParameter(parameter.name, parameter.type, optional=not parameter.required)
            for parameter in method_parameters
        ]
        type_ = function(parameters, result)
        texts = tuple(type_text(parameter.type) for parameter in method_parameters)
        returns = f"Promise<{type_text(response_type)}>"
        parameter_list = ", ".join(
            f"{parameter.name}{'' if parameter.required else '?'}: {text}"
            for parameter, text in zip(method_parameters, texts, strict=True)
        )
        text = f"({parameter_list}) => {returns}"
        parameter_docs = [
            (parameter.name, parameter.description, parameter.example)
            for parameter in method_parameters
        ]
        doc = operation_doc(operation, parameter_docs, response_docs, self.cleaner)
        overload = Overload(type_.calls[0], text, (), texts, returns, line, doc)
        security = self.security
        if operation.security is not None:
            security = _scheme_names(operation.security)
        endpoint = Endpoint(
            method.upper(),
            path,
            operation.operation_id,
            security,
            tuple((parameter.place, parameter.wire_name) for parameter in method_parameters),
            tuple(
                (response_doc.status, response_doc.description, response_doc.type)
                for response_doc in response_docs
            ),
        )
        return Member(
            "method", name, type_, line, text, (overload,), doc, endpoint=endpoint,
            labels=tuple(dict.fromkeys(operation.tags)),
        )  # fmt: skip

    # Parameters -----------------------------------------------------------------------------------

    def _parameters(
        self, shared: object, operation: Operation, at: At
    ) -> Iterator[MethodParameter]:
        """Yield the parameters; those of the operation override those of the path item."""
        found: dict[tuple[str, str], MethodParameter] = {}
        outer = At(at.file, at.keys[:-1])
        if shared is not None and not isinstance(shared, list):
            self.pointers.problem(outer / "parameters", "the parameters are not a list; left out")
            shared = []
        for base, raw_parameters in ((outer, shared or []), (at, operation.parameters)):
            assert isinstance(raw_parameters, list)
            for position, raw in enumerate(raw_parameters):
                parameter = self._parameter(raw, base / "parameters" / position)
                if parameter is not None:
                    found[parameter.place, parameter.wire_name] = parameter
        yield from found.values()

    def _parameter(self, raw: Any, at: At) -> MethodParameter | None:
        followed = self.pointers.follow(raw, at)
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
        if parameter.place in ("body", "formData") and not self.is_version_2:
            self.pointers.problem(at, f"in: {parameter.place} is OpenAPI 2.0; left out")
            return None
        type_: Type = UNKNOWN
        example = example_text(parameter.example, self.cleaner)
        if parameter.schema_ is not None:
            type_ = self.schemas.lower(value["schema"], there / "schema")
        elif parameter.content:
            media, type_ = self._media(parameter.content, value["content"], there / "content")
            example = example or first_example(parameter.content.get(media), self.cleaner)
        elif self.is_version_2:
            own = {key: value[key] for key in _OLD_SCHEMA if key in value}
            type_ = self.schemas.lower(own, there)
        return MethodParameter(
            identifier(parameter.name),
            parameter.place,
            parameter.name,
            type_,
            parameter.required or parameter.place == "path",
            self.cleaner.line(parameter.description),
            example,
        )

    def _body(self, operation: Operation, at: At) -> Iterator[MethodParameter]:
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
            media, type_ = self._media(body.content, value["content"], there / "content")
            description = self.cleaner.line(body.description)
            example = first_example(body.content.get(media), self.cleaner)
            yield MethodParameter(
                identifier(body.name), "body", media, type_, body.required, description, example
            )

    # Results --------------------------------------------------------------------------------------

    def _responses(self, operation: Operation, at: At) -> tuple[Type, list[ResponseDoc]]:
        """Return the result type of a call, and the documentation of every response.

        The result is the union of the 2xx responses, or the default response without one.
        """
        success_types: list[Type] = []
        otherwise: Type | None = None
        response_docs: list[ResponseDoc] = []
        for status, raw in operation.responses.items():
            found = None
            if not status.startswith("x-"):
                found = self._response(status, raw, at / "responses" / status)
            if found is None:
                continue
            type_, response_doc = found
            response_docs.append(response_doc)
            if response_doc.is_success:
                success_types.append(type_)
            elif status == "default":
                otherwise = type_
        if not success_types:
            success_types.append(
                UNKNOWN if otherwise is None and not response_docs else otherwise or VOID
            )
        return union(success_types), response_docs

    def _response(self, status: str, raw: Any, at: At) -> tuple[Type, ResponseDoc] | None:
        followed = self.pointers.follow(raw, at)
        if followed is None:
            return None
        value, there = followed
        try:
            response = checked(OpenApiResponse, value)
        except ShapeError as error:
            self.pointers.problem(there, f"{error}; this response is left out")
            return None
        type_: Type = VOID
        example = ""
        if self.is_version_2 and response.schema_ is not None:
            type_ = self.schemas.lower(value["schema"], there / "schema")
        elif response.content:
            media, type_ = self._media(response.content, value["content"], there / "content")
            example = first_example(response.content.get(media), self.cleaner)
        headers = tuple(
            (name, self.cleaner.line(description))
            for name, header in response.headers.items()
            if isinstance(header, dict)
            and isinstance(description := header.get("description", ""), str)
        )
        description = self.cleaner.line(response.description)
        return type_, ResponseDoc(status, description, type_text(type_), headers, example)

    def _media(
        self, content: Mapping[str, Media], raw: Mapping[str, Any], at: At
    ) -> tuple[str, Type]:
        """Return a media type and its schema's type: JSON if there is one, else the first."""
        media = min(content, key=lambda name: (not _is_json(name), list(content).index(name)))
        if content[media].schema_ is None:
            return media, UNKNOWN
        return media, self.schemas.lower(raw[media]["schema"], at / media / "schema")


def _is_json(media: str) -> bool:
    kind = media.partition(";")[0].strip().lower()
    return kind in ("application/json", "text/json") or kind.endswith("+json")


def _parameter_order(parameter: MethodParameter) -> tuple[bool, int]:
    return not parameter.required, _PLACES.index(parameter.place)


def _with_unique_names(parameters: Sequence[MethodParameter]) -> list[MethodParameter]:
    """Return the parameters with unique names: a second ``id`` becomes ``queryId``."""
    renamed: list[MethodParameter] = []
    taken: set[str] = set()
    for parameter in parameters:
        name, number = parameter.name, 2
        if name in taken:
            name = f"{parameter.place}{name[:1].upper()}{name[1:]}"
        while name in taken:
            name, number = f"{parameter.name}{number}", number + 1
        taken.add(name)
        renamed.append(replace(parameter, name=name))
    return renamed


def _with_form_body(
    parameters: Sequence[MethodParameter], consumes: Sequence[str]
) -> list[MethodParameter]:
    """Return the parameters of an OpenAPI 2.0 operation, its form fields merged into one body."""
    fields = [parameter for parameter in parameters if parameter.place == "formData"]
    media = next((name for name in consumes if _is_json(name)), next(iter(consumes), ""))
    merged = [
        replace(parameter, wire_name=media or "application/json")
        if parameter.place == "body"
        else parameter
        for parameter in parameters
        if parameter.place != "formData"
    ]
    if fields:
        form = object_type(
            Property(field.wire_name, field.type, not field.required) for field in fields
        )
        media = media or "application/x-www-form-urlencoded"
        description = "; ".join(
            f"{field.wire_name}: {field.description}" for field in fields if field.description
        )
        required = any(field.required for field in fields)
        merged.append(MethodParameter("body", "body", media, form, required, description))
    return merged


def _scheme_names(security: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for requirement in security for name in requirement))


def security_schemes(value: object) -> tuple[str, ...]:
    """Return the names of the security schemes of a document."""
    requirements = value if isinstance(value, list) else []
    return _scheme_names([scheme for scheme in requirements if isinstance(scheme, dict)])
