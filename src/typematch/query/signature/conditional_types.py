"""Read conditional types and the variables that ``infer`` declares in them."""

from __future__ import annotations

from typematch.ir.types import Conditional, Named, Type, TypeParameter, Var
from typematch.query.signature.grammar import Syntax, SyntaxNode
from typematch.query.signature.syntax import TypeReader, node_of, rule_of, text_of


def conditional_of(reader: TypeReader, node: SyntaxNode) -> Type:
    checked: Type
    if node.rule == "conditional_infer":
        name, extends, yes, no = node.children
        checked = reader.binders.variable(text_of(name)) or Named((text_of(name),))
        bare = False
    else:
        check, extends, yes, no = node.children
        checked = reader.type(check)
        bare = rule_of(check) == "named"
    declared = _inferred(extends)
    otherwise = reader.type(no)
    outer = reader.binders.enter(declared) if declared else None
    infer = tuple([TypeParameter(None if c is None else reader.type(c)) for c in declared.values()])
    conditional = Conditional(
        checked,
        reader.type(extends),
        reader.type(yes),
        otherwise,
        infer,
        bare and isinstance(checked, Var),
    )
    if outer is not None:
        reader.binders.leave(outer)
    return conditional


def _inferred(extends: Syntax) -> dict[str, SyntaxNode | None]:
    """Return the variables that ``infer`` declares in ``extends``, with their constraints.

    Those of a conditional type in the place of ``extends`` are its own.
    """
    found: dict[str, SyntaxNode | None] = {}
    pending: list[Syntax] = [extends]
    while pending:
        node = pending.pop()
        if not isinstance(node, SyntaxNode):
            continue
        inner = list(node.children)
        if node.rule == "infer":
            name = text_of(inner[0])
            found[name] = found.get(name) or (node_of(inner[1]) if len(inner) > 1 else None)
        elif node.rule in ("conditional", "conditional_infer"):
            if node.rule == "conditional_infer":
                found.setdefault(text_of(inner[0]), None)
            del inner[1]
        pending.extend(reversed(inner))
    return found
