"""Gather the members of an object type: overloads, accessors, names as ``ir`` spells them."""

from __future__ import annotations

from dataclasses import dataclass, field

from typematch.ir.literals import number_text, string_value
from typematch.ir.types import (
    NUMBER,
    STRING,
    SYMBOL,
    IndexSignature,
    Literal,
    Named,
    Property,
    Signature,
    Template,
    Type,
    Union,
)
from typematch.query.signature.grammar import SyntaxNode
from typematch.query.signature.lexer import Token


@dataclass(slots=True)
class ObjectMembers:
    """The members of one object type, as they come."""

    calls: list[Signature] = field(default_factory=list)
    constructs: list[Signature] = field(default_factory=list)
    indexes: list[IndexSignature] = field(default_factory=list)
    _properties: list[Property] = field(default_factory=list)
    _getters: dict[str, Type] = field(default_factory=dict)
    _setters: dict[str, Type] = field(default_factory=dict)

    def add(
        self,
        name: str,
        shown: Type,
        *,
        optional: bool = False,
        readonly: bool = False,
        method: bool = False,
    ) -> None:
        self._properties.append(Property(name, shown, optional, readonly, method))

    def get(self, name: str, shown: Type) -> None:
        self._getters[name] = shown

    def set(self, name: str, written: Type) -> None:
        self._setters[name] = written

    def settled(self) -> list[Property]:
        """Return the properties, a getter and a setter of one name being one of them."""
        found = list(self._properties)
        for name in self._getters | self._setters:
            written = self._setters.get(name)
            shown = self._getters.get(name, written)
            assert shown is not None
            readonly = written is None
            write = None if written is shown and name in self._getters else written
            found.append(Property(name, shown, False, readonly, write=write))
        return found


def property_name(node: SyntaxNode) -> str:
    """Return the name that a node writes, as ``ir.types.Property`` spells it."""
    tokens = [child for child in node.children if isinstance(child, Token)]
    if node.rule == "computed":
        [path] = [child for child in node.children if isinstance(child, SyntaxNode)]
        names = [child.text for child in path.children if isinstance(child, Token)]
        if len(names) == 2 and names[0] == "Symbol":
            return f"@@{names[1]}"
        return f"@?{'.'.join(names)}"
    last = tokens[-1]
    if last.kind == "STRING":
        return string_value(last.text)
    if last.kind == "NUMBER":
        return ("-" if len(tokens) > 1 else "") + number_text(last.text)
    return last.text


def index_signatures(key: Type, shown: Type, readonly: bool) -> list[IndexSignature]:
    """Return the index signatures that one writes: a union of keys makes several."""
    return [
        IndexSignature(item, shown, readonly)
        for item in (key.members if isinstance(key, Union) else (key,))
        if item in (STRING, NUMBER, SYMBOL) or isinstance(item, Template | Named | Literal)
    ]
