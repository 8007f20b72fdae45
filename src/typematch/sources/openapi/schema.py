"""Turn JSON Schema into types.

A ``$ref`` becomes the name of a declaration, which is lowered once: so recursion along any edge
ends, and a type is written as its author did.  What TypeScript cannot say (formats, patterns,
bounds, ``not``) is left out.  Unknown keywords mean nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from typematch.ir.constructors import intersection, object_type, union
from typematch.ir.types import (
    BOOLEAN,
    NEVER,
    NULL,
    NUMBER,
    STRING,
    UNKNOWN,
    Array,
    Element,
    IndexSignature,
    Literal,
    Named,
    Object,
    Property,
    Tuple,
    Type,
)
from typematch.sources.openapi.naming import TypeNames
from typematch.sources.openapi.pointers import At, Pointers

MAX_NESTING = 60  # everything after this reader walks types recursively
_MOST_BASES = 8  # schemas that extend one another, when looking for a property
ANYTHING = Object(indexes=(IndexSignature(STRING, UNKNOWN),))

_KEYWORDS: Mapping[str, Type] = {
    "string": STRING,
    "number": NUMBER,
    "integer": NUMBER,
    "boolean": BOOLEAN,
    "null": NULL,
    "file": STRING,
}
_OF_OBJECTS = ("properties", "additionalProperties", "patternProperties")
_OF_ARRAYS = ("items", "prefixItems")
_COMPOSED = ("allOf", "anyOf", "oneOf")
_NOT_NAMES = frozenset(("schema", "items", "properties", "additionalProperties"))


class Schemas:
    """The schemas of one document.

    Args:
        names: gives out the names of types.
        siblings: keywords beside a ``$ref`` count (OpenAPI 3.1); before, they are ignored.
    """

    def __init__(self, pointers: Pointers, names: TypeNames, *, siblings: bool) -> None:
        self._pointers = pointers
        self.names = names
        self._siblings = siblings
        self._named: dict[At, str] = {}
        self._waiting: list[At] = []

    def name(self, at: At) -> str:
        """Return the name of the schema at ``at``, which will be among ``declared``."""
        name = self._named.get(at)
        if name is None:
            name = self._named[at] = self.names.give(_wanted(at))
            self._waiting.append(at)
        return name

    def place(self, name: str) -> At:
        """Return where the schema of that name stands."""
        return next(at for at, given in self._named.items() if given == name)

    def declared(self) -> Iterator[tuple[str, At, Any, Type]]:
        """Yield (name, place, schema, type) of each schema that has a name.

        Those that are named on the way come too.
        """
        done = 0
        while done < len(self._waiting):
            at = self._waiting[done]
            done += 1
            schema = self._pointers.value(at)
            lowered = self.lower(schema, at)
            yield self._named[at], at, schema, self._as_a_kind(schema, at, lowered)

    def lower(self, schema: Any, at: At, depth: int = 0) -> Type:
        """Return the type of what a schema lets through; ``unknown`` where it says nothing."""
        if schema is None or _is(schema, True):
            return UNKNOWN
        if _is(schema, False):
            return NEVER
        if not isinstance(schema, dict):
            said = repr(schema)
            self._pointers.problem(at, f"a schema is a mapping, not {said[:40]}; read as unknown")
            return UNKNOWN
        if depth > MAX_NESTING:
            self._pointers.problem(
                at, f"nested deeper than {MAX_NESTING} levels; read as unknown from there on"
            )
            return UNKNOWN
        if "$ref" in schema:
            return self._reference(schema, at, depth)
        lowered = self._composed(schema, at, depth)
        # The second is what authors write in OpenAPI 2.0, which has no word for it.
        nullable = schema.get("nullable", schema.get("x-nullable"))
        return union((lowered, NULL)) if _is(nullable, True) else lowered

    # References -----------------------------------------------------------------------------------

    def _reference(self, schema: dict[str, Any], at: At, depth: int) -> Type:
        found = self._pointers.target(schema["$ref"], at)
        named: Type = UNKNOWN if found is None else Named((self.name(found),))
        if not self._siblings or len(schema) == 1:
            return named
        others = {key: value for key, value in schema.items() if key != "$ref"}
        return intersection((named, self.lower(others, at, depth + 1)))

    def _as_a_kind(self, schema: Any, at: At, lowered: Type) -> Type:
        """Return a named type that says which kind it is, if what it builds on asks for that."""
        if not isinstance(schema, dict) or not isinstance(schema.get("allOf"), list):
            return lowered
        for position, part in enumerate(schema["allOf"]):
            if isinstance(part, dict) and "$ref" in part:
                base = self._pointers.target(part["$ref"], at / "allOf" / position)
                kind = None if base is None else self._kind(base, at)
                if kind is not None:
                    return intersection((kind, lowered))
        return lowered

    def _kind(self, base: At, at: At) -> Type | None:
        """Return ``{ petType: "Cat" }`` for what extends a schema with such a discriminator."""
        schema = self._pointers.value(base)
        if not isinstance(schema, dict) or "oneOf" in schema or "anyOf" in schema:
            return None
        return self._discriminated(schema, base, at)

    def _discriminated(self, schema: dict[str, Any], at: At, member: At) -> Type | None:
        discriminator = schema.get("discriminator")
        if isinstance(discriminator, str):  # as OpenAPI 2.0 writes it
            discriminator = {"propertyName": discriminator}
        if not isinstance(discriminator, dict):
            return None
        name = discriminator.get("propertyName")
        if not isinstance(name, str):
            return None
        mapping = discriminator.get("mapping")
        mapped = [
            str(value)
            for value, to in (mapping.items() if isinstance(mapping, dict) else ())
            if self._mapped(to, at) == member
        ]
        values = mapped or [_wanted(member)]
        own = self._own_values(member, name)
        if own is not None and not own.intersection(values):
            # It says itself what it is; by name alone nobody meant to contradict it.
            if mapped:
                asked = " or ".join(f'"{value}"' for value in values)
                said = f"maps {name} {asked} to {_wanted(member)}, which does not allow it"
                self._pointers.problem(at, f"the discriminator {said}; left out")
            return None
        literals = union(Literal("string", value) for value in values)
        return Object((Property(name, literals),))

    def _own_values(self, at: At, name: str, depth: int = 0) -> set[str] | None:
        """Return what a schema lets a property be; None if it does not list that."""
        followed = self._pointers.follow(self._pointers.value(at), at)
        if followed is None or not isinstance(followed[0], dict) or depth > _MOST_BASES:
            return None
        schema, there = followed
        properties = schema.get("properties")
        own = properties.get(name) if isinstance(properties, dict) else None
        if isinstance(own, dict) and isinstance(own.get("enum"), list):
            return set(map(str, own["enum"]))
        if isinstance(own, dict) and "const" in own:
            return {str(own["const"])}
        parts = schema.get("allOf")
        for position in range(len(parts) if isinstance(parts, list) else 0):
            found = self._own_values(there / "allOf" / position, name, depth + 1)
            if found is not None:
                return found
        return None

    def _mapped(self, to: object, at: At) -> At | None:
        """Return the schema that a mapping names, by reference or by name alone."""
        if not isinstance(to, str):
            return None
        if "/" in to or "#" in to or "." in to:
            return self._pointers.target(to, at / "discriminator" / "mapping")
        return At(at.file, (*at.keys[:-1], to))

    # Schemas --------------------------------------------------------------------------------------

    def _composed(self, schema: dict[str, Any], at: At, depth: int) -> Type:
        if "const" in schema:
            return _value(schema["const"])
        if isinstance(schema.get("enum"), list) and schema["enum"]:
            return union(_value(one) for one in schema["enum"])
        parts: list[Type] = []
        composed = [key for key in _COMPOSED if isinstance(schema.get(key), list) and schema[key]]
        own = self._own(schema, at, depth, alone=not composed)
        if own is not None:
            parts.append(own)
        for key in composed:
            members = [
                self._member(schema, key, one, at / key / position, depth)
                for position, one in enumerate(schema[key])
            ]
            parts += members if key == "allOf" else [union(members)]
        return intersection(parts)

    def _member(self, schema: dict[str, Any], key: str, one: Any, at: At, depth: int) -> Type:
        lowered = self.lower(one, at, depth + 1)
        if key == "allOf" or not isinstance(one, dict) or "$ref" not in one:
            return lowered
        target = self._pointers.target(one["$ref"], at)
        outer = At(at.file, at.keys[:-2])
        kind = None if target is None else self._discriminated(schema, outer, target)
        return lowered if kind is None else intersection((lowered, kind))

    def _own(self, schema: dict[str, Any], at: At, depth: int, *, alone: bool) -> Type | None:
        """Return what a schema says besides what it is composed of; None if that is nothing."""
        written = schema.get("type")
        kinds = written if isinstance(written, list) else [written]
        if written is None:
            kinds = []
            if any(key in schema for key in (*_OF_OBJECTS, "required")):
                kinds.append("object")
            if any(key in schema for key in _OF_ARRAYS):
                kinds.append("array")
        found: list[Type] = []
        for kind in kinds:
            if kind == "object":
                said = any(key in schema for key in _OF_OBJECTS) or "required" in schema
                if alone or said:
                    found.append(self._object(schema, at, depth, alone=alone))
            elif kind == "array":
                found.append(self._array(schema, at, depth))
            elif isinstance(kind, str) and kind in _KEYWORDS:
                found.append(_KEYWORDS[kind])
            else:
                self._pointers.problem(at, f"there is no type {kind!r}; read as unknown")
                found.append(UNKNOWN)
        return union(found) if found else None

    def _object(self, schema: dict[str, Any], at: At, depth: int, *, alone: bool) -> Type:
        written = schema.get("properties")
        properties = written if isinstance(written, dict) else {}
        required = schema.get("required")
        written_out = required if isinstance(required, list) else []
        needed = {one for one in written_out if isinstance(one, str)}
        members = [
            Property(
                _member_name(name),
                self.lower(inner, at / "properties" / name, depth + 1),
                optional=name not in needed,
                readonly=isinstance(inner, dict) and _is(inner.get("readOnly"), True),
            )
            for name, inner in properties.items()
        ]
        if not alone or not properties:
            # It makes properties of its parts, or of what it stands beside, required.
            extra = (name for name in needed if name not in properties)
            members += [Property(_member_name(name), UNKNOWN) for name in sorted(extra)]
        rest = self._rest(schema, at, depth)
        if rest is None:
            return object_type(members) if members or properties else ANYTHING
        index = (IndexSignature(STRING, rest),)
        if not members or rest is UNKNOWN:
            return object_type(members, indexes=index)
        return intersection((object_type(members), object_type(indexes=index)))

    def _rest(self, schema: dict[str, Any], at: At, depth: int) -> Type | None:
        """Return the type of the properties that have no name; None if nothing is said of them."""
        patterns = schema.get("patternProperties")
        found = [
            self.lower(inner, at / "patternProperties" / pattern, depth + 1)
            for pattern, inner in (patterns.items() if isinstance(patterns, dict) else ())
        ]
        others = schema.get("additionalProperties")
        if _is(others, False):
            empty = not schema.get("properties") and not found
            return NEVER if empty else union(found) if found else None
        if others is not None:
            found.append(self.lower(others, at / "additionalProperties", depth + 1))
        return union(found) if found else None

    def _array(self, schema: dict[str, Any], at: At, depth: int) -> Type:
        items = schema.get("items")
        first = items if isinstance(items, list) else schema.get("prefixItems")
        if not isinstance(first, list):
            return Array(self.lower(items, at / "items", depth + 1))
        key = "items" if isinstance(items, list) else "prefixItems"
        places = [
            Element(self.lower(one, at / key / position, depth + 1))
            for position, one in enumerate(first)
        ]
        further = schema.get("additionalItems") if key == "items" else items
        if isinstance(further, dict):
            behind = "additionalItems" if key == "items" else "items"
            places.append(Element(self.lower(further, at / behind, depth + 1), "rest"))
        return Tuple(tuple(places))


def _wanted(at: At) -> str:
    """Return what to call the schema at ``at``: by its last name, or as its file."""
    names = [key for key in at.keys if not key.isdigit() and key not in _NOT_NAMES]
    if names:
        return names[-1]
    return at.file.rpartition("/")[2].partition(".")[0] or "Document"


def _member_name(name: str) -> str:
    """Return the name of a property; in ours ``@@`` and ``#`` have a meaning of their own."""
    return name.lstrip("@#") or "_" if name.startswith(("@@", "@?", "#")) else name


def _is(value: object, wanted: bool) -> bool:
    """Whether a keyword is true, or false: YAML's authors often write it as text."""
    return value is wanted or value == str(wanted).lower()


def _value(value: Any) -> Type:
    """Return the type that only ``value`` has."""
    match value:
        case None:
            return NULL
        case bool():
            return Literal("boolean", "true" if value else "false")
        case str():
            return Literal("string", value)
        case int() | float() if math.isfinite(value):
            whole = float(value).is_integer() and abs(value) < 1e21
            return Literal("number", str(int(value)) if whole else repr(value))
        case list():
            return Tuple(tuple(Element(_value(one)) for one in value))
        case dict():
            members = [Property(_member_name(name), _value(one)) for name, one in value.items()]
            return object_type(members)
        case _:
            return NUMBER
