"""Binary encoding of types."""

from __future__ import annotations

import json

import pytest
from hypothesis import given

from type_strategies import types
from typematch.ir.codec import FORMAT, CodecError, Decoder, Encoder, decode_type, encode_type
from typematch.ir.types import NUMBER, STRING, Array, Free, Literal, Reference, Type, VariableKind


@given(types)
def test_decoding_an_encoded_type_returns_the_same_object(t: Type) -> None:
    assert decode_type(encode_type(t)) is t


@given(types, types)
def test_equal_bytes_mean_equal_types(a: Type, b: Type) -> None:
    assert (encode_type(a) == encode_type(b)) == (a is b)


def test_a_shared_node_is_encoded_once() -> None:
    part = Reference("p/a.d.ts#VeryLongName", (NUMBER,))
    encoder = Encoder()
    numbers = encoder.numbers([part, Array(part), part])
    blob = encoder.to_bytes(numbers)
    assert blob.count(b"VeryLongName") == 1
    decoder = Decoder(blob)
    assert decoder.nodes(decoder.value) == (part, Array(part), part)


def test_nesting_may_exceed_the_recursion_limit() -> None:
    t: Type = STRING
    for _ in range(5_000):
        t = Array(t)
    assert decode_type(encode_type(t)) is t


def test_lone_surrogates_are_preserved() -> None:
    t = Literal("string", "\ud800")
    assert decode_type(encode_type(t)) is t


def test_free_variables_cannot_be_encoded() -> None:
    with pytest.raises(CodecError, match="Free"):
        encode_type(Free(VariableKind.LOCAL, 1))


@pytest.mark.parametrize(
    "blob",
    [
        pytest.param(b"", id="empty"),
        pytest.param(b"\xff\x00", id="not text"),
        pytest.param(b"{}", id="not an array"),
        pytest.param(json.dumps([FORMAT + 1, [], -1]).encode(), id="another format"),
        pytest.param(json.dumps([FORMAT, [[3, 7]], 0]).encode(), id="a missing child"),
        pytest.param(json.dumps([FORMAT, [[3]], 0]).encode(), id="a missing field"),
        pytest.param(json.dumps([FORMAT, [[99]], 0]).encode(), id="an unknown class"),
        pytest.param(json.dumps([FORMAT, [], 5]).encode(), id="a missing root"),
        pytest.param(json.dumps([FORMAT, [[10]], 0]).encode(), id="not a type"),
    ],
)
def test_invalid_bytes_raise_an_error_with_a_reason(blob: bytes) -> None:
    with pytest.raises(CodecError, match=r"\w"):
        decode_type(blob)
