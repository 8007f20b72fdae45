"""Lowers JSON Schema to types.

A ``$ref`` becomes the name of a declaration, which is lowered once; so recursive schemas end, and
types keep their names.  Keywords that TypeScript cannot express (formats, patterns, bounds,
``not``) and unknown keywords are ignored.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

from typematch.ir.constructors import intersection, object_type, union
from typematch.ir.literals import number_to_string
from typematch.ir.type_parts import Element, IndexSignature, Property
from typematch.ir.types import (
    BOOLEAN,
    NEVER,
    NULL,
    NUMBER,
    STRING,
    UNKNOWN,
    Array,
    Literal,
    Named,
    Object,
    Template,
    Tuple,
    Type,
)
from typematch.sources.openapi.naming import TypeNames
from typematch.sources.openapi.pointers import At, Pointers

MAX_SCHEMA_NESTING = 60  # levels; everything behind this reader walks types recursively
_MAX_BASES = 8  # levels of ``allOf`` that are followed to find a property
ANY_OBJECT = Object(indexes=(IndexSignature(STRING, UNKNOWN),))

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
# A pattern of patternProperties that is a prefix, without characters of regular expressions.
_PREFIX = re.compile(r"\^([\w\-/:@ ]+)(?:\.\*\$?)?\Z")
_NOT_NAMES = frozenset(("schema", "items", "properties", "additionalProperties"))


class Schemas:
    """The schemas of one document.

    Args:
        names: the names that are in use.
        siblings: whether keywords next to a ``$ref`` count (OpenAPI 3.1).
    """

    def __init__(self, pointers: Pointers, names: TypeNames, *, siblings: bool) -> None:
        self._pointers = pointers
        self.names = names
        self._siblings = siblings
        self._named: dict[At, str] = {}
        self._places: dict[At, At] = {}  # in this document, of schemas in other files
        self._lowered_at = At()  # the place of the schema that is lowered
        self._waiting: list[At] = []

    def name(self, at: At, reference: At | None = None) -> str:
        """Return the name of the schema at ``at``; ``declared`` then yields the schema.

        Args:
            reference: the schema with the ``$ref``, if it is named for one.
        """
        name = self._named.get(at)
        if name is None:
            name = self._named[at] = self.names.unique(_preferred_name(at))
            if at.file and reference is not None:
                self._places[at] = self._lowered_at if reference.file else reference
            self._waiting.append(at)
        return name

    def place(self, at: At) -> At:
        """Return where the document has a named schema, or refers first to one of another file."""
        return self._places.get(at, At() if at.file else at)

    def location(self, name: str) -> At:
        """Return the location of the schema of that name."""
        return next(at for at, given in self._named.items() if given == name)

    def declared(self) -> Iterator[tuple[str, At, Any, Type]]:
        """Yield (name, location, schema, type) of each named schema.

        Lowering may name further schemas; they are yielded too.
        """
        done = 0
        while done < len(self._waiting):
            at = self._waiting[done]
            done += 1
            schema = self._pointers.value(at)
            self._lowered_at = self.place(at)
            lowered = self.lower(schema, at)
            yield self._named[at], at, schema, self._with_discriminator(schema, at, lowered)

    def lower(self, schema: Any, at: At, depth: int = 0) -> Type:
        """Return the type of the values that a schema allows; ``unknown`` for an empty schema."""
        if schema is None or _is_flag(schema, True):
            return UNKNOWN
        if _is_flag(schema, False):
            return NEVER
        if not isinstance(schema, dict):
            schema_text = repr(schema)
            self._pointers.problem(
                at, f"the schema is {schema_text[:40]}, not a mapping; read as unknown"
            )
            return UNKNOWN
        if depth > MAX_SCHEMA_NESTING:
            self._pointers.problem(
                at, f"nested deeper than {MAX_SCHEMA_NESTING} levels; read as unknown from there on"
            )
            return UNKNOWN
        if "$ref" in schema:
            return self._reference(schema, at, depth)
        lowered = self._composed(schema, at, depth)
        # OpenAPI 2.0 has no keyword; its authors write x-nullable.
        nullable = schema.get("nullable", schema.get("x-nullable"))
        return union((lowered, NULL)) if _is_flag(nullable, True) else lowered

    # References -----------------------------------------------------------------------------------

    def _reference(self, schema: dict[str, Any], at: At, depth: int) -> Type:
        found = self._pointers.target(schema["$ref"], at)
        named: Type = UNKNOWN if found is None else Named((self.name(found, at),))
        if not self._siblings or len(schema) == 1:
            return named
        others = {key: value for key, value in schema.items() if key != "$ref"}
        return intersection((named, self.lower(others, at, depth + 1)))

    def _with_discriminator(self, schema: Any, at: At, lowered: Type) -> Type:
        """Return a type with its discriminator property, if a schema it extends has one."""
        if not isinstance(schema, dict) or not isinstance(schema.get("allOf"), list):
            return lowered
        for position, part in enumerate(schema["allOf"]):
            if isinstance(part, dict) and "$ref" in part:
                base = self._pointers.target(part["$ref"], at / "allOf" / position)
                kind = None if base is None else self._inherited_discriminator(base, at)
                if kind is not None:
                    return intersection((kind, lowered))
        return lowered

    def _inherited_discriminator(self, base: At, at: At) -> Type | None:
        """Return ``{ petType: "Cat" }`` for a schema that extends one with a discriminator."""
        schema = self._pointers.value(base)
        if not isinstance(schema, dict) or "oneOf" in schema or "anyOf" in schema:
            return None
        return self._discriminator_type(schema, base, at)

    def _discriminator_type(self, schema: dict[str, Any], at: At, member: At) -> Type | None:
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
            if self._mapping_target(to, at) == member
        ]
        values = mapped or [_preferred_name(member)]
        own = self._property_values(member, name)
        if own is not None and not own.intersection(values):
            # The schema lists its own values; an implicit mapping by name does not override them.
            if mapped:
                value_list = " or ".join(f'"{value}"' for value in values)
                conflict = f"{value_list} to {_preferred_name(member)}, which does not allow it"
                self._pointers.problem(at, f"the discriminator maps {name} {conflict}; left out")
            return None
        literals = union(Literal("string", value) for value in values)
        return Object((Property(name, literals),))

    def _property_values(self, at: At, name: str, depth: int = 0) -> set[str] | None:
        """Return the values that a schema lists for a property; None if it lists none."""
        followed = self._pointers.follow(self._pointers.value(at), at)
        if followed is None or not isinstance(followed[0], dict) or depth > _MAX_BASES:
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
            found = self._property_values(there / "allOf" / position, name, depth + 1)
            if found is not None:
                return found
        return None

    def _mapping_target(self, to: object, at: At) -> At | None:
        """Return the schema that a discriminator mapping names, by reference or by name."""
        if not isinstance(to, str):
            return None
        if "/" in to or "#" in to or "." in to:
            return self._pointers.target(to, at / "discriminator" / "mapping")
        return At(at.file, (*at.keys[:-1], to))

    # Schemas --------------------------------------------------------------------------------------

    def _composed(self, schema: dict[str, Any], at: At, depth: int) -> Type:
        if "const" in schema:
            return _literal_type(schema["const"])
        if isinstance(schema.get("enum"), list) and schema["enum"]:
            return union(_literal_type(member) for member in schema["enum"])
        parts: list[Type] = []
        keywords = [key for key in _COMPOSED if isinstance(schema.get(key), list) and schema[key]]
        own = self._uncomposed(schema, at, depth, alone=not keywords)
        if own is not None:
            parts.append(own)
        for key in keywords:
            members = [
                self._member(schema, key, option, at / key / position, depth)
                for position, option in enumerate(schema[key])
            ]
            parts += members if key == "allOf" else [union(members)]
        return intersection(parts)

    def _member(self, schema: dict[str, Any], key: str, option: Any, at: At, depth: int) -> Type:
        lowered = self.lower(option, at, depth + 1)
        if key == "allOf" or not isinstance(option, dict) or "$ref" not in option:
            return lowered
        target = self._pointers.target(option["$ref"], at)
        outer = At(at.file, at.keys[:-2])
        kind = None if target is None else self._discriminator_type(schema, outer, target)
        return lowered if kind is None else intersection((lowered, kind))

    def _uncomposed(
        self, schema: dict[str, Any], at: At, depth: int, *, alone: bool
    ) -> Type | None:
        """Return the type of a schema's keywords other than allOf, anyOf, oneOf; None for none."""
        type_keyword = schema.get("type")
        kinds = type_keyword if isinstance(type_keyword, list) else [type_keyword]
        if type_keyword is None:
            kinds = []
            if any(key in schema for key in (*_OF_OBJECTS, "required")):
                kinds.append("object")
            if any(key in schema for key in _OF_ARRAYS):
                kinds.append("array")
        types: list[Type] = []
        for kind in kinds:
            if kind == "object":
                has_object_keyword = (
                    any(key in schema for key in _OF_OBJECTS) or "required" in schema
                )
                if alone or has_object_keyword:
                    types.append(self._object(schema, at, depth, alone=alone))
            elif kind == "array":
                types.append(self._array(schema, at, depth))
            elif isinstance(kind, str) and kind in _KEYWORDS:
                types.append(_KEYWORDS[kind])
            else:
                self._pointers.problem(at, f"unknown type {kind!r}; read as unknown")
                types.append(UNKNOWN)
        return union(types) if types else None

    def _object(self, schema: dict[str, Any], at: At, depth: int, *, alone: bool) -> Type:
        written = schema.get("properties")
        properties = written if isinstance(written, dict) else {}
        required = schema.get("required")
        required_list = required if isinstance(required, list) else []
        required_names = {name for name in required_list if isinstance(name, str)}
        members = [
            Property(
                _member_name(name),
                self.lower(inner, at / "properties" / name, depth + 1),
                optional=name not in required_names,
                readonly=isinstance(inner, dict) and _is_flag(inner.get("readOnly"), True),
            )
            for name, inner in properties.items()
        ]
        if not alone or not properties:
            # It requires properties that its parts, or its siblings, declare.
            extra = (name for name in required_names if name not in properties)
            members += [Property(_member_name(name), UNKNOWN) for name in sorted(extra)]
        indexes = self._index_signatures(schema, at, depth)
        if not indexes:
            return object_type(members) if members or properties else ANY_OBJECT
        if not members or indexes[0].type is UNKNOWN:
            return object_type(members, indexes=indexes)
        return intersection((object_type(members), object_type(indexes=indexes)))

    def _index_signatures(
        self, schema: dict[str, Any], at: At, depth: int
    ) -> tuple[IndexSignature, ...]:
        """Return the index signatures of the properties that a schema does not name."""
        written = schema.get("patternProperties")
        patterns = {
            pattern: self.lower(inner, at / "patternProperties" / pattern, depth + 1)
            for pattern, inner in (written.items() if isinstance(written, dict) else ())
        }
        others = schema.get("additionalProperties")
        if others is not None and not _is_flag(others, False):
            rest = self.lower(others, at / "additionalProperties", depth + 1)
            return (IndexSignature(STRING, union((*patterns.values(), rest))),)
        keys = {pattern: _prefix_key(pattern) for pattern in patterns}
        if None in keys.values() and not schema.get("properties"):
            return (IndexSignature(STRING, union(patterns.values())),)
        if others is not None and not patterns and not schema.get("properties"):
            return (IndexSignature(STRING, NEVER),)
        # With a string key, other patterns would have to accept the named properties, too.
        return tuple(
            IndexSignature(key, patterns[pattern])
            for pattern, key in keys.items()
            if key is not None
        )

    def _array(self, schema: dict[str, Any], at: At, depth: int) -> Type:
        items = schema.get("items")
        first = items if isinstance(items, list) else schema.get("prefixItems")
        if not isinstance(first, list):
            return Array(self.lower(items, at / "items", depth + 1))
        key = "items" if isinstance(items, list) else "prefixItems"
        elements = [
            Element(self.lower(element, at / key / position, depth + 1))
            for position, element in enumerate(first)
        ]
        further = schema.get("additionalItems") if key == "items" else items
        if isinstance(further, dict):
            behind = "additionalItems" if key == "items" else "items"
            elements.append(Element(self.lower(further, at / behind, depth + 1), "rest"))
        return Tuple(tuple(elements))


