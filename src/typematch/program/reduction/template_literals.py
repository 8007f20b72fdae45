"""Template literal types and the intrinsic string mappings (``Uppercase`` and so on)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from typematch.ir.constructors import constituents, union
from typematch.ir.types import (
    ANY,
    BOOLEAN,
    NEVER,
    NULL,
    STRING,
    UNDEFINED,
    Literal,
    Reference,
    Template,
    Type,
    Union,
)
from typematch.program.reduction.limits import LimitReached
from typematch.program.reduction.unions import literal_of

if TYPE_CHECKING:
    from typematch.program.reduction.reduce import Reducer


def reduce_template(r: Reducer, t: Template) -> Type:
    """Return the strings of ``t``, or ``t`` with known parts joined: getTemplateLiteralType."""
    products: list[tuple[list[str], list[Type]]] = [([t.texts[0]], [])]
    for placeholder, text in zip(t.types, t.texts[1:], strict=True):
        reduced = r.normal(placeholder)
        choices = (
            constituents(reduced)
            if isinstance(reduced, Union) or reduced is BOOLEAN
            else (reduced,)
        )
        if len(products) * len(choices) > r.limits.product:
            raise LimitReached("a template literal type multiplies out to too many strings")
        r.steps += len(products) * len(choices) // 8
        if reduced is NEVER:
            return NEVER
        products = [_append(r, product, choice, text) for product in products for choice in choices]
    return union([_template_type(texts, types) for texts, types in products])


def _append(
    r: Reducer, product: tuple[list[str], list[Type]], placeholder: Type, text: str
) -> tuple[list[str], list[Type]]:
    texts, types = list(product[0]), list(product[1])
    literal = literal_of(r, placeholder)
    if literal is not None:
        texts[-1] += literal.text + text
    elif placeholder is NULL or placeholder is UNDEFINED:
        texts[-1] += ("null" if placeholder is NULL else "undefined") + text
    elif isinstance(placeholder, Template):
        texts[-1] += placeholder.texts[0]
        texts += placeholder.texts[1:]
        types += placeholder.types
        texts[-1] += text
    else:
        types.append(placeholder)
        texts.append(text)
    return texts, types


def _template_type(texts: list[str], types: list[Type]) -> Type:
    if not types:
        return Literal("string", texts[0])
    if not any(texts) and all(type_ is STRING for type_ in types):
        return STRING
    return Template(tuple(texts), tuple(types))


def string_mapping(r: Reducer, t: Reference, name: str) -> Type:
    """Return the result of an intrinsic string mapping: getStringMappingType."""
    argument = r.normal(t.arguments[0]) if t.arguments else ANY
    if name == "NoInfer" or name not in STRING_MAPPINGS:
        return argument
    if isinstance(argument, Union):
        return union([r.normal(Reference(t.target, (member,))) for member in argument.members])
    literal = literal_of(r, argument)
    if literal is not None and literal.kind == "string":
        return Literal("string", STRING_MAPPINGS[name](literal.text))
    if argument is NEVER:
        return NEVER
    if isinstance(argument, Template):
        return _map_template(t.target, name, argument)
    if isinstance(argument, Reference) and argument.target == t.target:
        return argument
    mapped = Reference(t.target, (argument,))
    return t if mapped is t else mapped


def _map_template(target: str, name: str, template: Template) -> Type:
    convert = STRING_MAPPINGS[name]
    if name in ("Uppercase", "Lowercase"):
        texts = tuple(convert(text) for text in template.texts)
        return Template(texts, tuple(Reference(target, (part,)) for part in template.types))
    if template.texts[0]:
        return Template((convert(template.texts[0]), *template.texts[1:]), template.types)
    return Template(template.texts, (Reference(target, (template.types[0],)), *template.types[1:]))


STRING_MAPPINGS: dict[str, Callable[[str], str]] = {
    "Uppercase": str.upper,
    "Lowercase": str.lower,
    "Capitalize": lambda text: text[:1].upper() + text[1:],
    "Uncapitalize": lambda text: text[:1].lower() + text[1:],
}
