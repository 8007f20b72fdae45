"""Split a request for several things into clauses, one for each thing.

    "List my playlists, then add a song" -> "List my playlists", "add a song"

A clause begins where a sentence does, or behind a comma or a conjunction, if its first word is one
with which something is asked to be done; "name, size and colour" is no three requests.  No grammar
is needed for that: what asks for something begins with an imperative or a gerund.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from typematch.index.text.full_text import STOP_WORDS
from typematch.index.text.words import words_of

_LONGEST = 40  # clauses; the last one holds the rest

# What people ask a service or a library to do, as an imperative.
_ACTION_WORDS = """
access acquire activate add adjust aggregate alert allocate analyse analyze append apply
approve archive assess assign attach authenticate authorize begin block book browse build
calculate call cancel change check choose clear clone close collect compare complete compute
configure confirm connect convert copy count create customise customize deactivate define
delete deploy describe design detect determine develop disable discover display download draw
drop edit enable enroll ensure enter erase establish estimate evaluate examine execute explore
export extract fetch file fill filter find finalise finalize flag follow forecast format
forward gather generate get give grant group guide handle hide identify implement import
increase inform initiate insert inspect install integrate invite invoke issue join keep launch
leave like link list load locate lock log look lower make manage map mark match measure merge
modify monitor move mute name navigate notify obtain offer open optimise optimize order
organise organize outline parse pause pay perform pick place plan play post predict prepare
print process produce propose provide publish pull purchase push put query queue raise rank
rate read recalculate receive recommend reconcile record redeem reduce refine refresh refund
register reject release reload remind remove rename render renew reorder repeat replace reply
report request reschedule reserve reset resolve restart restore restrict resume retrieve return
reverse review revoke rotate run sample save scale scan schedule search secure see select send
set share show sign simulate skip sort specify start stop store stream submit subscribe suggest
summarise summarize suspend switch sync synchronise synchronize tag tell terminate test toggle
track train transcribe transfer transform translate trigger turn unblock unfollow unlock
unregister unsubscribe update upgrade upload use validate verify view visualise visualize watch
withdraw write
"""
_ACTIONS = frozenset(_ACTION_WORDS.split())
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
_LONG = 8  # words that say something, in a clause that may be a list
_SAYING = 3  # and in each thing of the list
_WORD = re.compile(r"[^\W\d_]+")
_EDGES = " \t\r\n,.;:?!"


def split_clauses(text: str) -> tuple[str, ...]:
    """Return the clauses of a request in its order, at least one unless there is no word in it.

    What opens a clause without saying anything ("finally", "I want to") is left out.
    """
    spans: list[tuple[int, int]] = []
    start, before = 0, "."
    for found in (*_BOUNDARY.finditer(text), None):
        end = len(text) if found is None else found.start()
        part = text[start:end].strip(_EDGES)
        if part:
            full = len(spans) >= _LONGEST
            if spans and (full or not (_SENTENCE.match(before) or action_of(part))):
                spans[-1] = (spans[-1][0], end)
            else:
                spans.append((start, end))
        if found is not None:
            start, before = found.end(), found[0]
    clauses = (text[start:end].strip(_EDGES) for start, end in spans)
    opened = (_OPENING.sub("", clause).strip(_EDGES) or clause for clause in clauses)
    return tuple(clause for clause in opened if _WORD.search(clause))


@dataclass(frozen=True, slots=True)
class Clause:
    """One thing that is wanted: the words that say what, and what is to be done, if that is said.

    ``action`` is an imperative; of several things after one verb, all have it.
    """

    text: str
    action: str


def split_needs(text: str) -> tuple[Clause, ...]:
    """Return what a request wants, its clauses taken apart where they list things at length.

    "Show the status of all machines, the forecast of next month's budget and the skills of the
    staff" is three needs and one clause; "create a user with name, age and roles" is one.
    """
    needs: list[Clause] = []
    for clause in split_clauses(text):
        action = action_of(clause)
        parts = _listed(clause) if telling_words(clause) >= _LONG else [clause]
        needs += [Clause(part, action_of(part) or action) for part in parts]
    return tuple(needs[:_LONGEST])


def _listed(clause: str) -> list[str]:
    """Return the parts of a list, each long enough to say what it is; else the clause alone."""
    parts: list[str] = []
    for piece in _LIST.split(clause):
        if parts and (telling_words(piece) < _SAYING or telling_words(parts[-1]) < _SAYING):
            parts[-1] += f", {piece}"
        else:
            parts.append(piece)
    return parts


def telling_words(text: str) -> int:
    """Return how many words of a text say something."""
    return sum(word not in STOP_WORDS for word in words_of(text))


def action_of(clause: str) -> str:
    """Return the verb with which a clause begins, as an imperative; empty where there is none."""
    found = _WORD.search(_OPENING.sub("", clause))
    if found is None:
        return ""
    word = found[0].lower()
    if word in _ACTIONS:
        return word
    return next((form for form in _without_ing(word) if form in _ACTIONS), "")


def _without_ing(word: str) -> tuple[str, ...]:
    """Return what a gerund may be of: ``planning`` is of plan, ``sharing`` of share."""
    stem = word.removesuffix("ing")
    if stem == word or len(stem) < 2:
        return ()
    return (stem, stem + "e", stem[:-1] if stem[-1] == stem[-2] else stem)
