"""Put together what the clauses of a sentence say: what goes in, what comes out, what it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from typematch.ir.render import render
from typematch.ir.types import BOOLEAN, NUMBER, OBJECT, UNKNOWN, Element, Tuple, Type
from typematch.query.english.noun_phrases import NounPhrase, gathered, nodes, spoken
from typematch.query.english.tokens import TaggedToken
from typematch.query.english.type_holes import is_promise, open_type, promise_of, settle
from typematch.query.model import Confidence, Range, SentenceConstraints, SentenceType
from typematch.query.signature.grammar import SyntaxNode
from typematch.query.signature.lexer import Token

_NO_FUNCTIONS = frozenset(("interface", "class", "enum", "type alias", "property"))
# Words that only hold a sentence together.
_CONNECTIVES = frozenset(
    ("TAKE", "GIVE", "DET", "SAME", "THAT", "AND", "THEN", "OR", "COMMA", "BREAK", "FROM", "TO",
     "AS", "WITH", "OF", "INNER", "NARROW", "WHETHER", "IS", "OPTIONAL", "NULLABLE", "ARITY",
     "GUARD", "SWAPPED", "COUNT", "MANY", "FLAT")
)  # fmt: skip


@dataclass(slots=True)
class SentenceBuilder:
    """What was heard so far of a sentence.

    ``inputs`` were told by a verb of taking, ``loose`` are nouns of which it is only likely.
    """

    inputs: list[NounPhrase] = field(default_factory=list)
    loose: list[NounPhrase] = field(default_factory=list)
    output: NounPhrase | None = None
    becomes: NounPhrase | None = None
    makes: NounPhrase | None = None
    hint: Token | None = None
    arity: Range | None = None
    counted: Token | None = None
    complete: bool = False
    asynchronous: bool | None = None
    later: Token | None = None
    kind: str = ""
    flags: list[str] = field(default_factory=list)
    guard: Token | None = None
    narrowed: NounPhrase | None = None
    spans: list[tuple[int, int]] = field(default_factory=list)
    last: str = ""  # the rule of the clause before

    def hear(self, clause: SyntaxNode) -> None:
        """Take in one clause."""
        self._hear(clause)
        self.last = clause.rule

    def _hear(self, clause: SyntaxNode) -> None:
        said = [spoken(part) for part in _phrases(clause)]
        if clause.rule != "narrowing":
            said = [gathered(one) for one in said]
        match clause.rule:
            case "taking":
                self._take(clause, said)
            case "counted":
                self._count(clause)
                if said:
                    self._take(clause, said)
            case "giving":
                self._give(said)
            case "becoming":
                self.becomes = self.becomes or _together(said)
                self._of(said[0])
            case "making":
                self.makes = self.makes or _together(said)
                self._of(said[0])
            case "asking":
                self.hint = self.hint or _last_token(clause)
                if _first_kind(clause) == "GIVE":
                    self.output = self.output or _boolean(clause)
            case "narrowing":
                self._narrow(clause, said)
            case "source" | "using" | "mentioned":
                if clause.rule == "using" and self._goes_on(said):
                    self.inputs += [replace(one, sure=False) for one in said]
                else:
                    self.loose += [one for one in said if self._counts(one, clause.rule)]
            case "verb":
                self._verb(clause)
            case "flag":
                self._flag(clause)
            case rule:
                raise AssertionError(f"no such clause: {rule}")

    def _take(self, clause: SyntaxNode, said: list[NounPhrase]) -> None:
        self.inputs += said
        # "given" may add to what was said before; "takes" says all.
        if not any(isinstance(part, Token) and part.text == "partly" for part in clause.children):
            self.complete = True

    def _goes_on(self, said: list[NounPhrase]) -> bool:
        """Whether nouns behind "with" are taken too: "takes a list with a size"."""
        return (
            self.last == "taking"
            and self.inputs[-1].noun not in ("DECLARED", "UNTOLD", "KEYED")
            and self.inputs[-1].type is not OBJECT
            and all(one.article == "a" and one.noun != "VALUE" for one in said)
        )

    def _count(self, clause: SyntaxNode) -> None:
        for token in clause.children:
            if isinstance(token, Token) and token.kind == "ARITY":
                self.arity, self.counted = _range(token.text), token

    def _give(self, said: list[NounPhrase]) -> None:
        if self.output is None:
            self.output = _together(said)
            self._of(said[0])

    def _of(self, said: NounPhrase) -> None:
        """Hear what a result is made of: "the length of a string"."""
        if said.about is not None and self._counts(said.about, "about"):
            self.loose.append(said.about)

    def _narrow(self, clause: SyntaxNode, said: list[NounPhrase]) -> None:
        first = clause.children[0]
        if isinstance(first, Token) and first.kind == "GUARD":
            self.guard = first
            if len(said) > 1:
                self.loose.append(said[0])
            self.narrowed = self.narrowed or (said[-1] if said else None)
            return
        self.hint = _last_token(clause)
        if self._counts(said[0], "mentioned") or said[0].noun == "VALUE":
            self.loose.append(said[0])
        self.narrowed = said[1]

    def _verb(self, clause: SyntaxNode) -> None:
        [token] = [child for child in clause.children if isinstance(child, Token)]
        if token.kind == "VERB" and token.text:
            self.hint = self.hint or token

    def _flag(self, clause: SyntaxNode) -> None:
        [token] = [child for child in clause.children if isinstance(child, Token)]
        if token.kind == "ASYNC":
            self.asynchronous, self.later = True, token
        elif token.kind == "KIND":
            self.kind = self.kind or token.text
        elif token.text == "sync":
            self.asynchronous = False
        elif token.text in ("variadic", "nonblocking"):
            return  # it stays text
        elif token.text not in self.flags:
            self.flags.append(token.text)
        self.spans.append((token.column, token.end))

    def _counts(self, said: NounPhrase, how: str) -> bool:
        """Whether a noun that no verb of taking governs is one more argument."""
        known = [one.type for one in (*self.inputs, *self.loose)]
        if said.article == "that" or (said.article == "the" and said.type in known):
            return False
        if said.noun == "UNIT":
            return how == "mentioned" and said.article != ""
        if said.noun in ("ROLE", "VALUE") and said.article not in ("a",):
            return said.article == "the" and said.noun == "ROLE" and how != "about"
        return True

    # -- what it comes to ------------------------------------------------------------------------

    def phrases(self, text: str, terms: Sequence[TaggedToken]) -> SentenceConstraints:
        """Return what was said, all in all."""
        inputs = [one for one in self._inputs() for _ in range(one.count)]
        output = self._output()
        if "callback" in self.flags:
            self.flags.remove("callback")
            inputs, output = [*inputs, _called_back(output, self.spans[0])], None
        types, result = settle(
            [one.type for one in inputs], None if output is None else output.type
        )
        parameters = tuple(
            _said(one, type_, sure=self.complete and one in self.inputs)
            for one, type_ in zip(inputs, types, strict=True)
        )
        returns = self._returns(output, result)
        spans = [(one.column, one.end) for one in (*parameters, *((returns,) if returns else ()))]
        return SentenceConstraints(
            text,
            parameters,
            returns,
            self._arity(parameters),
            self.complete or self.counted is not None,
            self._later(result),
            self.kind,
            tuple(self.flags),
            _words(terms, text, (*spans, *self.spans)),
            asynchronous_sure=self.asynchronous is not None
            or (returns is not None and returns.sure),
        )

    def _inputs(self) -> list[NounPhrase]:
        if self.kind in _NO_FUNCTIONS:
            return []
        if self.guard is not None and not (self.inputs or self.loose):
            place = self.guard
            return [
                NounPhrase(UNKNOWN, "ATOM", "a", sure=False, column=place.column, end=place.end)
            ]
        if not self.complete:
            return sorted((*self.inputs, *self.loose), key=lambda one: one.column)
        # What was taken is all, but for "... and sorts it with a comparator".
        end = self.inputs[-1].end if self.inputs else 0
        more = [
            one
            for one in self.loose
            if one.noun == "FUNC" and one.article == "a" and one.column > end
        ]
        return [*self.inputs, *more]

    def _output(self) -> NounPhrase | None:
        if self.kind in _NO_FUNCTIONS:
            return None
        found = self.output or self.becomes or self.makes
        if found is not None or self.hint is None:
            return found
        type_ = NUMBER if self.hint.text == "number" else BOOLEAN
        return NounPhrase(
            type_, "ATOM", "a", sure=False, column=self.hint.column, end=self.hint.end
        )

    def _returns(self, output: NounPhrase | None, result: Type | None) -> SentenceType | None:
        if self.guard is not None:
            narrowed = settle((), self.narrowed.type)[1] if self.narrowed else None
            place = self.narrowed or self.guard
            shown = "_" if narrowed is None else render(narrowed)
            return SentenceType(f"x is {shown}", Confidence.LIKELY, place.column, place.end)
        if output is not None and result is not None:
            if self.asynchronous and not is_promise(result):
                result = promise_of(result)
            return _said(output, result, sure=output is self.output)
        if self.later is not None and self.kind not in _NO_FUNCTIONS:
            return SentenceType("Promise<_>", Confidence.SURE, self.later.column, self.later.end)
        return None

    def _later(self, result: Type | None) -> bool | None:
        if self.asynchronous is None and result is not None and is_promise(result):
            return True
        return self.asynchronous

    def _arity(self, parameters: Sequence[SentenceType]) -> Range | None:
        if self.arity is not None:
            return self.arity
        if not parameters:
            return None
        return Range(sum(not one.optional for one in parameters), len(parameters))


def _phrases(clause: SyntaxNode) -> Iterator[SyntaxNode]:
    """Yield the noun phrases of a clause."""
    for node in nodes(clause):
        if node.rule in ("inputs", "mentions", "several_outputs"):
            yield from nodes(node)
        else:
            yield node


def _together(said: Sequence[NounPhrase]) -> NounPhrase:
    """Return several results as one: nobody says how they come back, a tuple is likeliest."""
    first = said[0]
    if len(said) == 1 and first.count == 1:
        return first
    types = [one.type for one in said for _ in range(one.count)]
    both = Tuple(tuple([Element(type_) for type_ in types]))
    return replace(first, type=both, count=1, sure=False, end=said[-1].end)


def _called_back(output: NounPhrase | None, place: tuple[int, int]) -> NounPhrase:
    """Return the callback that hears of the result, in the manner of Node."""
    known = () if output is None else (output.type,)
    column, end = place
    return NounPhrase(open_type("node", *known), "FUNC", "a", sure=False, column=column, end=end)


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


def _first_kind(clause: SyntaxNode) -> str:
    first = clause.children[0]
    return first.kind if isinstance(first, Token) else ""


def _said(one: NounPhrase, type_: Type, *, sure: bool) -> SentenceType:
    sureness = Confidence.SURE if sure and one.sure else Confidence.LIKELY
    return SentenceType(render(type_), sureness, one.column, one.end, one.optional)


def _words(terms: Sequence[TaggedToken], text: str, spans: Sequence[tuple[int, int]]) -> str:
    """Return the words that no constraint comes from, and all of them if there is none."""
    if not spans:
        return text
    left = [
        text[term.column : term.end]
        for term in terms
        if term.kind not in _CONNECTIVES
        and (
            term.kind in ("WORD", "UNTOLD")
            or not any(column <= term.column < end for column, end in spans)
        )
    ]
    rest = text[terms[-1].end :].split() if terms else []
    return " ".join((*left, *rest))
