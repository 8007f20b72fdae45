"""Counts requests without an answer that are answered, and real requests that are not.

    python scripts/bench_floor.py DATABASE SECTION

SECTION is the one of ``fixtures/floor/queries.txt`` whose requests the catalog answers:
``utilities`` or ``services``.  Those of ``nothing`` it does not.  Wrong ones are printed with
their first three hits.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path

QUERIES = Path(__file__).parent.parent / "fixtures" / "floor" / "queries.txt"
_UNANSWERED = ("Nothing here is close", "only types were compared", "in its name; the hits")


def read_sections(file: Path = QUERIES) -> Mapping[str, list[str]]:
    """Return the lines of each section, without comments."""
    sections: dict[str, list[str]] = {}
    queries: list[str] = []
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            queries = sections.setdefault(line.strip("[]"), [])
        elif line and not line.startswith("#"):
            queries.append(line)
    return sections


def main() -> None:
    import typematch

    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("database", type=Path)
    parser.add_argument("section", choices=("utilities", "services"))
    arguments = parser.parse_args()
    sections = read_sections()
    with typematch.open(arguments.database, create=False) as catalog:
        for name in ("nothing", arguments.section):
            wrong = 0
            for query in sections[name]:
                result = catalog.search(query, limit=3)
                notices = " ".join(result.notices)
                answered = bool(result.hits) and not any(part in notices for part in _UNANSWERED)
                if answered == (name == "nothing"):
                    wrong += 1
                    print(f"  {query}: {', '.join(hit.entry.id for hit in result)}  {notices}")
            verb = "answered" if name == "nothing" else "not answered"
            print(f"{name}: {wrong} of {len(sections[name])} {verb}")


if __name__ == "__main__":
    main()
