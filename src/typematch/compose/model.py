"""What a search for pipelines returns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from typematch.adapt.model import Adapter
from typematch.ir.entry import Entry
from typematch.match.edit_kinds import Edit


@dataclass(frozen=True, slots=True)
class Step:
    """A call of a pipeline.

    Attributes:
        overload: the index in ``entry.signatures`` that is called.
        cost: of its edits and of where its arguments come from, in edit units.
        edits: how the entry differs from a function of its arguments and its expected result.
        arguments: where its arguments come from: a name of the query, ``step 1``, ``step 1.id``, a
            literal.
        parameters: the names of the parameters that take them; empty for one without a name.
        result: the type of its value, awaited, as TypeScript.
    """

    entry: Entry
    overload: int
    cost: float
    edits: tuple[Edit, ...]
    arguments: tuple[str, ...]
    parameters: tuple[str, ...]
    result: str

    @property
    def signature(self) -> str:
        return self.entry.signatures[self.overload].text


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Calls in the order of their execution; the last one gives the result.

    Attributes:
        cost: the sum of the costs of its steps and of the costs of the pipeline, in edit units.
        unchecked: its result is ``any``, so its type is taken for granted.
        adapter: the code: a function of the query's type.
    """

    steps: tuple[Step, ...]
    cost: float
    adapter: Adapter
    unchecked: bool = False


@dataclass(frozen=True, slots=True)
class Composition:
    """The pipelines for a query, cheapest first, unchecked ones last.

    Attributes:
        read_as: how the query was read.
        work: counted work: comparisons of types and expansions of plans.  That for unchecked
            pipelines has its own limit and is not included.
        exhausted: the search ended at its limit of work; more pipelines may exist.
        left: how many partial plans were left then.
        notices: sentences for the user.
    """

    query: str
    read_as: str
    pipelines: tuple[Pipeline, ...] = ()
    work: int = 0
    exhausted: bool = False
    left: int = 0
    notices: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[Pipeline]:
        return iter(self.pipelines)

    def __len__(self) -> int:
        return len(self.pipelines)

    def __getitem__(self, index: int) -> Pipeline:
        return self.pipelines[index]
