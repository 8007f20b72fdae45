"""Lowers the syntax of a noun phrase to the type that it names.

Types that depend on the rest of the sentence (an array of what? a predicate on what?) contain
holes, which ``type_holes.fill_holes`` fills.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from typematch.ir.constructors import function, union
from typematch.ir.type_parts import Parameter
from typematch.ir.types import (
    BOOLEAN,
    NULL,
    NUMBER,
    STRING,
    VOID,
    WILDCARD,
    Array,
    Named,
    Type,
)
from typematch.query.english.tokens import NOUN_TAGS
from typematch.query.english.type_builders import tuple_of
from typematch.query.english.type_holes import hole
from typematch.query.signature.grammar import Syntax, SyntaxNode
from typematch.query.signature.lexer import Token
from typematch.query.signature.syntax import as_node, token_text
from typematch.query.signature.type_expr import read_type

_MAX_NOUNS = 10  # of one phrase: the type of nested pairs grows exponentially
_UNAMBIGUOUS = frozenset(("ATOM", "LIST", "KEYED", "PAIR", "TYPE", "VAR", "FUNC"))
_DEFAULT_RESULTS: Mapping[str, Type] = {
    "predicate": BOOLEAN,
    "comparator": NUMBER,
    "callback": VOID,
    "node": VOID,
}


@dataclass(frozen=True, slots=True)
class NounPhrase:
    """The meaning of a noun phrase.

    Attributes:
        type: may contain holes.  Single capital letters are names.
        noun: the tag of the head noun.
        article: ``a``, ``the``, ``that`` or empty.
        count: the number of values: 2 for "two dates".
        many: a plural without a number: "users".
        optional: the argument may be omitted.
        sure: the words have only this meaning.
        complement: the phrase after "of": "a string" in "the length of a string".
        column, end: the phrase is text[column:end].
    """

    type: Type
    noun: str
    article: str = ""
    count: int = 1
    optional: bool = False
    sure: bool = True
    many: bool = False
    complement: NounPhrase | None = None
    column: int = 0
    end: int = 0


def interpret_noun_phrase(node: SyntaxNode) -> NounPhrase:
    """Return the meaning of a node of the rules ``recast``, ``union``, ``narrow`` or ``np``."""
    match node.rule:
        case "np":
            return _noun_phrase(node)
        case "union" | "narrow":
            return _alternatives([interpret_noun_phrase(part) for part in child_nodes(node)])
        case "recast":  # "its path as a string"
            first, second = [interpret_noun_phrase(part) for part in child_nodes(node)]
            return replace(second, article=first.article, column=node.column, end=node.end)
        case rule:
            raise AssertionError(f"not a noun phrase: {rule}")


def as_array(phrase: NounPhrase) -> NounPhrase:
    """Return a plural without a number as an array: "users" as ``User[]``."""
    if not phrase.many or phrase.count > 1:
        return phrase
    return replace(phrase, type=Array(phrase.type), many=False, sure=False)


def child_nodes(node: SyntaxNode) -> list[SyntaxNode]:
    return [child for child in node.children if isinstance(child, SyntaxNode)]


def _alternatives(members: Sequence[NounPhrase]) -> NounPhrase:
    first = members[0]
    if len(members) == 1:
        return first
    return replace(
        first,
        type=union([member.type for member in members]),
        sure=all(member.sure for member in members),
        end=members[-1].end,
        complement=None,
    )


def _noun_phrase(node: SyntaxNode) -> NounPhrase:
    if _count_nouns(node) > _MAX_NOUNS:
        return NounPhrase(
            hole("unknown"), "UNKNOWN_NOUN", sure=False, column=node.column, end=node.end
        )
    head = _head(as_node(node.children[-1]))
    article, count, optional, many, unknown = "", 1, False, False, False
    for modifier in node.children[:-1]:
        [word] = [child for child in as_node(modifier).children if isinstance(child, Token)]
        match word.kind:
            case "DET":
                article = article or word.text
            case "SAME":
                article = "that"
            case "COUNT":
                count = 1 if head.noun == "UNIT" else int(word.text)  # "two hours"
                article = article or "a"
            case "MANY":
                many = True
            case "FLAT" if head.type == Array(hole("element")):
                head = replace(head, type=Array(hole("flat element")))
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


def _count_nouns(node: SyntaxNode) -> int:
    """Count the nouns of a phrase, with those of its complements."""
    return sum(
        (child.kind in NOUN_TAGS) if isinstance(child, Token) else _count_nouns(child)
        for child in node.children
    )


def _head(node: SyntaxNode) -> NounPhrase:
    match node.rule:
        case "plain":
            return _compound(_nouns(node.children[0]))
        case "of":
            return _with_complement(node)
        case "keyed":
            types = [interpret_noun_phrase(part).type for part in child_nodes(node)]
            return NounPhrase(Named((token_text(node.children[0]),), tuple(types)), "KEYED")
        case "mapping":
            source, target = [interpret_noun_phrase(part) for part in child_nodes(node)]
            return NounPhrase(_function([source.type], target.type), "FUNC", sure=source.sure)
        case "function":
            return _function_phrase(node)
        case "swapped":
            return NounPhrase(hole("swapped"), "FUNC")
        case "async_function":
            kind = token_text(node.children[-1])
            return NounPhrase(hole(f"async {kind}"), "FUNC")
        case rule:
            raise AssertionError(f"not the head of a noun phrase: {rule}")


def _nouns(syntax: Syntax) -> list[Token]:
    return [
        token
        for noun in as_node(syntax).children
        for token in as_node(noun).children
        if isinstance(token, Token)
    ]


# -- single nouns and compounds --------------------------------------------------------------------


def _compound(words: Sequence[Token]) -> NounPhrase:
    """Return the meaning of consecutive nouns: "string", "string array", "boolean flag"."""
    last, before = words[-1], words[:-1]
    if not before:
        return _single_noun(last)
    inner = _compound(before)
    sure = inner.sure and last.kind in _UNAMBIGUOUS
    match last.kind:
        case "VALUE" | "UNIT" if before[-1].kind not in ("LIST", "KEYED"):
            return inner
        case "LIST":
            return NounPhrase(_container(last.text, inner.type), "LIST", sure=sure)
        case "PAIR":
            return NounPhrase(tuple_of([inner.type, inner.type]), "PAIR", sure=False)
        case "FUNC" if before[-1].kind in ("ATOM", "DECLARED"):
            return NounPhrase(hole(last.text, inner.type), "FUNC", sure=False)
        case _:
            return replace(_single_noun(last), sure=last.kind == "ATOM")


def _single_noun(word: Token) -> NounPhrase:
    sure = word.kind in _UNAMBIGUOUS
    match word.kind:
        case "ATOM" | "ROLE" | "TYPE" | "UNIT":
            # Letters stay names: the whole sentence decides which variables they are.
            return NounPhrase(read_type(word.text, letters=False), word.kind, sure=sure)
        case "VAR":
            return NounPhrase(Named((word.text,)), "VAR")
        case "DECLARED":
            return NounPhrase(Named(tuple(word.text.split("."))), "DECLARED", sure=False)
        case "LIST":
            return NounPhrase(_container(word.text, hole("element")), "LIST")
        case "KEYED" if word.text in ("Either", "Result"):
            return NounPhrase(Named((word.text,), (hole("left"), hole("right"))), "KEYED")
        case "KEYED":
            key = STRING if word.text == "Record" else hole("key")
            return NounPhrase(Named((word.text,), (key, hole("entry value"))), "KEYED")
        case "PAIR" if word.text == "entry":
            return NounPhrase(tuple_of([hole("key"), hole("entry value")]), "PAIR")
        case "PAIR":
            return NounPhrase(hole(word.text), "PAIR")
        case "VALUE" | "FUNC" | "UNKNOWN_NOUN":
            return NounPhrase(hole(word.text), word.kind, sure=sure)
        case tag:
            raise AssertionError(f"not a noun: {tag}")


def _container(name: str, element: Type) -> Type:
    match name:
        case "Array":
            return Array(element)
        case "Matrix":
            return Array(Array(element))
        case _:
            return Named((name,), (element,))


# -- "X of Y" --------------------------------------------------------------------------------------


def _with_complement(node: SyntaxNode) -> NounPhrase:
    words = _nouns(node.children[0])
    complements = [interpret_noun_phrase(part) for part in child_nodes(node)[1:]]
    first, types = complements[0], [complement.type for complement in complements]
    last = words[-1]
    sure = all(complement.sure for complement in complements)
    match last.kind:
        case "LIST":
            return NounPhrase(_container(last.text, types[0]), "LIST", sure=sure)
        case "KEYED":
            key = STRING if last.text == "Record" else hole("key")
            key = hole("left") if last.text in ("Either", "Result") else key
            pair = types if len(types) > 1 else [key, types[0]]
            return NounPhrase(Named((last.text,), tuple(pair)), "KEYED", sure=sure)
        case "PAIR":
            repeated = types if len(types) > 1 else types * (3 if last.text == "triple" else 2)
            return NounPhrase(tuple_of(repeated), "PAIR", sure=sure)
        case "FUNC":
            return NounPhrase(hole(last.text, *types * first.count), "FUNC", sure=sure)
        case "DECLARED":
            return NounPhrase(
                Named(tuple(last.text.split(".")), tuple(types)), "DECLARED", sure=False
            )
        case "ATOM" if last.text == "object" and first.noun != "VALUE":
            return NounPhrase(Named(("Record",), (STRING, types[0])), "KEYED", sure=False)
        case _:
            complement = first if first.article in ("a", "the") else None
            return replace(_compound(words), complement=complement)


# -- functions -------------------------------------------------------------------------------------


def _function_phrase(node: SyntaxNode) -> NounPhrase:
    """Return a function whose arguments or result are described."""
    kind = ""
    inputs: list[NounPhrase] | None = None
    arity = -1
    result: Type | None = None
    after_verb_of_returning = False
    for child in node.children:
        match child:
            case Token("FUNC", text):
                kind = text
            case SyntaxNode("nouns"):
                kind = _nouns(child)[-1].text
            case Token("ARITY", text):
                arity = int(text.lstrip("<>="))
            case Token("WHETHER"):
                result = BOOLEAN
            case Token("GIVE"):
                after_verb_of_returning = True
            case SyntaxNode("inputs"):
                inputs = [interpret_noun_phrase(part) for part in child_nodes(child)]
            case SyntaxNode() if after_verb_of_returning:
                result = as_array(interpret_noun_phrase(child)).type
            case _:
                pass
    if result is None and kind != "function":
        result = _DEFAULT_RESULTS.get(kind, WILDCARD)
    types = [as_array(phrase).type for phrase in inputs or () for _ in range(phrase.count)]
    if kind == "node" and inputs and Named(("Error",)) not in types:
        types.insert(0, Named(("Error",)))
    results = () if result is None else (result,)
    if inputs is None and arity >= 0:
        return NounPhrase(hole(f"{arity} arguments", *results), "FUNC")
    if inputs is None:
        return NounPhrase(hole("giving", *results), "FUNC")
    sure = all(phrase.sure for phrase in inputs)
    if result is None:
        return NounPhrase(hole("taking", *types), "FUNC", sure=sure)
    return NounPhrase(_function(types, result), "FUNC", sure=sure)


def _function(inputs: Sequence[Type], result: Type) -> Type:
    names = "xyzuvwabcd"
    return function(
        [
            Parameter(names[index % len(names)] + "0" * (index // 10), type_)
            for index, type_ in enumerate(inputs)
        ],
        result,
    )
