"""The JSON document of a composition: pipelines of calls that have a query's signature."""

from __future__ import annotations

from typing import Annotated, Literal, TypedDict

from typematch.search.present.wire_schema import AdapterDocument, EditDocument


class StepDocument(TypedDict):
    id: str
    signature: Annotated[str, "of the overload that is called"]
    arguments: Annotated[list[str], "a parameter of the query, `step 1.id`, or a literal"]
    parameters: Annotated[list[str], "the names of the parameters that take them"]
    result: Annotated[str, "the type of its value, awaited"]
    cost: float
    edits: list[EditDocument]


class PipelineDocument(TypedDict):
    cost: Annotated[float, "of its steps and their flow of data"]
    unchecked: Annotated[bool, "the result is any: its type is taken for granted"]
    steps: Annotated[list[StepDocument], "in the order of the calls"]
    adapter: Annotated[AdapterDocument, "the code of all steps"]


class ComposeDocument(TypedDict):
    format: Literal["typematch.composition/1"]
    query: str
    read_as: str
    notices: list[str]
    pipelines: Annotated[list[PipelineDocument], "cheapest first, unchecked ones last"]
    work: Annotated[int, "counted work of the search"]
    exhausted: Annotated[bool, "the search ended at its limit of work"]
    left: Annotated[int, "partial pipelines that were not followed then"]
