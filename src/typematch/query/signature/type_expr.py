"""Parses types and signatures in query syntax.

Query syntax is TypeScript's type syntax with two differences: a parameter without a colon is its
type (``(string) => number``), and a single capital letter or ``?x`` is a type variable of the
query.  ``_`` is a wildcard for one type, ``...`` for any number of parameters.  Other names are
lowered to ``Named``, without resolving them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from typematch.errors import TypeSyntaxError
from typematch.ir.constructors import intersection, type_of_this, union
from typematch.ir.literals import bigint_text, number_text, string_value, unescape
from typematch.ir.type_parts import (
    Element,
    ElementKind,
    Parameter,
    Predicate,
    Signature,
    TypeParameter,
)
from typematch.ir.types import (
    ELLIPSIS,
    WILDCARD,
    Array,
    IndexedAccess,
    Intrinsic,
    KeyOf,
    Literal,
    Named,
    Object,
    Template,
    Tuple,
    Type,
    TypeOf,
    Union,
    UniqueSymbol,
)
from typematch.query.signature.binders import Binders
from typematch.query.signature.conditional_types import lower_conditional
from typematch.query.signature.expected_tokens import expected_words
from typematch.query.signature.function_types import (
    lower_constructor,
    lower_function,
    lower_result,
    lower_signature,
    lower_type_parameters,
    parameter_names,
)
from typematch.query.signature.grammar import Syntax, SyntaxNode, UnexpectedToken, load_table
from typematch.query.signature.lexer import (
    MAX_BRACKETS,
    MAX_MEMBERS,
    MAX_VARIABLES,
    tokenize,
    too_deep_error,
    too_many_error,
)
from typematch.query.signature.object_types import lower_object
from typematch.query.signature.syntax import (
    as_node,
    missing_arrow_error,
    path_names,
    rule_name,
    token_text,
)

# The types that are written as keywords.
KEYWORDS: Mapping[str, Type] = {
    name: Intrinsic(name)
    for name in (
        "any", "unknown", "never", "void", "undefined", "null", "string", "number", "boolean",
        "bigint", "symbol", "object", "this", "_",
    )
} | {"true": Literal("boolean", "true"), "false": Literal("boolean", "false")}  # fmt: skip


@dataclass(frozen=True, slots=True)
class ParsedSignature:
    """A function type with one call signature, and the names of its type parameters."""

    type: Object
    variables: tuple[str, ...]


def is_type(text: str) -> bool:
    """Return whether ``text`` is a type."""
    try:
        read_type(text)
    except TypeSyntaxError:
        return False
    return True


def read_type(text: str, *, letters: bool = True) -> Type:
    """Parse a type; capital letters in it are wildcards.

    Args:
        letters: False keeps capital letters as names.

    Raises:
        TypeSyntaxError: the text is not a type.
    """
    return _Lowering(text, Binders(None, letters=letters)).type(_parse(text, "type"))


def read_signature(text: str) -> ParsedSignature:
    """Parse a function type or the beginning of one; missing parts become ``_``.

    Raises:
        TypeSyntaxError: the text is neither.
    """
    tree = _parse(text, "signature")
    lowering = _Lowering(text, Binders({}))
    function = lowering.signature(tree)
    variables = tuple(lowering.binders.query_variables or ())
    if len(variables) > MAX_VARIABLES:
        hint = "Write _ for types that need not be the same."
        raise too_many_error(
            text, tree.column, len(variables), "type variables", MAX_VARIABLES, hint
        )
    return ParsedSignature(function, variables)


def _parse(text: str, start: str) -> SyntaxNode:
    try:
        tree = load_table("types", ("type", "signature")).parse(tokenize(text), start)
    except UnexpectedToken as error:
        column = len(text.rstrip()) if error.token.kind == "$END" else error.token.column
        raise TypeSyntaxError(text, column, expected_words(error.expected)) from error
    assert isinstance(tree, SyntaxNode)
    return tree


class _Lowering:
    """Lowers a syntax tree to a type; implements ``TypeLowering``."""

    def __init__(self, text: str, binders: Binders) -> None:
        self.text = text
        self.binders = binders
        self._nesting = 0

    # -- signatures --------------------------------------------------------------------------------

    def signature(self, tree: SyntaxNode) -> Object:
        """Lower a ``signature`` node; its binder holds the query's variables."""
        assert self.binders.query_variables is not None
        while tree.rule in ("signature", "group") and len(tree.children) == 1:
            [child] = tree.children
            if not isinstance(child, SyntaxNode) or child.rule in ("labelled", "rest"):
                break
            tree = child
            if tree.rule == "item":
                tree = self._only_child(tree)
        children = list(tree.children)
        type_parameters: tuple[TypeParameter, ...] = ()
        returns: Type
        predicate: Predicate | None
        if children and rule_name(children[0]) == "type_parameters":
            declared = as_node(children.pop(0))
            self.binders.query_variables.update(
                {name: i for i, name in enumerate(parameter_names(declared))}
            )
            type_parameters = lower_type_parameters(self, declared)
        match tree.rule, children:
            case "function", [SyntaxNode() as group, SyntaxNode() as result]:
                signature = lower_signature(self, group, result)
            case "half_function", [SyntaxNode() as group]:
                signature = lower_signature(self, group, None, WILDCARD)
            case "bare_function", [SyntaxNode() as single, *rest]:
                parameter = Parameter("", self.type(single))
                returns, predicate = WILDCARD, None
                if rest:
                    returns, predicate = lower_result(self, as_node(rest[0]), (parameter,))
                signature = Signature((parameter,), returns, (), None, predicate)
            case "result_only", [SyntaxNode() as result]:
                any_parameters = (Parameter("", ELLIPSIS, False, True),)
                returns, predicate = lower_result(self, result, any_parameters)
                signature = Signature(any_parameters, returns, (), None, predicate)
            case _:
                raise TypeSyntaxError(
                    self.text, tree.end, ("'=>'",), "A signature needs an arrow: (string) => number"
                )
        bound = type_parameters + (TypeParameter(),) * (
            len(self.binders.query_variables) - len(type_parameters)
        )
        return Object(
            calls=(
                Signature(
                    signature.parameters,
                    signature.returns,
                    bound,
                    signature.this,
                    signature.predicate,
                ),
            )
        )

    def _only_child(self, item: SyntaxNode) -> SyntaxNode:
        if len(item.children) != 1:
            raise missing_arrow_error(self.text, item)
        return as_node(item.children[0])

    # -- types -------------------------------------------------------------------------------------

    def type(self, node: Syntax) -> Type:
        node = as_node(node)
        if self._nesting >= MAX_BRACKETS:
            raise too_deep_error(self.text, node.column)
        self._nesting += 1
        lowered = self._lower(node)
        self._nesting -= 1
        return lowered

    def _lower(self, node: SyntaxNode) -> Type:
        children = node.children
        match node.rule:
            case "named":
                return self._named(children)
            case "array":
                return Array(self.type(children[0]))
            case "union":
                return self._union(node)
            case "intersection":
                return intersection([self.type(child) for child in children])
            case "object":
                return lower_object(self, node)
            case "function":
                return Object(calls=(lower_function(self, children),))
            case "tuple":
                return Tuple(tuple([self._element(as_node(child)) for child in children]))
            case "group":
                return self._parenthesised(node)
            case "string":
                return Literal("string", string_value(token_text(children[0])))
            case "number":
                return _number([token_text(child) for child in children])
            case "variable":
                return self.binders.variable(token_text(children[0])) or WILDCARD
            case "indexed":
                return IndexedAccess(self.type(children[0]), self.type(children[1]))
            case "keyof":
                return KeyOf(self.type(children[0]))
            case "readonly":
                return _as_readonly(self.type(children[-1]))
            case _:
                return self._lower_uncommon(node)

    def _lower_uncommon(self, node: SyntaxNode) -> Type:
        children = node.children
        match node.rule:
            case "unique":
                return UniqueSymbol()
            case "conditional" | "conditional_infer":
                return lower_conditional(self, node)
            case "infer":
                return self.binders.variable(token_text(children[0])) or Named(
                    (token_text(children[0]),)
                )
            case "template":
                return self._template(children)
            case "typeof":
                return self._typeof(children)
            case "import_type":
                return self._imported(children)
            case "constructor":
                return lower_constructor(self, children)
            case "predicate" | "assertion":
                raise TypeSyntaxError(
                    self.text, node.column, problem="only a function's result can be a predicate"
                )
            case rule:
                raise AssertionError(f"unknown rule {rule}")

    def _union(self, node: SyntaxNode) -> Type:
        united = union([self.type(child) for child in node.children])
        if isinstance(united, Union) and len(united.members) > MAX_MEMBERS:
            count, hint = len(united.members), "Write string or number for its literals, or _."
            raise too_many_error(self.text, node.column, count, "members", MAX_MEMBERS, hint)
        return united

    def _named(self, children: tuple[Syntax, ...]) -> Type:
        path = path_names(children[0])
        arguments = self._arguments(children[1:])
        if len(path) == 1 and not arguments:
            resolved = self.binders.variable(path[0]) or KEYWORDS.get(path[0])
            if resolved is not None:
                return resolved
        return Named(path, arguments)

    def _arguments(self, nodes: tuple[Syntax, ...]) -> tuple[Type, ...]:
        """Lower an optional ``type_arguments`` node."""
        return tuple([self.type(child) for node in nodes for child in as_node(node).children])

    def _parenthesised(self, node: SyntaxNode) -> Type:
        parts = node.children
        if (
            len(parts) == 1
            and rule_name(parts[0]) == "item"
            and len(as_node(parts[0]).children) == 1
        ):
            return self.type(as_node(parts[0]).children[0])
        raise missing_arrow_error(self.text, node)

    def _imported(self, children: tuple[Syntax, ...]) -> Named:
        path: tuple[str, ...] = ()
        arguments: tuple[Type, ...] = ()
        for child in children[1:]:
            if rule_name(child) == "path":
                path = path_names(child)
            elif rule_name(child) == "type_arguments":
                arguments = self._arguments((child,))
        return Named(path, arguments, string_value(token_text(children[0])))

    def _typeof(self, children: tuple[Syntax, ...]) -> Type:
        if rule_name(children[0]) == "import_type":
            imported = self._imported(as_node(children[0]).children)
            return TypeOf(Named(imported.path, (), imported.module), (), imported.arguments)
        path = path_names(children[0])
        arguments = self._arguments(children[1:])
        if path[0] == "this":
            return type_of_this(path[1:], arguments)
        return TypeOf(Named(path), (), arguments)

    def _template(self, children: tuple[Syntax, ...]) -> Type:
        texts = []
        for child in children[::2]:
            piece = token_text(child)
            texts.append(unescape(piece[1 : -1 if piece.endswith("`") else -2]))
        types = tuple([self.type(child) for child in children[1::2]])
        return Template(tuple(texts), types) if types else Literal("string", texts[0])

    def _element(self, node: SyntaxNode) -> Element:
        children = node.children
        match node.rule:
            case "ellipsis":
                return Element(WILDCARD, "rest")
            case "rest":
                label = token_text(children[0]) if len(children) > 1 else ""
                inner = self.type(children[-1])
                if isinstance(inner, Array):
                    return Element(inner.element, "rest", label)
                return Element(inner, "variadic", label)
            case "labelled":
                kind: ElementKind = "optional" if len(children) > 2 else "required"
                return Element(self.type(children[-1]), kind, token_text(children[0]))
            case "item":
                return Element(
                    self.type(children[0]), "optional" if len(children) > 1 else "required"
                )
            case _:
                raise TypeSyntaxError(
                    self.text, node.column, problem="a tuple has no destructured elements"
                )


def _as_readonly(inner: Type) -> Type:
    match inner:
        case Array(element):
            return Array(element, True)
        case Tuple(elements):
            return Tuple(elements, True)
        case _:
            return inner


def _number(parts: list[str]) -> Literal:
    digits = parts[-1]
    bigint = digits.endswith("n")
    value = bigint_text(digits[:-1]) if bigint else number_text(digits)
    sign = "-" if len(parts) > 1 and value != "0" else ""
    return Literal("bigint" if bigint else "number", sign + value)
