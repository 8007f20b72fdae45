"""Say in words what could have stood where a type cannot be read on."""

from __future__ import annotations

_STARTS = frozenset(("NAME", "STRING", "NUMBER", "LBRACE", "LSQUARE"))
_SHOWN = {
    "ARROW": "'=>'", "RPAREN": "')'", "RSQUARE": "']'", "RBRACE": "'}'", "GREATER": "'>'",
    "COMMA": "','", "SEMICOLON": "';'", "CONDITION": "'?'", "COLON": "':'",
    "TEMPLATE_MIDDLE": "'}'",
    "TEMPLATE_TAIL": "'}'", "LPAREN": "'('", "IN": "'in'", "IS": "'is'", "EQUALS": "'='",
    "STRING": "a string", "NAME": "a name", "NUMBER": "a number", "BAR": "'|'", "DOT": "'.'",
    "LESS": "'<'", "$END": "the end",
}  # fmt: skip
# What nearly always could stand there says little, unless there is nothing else to say.
_FAINT = ("COLON", "BAR", "DOT", "LESS", "$END", "EQUALS", "IS", "IN")


def expected_words(kinds: frozenset[str]) -> tuple[str, ...]:
    """Return what could have stood there, most telling first, at most four."""
    if kinds >= _STARTS:
        words = ["a type"]
        words += [_SHOWN[kind] for kind in ("RPAREN", "RSQUARE") if kind in kinds]
        return tuple(words)
    telling = [word for kind, word in _SHOWN.items() if kind in kinds and kind not in _FAINT]
    faint = [_SHOWN[kind] for kind in _FAINT if kind in kinds]
    return tuple(dict.fromkeys(telling or faint))[:4]
