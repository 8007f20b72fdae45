"""The declaration of an entry as TypeScript: all overloads of a function, all members of a type."""

from __future__ import annotations

from collections.abc import Iterator

from typematch.ir.declaration import Declaration, Declarations
from typematch.ir.entry import Entry
from typematch.ir.intern import replace_fields
from typematch.ir.render import render, render_members
from typematch.ir.types import Object, Type


def declaration_text(entry: Entry, declarations: Declarations) -> str:
    """Return the declaration on one or more lines, without comments."""
    if entry.signatures:
        texts = [_full_text(entry, overload.text, overload.type) for overload in entry.signatures]
        return "\n".join(f"{entry.name}: {text}" for text in texts)
    if entry.kind not in ("interface", "class", "enum", "service", "schema"):
        return entry.signature  # the ``declaration`` of a member is its container
    declaration = declarations.get(entry.declaration)
    if declaration is None:
        return entry.signature
    if declaration.kind == "alias" and declaration.type is not None:
        head, equals, text = entry.signature.partition(" = ")
        return f"{head}{equals}{_full_text(entry, text, declaration.type)}"
    if declaration.kind == "enum":
        return _block(entry.signature, _enum_members(declaration, declarations))
    if isinstance(declaration.type, Object):
        return _block(entry.signature, _members(declaration, declaration.type))
    return entry.signature


def _full_text(entry: Entry, text: str, type_: Type) -> str:
    """Return a type as text; the listed text of an API document's type may be abbreviated."""
    is_abbreviated = entry.source in ("openapi", "postman") and "..." in text
    return render(type_) if is_abbreviated else text


def _block(head: str, members: Iterator[str]) -> str:
    lines = [f"  {member}" for member in members]
    return "\n".join([f"{head} {{", *lines, "}"]) if lines else f"{head} {{}}"


def _members(declaration: Declaration, instance: Object) -> Iterator[str]:
    """Yield the members of an interface, or of both sides of a class."""
    names, static_side = declaration.type_parameter_names, declaration.value
    if declaration.kind != "class" or not isinstance(static_side, Object):
        yield from (f"{text};" for text in render_members(instance, names))
        return
    constructors = Object(constructs=static_side.constructs)
    statics = replace_fields(static_side, constructs=())
    yield from (f"{text};" for text in render_members(constructors, names, is_class=True))
    yield from (f"static {text};" for text in render_members(statics, names, is_class=True))
    yield from (f"{text};" for text in render_members(instance, names, is_class=True))


def _enum_members(declaration: Declaration, declarations: Declarations) -> Iterator[str]:
    for name, key in declaration.members:
        member = declarations.get(key)
        if member is not None and member.type is not None:
            yield f"{name} = {render(member.type)},"
        else:
            yield f"{name},"
