from __future__ import annotations

import json

import pytest
from hypothesis import given

from given_types import types
from typematch.ir.codec import FORMAT, CodecError, Decoder, Encoder, decode_type, encode_type
from typematch.ir.types import NUMBER, STRING, Array, Free, Literal, Reference, Type


@given(types)
def test_reading_what_was_written_gives_the_same_object(t: Type) -> None:
    assert decode_type(encode_type(t)) is t


@given(types, types)
def test_equal_bytes_mean_equal_types(a: Type, b: Type) -> None:
    assert (encode_type(a) == encode_type(b)) == (a is b)


def test_a_part_that_occurs_twice_is_written_once() -> None:
    part = Reference("p/a.d.ts#VeryLongName", (NUMBER,))
    encoder = Encoder()
    numbers = encoder.numbers([part, Array(part), part])
    blob = encoder.to_bytes(numbers)
    assert blob.count(b"VeryLongName") == 1
    decoder = Decoder(blob)
    assert decoder.nodes(decoder.value) == (part, Array(part), part)


def test_types_nest_deeper_than_python_recurses() -> None:
    t: Type = STRING
    for _ in range(5_000):
        t = Array(t)
    assert decode_type(encode_type(t)) is t


def test_a_lone_surrogate_survives() -> None:
    t = Literal("string", "\ud800")
    assert decode_type(encode_type(t)) is t


def test_a_variable_of_the_matcher_is_refused() -> None:
    with pytest.raises(CodecError, match="Free"):
        encode_type(Free(1))


@pytest.mark.parametrize(
    "blob",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"\xff\x00", id="not text"),
        pytest.param(b"{}", id="another document"),
        pytest.param(json.dumps([FORMAT + 1, [], -1]).encode(), id="another format"),
        pytest.param(json.dumps([FORMAT, [[3, 7]], 0]).encode(), id="a part that is not there"),
        pytest.param(json.dumps([FORMAT, [[3]], 0]).encode(), id="a field missing"),
        pytest.param(json.dumps([FORMAT, [[99]], 0]).encode(), id="an unknown class"),
        pytest.param(json.dumps([FORMAT, [], 5]).encode(), id="a root that is not there"),
        pytest.param(json.dumps([FORMAT, [[10]], 0]).encode(), id="a node that is no type"),
    ],
)
def test_strange_bytes_are_an_error_with_a_reason(blob: bytes) -> None:
    with pytest.raises(CodecError, match=r"\w"):
        decode_type(blob)
