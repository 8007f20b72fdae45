"""Function types for laws about filters, as TypeScript text, similar enough to fit each other."""

from __future__ import annotations

import re

from hypothesis import strategies as st

DECLARES = (
    "interface Item { id: string; size?: number } interface Wide extends Item { name: string } "
    "class Box<V> { value: V; private secret: number } type Maybe<V> = V | undefined; "
    "type Flat<V> = { [K in keyof V]: V[K] } & {}; type TextKeys<V> = Exclude<keyof V, symbol>; "
    "type ValueOf<V> = V[keyof V]; "
    "type Choice<V> = V extends string ? Item : V extends number ? Date : Set<V>; "
    "interface Choices { item: Item; wide?: Wide[]; [other: string]: object | undefined } "
    "type Handler = (event: Item) => void; enum Level { Low, High } "
    "type Names = keyof Wide; interface Callable { (n: number): string; note: string }"
)

_LEAVES = (
    *("string", "number", "boolean", "null", "undefined", "void", "any", "unknown", "never"),
    *("object", "{}", '"a"', '"b"', "1", "true", "Item", "Wide", "Handler", "Level", "Level.Low"),
    *("Names", "Callable", "Function", "Date", "symbol", "bigint", "Level | string"),
)
_WRAPPERS = (
    *("{}[]", "readonly ({})[]", "Promise<{}>", "Iterable<{}>", "Set<{}>", "Box<{}>", "Maybe<{}>"),
    *("[{}, number]", "readonly [{}]", "{{ id: {} }}", "{{ id?: {} }}", "(x: {}) => void"),
    *("() => {}", "{} | undefined", "{} | null", "{} | string", "Item & {{ extra: {} }}"),
    *(
        "Partial<Wide>",
        "Pick<Wide, 'id'>",
        "Record<string, {}>",
        "PromiseLike<{}>",
        "ArrayLike<{}>",
    ),
    *("{} extends string ? number : {}", "{{ [key: string]: {} }}", "new () => {}"),
    # Computed types: what they are depends on type arguments.
    *("Choice<{}>", "Choices[{} extends string ? 'item' : 'wide']", "NonNullable<{}>"),
    *("{} extends (infer V)[] ? Set<V> : Iterable<{}>", "Wide & Choice<{}>", "Choice<{}> | {}"),
    *("Pick<Item & {}, 'id'>['id']", "({} & Item)['size']", "({} & {{ a: Date }})['a']"),
    *("{{ [K in {} & string]: Date }}", "{} extends Item ? never : Date", "Awaited<{}>"),
)


def types(variables: tuple[str, ...]) -> st.SearchStrategy[str]:
    leaves = st.sampled_from((*_LEAVES, *variables * 6))
    once = st.builds(_insert, st.sampled_from(_WRAPPERS), leaves)
    return st.one_of(leaves, once, st.builds(_insert, st.sampled_from(_WRAPPERS), once))


def _insert(wrapper: str, inner: str) -> str:
    compound = any(sign in inner for sign in "|&=? ")
    return (
        wrapper.replace("{}", f"({inner})" if compound else inner)
        .replace("{{", "{")
        .replace("}}", "}")
    )


@st.composite
def functions(draw: st.DrawFn) -> str:
    """A function type, sometimes generic, with up to three parameters."""
    head, variables = draw(
        st.sampled_from(
            [
                ("", ()),
                ("", ()),
                ("<T>", ("T",)),
                ("<T extends Item>", ("T",)),
                ("<T, U = T>", ("T", "U")),
                ("<T extends string | number, U extends T[]>", ("T", "U")),
            ]
        )
    )
    inside = types(variables)
    count = draw(st.integers(0, 3))
    optional_from = draw(st.integers(0, 5))
    parameters = [
        f"{name}{'?' if position >= optional_from else ''}: {draw(inside)}"
        for position, name in enumerate("abc"[:count])
    ]
    if draw(st.integers(0, 5)) == 0:
        parameters.append(f"...rest: ({draw(inside)})[]")
    result = draw(inside)
    if count and optional_from and draw(st.integers(0, 9)) == 0:
        result = draw(st.sampled_from(["a is any", "asserts a"]))
    return f"{head}({', '.join(parameters)}) => {result}"


@st.composite
def pairs(draw: st.DrawFn) -> tuple[str, str]:
    """A source and a target function type, mostly with something in common."""
    source = draw(functions())
    if draw(st.booleans()):
        return source, draw(functions())
    old, new = draw(st.sampled_from(_LEAVES)), draw(types(()))
    # Not the enum of an enum member: it is no type of its own.
    replaced = re.sub(rf"{re.escape(old)}(?!\.)", lambda _: f"({new})", source)
    target = replaced if draw(st.booleans()) else source
    return draw(st.sampled_from([(source, target), (target, source)]))
