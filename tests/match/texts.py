"""Compare types given as TypeScript text, and read the files of cases.

A case is a block of lines, each a keyword and a value; blank lines separate blocks::

    # functions: a title; it ends the declarations of the section before
    declares type Id = string        declarations in scope until the next title or `declares`
    source   (id: Id, n?: 1) => void
    target   (id: string) => void
    fits     yes                     tsc: is `source` assignable to `target` under `strict`?
    cost     2                       search: cost of the candidate `source` for the query `target`,
                                     in edit units; `none` where no edits make it match
    edit     Id is string            search: the sentence of each edit, free ones too, in order
    edit     n left out
    gap      why this fails          a known gap: the test fails when the case starts to pass

Only `source`, `target` and `fits` are required.  In `edit` lines the type parameters of the
candidate are called A, B, C by position.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from typematch.ir.declaration import Declaration
from typematch.ir.lift import close_over_container
from typematch.ir.module import Module
from typematch.ir.types import Object, Type
from typematch.match.assignability.relation import Relation
from typematch.match.assignability.variance import Variance
from typematch.match.edits.matcher import Matcher
from typematch.match.edits.query_signature import to_query_signature
from typematch.match.strictness import Strictness
from typematch.match.verdict import Verdict
from typematch.program.reduction.limits import DEFAULT_LIMITS, Limits
from typematch.program.resolution.declaration_merging import Fragment, merge_fragments
from typematch.program.resolution.module_summary import ModuleSummary, summarize_module
from typematch.program.resolution.symbols import Program
from typematch.sources.library.declaration_files import declaration_files
from typematch.sources.typescript import read_module

CASES = Path(__file__).parent / "cases"
NO_FIT = -1  # the cost `none`


@dataclass(frozen=True)
class Declared:
    """Declarations in memory."""

    by_key: Mapping[str, Declaration]

    def get(self, key: str) -> Declaration | None:
        return self.by_key.get(key)


@lru_cache(maxsize=1)
def _library() -> tuple[dict[str, ModuleSummary], dict[str, Declaration]]:
    modules = {name: read_module(text, path=name) for name, text in declaration_files()}
    summaries = {name: summarize_module(module) for name, module in modules.items()}
    return summaries, _bind(_program(summaries), modules)


def _program(summaries: Mapping[str, ModuleSummary]) -> Program:
    return Program(summaries, lambda specifier, file: None)  # noqa: ARG005


def _bind(program: Program, modules: Mapping[str, Module]) -> dict[str, Declaration]:
    fragments: dict[str, list[Fragment]] = defaultdict(list)
    for name, module in modules.items():
        for fragment in program.fragments(name, module):
            fragments[fragment.key].append(fragment)
    merged = ((key, merge_fragments(key, parts)) for key, parts in fragments.items())
    return {key: declaration for key, declaration in merged if declaration is not None}


def relation_for(
    source: str,
    target: str,
    declarations: str = "",
    limits: Limits = DEFAULT_LIMITS,
    variance_fallback: Callable[[], Relation] | None = None,
    computes_variances: bool = False,
) -> tuple[Relation, Type, Type]:
    """Return a relation over the library and ``declarations``, and both types."""
    summaries, library = _library()
    source_text = (
        f"{declarations}\nexport {{}};\ntype Source = {source};\ntype Target = {target};\n"
    )
    module = read_module(source_text.encode(), path="case.ts")
    program = _program({**summaries, "case.ts": summarize_module(module)})
    own = _bind(program, {"case.ts": module})
    source_alias, target_alias = own.get("case.ts#Source"), own.get("case.ts#Target")
    assert source_alias is not None, f"cannot read {source}"
    assert target_alias is not None, f"cannot read {target}"
    assert source_alias.type is not None
    assert target_alias.type is not None
    declared = Declared({**library, **own})
    variances: dict[str, Variance | None] | None = None
    if variance_fallback is not None:
        variances = variance_fallback().variances.results
    relation = Relation(
        declared,
        limits=limits,
        variances=variances,
        variance_fallback=variance_fallback,
        computes_variances=computes_variances,
    )
    return relation, source_alias.type, target_alias.type


def relation_and_types(declarations: str, texts: Sequence[str]) -> tuple[Relation, list[Type]]:
    """Return a relation over the library and ``declarations``, and the types of all texts."""
    summaries, library = _library()
    aliases = "".join(f"type Text{index} = {text};\n" for index, text in enumerate(texts))
    module = read_module(f"{declarations}\nexport {{}};\n{aliases}".encode(), path="case.ts")
    assert not module.errors
    program = _program({**summaries, "case.ts": summarize_module(module)})
    own = _bind(program, {"case.ts": module})
    types = [own[f"case.ts#Text{index}"].type for index in range(len(texts))]
    return Relation(Declared({**library, **own})), [t for t in types if t is not None]


def relate_texts(
    source: str, target: str, declarations: str = "", limits: Limits = DEFAULT_LIMITS
) -> Verdict:
    """Return whether ``source`` is assignable to ``target`` in the scope of ``declarations``."""
    relation, s, t = relation_for(source, target, declarations, limits)
    return relation.assign(s, t)


def match_texts(
    candidate: str,
    query: str,
    declarations: str = "",
    strictness: Strictness = Strictness.WITH_EDITS,
) -> Verdict:
    """Match two function types as a search does."""
    relation, source, target = relation_for(candidate, query, declarations)
    assert isinstance(source, Object), f"{candidate} is not a function type"
    assert isinstance(target, Object), f"{query} is not a function type"
    function, _ = close_over_container(source)
    return Matcher(relation, strictness).match(
        function, to_query_signature(target, relation.reducer)
    )


@dataclass
class Case:
    """One pair of types with its expected verdicts.

    Attributes:
        fits: whether tsc accepts ``source`` for ``target``.
        cost: cost of the pair in a search; -1 for ``none``, None if the case does not state it.
        edits: sentences of the edits of that search.
        gap: why the case is expected to fail; empty if it is not.
    """

    title: str
    declares: str
    source: str
    target: str = ""
    fits: bool = False
    cost: int | None = None
    edits: tuple[str, ...] = ()
    gap: str = ""


def read_cases(name: str) -> list[Case]:
    """Return the cases of ``cases/NAME.case``.

    Raises:
        ValueError: a line has no known keyword, or stands before the ``source`` of its case.
    """
    return parse_cases((CASES / f"{name}.case").read_text(encoding="utf-8"), f"{name}.case")


def parse_cases(text: str, name: str) -> list[Case]:
    cases: list[Case] = []
    title = declares = ""
    for number, line in enumerate(text.splitlines(), 1):
        keyword, _, value = line.partition(" ")
        value = value.strip()
        match keyword:
            case "":
                continue
            case "#":
                title, declares = value, ""
            case "declares":
                declares = value
            case "source":
                cases.append(Case(title, declares, value))
            case _:
                if not cases or not _set(cases[-1], keyword, value):
                    raise ValueError(f"{name}, line {number}: unknown keyword or no source: {line}")
    return cases


def _set(case: Case, keyword: str, value: str) -> bool:
    """Set the attribute that a line of a case is about; False for an unknown keyword."""
    match keyword:
        case "target":
            case.target = value
        case "fits":
            if value not in ("yes", "no"):
                return False
            case.fits = value == "yes"
        case "cost":
            case.cost = NO_FIT if value == "none" else int(value)
        case "edit":
            case.edits = (*case.edits, value)
        case "gap":
            case.gap = value
        case _:
            return False
    return True
