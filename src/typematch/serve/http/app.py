"""The addresses of the server, with the status of every response."""

from __future__ import annotations

import mimetypes
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping
from contextlib import asynccontextmanager
from pathlib import Path as FilePath
from typing import Annotated, Any

from fastapi import Depends, FastAPI, Path, Query, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException

from typematch import __version__
from typematch.search.present import composition_schema, wire_schema
from typematch.search.present.wire_format import Document
from typematch.serve.http.head_requests import HeadMiddleware
from typematch.serve.http.models import RelateBody, model_of
from typematch.serve.http.openapi import describe_problems_and_security
from typematch.serve.http.pages import MAX_IDS, CachedResult, PageCache
from typematch.serve.http.problems import PROBLEM_TYPE, problem_document, reply_problem
from typematch.serve.http.security import MAX_BODY_BYTES, SecurityMiddleware
from typematch.serve.workers.error_replies import ErrorReply
from typematch.serve.workers.limits import MAX_HITS
from typematch.serve.workers.worker_pool import (
    OverloadedError,
    RequestTimeoutError,
    StartingError,
    WorkerPool,
)

_RETRY_AFTER = "1"  # seconds
MAX_PIPELINES = 20  # of one answer

_SearchDocument = model_of(wire_schema.SearchDocument)
_ProblemDocument = model_of(wire_schema.ProblemDocument)

_QUERY_SYNTAX = "signature, words, facets, or a mix"
_Query = Annotated[str, Query(min_length=1, max_length=20_000, description=_QUERY_SYNTAX)]
_Name = Annotated[str, Path(max_length=2_000, description="an id, or an unambiguous ending of one")]
_Limit = Annotated[int, Query(ge=1, le=MAX_HITS)]
_Services = Annotated[
    int | None, Query(ge=1, le=100, description="show operations of this many best services only")
]
# The files of the web page: it asks the user for the token.
_PUBLIC_PATHS = ("/", "/icon.svg", "/docs", "/docs/", "/scripts/", "/styles/")
_WEB = FilePath(__file__).parent.parent / "web"
_PAGED: dict[int | str, dict[str, Any]] = {
    200: {
        "headers": {
            "Link": {
                "description": "address of the next page with rel=next; absent on the last page",
                "schema": {"type": "string"},
            }
        }
    }
}
_ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"model": _ProblemDocument, "description": what}
    for status, what in {
        400: "the query, type, id or document is invalid",
        401: "a token is required",
        403: "the request comes from a page of another origin",
        404: "there is no such entry or address",
        408: "the request did not arrive in time",
        413: "the body is too large",
        421: "the Host header is not a name of this server",
        422: "a parameter is missing or invalid",
        503: "the database cannot be used, or the server is overloaded; retry later",
        504: "the request took too long",
    }.items()
}


class ErrorReplyError(Exception):
    """A handler answered with an ``ErrorReply``."""

    def __init__(self, reply: ErrorReply) -> None:
        super().__init__(reply)
        self.reply = reply


