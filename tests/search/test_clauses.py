from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from typematch.search.prepare.clauses import action_of, split_clauses, split_needs


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        pytest.param(
            "list my playlists, then add a song to the first",
            ("list my playlists", "add a song to the first"),
            id="a comma before something to do",
        ),
        pytest.param(
            "create a user with name, age and roles",
            ("create a user with name, age and roles",),
            id="an enumeration of nouns is one thing",
        ),
        pytest.param(
            "I want to upload a file, setting its owner. Finally, who can see it?",
            ("upload a file", "setting its owner", "who can see it"),
            id="a sentence is a clause whatever it begins with; openings are left out",
        ),
        pytest.param(
            "How can I pause playback and resume it?",
            ("pause playback", "resume it"),
            id="a conjunction",
        ),
        pytest.param("debounce", ("debounce",), id="a word"),
        pytest.param(" ?! ", (), id="no word"),
    ],
)
def test_clauses_of_a_request(text: str, clauses: tuple[str, ...]) -> None:
    assert split_clauses(text) == clauses


@pytest.mark.parametrize(
    ("clause", "action"),
    [
        ("planning a trip", "plan"),
        ("Sharing it", "share"),
        ("please delete it", "delete"),
        ("the user", ""),
        ("king of spades", ""),
    ],
)
def test_the_action_of_a_clause(clause: str, action: str) -> None:
    assert action_of(clause) == action


@example("a , a")
@example("a, , list")
@given(st.text(alphabet="ab list,.and then;\n", max_size=200))
def test_clauses_say_nothing_that_the_request_does_not(text: str) -> None:
    place = 0
    for clause in split_clauses(text):
        place = text.index(clause, place) + len(clause)


def test_a_request_has_at_most_forty_clauses() -> None:
    clauses = split_clauses("list users. " * 1_000)
    assert len(clauses) == 40
    assert clauses[-1].count("list users") == 961


def test_a_clause_that_lists_things_at_length_is_several_needs() -> None:
    text = (
        "Show the operational status of all machines, the forecast of next month's budget "
        "and the skills of the whole staff, then delete old alerts"
    )
    assert [(need.text, need.action) for need in split_needs(text)] == [
        ("Show the operational status of all machines", "show"),
        ("the forecast of next month's budget", "show"),
        ("the skills of the whole staff", "show"),
        ("delete old alerts", "delete"),
    ]


def test_short_lists_belong_to_what_they_are_of() -> None:
    text = "create a new customer account with name, age, postal address and preferred language"
    assert len(split_needs("create a user with name, age and roles")) == 1
    assert {need.action for need in split_needs(text)} == {"create"}
    assert split_needs("?!") == ()
