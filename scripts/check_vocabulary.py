"""Reports retired names and words, where they are defined or written again.

    python scripts/check_vocabulary.py        # exit code 1 if there are any

Checked are the definitions in src, tests and scripts (modules, classes, functions, parameters, loop
variables), classes of one name in src, and the words of docstrings and comments.  CONTRIBUTING.md
says which terms to use.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
_FOLDERS = ("src", "tests", "scripts")

# Retired name -> term to use.  Only definitions count: an attribute of a library may have any name.
_MODULES = {
    "garbage": "gc_tuning",
    "relating": "type_api",
    "outline": "fingerprint",
    "glance": "quick_reject",
    "heads": "head_cache",
    "rigid": "deferred_types",
    "soft": "matcher",
    "gaps": "subtyping_edits",
    "gathering": "source_files, options_object",
    "bridges": "conversions",
    "having": "source_masks",
    "needing": "target_masks",
    "telling": "enrichment, format",
    "wording": "verbalize",
    "opening": "skolemize, placeholders, open_catalog",
    "hearing": "sentence_filters",
    "judging": "scoring",
    "patience": "deadline",
    "told": "sentence",
    "spoken": "noun_phrases",
    "found": "ranked",
    "likeness": "implementations",
    "needed": "required_interfaces",
    "stages": "llm_protocols",
    "beside": "sibling_files, background",
}
_CLASSES = {
    "Glance": "QuickReject",
    "Heads": "HeadCache",
    "Having": "SourceMasks",
    "Needing": "TargetMasks",
    "Asked": "QuerySignature, QueryMasks, FullTextQuery, QueryVectors",
    "Told": "Enrichment",
    "Telling": "EnrichmentStore",
    "Offered": "EnrichmentInput",
    "Spoken": "NounPhrase",
    "Sureness": "Confidence",
    "Patience": "Deadline",
    "Judges": "TypeScorers",
    "Judge": "TypeScorer, AssignabilityOracle",
    "Found": "RankedEntry",
    "Gathered": "SourceFiles",
    "Gathering": "OptionsObjectRewrites",
    "Beside": "SiblingFiles",
    "Bridge": "Conversion",
    "Prices": "ConversionCosts",
    "Likeness": "InterfaceMatches",
    "Brief": "EntrySummary",
    "Skips": "SkippedFiles",
    "Disk": "FileSystemCache",
    "Guard": "SecurityMiddleware",
    "Cover": "WatchRoots",
    "Round": "IndexCycle",
}
_FUNCTIONS = {
    "tell": "write_enrichments",
    "told": "enrichment",
    "heard": "sentence_constraints",
    "hear": "add_clause",
    "judge": "match, score",
    "glance": "quick_reject",
    "gathered": "as_array",
    "handed": "argument_cost",
    "standing_alone": "close_over_container",
    "nameless": "without_parameter_names",
    "may_fit": "may_be_assignable",
    "wary": "computed_may_be_any",
    "speaks_to_a_judge": "looks_like_injection",
    "is_over": "expired",
}
_PARAMETERS = {
    "told": "enrichment",
    "asked": "query, target",
    "heads": "head_cache",
    "glance": "quick_reject",
    "patience": "deadline",
    "patient": "variance_fallback",
    "judges": "scorers",
}
_LOOP_VARIABLES = {"one", "some", "each"}
_WORDS = re.compile(
    r"\b(whoever|at a glance|hangs? on|glances?|patience|nobody|be told|is told|are told)\b",
    re.IGNORECASE,
)

# A class name that two modules define on purpose -> why.
SHARED_CLASSES: dict[str, str] = {}


def problems() -> Iterator[str]:
    classes: dict[str, list[str]] = defaultdict(list)
    for folder in _FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            if path == Path(__file__).resolve():
                continue
            name = path.relative_to(ROOT).as_posix()
            if path.stem in _MODULES:
                yield f"{name}: module {path.stem}: use {_MODULES[path.stem]}"
            source = path.read_text(encoding="utf-8")
            tree = ast.parse(source)
            yield from (f"{name}:{line}" for line in _definitions(tree))
            yield from (f"{name}:{line}" for line in _prose(source, tree))
            if folder == "src":
                for node in ast.walk(tree):
                    if isinstance(node, ast.ClassDef):
                        classes[node.name].append(name)
    for class_name, modules in sorted(classes.items()):
        if len(modules) > 1 and class_name not in SHARED_CLASSES:
            yield f"class {class_name} is defined in {', '.join(modules)}"


def _definitions(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.ClassDef(name=name) if name in _CLASSES:
                yield f"{node.lineno}: class {name}: use {_CLASSES[name]}"
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                if name.lstrip("_") in _FUNCTIONS:
                    yield f"{node.lineno}: function {name}: use {_FUNCTIONS[name.lstrip('_')]}"
            case ast.arg(arg=name) if name in _PARAMETERS:
                yield f"{node.lineno}: parameter {name}: use {_PARAMETERS[name]}"
            case ast.For(target=target) | ast.comprehension(target=target):
                for part in ast.walk(target):
                    if isinstance(part, ast.Name) and part.id in _LOOP_VARIABLES:
                        yield f"{part.lineno}: loop variable {part.id}: use the noun"
            case _:
                pass


def _prose(source: str, tree: ast.AST) -> Iterator[str]:
    """Yield the retired words of comments and docstrings."""
    texts = [
        (token.start[0], token.string)
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
        if token.type == tokenize.COMMENT
    ]
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            body = node.body
            if body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
                texts.append((body[0].lineno, str(body[0].value.value)))
    for line, text in texts:
        for found in _WORDS.finditer(text):
            yield f"{line}: {found[0]!r} in a comment or docstring: say what it is"


def main() -> int:
    listed = list(problems())
    print("\n".join(listed), end="\n" if listed else "")
    return int(bool(listed))


if __name__ == "__main__":
    sys.exit(main())
