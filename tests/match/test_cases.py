"""The cases: tsc's verdict against the relation, costs and edits against the search relation."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from match.texts import CASES, NO_FIT, Case, match_texts, parse_cases, read_cases, relate_texts
from typematch.match.edit_kinds import EDIT_KINDS
from typematch.match.strictness import Strictness
from typematch.match.verdict import Fit, Misfit

ALL_CASES = [case for path in sorted(CASES.glob("*.case")) for case in read_cases(path.stem)]
SEARCH_CASES = [case for case in ALL_CASES if case.cost is not None]


def params(cases: Iterable[Case]) -> list[object]:
    """Return a parameter for each case; a gap is an expected failure that must not pass."""
    return [
        pytest.param(
            case,
            id=f"{case.source} => {case.target}",
            marks=pytest.mark.xfail(reason=case.gap, raises=AssertionError, strict=True)
            if case.gap
            else (),
        )
        for case in cases
    ]


@pytest.mark.parametrize("case", params(ALL_CASES))
def test_verdict_agrees_with_tsc(case: Case) -> None:
    verdict = relate_texts(case.source, case.target, case.declares)
    assert isinstance(verdict, Fit if case.fits else Misfit), verdict


@pytest.mark.parametrize("case", params(SEARCH_CASES))
def test_search_charges_the_stated_edits(case: Case) -> None:
    verdict = match_texts(case.source, case.target, case.declares)
    if case.cost == NO_FIT:
        assert isinstance(verdict, Misfit)
        return
    assert isinstance(verdict, Fit), verdict
    sentences = tuple(edit.describe(("A", "B", "C")) for edit in verdict.edits)
    assert (verdict.cost, sentences) == (case.cost, case.edits)


@pytest.mark.parametrize("case", params(SEARCH_CASES))
def test_exact_strictness_accepts_only_fits_of_cost_zero(case: Case) -> None:
    verdict = match_texts(case.source, case.target, case.declares, Strictness.EXACT)
    assert isinstance(verdict, Fit) == (case.cost == 0)


# Kinds of edits that no pair of function types alone can have.
OTHER_EDITS = {
    "container-instantiated",  # of a member of a generic class
    "curried",
    "mismatched",  # `is:loose` only
    "more-specific",  # of a search for types
    "not-annotated",  # of source code without type annotations
    "receiver-first",
    "spread",
}


def test_every_kind_of_edit_has_a_case() -> None:
    shown = {
        edit.kind.name
        for case in SEARCH_CASES
        if isinstance(verdict := match_texts(case.source, case.target, case.declares), Fit)
        for edit in verdict.edits
    }
    assert {kind.name for kind in EDIT_KINDS} - shown <= OTHER_EDITS


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("fits yes", id="a line before the first source"),
        pytest.param("source 1\nprice 2", id="an unknown keyword"),
        pytest.param("source 1\nfits maybe", id="fits is yes or no"),
    ],
)
def test_a_malformed_case_file_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"x\.case, line \d"):
        parse_cases(text, "x.case")
