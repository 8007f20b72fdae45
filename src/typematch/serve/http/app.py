"""The server's addresses: what may be asked, and the status of every answer."""

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
from typematch.serve.http import models
from typematch.serve.http.pages import MOST_IDS, CachedPage, Pages
from typematch.serve.http.problems import problem, status_of
from typematch.serve.http.security import MOST_BYTES, SecurityMiddleware
from typematch.serve.http.worker_pool import OverloadedError, TooSlowError, WorkerPool
from typematch.serve.http.worker_process import ErrorReply

MOST_HITS = 200
_RETRY_AFTER = "1"  # seconds

_SAYS = "signature, words, facets, or a mix"
_Query = Annotated[str, Query(min_length=1, max_length=20_000, description=_SAYS)]
_Name = Annotated[str, Path(max_length=2_000, description="an id, or the end of one")]
_Limit = Annotated[int, Query(ge=1, le=MOST_HITS)]
_Services = Annotated[
    int | None, Query(ge=1, le=100, description="choose so many services first, show no others")
]
# The page's own files are no secret, and have to be there to ask for the token.
_OPEN_TO_ALL = ("/", "/icon.svg", "/docs", "/docs/", "/scripts/", "/styles/")
_WEB = FilePath(__file__).parent.parent / "web"
_PAGED: dict[int | str, dict[str, Any]] = {
    200: {
        "headers": {
            "Link": {
                "description": "the address of the next page, if there is one, with rel=next",
                "schema": {"type": "string"},
            }
        }
    }
}
_PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"model": models.Problem, "description": what}
    for status, what in {
        400: "it cannot be meant so",
        401: "a token is asked for",
        403: "asked by a page from elsewhere",
        404: "there is no such thing",
        413: "the body is too large",
        421: "asked by a name that is none of the server's",
        422: "a parameter is missing or wrong",
        503: "the database cannot be used, or there is too much to do: ask later",
        504: "it took too long and was given up",
    }.items()
}


class HttpRefusedError(Exception):
    """A question that has no answer, for the reason that ``refusal`` gives."""

    def __init__(self, refusal: ErrorReply) -> None:
        super().__init__(refusal)
        self.refusal = refusal


def create_app(workers: WorkerPool, *, hosts: Collection[str], token: str = "") -> FastAPI:
    """Return the application; ``workers`` are closed when it stops."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        workers.close()

    app = FastAPI(
        title="typematch",
        version=__version__,
        summary="Find an API by its type, by its meaning, or by both.",
        docs_url=None,  # its page is a script from elsewhere
        redoc_url=None,
        openapi_url="/api/openapi.json",
        responses=_PROBLEMS,
        lifespan=lifespan,
        dependencies=[Depends(_known_parameters)],
    )
    app.add_middleware(
        SecurityMiddleware,
        hosts=hosts,
        token=token,
        most_bytes=MOST_BYTES,
        open_to_all=_OPEN_TO_ALL,
    )
    _add_problems(app)

    pages = Pages()

    async def ask(question: str, **arguments: Any) -> JSONResponse:
        return _answer(await answer_of(question, arguments))

    async def answer_of(question: str, arguments: Mapping[str, Any]) -> Any:
        found = await workers.ask(question, arguments)
        if isinstance(found, ErrorReply):
            raise HttpRefusedError(found)
        return found

    @app.get(
        "/api/search",
        response_model=models.SearchAnswer,
        operation_id="search",
        responses=_PAGED,
    )
    async def search(
        q: _Query,
        limit: _Limit = 20,
        services: _Services = None,
        facets: Annotated[bool, Query(description="count facets of all that is found")] = False,
    ) -> JSONResponse:
        """The best hits for a query, each with the reason it fits and what it lacks."""
        asked = {"query": q, "limit": limit, "services": services}
        more = {"facets": facets, "most_ids": MOST_IDS}
        document, ids = await answer_of("first_page", {**asked, **more})
        # A query may have a limit of its own.
        shown = max(1, len(document["hits"]))
        return _answer(document, pages.keep(CachedPage(q, shown, services, ids)))

    @app.get(
        "/api/pages/{key}/{start}",
        response_model=models.SearchAnswer,
        operation_id="page",
        responses={**_PAGED, 410: {"model": models.Problem, "description": "search again"}},
    )
    async def page(
        key: Annotated[str, Path(max_length=40)], start: Annotated[int, Path(ge=0, le=MOST_IDS)]
    ) -> JSONResponse:
        """A further page of a search, in the order that it had then, as entries are now."""
        wanted = pages.page(key, start)
        if wanted is None:
            return _problem(410, "these pages are not remembered any more", "Search again.")
        found = wanted.found
        arguments = {"query": found.query, "limit": found.limit, "services": found.services}
        return _answer(await answer_of("page", {**arguments, "ids": wanted.ids}), wanted.further)

    @app.get("/api/entry/{name:path}", response_model=models.EntryAnswer, operation_id="entry")
    async def entry(name: _Name) -> JSONResponse:
        """One entry, by its id or the end of one that means no other."""
        return await ask("entry", name=name)

    @app.get(
        "/api/references/{name:path}",
        response_model=models.ReferencesAnswer,
        operation_id="references",
    )
    async def references(
        name: _Name,
        depth: Annotated[int, Query(ge=1, le=10)] = 3,
        max_tokens: Annotated[int, Query(ge=1, le=50_000)] = 4_000,
    ) -> JSONResponse:
        """What an entry's types refer to, breadth first."""
        return await ask("references", name=name, depth=depth, max_tokens=max_tokens)

    @app.get("/api/facets", response_model=models.FacetsAnswer, operation_id="facets")
    async def facets(
        q: Annotated[str, Query(max_length=20_000, description=_SAYS)] = "",
    ) -> JSONResponse:
        """How what a query finds spreads over the facets' values; everything without one."""
        return await ask("facets", query=q)

    @app.get("/api/stats", response_model=models.StatsAnswer, operation_id="stats")
    async def stats() -> JSONResponse:
        """What the database holds."""
        return await ask("stats")

    @app.post("/api/relate", response_model=models.RelateAnswer, operation_id="relate")
    async def relate(question: models.RelateQuestion) -> JSONResponse:
        """Whether one type may be assigned to a place of another, and why not."""
        return await ask("relate", **question.model_dump())

    @app.post(
        "/api/match",
        response_model=models.MatchAnswer,
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
        name: Annotated[str, Query(max_length=200, description="needed.ts, needed.yaml, ...")],
        limit: _Limit = 5,
    ) -> JSONResponse:
        """Who implements what a document asks for: TypeScript or OpenAPI, as ``name`` says."""
        return await ask("match", name=name, content=await request.body(), limit=limit)

    # Some systems call scripts plain text, and no browser runs that.
    mimetypes.add_type("text/javascript", ".js")
    for folder in ("scripts", "styles", "docs"):
        app.mount(f"/{folder}", StaticFiles(directory=_WEB / folder, html=True), name=folder)

    app.add_route("/", _file("index.html"), include_in_schema=False)
    app.add_route("/icon.svg", _file("icon.svg"), include_in_schema=False)
    return app


