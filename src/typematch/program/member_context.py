"""Where the members of a declaration are exported, and for which receiver their types are shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from typematch.ir.intern import InternedNode
from typematch.ir.types import THIS, Type
from typematch.program.export_paths import ExportPath
from typematch.program.reduction.instantiate import instantiate_member

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
