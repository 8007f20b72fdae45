"""Errors say what, where and how to mend it, and survive a trip between processes."""

import pickle

import pytest

from typematch import errors
from typematch.errors import (
    ClaudeError,
    DatabaseError,
    FetchError,
    LockedError,
    MissingDatabaseError,
    NoEntryError,
    NotADatabaseError,
    NoTypingsError,
    NpmMissingError,
    OutsideError,
    QuerySyntaxError,
    ReadOnlyError,
    SourceError,
    TypematchError,
    TypeSyntaxError,
    UsageError,
    UserError,
    WrongVersionError,
)

EXAMPLES: list[TypematchError] = [
    QuerySyntaxError("(string -> number", 8, ("'=>'", "')'"), "Try: (string) => number"),
    QuerySyntaxError("knd:x", 0, problem="unknown facet 'knd'", hint="Did you mean 'kind'?"),
    TypeSyntaxError("{ a: ", 5, ("a type",)),
    UsageError("--limit needs a number", "", "Try: --limit 20"),
    NoEntryError("chunkk"),
    SourceError("no such file or folder", "src/nowhere", "Look at the spelling."),
    MissingDatabaseError("x.db"),
    NotADatabaseError("x.db", "file is not a database"),
    WrongVersionError("x.db", "3", "7"),
    ReadOnlyError("x.db"),
    LockedError("x.db", 5.0),
    NpmMissingError("npm:rxjs"),
    FetchError("npm:rxjs", "offline"),
    NoTypingsError("left-pad"),
    ClaudeError("the key was refused (401)"),
]


def test_the_caret_stands_under_the_trouble() -> None:
    assert str(EXAMPLES[0]) == (
        "cannot read the query at column 9: expected '=>' or ')'\n"
        "  (string -> number\n"
        "          ^\n"
        "Try: (string) => number"
    )


@pytest.mark.parametrize(
    ("text", "column", "lines"),
    [
        pytest.param(
            "a\x00b?", 3, ["  a\N{REPLACEMENT CHARACTER}b?", "     ^"], id="a NUL is one mark"
        ),
        pytest.param("日本?", 2, ["  日本?", "      ^"], id="wide characters count twice"),
        pytest.param("one\ntwo?", 7, ["  two?", "     ^"], id="only the line in question"),
        pytest.param("one?\ntwo", 3, ["  one?", "     ^"], id="the first of two lines"),
        pytest.param("", 0, ["  ", "  ^"], id="nothing at all"),
    ],
)
def test_the_line_is_shown(text: str, column: int, lines: list[str]) -> None:
    assert errors.caret(text, column) == lines


def test_a_long_line_is_cut_around_the_caret() -> None:
    shown, mark = errors.caret("x" * 5000 + "!" + "y" * 5000, 5000)
    assert len(shown) < 110
    assert shown[mark.index("^")] == "!"
    assert shown.strip().startswith("…")
    assert shown.endswith("…")


@pytest.mark.parametrize("error", EXAMPLES, ids=lambda e: f"{type(e).__name__}-{e.where}")
def test_an_error_survives_a_trip_between_processes(error: TypematchError) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert str(again) == str(error)
    assert vars(again) == vars(error)


@pytest.mark.parametrize("error", EXAMPLES, ids=lambda e: f"{type(e).__name__}-{e.where}")
def test_the_exit_code_says_who_must_act(error: TypematchError) -> None:
    expected = {UserError: 2, DatabaseError: 3, OutsideError: 3}
    [code] = [code for kind, code in expected.items() if issubclass(type(error), kind)]
    assert error.exit_code == code


def test_the_docstring_draws_the_whole_tree() -> None:
    drawn = errors.__doc__ or ""
    classes = [c for c in vars(errors).values() if isinstance(c, type)]
    for kind in classes:
        if issubclass(kind, Exception):
            assert f" {kind.__name__}" in drawn, kind
