"""Tags each term of a sentence with a terminal of ``grammars/phrases.lark``.

Tagging has three passes: the lexicon (``lexicon``), the two neighbours (``local_context``), and the
terms further away (this module), such as the "or" inside "list of strings or numbers".  Ambiguity
is resolved here so that the grammar stays LALR(1).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from typematch.query.english.lexicon import LEXICON
from typematch.query.english.local_context import NounLookup, resolve_by_neighbours
from typematch.query.english.tokens import NOUN_TAGS, VERB_TAGS, TaggedToken, split_terms
from typematch.query.model import IS_FLAGS

# The preamble of a query, before the noun that is searched: "find me a generic function that ...".
_PREAMBLE_TAGS = frozenset(("DET", "FLAG", "ASYNC", "FILLER", "KIND", "WORD", "MAKE", "COUNT"))
_PREAMBLE_WORDS = frozenset(
    ("find", "need", "want", "i", "search", "looking", "something", "show", "is", "there", "which",
     "what", "we", "helper", "utility", "pure", "curried", "small")
)  # fmt: skip
# Terms that may follow "function" where it is the head of the query.
_AFTER_HEAD = frozenset(
    ("THAT", "TAKE", "GIVE", "WITH", "TO", "FROM", "BREAK", "COMMA", "ARITY", "WHETHER", "CONVERT",
     "CHECK", "AND")
)  # fmt: skip
# Those that may follow "functions": "compose functions with ..." passes them.
_AFTER_PLURAL_HEAD = frozenset(("THAT", "TAKE", "GIVE", "BREAK"))
# Verbs that list no arguments as an imperative: "take a screenshot".
_IMPERATIVES_OF_TAKING = frozenset(("take", "accept", "receive"))
# Meanings of adjectives that filter entries: those of FLAG that ``is:`` has, and of ASYNC.
_FILTERING_FLAGS = frozenset(("sync", "", *IS_FLAGS))
_AFTER_FLAG = frozenset(("KIND", "FUNC", "TAKE", "GIVE", "THAT", "COMMA"))
_AFTER_UNKNOWN_NOUN = frozenset(("AND", "COMMA", "BREAK", "GIVE", "OR", "WITH", "OF"))
_ARGUMENT_NOUNS = frozenset(("argument", "parameter", "arg", "param"))


def tag_sentence(text: str, nouns: NounLookup | None = None) -> list[TaggedToken]:
    """Return the terms of ``text`` in order, with their final tags."""
    terms = list(split_terms(text))
    tokens = [resolve_by_neighbours(terms, index, nouns) for index in range(len(terms))]
    tokens = [token for token in _with_elided_nouns(tokens) if token.tag != "FILLER"]
    return list(_with_plural_marks(_with_arities(_ContextTagger(tokens).tagged())))


class _ContextTagger:
    """Retags terms whose tag depends on terms further away, from left to right.

    Attributes:
        _done: the terms before the current one, retagged.
        _verb: the tag of the last verb; ``BREAK`` after the end of a sentence.
        _open_pairs, _open_maps: how many "pair of X and Y", "map of X to Y" lack their second half.
    """

    def __init__(self, tokens: list[TaggedToken]) -> None:
        self._tokens = tokens
        self._head = _head_function(tokens)
        self._done: list[TaggedToken] = []
        self._verb = ""
        self._open_pairs = 0
        self._open_maps = 0

    def tagged(self) -> list[TaggedToken]:
        for index, token in enumerate(self._tokens):
            if token.lemma in ("passes", "passing") and self._has_callback():
                token = replace(token, tag="GIVE")
            rule = _RULES.get(token.tag)
            self._done.append(token if rule is None else rule(self, token, index))
        return self._done

    # -- one rule per tag --------------------------------------------------------------------------

    def verb(self, token: TaggedToken, index: int) -> TaggedToken:
        """Start a clause; "take a screenshot" does not list arguments, "takes a string" does."""
        if token.lemma in _IMPERATIVES_OF_TAKING and self._is_imperative(index):
            token = replace(token, tag="VERB", meaning="")
        self._verb, self._open_pairs, self._open_maps = token.tag, 0, 0
        return token

    def of(self, token: TaggedToken, index: int) -> TaggedToken:
        if self._done:
            container = self._done[-1].tag
            has_first_half = self._following(index) is not None
            if container == "PAIR" and has_first_half and not _is_plural(self._tokens, index):
                self._open_pairs += 1
            elif container == "KEYED":
                self._open_maps += 1
        return token

    def and_(self, token: TaggedToken, index: int) -> TaggedToken:
        following = self._following(index)
        if following is not None and following.tag == "GIVE":
            return replace(token, tag="THEN") if _describes_function(self._done) else token
        if following is not None and self._open_pairs:
            self._open_pairs -= 1
            return replace(token, tag="INNER")
        return self.or_(token, index)

    def or_(self, token: TaggedToken, index: int) -> TaggedToken:
        following = self._following(index)
        if following is not None and _joins_nouns_of_one_number(self._done, following):
            return replace(token, tag="NARROW")
        return token

    def to(self, token: TaggedToken, index: int) -> TaggedToken:
        following = self._following(index)
        if following is None or following.tag in VERB_TAGS:
            return replace(token, tag="WORD")  # of an infinitive
        if self._open_maps and self._done and self._done[-1].plural and following.tag in NOUN_TAGS:
            self._open_maps -= 1
            return replace(token, tag="INNER")
        if self._verb == "DATIVE" and not any(done.tag == "FROM" for done in self._done):
            return replace(token, tag="WITH")
        return token

    def as_(self, token: TaggedToken, _index: int) -> TaggedToken:
        return token if self._verb in ("TAKE", "GIVE") else replace(token, tag="TO")

    def kind(self, token: TaggedToken, index: int) -> TaggedToken:
        """An entry kind counts in the head of the query only: "find me a method that ..."."""
        if self._verb == "TAKE":
            return replace(token, tag="UNKNOWN_NOUN", meaning="unknown")
        in_preamble = all(_is_preamble(before) for before in self._tokens[:index])
        return token if in_preamble and self._verb != "GIVE" else replace(token, tag="WORD")

    def word(self, token: TaggedToken, index: int) -> TaggedToken:
        if self._verb == "TAKE" and _is_unknown_noun(self._done, self._following(index)):
            return replace(token, tag="UNKNOWN_NOUN", meaning="unknown")
        return token

    def atom(self, token: TaggedToken, index: int) -> TaggedToken:
        """A sentence that starts with "number of" counts."""
        following = self._following(index)
        counts = token.lemma == "number" and following is not None and following.tag == "OF"
        if counts and all(before.tag == "DET" for before in self._tokens[:index]):
            return self.verb(replace(token, tag="VERB"), index)
        return token

    def function(self, token: TaggedToken, index: int) -> TaggedToken:
        if index != self._head:
            return token
        if token.meaning == "function":
            return replace(token, tag="KIND")
        return replace(token, tag="FLAG", meaning="callback")

    def adjective(self, token: TaggedToken, index: int) -> TaggedToken:
        """An adjective filters beside the noun of an entry or alone, not in "static files"."""
        if token.meaning not in _FILTERING_FLAGS or token.lemma.endswith("ly"):
            return token
        following = (after.tag for after in self._tokens[index + 1 :])
        next_tag = next((tag for tag in following if tag not in ("FLAG", "ASYNC")), "BREAK")
        stands_alone = next_tag == "BREAK" and self._is_separated(index)
        return token if next_tag in _AFTER_FLAG or stands_alone else replace(token, tag="WORD")

    def that(self, token: TaggedToken, index: int) -> TaggedToken:
        """The determiner ("that value") or the relative pronoun ("that returns")."""
        following = self._following(index)
        if following is not None and following.tag in NOUN_TAGS:
            return replace(token, tag="SAME")
        return token

    # -- conditions --------------------------------------------------------------------------------

    def _following(self, index: int) -> TaggedToken | None:
        return self._tokens[index + 1] if index + 1 < len(self._tokens) else None

    def _is_imperative(self, index: int) -> bool:
        """Whether a verb has no subject before it, and no verb of returning after it."""
        returns = any(token.tag == "GIVE" for token in self._tokens[index:])
        return not returns and (index == 0 or self._tokens[index - 1].tag in ("BREAK", "COMMA"))

    def _is_separated(self, index: int) -> bool:
        """Whether no word of the same phrase stands before ``tokens[index]``."""
        before = [token.tag for token in self._tokens[:index] if token.tag not in ("FLAG", "ASYNC")]
        return not before or before[-1] in ("COMMA", "BREAK", "IS", "THAT", "AND")

    def _has_callback(self) -> bool:
        return any(done.meaning == "callback" for done in self._done)


_RULES: Mapping[str, Callable[[_ContextTagger, TaggedToken, int], TaggedToken]] = {
    **dict.fromkeys((*VERB_TAGS, "BREAK"), _ContextTagger.verb),
    "OF": _ContextTagger.of,
    "AND": _ContextTagger.and_,
    "OR": _ContextTagger.or_,
    "TO": _ContextTagger.to,
    "AS": _ContextTagger.as_,
    "KIND": _ContextTagger.kind,
    "WORD": _ContextTagger.word,
    "ATOM": _ContextTagger.atom,
    "FUNC": _ContextTagger.function,
    "THAT": _ContextTagger.that,
    "FLAG": _ContextTagger.adjective,
    "ASYNC": _ContextTagger.adjective,
}


def _is_unknown_noun(done: list[TaggedToken], following: TaggedToken | None) -> bool:
    """Whether an unlisted word is the noun of an argument: "takes a schema and a string"."""
    for token in reversed(done):
        if token.tag in ("DET", "COUNT", "OPTIONAL", "SAME"):
            return following is None or following.tag in _AFTER_UNKNOWN_NOUN
        if token.tag != "WORD":
            return False
    return False


def _describes_function(done: list[TaggedToken]) -> bool:
    """Whether "and returns" belongs to a function argument instead of the function searched.

    Callbacks and predicates have fixed results, so they take no such clause.
    """
    last = max((index for index, token in enumerate(done) if token.tag == "FUNC"), default=-1)
    if last < 0 or done[last].meaning not in ("function", "mapper"):
        return False
    following = [token.tag for token in done[last + 1 : last + 3]]
    return "TAKE" in following[:1] or following == ["THAT", "TAKE"]


def _is_plural(tokens: list[TaggedToken], index: int) -> bool:
    """Whether the noun after ``tokens[index]`` is a plural: "a pair of lists"."""
    for token in tokens[index + 1 :]:
        if token.tag in NOUN_TAGS:
            return token.plural
        if token.tag in ("DET", "COUNT"):
            return token.tag == "COUNT"
    return False


def _joins_nouns_of_one_number(done: list[TaggedToken], following: TaggedToken) -> bool:
    """Whether a conjunction inside an "of" joins two singulars or two plurals."""
    if not done or done[-1].tag not in NOUN_TAGS or following.tag not in NOUN_TAGS:
        return False
    before = next((token.tag for token in reversed(done) if token.tag not in NOUN_TAGS), "")
    return before in ("OF", "NARROW") and done[-1].plural == following.plural


def _head_function(tokens: list[TaggedToken]) -> int:
    """Return the index of a "function" that is searched, not passed as an argument; -1 for none."""
    for index, token in enumerate(tokens):
        if token.tag == "FUNC" and token.meaning in ("callback", "node"):
            following = [later.tag for later in tokens[index + 1 : index + 3]]
            is_head = following[:1] == ["THAT"] and following[1:] not in ([], ["TAKE"], ["GIVE"])
            return index if is_head else -1
        if token.tag == "FUNC" and token.meaning == "function":
            after = tokens[index + 1].tag if index + 1 < len(tokens) else "BREAK"
            return index if after in (_AFTER_PLURAL_HEAD if token.plural else _AFTER_HEAD) else -1
        if not _is_preamble(token):
            return -1
    return -1


def _is_preamble(token: TaggedToken) -> bool:
    return token.tag in _PREAMBLE_TAGS and (token.tag != "WORD" or token.lemma in _PREAMBLE_WORDS)


def _with_elided_nouns(tokens: list[TaggedToken]) -> list[TaggedToken]:
    """Restore the noun elided in "a lower and an upper bound"."""
    result = list(tokens)
    for index in range(len(tokens) - 4):
        window = tokens[index + 1 : index + 6]
        if [token.tag for token in window[:3]] != ["WORD", "AND", "DET"]:
            continue
        adjective, _, _, noun, *rest = window
        if noun.tag == "WORD" and rest:
            [noun] = rest
        elif (adjective.lemma, noun.lemma.split()[-1]) not in LEXICON:
            continue
        if noun.tag in NOUN_TAGS:
            result[index + 1] = replace(adjective, tag=noun.tag, meaning=noun.meaning)
    return result


def _with_plural_marks(tokens: list[TaggedToken]) -> Iterator[TaggedToken]:
    """Insert an empty MANY before nouns in the plural that have no number: "users".

    It stands before the adjective of "async functions", which belongs to the noun.
    """
    tags = [token.tag for token in tokens]
    nouns: list[TaggedToken] = []
    counted = False
    for index, token in enumerate((*tokens, None)):
        if token is not None and token.tag in NOUN_TAGS:
            nouns.append(token)
            continue
        if nouns and nouns[-1].plural and nouns[-1].tag != "UNIT" and not counted:
            yield TaggedToken("MANY", "", nouns[0].column, nouns[0].column, "")
        if nouns:
            yield from nouns
            nouns, counted = [], False
        if token is not None and tags[index : index + 2] == ["ASYNC", "FUNC"]:
            nouns.append(token)
        elif token is not None:
            counted = token.tag == "COUNT" or (counted and token.tag in ("WORD", "DET"))
            yield token


# -- numbers of arguments --------------------------------------------------------------------------


def _with_arities(tokens: list[TaggedToken]) -> list[TaggedToken]:
    """Merge "at least two arguments" into one ARITY term; bounds of other things become words."""
    result: list[TaggedToken] = []
    index = 0
    while index < len(tokens):
        arity, length = _arity(tokens, index) or (tokens[index], 1)
        result.append(arity)
        index += length
    return [
        replace(token, tag="WORD") if token.tag in ("BOUND", "ARGS") else token for token in result
    ]


def _arity(tokens: list[TaggedToken], index: int) -> tuple[TaggedToken, int] | None:
    """Return the ARITY term that starts at ``index``, and the number of terms it replaces."""
    start = index
    sign = "="
    if tokens[index].tag == "BOUND":
        sign = tokens[index].meaning
        index += 1
    if index >= len(tokens) or not (count := _number(tokens[index])):
        return None
    index += 1
    if index < len(tokens) and tokens[index].tag == "WORD":
        index += 1
    if index >= len(tokens) or tokens[index].lemma not in _ARGUMENT_NOUNS:
        return None
    span = tokens[start].column, tokens[index].end
    return TaggedToken("ARITY", f"{sign}{count}", *span, "arguments"), index + 1 - start


def _number(token: TaggedToken) -> str:
    if token.tag == "COUNT":
        return token.meaning
    return token.meaning if token.meaning.isdecimal() and len(token.meaning) < 3 else ""
