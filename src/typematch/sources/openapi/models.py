"""Say what the parts of a document must look like, so far as they are read; Pydantic checks them.

Each part is checked by itself, so that one broken operation costs only itself.  What the
specification has and nobody searches for is let through unread.
"""

from __future__ import annotations

from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

Schema = dict[str, Any] | bool


class ParameterOrBody(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True, coerce_numbers_to_str=True)


class Info(ParameterOrBody):
    title: str = ""
    version: str = ""
    summary: str = ""
    description: str | None = None


class Media(ParameterOrBody):
    schema_: Schema | None = Field(default=None, alias="schema")
    example: Any = None
    examples: Any = None


class OpenApiParameter(ParameterOrBody):
    name: str = Field(min_length=1)
    # The last two are OpenAPI 2.0's.
    place: Literal["path", "query", "header", "cookie", "body", "formData"] = Field(alias="in")
    required: bool = False
    description: str | None = None
    schema_: Schema | None = Field(default=None, alias="schema")
    content: dict[str, Media] = {}
    example: Any = None


class RequestBody(ParameterOrBody):
    required: bool = False
    description: str | None = None
    content: dict[str, Media] = {}
    name: str = Field(default="body", alias="x-body-name")


class OpenApiResponse(ParameterOrBody):
    description: str | None = None
    content: dict[str, Media] = {}
    schema_: Schema | None = Field(default=None, alias="schema")  # OpenAPI 2.0
    headers: dict[str, Any] = {}


class Operation(ParameterOrBody):
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


P = TypeVar("P", bound=ParameterOrBody)


class ShapeError(Exception):
    """What is wrong with a part, and where inside it."""


def checked(kind: type[P], value: Any) -> P:
    """Return ``value`` as a part of that kind.

    Raises:
        ShapeError: it is none; the message has the first thing wrong, and how many there are.
    """
    try:
        return kind.model_validate(value)
    except ValidationError as error:
        first, *others = error.errors(include_url=False, include_context=False)
        at = ".".join(str(step) for step in first["loc"])
        more = f" (and {len(others)} more)" if others else ""
        said = f"{first['msg'][:1].lower()}{first['msg'][1:]}"
        raise ShapeError(f"{at}: {said}{more}" if at else f"{said}{more}") from error
