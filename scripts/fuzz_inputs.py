"""Mutates what comes from others; checks that each case ends in an answer or an error of ours.

    python scripts/fuzz_inputs.py sources FOLDER [--cases 5000] [--seed N] [--minutes M]
    python scripts/fuzz_inputs.py documents FOLDER      OpenAPI and Postman documents, catalogs
    python scripts/fuzz_inputs.py settings FOLDER       package.json, tsconfig.json, ignore files
    python scripts/fuzz_inputs.py queries FILE [--db DATABASE]
    python scripts/fuzz_inputs.py replies               what a model answers

FOLDER and FILE hold what is mutated.  Files are indexed, queries are asked, replies are read.  A
case fails if an exception that is not ours leaves it, or is the reason why a file is left out, or
if it takes more than ten seconds of CPU time or a gigabyte.  Failures are printed by place, with
the smallest case found for each; the exit code is then 1.  The seed is printed.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import secrets
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import islice
from pathlib import Path
from types import FrameType

from compare_results import read_queries
from fuzz_mutations import Mutator, smaller
from measuring import environment, mebibytes, peak_bytes, python
from typematch.catalog import Catalog
from typematch.errors import TypematchError

_MAX_SECONDS = 10  # CPU time of a case
_MAX_PEAK = 1 << 30  # bytes of memory in use by the process of a case
_FULL = 3 << 28  # bytes after which the next case gets a new process: caches fill with the cases
_MAX_BYTES = 3 << 30  # its address space, a larger limit: not all of it is in use
_SHRINK_TRIES = 150
_RESTART = 3  # exit code of a process that asks for a new one; its case has been reported
_SOURCE_SUFFIXES = (".d.ts", ".ts", ".mts", ".cts", ".tsx", ".js")
_DOCUMENT_SUFFIXES = (".json", ".yaml", ".yml", ".md")
_SETTINGS = ("package.json", "tsconfig.json", ".gitignore", "typematch.toml", "pnpm-workspace.yaml")
_OWN_ERROR = re.compile(r"^\w+Error: |^RecursionError|^LimitReached")

# From the texts of a case to a description of its failure; empty if it has none.
Check = Callable[[str], str]


class SlowError(Exception):
    """A case has used its CPU time."""


@contextmanager
def _cpu_limit() -> Iterator[None]:
    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise SlowError(f"more than {_MAX_SECONDS} s of CPU time")

    previous = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, _MAX_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, previous)


def place_of(error: BaseException) -> str:
    """Return the kind of an exception and the innermost line of ours that raised it."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if "typematch" in frame.filename] or frames
    last = ours[-1]
    return f"{type(error).__name__} at {Path(last.filename).name}:{last.lineno} ({last.name})"


def failure(run: Callable[[], str]) -> str:
    """Return what is wrong with a case; empty if it ends as it should."""
    try:
        with _cpu_limit():
            return run()
    except TypematchError as error:
        str(error)
        return ""
    except SlowError as error:
        return f"slow: {place_of(error)}"
    except MemoryError as error:
        return f"memory: {place_of(error)}"
    except Exception as error:
        return place_of(error)


# Checks -------------------------------------------------------------------------------------------


