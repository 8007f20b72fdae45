"""``Catalog``: the one object that command line, servers and Python callers use."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from typematch.config import Location, location_of
from typematch.errors import UsageError
from typematch.gc_tuning import relaxed_gc
from typematch.ir.literals import encodable

if TYPE_CHECKING:
    from typematch.compose.model import Composition
    from typematch.index.engines.engine import Waiting
    from typematch.index.store import Stats
    from typematch.index.text.text_fields import Enrichment
    from typematch.index.vectors.embedding import Embedder
    from typematch.ingest.run import IndexReport, Progress
    from typematch.ir.entry import Entry
    from typematch.llm.batches import Estimate
    from typematch.llm.claude import Claude
    from typematch.llm.enrich import EnrichmentReport
    from typematch.match.verdict import Verdict
    from typematch.search.call_plan import Discovery
    from typematch.search.present.references import References
    from typematch.search.results import Hit, SearchResult
    from typematch.search.retrieve.implementations import InterfaceMatches


class Catalog:
    """An index, to be searched and updated.  Close it, or use it in a ``with``.

    While a catalog is open, the thresholds of Python's garbage collector are raised: a search
    leaves many types in caches, and collecting after each one takes up to a fifth of its time.

    Args:
        path: a file, or ``postgresql://user@host/db``; with ``create`` a missing one is created.
        cache: the file of Claude's cached answers and costs; by default in the user's cache folder.
        waiting: called with (what another process writes, seconds so far) while a write of this
            catalog waits for it; may raise to give up.

    Raises:
        DatabaseError: the file is missing (without ``create``), is no typematch database or of
            another version, or cannot be opened.
    """

    def __init__(
        self,
        path: str | Location,
        *,
        create: bool = True,
        cache: str | Path | None = None,
        waiting: Waiting | None = None,
    ) -> None:
        from typematch.index.sql_store import open_store
        from typematch.index.vectors.open_embedders import OpenEmbedders

        self.path = location_of(path)
        self._store = open_store(self.path, create=create, waiting=waiting)
        self._relaxed_gc = ExitStack()
        self._relaxed_gc.enter_context(relaxed_gc())
        self._embedders = OpenEmbedders()
        self._cache = cache
        self._claude: Claude | None = None

    def __enter__(self) -> Catalog:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._relaxed_gc.close()
        self._store.close()
        if self._claude is not None:
            self._claude.close()

    def snapshot(self) -> AbstractContextManager[None]:
        """Return a context in which every read sees the same state of the file.

        A search has a snapshot of its own; use this for several calls that belong together.  Other
        processes may write meanwhile, this catalog may not.
        """
        return self._store.snapshot()

    @contextmanager
    def _comparing(self) -> Iterator[None]:
        """A snapshot in which types are compared; ``limits_as_errors`` applies."""
        from typematch.search.score.limit_errors import limits_as_errors

        with limits_as_errors(), self.snapshot():
            yield

    def add(
        self,
        *paths: str | Path,
        progress: Progress | None = None,
        model: str | None = "",
        keep: Sequence[str] = (),
        infer: str = "off",
        jobs: int = 1,
    ) -> IndexReport:
        """Index packages, projects, folders, files or ``npm:name@version``; only changes are read.

        Args:
            keep: parts of documents that are not removed from their texts: ``blobs``, ``html``,
                ``markup``, ``links``, ``headers``, ``errors``, ``examples``.
            infer: whether the TypeScript of a project infers what its code does not annotate:
                ``off``, ``auto`` (where it is installed) or ``tsc`` (else an error).
            model: of the vectors.  Empty: that of the file, for a new file that of
                TYPEMATCH_EMBEDDING_MODEL or the bundled one.  None: no vectors in this run.
            jobs: processes to work in, at most; see ``docs/cli.md``.

        Raises:
            UsageError: no path was given, or an argument is invalid.
            EmbeddingError: there is no such ``model``.
            SourceError: a path does not exist, or nothing to index was found.
            DatabaseError: the file cannot be written.
        """
        from typematch.ingest.run import run

        if not paths:
            raise UsageError("there is nothing to index", hint="Name a folder, package or file.")
        if model:
            self._embedder(model)  # raise now if a model requested by name cannot be opened
        embedder = None if model is None else lambda: self._embedder(model)
        return run(
            paths, self._store, progress, embedder=embedder, keep=keep, infer=infer, jobs=jobs
        )

    def search(
        self,
        query: str,
        *,
        limit: int | None = 20,
        max_limit: int | None = None,
        page: int = 1,
        services: int | None = None,
        count_facets: bool = False,
        only: Sequence[str] | None = None,
        select: bool = False,
        expand: bool = False,
        rerank: bool = False,
        seconds: float | Callable[[], float] | None = None,
    ) -> SearchResult:
        """Return the best ``limit`` hits for a query, or all with None.

        Args:
            limit: maximum number of hits; a ``limit:`` facet in the query overrides it.
            max_limit: the largest ``limit:`` of a query; above it, a notice says so.
            page: 2 for the next ``limit`` hits, and so on; only the first page is reranked.
            services: for a request in prose, first choose this many services by their operations,
                then return operations of these only.
            count_facets: fill ``facets`` of the result.
            only: some ``ids`` of an earlier result for the same query: the hits are these, in this
                order, whatever was indexed since.
            select, expand, rerank: have Claude choose the packages to search, rephrase the request,
                grade the first hits.  If that fails, a notice has the reason.
            seconds: time limit for comparing types; then the hits found so far are returned with a
                notice.  None: 10 CPU seconds, 1.5 for sentences and very large types, none for all
                hits.  A function is asked again.

        Raises:
            QuerySyntaxError: the query cannot be parsed; the message shows the position.
            UsageError: ``limit`` or ``seconds`` is negative, ``page`` is not positive, or a
                ``like:`` names no entry or several.
        """
        from typematch.search.llm_protocols import NO_STAGES
        from typematch.search.pipeline import search

        stages = NO_STAGES
        if select or expand or rerank:
            stages = self._open_claude().stages(select=select, expand=expand, rerank=rerank)
        with self._comparing():
            return search(
                encodable(query),
                self._store,
                limit=limit,
                max_limit=max_limit,
                page=page,
                open_embedder=self._embedders.stored,
                services=services,
                count_facets=count_facets,
                only=only,
                stages=stages,
                seconds=seconds,
            )

    def adapt(self, query: str, id_or_suffix: str) -> Hit | None:
        """Return the match of one entry with a query's signature; None if it does not fit.

        ``adapter`` of the hit is the code; None if the edits do not say how to call the entry.

        Raises:
            QuerySyntaxError: the query cannot be parsed.
            NoEntryError: there is no such entry.
            UsageError: the query has no signature, or there are several entries.
        """
        from typematch.search.adaptation import adapt_entry

        with self._comparing():
            return adapt_entry(encodable(query), self.get(id_or_suffix).id, self._store)

    def compose(self, query: str, *, depth: int = 3, limit: int = 5) -> Composition:
        """Return the cheapest pipelines of two to ``depth`` calls that have a query's signature.

        Raises:
            QuerySyntaxError: the query cannot be parsed.
            UsageError: the query has no signature that says enough, or a number is out of range.
        """
        from typematch.compose.compose import compose

        with self._comparing():
            return compose(encodable(query), self._store, depth=depth, limit=limit)

    def enrich(
        self,
        query: str = "",
        *,
        confirm: Callable[[Estimate], bool] | None = None,
        batch: bool = True,
        progress: Progress | None = None,
    ) -> EnrichmentReport:
        """Have Claude describe the purpose of entries, and index that beside their own texts.

        Args:
            query: selects entries (``pkg:lodash``); empty for all exported ones of packages.
            confirm: called once with the estimated cost; nothing is sent if it returns False.
            batch: half the price, done within a day; else one request at a time, at once.

        Raises:
            QuerySyntaxError: the query cannot be parsed.
            ClaudeError: no request could be sent, or the budget does not allow it.
        """
        from typematch.ingest.run import finish_enrichment
        from typematch.llm.enrich import enrich, enrichable
        from typematch.search.query_selection import query_selection

        report = progress or (lambda *_: None)
        done = enrich(
            self._store,
            self._open_claude().gateway(),
            lambda: enrichable(
                # Requests are paid for: no entries that the query does not name.
                query_selection(
                    encodable(query), self._store, self._embedders.stored, may_relax=False
                )
            ),
            confirm=confirm or (lambda _: True),
            batch=batch,
            progress=lambda count, total: report("answers", count, total, "answers"),
        )
        if not done.skipped:
            finish_enrichment(self._store, lambda: self._embedder(""), progress)
        return done

    def discover(self, request: str) -> Discovery:
        """Have Claude plan which entries serve a request together, and in which order.

        On failure the plan is empty, with the hits of a plain search; its report has the reason.
        """
        from typematch.llm.discover import REFERENCE_TOKENS, CatalogTools

        library = CatalogTools(
            self._store,
            lambda query, limit: self.search(query, limit=limit),
            lambda name: self.references(name, max_tokens=REFERENCE_TOKENS),
        )
        return self._open_claude().discover(request, library)

    def _open_claude(self) -> Claude:
        from typematch.llm.claude import Claude

        self._claude = self._claude or Claude(self._cache)
        return self._claude

    def _embedder(self, model: str) -> Embedder:
        """Return the model that the caller names; empty: that of the file, if it has vectors."""
        stored = None if model else self._store.model()
        return self._embedders.named(model) if stored is None else self._embedders.stored(stored)

    def get(self, id_or_suffix: str) -> Entry:
        """Return the entry of that id, or the only entry whose id has that suffix.

        Raises:
            NoEntryError: there is none.
            UsageError: there are several; the message lists them.
        """
        from typematch.index.entries.entry_lookup import find_entry

        return find_entry(id_or_suffix, self._store)

    def declaration(self, entry: Entry) -> str:
        """Return the declaration of an entry as TypeScript: all overloads, or all members."""
        from typematch.search.present.declaration_text import declaration_text

        with self.snapshot():
            return declaration_text(entry, self._store)

    def doc_links(self, entry: Entry) -> dict[str, str]:
        """Return the ids of the entries that the documentation of an entry names, by name."""
        from typematch.search.present.doc_links import doc_links

        return doc_links(entry, self._store)

    def type_ids(self, entry: Entry) -> Mapping[str, str]:
        """Return the names of types in an entry's declaration -> ids of the entries they mean."""
        from typematch.search.present.type_links import declared_type_ids

        return declared_type_ids(entry, self._store)

    def enrichment(self, entry: Entry) -> Enrichment:
        """Return the texts that a model wrote about an entry; empty if there are none."""
        with self.snapshot():
            return self._store.enrichment(self._store.entry_numbers([entry.id])[entry.id])

    def references(
        self, id_or_suffix: str, *, depth: int | None = 3, max_tokens: int | None = 4_000
    ) -> References:
        """Return what an entry's types refer to, breadth first, within ``depth`` steps (None: all).

        ``max_tokens`` limits all texts; ``omitted`` counts the declarations beyond it.  Raises as
        ``get``.
        """
        from typematch.search.present.references import references

        with self.snapshot():
            entry = self.get(id_or_suffix)
            return references(entry, self._store, depth=depth, max_tokens=max_tokens)

    def entries(self, package: str | None = None) -> Iterator[Entry]:
        """Yield every entry, or those of one package, in order of id."""
        return self._store.all_entries(package and encodable(package))

    def facets(
        self, query: str = "", *, seconds: float | Callable[[], float] | None = None
    ) -> Mapping[str, Mapping[str, int]]:
        """Return by facet the counts of its values in the hits of a query; empty: in all entries.

        Args:
            seconds: time limit for comparing types, after which the hits so far count.  None: that
                of a search for a page.

        Raises:
            QuerySyntaxError: the query cannot be parsed.
        """
        from typematch.search.present.facet_counts import count_facets
        from typematch.search.query_selection import query_selection

        with self._comparing():
            selection = query_selection(
                encodable(query),
                self._store,
                self._embedders.stored,
                seconds=seconds,
                is_page=True,
            )
            return count_facets(selection, self._store)

    def match(self, document: str | Path, *, limit: int = 10) -> tuple[InterfaceMatches, ...]:
        """Return the implementations of each interface in a document.

        Args:
            document: a file of TypeScript, or an OpenAPI document (its operations).
            limit: maximum number of implementations of each interface.

        Raises:
            SourceError: the document cannot be read, or nothing in it has a method.
        """
        from typematch.search.retrieve.implementations import find_implementations
        from typematch.type_api import read_required_interfaces

        with self._comparing():
            interfaces = read_required_interfaces(Path(document), self._store)
            return tuple(
                find_implementations(item, self._store, limit=limit) for item in interfaces
            )

    def relate(self, source: str, target: str, declarations: str = "") -> Verdict:
        """Return whether ``source`` is assignable to ``target``, as ``typematch.relate`` does.

        Other names than those of ``declarations`` mean types of this catalog.

        Raises:
            TypeSyntaxError: ``source`` or ``target`` is not a type.
        """
        from typematch.type_api import relate_indexed

        with self.snapshot():
            return relate_indexed(source, target, declarations, self._store)

    def complete(self, query: str, *, limit: int = 50) -> tuple[str, ...]:
        """Return completions of a query that ends in the beginning of a facet, value or type."""
        from typematch.search.present.completion import query_completions

        return query_completions(encodable(query), self._store, limit=limit)

    def complete_id(self, beginning: str, *, limit: int = 50) -> tuple[str, ...]:
        """Return the names of exactly one entry, then the ids, that begin so."""
        return tuple(self._store.ids_beginning(encodable(beginning), limit))

    def stats(self) -> Stats:
        with self.snapshot():
            return self._store.stats()

    def remove(self, package: str) -> int:
        """Delete a package; return the number of entries deleted."""
        with self._store.writing((encodable(package),)) as writer:
            return writer.remove_package(encodable(package))

    def export(self, path: str | Location, *, shard: str = "") -> int:
        """Write a compact copy to a file or server; return its bytes.  Nothing is overwritten.

        Args:
            shard: "1/4" for the first of four parts of the catalog; empty for all of it.
        """
        return self._store.export(location_of(path), shard)


def open(path: str | Location = "typematch.db", *, create: bool = True) -> Catalog:  # noqa: A001
    """Return the catalog at ``path``; see ``Catalog``."""
    return Catalog(path, create=create)
