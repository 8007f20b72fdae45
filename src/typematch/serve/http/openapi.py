"""What FastAPI's OpenAPI description lacks: the media type of errors, and the security scheme."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI

from typematch.serve.http.problems import PROBLEM_TYPE

_SCHEME = "token"
_SECURITY_SCHEMES = {
    _SCHEME: {
        "type": "http",
        "scheme": "bearer",
        "description": "required by servers that were started with a token",
    }
}


def describe_problems_and_security(app: FastAPI, *, is_token_required: bool) -> None:
    """Complete the description that ``app`` makes when it is requested first."""
    make_description = app.openapi

    def openapi() -> dict[str, Any]:
        is_new = app.openapi_schema is None
        description = make_description()
        if is_new:
            _complete(description, is_token_required=is_token_required)
        return description

    app.openapi = openapi  # type: ignore[method-assign]


def _complete(description: dict[str, Any], *, is_token_required: bool) -> None:
    description["components"]["securitySchemes"] = _SECURITY_SCHEMES
    without_token: list[dict[str, list[str]]] = [] if is_token_required else [{}]
    description["security"] = [*without_token, {_SCHEME: []}]
    for methods in description["paths"].values():
        for operation in methods.values():
            for status, response in operation["responses"].items():
                if status >= "400":
                    response["content"] = {PROBLEM_TYPE: response["content"]["application/json"]}
