"""The declarations that the types of an entry refer to: breadth first, within a token budget.

Declarations of the language itself (``Promise``, ``Map``) are named and not followed.  All other
declarations of the catalog are, in any file and package.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count

from typematch.index.store import Store
from typematch.ir.declaration import Declaration, is_global
from typematch.ir.entry import Entry
from typematch.ir.intern import InternedNode, children
from typematch.ir.render import plain_name, render
from typematch.ir.types import Named, Reference, Type
from typematch.package_names import LIBRARY
from typematch.search.present.declaration_text import declaration_text
from typematch.token_count import count_tokens

_STANDARD_PACKAGES = frozenset((LIBRARY, "typescript"))  # they declare the globals of the language
# The ``declaration`` of these entries is their own; that of other entries is their container.
_DECLARING_KINDS = frozenset(
    ("interface", "class", "alias", "enum", "schema", "service", "function", "const")
)


@dataclass(frozen=True, slots=True)
class ReferencedDeclaration:
    """A declaration that an entry refers to.

    Attributes:
        id: id of its entry; its declaration key if it has no entry.
        referenced_by: id of the entry or declaration that refers to it first.
        depth: number of references from the entry, at least 1.
        text: the declaration as TypeScript.
        tokens: of ``text``, estimated by ``count_tokens``.
    """

    id: str
    name: str
    kind: str
    package: str
    path: str
    line: int
    referenced_by: str
    depth: int
    text: str
    tokens: int


@dataclass(frozen=True, slots=True)
class References:
    """What an entry refers to, with the limits that applied.

    Attributes:
        text: the entry's own declaration.
        declarations: breadth first.
        missing: (name, id of the entry that refers to it) for names without a declaration.
        cycles: the names along each cycle, with the first one repeated at the end.
        standard: names declared by the language, sorted.
        tokens: of ``text`` and ``declarations`` together.
        omitted: number of declarations within ``depth`` that exceed ``max_tokens``.
        beyond_depth: number of declarations one step beyond ``depth``.
    """

    entry: Entry
    text: str
    declarations: tuple[ReferencedDeclaration, ...] = ()
    missing: tuple[tuple[str, str], ...] = ()
    cycles: tuple[tuple[str, ...], ...] = ()
    standard: tuple[str, ...] = ()
    tokens: int = 0
    max_tokens: int | None = None
    depth: int | None = 0
    omitted: int = 0
    beyond_depth: int = 0


def references(
    entry: Entry,
    store: Store,
    *,
    depth: int | None = 3,
    max_tokens: int | None = 4_000,
) -> References:
    """Return the declarations that ``entry`` refers to within ``depth`` steps; None is no limit.

    ``max_tokens`` limits all texts together; None is no limit.  The entry's own declaration is
    always included.  A declaration that does not fit is omitted, a smaller one after it may fit.
    """
    graph = _ReferenceGraph(entry, store, depth)
    text = declaration_text(entry, store)
    tokens = count_tokens(text)
    fitting: list[ReferencedDeclaration] = []
    omitted = 0
    for declaration in graph.declarations():
        if max_tokens is not None and tokens + declaration.tokens > max_tokens:
            omitted += 1
            continue
        tokens += declaration.tokens
        fitting.append(declaration)
    return References(
        entry=entry,
        text=text,
        declarations=tuple(fitting),
        missing=tuple(graph.missing.items()),
        cycles=tuple(_cycles(graph.edges)),
        standard=tuple(sorted(graph.standard)),
        tokens=tokens,
        max_tokens=max_tokens,
        depth=depth,
        omitted=omitted,
        beyond_depth=len(graph.beyond_depth),
    )


class _ReferenceGraph:
    """The declarations reachable from an entry, found by breadth-first search.

    Attributes:
        edges: declaration key -> keys that it refers to, without those of the language.
        missing: name without a declaration -> id of the first entry that refers to it.
        beyond_depth: keys one step beyond the depth.
    """

    def __init__(self, entry: Entry, store: Store, depth: int | None) -> None:
        self._store = store
        self._entry = entry
        self.edges: dict[str, tuple[str, ...]] = {}
        self.missing: dict[str, str] = {}
        self.standard: set[str] = set()
        self.beyond_depth: set[str] = set()
        self._depths: dict[str, int] = {}
        self._referenced_by: dict[str, str] = {}
        self._declarations: dict[str, Declaration] = {}
        self._entries: dict[str, Entry] = {}
        self._search(depth)

    def _search(self, max_depth: int | None) -> None:
        own = self._entry.declaration if self._entry.kind in _DECLARING_KINDS else ""
        declaration = self._store.get(own) if own else None
        # The type of a type entry is a reference to itself; follow its declaration instead.
        types = types_of(declaration) if declaration and not self._entry.signatures else None
        if types is None:
            types = types_of_entry(self._entry)
        self._depths[own] = 0
        level = self._add_edges(own, self._entry.id, [*types])
        for depth in count(1) if max_depth is None else range(1, max_depth + 1):
            if not level:
                break
            next_level: list[str] = []
            for key in level:
                if key in self._depths:
                    continue
                self._depths[key] = depth
                id_ = self._entries[key].id if key in self._entries else key
                next_level += self._add_edges(key, id_, [*types_of(self._declarations[key])])
            level = next_level
        self.beyond_depth = set(level) - self._depths.keys()

    def _add_edges(self, key: str, id_: str, types: Sequence[Type]) -> list[str]:
        """Record what ``types`` of the declaration ``key`` refer to; return the keys to follow."""
        names = list(dict.fromkeys(name for type_ in types for name in references_in(type_)))
        targets = [name.target for name in names if isinstance(name, Reference)]
        self._load(targets)
        for name in names:
            if isinstance(name, Named):
                self.missing.setdefault(".".join(name.path) or str(name.module), id_)
            elif name.target not in self._declarations:
                self.missing.setdefault(plain_name(name.target), id_)
        declared = [target for target in dict.fromkeys(targets) if target in self._declarations]
        followed = [target for target in declared if not self._is_standard(target)]
        self.standard.update(plain_name(key) for key in set(declared).difference(followed))
        self.edges[key] = tuple(followed)
        for target in followed:
            self._referenced_by.setdefault(target, id_)
        return followed

    def _load(self, keys: Iterable[str]) -> None:
        """Read declarations and their entries from the store."""
        new = [key for key in dict.fromkeys(keys) if key not in self._declarations]
        for key in new:
            declaration = self._store.get(key)
            if declaration is not None:
                self._declarations[key] = declaration
        numbers = self._store.entries_declaring([key for key in new if key in self._declarations])
        entries = self._store.entries(list(numbers.values()))
        self._entries.update(zip(numbers, entries, strict=True))

    def _is_standard(self, key: str) -> bool:
        """Return whether a declaration belongs to the language itself."""
        if not is_global(key):
            return False
        entry = self._entries.get(key)
        return entry is None or entry.package in _STANDARD_PACKAGES

    def declarations(self) -> Iterator[ReferencedDeclaration]:
        """Yield the declarations found, breadth first, without that of the entry itself."""
        for key, depth in self._depths.items():
            if not depth:
                continue
            entry, declaration = self._entries.get(key), self._declarations[key]
            if entry is not None:
                text = declaration_text(entry, self._store)
            else:
                text = _text_without_entry(declaration)
            yield ReferencedDeclaration(
                id=entry.id if entry else key,
                name=entry.name if entry else declaration.name,
                kind=entry.kind if entry else declaration.kind,
                package=entry.package if entry else "",
                path=entry.path if entry else "",
                line=entry.line if entry else 0,
                referenced_by=self._referenced_by[key],
                depth=depth,
                text=text,
                tokens=count_tokens(text),
            )


def types_of_entry(entry: Entry) -> Iterator[Type]:
    """Yield the types of an entry's signatures, and its own."""
    yield from (signature.type for signature in entry.signatures)
    if entry.type is not None:
        yield entry.type


