"""Open what a type is taken out of: the variables of binders around it stand for anything."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from typematch.ir.declaration import Declaration
from typematch.ir.intern import InternedNode
from typematch.ir.types import Free, Intrinsic, Type
from typematch.program.reduction.instantiate import instantiate

N = TypeVar("N", bound=InternedNode)

# A variable of a found signature: it becomes whatever fits.
OPEN = Free(-1, "open")
_MOST_BINDERS = 3
_MOST_VARIABLES = 64
_OPENS: tuple[Type, ...] = (OPEN,) * _MOST_VARIABLES


def closed(node: N) -> N:
    """Return ``node`` with the variables of the binders around it left open."""
    for _ in range(_MOST_BINDERS):
        if not node.loose:
            break
        node = instantiate(node, _OPENS)
    return node


def body_of(declaration: Declaration, given: Sequence[Type]) -> Type | None:
    """Return what an alias stands for; None for the compiler's own ones and the unknown."""
    body = declaration.type
    if body is None or (isinstance(body, Intrinsic) and body.name == "intrinsic"):
        return None
    arguments = list(given)
    for parameter in declaration.type_parameters[len(arguments) :]:
        default = parameter.default
        arguments.append(OPEN if default is None else instantiate(default, [*arguments, *_OPENS]))
    return instantiate(body, [*arguments, *_OPENS])
