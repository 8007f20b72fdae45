"""Infers a JSON Schema from examples; properties that all of them have are required."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

_VARIABLE = re.compile(r"\{\{[^{}]*\}\}")
_MAX_EXAMPLES = 500  # examples that are read


def schema_of(values: Sequence[Any]) -> dict[str, Any]:
    """Return the JSON Schema of some values; the empty schema for no values.

    A string that is a single ``{{variable}}`` has the empty schema.
    """
    kinds: dict[str, list[Any]] = {}
    for value in values[:_MAX_EXAMPLES]:
        kind = _kind(value)
        if not kind:
            return {}
        kinds.setdefault(kind, []).append(value)
    schemas = [_schema_of_kind(kind, group) for kind, group in kinds.items()]
    if len(schemas) == 1:
        return schemas[0]
    return {"oneOf": schemas} if schemas else {}


def schema_of_text(text: object) -> dict[str, Any]:
    """Return the schema of a value in a URL or a form, whose text may be a number or a boolean."""
    if not isinstance(text, str) or not text or _VARIABLE.search(text):
        return {"type": "string"}
    if text in ("true", "false"):
        return {"type": "boolean"}
    if re.fullmatch(r"-?(?:0|[1-9]\d{0,14})(?:\.\d{1,6})?", text, re.ASCII):
        return {"type": "number"}
    return {"type": "string"}


def _kind(value: Any) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case int() | float():
            return "number"
        case str():
            return "" if _VARIABLE.fullmatch(value) else "string"
        case list():
            return "array"
        case _:
            return "object"


def _schema_of_kind(kind: str, values: Sequence[Any]) -> dict[str, Any]:
    if kind == "array":
        return {"type": "array", "items": schema_of([item for value in values for item in value])}
    if kind != "object":
        return {"type": kind}
    names = dict.fromkeys(name for value in values for name in value)
    return {
        "type": "object",
        "properties": {
            name: schema_of([value[name] for value in values if name in value]) for name in names
        },
        "required": [name for name in names if all(name in value for value in values)],
    }
