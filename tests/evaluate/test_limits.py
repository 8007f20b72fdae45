"""Whether the first hits depend on the limit: what the evaluation counts."""

from __future__ import annotations

from typematch.evaluate.compiler.limit_independence import evaluate, report
from typematch.ir.entry import Entry
from typematch.search.results import Hit, SearchResult

_ROWS = [{"id": "q1", "query": "(n: number) => string"}]


def answer(names: str, total: int, *, at_least: bool = False, notice: str = "") -> SearchResult:
    entries = (Entry(n, "function", n, n, "", "p", "", "p/x.d.ts", 1, "() => 1") for n in names)
    hits = tuple(Hit(entry, 1.0) for entry in entries)
    notices = (notice,) if notice else ()
    return SearchResult("", "", hits, total, at_least, notices=notices)


def answered(answers: dict[int | None, SearchResult]) -> dict[str, object]:
    return evaluate(_ROWS, lambda _, limit: answers[limit])


def test_a_shorter_list_is_the_beginning_of_a_longer_one() -> None:
    page = answer("abc", 3, at_least=True)
    result = answered({3: page, 20: page, 50: page, None: answer("abcd", 4)})
    assert (result["same"], result["totals"], result["ended_early"]) == (1, 1, 0)


def test_another_order_and_a_wrong_total_differ() -> None:
    page = answer("abc", 3, at_least=True)
    result = answered({3: page, 20: answer("acb", 3), 50: page, None: answer("abcd", 4)})
    assert (result["same"], result["totals"]) == (0, 0)
    assert "a c b" in report(result)


def test_an_answer_that_ended_at_the_time_limit_is_counted_apart() -> None:
    page = answer("abc", 3)
    ended = answer("ab", 2, at_least=True, notice="The search ended after 1.50 s; there may be")
    result = answered({3: page, 20: ended, 50: page, None: page})
    assert (result["queries"], result["ended_early"], result["same"]) == (1, 1, 0)