def types_of(declaration: Declaration) -> Iterator[Type]:
    """Yield the types that a declaration is written with."""
    if declaration.type is not None:
        yield declaration.type
    yield from declaration.extends
    # The static side of a class is not part of its instances.
    if declaration.value is not None and declaration.type is None:
        yield declaration.value
    for parameter in declaration.type_parameters:
        bounds = (parameter.constraint, parameter.default)
        yield from (bound for bound in bounds if bound is not None)


def references_in(type_: InternedNode) -> Iterator[Reference | Named]:
    """Yield the names in a type, resolved and not."""
    queue = deque([type_])
    seen: set[InternedNode] = set()
    while queue:
        node = queue.popleft()
        if node in seen:
            continue
        seen.add(node)
        if isinstance(node, Reference | Named):
            yield node
        queue.extend(children(node))


def _text_without_entry(declaration: Declaration) -> str:
    type_ = declaration.type or declaration.value
    body = render(type_, names=(declaration.type_parameter_names,)) if type_ else "unknown"
    return f"{declaration.kind} {declaration.name}: {body}"


def _cycles(edges: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, ...]]:
    """Yield the shortest cycle through each declaration that is on none yielded before."""
    covered: set[str] = set()
    for start in edges:
        if start in covered:
            continue
        path = _shortest_cycle(start, edges)
        if path:
            covered.update(path)
            yield tuple(plain_name(key) for key in (*path, start))


def _shortest_cycle(start: str, edges: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the keys from ``start`` along the shortest path back to it; empty without a cycle."""
    predecessors: dict[str, str] = {}
    queue = deque([start])
    while queue:
        key = queue.popleft()
        for target in edges.get(key, ()):
            if target == start:
                path = [key]
                while path[-1] != start:
                    path.append(predecessors[path[-1]])
                return path[::-1]
            if target not in predecessors and target in edges:
                predecessors[target] = key
                queue.append(target)
    return []
