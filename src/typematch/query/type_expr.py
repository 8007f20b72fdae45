"""Read types and signatures as they are written in a query.

This is TypeScript's type syntax with two differences: a lone name in the place of a parameter is
its type (``(string) => number``), and a single capital letter or ``?x`` is a type variable of the
query.  ``_`` and ``...`` stand for any one type and any further parameters.  Other names stay
``Named``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from typematch.errors import TypeSyntaxError
from typematch.ir.build import intersection, object_type, union
from typematch.ir.literals import bigint_text, number_text, string_value, unescape
from typematch.ir.types import (
    BOOLEAN,
    FURTHER,
    THIS,
    UNANNOTATED,
    VOID,
    WILDCARD,
    Array,
    Conditional,
    Element,
    ElementKind,
    IndexedAccess,
    Intrinsic,
    KeyOf,
    Literal,
    Mapped,
    Modifier,
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
    Var,
)
from typematch.query.expectations import expected_words
from typematch.query.grammar import Node, Syntax, UnexpectedToken, table
from typematch.query.lexer import MAX_BRACKETS, Token, tokenize, too_deep
from typematch.query.objects import Members, index_signatures, property_name

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


def read_type(text: str) -> Type:
    """Return the type that ``text`` writes; in it, capital letters stand for any one type.

    Raises:
        TypeSyntaxError: the text is no type.
    """
    return _Lowering(text, None).type(_parse(text, "type"))


def read_signature(text: str) -> ReadSignature:
    """Return the function that ``text`` writes, what is missing of it completed with ``_``.

    Raises:
        TypeSyntaxError: the text is no function type, nor the beginning of one.
    """
    tree = _parse(text, "signature")
    lowering = _Lowering(text, {})
    function = lowering.query(tree)
    return ReadSignature(function, tuple(lowering.free or ()))


def _parse(text: str, start: str) -> Node:
    try:
        tree = table("types", ("type", "signature")).parse(tokenize(text), start)
    except UnexpectedToken as error:
        column = len(text.rstrip()) if error.token.kind == "$END" else error.token.column
        raise TypeSyntaxError(text, column, expected_words(error.expected)) from error
    assert isinstance(tree, Node)
    return tree


class _Lowering:
    """Turns a tree into a type.

    Attributes:
        free: the variables of the query by name, in order, which the outermost signature binds;
            None where there is no signature to bind them.
    """

    def __init__(self, text: str, free: dict[str, int] | None) -> None:
        self.text = text
        self.free = free
        # Level 1 is the query's own signature; inner binders count from there.
        self._level = 1
        self._bound: dict[str, tuple[int, int]] = {}
        self._nesting = 0

    # -- names -------------------------------------------------------------------------------------

    def _variable(self, name: str) -> Type | None:
        """Return the variable that ``name`` means here, None if it means no variable."""
        bound = self._bound.get(name)
        if bound is not None:
            return Var(self._level - bound[0], bound[1])
        if not (name[0] == "?" or (len(name) == 1 and name.isupper())):
            return None
        if self.free is None:
            return WILDCARD
        return Var(self._level - 1, self.free.setdefault(name, len(self.free)))

    def _bind(self, names: Iterable[str]) -> dict[str, tuple[int, int]]:
        """Enter a binder; give the result to ``_release`` to leave it."""
        outer = self._bound
        self._level += 1
        self._bound = outer | {name: (self._level, index) for index, name in enumerate(names)}
        return outer

    def _release(self, outer: dict[str, tuple[int, int]]) -> None:
        self._bound = outer
        self._level -= 1

    # -- the whole query ---------------------------------------------------------------------------

    def query(self, tree: Node) -> Object:
        """Return the function of a ``signature`` node, binding the query's variables."""
        assert self.free is not None
        while tree.rule in ("signature", "group") and len(tree.children) == 1:
            [child] = tree.children
            if not isinstance(child, Node) or child.rule in ("labelled", "rest"):
                break
            tree = child
            if tree.rule == "item":
                tree = self._inside(tree)
        children = list(tree.children)
        type_parameters: tuple[TypeParameter, ...] = ()
        returns: Type
        predicate: Predicate | None
        if children and _rule(children[0]) == "type_parameters":
            declared = _node(children.pop(0))
            self.free.update({name: i for i, name in enumerate(_parameter_names(declared))})
            type_parameters = self._type_parameters(declared)
        match tree.rule, children:
            case "function", [Node() as group, Node() as result]:
                signature = self._signature(group, result)
            case "half_function", [Node() as group]:
                signature = self._signature(group, None, WILDCARD)
            case "bare_function", [Node() as single, *rest]:
                parameter = Parameter("", self.type(single))
                returns, predicate = WILDCARD, None
                if rest:
                    returns, predicate = self._returns(_node(rest[0]), (parameter,))
                signature = Signature((parameter,), returns, (), None, predicate)
            case "result_only", [Node() as result]:
                further = (Parameter("", FURTHER, False, True),)
                returns, predicate = self._returns(result, further)
                signature = Signature(further, returns, (), None, predicate)
            case _:
                raise TypeSyntaxError(
                    self.text, tree.end, ("'=>'",), "A signature needs an arrow: (string) => number"
                )
        bound = type_parameters + (TypeParameter(),) * (len(self.free) - len(type_parameters))
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

    def _inside(self, item: Node) -> Node:
        if len(item.children) != 1:
            raise self._no_type(item)
        return _node(item.children[0])

    def _no_type(self, node: Node) -> TypeSyntaxError:
        return TypeSyntaxError(
            self.text, node.end, ("'=>'",), "Behind a list of parameters stands an arrow."
        )

    # -- types -------------------------------------------------------------------------------------

    def type(self, node: Syntax) -> Type:
        node = _node(node)
        if self._nesting >= MAX_BRACKETS:
            raise too_deep(self.text, node.column)
        self._nesting += 1
        lowered = self._lower(node)
        self._nesting -= 1
        return lowered

    def _lower(self, node: Node) -> Type:
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
                return self._object(node)
            case "function":
                return Object(calls=(self._function(children),))
            case "tuple":
                return Tuple(tuple([self._element(_node(child)) for child in children]))
            case "group":
                return self._parenthesised(node)
            case "string":
                return Literal("string", string_value(_text(children[0])))
            case "number":
                return _number([_text(child) for child in children])
            case "variable":
                return self._variable(_text(children[0])) or WILDCARD
            case "indexed":
                return IndexedAccess(self.type(children[0]), self.type(children[1]))
            case "keyof":
                return KeyOf(self.type(children[0]))
            case "readonly":
                return _read_only(self.type(children[-1]))
            case _:
                return self._lower_rare(node)

    def _lower_rare(self, node: Node) -> Type:
        children = node.children
        match node.rule:
            case "unique":
                return UniqueSymbol()
            case "conditional" | "conditional_infer":
                return self._conditional(node)
            case "infer":
                return self._variable(_text(children[0])) or Named((_text(children[0]),))
            case "template":
                return self._template(children)
            case "typeof":
                return self._typeof(children)
            case "import_type":
                return self._imported(children)
            case "constructor":
                return self._constructor(children)
            case "predicate" | "assertion":
                raise TypeSyntaxError(
                    self.text, node.column, problem="only a function's result can be a predicate"
                )
            case rule:
                raise AssertionError(f"no reader for the rule {rule}")

    def _named(self, children: tuple[Syntax, ...]) -> Type:
        path = _path(children[0])
        arguments = self._arguments(children[1:])
        if len(path) == 1 and not arguments:
            found = self._variable(path[0]) or _KEYWORDS.get(path[0])
            if found is not None:
                return found
        return Named(path, arguments)

    def _arguments(self, nodes: tuple[Syntax, ...]) -> tuple[Type, ...]:
        """Return the types of a ``type_arguments`` node, where there is one."""
        return tuple([self.type(child) for node in nodes for child in _node(node).children])

    def _parenthesised(self, node: Node) -> Type:
        parts = node.children
        if len(parts) == 1 and _rule(parts[0]) == "item" and len(_node(parts[0]).children) == 1:
            return self.type(_node(parts[0]).children[0])
        raise self._no_type(node)

    def _imported(self, children: tuple[Syntax, ...]) -> Named:
        path: tuple[str, ...] = ()
        arguments: tuple[Type, ...] = ()
        for child in children[1:]:
            if _rule(child) == "path":
                path = _path(child)
            elif _rule(child) == "type_arguments":
                arguments = self._arguments((child,))
        return Named(path, arguments, string_value(_text(children[0])))

    def _typeof(self, children: tuple[Syntax, ...]) -> Type:
        if _rule(children[0]) == "import_type":
            imported = self._imported(_node(children[0]).children)
            return TypeOf(Named(imported.path, (), imported.module), (), imported.arguments)
        path = _path(children[0])
        arguments = self._arguments(children[1:])
        if path[0] == "this":
            return TypeOf(THIS, path[1:], arguments)
        return TypeOf(Named(path), (), arguments)

    def _template(self, children: tuple[Syntax, ...]) -> Type:
        texts = []
        for child in children[::2]:
            piece = _text(child)
            texts.append(unescape(piece[1 : -1 if piece.endswith("`") else -2]))
        types = tuple([self.type(child) for child in children[1::2]])
        return Template(tuple(texts), types) if types else Literal("string", texts[0])

    def _conditional(self, node: Node) -> Type:
        checked: Type
        if node.rule == "conditional_infer":
            name, extends, yes, no = node.children
            checked = self._variable(_text(name)) or Named((_text(name),))
            bare = False
        else:
            check, extends, yes, no = node.children
            checked = self.type(check)
            bare = _rule(check) == "named"
        declared = _inferred(extends)
        otherwise = self.type(no)
        outer = self._bind(declared) if declared else None
        infer = tuple(
            [TypeParameter(None if c is None else self.type(c)) for c in declared.values()]
        )
        conditional = Conditional(
            checked,
            self.type(extends),
            self.type(yes),
            otherwise,
            infer,
            bare and isinstance(checked, Var),
        )
        if outer is not None:
            self._release(outer)
        return conditional

    def _element(self, node: Node) -> Element:
        children = node.children
        match node.rule:
            case "further":
                return Element(WILDCARD, "rest")
            case "rest":
                label = _text(children[0]) if len(children) > 1 else ""
                inner = self.type(children[-1])
                if isinstance(inner, Array):
                    return Element(inner.element, "rest", label)
                return Element(inner, "variadic", label)
            case "labelled":
                kind: ElementKind = "optional" if len(children) > 2 else "required"
                return Element(self.type(children[-1]), kind, _text(children[0]))
            case "item":
                return Element(
                    self.type(children[0]), "optional" if len(children) > 1 else "required"
                )
            case _:
                raise TypeSyntaxError(
                    self.text, node.column, problem="a tuple has no destructured elements"
                )

    # -- functions ---------------------------------------------------------------------------------

    def _function(self, children: tuple[Syntax, ...], modifier: str = "") -> Signature:
        """Return the signature of [type_parameters] group [result], entering its binder."""
        parts = [_node(child) for child in children]
        declared = parts.pop(0) if parts[0].rule == "type_parameters" else None
        outer = self._bind(_parameter_names(declared)) if declared is not None else None
        type_parameters = self._type_parameters(declared) if declared is not None else ()
        result = parts[1] if len(parts) > 1 else None
        if result is not None and result.rule == "result":
            result = _node(result.children[0])
        made = self._signature(parts[0], result)
        if outer is not None:
            self._release(outer)
        return Signature(
            made.parameters, made.returns, type_parameters, made.this, made.predicate, modifier
        )

    def _signature(
        self, group: Node, result: Node | None, missing: Type = UNANNOTATED
    ) -> Signature:
        read = [self._parameter(_node(child)) for child in group.children]
        this = next((parameter.type for parameter in read if parameter.name == "this"), None)
        parameters = tuple([parameter for parameter in read if parameter.name != "this"])
        if result is None:
            return Signature(parameters, missing, (), this)
        returns, predicate = self._returns(result, parameters)
        return Signature(parameters, returns, (), this, predicate)

    def _type_parameters(self, node: Node) -> tuple[TypeParameter, ...]:
        read = []
        for child in node.children:
            parts = {_rule(part): part for part in _node(child).children}
            bounds = [
                self.type(_node(parts[part]).children[0]) if part in parts else None
                for part in ("constraint", "default")
            ]
            read.append(TypeParameter(bounds[0], bounds[1], "CONST" in parts))
        return tuple(read)

    def _parameter(self, node: Node) -> Parameter:
        children = node.children
        match node.rule:
            case "further":
                return Parameter("", FURTHER, False, True)
            case "item":
                return Parameter("", self.type(children[0]), len(children) > 1)
            case "rest":
                name = _parameter_name(children[0]) if len(children) > 1 else ""
                return Parameter(name, self.type(children[-1]), False, True)
            case _:
                name = _parameter_name(children[0])
                return Parameter(name, self.type(children[-1]), len(children) > 2)

    def _returns(
        self, node: Node, parameters: tuple[Parameter, ...]
    ) -> tuple[Type, Predicate | None]:
        if node.rule not in ("predicate", "assertion"):
            return self.type(node), None
        asserts = node.rule == "assertion"
        names = [child.text for child in node.children if isinstance(child, Token)]
        about = next((i for i, p in enumerate(parameters) if p.name == names[-1]), -1)
        last = node.children[-1]
        narrowed = self.type(last) if isinstance(last, Node) else None
        return (VOID if asserts else BOOLEAN), Predicate(about, narrowed, asserts)

    def _constructor(self, children: tuple[Syntax, ...]) -> Object:
        abstract = not isinstance(children[0], Node)
        signature = self._function(
            children[1:] if abstract else children, "abstract" if abstract else ""
        )
        return Object(constructs=(signature,))

    # -- object types ------------------------------------------------------------------------------

    def _object(self, node: Node) -> Type:
        if len(node.children) == 1 and _rule(node.children[0]) == "mapped":
            return self._mapped(_node(node.children[0]))
        members = Members()
        for child in node.children:
            self._member(_node(child), members)
        return object_type(members.settled(), members.calls, members.constructs, members.indexes)

    def _member(self, node: Node, members: Members) -> None:
        children = node.children
        match node.rule:
            case "property":
                readonly = _rule(children[0]) == "READONLY"
                shown, optional = self._annotation(children[2 if readonly else 1 :])
                name = property_name(_node(children[1 if readonly else 0]))
                members.add(name, shown, optional=optional, readonly=readonly)
            case "method":
                parts = tuple([child for child in children[1:] if isinstance(child, Node)])
                call = Object(calls=(self._function(parts),))
                optional = len(parts) < len(children) - 1
                members.add(property_name(_node(children[0])), call, optional=optional, method=True)
            case "call":
                members.calls.append(self._function(children))
            case "construct":
                members.constructs.append(self._function(children))
            case "getter":
                signature = self._function(children[1:])
                members.get(property_name(_node(children[0])), signature.returns)
            case "setter":
                parameters = self._function(children[1:]).parameters
                written = parameters[0].type if parameters else UNANNOTATED
                members.set(property_name(_node(children[0])), written)
            case "index":
                readonly = _rule(children[0]) == "READONLY"
                shown = self.type(_node(children[-1]).children[0])
                members.indexes += index_signatures(self.type(children[-2]), shown, readonly)
            case "mapped":
                raise TypeSyntaxError(
                    self.text, node.column, problem="a mapped type has no other members"
                )
            case _:
                raise TypeSyntaxError(
                    self.text, node.column, ("a member",), "An object type has no '...' of a name."
                )

    def _annotation(self, children: tuple[Syntax, ...]) -> tuple[Type, bool]:
        """Return the type behind a property's name, and whether the property is optional."""
        parts = _node(children[0]).children if children else ()
        shown = self.type(parts[-1]) if parts and isinstance(parts[-1], Node) else UNANNOTATED
        return shown, bool(parts) and not isinstance(parts[0], Node)

    def _mapped(self, node: Node) -> Type:
        readonly: Modifier = ""
        optional: Modifier = ""
        rename: Node | None = None
        body: Node | None = None
        keys: Type | None = None
        name = ""
        for child in node.children:
            match child:
                case Token("READONLY"):
                    readonly = "+"
                case Token("NAME", text):
                    name = text
                case Node("mapped_readonly", parts):
                    readonly = _sign(parts)
                case Node("rename", parts):
                    rename = _node(parts[0])
                case Node("mapped_optional", parts):
                    body = parts[-1] if isinstance(parts[-1], Node) else None
                    optional = _sign(parts) if not isinstance(parts[0], Node) else ""
                case _:
                    keys = self.type(child)
        assert keys is not None
        outer = self._bind((name,))
        made = Mapped(
            keys,
            UNANNOTATED if body is None else self.type(body),
            None if rename is None else self.type(rename),
            readonly,
            optional,
        )
        self._release(outer)
        return made