class Indexing:
    """Indexes one file or project at a time into a copy of a database with the library in it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._base = folder / "base.db"
        (folder / "empty.ts").write_text("export {};\n")
        with Catalog(self._base) as catalog:
            catalog.add(folder / "empty.ts", model=None)

    def check(self, name: str, text: str) -> str:
        def run() -> str:
            with tempfile.TemporaryDirectory(dir=self._folder) as place:
                project = Path(place) / "project"
                (project / ".git").mkdir(parents=True)
                if name in _SETTINGS:
                    (project / "index.ts").write_text("export declare function f(a: string): 1;\n")
                (project / name).write_bytes(text.encode("utf-8", "surrogatepass"))
                database = Path(place) / "case.db"
                database.write_bytes(self._base.read_bytes())
                previous = Path.cwd()
                os.chdir(project)
                try:
                    with Catalog(database) as catalog:
                        report = catalog.add(project, model=None)
                        for entry in islice(catalog.entries(), 20):
                            catalog.declaration(entry)
                        catalog.search("(a: string) => number", limit=5)
                finally:
                    os.chdir(previous)
            reasons = [reason for _, reason in report.failed]
            return next((reason for reason in reasons if _OWN_ERROR.match(reason)), "")

        return failure(run)


def query_check(catalog: Catalog) -> Check:
    def run(query: str) -> str:
        catalog.search(query, limit=5)
        return ""

    return lambda query: failure(lambda: run(query))


def reply_check(catalog: Catalog, reply_with: Callable[[bytes], None]) -> Check:
    def run(body: str) -> str:
        reply_with(body.encode("utf-8", "surrogatepass"))
        for stage in ("rerank", "expand", "select"):
            result = catalog.search("sort items", limit=5, **{stage: True})  # type: ignore[arg-type]
            if len(result.stages) != 1:
                return "a stage has no report"
        catalog.discover("sort items")
        return ""

    return lambda body: failure(lambda: run(body))


# Cases --------------------------------------------------------------------------------------------


def seeds_of(command: str, place: Path | None) -> list[tuple[str, str]]:
    """Return the (name, text) pairs that are mutated."""
    if command == "queries":
        assert place is not None
        return [("query", query) for query in read_queries(place)]
    if command == "replies":
        return [("reply", text) for text in _replies()]
    assert place is not None
    if command == "settings":
        return [(name, text) for name in _SETTINGS for text in _settings(name, place)]
    suffixes = _SOURCE_SUFFIXES if command == "sources" else _DOCUMENT_SUFFIXES
    found = []
    for path in sorted(place.rglob("*")):
        suffix = next((suffix for suffix in suffixes if path.name.endswith(suffix)), None)
        if suffix is not None and path.is_file() and path.stat().st_size < 100_000:
            found.append((f"case{suffix}", path.read_text(encoding="utf-8", errors="replace")))
    return found


def _settings(name: str, place: Path) -> list[str]:
    found = [path.read_text(errors="replace") for path in islice(place.rglob(name), 40)]
    return found or [_SETTING_SEEDS[name]]


_SETTING_SEEDS = {
    "package.json": json.dumps(
        {
            "name": "shop",
            "version": "1.0.0",
            "types": "./index.d.ts",
            "exports": {".": {"types": "./index.d.ts"}, "./a/*": "./a/*.js"},
            "typesVersions": {">=4": {"*": ["ts/*"]}},
            "workspaces": ["packages/*"],
            "dependencies": {"dep": "^1"},
        }
    ),
    "tsconfig.json": '{"extends": "./base", "compilerOptions": {"baseUrl": ".", "paths": '
    '{"@/*": ["src/*"]}, "rootDirs": ["a"]}, "include": ["src/**/*"], "files": ["index.ts"]}',
    ".gitignore": "node_modules\n*.log\n!keep\n/build/**\n[a-z]*\n\\#x\n",
    "typematch.toml": '[claude]\nwindow = 3\n[claude.prices."x"]\ninput = 1.0\noutput = 2.0\n',
    "pnpm-workspace.yaml": "packages:\n  - 'packages/*'\n  - '!**/test/**'\n",
}


def _replies() -> list[str]:
    usage = {"input_tokens": 10, "output_tokens": 5}

    def message(*content: object, **fields: object) -> str:
        return json.dumps(
            {"id": "m", "type": "message", "role": "assistant", "model": "x", "content": content,
             "stop_reason": "end_turn", "usage": usage, **fields}
        )  # fmt: skip

    texts = (
        '{"grades": [{"id": 1, "grade": 3, "reason": "fits"}]}',
        '{"queries": ["sort a list"], "signatures": ["(T[]) => T[]"]}',
        '{"scopes": ["toolbox"]}',
        '{"calls": [], "flows": [], "missing": "everything"}',
    )
    call = {"type": "tool_use", "id": "t1", "name": "search", "input": {"query": "sort", "k": 3}}
    return [
        *(message({"type": "text", "text": text}) for text in texts),
        message({"type": "thinking", "thinking": "x", "signature": "y"}, call),
        message(call, stop_reason="tool_use"),
        '{"type": "error", "error": {"type": "overloaded_error", "message": "busy"}}',
        "<html><body>Please log in</body></html>",
    ]


def case_of(seeds: Sequence[tuple[str, str]], seed: int, number: int) -> tuple[str, str]:
    """Return the name and text of a case; each depends on its number only."""
    mutator = Mutator(f"{seed} {number}")
    texts = [text for _, text in seeds]
    index = texts.index(mutator.pick(texts))
    return seeds[index][0], mutator.mutated(texts[index], texts)


# Runs ---------------------------------------------------------------------------------------------


@contextmanager
def checker(command: str, database: Path | None) -> Iterator[Callable[[str, str], str]]:
    """Yield the function that checks a case by its name and text."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        if command in ("sources", "documents", "settings"):
            yield Indexing(folder).check
            return
        if database is None:
            database = folder / "fixtures.db"
            fixtures = Path(__file__).resolve().parent.parent / "fixtures"
            with Catalog(database) as catalog:
                catalog.add(fixtures / "toolbox", fixtures / "deadline", model=None)
        if command == "queries":
            check = query_check(stack.enter_context(Catalog(database, create=False)))
            yield lambda _, text: check(text)
            return
        from fuzz_replies import ReplyServer

        server = stack.enter_context(ReplyServer())
        os.environ.update(server.environment(folder))
        catalog = stack.enter_context(Catalog(database, create=False))
        reply = reply_check(catalog, server.reply_with)
        yield lambda _, text: reply(text)


