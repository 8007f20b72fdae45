"""Split a request for several things into clauses.

    "List my playlists, then add a song" -> "List my playlists", "add a song"

A clause begins with a sentence, or after a comma or conjunction if its first word is a known verb
in the imperative or the gerund; "name, size and colour" is not split.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from typematch.index.text.full_text import STOP_WORDS
from typematch.index.text.verbs import REQUEST_VERBS
from typematch.index.text.words import words_of

_MAX_CLAUSES = 40  # of a request; the last one has the rest
_BOUNDARY = re.compile(
    r"""(  [,;.?!:]+ \s+ (?: (?:and|then|also|or|plus|finally|additionally|as\ well\ as|along\ with
                              |while|followed\ by) \b ,? \s* )*
         | \s+ (?:and\ then|and\ also|and|then|as\ well\ as|along\ with|while\ also|while|plus
                 |followed\ by|before|after|or) \s+
         | \s+ [-\u2013\u2014] \s+
         | [\r\n]+ )""",
    re.VERBOSE | re.IGNORECASE,
)
_SENTENCE = re.compile(r"[.?!;\r\n]")
_OPENING = re.compile(
    r"""^(?: (?: finally|additionally|also|then|please|lastly|next|afterwards?|subsequently|first
           | i\ (?:want|need|wish|would\ like)\ to | i'd\ like\ to | we\ (?:want|need)\ to
           | help\ me | let\ me | (?:how\ )?(?:can|could|would|do)\ (?:i|you|we) | to
           ) \b [,\s]* )+""",
    re.VERBOSE | re.IGNORECASE,
)
_LIST = re.compile(r",\s+(?:and\s+)?|\s+(?:along\ with|as\ well\ as|and)\s+", re.IGNORECASE)
_MIN_LIST_WORDS = 8  # content words of a clause that may be a list
_MIN_ITEM_WORDS = 3  # content words of each item of a list
_WORD = re.compile(r"[^\W\d_]+")
_EDGES = " \t\r\n,.;:?!"


def split_clauses(text: str) -> tuple[str, ...]:
    """Return the clauses of a request, in order; none if it has no word.

    Introductory words ("finally", "I want to") are removed.
    """
    spans: list[tuple[int, int]] = []
    start, separator = 0, "."
    for boundary in (*_BOUNDARY.finditer(text), None):
        end = len(text) if boundary is None else boundary.start()
        part = text[start:end].strip(_EDGES)
        if part:
            is_full = len(spans) >= _MAX_CLAUSES
            begins_clause = _SENTENCE.match(separator) or action_verb(part)
            if spans and (is_full or not begins_clause):
                spans[-1] = (spans[-1][0], end)
            else:
                spans.append((start, end))
        if boundary is not None:
            start, separator = boundary.end(), boundary[0]
    clauses = (text[start:end].strip(_EDGES) for start, end in spans)
    stripped = (_OPENING.sub("", clause).strip(_EDGES) or clause for clause in clauses)
    return tuple(clause for clause in stripped if _WORD.search(clause))


@dataclass(frozen=True, slots=True)
class Clause:
    """One thing that a request is for.

    Attributes:
        action: its verb in the imperative, or empty; the items of a list have the same verb.
    """

    text: str
    action: str


def split_request(text: str) -> tuple[Clause, ...]:
    """Return the clauses of a request, with lists of long items split into their items.

    "Show the status of all machines, the forecast of next month's budget and the skills of the
    staff" is split into three; "create a user with name, age and roles" is not.
    """
    clauses: list[Clause] = []
    for clause in split_clauses(text):
        action = action_verb(clause)
        is_list = content_word_count(clause) >= _MIN_LIST_WORDS
        items = _list_items(clause) if is_list else [clause]
        clauses += [Clause(item, action_verb(item) or action) for item in items]
    if len(clauses) > _MAX_CLAUSES:
        last = _MAX_CLAUSES - 1
        rest = ", ".join(clause.text for clause in clauses[last:])
        clauses[last:] = [Clause(rest, clauses[last].action)]
    return tuple(clauses)


def _list_items(clause: str) -> list[str]:
    """Return the items of a list; short pieces are joined with the item before."""
    items: list[str] = []
    for piece in _LIST.split(clause):
        if items and (
            content_word_count(piece) < _MIN_ITEM_WORDS
            or content_word_count(items[-1]) < _MIN_ITEM_WORDS
        ):
            items[-1] += f", {piece}"
        else:
            items.append(piece)
    return items


def content_word_count(text: str) -> int:
    """Return the number of words that are no stop words."""
    return sum(word not in STOP_WORDS for word in words_of(text))


def action_verb(clause: str) -> str:
    """Return the verb with which a clause begins, in the imperative; empty if there is none."""
    first = _WORD.search(_OPENING.sub("", clause))
    if first is None:
        return ""
    word = first[0].lower()
    if word in REQUEST_VERBS:
        return word
    return next((form for form in _imperatives(word) if form in REQUEST_VERBS), "")


def _imperatives(gerund: str) -> tuple[str, ...]:
    """Return the possible verbs of a gerund: planning -> plan, sharing -> share."""
    stem = gerund.removesuffix("ing")
    if stem == gerund or len(stem) < 2:
        return ()
    return (stem, stem + "e", stem[:-1] if stem[-1] == stem[-2] else stem)
