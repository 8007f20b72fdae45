"""The parser of types agrees with the TypeScript front end; malformed types have an error."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from typematch.errors import TypeSyntaxError
from typematch.ir.constructors import function
from typematch.ir.type_parts import Parameter, Signature, TypeParameter
from typematch.ir.types import ELLIPSIS, NUMBER, STRING, WILDCARD, Array, Named, Object, Type, Var
from typematch.query.signature.type_expr import read_signature, read_type
from typematch.sources.typescript import read_type as read_typescript

# Types of published packages and of the compiler's library, and all syntax that they use.
REAL = [
    "string",
    "| 'a' | \"b\" | 1 | -1 | 1n | -5n | true | null | undefined",
    "0x10 | 1e3 | .5 | 1_000 | 0b11 | 1e21",
    "string[][] | readonly string[] | readonly [number, string]",
    "[first: string, second?: number, ...others: boolean[]]",
    "[string, number?, ...Items]",
    "Map<string, Array<Set<Item>>>",
    "(this: Window, event: MessageEvent<any>) => any",
    "(value: unknown) => value is string",
    "(value: unknown) => asserts value",
    "(this: Foo, value: unknown) => asserts value is string[]",
    "(value: any) => this is Foo<Bar>",
    "new (...arguments_: any[]) => object",
    "abstract new <Item>(item: Item) => Box<Item>",
    "<Item extends Named = Named, const Key extends keyof Item = keyof Item>(i: Item) => Item[Key]",
    "({ left, right: { deep } }: Pair, [head]: List, ...[tail]: Rest) => void",
    "({ first: one, 'x-y': two, ...rest }: Pair, [head, [deep], last]: List) => void",
    "{ (text: string): number; new (text: string): Foo; <Item>(item: Item): Item }",
    "{ (text: string): void\n <Item>(b: Item): Item }",
    "{ a: string\n b?: number, readonly c: Foo; [key: string]: unknown }",
    "{ readonly [index: number]: string; [key: string | symbol]: Foo }",
    "{ get value(): string\n set value(to: string | number)\n set other(to: Foo) }",
    "{ method(): void\n method(text: string): number\n optional?<Item>(item: Item): Item }",
    "{ new: 1, get: 2, set?: 3, readonly: 4, in: 5, is(): 6, keyof: 7, typeof: 8, type: 9 }",
    "{ [Symbol.iterator](): Iterator<Foo>; 'quoted-name': 1; 42: 2; ['some']: 3; [key.path]: 4 }",
    "{ a; b?; c }",
    "{ readonly [Key in keyof Item]?: Item[Key] }",
    "{ -readonly [Key in keyof Item as `get${Capitalize<Key>}`]-?: () => Item[Key] }",
    "{ +readonly [Key in 'a' | 'b']+?: Key }",
    "{ [Key in Name]: { [Other in Key]: [Key, Other] } }",
    "Item extends string ? 'text' : Item extends number ? 'number' : never",
    "Item extends (infer Element)[] ? Element : Item",
    "Item extends [infer Head extends string, ...infer Tail] ? [Head, Tail] : never",
    "Item extends infer Head extends string ? Head : never",
    "Item extends (...arguments_: infer Arguments) => infer Result ? [Arguments, Result] : never",
    "Item extends { a: infer Same; b: infer Same } ? Same : never",
    "Item extends (Other extends infer Inner ? Inner : infer Outer) ? Outer : never",
    "<Item>(item: Item) => Item extends string ? 1 : 2",
    "<Item>(item: Item) => (Item) extends string ? 1 : 2",
    "`a${string}b${`nested-${number}`}c`",
    "`plain`",
    "`\\n\\u{41}`",
    "'\\x41\\u0042\\n\\''",
    "keyof typeof value | typeof import('mod').name | typeof value.of.path<string>",
    "import('./types').Result<Foo>['key']",
    "import('mod')",
    "unique symbol",
    "keyof Foo[]",
    "(keyof Foo)[]",
    "Foo['bar'][number]['baz']",
    "Foo & { a: string } & (Bar | Baz)",
    "A.B.C<D.E>",
    "() => () => void",
    "(a: (b: (c: string) => void) => void) => void",
    "{ a: string /* why */ // because\n b: number }",
    "{\n  extends: string\n  as: number\n  infer: boolean\n}",
    "{ a: Foo extends Bar\n ? 1\n : 2\n b: 3 }",
    "this | any | unknown | never",
    "typeof this.value",
    "new () => Foo extends Bar ? 1 : 2",
    "Foo | readonly Bar[] extends Baz ? 1 : 2",
    "Foo & readonly Bar[] | Baz extends readonly Foo[] ? Foo | readonly [] extends Bar ? 1 : 2 : 3",
    "(is: string, asserts: number, keyof: boolean, infer?: Foo, readonly?: Bar) => is is string",
]


@pytest.mark.parametrize("text", REAL)
def test_both_parsers_return_the_same_type(text: str) -> None:
    assert read_type(text) is read_typescript(text)


@pytest.mark.xfail(reason="known gap: tree-sitter's grammar misparses these", strict=True)
@pytest.mark.parametrize(
    "text",
    ["`a${() => void}b`", "`a${readonly Foo[]}b`", "(Generic<<Item>(a: Item) => Item, Foo>)[]"],
)
def test_both_parsers_return_the_same_type_despite_known_gaps(text: str) -> None:
    assert read_type(text) is read_typescript(text)


_names = st.sampled_from(
    ["Foo", "Bar", "Item", "string", "number", "unknown", "Outer.Inner", "this"]
)
_keys = st.sampled_from(
    ["a", "b", "get", "new", "readonly", "'quoted key'", "7", "[Symbol.iterator]", "type"]
)


def _separated(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Parenthesise a generic function after `<`: `<<` is a known gap inside parentheses."""
    return inner.map(lambda text: f"({text})" if text.startswith("<") else text)