def create_app(workers: WorkerPool, *, hosts: Collection[str], token: str = "") -> FastAPI:
    """Return the application; it closes ``workers`` when it stops."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        workers.close()

    app = FastAPI(
        title="typematch",
        version=__version__,
        summary="Find an API by its type, by its meaning, or by both.",
        docs_url=None,  # its page loads a script from another host
        redoc_url=None,
        openapi_url="/api/openapi.json",
        responses=_ERRORS,
        lifespan=lifespan,
        dependencies=[Depends(_known_parameters)],
    )
    app.add_middleware(HeadMiddleware)
    app.add_middleware(
        SecurityMiddleware,
        hosts=hosts,
        token=token,
        max_body_bytes=MAX_BODY_BYTES,
        public_paths=_PUBLIC_PATHS,
    )
    _add_error_handlers(app)
    describe_problems_and_security(app, is_token_required=bool(token))

    pages = PageCache()

    async def respond(handler: str, **arguments: Any) -> JSONResponse:
        return _response(await reply_of(handler, arguments))

    async def reply_of(handler: str, arguments: Mapping[str, Any]) -> Any:
        reply = await workers.request(handler, arguments)
        if isinstance(reply, ErrorReply):
            raise ErrorReplyError(reply)
        return reply

    @app.get(
        "/api/search",
        response_model=_SearchDocument,
        operation_id="search",
        responses=_PAGED,
    )
    async def search(
        q: _Query,
        limit: _Limit = 20,
        services: _Services = None,
        facets: Annotated[
            bool, Query(description="count the values of facets in the whole result")
        ] = False,
    ) -> JSONResponse:
        """The best hits for a query, each with its differences from the query."""
        arguments = {"query": q, "limit": limit, "services": services}
        options = {"facets": facets, "max_ids": MAX_IDS}
        document, ids = await reply_of("first_page", {**arguments, **options})
        # The facet limit: of the query overrides the parameter; large hits make a page shorter.
        page_size = max(1, len(document["hits"]))
        return _response(document, pages.add(CachedResult(q, page_size, services, ids)))

    @app.get(
        "/api/pages/{key}/{start}",
        response_model=_SearchDocument,
        operation_id="page",
        responses={**_PAGED, 410: {"model": _ProblemDocument, "description": "search again"}},
    )
    async def page(
        key: Annotated[str, Path(max_length=40)], start: Annotated[int, Path(ge=0, le=MAX_IDS)]
    ) -> JSONResponse:
        """A further page of a search, in its original order; entries are read anew."""
        page = pages.page(key, start)
        if page is None:
            gone = "the pages of this search are no longer cached"
            return _error(410, gone, hint="Search again.")
        result = page.result
        arguments = {"query": result.query, "limit": result.limit, "services": result.services}
        document, used = await reply_of("page", {**arguments, "ids": page.ids})
        return _response(document, page.next_url(used))

    @app.get(
        "/api/entry/{name:path}",
        response_model=model_of(wire_schema.ShowDocument),
        operation_id="entry",
    )
    async def entry(name: _Name) -> JSONResponse:
        """One entry, by its id or an unambiguous ending of one."""
        return await respond("entry", name=name)

    @app.get(
        "/api/references/{name:path}",
        response_model=model_of(wire_schema.ReferencesDocument),
        operation_id="references",
    )
    async def references(
        name: _Name,
        depth: Annotated[int, Query(ge=1, le=10)] = 3,
        max_tokens: Annotated[int, Query(ge=1, le=50_000)] = 4_000,
    ) -> JSONResponse:
        """What an entry's types refer to, breadth first."""
        return await respond("references", name=name, depth=depth, max_tokens=max_tokens)

    @app.get(
        "/api/compose",
        response_model=model_of(composition_schema.ComposeDocument),
        operation_id="compose",
    )
    async def compose(
        q: Annotated[
            str, Query(min_length=1, max_length=20_000, description="a signature, and facets")
        ],
        depth: Annotated[int, Query(ge=2, le=3, description="the most calls of a pipeline")] = 3,
        limit: Annotated[int, Query(ge=1, le=MAX_PIPELINES)] = 5,
    ) -> JSONResponse:
        """Pipelines of two or three calls that together have a signature, the cheapest first."""
        return await respond("compose", query=q, depth=depth, limit=limit)

    @app.get(
        "/api/facets", response_model=model_of(wire_schema.FacetsDocument), operation_id="facets"
    )
    async def facets(
        q: Annotated[str, Query(max_length=20_000, description=_QUERY_SYNTAX)] = "",
    ) -> JSONResponse:
        """Number of entries per facet value in the result of a query, or in the database."""
        return await respond("facets", query=q)

    @app.get(
        "/api/complete",
        response_model=model_of(wire_schema.CompletionsDocument),
        operation_id="complete",
    )
    async def complete(
        q: Annotated[str, Query(max_length=20_000, description="the beginning of a query")],
        limit: _Limit = 8,
    ) -> JSONResponse:
        """Completions of the end of a query: facets, their values, and types."""
        return await respond("complete", query=q, limit=limit)

    @app.get("/api/stats", response_model=model_of(wire_schema.StatsDocument), operation_id="stats")
    async def stats() -> JSONResponse:
        """Counts of what the database contains."""
        return await respond("stats")

    @app.post(
        "/api/relate", response_model=model_of(wire_schema.RelateDocument), operation_id="relate"
    )
    async def relate(body: RelateBody) -> JSONResponse:
        """Whether one type is assignable to another, with the reason if it is not."""
        return await respond("relate", **body.model_dump())

    @app.post(
        "/api/match",
        response_model=model_of(wire_schema.MatchDocument),
        operation_id="match",
        openapi_extra={
            "requestBody": {
                "required": True,
                "content": {"application/octet-stream": {"schema": {"type": "string"}}},
            }
        },
    )
    async def match(
        request: Request,
        name: Annotated[
            str, Query(max_length=200, description="file name, its suffix tells the language")
        ],
        limit: _Limit = 5,
    ) -> JSONResponse:
        """Implementations of the interfaces that a TypeScript or OpenAPI document declares."""
        return await respond("match", name=name, content=await request.body(), limit=limit)

    # Some systems map .js to text/plain, which browsers do not execute.
    mimetypes.add_type("text/javascript", ".js")
    for folder in ("scripts", "styles", "docs"):
        app.mount(f"/{folder}", StaticFiles(directory=_WEB / folder, html=True), name=folder)

    app.add_route("/", _file("index.html"), include_in_schema=False)
    app.add_route("/icon.svg", _file("icon.svg"), include_in_schema=False)
    return app


