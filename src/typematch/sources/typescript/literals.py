"""Read literals: the value of a string, a number in JavaScript's own spelling."""

from __future__ import annotations

import math
import re

_ESCAPE = re.compile(
    r"\\(?:u\{([0-9a-fA-F]+)\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(\r\n|[\n\r\u2028\u2029])|(.))",
    re.DOTALL,
)
_PLAIN_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0"}
_BASES = {"0x": 16, "0o": 8, "0b": 2}


def unescape(text: str) -> str:
    """Return ``text`` with its escape sequences replaced by what they stand for."""
    return _ESCAPE.sub(_unescape, text) if "\\" in text else text


def _unescape(match: re.Match[str]) -> str:
    code = match[1] or match[2] or match[3]
    if code:
        number = int(code, 16)
        return chr(number) if number < 0x110000 else "\ufffd"
    if match[4]:
        return ""
    return _PLAIN_ESCAPES.get(match[5], match[5])


def string_value(text: str) -> str:
    """Return the value of a quoted string (either quote or a backtick)."""
    return unescape(text[1:-1])


def number_text(text: str) -> str:
    """Return ``String(value)`` of a number as written: ``16`` for ``0x10``, ``0.5`` for ``.50``."""
    digits = text.replace("_", "")
    base = _BASES.get(digits[:2].lower())
    try:
        if base is not None:
            return number_spelling(float(int(digits[2:], base)))
        if digits.isascii() and digits.isdigit() and len(digits) < 16:
            octal = digits[0] == "0" and len(digits) > 1 and not set(digits) & {"8", "9"}
            return str(int(digits, 8 if octal else 10))
        return number_spelling(float(digits))
    except (ValueError, OverflowError):
        return "NaN"


def bigint_text(text: str) -> str:
    """Return the decimal digits of a bigint literal, which is given without its ``n``."""
    digits = text.replace("_", "")
    base = _BASES.get(digits[:2].lower())
    try:
        return str(int(digits[2:], base) if base is not None else int(digits))
    except ValueError:
        return "0"


def number_spelling(value: float) -> str:
    """Return ``String(value)`` as JavaScript prints it."""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    if value == int(value) and abs(value) < 1e21:
        return str(int(float(repr(value)))) if abs(value) < 2**53 else _whole(value)
    mantissa, _, power = repr(value).partition("e")
    if not power:
        return mantissa
    exponent = int(power)
    if -7 <= exponent < 0:
        sign = "-" if mantissa[0] == "-" else ""
        return f"{sign}0.{'0' * (-exponent - 1)}{mantissa.lstrip('-').replace('.', '')}"
    return f"{mantissa.removesuffix('.0')}e{'+' if exponent > 0 else ''}{exponent}"


def _whole(value: float) -> str:
    """Spell a large whole number: its shortest digits, filled up with zeros."""
    mantissa, _, power = f"{value!r}".partition("e")
    if not power:
        return mantissa.removesuffix(".0")
    whole, _, part = mantissa.partition(".")
    return whole + part.ljust(int(power), "0") if part != "0" else whole + "0" * int(power)
