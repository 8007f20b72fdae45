"""What is stored about single types: masks, properties and the declarations they depend on.

It follows from the type and the declarations alone, so it may be computed in any process.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from typematch.index.compression import decompress
from typematch.index.masks.mask_rows import mask_row
from typematch.index.masks.type_masks import TypeMasks
from typematch.ir.codec import CodecError, decode_type, encode_type
from typematch.ir.declaration import Declarations
from typematch.ir.types import ANY, Object, Reference, Type

_MAX_PROPERTIES = 200


@dataclass(frozen=True, slots=True)
class MaskTask:
    """A type whose masks are missing.

    Attributes:
        number, blob: of its row.
        tables: the mask tables that have a row for it.
        is_named: an entry declares it, so its properties are listed.
    """

    number: int
    blob: bytes
    tables: Sequence[str]
    is_named: bool


@dataclass(frozen=True, slots=True)
class ComputedMasks:
    """What is stored about the type ``number``.

    Attributes:
        masks: ``mask_row`` by mask table.
        properties: (name, encoded type, optional).
        dependencies: keys of the declarations consulted.
        large_heritage: the type's key if it inherits from too many for its properties to be listed,
            else empty.
    """

    number: int
    masks: Mapping[str, tuple[int, ...]]
    properties: Sequence[tuple[str, bytes, bool]]
    dependencies: Sequence[str]
    large_heritage: str = ""


class MaskComputer:
    """Computes masks against one set of declarations; what several types need is memoized."""

    def __init__(self, declarations: Declarations) -> None:
        self._masks = TypeMasks(declarations)
        self._compute = {
            "source_mask": self._masks.source_mask,
            "target_mask": self._masks.target_mask,
        }
        self._documents: dict[Type, bytes] = {}

    def compute(self, tasks: Sequence[MaskTask]) -> list[ComputedMasks]:
        self._documents.clear()  # property types that several batches share are few
        return [self._computed(task) for task in tasks]

    def _computed(self, task: MaskTask) -> ComputedMasks:
        t = decode_type(decompress(task.blob))
        self._masks.dependencies()
        masks = {table: mask_row(table, self._compute[table](t)) for table in task.tables}
        too_large = len(self._masks.large_heritage)
        properties = self._properties(t) if task.is_named else []
        is_large = len(self._masks.large_heritage) > too_large and isinstance(t, Reference)
        return ComputedMasks(
            task.number,
            masks,
            properties,
            sorted(self._masks.dependencies()),
            t.target if is_large and isinstance(t, Reference) else "",
        )

    def _properties(self, t: Type) -> list[tuple[str, bytes, bool]]:
        if not isinstance(t, (Object, Reference)):
            return []
        listed = islice(self._masks.properties(t), _MAX_PROPERTIES)
        return [(member.name, self._document(member.type), member.optional) for member in listed]

    def _document(self, t: Type) -> bytes:
        """Return a property's encoded type, ``any`` for a type with unbound variables."""
        document = self._documents.get(t)
        if document is None:
            try:
                document = encode_type(ANY if t.loose_depth else t)
            except CodecError:
                document = encode_type(ANY)
            self._documents[t] = document
        return document
