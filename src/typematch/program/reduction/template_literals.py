"""Work out template literal types and the four string mappings (``Uppercase`` and its like)."""

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


def template(r: Reducer, t: Template) -> Type:
    """Return the string literals that ``t`` stands for, or ``t`` with its known parts joined in."""
    products: list[tuple[list[str], list[Type]]] = [([t.texts[0]], [])]
    for part, text in zip(t.types, t.texts[1:], strict=True):
        reduced = r.normal(part)
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
        products = [_joined(r, product, choice, text) for product in products for choice in choices]
    return union([_finished(texts, types) for texts, types in products])


def _joined(
    r: Reducer, product: tuple[list[str], list[Type]], part: Type, text: str
) -> tuple[list[str], list[Type]]:
    texts, types = list(product[0]), list(product[1])
    literal = literal_of(r, part)
    if literal is not None:
        texts[-1] += literal.text + text
    elif part is NULL or part is UNDEFINED:
        texts[-1] += ("null" if part is NULL else "undefined") + text
    elif isinstance(part, Template):
        texts[-1] += part.texts[0]
        texts += part.texts[1:]
        types += part.types
        texts[-1] += text
    else:
        types.append(part)
        texts.append(text)
    return texts, types


def _finished(texts: list[str], types: list[Type]) -> Type:
    if not types:
        return Literal("string", texts[0])
    if not any(texts) and all(one is STRING for one in types):
        return STRING
    return Template(tuple(texts), tuple(types))


def string_mapping(r: Reducer, t: Reference, name: str) -> Type:
    """Return what an intrinsic alias makes of its argument."""
    given = r.normal(t.arguments[0]) if t.arguments else ANY
    if name == "NoInfer" or name not in MAPPINGS:
        return given
    if isinstance(given, Union):
        return union([r.normal(Reference(t.target, (member,))) for member in given.members])
    literal = literal_of(r, given)
    if literal is not None and literal.kind == "string":
        return Literal("string", MAPPINGS[name](literal.text))
    if given in (ANY, NEVER):
        return STRING if given is ANY else NEVER
    if isinstance(given, Template):
        return _mapped_template(t.target, name, given)
    if isinstance(given, Reference) and given.target == t.target:
        return given
    mapped = Reference(t.target, (given,))
    return t if mapped is t else mapped


def _mapped_template(target: str, name: str, given: Template) -> Type:
    change = MAPPINGS[name]
    if name in ("Uppercase", "Lowercase"):
        texts = tuple(change(text) for text in given.texts)
        return Template(texts, tuple(Reference(target, (part,)) for part in given.types))
    if given.texts[0]:
        return Template((change(given.texts[0]), *given.texts[1:]), given.types)
    return Template(given.texts, (Reference(target, (given.types[0],)), *given.types[1:]))


MAPPINGS: dict[str, Callable[[str], str]] = {
    "Uppercase": str.upper,
    "Lowercase": str.lower,
    "Capitalize": lambda text: text[:1].upper() + text[1:],
    "Uncapitalize": lambda text: text[:1].lower() + text[1:],
}
