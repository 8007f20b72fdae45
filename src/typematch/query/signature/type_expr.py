"""Read types and signatures as they are written in a query.

This is TypeScript's type syntax with two differences: a lone name in the place of a parameter is
its type (``(string) => number``), and a single capital letter or ``?x`` is a type variable of the
query.  ``_`` and ``...`` stand for any one type and any further parameters.  Other names stay
``Named``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from typematch.errors import TypeSyntaxError
from typematch.ir.constructors import intersection, union
from typematch.ir.literals import bigint_text, number_text, string_value, unescape
from typematch.ir.types import (
    FURTHER,
    THIS,
    WILDCARD,
    Array,
    Element,
    ElementKind,
    IndexedAccess,
    Intrinsic,
    KeyOf,
    Literal,
    Named,
    Object,
    Parameter,
    Predicate,
    Signature,
    Template,
    Tuple,
    Type,
    TypeOf,
    TypeParameter,
    UniqueSymbol,
)
from typematch.query.signature.binders import Binders
from typematch.query.signature.conditional_types import conditional_of
from typematch.query.signature.expected_tokens import expected_words
from typematch.query.signature.function_types import (
    constructor_of,
    function_of,
    parameter_names,
    returns_of,
    signature_of,
    type_parameters_of,
)
from typematch.query.signature.grammar import Syntax, SyntaxNode, UnexpectedToken, table
from typematch.query.signature.lexer import MAX_BRACKETS, tokenize, too_deep
from typematch.query.signature.object_types import object_of
from typematch.query.signature.syntax import no_type, node_of, path_of, rule_of, text_of

_KEYWORDS: Mapping[str, Type] = {
    name: Intrinsic(name)
    for name in (
        "any", "unknown", "never", "void", "undefined", "null", "string", "number", "boolean",
        "bigint", "symbol", "object", "this", "_",
    )
} | {"true": Literal("boolean", "true"), "false": Literal("boolean", "false")}  # fmt: skip


@dataclass(frozen=True, slots=True)
class ReadSignature:
    """A function type with one call, and the names of its type parameters."""

    type: Object
    variables: tuple[str, ...]


def is_type(text: str) -> bool:
    """Return whether ``text`` can be read as a type."""
    try:
        read_type(text)
    except TypeSyntaxError:
        return False
    return True


def read_type(text: str, *, letters: bool = True) -> Type:
    """Return the type that ``text`` writes; in it, capital letters stand for any one type.

    Args:
        letters: False keeps capital letters as names.

    Raises:
        TypeSyntaxError: the text is no type.
    """
    return _Lowering(text, Binders(None, letters=letters)).type(_parse(text, "type"))


def read_signature(text: str) -> ReadSignature:
    """Return the function that ``text`` writes, what is missing of it completed with ``_``.

    Raises:
        TypeSyntaxError: the text is no function type, nor the beginning of one.
    """
    tree = _parse(text, "signature")
    lowering = _Lowering(text, Binders({}))
    function = lowering.query(tree)
    return ReadSignature(function, tuple(lowering.binders.free or ()))


def _parse(text: str, start: str) -> SyntaxNode:
    try:
        tree = table("types", ("type", "signature")).parse(tokenize(text), start)
    except UnexpectedToken as error:
        column = len(text.rstrip()) if error.token.kind == "$END" else error.token.column
        raise TypeSyntaxError(text, column, expected_words(error.expected)) from error
    assert isinstance(tree, SyntaxNode)
    return tree


class _Lowering:
    """Turns a tree into a type."""

    def __init__(self, text: str, binders: Binders) -> None:
        self.text = text
        self.binders = binders
        self._nesting = 0

    # -- the whole query ---------------------------------------------------------------------------

    def query(self, tree: SyntaxNode) -> Object:
        """Return the function of a ``signature`` node, binding the query's variables."""
        assert self.binders.free is not None
        while tree.rule in ("signature", "group") and len(tree.children) == 1:
            [child] = tree.children
            if not isinstance(child, SyntaxNode) or child.rule in ("labelled", "rest"):
                break
            tree = child
            if tree.rule == "item":
                tree = self._inside(tree)
        children = list(tree.children)
        type_parameters: tuple[TypeParameter, ...] = ()
        returns: Type
        predicate: Predicate | None
        if children and rule_of(children[0]) == "type_parameters":
            declared = node_of(children.pop(0))
            self.binders.free.update({name: i for i, name in enumerate(parameter_names(declared))})
            type_parameters = type_parameters_of(self, declared)
        match tree.rule, children:
            case "function", [SyntaxNode() as group, SyntaxNode() as result]:
                signature = signature_of(self, group, result)
            case "half_function", [SyntaxNode() as group]:
                signature = signature_of(self, group, None, WILDCARD)
            case "bare_function", [SyntaxNode() as single, *rest]:
                parameter = Parameter("", self.type(single))
                returns, predicate = WILDCARD, None
                if rest:
                    returns, predicate = returns_of(self, node_of(rest[0]), (parameter,))
                signature = Signature((parameter,), returns, (), None, predicate)
            case "result_only", [SyntaxNode() as result]:
                further = (Parameter("", FURTHER, False, True),)
                returns, predicate = returns_of(self, result, further)
                signature = Signature(further, returns, (), None, predicate)
            case _:
                raise TypeSyntaxError(
                    self.text, tree.end, ("'=>'",), "A signature needs an arrow: (string) => number"
                )
        bound = type_parameters + (TypeParameter(),) * (
            len(self.binders.free) - len(type_parameters)
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

    def _inside(self, item: SyntaxNode) -> SyntaxNode:
        if len(item.children) != 1:
            raise no_type(self.text, item)
        return node_of(item.children[0])

    # -- types -------------------------------------------------------------------------------------

    def type(self, node: Syntax) -> Type:
        node = node_of(node)
        if self._nesting >= MAX_BRACKETS:
            raise too_deep(self.text, node.column)
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
                return union([self.type(child) for child in children])
            case "intersection":
                return intersection([self.type(child) for child in children])
            case "object":
                return object_of(self, node)
            case "function":
                return Object(calls=(function_of(self, children),))
            case "tuple":
                return Tuple(tuple([self._element(node_of(child)) for child in children]))
            case "group":
                return self._parenthesised(node)
            case "string":
                return Literal("string", string_value(text_of(children[0])))
            case "number":
                return _number([text_of(child) for child in children])
            case "variable":
                return self.binders.variable(text_of(children[0])) or WILDCARD
            case "indexed":
                return IndexedAccess(self.type(children[0]), self.type(children[1]))
            case "keyof":
                return KeyOf(self.type(children[0]))
            case "readonly":
                return _read_only(self.type(children[-1]))
            case _:
                return self._lower_rare(node)

    def _lower_rare(self, node: SyntaxNode) -> Type:
        children = node.children
        match node.rule:
            case "unique":
                return UniqueSymbol()
            case "conditional" | "conditional_infer":
                return conditional_of(self, node)
            case "infer":
                return self.binders.variable(text_of(children[0])) or Named((text_of(children[0]),))
            case "template":
                return self._template(children)
            case "typeof":
                return self._typeof(children)
            case "import_type":
                return self._imported(children)
            case "constructor":
                return constructor_of(self, children)
            case "predicate" | "assertion":
                raise TypeSyntaxError(
                    self.text, node.column, problem="only a function's result can be a predicate"
                )
            case rule:
                raise AssertionError(f"no reader for the rule {rule}")

    def _named(self, children: tuple[Syntax, ...]) -> Type:
        path = path_of(children[0])
        arguments = self._arguments(children[1:])
        if len(path) == 1 and not arguments:
            found = self.binders.variable(path[0]) or _KEYWORDS.get(path[0])
            if found is not None:
                return found
        return Named(path, arguments)

    def _arguments(self, nodes: tuple[Syntax, ...]) -> tuple[Type, ...]:
        """Return the types of a ``type_arguments`` node, where there is one."""
        return tuple([self.type(child) for node in nodes for child in node_of(node).children])

    def _parenthesised(self, node: SyntaxNode) -> Type:
        parts = node.children
        if len(parts) == 1 and rule_of(parts[0]) == "item" and len(node_of(parts[0]).children) == 1:
            return self.type(node_of(parts[0]).children[0])
        raise no_type(self.text, node)

    def _imported(self, children: tuple[Syntax, ...]) -> Named:
        path: tuple[str, ...] = ()
        arguments: tuple[Type, ...] = ()
        for child in children[1:]:
            if rule_of(child) == "path":
                path = path_of(child)
            elif rule_of(child) == "type_arguments":
                arguments = self._arguments((child,))
        return Named(path, arguments, string_value(text_of(children[0])))

    def _typeof(self, children: tuple[Syntax, ...]) -> Type:
        if rule_of(children[0]) == "import_type":
            imported = self._imported(node_of(children[0]).children)
            return TypeOf(Named(imported.path, (), imported.module), (), imported.arguments)
        path = path_of(children[0])
        arguments = self._arguments(children[1:])
        if path[0] == "this":
            return TypeOf(THIS, path[1:], arguments)
        return TypeOf(Named(path), (), arguments)

    def _template(self, children: tuple[Syntax, ...]) -> Type:
        texts = []
        for child in children[::2]:
            piece = text_of(child)
            texts.append(unescape(piece[1 : -1 if piece.endswith("`") else -2]))
        types = tuple([self.type(child) for child in children[1::2]])
        return Template(tuple(texts), types) if types else Literal("string", texts[0])

    def _element(self, node: SyntaxNode) -> Element:
        children = node.children
        match node.rule:
            case "further":
                return Element(WILDCARD, "rest")
            case "rest":
                label = text_of(children[0]) if len(children) > 1 else ""
                inner = self.type(children[-1])
                if isinstance(inner, Array):
                    return Element(inner.element, "rest", label)
                return Element(inner, "variadic", label)
            case "labelled":
                kind: ElementKind = "optional" if len(children) > 2 else "required"
                return Element(self.type(children[-1]), kind, text_of(children[0]))
            case "item":
                return Element(
                    self.type(children[0]), "optional" if len(children) > 1 else "required"
                )
            case _:
                raise TypeSyntaxError(
                    self.text, node.column, problem="a tuple has no destructured elements"
                )


def _read_only(inner: Type) -> Type:
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
