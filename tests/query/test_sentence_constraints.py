"""English sentences become typed constraints; the other words stay search text."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from typematch.query.english.lexicon import LEXICON
from typematch.query.english.sentence_constraints import (
    read_sentence,
    sentence_signature,
    sure_constraints,
)
from typematch.query.model import Constraint, Flag, Range, SentenceConstraints, TypeValue
from typematch.query.parse import parse
from typematch.query.signature.letters import letters_as_wildcards
from typematch.query.signature.type_expr import read_signature, read_type

SENTENCES = Path(__file__).with_name("sentences.txt").read_text(encoding="utf-8")


class Types:
    """A catalog that declares these names."""

    def __init__(self, *names: str) -> None:
        self._names = {name.lower(): name for name in names}

    def type_named(self, noun: str, /) -> str | None:
        return self._names.get(noun.lower())


def _text(sentence: SentenceConstraints) -> str:
    """Return the function that a sentence describes as text; empty if it describes none."""
    if sentence_signature(sentence) is None:
        return ""
    parameters = [item.text + "?" * item.optional for item in sentence.parameters]
    if (
        sentence.arity is None
        or sentence.arity.high is None
        or sentence.arity.high > len(parameters)
    ):
        parameters.append("...")
    return f"({', '.join(parameters)}) => {sentence.returns.text if sentence.returns else '_'}"


def _signature(sentence: str, *names: str) -> str:
    return _text(read_sentence(sentence, Types(*names)))


@pytest.mark.parametrize(
    ("sentence", "signature"),
    [
        pytest.param("takes a string and a number", "(string, number) => _", id="taking"),
        pytest.param("returns an array of strings", "(...) => string[]", id="giving"),
        pytest.param("converts a date to a string", "(Date) => string", id="converting"),
        pytest.param("from string to Buffer", "(string) => Buffer", id="from and to"),
        pytest.param("takes a string or a buffer", "(string | Buffer) => _", id="or"),
        pytest.param(
            "takes a list of strings or numbers", "((string | number)[]) => _", id="or inside an of"
        ),
        pytest.param("take a string and return a date", "(string) => Date", id="an order"),
        pytest.param("number of days between two dates", "(Date, Date) => number", id="number of"),
        pytest.param("subtract two hours from a date", "(number, Date) => _", id="two units"),
        pytest.param(
            "count the words in a string", "(string) => number", id="what is counted in another"
        ),
        pytest.param("takes two dates", "(Date, Date) => _", id="a number of values"),
        pytest.param("takes strings", "(string[]) => _", id="a plural alone is an array"),
        pytest.param(
            "takes an array of promises and returns a promise of an array",
            "(Promise<T>[]) => Promise<T[]>",
            id="no promise of promises",
        ),
        pytest.param("takes a set of dates", "(Set<Date>) => _", id="set"),
        pytest.param("map from string to number", "(Map<string, number>) => _", id="map from to"),
        pytest.param("returns a dictionary of dates", "(...) => Record<string, Date>", id="record"),
        pytest.param("takes an iterator of numbers", "(Iterator<number>) => _", id="iterator"),
        pytest.param("takes a pair of a string and a date", "([string, Date]) => _", id="pair"),
        pytest.param(
            "converts a list of key value pairs to a map", "([K, V][]) => Map<K, V>", id="entries"
        ),
        pytest.param(
            "sort an array of dates with a comparator",
            "(Date[], (a: Date, b: Date) => number) => _",
            id="a comparator compares what is in the array",
        ),
        pytest.param(
            "takes an array and a predicate and returns the first element or undefined",
            "(T[], (x: T) => boolean) => T | undefined",
            id="element",
        ),
        pytest.param(
            "takes an array and a function and returns an array",
            "(T[], (x: T) => U) => U[]",
            id="the result has the mapper's result type",
        ),
        pytest.param(
            "takes two arrays and a function, returns an array",
            "(A[], B[], (a: A, b: B) => C) => C[]",
            id="two arrays combined",
        ),
        pytest.param(
            "takes two arrays and returns an array",
            "(T[], T[]) => T[]",
            id="two arrays of one element type",
        ),
        pytest.param(
            "takes a path and a node style callback that receives a buffer",
            "(string, (x: Error, y: Buffer) => void) => _",
            id="node style callback",
        ),
        pytest.param(
            "takes a function that takes a string and returns a date",
            "((x: string) => Date) => _",
            id="a described function",
        ),
        pytest.param("type guard from unknown to Date", "(unknown) => x is Date", id="type guard"),
        pytest.param("takes a nullable string", "(string | null) => _", id="nullable"),
        pytest.param("takes a date and an optional number", "(Date, number?) => _", id="optional"),
        pytest.param("takes a regular expression", "(RegExp) => _", id="a term of two words"),
        pytest.param("takes a file URL", "(URL) => _", id="the name of a type"),
        pytest.param(
            "takes a value and returns a promise", "(T) => Promise<T>", id="the same thing"
        ),
        pytest.param(
            "takes a Map<string, User> and a string and returns a promise",
            "(Map<string, User>, string) => Promise<_>",
            id="a promise of anything",
        ),
        pytest.param(
            "takes a Promise<User> and returns a promise",
            "(Promise<User>) => Promise<User>",
            id="a promise of the same",
        ),
        pytest.param(
            "takes a Database<Schema> and returns an array",
            "(Database<Schema>) => _[]",
            id="a type argument is no element",
        ),
        pytest.param("takes a Promise<string[]>", "(Promise<string[]>) => _", id="TypeScript"),
        pytest.param("takes a schema and a string", "(_, string) => _", id="unknown noun"),
        pytest.param(
            "returns the number of days between two dates",
            "(Date, Date) => number",
            id="a complement",
        ),
        pytest.param(
            "takes a number with a lower and an upper bound",
            "(number, number, number) => _",
            id="an elided noun",
        ),
        pytest.param("no arguments", "() => _", id="no arguments"),
        pytest.param("retry with exponential backoff", "", id="nothing about types"),
    ],
)
def test_a_sentence_describes_a_signature(sentence: str, signature: str) -> None:
    assert _signature(sentence) == signature


@pytest.mark.parametrize(
    ("sentence", "signature"),
    [
        ("takes a user", "(User) => _"),
        ("group users by a date", "(User[], Date) => _"),
        ("returns an array of users", "(...) => User[]"),
        ("takes an observable of users", "(Observable<User>) => _"),
    ],
)
def test_nouns_name_declared_types_of_the_catalog(sentence: str, signature: str) -> None:
    assert _signature(sentence, "User", "Observable") == signature


def test_nouns_that_the_catalog_does_not_declare_stay_text() -> None:
    sentence = read_sentence("returns an observable of users", Types())
    assert _text(sentence) == ""
    assert "users" in sentence.words


def test_a_general_noun_with_a_capital_is_the_declared_type_of_its_name() -> None:
    assert _signature("takes a Value and returns a Result", "Value", "Result") == (
        "(Value) => Result"
    )
    assert _signature("takes a Value and returns a Result", "Value") == "(Value) => _"
    assert _signature("takes a value and returns the result", "Value", "Result") == "(T) => T"


@pytest.mark.parametrize(
    ("sentence", "arity"),
    [
        ("takes two arguments", Range(2, 2)),
        ("takes at least two arguments", Range(2, None)),
        ("with at most 3 parameters", Range(0, 3)),
        ("function with no arguments", Range(0, 0)),
        ("takes a string and an optional number", Range(1, 2)),
    ],
)
def test_a_sentence_states_the_number_of_arguments(sentence: str, arity: Range) -> None:
    assert read_sentence(sentence).arity == arity


@pytest.mark.parametrize(
    ("text", "asynchronous", "kind", "flags"),
    [
        ("async function that takes a path", True, "function", ()),
        ("synchronously read a file", False, "", ()),
        ("returns a promise of a string", True, "", ()),
        ("static method taking a number", None, "method", ("static",)),
        ("constructor that takes a string", None, "constructor", ()),
        ("async functions that read files", True, "function", ()),
        ("run async functions in parallel", None, "", ()),
        ("compose functions that take a string", None, "", ()),
        ("generic interface", None, "interface", ("generic",)),
        ("takes a function", None, "", ()),
    ],
)
def test_a_sentence_states_kind_and_flags(
    text: str, asynchronous: bool | None, kind: str, flags: tuple[str, ...]
) -> None:
    sentence = read_sentence(text)
    assert (sentence.asynchronous, sentence.kind, sentence.flags) == (asynchronous, kind, flags)


@pytest.mark.parametrize(
    "text", ["async storage", "serve static files", "sync a folder", "export the deprecated list"]
)
def test_an_adjective_inside_a_phrase_is_a_word(text: str) -> None:
    sentence = read_sentence(text)
    assert (sentence.asynchronous, sentence.flags) == (None, ())


@pytest.mark.parametrize(
    "text",
    ["async, takes a path", "read a file asynchronously", "async static method", "async callback"],
)
def test_an_adjective_of_an_entry_is_a_constraint(text: str) -> None:
    sentence = read_sentence(text)
    assert sentence.asynchronous or sentence.parameters


def test_an_async_function_returns_a_promise() -> None:
    assert _signature("async function that returns a string") == "(...) => Promise<string>"
    assert _signature("run async functions in parallel") == "(((x: T) => Promise<U>)[]) => _"


def test_functions_in_the_plural_are_what_is_searched_where_they_are_described() -> None:
    text = "functions that take a string and return a number"
    assert _signature(text) == "(string) => number"


def test_types_are_sure_only_with_a_verb_and_an_unambiguous_noun() -> None:
    sentence = read_sentence("takes a string and a path and returns a number")
    assert [parameter.sure for parameter in sentence.parameters] == [True, False]
    assert sentence.returns is not None
    assert sentence.returns.sure
    without_verb_of_taking = read_sentence("sort an array of strings")
    assert not any(parameter.sure for parameter in without_verb_of_taking.parameters)


def test_sure_constraints_are_facets() -> None:
    text = "async method that takes a string and returns a date"
    constraints = sure_constraints(read_sentence(text))
    assert [item.key for item in constraints] == ["param", "returns", "arity", "is", "kind"]
    assert constraints[-2:] == (
        Constraint("is", (Flag("async"),)),
        Constraint("kind", (Flag("method"),)),
    )


def test_words_without_a_constraint_stay_text() -> None:
    assert read_sentence("debounce a function that takes a string").words == "debounce"
    assert read_sentence("retry with backoff").words == "retry with backoff"


def test_a_query_lists_the_constraints_of_its_sentence() -> None:
    query = parse("takes a string and returns a promise of a date  pkg:date-fns")
    assert query.sentence is not None
    assert "takes string" in query.read_as
    assert "returns Promise<Date>" in query.read_as
    assert "pkg:date-fns" in query.read_as


def test_quoted_words_and_signatures_are_not_sentences() -> None:
    assert parse('"takes a string"').sentence is None
    assert parse("takes a string :: (number) => Date").sentence is None


def test_a_long_text_is_read_at_its_beginning() -> None:
    sentence = read_sentence("takes a string and returns a date. " + "word " * 10_000)
    assert _text(sentence) == "(string) => Date"
    assert len(sentence.words.split()) == 10_000


@pytest.mark.parametrize(
    ("sentence", "signature"),
    [
        ("set a cookie on a date", "(Cookie, Date) => _"),
        ("sets a date", "(Date) => _"),
        ("takes a set and a date", "(Set<T>, Date) => _"),
        ("the union of two sets", "(Set<T>, Set<T>) => _"),
    ],
)
def test_set_is_a_verb_at_the_beginning_of_a_clause(sentence: str, signature: str) -> None:
    assert _signature(sentence, "Cookie") == signature


def test_an_adjective_names_no_type() -> None:
    assert _signature("get the next date", "Next") == _signature("get the first date", "Next")
    assert _signature("get the Next", "Next") == "(...) => Next"


@pytest.mark.parametrize("term", ["set of ", "set ", "map of ", "function that takes a ", "pair "])
def test_nested_phrases_do_not_exceed_the_depth_limit_of_types(term: str) -> None:
    sentence = read_sentence("takes a " + term * 500)
    signature = sentence_signature(sentence)
    assert signature is not None
    assert read_signature(_text(sentence)) == signature
    sure_constraints(sentence)


_TERMS = st.sampled_from(sorted(" ".join(key) for key in LEXICON))
_SENTENCES = st.lists(
    _TERMS | st.sampled_from(["User", "T", "A", ",", ".", "xyz", "10", "string[]", "Map<K, V>"]),
    max_size=14,
).map(" ".join)


@given(_SENTENCES | st.text(max_size=60))
def test_reading_a_sentence_never_fails_and_is_deterministic(text: str) -> None:
    sentence = read_sentence(text)
    assert sentence == read_sentence(text)
    sentence_signature(sentence)
    sure_constraints(sentence)


@given(_SENTENCES)
def test_the_types_of_a_sentence_equal_those_that_their_text_is_parsed_to(text: str) -> None:
    sentence = read_sentence(text)
    signature = sentence_signature(sentence)
    if signature is not None:
        assert read_signature(_text(sentence)) == signature
    for constraint in sure_constraints(sentence):
        for value in constraint.values:
            if isinstance(value, TypeValue):
                assert letters_as_wildcards(value.type) is read_type(value.text)


@given(_SENTENCES | st.text(max_size=60))
def test_every_type_has_a_span_in_the_text(text: str) -> None:
    sentence = read_sentence(text)
    for item in (*sentence.parameters, *((sentence.returns,) if sentence.returns else ())):
        assert 0 <= item.column < item.end <= len(text)
        assert text[item.column : item.end].strip()


@given(_SENTENCES)
def test_reading_never_fails_with_a_catalog_that_declares_every_noun(text: str) -> None:
    class Everything:
        def type_named(self, noun: str, /) -> str | None:
            return noun.title().replace(" ", "") or None

    sentence_signature(read_sentence(text, Everything()))


def test_a_declared_name_that_is_no_typescript_name_stays_a_word() -> None:
    assert _signature("takes 404 and returns a string", "404") == _signature("returns a string")
    assert _signature("returns a pet-kind", "pet-kind") == ""


def test_nearly_all_labelled_sentences_describe_a_signature() -> None:
    texts = [line[9:] for line in SENTENCES.splitlines() if line.startswith("sentence ")]
    assert len(texts) == 60
    assert sum(bool(_text(read_sentence(text))) for text in texts) >= 58


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("async function that takes a path", True, id="stated"),
        pytest.param("takes a string and returns a promise of a date", True, id="a sure promise"),
        pytest.param("turns a stream into a promise", False, id="a likely promise"),
        pytest.param("read a file without blocking", False, id="without blocking has no type"),
    ],
)
def test_a_likely_promise_is_no_sure_constraint(text: str, expected: bool) -> None:
    constraints = sure_constraints(read_sentence(text))
    assert any(constraint.key == "is" for constraint in constraints) == expected


def test_the_kind_of_entry_is_read_from_the_head_of_the_sentence_only() -> None:
    assert read_sentence("method on a buffer that returns a bigint").kind == "method"
    assert read_sentence("look up a deep property of an object").kind == ""


def test_only_values_of_the_is_facet_become_sure_flags() -> None:
    constraints = sure_constraints(read_sentence("immutable generic function that takes a string"))
    values = [value for constraint in constraints for value in constraint.values]
    flags = [value.name for value in values if isinstance(value, Flag)]
    assert "generic" in flags
    assert "readonly" not in flags


def test_an_order_to_take_something_lists_no_arguments() -> None:
    sentence = read_sentence("take a screenshot of a page")
    assert (sentence.parameters, sentence.arity) == ((), None)


def test_what_is_put_into_something_does_not_become_that() -> None:
    types = Types("Bucket", "Table")
    assert read_sentence("upload an object to a bucket", types).returns is None
    assert read_sentence("insert a row into a table", types).returns is None
