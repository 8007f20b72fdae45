"""Compression of the blobs of types, declarations and entries.

They are short JSON documents, so they are compressed with a preset dictionary: raw deflate, as zlib
has it.  Digests are those of the documents, since two versions of zlib may compress differently.
"""

from __future__ import annotations

import zlib

from typematch.ir.codec import CodecError

_RAW = -zlib.MAX_WBITS
_LEVEL = 1
# What many blobs contain; the most frequent texts last.  Part of the file format.
_DICTIONARY = (
    b'"deprecated":true,null,null,[],[]]]"readonly string[]","Promise<Record<string, unknown>>",'
    b'"Partial<Array<Iterable<Buffer","Uint8Array","Error","Date","object","undefined","unknown",'
    b'"any","boolean","number","string","[] | undefined"," | null | undefined","const",{"'
    b'"interface","class","alias",[[],[],null,"method"],"constructor"[17,"global#Promise",[13,[0],'
    b'-3],[14,[],[1]]],2][1,[[11,"value",-1],[11,"options",0],[8,"name",-1,1],[17,".d.ts#'
    b'(value: T, index: number, array: T[]) => boolean","options?: ","<T extends (...args: any[]) '
    b'=> any>(callback: (error: Error | null) => void) => void",["() => void",[["() => void",[],'
    b'"void",null,0,0,[],"","",0]],null,"import { } from \\"",0,[],[],null]]'
    b'[["(value: string) => string",["string"],"string",null,1,1,[],"","",0]],null,"import { '
    b'} from \\"",0,[],[],null]][1,[],["'
)


def compress(document: bytes) -> bytes:
    """Return the blob of an encoded document."""
    deflate = zlib.compressobj(_LEVEL, zlib.DEFLATED, _RAW, zdict=_DICTIONARY)
    return deflate.compress(document) + deflate.flush()


def decompress(blob: bytes) -> bytes:
    """Return the encoded document of a blob.

    Raises:
        CodecError: the blob is damaged.
    """
    inflate = zlib.decompressobj(_RAW, zdict=_DICTIONARY)
    try:
        document = inflate.decompress(blob)
    except (zlib.error, TypeError) as error:
        raise CodecError(f"cannot decompress the blob: {error}") from error
    if not inflate.eof:
        raise CodecError("cannot decompress the blob: it is incomplete")
    return document