def _inferred(extends: Syntax) -> dict[str, Node | None]:
    """Return the variables that ``infer`` declares in ``extends``, with their constraints.

    Those of a conditional type in the place of ``extends`` are its own.
    """
    found: dict[str, Node | None] = {}
    pending: list[Syntax] = [extends]
    while pending:
        node = pending.pop()
        if not isinstance(node, Node):
            continue
        inner = list(node.children)
        if node.rule == "infer":
            name = _text(inner[0])
            found[name] = found.get(name) or (_node(inner[1]) if len(inner) > 1 else None)
        elif node.rule in ("conditional", "conditional_infer"):
            if node.rule == "conditional_infer":
                found.setdefault(_text(inner[0]), None)
            del inner[1]
        pending.extend(reversed(inner))
    return found


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


def _sign(parts: tuple[Syntax, ...]) -> Modifier:
    return "-" if _rule(parts[0]) == "MINUS" else "+"


def _parameter_names(node: Node) -> list[str]:
    return [
        next(
            part.text
            for part in _node(child).children
            if _rule(part) == "NAME" and isinstance(part, Token)
        )
        for child in node.children
    ]


def _parameter_name(syntax: Syntax) -> str:
    if isinstance(syntax, Token):
        return syntax.text
    return "{}" if syntax.rule == "object" else "[]"


def _rule(syntax: Syntax) -> str:
    return syntax.rule if isinstance(syntax, Node) else syntax.kind


def _node(syntax: Syntax) -> Node:
    assert isinstance(syntax, Node)
    return syntax


def _text(syntax: Syntax) -> str:
    assert isinstance(syntax, Token)
    return syntax.text


def _path(syntax: Syntax) -> tuple[str, ...]:
    return tuple([_text(child) for child in _node(syntax).children])