def _file(name: str) -> Callable[[Request], Awaitable[Response]]:
    async def respond(_: Request) -> Response:
        return FileResponse(_WEB / name)

    return respond


def _known_parameters(request: Request) -> None:
    """Reject unknown query parameters, which FastAPI would ignore: they are typing errors."""
    known = {parameter.alias for parameter in request.scope["route"].dependant.query_params}
    for name in request.query_params:
        if name not in known:
            names = ", ".join(sorted(known)) or "none"
            raise HTTPException(422, f"unknown parameter {name[:40]!r}; known parameters: {names}")


def _response(document: Any, next_url: str = "") -> JSONResponse:
    headers = {"Cache-Control": "no-store"}
    if next_url:
        headers["Link"] = f'<{next_url}>; rel="next"'
    return JSONResponse(document, headers=headers)


def _add_error_handlers(app: FastAPI) -> None:
    """Make a ``ProblemDocument`` the body of every error."""

    @app.exception_handler(ErrorReplyError)
    async def error_reply(_: Request, error: ErrorReplyError) -> JSONResponse:
        return _problem(reply_problem(error.reply))

    @app.exception_handler(OverloadedError)
    async def overloaded(_: Request, error: OverloadedError) -> JSONResponse:
        state = "still starting" if isinstance(error, StartingError) else "overloaded"
        return _error(503, f"the server is {state}", hint="Retry in a second.")

    @app.exception_handler(RequestTimeoutError)
    async def timeout(_: Request, error: RequestTimeoutError) -> JSONResponse:
        what = f"the request took more than {error.seconds:g} seconds"
        hint = "Narrow the query: a package (pkg:NAME), a kind, fewer words."
        return _error(504, what, hint=hint)

    @app.exception_handler(RequestValidationError)
    async def invalid(_: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        return _error(422, str(first["msg"]), where=where)

    @app.exception_handler(HTTPException)
    async def http_error(_: Request, error: HTTPException) -> JSONResponse:
        document = problem_document(error.status_code, str(error.detail))
        return _problem(document, headers=error.headers)


def _error(status: int, detail: str, *, where: str = "", hint: str = "") -> JSONResponse:
    return _problem(problem_document(status, detail, where=where, hint=hint))


def _problem(document: Document, headers: Mapping[str, str] | None = None) -> JSONResponse:
    status = document["status"]
    retry = {"Retry-After": _RETRY_AFTER} if status == 503 else {}
    return JSONResponse(
        document, status, headers={**(headers or {}), **retry}, media_type=PROBLEM_TYPE
    )
