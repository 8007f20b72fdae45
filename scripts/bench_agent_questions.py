"""Prints the first five hits of questions that coding agents ask, and marks those that answer.

    python scripts/bench_agent_questions.py DATABASE SECTION

SECTION is the one of ``fixtures/agents/questions.tsv`` whose packages the catalog holds:
``applications`` or ``services``.
"""

from __future__ import annotations

import argparse
from fnmatch import fnmatchcase
from pathlib import Path

from bench_floor import read_sections

QUESTIONS = Path(__file__).parent.parent / "fixtures" / "agents" / "questions.tsv"
_SHOWN = 5


def read_questions(section: str) -> list[tuple[str, list[str]]]:
    """Return the questions of a section, each with the globs of the ids that answer it."""
    lines = [line.partition("\t") for line in read_sections(QUESTIONS)[section]]
    return [(question, answers.split()) for question, _, answers in lines]


def main() -> None:
    import typematch

    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("database", type=Path)
    parser.add_argument("section", choices=("applications", "services"))
    arguments = parser.parse_args()
    questions = read_questions(arguments.section)
    answered = first = 0
    with typematch.open(arguments.database, create=False) as catalog:
        for question, answers in questions:
            print(question)
            found = []
            for hit in catalog.search(question, limit=_SHOWN):
                found.append(any(fnmatchcase(hit.entry.id, answer) for answer in answers))
                print(f"  {'*' if found[-1] else ' '} {hit.entry.id}  {hit.entry.signature}"[:120])
            answered += any(found)
            first += found[:1] == [True]
    print(f"answered in the first {_SHOWN}: {answered} of {len(questions)}; first: {first}")


if __name__ == "__main__":
    main()
