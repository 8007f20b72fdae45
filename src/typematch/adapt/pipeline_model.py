"""What the code of a pipeline is written from: its calls, and where their arguments come from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from typematch.adapt.model import MatchedCall
from typematch.ir.types import Object, Type


@dataclass(frozen=True, slots=True)
class Given:
    """A parameter of the pipeline, by its index."""

    index: int


@dataclass(frozen=True, slots=True)
class PropertyRead:
    """A step into a value: a property, or the first element of an array.

    Attributes:
        name: of the property; empty for the first element.
        may_be_undefined: the value has to be checked.
    """

    name: str
    may_be_undefined: bool = False


@dataclass(frozen=True, slots=True)
class EarlierResult:
    """The result of an earlier call, awaited, or a part of it.

    Attributes:
        call: index of the call.
        path: leads from the result to the part; empty for the result.
        may_be_undefined: the result has to be checked before it is read.
    """

    call: int
    path: tuple[PropertyRead, ...] = ()
    may_be_undefined: bool = False


@dataclass(frozen=True, slots=True)
class Constant:
    """A literal, as TypeScript text."""

    text: str


@dataclass(frozen=True, slots=True)
class ObjectOf:
    """An object literal: (property, its value)."""

    properties: tuple[tuple[str, ArgumentSource], ...]


ArgumentSource: TypeAlias = Given | EarlierResult | Constant | ObjectOf


@dataclass(frozen=True, slots=True)
class PipelineCall:
    """A call of a pipeline.

    Attributes:
        match: of the function with a query that has the values of ``sources`` as parameters.
        sources: of the query's arguments, in order.
        result: the type of its value, awaited.
        awaited: its value is a promise, which is awaited.
    """

    match: MatchedCall
    sources: tuple[ArgumentSource, ...]
    result: Type
    awaited: bool = False


@dataclass(frozen=True, slots=True)
class MatchedPipeline:
    """Calls, each after those whose results it takes; the last one gives the result.

    Attributes:
        query: the function type that the pipeline has.
        variables: the names of its type parameters.
    """

    query: Object
    variables: tuple[str, ...]
    calls: tuple[PipelineCall, ...]
