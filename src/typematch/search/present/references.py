"""Follow what an entry's types refer to: breadth first, each declaration once, within a budget.

What the language itself declares (``Promise``, ``Map``) is named and not followed: whoever reads
the answer knows it.  Declarations come from the whole catalog: other files, other packages.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Protocol

from typematch.index.store import EntrySummary
from typematch.ir.declaration import Declaration
from typematch.ir.entry import Entry
from typematch.ir.intern import InternedNode, children
from typematch.ir.render import plain_name, render
from typematch.ir.types import Named, Reference, Type
from typematch.search.present.declaration_text import declaration_text
from typematch.search.present.token_count import count_tokens

_LANGUAGE = frozenset(("lib", "typescript"))  # packages that declare the globals of the language


class ReferencedDeclaration(Protocol):
    """What following asks of a store."""

    def get(self, key: str, /) -> Declaration | None: ...

    def declaring(self, keys: Iterable[str], /) -> dict[str, int]: ...

    def briefs(self, numbers: Iterable[int]) -> dict[int, EntrySummary]: ...

    def entries(self, numbers: Sequence[int]) -> list[Entry]: ...


@dataclass(frozen=True, slots=True)
class ReferencedEntries:
    """A declaration that was reached.

    Attributes:
        id: of its entry; its key where it has none.
        by: the id of what first referred to it.
        depth: how many references away, from 1.
        text: its declaration as TypeScript.
        tokens: of ``text``, as ``count_tokens`` counts.
    """

    id: str
    name: str
    kind: str
    package: str
    path: str
    line: int
    by: str
    depth: int
    text: str
    tokens: int


@dataclass(frozen=True, slots=True)
class References:
    """What an entry refers to, and what is not shown of it.

    Attributes:
        text: the entry's own declaration.
        found: in the order in which they are reached.
        missing: (name, id of what refers to it) that no file of the catalog declares.
        cycles: each the names along it, the first one again at its end.
        standard: names of the language, in order.
        tokens: of ``text`` and all of ``found``.
        left_out: how many more there are within ``depth`` that the budget has no room for.
        deeper: how many more the last ones refer to directly, beyond ``depth``.
    """

    entry: Entry
    text: str
    found: tuple[ReferencedEntries, ...] = ()
    missing: tuple[tuple[str, str], ...] = ()
    cycles: tuple[tuple[str, ...], ...] = ()
    standard: tuple[str, ...] = ()
    tokens: int = 0
    max_tokens: int | None = None
    depth: int | None = 0
    left_out: int = 0
    deeper: int = 0


def references(
    entry: Entry,
    store: ReferencedDeclaration,
    *,
    depth: int | None = 3,
    max_tokens: int | None = 4_000,
) -> References:
    """Return what ``entry`` refers to within ``depth`` steps, None being all.

    ``max_tokens`` bounds the texts together, the entry's own among them, which is always given; of
    what does not fit, smaller ones behind it still may.  None is no bound.
    """
    graph = _Graph(entry, store, depth)
    text = declaration_text(entry, store)
    total = count_tokens(text)
    found: list[ReferencedEntries] = []
    left_out = 0
    for one in graph.reached():
        if max_tokens is not None and total + one.tokens > max_tokens:
            left_out += 1
            continue
        total += one.tokens
        found.append(one)
    return References(
        entry=entry,
        text=text,
        found=tuple(found),
        missing=tuple(graph.missing.items()),
        cycles=tuple(_cycles(graph.edges)),
        standard=tuple(sorted(graph.standard)),
        tokens=total,
        max_tokens=max_tokens,
        depth=depth,
        left_out=left_out,
        deeper=len(graph.deeper),
    )


class _Graph:
    """Declarations by the steps that lead to them.

    Attributes:
        edges: of what was reached, key -> keys, without the language's own.
        missing: by name, the id of what refers to it first.
        deeper: keys that lie one step beyond the depth.
    """

    def __init__(self, entry: Entry, store: ReferencedDeclaration, depth: int | None) -> None:
        self._store = store
        self._entry = entry
        self.edges: dict[str, tuple[str, ...]] = {}
        self.missing: dict[str, str] = {}
        self.standard: set[str] = set()
        self.deeper: set[str] = set()
        self._depths: dict[str, int] = {}
        self._by: dict[str, str] = {}
        self._declared: dict[str, Declaration] = {}
        self._entries: dict[str, Entry] = {}
        self._follow(depth)

    def _follow(self, depth: int | None) -> None:
        own = self._entry.declaration if self._entry.kind in _DECLARING else ""
        declared = self._store.get(own) if own else None
        # What a type is called by says nothing of what it is made of.
        named = _types_of(declared) if declared and not self._entry.signatures else None
        types = [*(_types_of_entry(self._entry) if named is None else named)]
        self._depths[own] = 0
        level = self._note(own, self._entry.id, types)
        for step in count(1) if depth is None else range(1, depth + 1):
            if not level:
                break
            following: list[str] = []
            for key in level:
                if key in self._depths:
                    continue
                self._depths[key] = step
                id_ = self._entries[key].id if key in self._entries else key
                following += self._note(key, id_, [*_types_of(self._declared[key])])
            level = following
        self.deeper = set(level) - self._depths.keys()

    def _note(self, key: str, id_: str, types: Sequence[Type]) -> list[str]:
        """Record what ``types``, said by ``id_``, refer to; return the keys that are followed."""
        mentioned = list(dict.fromkeys(node for type_ in types for node in _mentions(type_)))
        targets = [node.target for node in mentioned if isinstance(node, Reference)]
        self._look_up(targets)
        for node in mentioned:
            if isinstance(node, Named):
                self.missing.setdefault(".".join(node.path) or str(node.module), id_)
            elif node.target not in self._declared:
                self.missing.setdefault(plain_name(node.target), id_)
        known = [target for target in dict.fromkeys(targets) if target in self._declared]
        followed = [target for target in known if not self._is_standard(target)]
        self.standard.update(plain_name(target) for target in set(known).difference(followed))
        self.edges[key] = tuple(followed)
        for target in followed:
            self._by.setdefault(target, id_)
        return followed

    def _look_up(self, keys: Iterable[str]) -> None:
        new = [key for key in dict.fromkeys(keys) if key not in self._declared]
        for key in new:
            declaration = self._store.get(key)
            if declaration is not None:
                self._declared[key] = declaration
        numbers = self._store.declaring([key for key in new if key in self._declared])
        entries = self._store.entries(list(numbers.values()))
        self._entries.update(zip(numbers, entries, strict=True))

    def _is_standard(self, key: str) -> bool:
        """Whether a declaration is of the language itself."""
        if not key.startswith("global#"):
            return False
        entry = self._entries.get(key)
        return entry is None or entry.package in _LANGUAGE

    def reached(self) -> Iterator[ReferencedEntries]:
        for key, depth in self._depths.items():
            if not depth:
                continue
            entry, declaration = self._entries.get(key), self._declared[key]
            if entry is not None:
                text = declaration_text(entry, self._store)
            else:
                text = _text_of(declaration)
            yield ReferencedEntries(
                id=entry.id if entry else key,
                name=entry.name if entry else declaration.name,
                kind=entry.kind if entry else declaration.kind,
                package=entry.package if entry else "",
                path=entry.path if entry else "",
                line=entry.line if entry else 0,
                by=self._by[key],
                depth=depth,
                text=text,
                tokens=count_tokens(text),
            )


# Of these an entry's ``declaration`` is its own; that of a member is what contains it.
_DECLARING = frozenset(
    ("interface", "class", "alias", "enum", "schema", "service", "function", "const")
)


def _types_of_entry(entry: Entry) -> Iterator[Type]:
    yield from (signature.type for signature in entry.signatures)
    if entry.type is not None:
        yield entry.type


def _types_of(declaration: Declaration) -> Iterator[Type]:
    if declaration.type is not None:
        yield declaration.type
    yield from declaration.extends
    # The static side of a class says nothing of its instances.
    if declaration.value is not None and declaration.type is None:
        yield declaration.value
    for parameter in declaration.type_parameters:
        yield from (one for one in (parameter.constraint, parameter.default) if one is not None)


def _mentions(node: InternedNode) -> Iterator[Reference | Named]:
    waiting = deque([node])
    seen: set[InternedNode] = set()
    while waiting:
        one = waiting.popleft()
        if one in seen:
            continue
        seen.add(one)
        if isinstance(one, Reference | Named):
            yield one
        waiting.extend(children(one))


def _text_of(declaration: Declaration) -> str:
    meaning = declaration.type or declaration.value
    body = render(meaning, names=(declaration.type_parameter_names,)) if meaning else "unknown"
    return f"{declaration.kind} {declaration.name}: {body}"


def _cycles(edges: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, ...]]:
    """Yield the shortest cycle through each declaration that is on none yielded before."""
    told: set[str] = set()
    for start in edges:
        if start in told:
            continue
        path = _way_back(start, edges)
        if path:
            told.update(path)
            yield tuple(plain_name(key) for key in (*path, start))


def _way_back(start: str, edges: Mapping[str, Sequence[str]]) -> list[str]:
    came_from: dict[str, str] = {}
    waiting = deque([start])
    while waiting:
        key = waiting.popleft()
        for target in edges.get(key, ()):
            if target == start:
                path = [key]
                while path[-1] != start:
                    path.append(came_from[path[-1]])
                return path[::-1]
            if target not in came_from and target in edges:
                came_from[target] = key
                waiting.append(target)
    return []
