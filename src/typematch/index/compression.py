"""Compression and digests of the blobs of types, declarations and entries.

They are short JSON documents, so they are compressed with a preset dictionary: raw deflate, as zlib
has it.  Digests are those of the documents, since two versions of zlib may compress differently.
"""

from __future__ import annotations

import zlib
from hashlib import blake2b

from typematch.ir.codec import CodecError

_RAW = -zlib.MAX_WBITS
_LEVEL = 6
_DIGEST_BYTES = 10  # two of ten million documents have one digest in one of 2 * 10**10 databases
# What many blobs contain: JSON of types, of fragments, of entries; the most frequent texts last.
# Part of the file format.
_DICTIONARY = (
    b'"deprecated","throws","see","default","example","remarks","internal","category","since",'
    b'["param"],["returns"],"param","returns"],["T"],null]],"readonly string[]","Promise<Record<'
    b'string, unknown>>","Partial<Array<Iterable<ReadonlyArray<Buffer","Uint8Array","Error","Date",'
    b'"object","undefined","unknown","any","string | number","boolean","number | undefined","'
    b'string","void",{ readonly | null | undefined"extends keyof T, U>(callback: (error: Error | '
    b'null, result: T) => void) => void","options?: ","(value: T, index: number, array: T[]) => '
    b'boolean","<T extends (...args: any[]) => any>(fn: T, "const interface class declare '
    b'type namespace alias enum readonly {"length","name","type","key","data","error","message",'
    b'"state","request","response","config","context","path","url","id","code","node","target",'
    b'"source","event","handler","listener","result","element","length","start","end","offset",'
    b'"size","count","width","height","x","y","a","b","f","fn","cb","this","self","params","args","'
    b'"[17,"global#Record",[-2,-9]],[17,"global#Iterable",[17,"global#RegExp"],[17,"global#Partial",'
    b'[17,"global#ReadonlyArray",[17,"global#Uint8Array",[17,"global#Buffer"],[17,"global#Error"],'
    b'[17,"global#Date"],[17,"global#Array",[17,"global#Promise",[13,[],0],[13,[],-1],[13,[0],-4],'
    b'[13,[0],-3],[6,[-1,-6]],[6,[-20,-5]],[6,[-2,-6]],[10,-1],[10,0],[4,-20],[1,"string","'
    b"/lib/index.d.ts#/dist/types/index.d.mts#/src/types.d.cts#"
    b'","alias",[1],["T","U","V"],","class",[],[],3,[],","namespace",[],[],null,[],null,[["'
    b'],[["","interface",[-19,-19],["T","U"],0,[],null,[],0]]],[["","interface",[],[],1,[],null,'
    b'[],0]]]]]],[["","const",[],[],null,[],0,[],0]]],[14,[],[0]],[14,[],[3]]],[["","function",[]'
    b",[],null,[],4,[],0]]]"
    b'[8,"type",-1],[8,"name",-1,1],[8,"id",-2],[8,"value",0,1],'
    b'[11,"name",-1],[11,"key",0],[11,"path",-1],[11,"callback",3],[11,"a",-20],[11,"data",1],'
    b'[11,"options",2,1],[11,"value",-20],'
    b',[],null,null,"constructor"]'
    b"[13,[0],-20,[-19]],[14,[],[1]]],2],[13,[0],1,[-19]],[14,[],[2]]],3],[13,[1],2],"
    b'[14,[],[3]]],4],[13,[0,2],3,[],null,null,"method"],[14,[],[4]]],5],[13,[1,3],4,[],null,null,'
    b'"method"],[14,[],[5]]],6],[13,[4],5,[],null,null,"method"],[14,[],[6]]],7],[14,[],[7]]],8],'
    b"[14,[],[8]]],9],[14,[],[9]]],10]"
    b',[["T","",""],["U","",""]],"","",0,null]],null,"import { } from \\"",0,[],["T"],null]]'
    b'<T>(value: T) => [null,[]],"",0,[],[],null]]",1,[],[],null]],[],null,"import { '
    b'[["() => void",[],"void",null,0,0,[],"","",0,null]],[null,[["since","1.0.0"]]],"import { '
    b'[["(options?: ) => Promise<void>",["string","number"],"boolean",null,1,2,[],"","",0,null],["'
    b'(value: string) => string",["string"],"string",null,1,1,[],"","",0,null]],null,"import { '
    b'} from \\"",0,[],[],null]][1,[],[null,"1.0.0","[1,[[17,"'
)


def compress(document: bytes) -> bytes:
    """Return the blob of an encoded document."""
    deflate = zlib.compressobj(_LEVEL, zlib.DEFLATED, _RAW, zdict=_DICTIONARY)
    return deflate.compress(document) + deflate.flush()


def digest_of(document: bytes) -> bytes:
    """Return the digest by which a stored document or text is found again."""
    return blake2b(document, digest_size=_DIGEST_BYTES).digest()


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
