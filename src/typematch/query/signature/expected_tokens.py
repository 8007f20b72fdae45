"""Describes the tokens that a parser expected, for error messages."""

from __future__ import annotations

_STARTS = frozenset(("NAME", "STRING", "NUMBER", "LBRACE", "LSQUARE"))
_DESCRIPTIONS = {
    "ARROW": "'=>'", "RPAREN": "')'", "RSQUARE": "']'", "RBRACE": "'}'", "GREATER": "'>'",
    "COMMA": "','", "SEMICOLON": "';'", "CONDITION": "'?'", "COLON": "':'",
    "TEMPLATE_MIDDLE": "'}'",
    "TEMPLATE_TAIL": "'}'", "LPAREN": "'('", "IN": "'in'", "IS": "'is'", "EQUALS": "'='",
    "STRING": "a string", "NAME": "a name", "NUMBER": "a number", "BAR": "'|'", "DOT": "'.'",
    "LESS": "'<'", "$END": "the end",
}  # fmt: skip
# Nearly always expected, so mentioned only if nothing else is.
_UNINFORMATIVE = ("COLON", "BAR", "DOT", "LESS", "$END", "EQUALS", "IS", "IN")


def expected_words(kinds: frozenset[str]) -> tuple[str, ...]:
    """Return descriptions of the token kinds, most informative first, at most four."""
    if kinds >= _STARTS:
        words = ["a type"]
        words += [_DESCRIPTIONS[kind] for kind in ("RPAREN", "RSQUARE") if kind in kinds]
        return tuple(words)
    informative = [
        word for kind, word in _DESCRIPTIONS.items() if kind in kinds and kind not in _UNINFORMATIVE
    ]
    uninformative = [_DESCRIPTIONS[kind] for kind in _UNINFORMATIVE if kind in kinds]
    return tuple(dict.fromkeys(informative or uninformative))[:4]
