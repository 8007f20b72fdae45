"""Take syntax apart: what the grammar's trees hold, asked for as the reader needs it."""

from __future__ import annotations

from typing import Protocol

from typematch.errors import TypeSyntaxError
from typematch.ir.types import Type
from typematch.query.signature.binders import Binders
from typematch.query.signature.grammar import Syntax, SyntaxNode
from typematch.query.signature.lexer import Token


class TypeReader(Protocol):
    """Reads the types inside of other types; ``type_expr`` has it."""

    text: str
    binders: Binders

    def type(self, node: Syntax) -> Type:
        """Return the type that a node writes.

        Raises:
            TypeSyntaxError: the node is no type.
        """
        ...


def rule_of(syntax: Syntax) -> str:
    return syntax.rule if isinstance(syntax, SyntaxNode) else syntax.kind


def node_of(syntax: Syntax) -> SyntaxNode:
    assert isinstance(syntax, SyntaxNode)
    return syntax


def text_of(syntax: Syntax) -> str:
    assert isinstance(syntax, Token)
    return syntax.text


def path_of(syntax: Syntax) -> tuple[str, ...]:
    return tuple([text_of(child) for child in node_of(syntax).children])


def no_type(text: str, node: SyntaxNode) -> TypeSyntaxError:
    """Return the error for a list of parameters that stands in the place of a type."""
    return TypeSyntaxError(
        text, node.end, ("'=>'",), "Behind a list of parameters stands an arrow."
    )
