"""Work grows linearly with the size of a file or type: counted calls, never time."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType

import pytest

from match.texts import relate_texts, relation_for
from pathological_shapes import SHAPES, diamond
from typematch.catalog import Catalog
from typematch.index import file_writer
from typematch.index.enrichment import property_names
from typematch.index.masks.declared_members import RecordingDeclarations
from typematch.index.masks.type_masks import TypeMasks
from typematch.index.text.verbalize import signature_words
from typematch.ingest.file_entries import Reduction
from typematch.ir import intern
from typematch.ir.declaration import Declaration
from typematch.ir.intern import InternedNode
from typematch.ir.type_parts import Parameter, Signature, TypeParameter
from typematch.ir.types import VOID, Object, Reference, Var
from typematch.match.prefilter.relation_pool import RelationPool
from typematch.match.verdict import Undecided
from typematch.program.entries import entries_of
from typematch.program.export_path_index import ExportPathIndex
from typematch.program.package_walk import PackageEntryPoints
from typematch.program.reduction.limits import Limits
from typematch.program.reduction.reduce import Reducer
from typematch.program.resolution.declaration_merging import Fragment, merge_fragments
from typematch.program.resolution.module_summary import summarize_module
from typematch.program.resolution.symbols import Program
from typematch.sources.typescript import read_module

_FILE = "shape.ts"


class _Declarations:
    """The declarations of one file, without the library."""

    def __init__(self, fragments: tuple[Fragment, ...]) -> None:
        by_key: dict[str, list[Fragment]] = {}
        for fragment in fragments:
            by_key.setdefault(fragment.key, []).append(fragment)
        self._merged = {key: merge_fragments(key, parts) for key, parts in by_key.items()}

    def get(self, key: str, /) -> Declaration | None:
        return self._merged.get(key)


def calls_of(run: Callable[[], object]) -> int:
    """Return how many functions are called, those written in C included."""
    count = 0

    def counted(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    # A collection would count the finalizers of what earlier tests have left.
    gc.collect()
    gc.disable()
    previous = sys.getprofile()
    sys.setprofile(counted)
    try:
        run()
    finally:
        sys.setprofile(previous)
        gc.enable()
    return count


def index_work(text: str) -> int:
    """Return the number of calls that reading a file and listing its entries takes."""

    def run() -> None:
        module = read_module(text.encode(), path=_FILE)
        program = Program({_FILE: summarize_module(module)}, lambda *_: None)
        fragments = program.fragments(_FILE, module)
        program.resolution_digest(_FILE)
        path_index = ExportPathIndex(
            program, [PackageEntryPoints("shop", own=True)], lambda _: "shop"
        )
        path_index.export_digest(_FILE)
        declarations = _Declarations(fragments)
        entries_of(_FILE, module, path_index, declarations, Reduction(declarations).reduce)

    return calls_of(run)


@pytest.mark.parametrize(
    "shape",
    [
        "functions", "one line", "same name", "same member", "properties", "property accesses",
        "union", "union of objects", "callable intersection", "enum", "enum uses", "namespace",
        "heritage chain", "class chain", "alias chain", "constant chain", "import aliases",
        "computed constants", "computed chain",
        "type parameters", "overloads", "late names", "ambient modules", "doc tags",
    ],
)  # fmt: skip
def test_reading_and_listing_grow_linearly(shape: str) -> None:
    # From 150 on, beyond the limits on levels of heritage, aliases and imports.
    small, large = (index_work(SHAPES[shape](size)) for size in (150, 300))
    assert large <= 2.4 * small


@pytest.mark.parametrize("text", [diamond, SHAPES["callable diamond"]])
def test_each_ancestor_of_a_diamond_is_visited_once(text: Callable[[int], str]) -> None:
    small, large = (index_work(text(levels)) for levels in (12, 24))
    assert large <= 5 * small  # the text of the first grows with the square


def declarations_of(text: str) -> _Declarations:
    module = read_module(text.encode(), path=_FILE)
    program = Program({_FILE: summarize_module(module)}, lambda *_: None)
    return _Declarations(program.fragments(_FILE, module))


def test_masks_of_a_diamond_visit_each_ancestor_once() -> None:
    def work(size: int) -> int:
        declarations = declarations_of(diamond(size))
        deepest = Reference(f"{_FILE}#L{size - 1}")
        return calls_of(lambda: TypeMasks(declarations).source_mask(deepest))

    assert work(24) <= 10 * work(12)


def test_members_of_a_callable_diamond_are_compared_once_for_each_level() -> None:
    def work(size: int) -> int:
        text = SHAPES["callable diamond"](size)
        return calls_of(
            lambda: relate_texts(f"A{size - 1}", "{ (x: 0): void; (x: 1): void }", text)
        )

    work(2)  # reads the library
    assert work(40) <= 3 * work(20)


def test_inference_between_equal_unions_is_linear() -> None:
    def work(size: int) -> int:
        members = " | ".join(f'"u{number}"' for number in range(size))
        relation, source, target = relation_for(
            "<T>(x: T | U) => T", "(x: U | 1) => 1", f"type U = {members};"
        )
        return calls_of(lambda: relation.assign(source, target))

    assert work(400) <= 2.4 * work(200)


def test_a_type_parameter_is_intersected_with_its_constraint_in_linear_work() -> None:
    def work(size: int) -> int:
        members = ", ".join(f"M{number}" for number in range(size))
        relation, source, target = relation_for(
            "<K extends E>(key: K) => K & E",
            "<K extends E>(key: K) => K",
            f"enum E {{ {members} }}",
        )
        return calls_of(lambda: relation.assign(source, target))

    work(2)  # reads the library
    assert work(200) <= 2.4 * work(100)


def test_the_nodes_of_an_instantiation_count_as_work() -> None:
    """One mapped type substitutes the product of its keys and the size of its template."""
    keys = " | ".join(f'"k{number}"' for number in range(80))
    template = ", ".join(f"[K, {number}]" for number in range(80))
    declarations = f"type Table = {{ [K in {keys}]: [{template}] }};"
    limits = Limits(steps=100)
    relation, source, target = relation_for("Table", "string", declarations, limits)
    verdict = relation.assign(source, target)
    assert isinstance(verdict, Undecided)
    assert "100 steps" in str(verdict)
    # The work ends soon after the limit: a step stands for 32 nodes.
    assert relation.reducer.steps < 200


def test_a_long_chain_of_heritage_is_summarized_without_recursion() -> None:
    size = 3_000
    declarations = declarations_of(SHAPES["heritage chain"](size))
    summaries = RelationPool(declarations).head_cache.member_summaries
    deepest = summaries.summary_of(Reference(f"{_FILE}#I{size - 1}"))
    assert deepest is not None
    assert len(deepest.names) == size


def test_a_type_that_expands_without_end_is_expanded_once() -> None:
    declarations = "type Endless<T> = T extends unknown[] ? Endless<[T]> : Endless<T[]>;"
    relation, source, target = relation_for("Endless<1>", "string", declarations)
    calls, verdicts, steps = [], [], []
    for _ in range(2):
        calls.append(calls_of(lambda: verdicts.append(relation.assign(source, target))))
        steps.append(relation.reducer.steps)
    assert calls[1] * 20 <= calls[0]
    # The second attempt counts as much work, so that budgets end where they ended before.
    assert steps[0] == steps[1]
    assert [str(verdict) for verdict in verdicts] == [str(verdicts[0])] * 2


@pytest.mark.parametrize("shape", ["overloads", "same member"])
def test_overloads_are_joined_once(shape: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def stored(size: int) -> int:
        """Return the number of items in the tuples of all created nodes."""
        count = 0

        def counted(cls: type[InternedNode], fields: tuple[object, ...]) -> InternedNode:
            nonlocal count
            count += sum(len(value) for value in fields if isinstance(value, tuple))
            return create(cls, fields)

        create = intern._create
        with monkeypatch.context() as patch:
            patch.setattr(intern, "_create", counted)
            index_work(SHAPES[shape](size))
        return count

    assert stored(300) <= 2.4 * stored(150)


def test_reducers_share_the_properties_of_an_object_type() -> None:
    text = SHAPES["property accesses"](20)
    constant = declarations_of(text).get(f"{_FILE}#o")
    assert constant is not None
    assert isinstance(constant.value, Object)
    first, second = (Reducer(declarations_of(text)) for _ in range(2))
    assert first.properties_of(constant.value) is second.properties_of(constant.value)


def test_property_names_of_a_declaration_are_listed_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed: list[str] = []

    def counted(fragments: Sequence[Fragment]) -> list[str]:
        listed.extend(fragment.key for fragment in fragments)
        return property_names(fragments)

    monkeypatch.setattr(file_writer, "property_names", counted)
    file = tmp_path / _FILE
    file.write_text(SHAPES["properties"](20), encoding="utf-8")
    with Catalog(tmp_path / "catalog.db") as catalog:
        catalog.add(file, model=None)
    assert sum(key.endswith(f"{_FILE}#I") for key in listed) == 1


def test_declared_members_are_collected_once_for_all_descendants() -> None:
    def visited(size: int) -> int:
        declarations = RecordingDeclarations(declarations_of(diamond(size)))
        counted = calls_of(lambda: [declarations.members(f"{_FILE}#L{n}") for n in range(size)])
        assert declarations.members(f"{_FILE}#L5").complete
        assert not declarations.members(f"{_FILE}#L{size - 1}").complete
        return counted

    # Beyond the limit on levels, each type takes the same work.
    assert visited(120) <= 2.4 * visited(60)


def test_properties_of_a_type_with_too_many_heritage_types_are_not_listed(tmp_path: Path) -> None:
    file = tmp_path / _FILE
    file.write_text(diamond(50), encoding="utf-8")
    with Catalog(tmp_path / "catalog.db") as catalog:
        report = catalog.add(file, model=None)
    [notice] = [text for text in report.notices if "heritage" in text]
    # L44 has 44 * 45 / 2 heritage types, with those of its ancestors.
    assert notice.startswith("5 types with more than 1,000 heritage types")
    assert f"{_FILE}#L45" in notice


def test_names_of_type_parameters_are_in_words_up_to_a_limit() -> None:
    def call(size: int) -> Signature:
        parameters = tuple(Parameter(f"a{n}", Var(0, n)) for n in range(size))
        return Signature(parameters, VOID, tuple(TypeParameter() for _ in range(size)))

    names = [f"T{number}" for number in range(200)]
    assert "T63" in signature_words(call(200), names).split()
    assert "T64" not in signature_words(call(200), names).split()
