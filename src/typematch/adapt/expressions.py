"""Expressions of TypeScript, with what decides where they need parentheses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Expression:
    """An expression.

    Attributes:
        is_operand: ``.name``, ``(...)`` or ``!`` may follow without parentheses.
        awaits: it contains an ``await`` of the enclosing function.
        is_object: it begins with a brace, which an arrow function would read as a block.
    """

    text: str
    is_operand: bool = True
    awaits: bool = False
    is_object: bool = False

    @property
    def operand(self) -> str:
        """The text, in parentheses unless it is an operand."""
        return self.text if self.is_operand and not self.is_object else f"({self.text})"

    def awaited(self) -> Expression:
        return Expression(f"await {self.operand}", is_operand=False, awaits=True)

    def not_null(self) -> Expression:
        text = self.operand
        return Expression(text if text.endswith("!") else f"{text}!", awaits=self.awaits)

    def asserted(self, type_text: str) -> Expression:
        return Expression(f"{self.operand} as {type_text}", is_operand=False, awaits=self.awaits)

    def passed_to(self, function: str) -> Expression:
        return Expression(f"{function}({self.text})", awaits=self.awaits)

    def spread(self) -> Expression:
        """Return an array literal with the elements of this expression."""
        return Expression(f"[...{self.operand}]", awaits=self.awaits)


def call(function: Expression, arguments: Sequence[Expression], *, new: bool = False) -> Expression:
    """Return a call, or with ``new`` the construction of an instance."""
    inner = ", ".join(argument.text for argument in arguments)
    awaits = function.awaits or any(argument.awaits for argument in arguments)
    prefix = "new " if new else ""
    return Expression(f"{prefix}{function.operand}({inner})", awaits=awaits)


def object_literal(properties: Iterable[tuple[str, Expression]]) -> Expression:
    """Return an object literal; names are written as they may stand before a colon."""
    pairs = list(properties)
    inner = ", ".join(
        name if name == value.text else f"{name}: {value.text}" for name, value in pairs
    )
    awaits = any(value.awaits for _, value in pairs)
    return Expression(f"{{ {inner} }}" if inner else "{}", awaits=awaits, is_object=True)


def arrow(
    parameters: str,
    body: Expression,
    *,
    type_parameters: str = "",
    returns: str = "",
    is_async: bool = False,
) -> Expression:
    """Return an arrow function.

    Args:
        parameters: text between the parentheses.
        returns: text of the result type; empty for none.
    """
    text = f"({body.text})" if body.is_object else body.text
    result = f": {returns}" if returns else ""
    prefix = "async " if is_async else ""
    return Expression(
        f"{prefix}{type_parameters}({parameters}){result} => {text}", is_operand=False
    )