def _compound(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Return texts of types composed of ``inner`` ones, parenthesised where needed."""
    parenthesised = inner.map(lambda text: f"({text})")
    several = st.lists(parenthesised, min_size=1, max_size=3)
    separators = st.sampled_from(["; ", ", ", "\n"])
    signs = st.sampled_from(["", "-", "+"])
    member = st.builds(
        "{}{}{}: {}".format,
        st.sampled_from(["", "readonly "]),
        _keys,
        st.sampled_from(["", "?"]),
        inner,
    )
    call = st.builds(
        "{}(x: {}, ...y: {}[]): {}".format,
        st.sampled_from(["", "new ", "m"]),
        inner,
        parenthesised,
        inner,
    )
    return st.one_of(
        several.map(" | ".join),
        several.map(" & ".join),
        parenthesised.map("{}[]".format),
        parenthesised.map("keyof {}".format),
        inner.map("readonly ({})[]".format),
        st.builds("{}[{}]".format, parenthesised, inner),
        several.map(lambda parts: f"[{', '.join(parts)}]"),
        st.builds("[one: {}, two?: {}, ...{}[]]".format, inner, inner, parenthesised),
        st.builds("Generic<{}, {}>".format, _separated(inner), inner),
        st.builds("(a: {}, b?: {}) => {}".format, inner, inner, inner),
        st.builds("<Item extends {}>(a: Item, ...b: {}) => Item".format, inner, inner),
        st.builds("new (a: {}) => {}".format, inner, parenthesised),
        st.builds("(a: {}) => a is {}".format, inner, inner),
        st.builds("{} extends {} ? {} : {}".format, parenthesised, parenthesised, inner, inner),
        st.builds(
            "{} extends (infer Inner)[] ? [Inner, {}] : {}".format, parenthesised, inner, inner
        ),
        st.builds(lambda a, s, b: f"{{ {a}{s}{b} }}", member, separators, call),
        st.builds("{{ {}readonly [Key in {}]{}?: [Key, {}] }}".format, signs, inner, signs, inner),
        parenthesised.map(lambda text: f"`a${{{text}}}b`"),
    )


TYPE_TEXTS = st.recursive(
    st.one_of(_names, st.sampled_from(["1", "-2", "'text'", "true", "null", "10n", "`x`"])),
    _compound,
    max_leaves=8,
)


@given(TYPE_TEXTS)
def test_both_parsers_agree_on_generated_types(text: str) -> None:
    assert read_type(text) is read_typescript(text)


def _call(returns: Type, *types: Type, variables: int = 0) -> Object:
    parameters = tuple(Parameter("", item) for item in types)
    return Object(calls=(Signature(parameters, returns, (TypeParameter(),) * variables),))


T, U = Var(0, 0), Var(0, 1)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            "(string) => number", _call(NUMBER, STRING), id="a parameter without a colon is a type"
        ),
        pytest.param("string -> number", _call(NUMBER, STRING), id="no parentheses, thin arrow"),
        pytest.param(
            "(T[], U) => T", _call(T, Array(T), U, variables=2), id="capitals are variables"
        ),
        pytest.param(
            "(?a) => ?a", _call(T, T, variables=1), id="names with a question mark are variables"
        ),
        pytest.param("(string) =>", _call(WILDCARD, STRING), id="no result yet"),
        pytest.param(
            "=> string", function([Parameter("", ELLIPSIS, False, True)], STRING), id="result only"
        ),
        pytest.param(
            "(f: (...) => _) => _",
            function(
                [Parameter("f", function([Parameter("", ELLIPSIS, False, True)], WILDCARD))],
                WILDCARD,
            ),
            id="any function",
        ),
        pytest.param(
            "<K extends string>(K, T) => K",
            Object(
                calls=(
                    Signature(
                        (Parameter("", T), Parameter("", U)),
                        T,
                        (TypeParameter(STRING), TypeParameter()),
                    ),
                )
            ),
            id="declared type parameters come first",
        ),
        pytest.param(
            "(f: <U>(x: U, y: T) => U) => T",
            Object(
                calls=(
                    Signature(
                        (
                            Parameter(
                                "f",
                                Object(
                                    calls=(
                                        Signature(
                                            (Parameter("x", T), Parameter("y", Var(1, 0))),
                                            T,
                                            (TypeParameter(),),
                                        ),
                                    )
                                ),
                            ),
                        ),
                        T,
                        (TypeParameter(),),
                    ),
                )
            ),
            id="an inner binder shadows the query's variable",
        ),
        pytest.param("(string?, number) => T", None, id="an optional parameter without a name"),
    ],
)
def test_signatures_are_completed_and_bound(text: str, expected: Object | None) -> None:
    read = read_signature(text)
    if expected is None:
        assert [p.optional for p in read.type.calls[0].parameters] == [True, False]
    else:
        assert read.type is expected


def test_variables_keep_their_names() -> None:
    assert read_signature("<Key>(Key, T, ?rest) => T").variables == ("Key", "T", "?rest")


def test_a_declared_variable_may_have_a_long_name() -> None:
    read = read_signature(
        "<Args extends any[], R1>(f: (...args: Args) => R1) => <R1>(x: Args) => R1"
    )
    [call] = read.type.calls
    inner = call.returns
    assert isinstance(inner, Object)
    assert call.parameters[0].type is Object(
        calls=(Signature((Parameter("args", Var(0, 0), False, True),), Var(0, 1)),)
    )
    assert inner.calls[0].parameters[0].type is Var(1, 0)
    assert inner.calls[0].returns is Var(0, 0)


def test_in_a_type_search_a_variable_is_a_wildcard() -> None:
    assert read_type("Promise<T>") is Named(("Promise",), (WILDCARD,))


@pytest.mark.parametrize(
    ("text", "column", "expected"),
    [
        ("{ a: ", 4, "a type"),
        ("(string", 7, "')'"),
        ("Map<string", 10, "'>'"),
        ("(a: string)", 11, "'=>'"),
        ("A B", 2, "the end"),
        ("[a, b", 5, "']'"),
        ("{ [K in A]: B; c: D }", 2, ""),
        ("string & # number", 9, ""),
        ("'open", 0, ""),
        ("`open ${string", 14, "'}'"),
        ("{ ...rest }", 2, ""),
        ("x is string", 2, ""),
    ],
)
def test_a_malformed_type_has_an_error_with_its_column(
    text: str, column: int, expected: str
) -> None:
    with pytest.raises(TypeSyntaxError) as caught:
        read_type(text)
    assert caught.value.column == column
    if expected:
        assert expected in caught.value.expected


@pytest.mark.parametrize(
    "text",
    [
        "(" * 5000,
        "[" * 5000 + "]" * 5000,
        "Array<" * 5000,
        "keyof " * 5000 + "Foo",
        "string" + "[]" * 5000,
        "() => " * 5000 + "void",
        "Foo extends Bar ? 1 : " * 2000 + "2",
        "`${" * 3000,
    ],
)
def test_deep_nesting_is_an_error(text: str) -> None:
    with pytest.raises(TypeSyntaxError, match="nested deeper"):
        read_type(text)


def _parse_or_syntax_error(read: Callable[[str], object], text: str) -> None:
    try:
        read(text)
    except TypeSyntaxError as caught:
        error = caught
    else:
        return
    assert 0 <= error.column <= len(text)
    assert str(error)


@given(st.text(max_size=40))
def test_any_text_is_a_type_or_an_error(text: str) -> None:
    for read in (read_type, read_signature):
        _parse_or_syntax_error(read, text)


@given(
    st.lists(
        st.sampled_from(
            [
                "(",
                ")",
                "[",
                "]",
                "{",
                "}",
                "<",
                ">",
                ",",
                ";",
                ":",
                "?",
                "=>",
                "...",
                "|",
                "&",
                "-",
                "=",
                "_",
                "T",
                "is",
                "in",
                "as",
                "new",
                "get",
                "`${",
                "`",
                "}",
                "infer",
                "extends",
                "keyof",
                "'x'",
                "1",
                "a\n",
            ]
        ),
        max_size=14,
    )
)
def test_any_sequence_of_tokens_is_a_type_or_an_error(tokens: list[str]) -> None:
    text = " ".join(tokens)
    _parse_or_syntax_error(read_signature, text)
