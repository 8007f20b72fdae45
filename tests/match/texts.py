"""Put questions to the relation in TypeScript's own words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from typematch.ir.declaration import Declaration
from typematch.ir.module import Module
from typematch.ir.types import Type
from typematch.match.assignability.relation import Relation
from typematch.match.assignability.variance import Variance
from typematch.match.verdict import Verdict
from typematch.program.reduction.limits import DEFAULT_LIMITS, Limits
from typematch.program.resolution.declaration_merging import Fragment, merge
from typematch.program.resolution.module_summary import Skeleton, skeleton
from typematch.program.resolution.symbols import Program
from typematch.sources.library import files as library_files
from typematch.sources.typescript import read_module

CASES = Path(__file__).parent / "cases"


@dataclass(frozen=True)
class Declared:
    """Declarations in memory."""

    by_key: Mapping[str, Declaration]

    def get(self, key: str) -> Declaration | None:
        return self.by_key.get(key)


@lru_cache(maxsize=1)
def _library() -> tuple[dict[str, Skeleton], dict[str, Declaration]]:
    modules = {name: read_module(text, path=name) for name, text in library_files()}
    skeletons = {name: skeleton(module) for name, module in modules.items()}
    return skeletons, _bound(_program(skeletons), modules)


def _program(skeletons: Mapping[str, Skeleton]) -> Program:
    return Program(skeletons, lambda specifier, file: None)  # noqa: ARG005


def _bound(program: Program, modules: Mapping[str, Module]) -> dict[str, Declaration]:
    fragments: dict[str, list[Fragment]] = defaultdict(list)
    for name, module in modules.items():
        for fragment in program.bind(name, module):
            fragments[fragment.key].append(fragment)
    merged = ((key, merge(key, parts)) for key, parts in fragments.items())
    return {key: declaration for key, declaration in merged if declaration is not None}


def question(
    source: str,
    target: str,
    declares: str = "",
    limits: Limits = DEFAULT_LIMITS,
    patient: Callable[[], Relation] | None = None,
) -> tuple[Relation, Type, Type]:
    """Return a relation over the library and ``declares``, and both types in its terms."""
    skeletons, library = _library()
    text = f"{declares}\nexport {{}};\ntype Source = {source};\ntype Target = {target};\n"
    module = read_module(text.encode(), path="case.ts")
    program = _program({**skeletons, "case.ts": skeleton(module)})
    own = _bound(program, {"case.ts": module})
    asked = [own[f"case.ts#{name}"].type for name in ("Source", "Target")]
    assert asked[0] is not None
    assert asked[1] is not None
    declared = Declared({**library, **own})
    variances: dict[str, Variance | None] | None = None
    if patient is not None:
        variances = patient().variances.known
    relation = Relation(declared, limits=limits, variances=variances, patient=patient)
    return relation, asked[0], asked[1]


def judged(
    source: str, target: str, declares: str = "", limits: Limits = DEFAULT_LIMITS
) -> Verdict:
    """Return whether ``source`` is assignable to ``target`` in the scope of ``declares``."""
    relation, s, t = question(source, target, declares, limits)
    return relation.assign(s, t)


@dataclass(frozen=True)
class Case:
    """One question with the compiler's verdict."""

    title: str
    declares: str
    source: str
    target: str
    fits: bool


def cases(name: str) -> list[Case]:
    """Return the cases of ``cases/NAME.case``; what a section declares holds for all below it."""
    found: list[Case] = []
    title = declares = source = target = ""
    for line in (CASES / f"{name}.case").read_text(encoding="utf-8").splitlines():
        word, _, rest = line.partition(" ")
        match word:
            case "#":
                title, declares = rest, ""
            case "declares":
                declares = rest
            case "source":
                source = rest.strip()
            case "target":
                target = rest.strip()
            case "fits":
                found.append(Case(title, declares, source, target, rest.strip() == "yes"))
            case "":
                continue
            case _:
                raise ValueError(f"{name}.case: what does this line mean? {line}")
    return found
