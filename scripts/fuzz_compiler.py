"""Generates pairs of types, and compares our verdicts with the TypeScript compiler's.

    python scripts/fuzz_compiler.py --oracle FOLDER [--pairs 1000] [--seed 1] [--cases FILE]

FOLDER holds ``oracle.mjs`` and its installed typescript.  Prints agreement by construct; each
disagreement is shrunk to the smallest pair on which the two still disagree, and printed.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from fuzz_cases import Cases
from fuzz_types import Case, shrunk
from typematch.evaluate.compiler.pairs import relate_pair
from typematch.evaluate.metrics import percent
from typematch.type_api import relate

_BATCH = 1000
_SHRINK_STEPS = 25
_SHRINK_WIDTH = 150


@dataclass(frozen=True, slots=True)
class Disagreement:
    case: Case
    compiler: bool
    ours: bool | None
    reason: str


class Oracle:
    """The TypeScript compiler behind ``oracle.mjs``."""

    def __init__(self, folder: Path) -> None:
        self.script = folder / "oracle.mjs"
        if not self.script.is_file():
            raise SystemExit(f"there is no oracle.mjs in {folder}")

    def ask(self, cases: Sequence[Case]) -> list[bool | None]:
        """Return the compiler's verdicts; None for a case that does not compile."""
        with tempfile.NamedTemporaryFile("w", suffix=".jsonl", encoding="utf-8") as file:
            for number, case in enumerate(cases):
                file.write(json.dumps(case.document(str(number))) + "\n")
            file.flush()
            done = subprocess.run(
                ["node", str(self.script), file.name], check=True, capture_output=True, text=True
            )
        rows = [json.loads(line) for line in done.stdout.splitlines()]
        answers = {int(row["id"]): row["assignable"] for row in rows}
        return [answers.get(number) for number in range(len(cases))]


def ours(case: Case) -> tuple[bool | None, str]:
    return relate_pair(relate, case.document(""))


def shrink(found: Disagreement, oracle: Oracle) -> Disagreement:
    """Return the smallest disagreement reachable by single simplifications."""
    for _ in range(_SHRINK_STEPS):
        smaller = [c for c in shrunk(found.case) if c.size < found.case.size]
        smaller = sorted(smaller, key=lambda c: c.size)[:_SHRINK_WIDTH]
        for case, answer in zip(smaller, oracle.ask(smaller) if smaller else (), strict=True):
            verdict, reason = ours(case)
            if answer is not None and verdict is not answer:
                found = Disagreement(case, answer, verdict, reason)
                break
        else:
            return found
    return found


def run(
    oracle: Oracle, *, pairs: int, seed: int
) -> tuple[dict[str, list[bool]], list[Disagreement]]:
    cases = Cases(seed)
    agreed: dict[str, list[bool]] = defaultdict(list)
    wrong: list[Disagreement] = []
    seen: set[str] = set()
    while (done := sum(map(len, agreed.values()))) < pairs:
        batch = []
        for case in islice(iter(cases.case, None), _BATCH):
            text = json.dumps(case.document(""))
            if text not in seen:
                seen.add(text)
                batch.append(case)
        for case, answer in zip(batch, oracle.ask(batch), strict=True):
            if answer is None or done >= pairs:
                continue
            done += 1
            verdict, reason = ours(case)
            agreed[case.construct].append(verdict is answer)
            if verdict is not answer:
                wrong.append(Disagreement(case, answer, verdict, reason))
    return agreed, wrong


def report(agreed: dict[str, list[bool]], wrong: Sequence[Disagreement]) -> None:
    print(f"{'construct':26}{'pairs':>7}{'agreed':>8}")
    rows = sorted(agreed.items(), key=lambda item: (sum(item[1]) / len(item[1]), item[0]))
    for construct, results in rows:
        share = percent(sum(results), len(results))
        print(f"{construct:26}{len(results):7}{sum(results):8}  {share}")
    total = sum(map(len, agreed.values()))
    right = sum(map(sum, agreed.values()))
    print(f"{'all':26}{total:7}{right:8}  {percent(right, total)}")
    accepted = sum(disagreement.ours is True for disagreement in wrong)
    undecided = sum(disagreement.ours is None for disagreement in wrong)
    print(
        f"accepted wrongly {accepted}, refused wrongly {len(wrong) - accepted - undecided}, "
        f"undecided or failed {undecided}"
    )


def show(disagreement: Disagreement) -> str:
    document = disagreement.case.document("")
    verdicts = f"compiler {disagreement.compiler}, ours {disagreement.ours}"
    lines = [f"\n{disagreement.case.construct}: {verdicts}  {disagreement.reason}"]
    lines += [f"  | {line}" for line in document["decls"].splitlines()]
    return "\n".join([*lines, f"  source  {document['source']}", f"  target  {document['target']}"])


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--oracle", type=Path, required=True)
    parser.add_argument("--pairs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--shrink", type=int, default=20, help="so many disagreements at most")
    parser.add_argument(
        "--cases", type=Path, help="write the shrunk disagreements here, as JSON lines"
    )
    options = parser.parse_args(arguments)
    oracle = Oracle(options.oracle)
    agreed, wrong = run(oracle, pairs=options.pairs, seed=options.seed)
    report(agreed, wrong)
    # Small ones first: they shrink fastest, and often have the cause of the large ones.
    small = sorted(wrong, key=lambda disagreement: disagreement.case.size)[: options.shrink]
    kept = {
        json.dumps(disagreement.case.document("")): disagreement
        for disagreement in (shrink(w, oracle) for w in small)
    }
    for disagreement in kept.values():
        print(show(disagreement))
    if options.cases:
        lines = [
            json.dumps(
                {
                    **disagreement.case.document(disagreement.case.construct),
                    "assignable": disagreement.compiler,
                }
            )
            for disagreement in kept.values()
        ]
        options.cases.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
