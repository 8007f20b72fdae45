"""Rewrites legal TypeScript that the grammar rejects into text of the same length that it accepts.

Offsets stay valid: every text and name is a slice of the original.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

Replacement: TypeAlias = Callable[[re.Match[bytes]], bytes]

_IMPORT_TYPE = re.compile(
    rb"""(?<![\w$])(?<![^.]\.)import\s*\(\s*(?:"[^"\n]*"|'[^'\n]*')\s*(?:,\s*\{[^()]*?\}\s*)?\)(?:\s*\.\s*[\w$]+)*"""
)
# Bytes of a line.  In a longer one, as minifiers write it, statements are not separated by lines;
# and a string that does not end is read to the end of its line.
_MAX_LINE = 4_000
_NOT_WORD = re.compile(rb"[^\w]")


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A rewrite; ``pattern`` is searched only in texts that contain one of ``triggers``."""

    triggers: tuple[bytes, ...]
    pattern: re.Pattern[bytes]
    replacement: Replacement


def _as_name(match: re.Match[bytes]) -> bytes:
    return _NOT_WORD.sub(b"_", match[0])


def _blank(match: re.Match[bytes]) -> bytes:
    return b" " * len(match[0])


def _blank_rest(match: re.Match[bytes]) -> bytes:
    return match[1] + b" " * (len(match[0]) - len(match[1]))


def _name(match: re.Match[bytes]) -> bytes:
    """Replace a keyword that is used as a name by an identifier of the same length."""
    return b"$" + match[0][1:]


def _anonymous(match: re.Match[bytes]) -> bytes:
    """Give the function in ``default function (`` a name; the text keeps its length."""
    return b"function " + b"$" * (len(match[0]) - 10) + match[0][-1:]


def _optional(match: re.Match[bytes]) -> bytes:
    """Join the ``?`` and the ``:`` of an optional mapped property, and put the space after them."""
    return b"?:" + b" " * (len(match[0]) - 2)


def _label(match: re.Match[bytes]) -> bytes:
    """Replace the keyword after ``match[1]`` by an identifier of the same length."""
    return match[1] + b"$" + match[0][len(match[1]) + 1 :]


def _semicolon(match: re.Match[bytes]) -> bytes:
    return b";" + b" " * (len(match[0]) - 1) if match[2] is not None else match[0]


# Keywords that are legal names of namespaces and of tuple elements.
_TYPE_KEYWORDS = (
    rb"any|bigint|boolean|never|null|number|object|string|symbol|undefined|unknown|void"
)
_LABEL_KEYWORDS = rb"(?:" + _TYPE_KEYWORDS + rb"|delete|function|import|new|this)"
_SPACE = rb"(?:\s|//[^\n]*\n|/\*(?:[^*]|\*(?!/))*\*/)"

_REWRITES: Sequence[Rewrite] = (
    # <in T>, <out T>, <in out T>: variance annotations do not change what is assignable.
    Rewrite(
        (b"in ", b"out "),
        re.compile(
            rb"([<,]"
            + _SPACE
            + rb"*(?:const\s+)?)(?:in\s+out|in|out)(?=\s+(?!extends\b)[A-Za-z_$])"
        ),
        _blank_rest,
    ),
    # Escapes in a template literal type; their texts are read from the original.
    Rewrite((b"`",), re.compile(rb"\\[^\r\n]"), _as_name),
    Rewrite((b"type",), re.compile(rb"(?<=\bexport)\s+type(?=\s*\*)"), _blank),
    # export import x = require("m"); `imports` looks for the word before the statement.
    Rewrite(
        (b"require",),
        re.compile(rb"(?<![\w$.])export(?=\s+import\s+(?:type\s+)?[\w$]+\s*=\s*require\s*\()"),
        _blank,
    ),
    # global { } inside an ambient module; `scopes` looks for the word before the block.
    Rewrite((b"global",), re.compile(rb"(?<=[{};\n/ \t])(?<!declare )global(?=\s*\{)"), _blank),
    Rewrite(
        (b"default",),
        re.compile(rb"(?<=\bexport )default\s+function\s*[(<]"),
        _anonymous,
    ),
    # `scopes` and `lower` read the modifier from the original.
    Rewrite((b"readonly",), re.compile(rb"(?<=\bkeyof )readonly(?=\s)"), _blank),
    Rewrite((b"accessor",), re.compile(rb"(?<=[\s;{])accessor(?=\s+[\w$#\[]+\s*[:=;!])"), _blank),
    Rewrite((b"typeof",), re.compile(rb"(?<![\w$.])typeof(?=\s+undefined\b)"), _blank),
    # { [K in keyof T]? : T[K] }
    Rewrite((b"]?",), re.compile(rb"(?<=\])\?\s+:"), _optional),
    # Labels of tuple elements: [new: string, symbol: string].
    Rewrite(
        (b"[",),
        re.compile(rb"([\[,]\s*(?:\.\.\.)?)" + _LABEL_KEYWORDS + rb"(?=\??\s*:)"),
        _label,
    ),
    # A namespace that is called string: string.email.
    Rewrite(
        (b".",), re.compile(rb"(?<![\w$.])(?:" + _TYPE_KEYWORDS + rb")(?=\.[A-Za-z_$])"), _name
    ),
    # export { type, type as interface }
    Rewrite((b"type",), re.compile(rb"(?<=[{,\s])type(?=\s+as\s+\w+\s*[,}]|\s*[,}])"), _name),
    # The key of a mapped type: { [type in keyof T]: T[type] }
    Rewrite((b"type",), re.compile(rb"(?<=\[)type(?=\s+in\s)"), _name),
    # A type parameter called `type` in the test of a conditional type.
    Rewrite((b"type",), re.compile(rb"(?<=[(:?=\s])type(?=\s+extends\s+[^=\s])"), _name),
    # Contextual keywords that are names elsewhere.
    Rewrite(
        (
            b"using",
            b"await",
            b"satisfies",
            b"accessor",
            b"global",
            b"module",
            b"type",
            b"static",
            b"abstract",
        ),
        re.compile(
            rb"(?<=[\s(,{.])(?:using|await|satisfies|accessor|override|static|abstract)(?=\??\s*[:,)])"
        ),
        _name,
    ),
)

# Without semicolons, the grammar reads a member that begins with ( or < as part of the one before.
# Strings and comments are matched so that nothing inside them is replaced.
# A comment that does not end reaches to the end, so that the rest is not read again for the next.
_RUN_ON = re.compile(
    rb"""("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|/\*(?:[^*]|\*(?!/))*(?:\*/|\Z))"""
    rb"|(?<=[\w\])}>\"'`])([ \t\r]*(?://[^\n]*)?\n)(?=" + _SPACE + rb"*[(<\[])|//[^\n]*\n?"
)


def mask_import_types(text: bytes) -> bytes:
    """Return ``text`` with each ``import("m").A`` as one name; ``lower`` reads the original."""
    return _IMPORT_TYPE.sub(_as_name, text) if b"import(" in text else text


def _apply_rewrites(text: bytes) -> bytes:
    for rewrite in _REWRITES:
        if any(trigger in text for trigger in rewrite.triggers):
            text = rewrite.pattern.sub(rewrite.replacement, text)
    return text


def _insert_semicolons(text: bytes) -> bytes:
    if max(map(len, text.split(b"\n"))) > _MAX_LINE:
        return text
    return _RUN_ON.sub(_semicolon, text)


# Rewrites of a text with errors, in order of certainty; they accumulate while errors decrease.
REPAIRS: Sequence[Callable[[bytes], bytes]] = (_apply_rewrites, _insert_semicolons)
