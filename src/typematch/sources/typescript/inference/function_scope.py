"""Names that a function declares, with the types of those that are known.

A name may have a narrower type behind a test or an assignment (the compiler's control flow
analysis).  Where one precedes a use of the name, its type counts as unknown.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from tree_sitter import Node

from typematch.ir.constructors import renormalize, union
from typematch.ir.intern import InternedNode, rebuild
from typematch.ir.types import THIS, UNANNOTATED, UNDEFINED, IndexedAccess, Literal, Type, Var
from typematch.sources.typescript.lower import lower_annotation, member_name
from typematch.sources.typescript.parse_context import ParseContext

NESTED = frozenset(
    (
        "function_expression", "generator_function", "arrow_function", "function_declaration",
        "generator_function_declaration", "method_definition", "class", "class_declaration",
    )
)  # fmt: skip
_TYPES = frozenset(
    ("interface_declaration", "type_alias_declaration", "enum_declaration", "class_declaration")
)
_LOOPS = frozenset(("for_statement", "for_in_statement", "while_statement", "do_statement"))
# Operators whose operands they do not narrow.
_PLAIN = frozenset(("<", ">", "<=", ">=", "+", "-", "*", "/", "%", "**", "<<", ">>", "&", "|", "^"))
SHORT_CIRCUITS = frozenset(("&&", "||", "??"))
_CONDITIONS = {
    "if_statement": "condition",
    "while_statement": "condition",
    "do_statement": "condition",
    "for_statement": "condition",
    "ternary_expression": "condition",
    "switch_statement": "value",
}


@dataclass(slots=True)
class FunctionScope:
    """The parameters and the local names of one function.

    Attributes:
        level, variables: state of the reader inside the function's own type parameters.
        this: the type of ``this``.
        parameters: their types, by name.
        values: the declarators of local variables, by name; None for what is not inferred.
        types: names of types that the function declares.
        narrowed: (end of a test or assignment, name) of names that it may narrow.
        loops: the byte ranges of loops.
    """

    outer: FunctionScope | None
    level: int
    variables: dict[str, tuple[int, int]]
    this: Type
    parameters: dict[str, Type] = field(default_factory=dict)
    values: dict[str, Node | None] = field(default_factory=dict)
    types: set[str] = field(default_factory=set)
    narrowed: list[tuple[int, str]] = field(default_factory=list)
    loops: list[tuple[int, int]] = field(default_factory=list)
    pending: set[str] = field(default_factory=set)

    def declares(self, name: str) -> bool:
        return name in self.values or name in self.parameters

    def may_narrow(self, name: str, offset: int) -> bool:
        """Whether a test or an assignment may give the name another type at ``offset``."""
        in_loop = any(start <= offset < end for start, end in self.loops)
        return any(name == other and (in_loop or end <= offset) for end, other in self.narrowed)


def read_function_scope(
    context: ParseContext, body: Node, parameters: Node | None, single: Node | None
) -> FunctionScope:
    """Return the scope of a function, before its body is read."""
    outer = context.function_scope
    scope = FunctionScope(outer, context.level, context.variables, _type_of_this(context, body))
    if single is not None:
        scope.parameters[context.source(single)] = UNANNOTATED
    for node in [] if parameters is None else context.named_children(parameters):
        _add_parameter(context, scope, node)
    pending = [body]
    while pending:
        node = pending.pop()
        kind = context.kinds[node.kind_id]
        _add_node(context, scope, node, kind)
        if node is body or kind not in NESTED:
            pending.extend(node.named_children)
    return scope


def _type_of_this(context: ParseContext, body: Node) -> Type:
    function = body.parent
    kind = "" if function is None else context.kinds[function.kind_id]
    if function is None or kind == "arrow_function":
        outer = context.function_scope
        return UNANNOTATED if outer is None else outer.this
    holder = function.parent
    in_class = holder is not None and context.kinds[holder.kind_id] == "class_body"
    static = any(context.kinds[child.kind_id] == "static" for child in function.children)
    return THIS if kind == "method_definition" and in_class and not static else UNANNOTATED


def _add_parameter(context: ParseContext, scope: FunctionScope, node: Node) -> None:
    pattern = node.child_by_field_name("pattern")
    if pattern is None:
        return
    annotation = node.child_by_field_name("type")
    type_ = UNANNOTATED if annotation is None else lower_annotation(context, annotation)
    if context.kinds[pattern.kind_id] == "identifier":
        if context.kinds[node.kind_id] == "optional_parameter" and type_ is not UNANNOTATED:
            type_ = union((type_, UNDEFINED))
        scope.parameters[context.source(pattern)] = type_
        return
    for name, key in _bindings(context, pattern):
        is_known = key is not None and type_ is not UNANNOTATED
        scope.parameters[name] = property_access(type_, key or "") if is_known else UNANNOTATED


def _bindings(context: ParseContext, pattern: Node) -> Iterator[tuple[str, str | None]]:
    """Yield each name that a pattern binds, and the property it has; None for any other value."""
    is_object = context.kinds[pattern.kind_id] == "object_pattern"
    for part in context.named_children(pattern):
        kind = context.kinds[part.kind_id]
        if kind == "shorthand_property_identifier_pattern":
            yield context.source(part), context.source(part) if is_object else None
        elif kind == "pair_pattern":
            key, value = part.child_by_field_name("key"), part.child_by_field_name("value")
            if key is None or value is None:
                continue
            name = member_name(context, key, context.kinds[key.kind_id])
            if context.kinds[value.kind_id] == "identifier":
                yield context.source(value), name if is_object else None
            else:
                yield from ((inner, None) for inner, _ in _bindings(context, value))
        elif kind in ("identifier", "undefined"):
            yield context.source(part), None
        else:
            yield from ((inner, None) for inner, _ in _bindings(context, part))


def _add_node(context: ParseContext, scope: FunctionScope, node: Node, kind: str) -> None:
    if kind == "variable_declarator":
        _add_variable(context, scope, node)
    elif kind in _TYPES or kind in ("function_declaration", "generator_function_declaration"):
        name = node.child_by_field_name("name")
        if name is not None:
            scope.values[context.source(name)] = None
            if kind in _TYPES:
                scope.types.add(context.source(name))
    elif kind in ("assignment_expression", "augmented_assignment_expression"):
        _add_tested(context, scope, node.child_by_field_name("left"), node.end_byte)
    elif kind == "update_expression":
        _add_tested(context, scope, node, node.end_byte)
    elif kind == "expression_statement":
        _add_assertion(context, scope, node)
    elif kind == "binary_expression" and _operator(context, node) in SHORT_CIRCUITS:
        _add_tested(context, scope, node.child_by_field_name("left"))
    if kind in _CONDITIONS:
        _add_tested(context, scope, node.child_by_field_name(_CONDITIONS[kind]))
    if kind in _LOOPS:
        scope.loops.append((node.start_byte, node.end_byte))
    loop_variable = "left" if kind == "for_in_statement" else "parameter"
    if kind in ("for_in_statement", "catch_clause"):
        variable = node.child_by_field_name(loop_variable)
        for declared in [] if variable is None else _identifiers(context, variable):
            scope.values[declared] = None


def _add_variable(context: ParseContext, scope: FunctionScope, node: Node) -> None:
    name = node.child_by_field_name("name")
    if name is None:
        return
    is_plain = context.kinds[name.kind_id] == "identifier"
    names = [context.source(name)] if is_plain else [n for n, _ in _bindings(context, name)]
    for declared in names:
        scope.values[declared] = None if scope.declares(declared) else node


def _add_assertion(context: ParseContext, scope: FunctionScope, node: Node) -> None:
    """Add the arguments of a call whose result is not used: it may assert what they are."""
    parts = context.named_children(node)
    if parts and context.kinds[parts[0].kind_id] == "call_expression":
        _add_tested(context, scope, parts[0].child_by_field_name("arguments"))


def _add_tested(
    context: ParseContext, scope: FunctionScope, node: Node | None, end: int | None = None
) -> None:
    if node is not None:
        at = node.end_byte if end is None else end
        scope.narrowed.extend((at, name) for name in _identifiers(context, node))


def _identifiers(context: ParseContext, node: Node) -> Iterator[str]:
    """Yield the names in an expression that a test of it may narrow."""
    pending = [node]
    while pending:
        part = pending.pop()
        kind = context.kinds[part.kind_id]
        if kind in ("identifier", "this", "shorthand_property_identifier_pattern"):
            yield context.source(part)
        if kind in NESTED or (kind == "binary_expression" and _operator(context, part) in _PLAIN):
            continue
        pending.extend(part.named_children)


def _operator(context: ParseContext, node: Node) -> str:
    operator = node.child_by_field_name("operator")
    return "" if operator is None else context.source(operator)


def property_access(type_: Type, name: str) -> Type:
    """Return the type of a property; ``unannotated`` of what is."""
    if type_ is UNANNOTATED:
        return UNANNOTATED
    return IndexedAccess(type_, Literal("string", name))


def declared_property(context: ParseContext, declarator: Node, name: str) -> str | None:
    """Return the property that a destructuring declarator reads into ``name``."""
    pattern = declarator.child_by_field_name("name")
    if pattern is None:
        return None
    return next((key for bound, key in _bindings(context, pattern) if bound == name), None)


def shifted(node: InternedNode, by: int, depth: int = 0) -> InternedNode:
    """Return ``node`` as seen from ``by`` binders further in."""
    if not by or node.loose_depth <= depth:
        return node
    if isinstance(node, Var):
        return Var(node.depth + by, node.index)
    return renormalize(rebuild(node, lambda part, crossed: shifted(part, by, depth + crossed)))
