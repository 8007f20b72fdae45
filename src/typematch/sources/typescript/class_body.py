"""The members of a class, an interface or an object type, collected while its body is read."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from typematch.ir.module import Member, Overload
from typematch.ir.types import Object
from typematch.sources.typescript.objects import MemberHead, MemberTable


@dataclass(slots=True)
class ClassBody:
    """Body of a class, an interface or an object type.

    Attributes:
        positions: index in ``members`` by (kind, name, whether static).
        overloads: of members declared several times, by index in ``members``.
        declared: (name, whether static) of the methods declared without a body.
    """

    instance: MemberTable = field(default_factory=MemberTable)
    static: MemberTable = field(default_factory=MemberTable)
    members: list[Member] = field(default_factory=list)
    positions: dict[tuple[str, str, bool], int] = field(default_factory=dict)
    overloads: dict[int, list[Overload]] = field(default_factory=dict)
    declared: set[tuple[str, bool]] = field(default_factory=set)

    def side(self, head: MemberHead) -> MemberTable:
        return self.static if head.static else self.instance

    def add(self, new: Member) -> None:
        """Add a member; merge the getter and setter of an accessor, collect overloads."""
        key = (new.kind, new.name, new.static)
        position = self.positions.setdefault(key, len(self.members))
        if position == len(self.members):
            self.members.append(new)
            return
        old = self.members[position]
        doc = old.doc or new.doc
        if new.kind in ("method", "call", "constructor"):
            self.overloads.setdefault(position, [*old.overloads]).extend(new.overloads)
            inferred = old.inferred or new.inferred
            if doc is old.doc and inferred == old.inferred:
                return
            new = replace(old, doc=doc, inferred=inferred)
        elif new.kind == "accessor":
            # Reading the accessor gives the getter's type.
            new = replace(new if new.readonly else old, readonly=False, doc=doc)
        self.members[position] = new

    def merge_overloads(self) -> None:
        """Give each member all of its overloads: at the end, each addition would copy the rest."""
        for position, collected in self.overloads.items():
            member = self.members[position]
            signatures = tuple([item.signature for item in collected])
            is_new = member.kind == "constructor"
            type_ = Object((), (), signatures) if is_new else Object((), signatures)
            self.members[position] = replace(member, type=type_, overloads=tuple(collected))
