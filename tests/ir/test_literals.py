"""String form of numbers, and canonical numeric property names."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from typematch import assignable
from typematch.ir.literals import is_numeric_name, number_text, number_to_string


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (0.0, "0"),
        (-0.0, "0"),
        (100.0, "100"),
        (-1.5, "-1.5"),
        (0.1, "0.1"),
        (123.456, "123.456"),
        (0.000001, "0.000001"),
        (0.00000123, "0.00000123"),
        (1e-7, "1e-7"),
        (1.5e-7, "1.5e-7"),
        (-1.25e-9, "-1.25e-9"),
        (5e-324, "5e-324"),
        (2.0**53, "9007199254740992"),
        (2.0**64, "18446744073709552000"),
        (123456789012345680000.0, "123456789012345680000"),
        (1e20, "100000000000000000000"),
        (1e21, "1e+21"),
        (1.5e300, "1.5e+300"),
        (1.7976931348623157e308, "1.7976931348623157e+308"),
        (math.inf, "Infinity"),
        (-math.inf, "-Infinity"),
        (math.nan, "NaN"),
    ],
)
def test_numbers_are_formatted_as_javascript_formats_them(value: float, expected: str) -> None:
    assert number_to_string(value) == expected


@given(st.floats(allow_nan=False))
def test_formatted_numbers_are_numeric_names_and_parse_to_the_same_number(value: float) -> None:
    text = number_to_string(value)
    assert float(text) == value
    assert is_numeric_name(text)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("0x10", "16"),
        ("0b101", "5"),
        ("0o17", "15"),
        ("017", "15"),
        ("1_000", "1000"),
        (".50", "0.5"),
        ("5.", "5"),
        ("1e3", "1000"),
        ("0.0000001", "1e-7"),
        ("1000000000000000000000", "1e+21"),
        ("12345678901234567890", "12345678901234567000"),
        ("1e999", "Infinity"),
        ("0x1" + "0" * 300, "Infinity"),
    ],
)
def test_numeric_source_text_is_normalized(source: str, expected: str) -> None:
    assert number_text(source) == expected


@pytest.mark.parametrize("text", ["0", "42", "-1.5", "1e-7", "1e+21", "NaN", "Infinity"])
def test_canonical_numbers_are_numeric_names(text: str) -> None:
    assert is_numeric_name(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "01",
        "-0",
        "1.0",
        "+1",
        "1e-07",
        "1e21",
        "0.0000001",
        "12345678901234567890",
        " 1",
        "1_0",
    ],
)
def test_other_spellings_of_numbers_are_not_numeric_names(text: str) -> None:
    assert not is_numeric_name(text)


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        ("`${1e-7}`", '"1e-7"', True),
        ("`${1e-7}`", '"0.0000001"', False),
        ("`${1e-6}`", '"0.000001"', True),
        ("`${1e21}`", '"1e+21"', True),
        ("`${123456789012345680000}`", '"123456789012345680000"', True),
        ('{ "1e-7": string }', "{ [k: number]: number }", False),
        ('{ "1e-07": string }', "{ [k: number]: number }", True),
        ('{ "0.0000001": string }', "{ [k: number]: number }", True),
        ('{ "12345678901234567890": string }', "{ [k: number]: number }", True),
        ('keyof { "1e-07": 1 }', '"1e-07"', True),
        ("keyof { 1e-7: 1 }", "1e-7", True),
        ('[1, 2]["Infinity"]', "undefined", True),
    ],
)
def test_assignability_uses_canonical_numbers(source: str, target: str, expected: bool) -> None:
    assert assignable(source, target) is expected
