"""Values of string and number literals, and JavaScript's string form of numbers."""

from __future__ import annotations

import math
import re

_ESCAPE = re.compile(
    r"\\(?:u\{([0-9a-fA-F]+)\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(\r\n|[\n\r\u2028\u2029])|(.))",
    re.DOTALL,
)
_SURROGATE = re.compile("[\ud800-\udfff]")
_JSON_ESCAPE = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    r"|(\\u[dD][89a-fA-F][0-9a-fA-F]{2})|\\."
)
_SIMPLE_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0"}
_BASES = {"0x": 16, "0o": 8, "0b": 2}


def unescape(text: str) -> str:
    """Return ``text`` with escape sequences replaced by the characters they denote.

    The escapes of a surrogate pair are one character; a lone surrogate stays an escape.
    """
    return encodable(_ESCAPE.sub(_unescape, text)) if "\\" in text else text


def encodable(text: str) -> str:
    """Return ``text`` with surrogate pairs joined and lone surrogates written as escapes.

    UTF-8 cannot encode surrogates, so neither files nor the database can hold them.
    """
    if _SURROGATE.search(text) is None:
        return text
    joined = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    return joined.encode("utf-8", "backslashreplace").decode("utf-8")


def well_formed_json(text: str) -> str:
    """Return JSON text whose lone surrogates, written as escapes, are escaped once more."""
    return _JSON_ESCAPE.sub(_escaped_again, text) if "\\u" in text else text


def _escaped_again(match: re.Match[str]) -> str:
    return match[0] if match[1] is None else "\\" + match[0]


def _unescape(match: re.Match[str]) -> str:
    code = match[1] or match[2] or match[3]
    if code:
        number = int(code, 16)
        return chr(number) if number < 0x110000 else "\ufffd"
    if match[4]:
        return ""
    return _SIMPLE_ESCAPES.get(match[5], match[5])


def string_value(text: str) -> str:
    """Return the value of a quoted string, in single or double quotes or backticks."""
    return unescape(text[1:-1])


def number_text(text: str) -> str:
    """Return ``String(value)`` of a number literal: ``0x10`` is ``16``, ``.50`` is ``0.5``."""
    digits = text.replace("_", "")
    base = _BASES.get(digits[:2].lower())
    try:
        if base is not None:
            return number_to_string(float(int(digits[2:], base)))
        if digits.isascii() and digits.isdigit() and len(digits) < 16:
            octal = digits[0] == "0" and len(digits) > 1 and not set(digits) & {"8", "9"}
            return str(int(digits, 8 if octal else 10))
        return number_to_string(float(digits))
    except OverflowError:
        return "Infinity"
    except ValueError:
        return "NaN"


def bigint_text(text: str) -> str:
    """Return the decimal digits of a bigint literal without its ``n``."""
    digits = text.replace("_", "")
    base = _BASES.get(digits[:2].lower())
    try:
        return str(int(digits[2:], base) if base is not None else int(digits))
    except ValueError:
        return "0"


def number_to_string(value: float) -> str:
    """Return ``String(value)``: the algorithm Number::toString of ECMA-262, in base 10.

    Python's ``repr`` yields the same shortest decimal digits; only their layout differs.
    """
    if math.isnan(value):
        return "NaN"
    if value == 0:
        return "0"
    if value < 0:
        return f"-{number_to_string(-value)}"
    if math.isinf(value):
        return "Infinity"
    mantissa, _, power = repr(value).partition("e")
    integer_part, _, fraction_part = mantissa.partition(".")
    significant = f"{integer_part}{fraction_part}".lstrip("0")
    # The value is 0.DIGITS * 10**point; `count` and `point` are k and n in the standard.
    point = len(significant) - len(fraction_part) + int(power or 0)
    digits = significant.rstrip("0")
    count = len(digits)
    if count <= point <= 21:
        return digits + "0" * (point - count)
    if 0 < point <= 21:
        return f"{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"0.{'0' * -point}{digits}"
    exponent = f"e{point - 1:+d}"
    return digits[0] + exponent if count == 1 else f"{digits[0]}.{digits[1:]}{exponent}"


def is_numeric_name(text: str) -> bool:
    """Whether a property name is a number in canonical form: isNumericLiteralName."""
    if text.isascii() and text.isdecimal() and len(text) < 16:
        return text == "0" or text[0] != "0"
    try:
        value = float(text)
    except ValueError:
        return False
    return number_to_string(value) == text
