"""Lowers conditional types, with the variables that ``infer`` declares in them."""

from __future__ import annotations

from typematch.ir.type_parts import TypeParameter
from typematch.ir.types import Conditional, Named, Type, Var
from typematch.query.signature.grammar import Syntax, SyntaxNode
from typematch.query.signature.syntax import TypeLowering, as_node, rule_name, token_text


def lower_conditional(lowering: TypeLowering, node: SyntaxNode) -> Type:
    checked: Type
    if node.rule == "conditional_infer":
        name, extends, yes, no = node.children
        checked = lowering.binders.variable(token_text(name)) or Named((token_text(name),))
        bare = False
    else:
        check, extends, yes, no = node.children
        checked = lowering.type(check)
        bare = rule_name(check) == "named"
    declared = _inferred(extends)
    otherwise = lowering.type(no)
    outer = lowering.binders.enter(declared) if declared else None
    infer = tuple(
        [TypeParameter(None if c is None else lowering.type(c)) for c in declared.values()]
    )
    conditional = Conditional(
        checked,
        lowering.type(extends),
        lowering.type(yes),
        otherwise,
        infer,
        bare and isinstance(checked, Var),
    )
    if outer is not None:
        lowering.binders.leave(outer)
    return conditional


def _inferred(extends: Syntax) -> dict[str, SyntaxNode | None]:
    """Return the variables that ``infer`` declares in ``extends``, with their constraints.

    An inner conditional type keeps those in its own ``extends``.
    """
    variables: dict[str, SyntaxNode | None] = {}
    pending: list[Syntax] = [extends]
    while pending:
        node = pending.pop()
        if not isinstance(node, SyntaxNode):
            continue
        inner = list(node.children)
        if node.rule == "infer":
            name = token_text(inner[0])
            variables[name] = variables.get(name) or (as_node(inner[1]) if len(inner) > 1 else None)
        elif node.rule in ("conditional", "conditional_infer"):
            if node.rule == "conditional_infer":
                variables.setdefault(token_text(inner[0]), None)
            del inner[1]
        pending.extend(reversed(inner))
    return variables
