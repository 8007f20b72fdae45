"""The type by which code refers to the object whose member is called."""

from __future__ import annotations

from typematch.adapt.imports import access_path
from typematch.adapt.model import AdapterScope
from typematch.ir.entry import Entry
from typematch.ir.types import ANY, Free, Reference, Type, TypeOf, VariableKind
from typematch.program.type_expansion import instantiate_body

_INSTANCE_TYPE = "global#InstanceType"
_TYPES = ("class", "interface", "alias")
_MAX_BASES = 24


def exported_receiver(entry: Entry, instance: Type, scope: AdapterScope) -> Type:
    """Return the type of an object that has a member: ``instance``, if code can import it.

    Else it is what the member is named after: a class or type that inherits from ``instance``, or
    ``InstanceType<typeof C>`` of a constant ``C`` that constructs it.
    """
    if not isinstance(instance, Reference):
        return instance
    own = scope.entry_of(instance.target)
    name, sign, _ = entry.qualified_name.partition("#")
    container = scope.entry_with_id(f"{entry.package}#{name}") if sign else None
    if (own is not None and _is_reachable(own)) or container is None:
        return instance
    if not _is_reachable(container):
        return instance
    if container.kind in _TYPES:
        return _derived_type(container.declaration, instance, scope)
    if container.kind == "const":
        return Reference(_INSTANCE_TYPE, (TypeOf(Reference(container.declaration)),))
    return instance


def _is_reachable(entry: Entry) -> bool:
    path = access_path(entry)
    return path.imported is not None and path.is_reachable


def _derived_type(key: str, instance: Reference, scope: AdapterScope) -> Reference:
    """Return ``key`` with the type arguments that it passes on to ``instance``, else ``any``."""
    declaration = scope.get(key)
    count = 0 if declaration is None else len(declaration.type_parameters)
    variables = [Free(VariableKind.DECLARATION, index) for index in range(count)]
    passed = _arguments_as(Reference(key, tuple(variables)), instance.target, scope, _MAX_BASES)
    values = dict(zip(passed, instance.arguments, strict=False))
    return Reference(key, tuple(values.get(variable, ANY) for variable in variables))


def _arguments_as(t: Reference, target: str, scope: AdapterScope, steps: int) -> tuple[Type, ...]:
    """Return the type arguments with which ``t`` extends ``target``; empty if it is not known."""
    if t.target == target:
        return t.arguments
    declaration = scope.get(t.target)
    if declaration is None or not steps:
        return ()
    bodies = (declaration.type,) if declaration.kind == "alias" else declaration.extends
    for body in bodies:
        base = None if body is None else instantiate_body(declaration, body, t.arguments)
        if isinstance(base, Reference):
            arguments = _arguments_as(base, target, scope, steps - 1)
            if arguments:
                return arguments
    return ()
