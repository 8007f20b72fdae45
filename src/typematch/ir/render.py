"""Renders types as TypeScript text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import assert_never

from typematch.ir.intern import InternedNode, nodes_of
from typematch.ir.type_parts import (
    Element,
    IndexSignature,
    Parameter,
    Property,
    Signature,
    TypeParameter,
)
from typematch.ir.types import (
    ELLIPSIS,
    Array,
    Conditional,
    Free,
    IndexedAccess,
    Intersection,
    Intrinsic,
    KeyOf,
    Literal,
    Mapped,
    Named,
    Object,
    Reference,
    Template,
    Tuple,
    Type,
    TypeOf,
    Union,
    UniqueSymbol,
    Var,
)

# Precedences, lowest first.  A child with a lower precedence than its position needs parentheses.
_LOWEST, _UNION, _INTERSECTION, _PREFIX, _POSTFIX = range(5)
_LETTERS = "TUVWXYZABCDEFGHIJKLMNOPQRS"


def is_identifier(text: str) -> bool:
    """Return whether ``text`` can stand after a dot; reserved words can."""
    return text.replace("$", "_").isidentifier()


def plain_name(key: str) -> str:
    """Return the qualified name in a declaration's key: ``A.B`` of ``pkg/file.d.ts#A.B``."""
    return key.rpartition("#")[2]


def render(
    type: Type,  # noqa: A002
    *,
    names: Sequence[Sequence[str]] = (),
    display_name: Callable[[str], str] = plain_name,
) -> str:
    """Return ``type`` as TypeScript.

    Args:
        names: names of the variables of the enclosing binders, innermost binder last.  Binders
            inside ``type`` get letters T, U, V, ... that occur neither there nor as names in
            ``type``.
        display_name: the text of a ``Reference``, given its key.
    """
    return _Renderer(type, names, display_name).text(type, _LOWEST)


def render_members(
    type: Object,  # noqa: A002
    names: Sequence[str] = (),
    *,
    is_class: bool = False,
) -> list[str]:
    """Return the members of an interface or class as TypeScript, one or more texts for each.

    Args:
        names: of the type parameters of the declaration.
        is_class: construct signatures are constructors; private properties are left out.
    """
    return _Renderer(type, (names,), plain_name).members(type, is_class=is_class)


