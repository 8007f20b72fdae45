"""Pydantic models of the server's requests and replies, for OpenAPI and validation.

The models of replies are made from ``search.present.wire_schema``; unknown keys are errors.
"""

from __future__ import annotations

from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Optional, get_args, get_origin, get_type_hints, is_typeddict

from pydantic import BaseModel, ConfigDict, Field, create_model

STRICT = ConfigDict(extra="forbid", frozen=True)


class RelateBody(BaseModel):
    model_config = STRICT

    source: str = Field(max_length=20_000, description="a TypeScript type")
    target: str = Field(max_length=20_000, description="a TypeScript type")
    declarations: str = Field(
        default="", max_length=200_000, description="TypeScript that declares their names"
    )


@cache
def model_of(document_type: Any) -> type[BaseModel]:
    """Return the model of a ``TypedDict``, with the texts of ``Annotated`` as descriptions."""
    fields: dict[str, Any] = {}
    for key, hint in get_type_hints(document_type, include_extras=True).items():
        description = get_args(hint)[1] if get_origin(hint) is Annotated else None
        fields[key] = (_with_models(hint), Field(description=description))
    return create_model(document_type.__name__, __config__=STRICT, **fields)


def _with_models(hint: Any) -> Any:
    """Return a type hint with the models of the ``TypedDict`` types that it mentions."""
    if is_typeddict(hint):
        return model_of(hint)
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _with_models(arguments[0])
    if origin is list:
        return list[_with_models(arguments[0])]  # type: ignore[misc]
    if origin is UnionType:
        [present] = (member for member in arguments if member is not NoneType)
        return Optional[_with_models(present)]  # noqa: UP045 - made at run time
    return hint
