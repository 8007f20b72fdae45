"""Read what a noun phrase says: the type it names, as far as the phrase alone tells it.

What only the rest of the sentence tells (an array of what? a predicate on what?) is left open:
``open_types`` fills it in.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from typematch.ir.constructors import function, union
from typematch.ir.types import (
    NULL,
    STRING,
    Array,
    Element,
    Named,
    Parameter,
    Tuple,
    Type,
)
from typematch.query.english.tokens import NOUNS
from typematch.query.english.type_holes import open_type
from typematch.query.signature.grammar import Syntax, SyntaxNode
from typematch.query.signature.lexer import Token
from typematch.query.signature.syntax import node_of, text_of
from typematch.query.signature.type_expr import read_type

_MOST_NOUNS = 10  # in one phrase: pairs of pairs of pairs double with each
_CERTAIN = frozenset(("ATOM", "LIST", "KEYED", "PAIR", "TYPE", "VAR", "FUNC"))
_RESULTS = {"predicate": "boolean", "comparator": "number", "callback": "void", "node": "void"}


@dataclass(frozen=True, slots=True)
class NounPhrase:
    """What a noun phrase says.

    Attributes:
        type: with open places.
        noun: the tag of its head.
        article: ``a``, ``the``, ``that`` or empty.
        count: how many of them: "two dates".
        many: an unsaid number of them: "users".
        optional: it may be left out.
        sure: the words have one meaning.
        about: what it is of: "the length *of a string*".
        column, end: the phrase is text[column:end].
    """

    type: Type
    noun: str
    article: str = ""
    count: int = 1
    optional: bool = False
    sure: bool = True
    many: bool = False
    about: NounPhrase | None = None
    column: int = 0
    end: int = 0


def spoken(node: SyntaxNode) -> NounPhrase:
    """Return what a node of the rules ``recast``, ``union``, ``narrow`` or ``np`` says."""
    match node.rule:
        case "np":
            return _noun_phrase(node)
        case "union" | "narrow":
            return _one_of([spoken(part) for part in nodes(node)])
        case "recast":  # "its path as a string"
            first, second = [spoken(part) for part in nodes(node)]
            return replace(second, article=first.article, column=node.column, end=node.end)
        case rule:
            raise AssertionError(f"no noun phrase: {rule}")


def gathered(said: NounPhrase) -> NounPhrase:
    """Return ``said`` as it is passed: many users are an array of them."""
    if not said.many or said.count > 1:
        return said
    return replace(said, type=Array(said.type), many=False, sure=False)


def nodes(node: SyntaxNode) -> list[SyntaxNode]:
    return [child for child in node.children if isinstance(child, SyntaxNode)]


def _one_of(members: Sequence[NounPhrase]) -> NounPhrase:
    first = members[0]
    if len(members) == 1:
        return first
    types = [member.type for member in members]
    return replace(
        first,
        type=union(types),
        sure=all(member.sure for member in members),
        end=members[-1].end,
        about=None,
    )


def _noun_phrase(node: SyntaxNode) -> NounPhrase:
    if _nouns_inside(node) > _MOST_NOUNS:
        return NounPhrase(
            open_type("untold"), "UNTOLD", sure=False, column=node.column, end=node.end
        )
    head = _head(node_of(node.children[-1]))
    article, count, optional, many, unknown = "", 1, False, False, False
    for before in node.children[:-1]:
        [word] = [child for child in node_of(before).children if isinstance(child, Token)]
        match word.kind:
            case "DET":
                article = article or word.text
            case "SAME":
                article = "that"
            case "COUNT":
                count = int(word.text)
                article = article or "a"
            case "MANY":
                many = True
            case "FLAT" if head.type == Array(open_type("element")):
                head = replace(head, type=Array(open_type("flat element")))
            case "OPTIONAL":
                optional = True
            case "NULLABLE":
                head = replace(head, type=union((head.type, NULL)))
            case _:
                unknown = True
    return replace(
        head,
        article=article,
        count=count,
        optional=optional,
        many=many,
        sure=head.sure and not (unknown and head.noun in ("ROLE", "DECLARED", "VALUE")),
        column=node.column,
        end=node.end,
    )


def _nouns_inside(node: SyntaxNode) -> int:
    """Count the nouns of a phrase and of all that it is of."""
    return sum(
        (child.kind in NOUNS) if isinstance(child, Token) else _nouns_inside(child)
        for child in node.children
    )


def _head(node: SyntaxNode) -> NounPhrase:
    match node.rule:
        case "plain":
            return _plain(_nouns(node.children[0]))
        case "of":
            return _of(node)
        case "keyed":
            types = [spoken(part).type for part in nodes(node)]
            return NounPhrase(Named((text_of(node.children[0]),), tuple(types)), "KEYED")
        case "mapping":
            source, target = [spoken(part) for part in nodes(node)]
            return NounPhrase(_function([source.type], target.type), "FUNC", sure=source.sure)
        case "function":
            return _function_told(node)
        case "swapped":
            return NounPhrase(open_type("swapped"), "FUNC")
        case "later":
            kind = text_of(node.children[-1])
            return NounPhrase(open_type(f"async {kind}"), "FUNC")
        case rule:
            raise AssertionError(f"no head of a noun phrase: {rule}")


def _nouns(syntax: Syntax) -> list[Token]:
    return [
        token
        for noun in node_of(syntax).children
        for token in node_of(noun).children
        if isinstance(token, Token)
    ]


# -- single nouns and compounds --------------------------------------------------------------------


def _plain(words: Sequence[Token]) -> NounPhrase:
    """Return what nouns in a row say: "string", "string array", "boolean flag"."""
    last, before = words[-1], words[:-1]
    if not before:
        return _single(last)
    inner = _plain(before)
    sure = inner.sure and last.kind in _CERTAIN
    match last.kind:
        case "VALUE" | "UNIT" if before[-1].kind not in ("LIST", "KEYED"):
            return replace(inner, sure=inner.sure)
        case "LIST":
            return NounPhrase(_container(last.text, inner.type), "LIST", sure=sure)
        case "PAIR":
            return NounPhrase(_tuple([inner.type, inner.type]), "PAIR", sure=False)
        case "FUNC" if before[-1].kind in ("ATOM", "DECLARED"):
            return NounPhrase(open_type(last.text, inner.type), "FUNC", sure=False)
        case _:
            return replace(_single(last), sure=last.kind == "ATOM")


def _single(word: Token) -> NounPhrase:
    sure = word.kind in _CERTAIN
    match word.kind:
        case "ATOM" | "ROLE" | "TYPE" | "UNIT":
            return NounPhrase(_written(word.text), word.kind, sure=sure)
        case "VAR":
            return NounPhrase(Named((word.text,)), "VAR")
        case "DECLARED":
            return NounPhrase(Named(tuple(word.text.split("."))), "DECLARED", sure=False)
        case "LIST":
            return NounPhrase(_container(word.text, open_type("element")), "LIST")
        case "KEYED" if word.text in ("Either", "Result"):
            return NounPhrase(Named((word.text,), (open_type("left"), open_type("right"))), "KEYED")
        case "KEYED":
            key = STRING if word.text == "Record" else open_type("key")
            return NounPhrase(Named((word.text,), (key, open_type("entry value"))), "KEYED")
        case "PAIR" if word.text == "entry":
            return NounPhrase(_tuple([open_type("key"), open_type("entry value")]), "PAIR")
        case "PAIR":
            return NounPhrase(open_type(word.text), "PAIR")
        case "VALUE" | "FUNC" | "UNTOLD":
            return NounPhrase(open_type(word.text), word.kind, sure=word.kind in _CERTAIN)
        case kind:
            raise AssertionError(f"no noun: {kind}")


def _written(text: str) -> Type:
    """Return the type that the vocabulary, or somebody who knows TypeScript, wrote."""
    # Letters stay names: which variable they are is settled with the whole sentence.
    return read_type(text, letters=False)


def _container(name: str, element: Type) -> Type:
    match name:
        case "Array":
            return Array(element)
        case "Matrix":
            return Array(Array(element))
        case _:
            return Named((name,), (element,))


def _tuple(types: Sequence[Type]) -> Tuple:
    return Tuple(tuple([Element(type_) for type_ in types]))


# -- "X of Y" --------------------------------------------------------------------------------------


def _of(node: SyntaxNode) -> NounPhrase:
    words = _nouns(node.children[0])
    inner = [spoken(part) for part in nodes(node)[1:]]
    first, types = inner[0], [part.type for part in inner]
    last = words[-1]
    sure = all(part.sure for part in inner)
    match last.kind:
        case "LIST":
            return NounPhrase(_container(last.text, types[0]), "LIST", sure=sure)
        case "KEYED":
            key = STRING if last.text == "Record" else open_type("key")
            key = open_type("left") if last.text in ("Either", "Result") else key
            pair = types if len(types) > 1 else [key, types[0]]
            return NounPhrase(Named((last.text,), tuple(pair)), "KEYED", sure=sure)
        case "PAIR":
            repeated = types if len(types) > 1 else types * (3 if last.text == "triple" else 2)
            return NounPhrase(_tuple(repeated), "PAIR", sure=sure)
        case "FUNC":
            return NounPhrase(open_type(last.text, *types * first.count), "FUNC", sure=sure)
        case "DECLARED":
            return NounPhrase(
                Named(tuple(last.text.split(".")), tuple(types)), "DECLARED", sure=False
            )
        case "ATOM" if last.text == "object" and first.noun != "VALUE":
            return NounPhrase(Named(("Record",), (STRING, types[0])), "KEYED", sure=False)
        case _:
            told = _plain(words)
            return replace(told, about=first if first.article in ("a", "the") else None)


# -- functions -------------------------------------------------------------------------------------


def _function_told(node: SyntaxNode) -> NounPhrase:
    """Return a function whose arguments or result are told."""
    sort = ""
    inputs: list[NounPhrase] | None = None
    arity = -1
    result: Type | None = None
    given = False
    for child in node.children:
        match child:
            case Token("FUNC", text):
                sort = text
            case SyntaxNode("nouns"):
                sort = _nouns(child)[-1].text
            case Token("ARITY", text):
                arity = int(text.lstrip("<>="))
            case Token("WHETHER"):
                result = read_type("boolean")
            case Token("GIVE"):
                given = True
            case SyntaxNode("inputs"):
                inputs = [spoken(part) for part in nodes(child)]
            case SyntaxNode() if given:
                result = gathered(spoken(child)).type
            case _:
                pass
    if result is None and (sort in _RESULTS or sort != "function"):
        result = read_type(_RESULTS.get(sort, "_"))
    types = [gathered(part).type for part in inputs or () for _ in range(part.count)]
    if sort == "node" and inputs and Named(("Error",)) not in types:
        types.insert(0, Named(("Error",)))
    if inputs is None and arity >= 0:
        return NounPhrase(open_type(f"{arity} arguments", *_given(result)), "FUNC")
    if inputs is None:
        return NounPhrase(open_type("giving", *_given(result)), "FUNC")
    sure = all(part.sure for part in inputs)
    if result is None:
        return NounPhrase(open_type("taking", *types), "FUNC", sure=sure)
    return NounPhrase(_function(types, result), "FUNC", sure=sure)


def _given(result: Type | None) -> tuple[Type, ...]:
    return () if result is None else (result,)


def _function(inputs: Sequence[Type], result: Type) -> Type:
    names = "xyzuvwabcd"
    return function(
        [Parameter(names[i % len(names)] + "0" * (i // 10), t) for i, t in enumerate(inputs)],
        result,
    )