class _Renderer:
    def __init__(
        self, root: Type, names: Sequence[Sequence[str]], display_name: Callable[[str], str]
    ) -> None:
        self.binders: list[Sequence[str]] = list(names)
        self.display_name = display_name
        self.used_names = {name for binder in names for name in binder} | set(_first_segments(root))

    def text(self, node: Type, min_precedence: int = _LOWEST) -> str:
        text, precedence = self._text_and_precedence(node)
        return f"({text})" if precedence < min_precedence else text

    def _text_and_precedence(self, node: Type) -> tuple[str, int]:
        """Return the text of ``node``, and how tightly it binds."""
        match node:
            case Intrinsic(name):
                return {"unannotated": "_", "unreadable": "_"}.get(name, name), _POSTFIX
            case Literal(kind, text):
                return _literal(kind, text), _POSTFIX
            case Template():
                return self._template(node), _POSTFIX
            case Array(element, readonly):
                text = f"{self.text(element, _POSTFIX)}[]"
                return (f"readonly {text}", _PREFIX) if readonly else (text, _POSTFIX)
            case Tuple(elements, readonly):
                text = f"[{', '.join([self._element(item) for item in elements])}]"
                return (f"readonly {text}", _PREFIX) if readonly else (text, _POSTFIX)
            case Union(members):
                return " | ".join([self.text(member, _INTERSECTION) for member in members]), _UNION
            case Intersection(members):
                return " & ".join([self.text(item, _PREFIX) for item in members]), _INTERSECTION
            case Object():
                return self._object(node)
            case Var(depth, index):
                return self._variable(depth, index)
            case Free(name=name):
                return name, _POSTFIX
            case Named(path, arguments, module):
                return self._named(path, arguments, module), _POSTFIX
            case Reference(target, arguments):
                return self.display_name(target) + self._arguments(arguments), _POSTFIX
            case TypeOf():
                return self._typeof(node)
            case UniqueSymbol():
                return "unique symbol", _PREFIX
            case KeyOf(inner):
                return f"keyof {self.text(inner, _PREFIX)}", _PREFIX
            case IndexedAccess(object, index):
                return f"{self.text(object, _POSTFIX)}[{self.text(index)}]", _POSTFIX
            case Mapped():
                return self._mapped(node), _POSTFIX
            case Conditional():
                return self._conditional(node), _LOWEST
            case _:
                # mypy cannot check exhaustiveness: `Type` is a base class, not a union.
                raise TypeError(f"cannot render {node!r}: unknown class of type")

    def _variable(self, depth: int, index: int) -> tuple[str, int]:
        if depth >= len(self.binders) or index >= len(self.binders[-1 - depth]):
            return f"_{depth}_{index}", _POSTFIX
        binder = self.binders[-1 - depth]
        name = binder[index]
        return name, _PREFIX if name.startswith("infer ") else _POSTFIX

    def _fresh_names(self, count: int) -> list[str]:
        """Return unused names for the variables of a binder."""
        used = self.used_names.union(*self.binders)
        names: list[str] = []
        for name in _generated_names():
            if len(names) == count:
                break
            if name not in used:
                names.append(name)
        return names

    def _template(self, node: Template) -> str:
        parts = [_escape(node.texts[0], "`")]
        for inner, text in zip(node.types, node.texts[1:], strict=True):
            parts.append(f"${{{self.text(inner)}}}{_escape(text, '`')}")
        return f"`{''.join(parts)}`"

    def _element(self, element: Element) -> str:
        label = element.label
        match element.kind:
            case "required":
                return f"{label}: {self.text(element.type)}" if label else self.text(element.type)
            case "optional":
                if label:
                    return f"{label}?: {self.text(element.type)}"
                return f"{self.text(element.type, _POSTFIX)}?"
            case "rest":
                text = f"{self.text(element.type, _POSTFIX)}[]"
            case "variadic":
                text = self.text(element.type, _LOWEST if label else _PREFIX)
            case _:
                assert_never(element.kind)
        return f"...{label}: {text}" if label else f"...{text}"

    def _arguments(self, arguments: tuple[Type, ...]) -> str:
        return (
            f"<{', '.join([self.text(argument) for argument in arguments])}>" if arguments else ""
        )

    def _named(self, path: tuple[str, ...], arguments: tuple[Type, ...], module: str | None) -> str:
        if module is not None:
            path = (f"import({_literal('string', module)})", *path)
        return ".".join(path) + self._arguments(arguments)

    def _typeof(self, node: TypeOf) -> tuple[str, int]:
        path = "".join([f".{name}" for name in node.path])
        target = self.text(node.target) or "globalThis"  # the key of globals has no name
        return f"typeof {target}{path}{self._arguments(node.arguments)}", _PREFIX

    def _object(self, node: Object) -> tuple[str, int]:
        alone = not node.properties and not node.indexes
        if alone and len(node.calls) == 1 and not node.constructs:
            return self.signature(node.calls[0], " => "), _LOWEST
        if alone and len(node.constructs) == 1 and not node.calls:
            construct = node.constructs[0]
            new = "abstract new " if "abstract" in construct.modifier.split() else "new "
            return new + self.signature(construct, " => "), _LOWEST
        parts = self.members(node)
        return f"{{ {'; '.join(parts)} }}" if parts else "{}", _POSTFIX

    def members(self, node: Object, *, is_class: bool = False) -> list[str]:
        """Return the texts of the members, as ``render_members`` does."""
        parts = [self.signature(call, ": ") for call in node.calls]
        if is_class:
            parts += map(self._constructor, node.constructs)
        else:
            parts += [f"new {self.signature(item, ': ')}" for item in node.constructs]
        parts += [self._index(index) for index in node.indexes]
        for item in node.properties:
            if not is_class or item.visibility == "public":
                parts += self._property(item)
            elif item.visibility == "protected":
                parts += [f"protected {text}" for text in self._property(item)]
        return parts

    def _constructor(self, construct: Signature) -> str:
        """Return the text of a class's constructor; a private one without its parameters."""
        modifiers = construct.modifier.split()
        if "private" in modifiers:
            return "private constructor()"
        visibility = "protected " if "protected" in modifiers else ""
        return f"{visibility}constructor({', '.join(self._parameters(construct))})"

    def _index(self, index: IndexSignature) -> str:
        readonly = "readonly " if index.readonly else ""
        return f"{readonly}[key: {self.text(index.key)}]: {self.text(index.type)}"

    def _property(self, property_: Property) -> list[str]:
        name = member_text(property_.name, self.display_name) + ("?" if property_.optional else "")
        if property_.method and isinstance(property_.type, Object) and property_.type.calls:
            return [f"{name}{self.signature(call, ': ')}" for call in property_.type.calls]
        if property_.write is not None:
            setter = f"set {name}(value: {self.text(property_.write)})"
            getter = f"get {name}(): {self.text(property_.type)}"
            return [setter] if property_.type is property_.write else [getter, setter]
        readonly = "readonly " if property_.readonly else ""
        return [f"{readonly}{name}: {self.text(property_.type)}"]

    def signature(self, signature: Signature, arrow: str) -> str:
        """Return the text of a signature, with ``arrow`` (`` => `` or ``: ``) before the result."""
        head = ""
        if signature.type_parameters:
            names = self._fresh_names(len(signature.type_parameters))
            self.binders.append(names)
            items = zip(names, signature.type_parameters, strict=True)
            head = f"<{', '.join([self._type_parameter(name, item) for name, item in items])}>"
        parts = [] if signature.this is None else [f"this: {self.text(signature.this)}"]
        parts += self._parameters(signature)
        text = f"{head}({', '.join(parts)}){arrow}{self._result(signature)}"
        if signature.type_parameters:
            self.binders.pop()
        return text

    def _type_parameter(self, name: str, parameter: TypeParameter) -> str:
        text = f"const {name}" if parameter.const else name
        if parameter.constraint is not None:
            text += f" extends {self.text(parameter.constraint)}"
        return text if parameter.default is None else f"{text} = {self.text(parameter.default)}"

    def _parameters(self, signature: Signature) -> list[str]:
        return [self._parameter(item, i) for i, item in enumerate(signature.parameters)]

    def _parameter(self, parameter: Parameter, position: int) -> str:
        if parameter.type is ELLIPSIS:
            return "..."
        name = parameter.name or f"arg{position}"
        rest = "..." if parameter.rest else ""
        return f"{rest}{name}{'?' if parameter.optional else ''}: {self.text(parameter.type)}"

    def _result(self, signature: Signature) -> str:
        predicate = signature.predicate
        if predicate is None:
            return self.text(signature.returns)
        name = "this"
        if predicate.parameter >= 0:
            name = signature.parameters[predicate.parameter].name or f"arg{predicate.parameter}"
        text = f"asserts {name}" if predicate.asserts else name
        return text if predicate.type is None else f"{text} is {self.text(predicate.type)}"

    def _mapped(self, node: Mapped) -> str:
        keys = self.text(node.keys)
        names = self._fresh_names(1)
        self.binders.append(names)
        rename = "" if node.rename is None else f" as {self.text(node.rename)}"
        body = self.text(node.type)
        self.binders.pop()
        readonly = {"": "", "+": "readonly ", "-": "-readonly "}[node.readonly]
        optional = {"": "", "+": "?", "-": "-?"}[node.optional]
        return f"{{ {readonly}[{names[0]} in {keys}{rename}]{optional}: {body} }}"

    def _conditional(self, node: Conditional) -> str:
        check = self.text(node.check, _UNION)
        if isinstance(node.check, Var) and not node.distributive:
            check = f"({check})"
        no = self.text(node.no)
        if node.infer:
            names = self._fresh_names(len(node.infer))
            declarations = _InferDeclarations(self, names, node.infer)
            self.binders.append(declarations)
            extends = self.text(node.extends, _UNION)
            declarations.declaring = False
        else:
            extends = self.text(node.extends, _UNION)
        yes = self.text(node.yes)
        if node.infer:
            self.binders.pop()
        return f"{check} extends {extends} ? {yes} : {no}"


