"""Rewrites a declaration that was copied from code as a query.

function chunk<T>(arr: T[], size = 1): T[][] { ... }
chunk :: <T>(arr: T[], size?: number) => T[][]

async read(path: string): Promise<Buffer>;
read :: (path: string) => Promise<Buffer>

const add = (a: number, b: number): number => a + b
add :: (a: number, b: number) => number
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from typematch.errors import TypeSyntaxError
from typematch.query.signature.type_expr import is_type, read_signature
from typematch.query.suggestions import parameters_end

_FENCE = re.compile(r"\s*```\w*[^\S\n]*\n(?P<code>.*?)(?:```\s*)?\Z", re.DOTALL)
# Comments and modifiers.
_BEFORE = re.compile(
    r"\A\s*(?:/\*.*?\*/\s*|//[^\n]*\n\s*)*"
    r"(?:(?:export|default|declare|public|private|protected|static|abstract|override)\s+)*",
    re.DOTALL,
)
_FUNCTION = re.compile(
    r"(?P<async>async\s+)?function\b\s*(?P<generator>\*?)\s*(?P<name>[\w$]*)\s*(?=[(<])"
)
_METHOD = re.compile(r"(?P<async>async\s+)?(?P<generator>\*?)\s*(?P<name>[^\W\d][\w$]*)\s*(?=[(<])")
_VARIABLE = re.compile(
    r"(?:const|let|var)\s+(?P<name>[^\W\d][\w$]*)\s*=\s*(?P<async>async\s+)?(?P<generator>)(?=[(<])"
)
_ALIAS = re.compile(
    r"(?:type|const|let|var)\s+(?P<name>[^\W\d]\w*)\s*[=:]\s*(?P<type>[(<].*)", re.DOTALL
)
_NAME = re.compile(r"(?:\.\.\.)?[^\W\d][\w$]*\??")
_QUOTED = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'|`[^`]*`")
_MAX_ENDS = 20  # brackets and arrows after a result that may end it
_OPENING, _CLOSING = "([{<", ")]}>"
_NUMBER = re.compile(r"-?\d[\d_.]*")


def query_of_code(text: str) -> str:
    """Return the query for a declaration of a function; empty if ``text`` is none.

    A signature between code fences is a query without them.
    """
    fenced = _FENCE.match(text)
    code = fenced["code"] if fenced else text
    code = _BEFORE.sub("", code, count=1).strip()
    readings = _readings(code)
    for name, signature in chain(readings, [("", code)]) if fenced else readings:
        try:
            read_signature(signature)
        except TypeSyntaxError:
            continue
        return f"{name} :: {signature}" if name else signature
    return ""


def _readings(code: str) -> Iterator[tuple[str, str]]:
    """Yield names and signatures that the code may declare."""
    alias = _ALIAS.match(code)
    if alias is not None:
        yield alias["name"], alias["type"].rstrip("; \n")
    for pattern in (_FUNCTION, _VARIABLE, _METHOD):
        head = pattern.match(code)
        if head is None:
            continue
        rest = code[head.end() :]
        end = parameters_end(rest)
        if end < 0:
            return
        start = 0 if rest[0] == "(" else _parameters_start(rest[:end])
        if start < 0:
            return
        parameters = ", ".join(map(_parameter, _split(rest[start + 1 : end - 1])))
        after = rest[end:].strip()
        any_result = "Promise<_>" if head["async"] and not head["generator"] else "_"
        for result in _results(after, any_result, is_method=pattern is _METHOD):
            yield head["name"], f"{rest[:start].strip()}({parameters}) => {result}"
        return


def _parameters_start(text: str) -> int:
    """Return the column of the parameters after a list of type parameters, or -1."""
    depth = 0
    for column, character in enumerate(text.replace("=>", "  ")):
        depth += (character in _OPENING) - (character in _CLOSING)
        if not depth:
            return text.find("(", column)
    return -1


def _results(after: str, any_result: str, *, is_method: bool) -> Iterator[str]:
    """Yield the types that may be the result of a function with this code after its parameters."""
    if after.startswith(":"):
        annotation = after[1:].strip()
        ends = [match.start() for match in re.finditer(r"\{|=>|;", annotation)]
        for end in (*ends[:_MAX_ENDS], len(annotation)):
            if annotation[:end].strip() and (
                is_type(annotation[:end]) or " is " in annotation[:end]
            ):
                yield annotation[:end].strip()
    elif after.startswith("{") or (after[:2] in ("=>", "", ";") and not is_method):
        yield any_result


def _split(text: str) -> Iterator[str]:
    """Yield the parameters of a list."""
    plain = _QUOTED.sub(lambda match: "_" * len(match[0]), text).replace("=>", "  ")
    depth = start = 0
    for column, character in enumerate(plain):
        depth += (character in _OPENING) - (character in _CLOSING)
        if character == "," and not depth:
            yield text[start:column].strip()
            start = column + 1
    if text[start:].strip():
        yield text[start:].strip()


def _parameter(text: str) -> str:
    """Return a parameter with a type and without a default value or a pattern."""
    plain = _QUOTED.sub(lambda match: "_" * len(match[0]), text).replace("=>", "  ")
    plain = re.sub(
        r"^(?:(?:public|private|protected|readonly)\s+)+", lambda m: " " * len(m[0]), plain
    )
    depth = 0
    colon = equals = -1
    for column, character in enumerate(plain):
        depth += (character in _OPENING) - (character in _CLOSING)
        if not depth and character == ":" and colon < 0 and equals < 0:
            colon = column
        if not depth and character == "=" and equals < 0:
            equals = column
    default = text[equals + 1 :].strip() if equals >= 0 else ""
    head_end = min((column for column in (colon, equals) if column >= 0), default=len(text))
    name = text[len(plain) - len(plain.lstrip()) : head_end].strip()
    if not _NAME.fullmatch(name):
        name = "options"
    stated = text[colon + 1 : equals if equals >= 0 else len(text)].strip() if colon >= 0 else ""
    optional = "?" if default and not name.endswith("?") else ""
    return f"{name}{optional}: {stated or _type_of_value(default)}"


def _type_of_value(value: str) -> str:
    if value in ("true", "false"):
        return "boolean"
    if _NUMBER.fullmatch(value):
        return "number"
    return "string" if value[:1] in ("'", '"', "`") else "_"
