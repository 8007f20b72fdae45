"""Combines the clauses of a sentence into one function: parameters, result, kind and flags."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from typematch.ir.type_parts import Element
from typematch.ir.types import BOOLEAN, NUMBER, OBJECT, UNKNOWN, WILDCARD, Tuple, Type
from typematch.query.english.noun_phrases import (
    NounPhrase,
    as_array,
    child_nodes,
    interpret_noun_phrase,
)
from typematch.query.english.tokens import TaggedToken
from typematch.query.english.type_builders import is_promise, promise_of
from typematch.query.english.type_holes import fill_holes, hole
from typematch.query.model import Confidence, Range, SentenceConstraints, SentenceType
from typematch.query.signature.grammar import SyntaxNode
from typematch.query.signature.lexer import Token

_NOT_FUNCTIONS = frozenset(("interface", "class", "enum", "type alias", "property"))
# Tags of function words: they are no search terms of their own.
_FUNCTION_WORD_TAGS = frozenset(
    ("TAKE", "GIVE", "DET", "SAME", "THAT", "AND", "THEN", "OR", "COMMA", "BREAK", "FROM", "TO",
     "AS", "WITH", "OF", "INNER", "NARROW", "WHETHER", "IS", "OPTIONAL", "NULLABLE", "ARITY",
     "GUARD", "SWAPPED", "COUNT", "MANY", "FLAT")
)  # fmt: skip


@dataclass(slots=True)
class SentenceBuilder:
    """The meaning of the clauses added so far.

    Attributes:
        inputs: objects of a verb of taking.
        possible_inputs: nouns that no verb of taking governs.
        counted: those of them that a verb of counting governs.
        inputs_complete: ``inputs`` lists all arguments.
        output: the object of a verb of returning; the first one counts, as for the next three.
        converted: the phrase after "to" or "as".
        made: the object of a verb of making.
        result_verb: a verb or conjunction that implies a boolean or a number.
        arity, arity_token: the stated number of arguments.
        asynchronous, async_token: the stated flag; None if not stated.
        guard, guarded: the term "type guard" and the phrase of the type that it narrows to.
        flag_spans: the spans of the terms that became ``kind``, ``flags`` and ``asynchronous``.
        last_rule: the rule of the last clause.
    """

    inputs: list[NounPhrase] = field(default_factory=list)
    possible_inputs: list[NounPhrase] = field(default_factory=list)
    counted: list[NounPhrase] = field(default_factory=list)
    inputs_complete: bool = False
    output: NounPhrase | None = None
    converted: NounPhrase | None = None
    made: NounPhrase | None = None
    result_verb: Token | None = None
    arity: Range | None = None
    arity_token: Token | None = None
    asynchronous: bool | None = None
    async_token: Token | None = None
    kind: str = ""
    flags: list[str] = field(default_factory=list)
    guard: Token | None = None
    guarded: NounPhrase | None = None
    flag_spans: list[tuple[int, int]] = field(default_factory=list)
    last_rule: str = ""

    def add_clause(self, clause: SyntaxNode) -> None:
        phrases = [interpret_noun_phrase(node) for node in _noun_phrase_nodes(clause)]
        if clause.rule != "narrowing":
            phrases = [as_array(phrase) for phrase in phrases]
        self._add(clause, phrases)
        self.last_rule = clause.rule

    def _add(self, clause: SyntaxNode, phrases: list[NounPhrase]) -> None:
        match clause.rule:
            case "taking":
                self._add_inputs(clause, phrases)
            case "counted":
                self._set_arity(clause)
                if phrases:
                    self._add_inputs(clause, phrases)
            case "returning":
                if self.output is None:
                    self.output = _as_one_result(phrases)
                    self._add_complement(phrases[0])
            case "converting":
                self.converted = self.converted or _as_one_result(phrases)
                self._add_complement(phrases[0])
            case "making":
                self.made = self.made or _as_one_result(phrases)
                self._add_complement(phrases[0])
            case "testing":
                self.result_verb = self.result_verb or _last_token(clause)
                if _first_tag(clause) == "GIVE":
                    self.output = self.output or _boolean(clause)
            case "narrowing":
                self._set_guard(clause, phrases)
            case "source" | "using" | "mentioned":
                if clause.rule == "using" and self._continues_inputs(phrases):
                    self.inputs += [replace(phrase, sure=False) for phrase in phrases]
                else:
                    self._add_possible_inputs(clause.rule, phrases)
            case "verb":
                self._set_result_verb(clause)
            case "flag":
                self._add_flag(clause)
            case rule:
                raise AssertionError(f"unknown clause: {rule}")

    def _add_inputs(self, clause: SyntaxNode, phrases: list[NounPhrase]) -> None:
        """Add arguments: "given X" adds a parameter, "takes X" states the complete list."""
        self.inputs += phrases
        tokens = [child for child in clause.children if isinstance(child, Token)]
        if not any(token.text == "partial" for token in tokens):
            self.inputs_complete = True

    def _add_possible_inputs(self, rule: str, phrases: list[NounPhrase]) -> None:
        """Add nouns that no verb of taking governs; what is counted in another is no argument."""
        possible = [phrase for phrase in phrases if self._is_input(phrase, rule)]
        if rule == "mentioned" and self.last_rule == "verb" and self._counts:
            self.counted = possible
        elif self.counted and rule != "mentioned":  # "count the words in a string"
            self.possible_inputs = [p for p in self.possible_inputs if p not in self.counted]
            self.counted = []
        self.possible_inputs += possible

    @property
    def _counts(self) -> bool:
        return self.result_verb is not None and self.result_verb.text == "number"

    def _continues_inputs(self, phrases: list[NounPhrase]) -> bool:
        """Whether nouns after "with" are arguments too: "takes a list with a size"."""
        return (
            self.last_rule == "taking"
            and self.inputs[-1].noun not in ("DECLARED", "UNKNOWN_NOUN", "KEYED")
            and self.inputs[-1].type is not OBJECT
            and all(phrase.article == "a" and phrase.noun != "VALUE" for phrase in phrases)
        )

    def _set_arity(self, clause: SyntaxNode) -> None:
        for token in clause.children:
            if isinstance(token, Token) and token.kind == "ARITY":
                self.arity, self.arity_token = _range(token.text), token

    def _add_complement(self, phrase: NounPhrase) -> None:
        """Add the complement of a result as an argument: "the length of a string"."""
        if phrase.complement is not None and self._is_input(phrase.complement, "complement"):
            self.possible_inputs.append(phrase.complement)

    def _set_guard(self, clause: SyntaxNode, phrases: list[NounPhrase]) -> None:
        first = clause.children[0]
        if isinstance(first, Token) and first.kind == "GUARD":
            self.guard = first
            if len(phrases) > 1:
                self.possible_inputs.append(phrases[0])
            self.guarded = self.guarded or (phrases[-1] if phrases else None)
            return
        self.result_verb = _last_token(clause)
        if self._is_input(phrases[0], "mentioned") or phrases[0].noun == "VALUE":
            self.possible_inputs.append(phrases[0])
        self.guarded = phrases[1]

    def _set_result_verb(self, clause: SyntaxNode) -> None:
        [token] = [child for child in clause.children if isinstance(child, Token)]
        if token.kind == "VERB" and token.text:
            self.result_verb = self.result_verb or token

    def _add_flag(self, clause: SyntaxNode) -> None:
        [token] = [child for child in clause.children if isinstance(child, Token)]
        if token.kind == "ASYNC":
            self.asynchronous, self.async_token = True, token
        elif token.kind == "KIND":
            self.kind = self.kind or token.text
        elif token.text == "sync":
            self.asynchronous = False
        elif token.text in ("variadic", "nonblocking"):
            return  # no constraint: they stay search terms
        elif token.text not in self.flags:
            self.flags.append(token.text)
        self.flag_spans.append((token.column, token.end))

    def _is_input(self, phrase: NounPhrase, role: str) -> bool:
        """Whether a noun that no verb of taking governs is another argument.

        Args:
            role: the rule of its clause, or ``complement``.
        """
        known = [known.type for known in (*self.inputs, *self.possible_inputs)]
        if phrase.article == "that" or (phrase.article == "the" and phrase.type in known):
            return False
        if phrase.noun == "UNIT":
            return role == "mentioned" and phrase.article != ""
        if phrase.noun in ("ROLE", "VALUE") and phrase.article != "a":
            return phrase.article == "the" and phrase.noun == "ROLE" and role != "complement"
        return True

    # -- result ------------------------------------------------------------------------------------

    def constraints(self, text: str, tokens: Sequence[TaggedToken]) -> SentenceConstraints:
        """Return what the clauses added so far say about types."""
        inputs = [phrase for phrase in self._all_inputs() for _ in range(phrase.count)]
        output = self._result()
        if "callback" in self.flags:
            self.flags.remove("callback")
            inputs, output = [*inputs, _node_callback(output, self.flag_spans[0])], None
        types, result = fill_holes(
            [phrase.type for phrase in inputs], None if output is None else output.type
        )
        parameters = tuple(
            _sentence_type(phrase, type_, sure=self.inputs_complete and phrase in self.inputs)
            for phrase, type_ in zip(inputs, types, strict=True)
        )
        returns = self._returns(output, result)
        typed = (*parameters, *((returns,) if returns else ()))
        spans = [(sentence_type.column, sentence_type.end) for sentence_type in typed]
        is_async = self.asynchronous
        if is_async is None and result is not None and is_promise(result):
            is_async = True
        return SentenceConstraints(
            text,
            parameters,
            returns,
            self._arity_range(parameters),
            self.inputs_complete or self.arity_token is not None,
            is_async,
            self.kind,
            tuple(self.flags),
            _search_words(tokens, text, (*spans, *self.flag_spans)),
            asynchronous_sure=self.asynchronous is not None
            or (returns is not None and returns.sure),
            describes_types=bool(self.inputs or self.output or self.converted)
            or self.arity_token is not None
            or self.guard is not None
            or self.guarded is not None,
        )

    def _all_inputs(self) -> list[NounPhrase]:
        if self.kind in _NOT_FUNCTIONS:
            return []
        if self.guard is not None and not (self.inputs or self.possible_inputs):
            column, end = self.guard.column, self.guard.end
            return [NounPhrase(UNKNOWN, "ATOM", "a", sure=False, column=column, end=end)]
        if not self.inputs_complete:
            phrases = (*self.inputs, *self.possible_inputs)
            return sorted(phrases, key=lambda phrase: phrase.column)
        # The list is complete except for functions in a later clause: "... and sorts it with a
        # comparator".
        end = self.inputs[-1].end if self.inputs else 0
        functions = [
            phrase
            for phrase in self.possible_inputs
            if phrase.noun == "FUNC" and phrase.article == "a" and phrase.column > end
        ]
        return [*self.inputs, *functions]

    def _result(self) -> NounPhrase | None:
        if self.kind in _NOT_FUNCTIONS:
            return None
        result = self.output or self.converted or self.made
        if result is not None or self.result_verb is None:
            return result
        verb = self.result_verb
        type_ = NUMBER if verb.text == "number" else BOOLEAN
        return NounPhrase(type_, "ATOM", "a", sure=False, column=verb.column, end=verb.end)

    def _returns(self, output: NounPhrase | None, result: Type | None) -> SentenceType | None:
        if self.guard is not None:
            narrowed = fill_holes((), self.guarded.type)[1] if self.guarded else None
            source = self.guarded or self.guard
            return SentenceType(
                WILDCARD if narrowed is None else narrowed,
                Confidence.LIKELY,
                source.column,
                source.end,
                is_guard=True,
            )
        if output is not None and result is not None:
            if self.asynchronous and not is_promise(result):
                result = promise_of(result)
            return _sentence_type(output, result, sure=output is self.output)
        if self.async_token is not None and self.kind not in _NOT_FUNCTIONS:
            column, end = self.async_token.column, self.async_token.end
            return SentenceType(promise_of(WILDCARD), Confidence.SURE, column, end)
        return None

    def _arity_range(self, parameters: Sequence[SentenceType]) -> Range | None:
        if self.arity is not None:
            return self.arity
        if not parameters:
            return None
        return Range(sum(not parameter.optional for parameter in parameters), len(parameters))


def _noun_phrase_nodes(clause: SyntaxNode) -> Iterator[SyntaxNode]:
    for node in child_nodes(clause):
        if node.rule in ("inputs", "mentions", "several_outputs"):
            yield from child_nodes(node)
        else:
            yield node


def _as_one_result(phrases: Sequence[NounPhrase]) -> NounPhrase:
    """Return several results as a tuple, the most likely way to return them."""
    first = phrases[0]
    if len(phrases) == 1 and first.count == 1:
        return first
    types = [phrase.type for phrase in phrases for _ in range(phrase.count)]
    elements = Tuple(tuple([Element(type_) for type_ in types]))
    return replace(first, type=elements, count=1, sure=False, end=phrases[-1].end)


def _node_callback(output: NounPhrase | None, span: tuple[int, int]) -> NounPhrase:
    """Return a Node-style callback ``(err, value) => void`` that receives the result."""
    known = () if output is None else (output.type,)
    column, end = span
    return NounPhrase(hole("node", *known), "FUNC", "a", sure=False, column=column, end=end)


def _boolean(clause: SyntaxNode) -> NounPhrase:
    return NounPhrase(BOOLEAN, "ATOM", "a", column=clause.column, end=clause.end)


def _last_token(clause: SyntaxNode) -> Token:
    return [child for child in clause.children if isinstance(child, Token)][-1]


def _range(text: str) -> Range:
    number = int(text.lstrip("<>="))
    return {
        ">=": Range(number, None),
        ">": Range(number + 1, None),
        "<=": Range(0, number),
        "<": Range(0, max(0, number - 1)),
    }.get(text.rstrip("0123456789"), Range(number, number))


def _first_tag(clause: SyntaxNode) -> str:
    first = clause.children[0]
    return first.kind if isinstance(first, Token) else ""


def _sentence_type(phrase: NounPhrase, type_: Type, *, sure: bool) -> SentenceType:
    confidence = Confidence.SURE if sure and phrase.sure else Confidence.LIKELY
    return SentenceType(type_, confidence, phrase.column, phrase.end, phrase.optional)


def _search_words(
    tokens: Sequence[TaggedToken], text: str, spans: Sequence[tuple[int, int]]
) -> str:
    """Return the words outside of ``spans`` that are no function words; all without any span."""
    if not spans:
        return text
    words = [
        text[token.column : token.end]
        for token in tokens
        if token.tag not in _FUNCTION_WORD_TAGS
        and (
            token.tag in ("WORD", "UNKNOWN_NOUN")
            or not any(column <= token.column < end for column, end in spans)
        )
    ]
    rest = text[tokens[-1].end :].split() if tokens else []
    return " ".join((*words, *rest))
