"""Show an entry's declaration as TypeScript: all overloads of a function, all members of a type."""

from __future__ import annotations

from collections.abc import Iterator

from typematch.ir.declaration import Declaration, Declarations
from typematch.ir.entry import Entry
from typematch.ir.render import render
from typematch.ir.types import Object, Type


def declaration_text(entry: Entry, declarations: Declarations) -> str:
    """Return the declaration on one line or several, without comments."""
    if entry.signatures:
        texts = [_whole(entry, one.text, one.type) for one in entry.signatures]
        return "\n".join(f"{entry.name}: {text}" for text in texts)
    if entry.kind not in ("interface", "class", "enum", "service", "schema"):
        return entry.signature  # of a member, ``declaration`` is what it is a member of
    declared = declarations.get(entry.declaration)
    if declared is not None and declared.kind == "alias" and declared.type is not None:
        head, equals, text = entry.signature.partition(" = ")
        return f"{head}{equals}{_whole(entry, text, declared.type)}"
    if declared is None:
        return entry.signature
    if declared.kind == "enum":
        return _block(entry.signature, _enum_members(declared, declarations))
    if isinstance(declared.type, Object):
        return _block(entry.signature, _members(declared, declared.type))
    return entry.signature


def _whole(entry: Entry, text: str, typed: Type) -> str:
    """Return a type as text; of documents a long one was shortened where it is listed."""
    shortened = entry.source in ("openapi", "postman") and "..." in text
    return render(typed) if shortened else text


def _block(head: str, members: Iterator[str]) -> str:
    lines = [f"  {member}" for member in members]
    return "\n".join([f"{head} {{", *lines, "}"]) if lines else f"{head} {{}}"


def _members(declared: Declaration, own: Object) -> Iterator[str]:
    single = [
        *(Object(calls=(call,)) for call in own.calls),
        *(Object(constructs=(construct,)) for construct in own.constructs),
        *(Object(indexes=(index,)) for index in own.indexes),
        *(Object((member,)) for member in own.properties),
    ]
    for member in single:
        if member.calls:
            yield f"{_text(declared, member)};"
        else:
            # `{ a: string }` without its braces.
            inside = _text(declared, member).removeprefix("{").removesuffix("}").strip()
            yield f"{inside.removesuffix(';')};"


def _text(declared: Declaration, member: Object) -> str:
    return render(member, names=(declared.type_parameter_names,))


def _enum_members(declared: Declaration, declarations: Declarations) -> Iterator[str]:
    for name, key in declared.members:
        member = declarations.get(key)
        if member is not None and member.type is not None:
            yield f"{name} = {render(member.type)},"
        else:
            yield f"{name},"