class _InferDeclarations(Sequence[str]):
    """The names of ``infer`` variables, rendered as ``infer X`` while ``declaring`` is true."""

    def __init__(
        self, renderer: _Renderer, names: Sequence[str], parameters: Sequence[TypeParameter]
    ) -> None:
        self.renderer = renderer
        self.names = names
        self.parameters = parameters
        self.declaring = True

    def __len__(self) -> int:
        return len(self.names)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __getitem__(self, index):  # type: ignore[no-untyped-def]
        if not self.declaring:
            return self.names[index]
        constraint = self.parameters[index].constraint
        if constraint is None:
            return f"infer {self.names[index]}"
        self.declaring = False
        text = self.renderer.text(constraint)
        self.declaring = True
        return f"(infer {self.names[index]} extends {text})"


def member_text(name: str, display_name: Callable[[str], str] = plain_name) -> str:
    """Return a property name as written in TypeScript: plain, quoted, or in brackets."""
    if name.startswith("@?"):
        return f"[{name[2:]}]"
    if name.startswith("@@"):
        key = name[2:]
        return f"[{display_name(key)}]" if "#" in key else f"[Symbol.{key}]"
    if is_identifier(name) or name.startswith("#") or (name.isascii() and name.isdigit()):
        return name
    return _literal("string", name)


def _literal(kind: str, text: str) -> str:
    if kind == "string":
        return f'"{_escape(text, chr(34))}"'
    return f"{text}n" if kind == "bigint" else text


def _escape(text: str, quote: str) -> str:
    text = text.replace("\\", "\\\\").replace(quote, f"\\{quote}")
    if quote == "`":
        return text.replace("${", "\\${").replace("\r", "\\r")
    return text.replace("\n", "\\n").replace("\r", "\\r").replace("\0", "\\x00")


def _generated_names() -> Iterator[str]:
    yield from _LETTERS
    number = 1
    while True:
        yield from [f"{letter}{number}" for letter in _LETTERS]
        number += 1


def _first_segments(root: InternedNode) -> Iterator[str]:
    """Yield the first segments of the names in a type."""
    for node in nodes_of(root):
        match node:
            case Named(path, _, None) if path:
                yield path[0]
            case Reference(target):
                yield plain_name(target).split(".")[0]
            case Free(name=name):
                yield name
            case _:
                pass
