from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from typematch.search.prepare.clauses import Clause, action_verb, split_clauses, split_request


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        pytest.param(
            "list my playlists, then add a song to the first",
            ("list my playlists", "add a song to the first"),
            id="a comma before a verb",
        ),
        pytest.param(
            "create a user with name, age and roles",
            ("create a user with name, age and roles",),
            id="a list of nouns is one clause",
        ),
        pytest.param(
            "I want to upload a file, setting its owner. Finally, who can see it?",
            ("upload a file", "setting its owner", "who can see it"),
            id="every sentence is a clause, without introductory words",
        ),
        pytest.param(
            "How can I pause playback and resume it?",
            ("pause playback", "resume it"),
            id="a conjunction",
        ),
        pytest.param(
            "save the draft, discard the copy",
            ("save the draft", "discard the copy"),
            id="every verb of an HTTP method starts a clause",
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
def test_the_verb_of_a_clause(clause: str, action: str) -> None:
    assert action_verb(clause) == action


@example("a , a")
@example("a, , list")
@given(st.text(alphabet="ab list,.and then;\n", max_size=200))
def test_clauses_are_parts_of_the_request_in_its_order(text: str) -> None:
    position = 0
    for clause in split_clauses(text):
        position = text.index(clause, position) + len(clause)


def test_a_request_has_at_most_forty_clauses() -> None:
    clauses = split_clauses("list users. " * 1_000)
    assert len(clauses) == 40
    assert clauses[-1].count("list users") == 961


def test_the_last_of_forty_clauses_has_the_remaining_items_of_lists() -> None:
    items = [f"the recent monthly report number {index}" for index in range(100)]
    clauses = split_request(f"show {', '.join(items)}")
    assert len(clauses) == 40
    assert clauses[38] == Clause(items[38], "show")
    assert clauses[39] == Clause(", ".join(items[39:]), "show")


def test_lists_of_long_items_are_split() -> None:
    text = (
        "Show the operational status of all machines, the forecast of next month's budget "
        "and the skills of the whole staff, then delete old alerts"
    )
    assert [(clause.text, clause.action) for clause in split_request(text)] == [
        ("Show the operational status of all machines", "show"),
        ("the forecast of next month's budget", "show"),
        ("the skills of the whole staff", "show"),
        ("delete old alerts", "delete"),
    ]


def test_lists_of_short_items_are_not_split() -> None:
    text = "create a new customer account with name, age, postal address and preferred language"
    assert len(split_request("create a user with name, age and roles")) == 1
    assert {clause.action for clause in split_request(text)} == {"create"}
    assert split_request("?!") == ()
