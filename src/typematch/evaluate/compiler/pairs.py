"""Compares the verdicts of the relation with those of the compiler, pair by pair."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from time import perf_counter
from typing import Any

from typematch.errors import TypematchError
from typematch.evaluate.corpus import Row
from typematch.evaluate.metrics import percent, percentile
from typematch.match.verdict import Fit, Misfit, Undecided, Verdict

Relate = Callable[[str, str, str], Verdict]


def relate_pair(relate: Relate, pair: Mapping[str, Any]) -> tuple[bool | None, str]:
    """Return our verdict (None if undecided or failed) and its reason."""
    try:
        verdict = relate(pair["source"], pair["target"], pair.get("decls") or "")
    except TypematchError as error:
        return None, f"error: {error.what}"
    except RecursionError:
        return None, "crash: RecursionError"
    except Exception as error:
        # A bug counts as a disagreement; the other pairs are still measured.
        return None, f"crash: {type(error).__name__}: {error}"
    match verdict:
        case Fit():
            return True, ""
        case Misfit():
            return False, f"{verdict.path}: {verdict.reason}"
        case Undecided():
            return None, f"undecided: {verdict.reason}"


def evaluate(pairs: Iterable[Row], relate: Relate) -> Row:
    categories: dict[str, list[bool]] = defaultdict(list)
    wrong: list[Row] = []
    undecided = 0
    milliseconds: list[float] = []
    for pair in pairs:
        start = perf_counter()
        ours, reason = relate_pair(relate, pair)
        milliseconds.append((perf_counter() - start) * 1000)
        agreed = ours is pair["assignable"]
        undecided += ours is None
        categories[pair["category"]].append(agreed)
        if not agreed:
            wrong.append({**pair, "ours": ours, "reason": reason})
    return {
        "pairs": sum(map(len, categories.values())),
        "agreed": sum(map(sum, categories.values())),
        "undecided": undecided,
        "false_accepts": sum(row["ours"] is True for row in wrong),
        "false_rejects": sum(row["ours"] is False for row in wrong),
        "categories": {
            name: {"pairs": len(agreed), "agreed": sum(agreed)}
            for name, agreed in sorted(categories.items())
        },
        "milliseconds": {
            "median": percentile(milliseconds, 0.5),
            "p95": percentile(milliseconds, 0.95),
            "max": percentile(milliseconds, 1.0),
        },
        "disagreements": wrong,
    }


def report(result: Mapping[str, Any], *, show: bool) -> str:
    """Return the table by category, worst first; with ``show`` also every disagreement."""
    lines = [f"{'category':32}{'pairs':>7}{'agreed':>8}"]
    shares = sorted(
        result["categories"].items(), key=lambda item: (item[1]["agreed"] / item[1]["pairs"], item)
    )
    for name, row in shares:
        agreed = percent(row["agreed"], row["pairs"])
        lines.append(f"{name:32}{row['pairs']:7}{row['agreed']:8}  {agreed}")
    lines.append(
        f"{'all':32}{result['pairs']:7}{result['agreed']:8}"
        f"  {percent(result['agreed'], result['pairs'])}"
    )
    lines.append(
        f"false accepts {result['false_accepts']}, false rejects {result['false_rejects']}, "
        f"undecided or failed {result['undecided']}"
    )
    times = result["milliseconds"]
    lines.append(
        "milliseconds per pair, parsing included: "
        f"median {times['median']:.1f}, p95 {times['p95']:.1f}, max {times['max']:.0f}"
    )
    if show:
        for row in result["disagreements"]:
            lines += ["", f"{row['id']}  {row['category']}  compiler {row['assignable']}"]
            lines += [f"  | {line}" for line in (row.get("decls") or "").splitlines()]
            lines += [f"  source  {row['source']}", f"  target  {row['target']}"]
            lines.append(f"  ours    {row['ours']}  {row['reason']}")
    return "\n".join(lines)
