"""Wire the parts together: a catalog over its file, which is what every interface uses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

from typematch.errors import NoEntryError, UsageError
from typematch.gc_tuning import fewer_collections

if TYPE_CHECKING:
    from typematch.index.store import Stats
    from typematch.index.text.text_views import Enrichment
    from typematch.index.vectors.embedding import Embedder
    from typematch.ingest.run import IndexReport, Progress
    from typematch.ir.entry import Entry
    from typematch.llm.batches import Estimate
    from typematch.llm.claude import Claude
    from typematch.llm.enrich import Enriched
    from typematch.search.call_plan import Discovery
    from typematch.search.present.references import References
    from typematch.search.results import SearchResult
    from typematch.search.score.implementations import InterfaceMatches

_CANDIDATES = 20  # ids listed for an ambiguous suffix


class Catalog:
    """Entries in one file, to be searched.  Close it, or use it in a ``with``.

    Args:
        path: the file; with ``create`` it is made if it is missing.
        cache: the file of what Claude answered and did cost; else in the user's cache folder.

    Raises:
        DatabaseError: the file is missing (without ``create``), no database of ours, of another
            version, or cannot be opened.
    """

    def __init__(
        self, path: str | Path, *, create: bool = True, cache: str | Path | None = None
    ) -> None:
        from typematch.index.sqlite import open_store

        self.path = Path(path)
        self._store = open_store(self.path, create=create)
        self._embedders: dict[str, Embedder] = {}
        self._cache = cache
        self._claude: Claude | None = None

    def __enter__(self) -> Catalog:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._store.close()
        if self._claude is not None:
            self._claude.close()

    def snapshot(self) -> AbstractContextManager[None]:
        """Return a context in which all that is read is of one moment of the file.

        Each call is by itself; this is for several that belong together.  Others may write
        meanwhile, this catalog may not.
        """
        return self._store.snapshot()

    def add(
        self,
        *paths: str | Path,
        progress: Progress | None = None,
        model: str | None = "",
        keep: Sequence[str] = (),
    ) -> IndexReport:
        """Index packages, projects, folders, files, ``npm:name@version``; keep what did not change.

        Args:
            keep: what stays in the texts of documents: ``blobs``, ``html``, ``marks``, ``links``,
                ``headers``, ``errors``, ``examples``; it is taken out otherwise.
            model: embeds their texts: empty for the one that the file has vectors of, or else the
                one bundled with typematch; None for none, so that a later run makes the vectors.

        Raises:
            UsageError: there is nothing to index, or nothing so called to keep.
            EmbeddingError: there is no such ``model``.
            SourceError: a path does not exist, or nothing to index was found.
            DatabaseError: the file cannot be written.
        """
        from typematch.ingest.run import run

        if not paths:
            raise UsageError(
                "there is nothing to index", hint="Name a folder, a package or a file."
            )
        if model:
            self._embedder(model)  # what was asked for by name must be there
        embedder = None if model is None else lambda: self._embedder(model)
        named = [str(path) for path in paths]
        return run(named, self._store, progress, embedder=embedder, keep=keep)

    def search(
        self,
        query: str,
        *,
        limit: int | None = 20,
        services: int | None = None,
        count_facets: bool = False,
        only: Sequence[str] | None = None,
        select: bool = False,
        expand: bool = False,
        rerank: bool = False,
        seconds: float | Callable[[], float] | None = None,
    ) -> SearchResult:
        """Return the best ``limit`` hits for a query, or all with None.

        ``select`` has Claude choose the packages that are searched, ``expand`` say the request in
        other words, ``rerank`` judge the first hits.  Where it cannot, the answer is what it is
        without, and a notice says why.

        Args:
            limit: a ``limit:`` in the query counts more.
            services: choose so many services first, those whose operations do best for a request in
                prose, and then show operations of these alone.
            count_facets: fill ``facets`` of the result.
            only: a page of the ``ids`` of an earlier result for the same: the hits are these in
                this order, whatever has been indexed since.
            seconds: how long to go on comparing types: what was found by then is the answer, and a
                notice says so; None has no end.  A function is asked again and again.

        Raises:
            QuerySyntaxError: the query cannot be read; the message shows where.
            UsageError: ``seconds`` is less than no time.
        """
        from typematch.search.llm_protocols import NONE
        from typematch.search.pipeline import search

        stages = NONE
        if select or expand or rerank:
            stages = self._open_claude().stages(select=select, expand=expand, rerank=rerank)
        with self.snapshot(), fewer_collections():
            return search(
                query,
                self._store,
                limit=limit,
                open_embedder=self._embedder,
                services=services,
                count_facets=count_facets,
                only=only,
                stages=stages,
                seconds=seconds,
            )

    def enrich(
        self,
        query: str = "",
        *,
        confirm: Callable[[Estimate], bool] | None = None,
        batch: bool = True,
        progress: Progress | None = None,
    ) -> Enriched:
        """Have Claude say of entries what they are for, and index that beside their own texts.

        Args:
            query: what it finds is enriched, ``pkg:lodash kind:method``; else everything, in both
                cases as far as a package exports it, the language's own library left out.
            confirm: is asked once, with what it will cost; else nobody is.
            batch: half the price and done within a day; else at once.

        Raises:
            QuerySyntaxError: the query cannot be read.
            ClaudeError: nothing could be asked, or the budget does not allow it.
        """
        from typematch.ingest.run import embed_waiting
        from typematch.llm.enrich import enrich, worth_enriching
        from typematch.search.present.facet_counts import chosen

        report = progress or (lambda *_: None)
        done = enrich(
            self._store,
            self._open_claude().gateway(),
            lambda: worth_enriching(chosen(query, self._store, self._embedder)),
            confirm=confirm or (lambda _: True),
            batch=batch,
            progress=lambda count, total: report("answers", count, total, "answers"),
        )
        if done.written and self._store.model() is not None:
            embed_waiting(self._store, lambda: self._embedder(""), progress)
        return done

    def discover(self, request: str) -> Discovery:
        """Have Claude plan which entries serve a request together, and in which order.

        Where it cannot, the plan is empty and has the hits of a plain search; its report says why.
        """
        from typematch.llm.discover import REFERENCE_TOKENS, Library

        library = Library(
            self._store,
            lambda query, limit: self.search(query, limit=limit),
            lambda name: self.references(name, max_tokens=REFERENCE_TOKENS),
        )
        return self._open_claude().discover(request, library)

    def _open_claude(self) -> Claude:
        from typematch.llm.claude import Claude

        if self._claude is None:
            self._claude = Claude(self._cache)
        return self._claude

    def _embedder(self, model: str) -> Embedder:
        """Open a model once; empty means that of the file, or else the bundled one."""
        from typematch.index.vectors.embedding import open_embedder

        stored = self._store.model()
        named = model or (stored.name if stored is not None else "")
        if named not in self._embedders:
            self._embedders[named] = open_embedder(named)
        return self._embedders[named]

    def get(self, id_or_suffix: str) -> Entry:
        """Return the entry of that id, or the only one whose id ends so.

        Raises:
            NoEntryError: there is none.
            UsageError: there are several; the message lists them.
        """
        with self.snapshot():
            found = self._store.find(id_or_suffix, limit=_CANDIDATES + 1)
            if len(found) == 1:
                return self._store.entries([self._store.numbers(found)[found[0]]])[0]
        if not found:
            raise NoEntryError(id_or_suffix)
        listed = [f"  {name}" for name in found[:_CANDIDATES]]
        more = ["  ..."] if len(found) > _CANDIDATES else []
        raise UsageError(
            f"{id_or_suffix!r} may be any of these:\n" + "\n".join([*listed, *more]),
            hint="Give enough of the id to mean one.",
        )

    def declaration(self, entry: Entry) -> str:
        """Return the declaration of an entry as TypeScript: all overloads, or all members."""
        from typematch.search.present.declaration_text import declaration_text

        with self.snapshot():
            return declaration_text(entry, self._store)

    def told(self, entry: Entry) -> Enrichment:
        """Return what a model said of an entry; empty where none was asked."""
        with self.snapshot():
            return self._store.told(self._store.numbers([entry.id])[entry.id])

    def references(
        self, id_or_suffix: str, *, depth: int | None = 3, max_tokens: int | None = 4_000
    ) -> References:
        """Return what an entry's types refer to, breadth first, within ``depth`` steps (None: all).

        Args:
            max_tokens: of all texts together; None for no bound.  ``left_out`` counts the others.

        Raises:
            UsageError: there is no such entry, or there are several.
        """
        from typematch.search.present.references import references

        with self.snapshot():
            entry = self.get(id_or_suffix)
            return references(entry, self._store, depth=depth, max_tokens=max_tokens)

    def entries(self, package: str | None = None) -> Iterator[Entry]:
        """Yield every entry, or those of one package, in order of id."""
        return self._store.all_entries(package)

    def facets(self, query: str = "") -> Mapping[str, Mapping[str, int]]:
        """Count the values of each facet among the entries that a query finds; all without one.

        Raises:
            QuerySyntaxError: the query cannot be read.
        """
        from typematch.search.present.facet_counts import facets

        with self.snapshot(), fewer_collections():
            return facets(query, self._store, open_embedder=self._embedder)

    def match(self, document: str | Path, *, limit: int = 10) -> tuple[InterfaceMatches, ...]:
        """Return who implements what a document asks for, for each of its interfaces.

        Args:
            document: a file of TypeScript (its interfaces, classes and functions) or an OpenAPI
                document (its operations).
            limit: implementations of each interface.

        Raises:
            SourceError: it cannot be read, or nothing in it has a method.
        """
        from typematch.search.score.implementations import implementations
        from typematch.type_api import needed_of

        needed = needed_of(Path(document))
        with self.snapshot(), fewer_collections():
            return tuple(implementations(one, self._store, limit=limit) for one in needed)

    def complete(self, query: str, *, limit: int = 50) -> tuple[str, ...]:
        """Return how a query may go on: its last word completed, a facet's key or its value."""
        from typematch.search.present.completion import query_completions

        return query_completions(query, self._store, limit=limit)

    def complete_id(self, beginning: str, *, limit: int = 50) -> tuple[str, ...]:
        """Return names that mean one entry, then ids, that begin so."""
        return tuple(self._store.ids_beginning(beginning, limit))

    def stats(self) -> Stats:
        with self.snapshot():
            return self._store.stats()

    def remove(self, package: str) -> int:
        """Forget a package; return how many entries went."""
        return self._store.remove(package)

    def export(self, path: str | Path) -> None:
        """Write a compact copy to ``path``.

        Raises:
            UsageError: there is something at ``path`` already.
        """
        target = Path(path)
        if target.exists():
            raise UsageError(
                "there is a file here already", str(target), "Name another, or remove it."
            )
        self._store.export(target)


def open(path: str | Path = "typematch.db", *, create: bool = True) -> Catalog:  # noqa: A001
    """Return the catalog in the file ``path``; see ``Catalog``."""
    return Catalog(path, create=create)
