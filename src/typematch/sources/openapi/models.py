"""Pydantic models of the parts of an OpenAPI document that are read.

Each part is validated by itself, so that an invalid operation does not affect the others.  Other
fields of the specification are ignored.
"""

from __future__ import annotations

from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

Schema = dict[str, Any] | bool


class DocumentPart(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True, coerce_numbers_to_str=True)


class Info(DocumentPart):
    title: str = ""
    version: str = ""
    summary: str = ""
    description: str | None = None


class Media(DocumentPart):
    schema_: Schema | None = Field(default=None, alias="schema")
    example: Any = None
    examples: Any = None


class OpenApiParameter(DocumentPart):
    name: str = Field(min_length=1)
    # The last two are OpenAPI 2.0's.
    place: Literal["path", "query", "header", "cookie", "body", "formData"] = Field(alias="in")
    required: bool = False
    description: str | None = None
    schema_: Schema | None = Field(default=None, alias="schema")
    content: dict[str, Media] = {}
    example: Any = None


class RequestBody(DocumentPart):
    required: bool = False
    description: str | None = None
    content: dict[str, Media] = {}
    name: str = Field(default="body", alias="x-body-name")


class OpenApiResponse(DocumentPart):
    description: str | None = None
    content: dict[str, Media] = {}
    schema_: Schema | None = Field(default=None, alias="schema")  # OpenAPI 2.0
    headers: dict[str, Any] = {}


class Operation(DocumentPart):
    operation_id: str = Field(default="", alias="operationId")
    summary: str | None = None
    description: str | None = None
    tags: list[str] = []
    deprecated: bool = False
    security: list[dict[str, Any]] | None = None
    parameters: list[dict[str, Any]] = []
    body: dict[str, Any] | None = Field(default=None, alias="requestBody")
    responses: dict[str, dict[str, Any]] = {}
    consumes: list[str] | None = None  # OpenAPI 2.0


P = TypeVar("P", bound=DocumentPart)


class ShapeError(Exception):
    """A part is invalid; the message has the field and the reason."""


def checked(kind: type[P], value: Any) -> P:
    """Return ``value`` as a model.

    Raises:
        ShapeError: it is invalid; the message has the first error and the number of further ones.
    """
    try:
        return kind.model_validate(value)
    except ValidationError as error:
        first, *others = error.errors(include_url=False, include_context=False)
        at = ".".join(str(step) for step in first["loc"])
        more = f" (and {len(others)} more)" if others else ""
        message = f"{first['msg'][:1].lower()}{first['msg'][1:]}"
        raise ShapeError(f"{at}: {message}{more}" if at else f"{message}{more}") from error
