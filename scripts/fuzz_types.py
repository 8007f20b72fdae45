"""Generates TypeScript: types and declarations as trees that can be printed, mutated and shrunk.

Everything is drawn from one ``random.Random``: the same seed gives the same cases.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

TYPES = frozenset(
    (
        "word", "array", "tuple", "union", "intersection", "object", "function", "constructor",
        "reference", "keyof", "access", "conditional", "mapped", "template",
    )
)  # fmt: skip
_LISTS = frozenset(("tuple", "union", "intersection", "object", "function", "constructor"))
_KEYWORDS = ("string", "number", "boolean", "bigint", "symbol", "object", "undefined", "null")
_TOPS = ("any", "unknown", "never", "void", "{}")
_LITERALS = ('"a"', '"b"', "1", "2", "true", "false", "1n")
_NAMES = ("a", "b", "c", "id", "kind")
_LIBRARY = (
    ("Promise", 1), ("PromiseLike", 1), ("Iterable", 1), ("ArrayLike", 1), ("Map", 2), ("Set", 1),
    ("ReadonlyMap", 2), ("ReadonlySet", 1), ("Date", 0), ("RegExp", 0), ("Error", 0),
    ("Function", 0), ("Object", 0), ("String", 0), ("Generator", 1), ("AsyncIterable", 1),
)  # fmt: skip
_UTILITIES = ("Partial", "Required", "Readonly", "NonNullable", "Awaited")


@dataclass(frozen=True, slots=True)
class Node:
    """A type, or a part of one; its kind determines how ``text`` and ``parts`` are printed."""

    kind: str
    text: str = ""
    parts: tuple[Node, ...] = ()

    def __str__(self) -> str:
        return _printed(self)


@dataclass(frozen=True, slots=True)
class Declared:
    """A declaration: ``head``, then ``body`` (an object for interfaces and classes)."""

    head: str
    body: Node
    name: str
    arity: int = 0
    value: bool = False

    def __str__(self) -> str:
        return f"{self.head}{self.body}" + ("" if self.body.kind == "object" else ";")


@dataclass(frozen=True, slots=True)
class Case:
    """Is ``source`` assignable to ``target``?  ``construct`` is the language feature under test."""

    construct: str
    declarations: tuple[Declared, ...]
    source: Node
    target: Node

    @property
    def size(self) -> int:
        bodies = [declared.body for declared in self.declarations]
        return sum(1 for root in (*bodies, self.source, self.target) for _ in walk(root))

    def document(self, identity: str) -> dict[str, str]:
        return {
            "id": identity,
            "decls": "\n".join(map(str, self.declarations)),
            "source": str(self.source),
            "target": str(self.target),
        }


def word(text: str) -> Node:
    return Node("word", text)


def _inner(node: Node) -> str:
    """Print a type where only a primary type is allowed."""
    text = str(node)
    closed = node.kind in ("word", "object", "tuple", "reference", "mapped", "template", "access")
    return text if closed else f"({text})"


def _parameters(node: Node) -> str:
    return f"({', '.join(map(str, node.parts[:-1]))})"


def _signature(node: Node) -> str:
    """Print the signature of a method; after a mutation it may not be a function."""
    if node.kind != "function":
        return f"(): {node}"
    return f"{node.text}{_parameters(node)}: {node.parts[-1]}"


def _printed(node: Node) -> str:
    parts = node.parts
    match node.kind:
        case "word":
            return node.text
        case "array":
            return f"{node.text}{_inner(parts[0])}[]"
        case "tuple":
            return f"{node.text}[{', '.join(map(str, parts))}]"
        case "element":
            inner = str(parts[0])
            return f"({inner})?" if node.text == "?" else f"{node.text}{_inner(parts[0])}"
        case "union" | "intersection":
            sign = " | " if node.kind == "union" else " & "
            return sign.join(map(_inner, parts)) or "never"
        case "object":
            return "{ " + "".join(f"{part}; " for part in parts) + "}"
        case "property" | "index":
            return f"{node.text}: {parts[0]}"
        case "method" | "call":
            return f"{node.text}{_signature(parts[0])}"
        case "parameter":
            return f"{node.text}: {parts[0]}"
        case "function":
            return f"{node.text}{_parameters(node)} => {parts[-1]}"
        case "constructor":
            return f"{node.text}new {_parameters(node)} => {parts[-1]}"
        case "reference":
            return f"{node.text}<{', '.join(map(str, parts))}>" if parts else node.text
        case "keyof":
            return f"keyof {_inner(parts[0])}"
        case "access":
            return f"{_inner(parts[0])}[{parts[1]}]"
        case "conditional":
            return f"{_inner(parts[0])} extends {_inner(parts[1])} ? {parts[2]} : {parts[3]}"
        case "mapped":
            before, name, after = node.text.split(",")
            return f"{{ {before}[{name} in {parts[0]}]{after}: {parts[1]} }}"
        case "template":
            return "`" + node.text.join(f"${{{part}}}" for part in parts) + "`"
        case "predicate":
            return f"{node.text}{_inner(parts[0])}"
        case _:
            raise ValueError(node.kind)


# Walking and changing ------------------------------------------------------------------------


def walk(node: Node, path: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], Node]]:
    yield path, node
    for i, part in enumerate(node.parts):
        yield from walk(part, (*path, i))


def replaced(node: Node, path: Sequence[int], new: Node | None) -> Node:
    """Return ``node`` with ``new`` at ``path``; None removes the part."""
    if not path:
        assert new is not None
        return new
    parts = list(node.parts)
    if len(path) == 1 and new is None:
        del parts[path[0]]
    else:
        parts[path[0]] = replaced(parts[path[0]], path[1:], new)
    return replace(node, parts=tuple(parts))


def removable(node: Node) -> Iterator[tuple[int, ...]]:
    """Yield the paths of removable parts: members, elements, parameters."""
    for path, inner in walk(node):
        if inner.kind in _LISTS:
            # The last part of a function is its result.
            last = len(inner.parts) - (inner.kind in ("function", "constructor"))
            least = 1 if inner.kind in ("union", "intersection") else 0
            for i in range(last):
                if last > least:
                    yield (*path, i)


def simpler(node: Node) -> Iterator[Node]:
    """Yield trees that are one step smaller, the largest steps first."""
    for path, inner in walk(node):
        if inner.kind in TYPES:
            for part in inner.parts:
                for _, below in zip(range(8), walk(part), strict=False):
                    if below[1].kind in TYPES:
                        yield replaced(node, path, below[1])
            if inner.parts:
                yield replaced(node, path, word("string"))
    for path in removable(node):
        yield replaced(node, path, None)


def shrunk(case: Case) -> Iterator[Case]:
    """Yield cases that are one step smaller; some of them will not compile."""
    for i in range(len(case.declarations)):
        rest = case.declarations[:i] + case.declarations[i + 1 :]
        yield replace(case, declarations=rest)
    for source in simpler(case.source):
        yield replace(case, source=source)
    for target in simpler(case.target):
        yield replace(case, target=target)
    for i, declared in enumerate(case.declarations):
        for body in simpler(declared.body):
            if body.kind == "object" or declared.body.kind != "object":
                new = (replace(declared, body=body),)
                rest = case.declarations[:i] + new + case.declarations[i + 1 :]
                yield replace(case, declarations=rest)


# Making ---------------------------------------------------------------------------------------


class Maker:
    """Generates random types, which may refer to ``declarations``."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.declarations: list[Declared] = []

    def type(self, depth: int, variables: Sequence[str] = ()) -> Node:
        if depth <= 0 or self.chance.random() < 0.15:
            return self.leaf(variables)
        kinds = (
            self.array, self.tuple, self.union, self.object, self.function, self.reference,
            self.object, self.function, self.union, self.intersection, self.operator,
        )  # fmt: skip
        return self.chance.choice(kinds)(depth - 1, variables)

    def leaf(self, variables: Sequence[str] = ()) -> Node:
        if variables and self.chance.random() < 0.5:
            return word(self.chance.choice(list(variables)))
        roll = self.chance.random()
        if roll < 0.12:
            return word(self.chance.choice(_TOPS))
        if roll < 0.45:
            return word(self.chance.choice(_LITERALS))
        plain = [declared for declared in self.declarations if not declared.arity]
        if plain and roll < 0.6:
            return self.named(self.chance.choice(plain), 0, variables)
        return word(self.chance.choice(_KEYWORDS[: 3 if roll < 0.9 else None]))

    def named(self, declared: Declared, depth: int, variables: Sequence[str]) -> Node:
        name = f"typeof {declared.name}" if declared.value else declared.name
        arguments = tuple(self.type(depth, variables) for _ in range(declared.arity))
        return Node("reference", name, arguments)

    def array(self, depth: int, variables: Sequence[str] = ()) -> Node:
        text = self.chance.choice(("", "", "readonly "))
        return Node("array", text, (self.type(depth, variables),))

    def tuple(self, depth: int, variables: Sequence[str] = ()) -> Node:
        count = self.chance.randint(0, 3)
        optional = self.chance.randint(0, count) if self.chance.random() < 0.3 else count
        parts = [
            Node("element", "?" if i >= optional else "", (self.type(depth, variables),))
            for i in range(count)
        ]
        if self.chance.random() < 0.3:
            parts.append(Node("element", "...", (self.array(depth - 1, variables),)))
        return Node("tuple", self.chance.choice(("", "", "readonly ")), tuple(parts))

    def union(self, depth: int, variables: Sequence[str] = ()) -> Node:
        count = self.chance.randint(2, 4)
        return Node("union", "", tuple(self.type(depth, variables) for _ in range(count)))

    def intersection(self, depth: int, variables: Sequence[str] = ()) -> Node:
        return Node("intersection", "", tuple(self.object(depth, variables) for _ in range(2)))

    def object(self, depth: int, variables: Sequence[str] = ()) -> Node:
        names = self.chance.sample(_NAMES, self.chance.randint(0, 3))
        parts = [self.member(name, depth, variables) for name in names]
        if self.chance.random() < 0.15:
            key = self.chance.choice(("[key: string]", "[key: number]"))
            parts = [] if key == "[key: string]" else parts
            parts.append(Node("index", key, (self.type(depth, variables),)))
        if self.chance.random() < 0.08:
            parts.append(Node("call", "", (self.function(depth, variables),)))
        return Node("object", "", tuple(parts))

    def member(self, name: str, depth: int, variables: Sequence[str]) -> Node:
        roll = self.chance.random()
        if roll < 0.2:
            return Node("method", name, (self.function(depth, variables),))
        flag = "?" if roll < 0.45 else ""
        before = "readonly " if roll > 0.9 else ""
        return Node("property", f"{before}{name}{flag}", (self.type(depth, variables),))

    def function(self, depth: int, variables: Sequence[str] = ()) -> Node:
        own: tuple[str, ...] = ()
        text = ""
        if self.chance.random() < 0.2 and not variables:
            own, text = (("T",), self.chance.choice(("<T>", "<T>", "<T extends string>")))
        within = (*variables, *own)
        count = self.chance.randint(0, 3)
        optional = self.chance.randint(0, count) if self.chance.random() < 0.3 else count
        parts = [
            Node("parameter", f"p{i}" + "?" * (i >= optional), (self.type(depth, within),))
            for i in range(count)
        ]
        if self.chance.random() < 0.15:
            parts.append(Node("parameter", "...rest", (self.array(depth - 1, within),)))
        result = self.type(depth, within) if self.chance.random() < 0.8 else word("void")
        return Node("function", text, (*parts, result))

    def constructor(self, depth: int, variables: Sequence[str] = ()) -> Node:
        made = self.function(depth, variables or ("string",))
        return Node("constructor", self.chance.choice(("", "abstract ")), made.parts)

    def reference(self, depth: int, variables: Sequence[str] = ()) -> Node:
        generic = [declared for declared in self.declarations if declared.arity]
        if generic and self.chance.random() < 0.5:
            return self.named(self.chance.choice(generic), depth, variables)
        name, arity = self.chance.choice(_LIBRARY)
        arguments = tuple(self.type(depth, variables) for _ in range(arity))
        return Node("reference", name, arguments)

    def operator(self, depth: int, variables: Sequence[str] = ()) -> Node:
        """Return keyof, an indexed access, a mapped, conditional, template or utility type."""
        whole = self.object(depth, variables)
        match self.chance.randrange(7):
            case 0:
                return Node("keyof", "", (whole,))
            case 1:
                names = [p.text.strip("?").split()[-1] for p in whole.parts if p.kind == "property"]
                key = word(f'"{self.chance.choice(names)}"') if names else word(f"keyof {whole}")
                return Node("access", "", (whole, key))
            case 2:
                text = self.chance.choice((",K,", ",K,?", "readonly ,K,", ",K,-?", "-readonly ,K,"))
                return Node("mapped", text, (Node("keyof", "", (whole,)), self.type(depth)))
            case 3:
                four = tuple(self.type(depth - 1, variables) for _ in range(4))
                return Node("conditional", "", four)
            case 4:
                holes = tuple(
                    word(self.chance.choice(("string", "number", '"a" | "b"'))) for _ in "xy"
                )
                return Node("template", self.chance.choice(("-", "", "a")), holes)
            case 5:
                return Node("reference", self.chance.choice(_UTILITIES), (whole,))
            case _:
                key = word(self.chance.choice(('"a"', '"a" | "b"', "string", "number")))
                return Node("reference", "Record", (key, self.type(depth, variables)))
