"""The code that names the function of an entry: an import, a member of an instance, ``new`` ..."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from typematch.adapt.expressions import Expression
from typematch.adapt.identifiers import member_access
from typematch.adapt.imports import ImportedName, Imports, access_path
from typematch.adapt.model import AdapterScope
from typematch.ir.constructors import constituents, own_property
from typematch.ir.entry import PROMISIFIED, Entry
from typematch.ir.type_parts import Property
from typematch.ir.types import UNDEFINED, Intersection, Object, Reference, Type, Union

_CALL_SEGMENT = "()"
_PROMISIFY = ImportedName("util", "promisify", "promisify")
_FUNCTION_KINDS = ("function", "const")


@dataclass(frozen=True, slots=True)
class Callee:
    """How a function is called.

    Attributes:
        function: the code that names it; None if it is a member of an instance.
        members: of an instance, the names that lead to the function; empty if it is called itself.
        optional_members: for each of ``members``, whether it may be undefined.
        is_constructor: it is called with ``new``.
        is_value: ``function`` may be passed on as a value; it does not need the object that it is
            read from.
        is_reachable: a module can refer to it; not to a private or protected member.
    """

    function: Expression | None
    members: tuple[str, ...] = ()
    optional_members: tuple[bool, ...] = ()
    is_constructor: bool = False
    is_value: bool = False
    is_reachable: bool = True

    def of_instance(self, instance: Expression) -> Expression:
        """Return the code that names the function as a member of ``instance``."""
        text = instance.operand
        for member, is_optional in zip(self.members, self.optional_members, strict=True):
            text = member_access(text, member)
            text = f"{text}!" if is_optional else text
        return Expression(text, awaits=instance.awaits)


def callee_of(entry: Entry, scope: AdapterScope, imports: Imports) -> Callee:
    """Return how the function of ``entry`` is called; its import is added."""
    path = access_path(entry)
    segments, instance_at = path.segments, path.instance_at
    is_constructor = entry.kind == "constructor"
    if entry.kind == "call" or is_constructor:
        segments = tuple(part for part in segments if part not in (_CALL_SEGMENT, "constructor"))
    if is_constructor and _declares_class(entry, scope):
        instance_at = None
    is_reachable = entry.visibility == "public" and all(map(_is_written, segments))
    if path.declared_by:
        imports.declare(path.declared_by)
    if instance_at is not None:
        members = segments[instance_at:]
        return Callee(
            None,
            members,
            tuple(_optional_members(entry, members, scope)),
            is_constructor,
            is_reachable=is_reachable,
        )
    if path.imported is not None:
        text = imports.add(path.imported)
    else:
        text, segments = segments[0], segments[1:]
        imports.reserve(text)
    is_promisified = segments[-1:] == (PROMISIFIED,)
    for member in segments[:-1] if is_promisified else segments:
        text = member_access(text, member)
    if is_promisified:
        text = f"{imports.add(_PROMISIFY)}({text})"
    if _may_be_undefined(entry, scope):
        text = f"{text}!"
    return Callee(
        Expression(text),
        is_constructor=is_constructor,
        is_value=not is_constructor and (not segments or entry.kind in _FUNCTION_KINDS),
        is_reachable=is_reachable and path.is_reachable,
    )


def _is_written(segment: str) -> bool:
    """Return whether code can name a member: not by a symbol that is declared elsewhere."""
    return not segment.startswith("[") or segment.startswith("[Symbol.")


def _may_be_undefined(entry: Entry, scope: AdapterScope) -> bool:
    """Return whether a function that an import leads to is optional or may be undefined."""
    declaration = scope.get(entry.declaration)
    if declaration is None or entry.kind not in ("property", "method", "const"):
        return False
    if entry.kind == "const":
        return declaration.value is not None and UNDEFINED in constituents(declaration.value)
    value = declaration.type if isinstance(declaration.type, Object) else declaration.value
    member = None if value is None else _property_of(value, entry.name, scope)
    return member is not None and _is_optional(member)


def _optional_members(entry: Entry, members: Sequence[str], scope: AdapterScope) -> Iterator[bool]:
    """Yield for each member on the way from an instance to the function whether it is optional."""
    declaration = scope.get(entry.declaration)
    container = None if declaration is None else declaration.type
    for name in members:
        member = None if container is None else _property_of(container, name, scope)
        yield member is not None and _is_optional(member)
        container = None if member is None else member.type


def _is_optional(member: Property) -> bool:
    return member.optional or UNDEFINED in constituents(member.type)


def _property_of(t: Type, name: str, scope: AdapterScope, levels: int = 4) -> Property | None:
    """Return the declared property ``name`` of a type, of a part of it, or of its alias."""
    match t:
        case Object():
            return own_property(t, name)
        case Union(parts) | Intersection(parts) if levels:
            found = (_property_of(part, name, scope, levels - 1) for part in parts)
            return next(filter(None, found), None)
        case Reference(target) if levels:
            declaration = scope.get(target)
            body = None if declaration is None else declaration.type
            return None if body is None else _property_of(body, name, scope, levels - 1)
        case _:
            return None


def _declares_class(entry: Entry, scope: AdapterScope) -> bool:
    declaration = scope.get(entry.declaration)
    return declaration is not None and declaration.kind == "class"