def _file(name: str) -> Callable[[Request], Awaitable[Response]]:
    async def answer(_: Request) -> Response:
        return FileResponse(_WEB / name)

    return answer


def _known_parameters(request: Request) -> None:
    """Refuse parameters that the address does not have: a typing error would be ignored."""
    known = {one.alias for one in request.scope["route"].dependant.query_params}
    for name in request.query_params:
        if name not in known:
            takes = ", ".join(sorted(known)) or "none"
            raise HTTPException(422, f"there is no parameter {name[:40]!r} here, but {takes}")


def _answer(document: Any, further: str = "") -> JSONResponse:
    headers = {"Cache-Control": "no-store"}
    if further:
        headers["Link"] = f'<{further}>; rel="next"'
    return JSONResponse(document, headers=headers)


def _add_problems(app: FastAPI) -> None:
    """Give every failure the form of ``models.Problem``."""

    @app.exception_handler(HttpRefusedError)
    async def refused_question(_: Request, error: HttpRefusedError) -> JSONResponse:
        status, refusal = status_of(error.refusal), error.refusal
        said = problem(refusal.what, refusal.where, refusal.hint)
        return JSONResponse(said, status, headers=_later(status))

    @app.exception_handler(OverloadedError)
    async def overloaded(_: Request, __: OverloadedError) -> JSONResponse:
        return _problem(503, "there is too much to do", "Ask again in a second.")

    @app.exception_handler(TooSlowError)
    async def too_slow(_: Request, error: TooSlowError) -> JSONResponse:
        what = f"this took more than {error.seconds:g} seconds and was given up"
        return _problem(504, what, "Ask for less: a package (pkg:NAME), a kind, fewer words.")

    @app.exception_handler(RequestValidationError)
    async def invalid(_: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        return JSONResponse(problem(str(first["msg"]), where), 422)

    @app.exception_handler(HTTPException)
    async def refused(_: Request, error: HTTPException) -> JSONResponse:
        return JSONResponse(problem(str(error.detail)), error.status_code, headers=error.headers)


def _problem(status: int, what: str, hint: str) -> JSONResponse:
    return JSONResponse(problem(what, hint=hint), status, headers=_later(status))


def _later(status: int) -> Mapping[str, str]:
    return {"Retry-After": _RETRY_AFTER} if status == 503 else {}
