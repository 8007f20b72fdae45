"""Accessors of syntax trees, and the protocol that lowers them to types."""

from __future__ import annotations

from typing import Protocol

from typematch.errors import TypeSyntaxError
from typematch.ir.types import Type
from typematch.query.signature.binders import Binders
from typematch.query.signature.grammar import Syntax, SyntaxNode
from typematch.query.signature.lexer import Token


class TypeLowering(Protocol):
    """Lowers nested types; implemented in ``type_expr``."""

    text: str
    binders: Binders

    def type(self, node: Syntax) -> Type:
        """Lower a node.

        Raises:
            TypeSyntaxError: the node is not a type.
        """
        ...


def rule_name(syntax: Syntax) -> str:
    return syntax.rule if isinstance(syntax, SyntaxNode) else syntax.kind


def as_node(syntax: Syntax) -> SyntaxNode:
    assert isinstance(syntax, SyntaxNode)
    return syntax


def token_text(syntax: Syntax) -> str:
    assert isinstance(syntax, Token)
    return syntax.text


def path_names(syntax: Syntax) -> tuple[str, ...]:
    return tuple([token_text(child) for child in as_node(syntax).children])


def missing_arrow_error(text: str, node: SyntaxNode) -> TypeSyntaxError:
    """Return the error for a parameter list where a type is expected."""
    return TypeSyntaxError(text, node.end, ("'=>'",), "A parameter list is followed by '=>'.")
