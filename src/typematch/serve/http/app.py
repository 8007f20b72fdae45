"""The server's addresses: what may be asked, and the status of every answer."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import asynccontextmanager
from typing import Annotated, Any

from fastapi import FastAPI, Query, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from typematch import __version__
from typematch.serve.http import models
from typematch.serve.http.guard import MOST_BYTES, Guard
from typematch.serve.http.problems import problem, status_of
from typematch.serve.http.worker import Refusal
from typematch.serve.http.workers import OverloadedError, TooSlowError, Workers

MOST_HITS = 200
_RETRY_AFTER = "1"  # seconds

_Query = Annotated[str, Query(max_length=20_000, description="signature, words, facets, or a mix")]
_Limit = Annotated[int, Query(ge=1, le=MOST_HITS)]
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


def create_app(workers: Workers, *, hosts: Collection[str], token: str = "") -> FastAPI:
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
    )
    app.add_middleware(Guard, hosts=hosts, token=token, most_bytes=MOST_BYTES)
    _add_problems(app)

    async def ask(question: str, **arguments: Any) -> JSONResponse:
        found = await workers.ask(question, arguments)
        if isinstance(found, Refusal):
            refused = problem(found.what, found.where, found.hint)
            status = status_of(found)
            return JSONResponse(refused, status, headers=_later(status))
        return JSONResponse(found, headers={"Cache-Control": "no-store"})

    @app.get("/api/search", response_model=models.SearchAnswer, operation_id="search")
    async def search(q: _Query, limit: _Limit = 20) -> JSONResponse:
        """The best hits for a query, each with the reason it fits and what it lacks."""
        return await ask("search", query=q, limit=limit)

    @app.get("/api/entry/{name:path}", response_model=models.EntryAnswer, operation_id="entry")
    async def entry(name: str) -> JSONResponse:
        """One entry, by its id or the end of one that means no other."""
        return await ask("entry", name=name)

    @app.get(
        "/api/references/{name:path}",
        response_model=models.ReferencesAnswer,
        operation_id="references",
    )
    async def references(
        name: str,
        depth: Annotated[int, Query(ge=1, le=10)] = 3,
        max_tokens: Annotated[int, Query(ge=1, le=50_000)] = 4_000,
    ) -> JSONResponse:
        """What an entry's types refer to, breadth first."""
        return await ask("references", name=name, depth=depth, max_tokens=max_tokens)

    @app.get("/api/facets", response_model=models.FacetsAnswer, operation_id="facets")
    async def facets(q: _Query = "") -> JSONResponse:
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

    return app


def _add_problems(app: FastAPI) -> None:
    """Give every failure the form of ``models.Problem``."""

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
