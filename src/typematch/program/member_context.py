"""Where the members of a declaration are exported, and for which receiver their types are shown."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeVar

from typematch.ir.intern import InternedNode
from typematch.ir.module import DeclarationStatement, Member
from typematch.ir.types import THIS, Type
from typematch.program.export_path_index import ExportPathIndex
from typematch.program.export_paths import ExportPath
from typematch.program.reduction.instantiate import instantiate_member
from typematch.program.type_expansion import DeclaredTypes

N = TypeVar("N", bound=InternedNode)


@dataclass(frozen=True, slots=True)
class MemberContext:
    """Where the members of a declaration are exported.

    Attributes:
        prefix: qualified name of the container, with the separator.
        outer: names of the type parameters that the members' types may mention; empty if
            ``arguments`` are known.
        key: key of the declaration.
        arguments: type arguments with which a constant's type is the container.
        this: type of that constant; ``this`` if there is none.
    """

    prefix: str
    export_path: ExportPath
    aliases: tuple[str, ...]
    outer: tuple[str, ...]
    key: str
    arguments: tuple[Type, ...] = ()
    this: Type = THIS

    def specialize(self, node: N) -> N:
        """Return a member's node with the arguments and the receiver of this context."""
        if self.this is THIS:
            return node
        return instantiate_member(node, self.arguments, self.this)


def member_context(
    key: str,
    statement: DeclarationStatement,
    member: Member,
    export_path: ExportPath,
    path_index: ExportPathIndex,
    declared: DeclaredTypes,
) -> MemberContext:
    """Return where a member is exported.

    Args:
        key: of the declaration that has the member.
        export_path: of that declaration.
    """
    outer = statement.type_parameter_names
    is_value = statement.kind == "const" and not member.in_argument
    separator = "." if member.static or is_value else "#"
    if separator == "#" and member.kind not in ("call", "constructor"):
        member_path = path_index.member_path(key, member.name)
        type_arguments = (
            declared.type_arguments_as(member_path.constant, key) if member_path.constant else None
        )
        if type_arguments is not None and len(type_arguments) == len(outer):
            this = declared.declared_type(member_path.constant)
            return MemberContext(
                member_path.name,
                member_path,
                member_path.aliases,
                (),
                key,
                type_arguments,
                this,
            )
        return MemberContext(member_path.name, member_path, member_path.aliases, outer, key)
    if separator == ".":
        path = path_index.value_path(key, member.name)
    else:
        aliases = tuple(f"{alias}#" for alias in export_path.aliases)
        path = replace(export_path, name=f"{export_path.name}#", aliases=aliases)
        if statement.kind == "class" and not export_path.exported:
            value_path = path_index.value_path(key)
            aliases = tuple(f"{alias[:-1]}#" for alias in value_path.aliases)
            path = replace(value_path, name=f"{value_path.name[:-1]}#", aliases=aliases)
    return MemberContext(path.name, path, path.aliases, outer, key)
