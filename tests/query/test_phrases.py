"""English sentences become typed constraints; what is not understood stays text."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from typematch.query.english.lexicon import WORDS
from typematch.query.english.sentence_constraints import (
    read_phrases,
    signature_of,
    signature_text,
    sure_constraints,
)
from typematch.query.model import Constraint, Flag, Range
from typematch.query.parse import parse

SENTENCES = Path(__file__).with_name("sentences.txt").read_text(encoding="utf-8")


class Types:
    """A catalog that declares these names."""

    def __init__(self, *names: str) -> None:
        self._names = {name.lower(): name for name in names}

    def type_called(self, noun: str, /) -> str | None:
        return self._names.get(noun.lower())


def _signature(sentence: str, *names: str) -> str:
    return signature_text(read_phrases(sentence, Types(*names)))


@pytest.mark.parametrize(
    ("sentence", "signature"),
    [
        pytest.param("takes a string and a number", "(string, number) => _", id="taking"),
        pytest.param("returns an array of strings", "(...) => string[]", id="giving"),
        pytest.param("converts a date to a string", "(Date) => string", id="converting"),
        pytest.param("from string to Buffer", "(string) => Buffer", id="from and to"),
        pytest.param("takes a string or a buffer", "(string | Buffer) => _", id="or"),
        pytest.param(
            "takes a list of strings or numbers", "((string | number)[]) => _", id="or inside of"
        ),
        pytest.param("takes two dates", "(Date, Date) => _", id="a number of them"),
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
            id="a mapper's result is in the result",
        ),
        pytest.param(
            "takes two arrays and a function, returns an array",
            "(A[], B[], (a: A, b: B) => C) => C[]",
            id="two arrays combined",
        ),
        pytest.param("takes two arrays and returns an array", "(T[], T[]) => T[]", id="alike"),
        pytest.param(
            "takes a path and a node style callback that receives a buffer",
            "(string, (x: Error, y: Buffer) => void) => _",
            id="node style callback",
        ),
        pytest.param(
            "takes a function that takes a string and returns a date",
            "((x: string) => Date) => _",
            id="a function's own shape",
        ),
        pytest.param("type guard from unknown to Date", "(unknown) => x is Date", id="type guard"),
        pytest.param("takes a nullable string", "(string | null) => _", id="nullable"),
        pytest.param("takes a date and an optional number", "(Date, number?) => _", id="optional"),
        pytest.param("takes a regular expression", "(RegExp) => _", id="a noun of two words"),
        pytest.param("takes a file URL", "(URL) => _", id="a type's own name"),
        pytest.param(
            "takes a value and returns a promise", "(T) => Promise<T>", id="the same thing"
        ),
        pytest.param("takes a Promise<string[]>", "(Promise<string[]>) => _", id="TypeScript"),
        pytest.param("takes a schema and a string", "(_, string) => _", id="unknown noun"),
        pytest.param(
            "returns the number of days between two dates", "(Date, Date) => number", id="of what"
        ),
        pytest.param(
            "takes a number with a lower and an upper bound",
            "(number, number, number) => _",
            id="a noun said once for two",
        ),
        pytest.param("no arguments", "() => _", id="no arguments"),
        pytest.param("retry with exponential backoff", "", id="nothing about types"),
    ],
)
def test_a_sentence_as_a_signature(sentence: str, signature: str) -> None:
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
def test_nouns_mean_the_catalogs_types(sentence: str, signature: str) -> None:
    assert _signature(sentence, "User", "Observable") == signature


def test_nouns_that_the_catalog_does_not_know_stay_text() -> None:
    said = read_phrases("returns an observable of users", Types())
    assert signature_text(said) == ""
    assert "users" in said.words


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
def test_the_number_of_arguments(sentence: str, arity: Range) -> None:
    assert read_phrases(sentence).arity == arity


@pytest.mark.parametrize(
    ("sentence", "asynchronous", "kind", "flags"),
    [
        ("async function that takes a path", True, "function", ()),
        ("synchronously read a file", False, "", ()),
        ("returns a promise of a string", True, "", ()),
        ("static method taking a number", None, "method", ("static",)),
        ("constructor that takes a string", None, "constructor", ()),
        ("generic interface", None, "interface", ("generic",)),
        ("takes a function", None, "", ()),
    ],
)
def test_what_kind_of_thing_is_asked_for(
    sentence: str, asynchronous: bool | None, kind: str, flags: tuple[str, ...]
) -> None:
    said = read_phrases(sentence)
    assert (said.asynchronous, said.kind, said.flags) == (asynchronous, kind, flags)


def test_an_async_function_returns_a_promise() -> None:
    assert _signature("async function that returns a string") == "(...) => Promise<string>"


def test_only_what_is_told_plainly_is_sure() -> None:
    said = read_phrases("takes a string and a path and returns a number")
    assert [one.sure for one in said.parameters] == [True, False]
    assert said.returns is not None
    assert said.returns.sure
    loose = read_phrases("sort an array of strings")
    assert not any(one.sure for one in loose.parameters)


def test_what_is_sure_becomes_facets() -> None:
    found = sure_constraints(read_phrases("async method that takes a string and returns a date"))
    assert [one.key for one in found] == ["param", "returns", "arity", "is", "kind"]
    assert found[-2:] == (
        Constraint("is", (Flag("async"),)),
        Constraint("kind", (Flag("method"),)),
    )


def test_what_is_not_understood_stays_text() -> None:
    assert read_phrases("debounce a function that takes a string").words == "debounce"
    assert read_phrases("retry with backoff").words == "retry with backoff"


def test_a_query_says_what_it_understood() -> None:
    query = parse("takes a string and returns a promise of a date  pkg:date-fns")
    assert query.said is not None
    assert "takes string" in query.read_as
    assert "returns Promise<Date>" in query.read_as
    assert "pkg:date-fns" in query.read_as


def test_quoted_words_and_signatures_are_not_sentences() -> None:
    assert parse('"takes a string"').said is None
    assert parse("takes a string :: (number) => Date").said is None


def test_a_long_text_is_read_at_its_beginning() -> None:
    said = read_phrases("takes a string and returns a date. " + "word " * 10_000)
    assert signature_text(said) == "(string) => Date"
    assert len(said.words.split()) == 10_000


@pytest.mark.parametrize("term", ["set of ", "set ", "map of ", "function that takes a ", "pair "])
def test_phrases_nest_no_deeper_than_types_may(term: str) -> None:
    said = read_phrases("takes a " + term * 500)
    assert signature_of(said) is not None
    sure_constraints(said)


_TERMS = st.sampled_from(sorted(" ".join(key) for key in WORDS))
_SENTENCES = st.lists(
    _TERMS | st.sampled_from(["User", "T", "A", ",", ".", "xyz", "10", "string[]", "Map<K, V>"]),
    max_size=14,
).map(" ".join)


@given(_SENTENCES | st.text(max_size=60))
def test_any_text_is_read_the_same_way_twice_and_never_fails(text: str) -> None:
    said = read_phrases(text)
    assert said == read_phrases(text)
    signature_of(said)
    sure_constraints(said)


@given(_SENTENCES | st.text(max_size=60))
def test_every_constraint_has_a_place_in_the_text(text: str) -> None:
    said = read_phrases(text)
    for one in (*said.parameters, *((said.returns,) if said.returns else ())):
        assert 0 <= one.column < one.end <= len(text)
        assert text[one.column : one.end].strip()


@given(_SENTENCES)
def test_a_catalog_that_knows_everything_changes_no_words_of_the_vocabulary(text: str) -> None:
    class Everything:
        def type_called(self, noun: str, /) -> str | None:
            return noun.title().replace(" ", "") or None

    signature_of(read_phrases(text, Everything()))


def test_a_type_whose_name_no_signature_can_say_stays_a_word() -> None:
    assert _signature("takes 404 and returns a string", "404") == _signature("returns a string")
    assert _signature("returns a pet-kind", "pet-kind") == ""


def test_the_sentences_are_sixty_and_all_are_read() -> None:
    said = [line[9:] for line in SENTENCES.splitlines() if line.startswith("say ")]
    assert len(said) == 60
    assert sum(bool(signature_text(read_phrases(one))) for one in said) >= 58


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        pytest.param("async function that takes a path", True, id="told"),
        pytest.param("takes a string and returns a promise of a date", True, id="a sure promise"),
        pytest.param("turns a stream into a promise", False, id="a likely promise"),
        pytest.param("read a file without blocking", False, id="without blocking is any way"),
    ],
)
def test_asynchronous_is_sure_only_where_it_is_told(sentence: str, expected: bool) -> None:
    found = sure_constraints(read_phrases(sentence))
    assert any(one.key == "is" for one in found) == expected


def test_a_sort_of_entry_is_asked_for_only_at_the_head() -> None:
    assert read_phrases("method on a buffer that returns a bigint").kind == "method"
    assert read_phrases("look up a deep property of an object").kind == ""


def test_every_flag_that_is_sure_is_one_that_is_knows() -> None:
    found = sure_constraints(read_phrases("immutable generic function that takes a string"))
    flags = [value.name for one in found for value in one.values if isinstance(value, Flag)]
    assert "generic" in flags
    assert "readonly" not in flags