def _preferred_name(at: At) -> str:
    """Return the preferred name of the schema at ``at``: its last key, or its file's name."""
    names = [key for key in at.keys if not key.isdigit() and key not in _NOT_NAMES]
    if names:
        return names[-1]
    return at.file.rpartition("/")[2].partition(".")[0] or "Document"


def _member_name(name: str) -> str:
    """Return a property's name without prefixes that have a meaning in ``ir`` (``@@``, ``#``)."""
    return name.lstrip("@#") or "_" if name.startswith(("@@", "@?", "#")) else name


def _prefix_key(pattern: str) -> Template | None:
    """Return the type of the keys of a pattern that is a prefix: ``^x-`` is `` `x-${string}` ``."""
    match = _PREFIX.match(pattern)
    return None if match is None else Template((match[1], ""), (STRING,))


def _is_flag(value: object, flag: bool) -> bool:
    """Whether a keyword has this boolean value; authors of YAML often quote it."""
    return value is flag or value == str(flag).lower()


def _literal_type(value: Any) -> Type:
    """Return the literal type of a JSON value."""
    match value:
        case None:
            return NULL
        case bool():
            return Literal("boolean", "true" if value else "false")
        case str():
            return Literal("string", value)
        case int() | float() if math.isfinite(value):
            return Literal("number", number_to_string(float(value)))
        case list():
            return Tuple(tuple(Element(_literal_type(element)) for element in value))
        case dict():
            members = [
                Property(_member_name(name), _literal_type(element))
                for name, element in value.items()
            ]
            return object_type(members)
        case _:
            return NUMBER
