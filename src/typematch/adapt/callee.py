"""The code that names the function of an entry: an import, a member of an instance, ``new`` ..."""

from __future__ import annotations

from dataclasses import dataclass

from typematch.adapt.expressions import Expression
from typematch.adapt.identifiers import member_access
from typematch.adapt.imports import ImportedName, Imports, access_path
from typematch.adapt.model import AdapterScope
from typematch.ir.constructors import constituents
from typematch.ir.entry import PROMISIFIED, Entry
from typematch.ir.types import UNDEFINED, Object

_CALL_SEGMENT = "()"
_PROMISIFY = ImportedName("util", "promisify", "promisify")
_FUNCTION_KINDS = ("function", "const")


@dataclass(frozen=True, slots=True)
class Callee:
    """How a function is called.

    Attributes:
        function: the code that names it; None if it is a member of an instance.
        members: of an instance, the names that lead to the function; empty if it is called itself.
        is_constructor: it is called with ``new``.
        is_value: ``function`` may be passed on as a value; it does not need the object that it is
            read from.
        is_optional: it is an optional property, and may be missing.
        is_reachable: a module can refer to it; not to a private or protected member.
    """

    function: Expression | None
    members: tuple[str, ...] = ()
    is_constructor: bool = False
    is_value: bool = False
    is_optional: bool = False
    is_reachable: bool = True

    def of_instance(self, instance: Expression) -> Expression:
        """Return the code that names the function as a member of ``instance``."""
        text = instance.operand
        for member in self.members:
            text = member_access(text, member)
        return Expression(f"{text}!" if self.is_optional else text, awaits=instance.awaits)


def callee_of(entry: Entry, scope: AdapterScope, imports: Imports) -> Callee:
    """Return how the function of ``entry`` is called; its import is added."""
    path = access_path(entry)
    segments, instance_at = path.segments, path.instance_at
    is_constructor = entry.kind == "constructor"
    if entry.kind == "call" or is_constructor:
        segments = tuple(part for part in segments if part not in (_CALL_SEGMENT, "constructor"))
    if is_constructor and _declares_class(entry, scope):
        instance_at = None
    is_optional = _may_be_undefined(entry, scope)
    is_reachable = entry.visibility == "public" and all(map(_is_written, segments))
    if instance_at is not None:
        return Callee(
            None,
            segments[instance_at:],
            is_constructor,
            is_optional=is_optional,
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
    if is_optional:
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
    """Return whether the function is an optional property, or one that may be undefined."""
    declaration = scope.get(entry.declaration)
    if declaration is None or entry.kind not in ("property", "method", "const"):
        return False
    if entry.kind == "const":
        return declaration.value is not None and UNDEFINED in constituents(declaration.value)
    members = declaration.type if isinstance(declaration.type, Object) else declaration.value
    if not isinstance(members, Object):
        return False
    return any(
        item.name == entry.name and (item.optional or UNDEFINED in constituents(item.type))
        for item in members.properties
    )


def _declares_class(entry: Entry, scope: AdapterScope) -> bool:
    declaration = scope.get(entry.declaration)
    return declaration is not None and declaration.kind == "class"