def inside(options: argparse.Namespace) -> None:
    """Check cases from ``--start`` on, one line of JSON for each."""
    resource.setrlimit(resource.RLIMIT_AS, (_MAX_BYTES, _MAX_BYTES))
    seeds = seeds_of(options.command, options.place)
    with checker(options.command, options.db) as check:
        print(json.dumps({"ready": len(seeds)}), flush=True)
        for number in range(options.start, options.cases):
            print(json.dumps({"begins": number}), flush=True)
            problem = check(*case_of(seeds, options.seed, number))
            peak = peak_bytes()
            if peak > _MAX_PEAK:
                problem = problem or "memory: more than a gigabyte"
            if problem:
                print(json.dumps({"case": number, "problem": problem}), flush=True)
            print(json.dumps({"peak": peak}), flush=True)
            if peak > _FULL:
                sys.exit(_RESTART)  # the peak of a process never falls


def shrink(options: argparse.Namespace) -> None:
    """Print the smallest text found that fails like case ``--start``."""
    resource.setrlimit(resource.RLIMIT_AS, (_MAX_BYTES, _MAX_BYTES))
    name, text = case_of(seeds_of(options.command, options.place), options.seed, options.start)
    with checker(options.command, options.db) as check:
        problem, tries = check(name, text), 0
        progress = True
        while progress and tries < _SHRINK_TRIES:
            progress = False
            for candidate in smaller(text):
                tries += 1
                if tries > _SHRINK_TRIES:
                    break
                if check(name, candidate) == problem:
                    text, progress = candidate, True
                    break
    print(json.dumps({"name": name, "text": text}))


def child(options: argparse.Namespace, start: int, mode: str) -> list[str]:
    words = [options.command, *([str(options.place)] if options.place else [])]
    words += ["--seed", str(options.seed), "--cases", str(options.cases), "--start", str(start)]
    words += [*(["--db", str(options.db)] if options.db else []), "--mode", mode]
    return python(__file__, *words)


def run(options: argparse.Namespace) -> int:
    problems: dict[str, list[int]] = {}
    done, peak, ends = 0, 0, time.monotonic() + options.minutes * 60
    print(f"{options.command}: seed {options.seed}", flush=True)
    start, began = 0, -1
    while start < options.cases and time.monotonic() < ends:
        with subprocess.Popen(
            child(options, start, "inside"),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=environment(),
        ) as process:
            assert process.stdout is not None
            for line in process.stdout:
                record = json.loads(line)
                if "begins" in record:
                    began, done = record["begins"], done + 1
                elif "case" in record:
                    if record["problem"] not in problems:
                        print(f"case {record['case']}: {record['problem']}", flush=True)
                    problems.setdefault(record["problem"], []).append(record["case"])
                elif "peak" in record:
                    peak = max(peak, record["peak"])
                if time.monotonic() > ends:
                    process.kill()
                    break
        if process.returncode not in (0, _RESTART) and time.monotonic() < ends:
            problems.setdefault(f"ends with {process.returncode}", []).append(began)
        elif not process.returncode:
            break
        start = began + 1
    report(options, problems, done, peak)
    return 1 if problems else 0


def report(
    options: argparse.Namespace, problems: dict[str, list[int]], done: int, peak: int
) -> None:
    counts = Counter({problem: len(cases) for problem, cases in problems.items()})
    for problem, count in counts.most_common():
        number = problems[problem][0]
        print(f"\n{count} times: {problem}   (case {number})")
        if options.shrink and not problem.startswith("ends"):
            result = subprocess.run(
                child(options, number, "shrink"),
                capture_output=True,
                text=True,
                env=environment(),
                check=False,
            )
            lines = result.stdout.splitlines()
            print(f"    {lines[-1][:1_000] if lines else 'cannot be made smaller'}")
    print(
        f"\n{options.command}: {done} cases, seed {options.seed}, at most {mebibytes(peak)}: "
        f"{sum(counts.values())} failures"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "command", choices=("sources", "documents", "settings", "queries", "replies")
    )
    parser.add_argument("place", type=Path, nargs="?", help="folder or file of what is mutated")
    parser.add_argument("--cases", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=None, help="by default a new one")
    parser.add_argument("--minutes", type=float, default=1_000.0, help="stop after so many")
    parser.add_argument("--db", type=Path, default=None, help="database that queries search")
    parser.add_argument("--no-shrink", dest="shrink", action="store_false")
    parser.add_argument("--start", type=int, default=0, help=argparse.SUPPRESS)
    parser.add_argument("--mode", default="run", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.seed is None:
        options.seed = secrets.randbelow(10**9)
    if options.place is None and options.command != "replies":
        parser.error(f"{options.command} needs a folder or file of what is mutated")
    if options.mode == "inside":
        inside(options)
        return 0
    if options.mode == "shrink":
        shrink(options)
        return 0
    return run(options)


if __name__ == "__main__":
    sys.exit(main())
