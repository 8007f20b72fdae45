"""Generates cases for the compiler: declarations, a source, and a similar target."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import replace

from fuzz_types import TYPES, Case, Declared, Maker, Node, removable, replaced, walk, word

_DEPTH = 3


class Cases:
    """An endless, seeded source of cases."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.maker = Maker(self.chance)
        self.constructs: Mapping[str, Callable[[], Node]] = {
            "literals and keywords": lambda: self._flat_union(),
            "arrays": lambda: self.maker.array(_DEPTH),
            "tuples": lambda: self.maker.tuple(_DEPTH),
            "unions": lambda: self.maker.union(_DEPTH),
            "intersections": lambda: self.maker.intersection(_DEPTH),
            "objects": lambda: self.maker.object(_DEPTH),
            "functions": lambda: self.maker.function(_DEPTH),
            "overloads": self._overloads,
            "generic functions": self._generic,
            "type guards": self._guard,
            "this parameters": self._this,
            "constructors": lambda: self.maker.constructor(_DEPTH),
            "library": lambda: self._library(),
            "operators": lambda: self.maker.operator(_DEPTH),
            "interfaces": lambda: self._declared(self._interface),
            "generic interfaces": lambda: self._declared(self._generic_interface),
            "classes": lambda: self._declared(self._class),
            "enums": lambda: self._declared(self._enum),
            "aliases": lambda: self._declared(self._alias),
            "recursive types": lambda: self._declared(self._recursive),
            "conditional aliases": lambda: self._declared(self._conditional),
            "mapped aliases": lambda: self._declared(self._mapped),
            "unique symbols": lambda: self._declared(self._symbol),
            "discriminated unions": self._discriminated,
            "variadic tuples": lambda: self._declared(self._variadic),
        }

    def case(self) -> Case:
        self.maker.declarations = []
        construct = self.chance.choice(list(self.constructs))
        source = self.constructs[construct]()
        target = source
        roll = self.chance.random()
        for _ in range(self.chance.randint(1, 3)):
            target = self._mutated(target)
        if roll < 0.1:
            target = self.constructs[construct]()
        elif roll < 0.5:
            source, target = target, source
        return Case(construct, tuple(self.maker.declarations), source, target)

    # Near misses --------------------------------------------------------------------------------

    def _mutated(self, node: Node) -> Node:
        """Return ``node`` with one change of a kind that occurs between versions of an API."""
        changes = (
            self._replace_part, self._remove_part, self._flip, self._widen, self._widen,
            self._add_member, self._union_with, self._follow,
        )  # fmt: skip
        for _ in range(8):
            changed = self.chance.choice(changes)(node)
            if changed is not None and changed != node:
                return changed
        return self.maker.type(2)

    def _place(self, node: Node, *kinds: str) -> tuple[tuple[int, ...], Node] | None:
        places = [(path, inner) for path, inner in walk(node) if inner.kind in kinds]
        return self.chance.choice(places) if places else None

    def _replace_part(self, node: Node) -> Node | None:
        place = self._place(node, *sorted(TYPES))
        return replaced(node, place[0], self.maker.type(1)) if place else None

    def _remove_part(self, node: Node) -> Node | None:
        paths = list(removable(node))
        return replaced(node, self.chance.choice(paths), None) if paths else None

    def _flip(self, node: Node) -> Node | None:
        """Turn optional or readonly on or off."""
        place = self._place(node, "property", "element", "parameter", "array", "tuple")
        if place is None:
            return None
        path, inner = place
        text = inner.text
        if inner.kind in ("array", "tuple") or (
            inner.kind == "property" and self.chance.random() < 0.3
        ):
            text = text[9:] if text.startswith("readonly ") else f"readonly {text}"
        elif not text.startswith("..."):
            text = text[:-1] if text.endswith("?") else f"{text}?"
        return replaced(node, path, replace(inner, text=text))

    def _widen(self, node: Node) -> Node | None:
        """Widen a literal to its keyword, or any type to a wider one."""
        place = self._place(node, "word", "reference", "object")
        if place is None:
            return None
        path, inner = place
        wider = {'"': "string", "1": "number", "2": "number", "t": "boolean", "f": "boolean"}
        if inner.kind == "word" and inner.text[0] in wider and inner.text not in wider.values():
            return replaced(node, path, word(wider[inner.text[0]]))
        top = self.chance.choice(("unknown", "any", "object", "{}", "never", "undefined"))
        return replaced(node, path, word(top))

    def _add_member(self, node: Node) -> Node | None:
        place = self._place(node, "object", "function")
        if place is None:
            return None
        path, inner = place
        if inner.kind == "object":
            new = self.maker.member(self.chance.choice(("d", "e", "a")), 1, ())
            return replaced(node, path, replace(inner, parts=(*inner.parts, new)))
        text = self.chance.choice(("more", "more?"))
        new = Node("parameter", text, (self.maker.type(1),))
        parts = (*inner.parts[:-1], new, inner.parts[-1])
        return replaced(node, path, replace(inner, parts=parts))

    def _union_with(self, node: Node) -> Node | None:
        place = self._place(node, *sorted(TYPES))
        if place is None:
            return None
        path, inner = place
        return replaced(node, path, Node("union", "", (inner, self.maker.type(1))))

    def _follow(self, node: Node) -> Node | None:
        """Replace a declaration's name by its body."""
        bodies = {d.name: d.body for d in self.maker.declarations if not d.arity and not d.value}
        places = [(path, inner) for path, inner in walk(node) if inner.text in bodies]
        if not places:
            return None
        path, inner = self.chance.choice(places)
        if any(
            part.text.startswith(("private ", "protected ")) for part in bodies[inner.text].parts
        ):
            return None
        return replaced(node, path, bodies[inner.text])

    # Constructs ---------------------------------------------------------------------------------

    def _flat_union(self) -> Node:
        count = self.chance.randint(1, 4)
        return Node("union", "", tuple(self.maker.leaf() for _ in range(count)))

    def _overloads(self) -> Node:
        count = self.chance.randint(2, 3)
        calls = (Node("call", "", (self.maker.function(2),)) for _ in range(count))
        return Node("object", "", tuple(calls))

    def _generic(self) -> Node:
        heads = ("<T>", "<T, U>", "<T extends string>", "<T, K extends keyof T>", "<T = string>")
        head = self.chance.choice(heads)
        variables = tuple(name for name in ("T", "U", "K") if name in head.replace("keyof T", ""))
        count = self.chance.randint(1, 3)
        parts = [Node("parameter", f"p{i}", (self.maker.type(2, variables),)) for i in range(count)]
        return Node("function", head, (*parts, self.maker.type(2, variables)))

    def _guard(self) -> Node:
        text = self.chance.choice(("x is ", "x is ", "asserts x is "))
        first = Node("parameter", "x", (word(self.chance.choice(("unknown", "any"))),))
        return Node("function", "", (first, Node("predicate", text, (self.maker.type(2),))))

    def _this(self) -> Node:
        made = self.maker.function(2)
        this = Node("parameter", "this", (self.maker.object(1),))
        return replace(made, parts=(this, *made.parts))

    def _library(self) -> Node:
        self.maker.declarations = []
        return self.maker.reference(2)

    def _discriminated(self) -> Node:
        tags = self.chance.sample(('"a"', '"b"', "1", "2", "true"), self.chance.randint(2, 3))
        members = []
        for tag in tags:
            kind = Node("property", "kind", (word(tag),))
            value = self.maker.member("value", 1, ())
            members.append(Node("object", "", (kind, value)))
        if self.chance.random() < 0.5:
            return Node("union", "", tuple(members))
        kinds = Node("union", "", tuple(map(word, tags)))
        value = Node("property", "value", (self.maker.type(1),))
        return Node("object", "", (Node("property", "kind", (kinds,)), value))

    def _declared(self, make: Callable[[str], Declared]) -> Node:
        for name in ("A", "B")[: self.chance.randint(1, 2)]:
            self.maker.declarations.append(make(name))
        declared = self.chance.choice(self.maker.declarations)
        named = self.maker.named(declared, 1, ())
        return named if self.chance.random() < 0.6 else self.maker.type(2)

    def _interface(self, name: str) -> Declared:
        body = self.maker.object(2)
        parents = [d.name for d in self.maker.declarations if not d.arity]
        head = f"interface {name} "
        if parents and self.chance.random() < 0.5:
            head += f"extends {parents[-1]} "
        return Declared(head, body, name)

    def _generic_interface(self, name: str) -> Declared:
        variance = self.chance.choice(("T", "T", "T = string", "T extends unknown"))
        body = self.maker.object(2, ("T",))
        extra = Node("property", "own", (self.maker.type(1, ("T",)),))
        return Declared(f"interface {name}<{variance}> ", _with(body, extra), name, 1)

    def _class(self, name: str) -> Declared:
        body = self.maker.object(2)
        body = replace(body, parts=tuple(p for p in body.parts if p.kind in ("property", "method")))
        hidden = self.chance.choice(("private h", "protected h", "h", "readonly h", "#h"))
        parents = [d for d in self.maker.declarations if d.head.startswith("declare class")]
        head = f"declare class {name} "
        if parents and self.chance.random() < 0.6:
            return Declared(f"{head}extends {parents[-1].name} ", Node("object"), name)
        value = self.chance.random() < 0.2
        return Declared(
            head, _with(body, Node("property", hidden, (word("string"),))), name, 0, value
        )

    def _enum(self, name: str) -> Declared:
        members = self.chance.choice(("X, Y", 'X = "x", Y = "y"', "X = 1, Y = 2", 'X = 1, Y = "y"'))
        self.maker.declarations.append(
            Declared(f"declare enum {name} ", word(f"{{ {members} }}"), name)
        )
        return Declared(f"type {name}X = ", word(f"{name}.X"), f"{name}X")

    def _alias(self, name: str) -> Declared:
        if self.chance.random() < 0.5:
            return Declared(f"type {name} = ", self.maker.type(2), name)
        return Declared(f"type {name}<T> = ", self.maker.type(2, ("T",)), name, 1)

    def _recursive(self, name: str) -> Declared:
        again = self.chance.choice(
            (f"{name} | null", f"{name}[]", f"Promise<{name}>", f"(x: {name}) => void", name)
        )
        flag = "?" if again == name else ""
        own = Node("property", f"next{flag}", (word(again),))
        return Declared(f"interface {name} ", _with(self.maker.object(1), own), name)

    def _conditional(self, name: str) -> Declared:
        bodies = (
            "T extends string ? 1 : 2",
            "T extends (infer E)[] ? E : never",
            "T extends Promise<infer P> ? P : T",
            "[T] extends [number] ? T : null",
            "T extends (...args: infer P) => infer R ? [P, R] : unknown",
            "T extends { a: infer X } ? X : { a: T }",
            "T extends readonly [infer H, ...infer R] ? [H, R] : []",
            "T extends `${infer H}${infer R}` ? R : T",
        )
        return Declared(f"type {name}<T> = ", word(self.chance.choice(bodies)), name, 1)

    def _mapped(self, name: str) -> Declared:
        bodies = (
            "{ [K in keyof T]: T[K][] }",
            "{ [K in keyof T]?: T[K] }",
            "{ readonly [K in keyof T]: () => T[K] }",
            "{ [K in keyof T as K extends string ? `get_${K}` : never]: T[K] }",
            "{ -readonly [K in keyof T]-?: T[K] }",
            "{ [K in keyof T]: T[K] extends string ? K : never }[keyof T]",
        )
        return Declared(f"type {name}<T> = ", word(self.chance.choice(bodies)), name, 1)

    def _variadic(self, name: str) -> Declared:
        bodies = (
            "[...T, string]",
            "[1, ...T]",
            "(...args: [...T, number]) => void",
            "[...T, ...T]",
            "readonly [...T]",
        )
        head = f"type {name}<T extends readonly unknown[]> = "
        return Declared(head, word(self.chance.choice(bodies)), name, 1)

    def _symbol(self, name: str) -> Declared:
        self.maker.declarations.append(
            Declared(f"declare const s{name}: ", word("unique symbol"), f"s{name}", 0, True)
        )
        member = Node("property", f"[s{name}]", (self.maker.type(1),))
        return Declared(f"interface {name} ", _with(self.maker.object(1), member), name)


def _with(body: Node, member: Node) -> Node:
    return replace(body, parts=(*body.parts, member))
