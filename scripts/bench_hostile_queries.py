"""Measures queries that were written to take long, each in a process of its own.

    python scripts/bench_hostile_queries.py DATABASE [--shapes TEXT] [--limit 2.0]

Prints the CPU seconds from the beginning of the search to its end, the peak memory, and how it
ended: with hits, a notice, or an error of ours.  A query is a problem if it takes more than
``--limit`` CPU seconds or ends with another exception; the exit code is then 1.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from measuring import environment, machine, mebibytes, peak_bytes, python

_HITS = 20
_MAX_CPU = 120  # seconds after which the process of a query is killed
_MAX_MEMORY = 4 << 30  # bytes of its address space
_SHOWN = 70  # characters of a notice or an error


def _parameters(count: int, type_: str = "number") -> str:
    return ", ".join(f"a{n}: {type_}" for n in range(count))


def _alternatives(count: int, text: str) -> str:
    return " | ".join(text.format(n) for n in range(count))


QUERIES: Mapping[str, str] = {
    "8 parameters": f"({_parameters(8)}) => void",
    "20 parameters": f"({_parameters(20)}) => void",
    "32 parameters": f"({_parameters(32)}) => void",
    "40 parameters": f"({_parameters(40)}) => void",
    "640 parameters": f"({_parameters(640)}) => void",
    "32 wildcards": f"({_parameters(32, '_')}) => _",
    "32 functions": f"({_parameters(32, '(x: any) => unknown')}) => void",
    "32 strings, rest": f"({_parameters(31, 'string')}, ...rest: string[]) => string",
    "10 type parameters": (
        f"<{', '.join(f'T{n}' for n in range(10))}>"
        f"({', '.join(f'a{n}: T{n}' for n in range(10))}) => T0"
    ),
    "32 type variables": f"({', '.join(f'a{n}: {chr(65 + n % 26)}' for n in range(32))}) => A",
    "32 unknown names": f"({', '.join(f'a{n}: Unknwon{n}' for n in range(32))}) => Unknwon0",
    "100 unknown members": f"(x: {_alternatives(100, 'Obsrvable{}')}) => void",
    "100 literals": f"(x: {_alternatives(100, '{}')}) => void",
    "100 objects": f"(x: {_alternatives(100, '{{ k{}: number }}')}) => void",
    "100 functions": f"(x: {_alternatives(100, '((y: {}) => string)')}) => void",
    "5,000 literals": f"(x: {_alternatives(5_000, '{}')}) => void",
    "100 properties": f"(x: {{ {'; '.join(f'p{n}: string' for n in range(100))} }}) => void",
    "100 intersected": f"(x: {' & '.join(f'{{ p{n}: {n} }}' for n in range(100))}) => void",
    "5,000 intersected": f"(x: {' & '.join(f'{{ p{n}: {n} }}' for n in range(5_000))}) => void",
    "90 nested functions": f"{'() => ' * 90}string",
    "300 nested functions": f"{'() => ' * 300}string",
    "90 nested callbacks": f"{'(f: ' * 90}() => void{') => void' * 90}",
    "30 nested callbacks": f"{'(f: ' * 30}() => void{') => void' * 30}",
    "90 nested arrays": f"(x: string{'[]' * 90}) => void",
    "90 nested promises": f"() => {'Promise<' * 90}string{'>' * 90}",
    "90 nested objects": f"(x: {'{ a: ' * 90}1{' }' * 90}) => void",
    "300 brackets": f"(x: {'[' * 300}string{']' * 300}) => void",
    "10,000 brackets": "(x: " + "(" * 10_000,
    "Rep<5000>": "(x: Rep<5000>) => Rep<5000>",
    "a record": "<T, K extends string>(value: T, key: K) => Record<K, T>",
    "a mapped type": "<T>(x: T) => { [K in keyof T]: (value: T[K]) => Promise<T[K]> }",
    "conditional types": "<T>(x: T) => T extends (infer U)[] ? U extends string ? U : never : T",
    "nested conditionals": f"<T>(x: T) => {'T extends string ? ' * 30}1{' : 2' * 30}",
    "keyof and indices": "<T, K extends keyof T>(x: T, key: K) => T[K][]",
    "template literals": f"(x: `{'${string}-' * 60}`) => `{'${number}' * 60}`",
    "wildcards only": "(...a: _[]) => _",
    "soft wildcards": "(_, _, _) => _",
    "any": "(x: any) => any",
    "a type variable": "<T>(x: T) => T",
    "nested type arguments": (
        "(p: Promise<Map<string, Array<Set<Record<string, Error>>>>>) => Promise<Response>"
    ),
    "a lone surrogate": "(x: '\ud800') => \udfff sort \udc00",
    "control characters": "(x: '\x00\x1b[2J\u202e') => \x07 sort",
    "10,000 words": "sort " * 10_000,
    "100 kB without blanks": "a" * 100_000,
    "100 facets": " ".join(f"has:p{n}" for n in range(100)),
    "101 facets": " ".join(f"has:p{n}" for n in range(101)),
    "10,000 facets": "is:async " * 10_000,
    "20 facet types": " ".join(f"param:Map<string,P{n}>" for n in range(20)),
    "20 negated facet types": " ".join(f"-returns:Promise<P{n}>" for n in range(20)),
    "20 fields with types": f"has:{','.join(f'p{n}:Map<string,P{n}>' for n in range(20))}",
    "facet types, signature": "param:Map<string,_> returns:Promise<_> (a: string) => number",
    "50 facet types": " ".join(f"param:Map<string,P{n}>" for n in range(50)),
    "2,000 facet values": f"has:{','.join(f'p{n}' for n in range(2_000))}",
    "long phrase": f'"{"a " * 9_000}"',
    "short phrases": '"a a a a" ' * 100,
    "50 prefixes": " ".join(f"{chr(97 + n // 26)}{chr(97 + n % 26)}*" for n in range(50)),
    "600 prefixes": " ".join(f"{chr(97 + n // 26)}{chr(97 + n % 26)}*" for n in range(600)),
    "full-text operators": '"" OR NEAR(* ^ - : {a b} AND NOT "x" -"y" *' * 50,
    "quotes": "'\"`" * 3_000,
}  # fmt: skip


def ask(database: Path, name: str) -> None:
    """Ask one query in this process; print CPU seconds, peak bytes and the end as JSON."""
    from typematch.catalog import Catalog
    from typematch.errors import TypematchError

    resource.setrlimit(resource.RLIMIT_CPU, (_MAX_CPU, _MAX_CPU))
    resource.setrlimit(resource.RLIMIT_AS, (_MAX_MEMORY, _MAX_MEMORY))
    with Catalog(database, create=False) as catalog:
        begun, problem = time.process_time(), ""
        try:
            result = catalog.search(QUERIES[name], limit=_HITS)
            end = "; ".join((f"{result.total} hits", *result.notices))
        except TypematchError as error:
            end = f"error: {str(error).splitlines()[0]}"
        except Exception as error:
            end = problem = f"{type(error).__name__}: {error}"
        seconds = time.process_time() - begun
    print(json.dumps({"seconds": seconds, "peak": peak_bytes(), "end": end, "problem": problem}))


def report(database: Path, names: Sequence[str], limit: float) -> int:
    print(f"{machine()}\n\n{'query':24}{'characters':>11}{'CPU s':>8}{'memory':>10}   end")
    bad, longest = 0, 0.0
    for name in names:
        done = subprocess.run(
            python(__file__, str(database), "--inside", name),
            env=environment(),
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            bad += 1
            print(f"{name:24}{len(QUERIES[name]):11}  ends with {done.returncode}", flush=True)
            continue
        record = json.loads(done.stdout.splitlines()[-1])
        is_bad = bool(record["problem"]) or record["seconds"] > limit
        bad += is_bad
        longest = max(longest, record["seconds"])
        end = record["end"].encode("ascii", "backslashreplace").decode()
        print(
            f"{name:24}{len(QUERIES[name]):11}{record['seconds']:8.2f}"
            f"{mebibytes(record['peak']):>10}   {'PROBLEM ' if is_bad else ''}{end[:_SHOWN]}",
            flush=True,
        )
    print(f"\n{len(names)} queries, at most {longest:.2f} CPU s: {bad} problems")
    return 1 if bad else 0


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("database", type=Path)
    parser.add_argument("--shapes", default="", help="only those whose name contains this text")
    parser.add_argument("--limit", type=float, default=2.0, help="CPU seconds of a query")
    parser.add_argument("--inside", default="", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.inside:
        ask(options.database, options.inside)
        return 0
    names = [name for name in QUERIES if options.shapes in name]
    return report(options.database, names, options.limit)


if __name__ == "__main__":
    sys.exit(main())
