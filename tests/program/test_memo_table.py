"""What a memo table keeps from one generation to the next."""

from __future__ import annotations

from typematch.program.reduction.memo_table import MemoTable


def test_a_value_is_kept_as_long_as_each_generation_uses_it() -> None:
    table: MemoTable[str, int] = MemoTable()
    table["used"], table["unused"] = 1, 2
    for _ in range(3):
        table.start_generation()
        assert table.get("used") is None
        assert table.lookup("used") == 1
        assert table.get("used") == 1
    assert table.lookup("unused") is None
    assert len(table) == 1


def test_a_cleared_table_recalls_nothing() -> None:
    table: MemoTable[str, int] = MemoTable()
    table["a"] = 1
    table.start_generation()
    table.clear()
    assert table.lookup("a") is None
