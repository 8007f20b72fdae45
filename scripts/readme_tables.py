"""Write the tables of README.md that say what the code says: facets and prices.

python scripts/readme_tables.py           # rewrites README.md in place
python scripts/readme_tables.py --check   # exit code 1 if it would change
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

from typematch.match.edit_kinds import PRICES
from typematch.query.model import FACETS

README = Path(__file__).resolve().parent.parent / "README.md"


def facets() -> str:
    """Return the facet table as Markdown."""
    rows = ["| facet | values | what it asks |", "|---|---|---|"]
    rows += [
        f"| `{facet.key}:` | {_code(facet.values)} | {facet.help} |" for facet in FACETS.values()
    ]
    return "\n".join(rows)


def prices() -> str:
    """Return the price table as Markdown, cheapest first."""
    rows = ["| edit | price | reads |", "|---|---|---|"]
    for kind in PRICES:
        price = f"{kind.price}" + (f", +{kind.step} each" if kind.step else "")
        sentence = kind.sentence.format(a="A", b="B", path="PLACE")
        rows.append(f"| {kind.name} | {price} | {sentence} |")
    return "\n".join(rows)


def _code(values: str) -> str:
    return ", ".join(f"`{value}`".replace("|", "\\|") for value in values.split(", "))


def written(text: str) -> str:
    """Return ``text`` with each table between its markers made anew."""
    for name, table in (("facets", facets()), ("prices", prices())):
        before, after = f"<!-- {name} -->\n", f"\n<!-- end {name} -->"
        marked = re.compile(f"(?<={before}).*?(?={after})", re.DOTALL)
        text = marked.sub(table.replace("\\", r"\\"), text)
    return text


def main() -> int:
    """Rewrite or check README.md; return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="change nothing")
    arguments = parser.parse_args()
    old = README.read_text(encoding="utf-8")
    new = written(old)
    if arguments.check:
        return int(old != new)
    README.write_text(new, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
