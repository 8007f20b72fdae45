"""Compression of blobs."""

from __future__ import annotations

import pytest

from typematch.index.compression import compress, decompress
from typematch.ir.codec import CodecError


@pytest.mark.parametrize(
    "document", [b"", b'[1,[],["Box","1.0.0","() => void"]]', bytes(range(256))]
)
def test_a_document_is_restored(document: bytes) -> None:
    assert decompress(compress(document)) == document


def test_a_frequent_text_takes_a_few_bytes() -> None:
    assert len(compress(b'[["() => void",[],"void",null,0,0,[],"","",0]],null,"import { ')) < 12


@pytest.mark.parametrize("blob", [b"", b"\xff\xff", compress(b"a text of some length")[:-4], None])
def test_a_damaged_blob_is_an_error(blob: bytes) -> None:
    with pytest.raises(CodecError, match="cannot decompress the blob"):
        decompress(blob)
