"""Error messages name what failed, where and how to fix it; errors can be pickled."""

import pickle
from collections.abc import Iterator

import pytest

from typematch import errors
from typematch.errors import (
    ClaudeError,
    DamagedDatabaseError,
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
from typematch.index.vectors.embedding import EmbeddingError, WrongModelError
from typematch.llm.client import RequestRefusedError

EXAMPLES: list[TypematchError] = [
    QuerySyntaxError("(string -> number", 8, ("'=>'", "')'"), "Try: (string) => number"),
    QuerySyntaxError(
        "knd:x", 0, problem="unknown facet 'knd'", hint="Did you mean 'kind'?", corrected="kind:x"
    ),
    TypeSyntaxError("{ a: ", 5, ("a type",)),
    UsageError("--limit needs a number", "", "Try: --limit 20"),
    NoEntryError("chunkk"),
    SourceError("no such file or folder", "src/nowhere", "Look at the spelling."),
    MissingDatabaseError("x.db"),
    NotADatabaseError("x.db", "file is not a database"),
    DamagedDatabaseError("x.db", "a page cannot be read", ("rxjs 7.8.1", "shop")),
    WrongVersionError("x.db", "3", "7"),
    ReadOnlyError("x.db"),
    LockedError("x.db", 5.0),
    NpmMissingError("npm:rxjs"),
    FetchError("npm:rxjs", "offline"),
    NoTypingsError("left-pad"),
    ClaudeError("the key was refused (401)"),
]


def test_the_caret_is_below_the_error() -> None:
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
            "a\x00b?", 3, ["  a\N{REPLACEMENT CHARACTER}b?", "     ^"], id="control character"
        ),
        pytest.param("日本?", 2, ["  日本?", "      ^"], id="wide characters"),
        pytest.param("one\ntwo?", 7, ["  two?", "     ^"], id="second line"),
        pytest.param("one?\ntwo", 3, ["  one?", "     ^"], id="first line"),
        pytest.param("", 0, ["  ", "  ^"], id="empty text"),
    ],
)
def test_the_line_with_the_error_is_quoted(text: str, column: int, lines: list[str]) -> None:
    assert errors.caret(text, column) == lines


def test_a_long_line_is_cut_around_the_caret() -> None:
    line, mark = errors.caret("x" * 5000 + "!" + "y" * 5000, 5000)
    assert len(line) < 110
    assert line[mark.index("^")] == "!"
    assert line.strip().startswith("…")
    assert line.endswith("…")


@pytest.mark.parametrize("error", EXAMPLES, ids=lambda e: f"{type(e).__name__}-{e.where}")
def test_errors_can_be_pickled(error: TypematchError) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert str(again) == str(error)
    assert vars(again) == vars(error)


@pytest.mark.parametrize("error", EXAMPLES, ids=lambda e: f"{type(e).__name__}-{e.where}")
def test_the_exit_code_depends_on_the_error_category(error: TypematchError) -> None:
    expected = {UserError: 2, DatabaseError: 3, OutsideError: 3}
    [code] = [code for kind, code in expected.items() if issubclass(type(error), kind)]
    assert error.exit_code == code


def test_the_docstring_lists_every_error_class() -> None:
    drawn = errors.__doc__ or ""
    classes = list(_classes(TypematchError))
    assert {EmbeddingError, WrongModelError, RequestRefusedError} <= {*classes}
    for kind in classes:
        assert f" {kind.__name__} " in drawn.replace("\n", " "), kind


def _classes(kind: type[TypematchError]) -> Iterator[type[TypematchError]]:
    """Yield an error class of the package and those below it."""
    if kind.__module__.startswith("typematch."):
        yield kind
    for subclass in kind.__subclasses__():
        yield from _classes(subclass)
