"""The frame of a question or a request, which says nothing about what is searched for.

A verb in the infinitive follows it: "how to VERB", "I need a function to VERB".  With "that" or
"which" the rest describes a function, and is read as a sentence about types.
"""

from __future__ import annotations

import re

_FUNCTION = (
    r"(?:(?:a|an|any|the|some)\s+)?(?:[\w-]+\s+)?(?:function|method|helper|utility|api|way)s?"
)
_BEGINNING = re.compile(
    rf"""\A\s*(?:please\s+|(?:can|could)\s+you\s+)?(?:
        how\s+(?:to|(?:do|can|could|should|would)\s+(?:i|we|you|one))
      | what(?:'s|\s+is)\s+(?:the|a)\s+(?:[\w-]+\s+)?way\s+to
      | (?:which|what)\s+(?:function|method|api|class)s?\s+(?:can|should|could|do)\s+i\s+use\s+to
      | (?:i|we)\s+(?:want|need|would\s+like|have)\s+to
      | (?:(?:is|are)\s+there|(?:i|we)\s+(?:want|need)|(?:i'm\s+)?looking\s+for
        |(?:find|give|show)(?:\s+me)?)\s+{_FUNCTION}\s+to
      | (?:a\s+)?(?:function|method|helper|utility)\s+to
      | please
    )\s+(?=\w+\s+\S)""",
    re.IGNORECASE | re.VERBOSE,
)
_END = re.compile(
    r"(?<=\w)\s+(?:in|with|using)\s+(?:typescript|javascript|ts|js|node(?:\.?js)?)\s*[?.!]*\s*$",
    re.IGNORECASE,
)


def without_question_frame(text: str) -> str:
    """Return a query with blanks for its frame: "how to", "in TypeScript".

    Columns stay those of the query.
    """
    return _END.sub(_blanks, _BEGINNING.sub(_blanks, text))


def _blanks(match: re.Match[str]) -> str:
    return " " * (match.end() - match.start())
