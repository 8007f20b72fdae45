"""What the verbs that answer over HTTP share: their options, the address, who is in the way."""

from __future__ import annotations

import os
import socket
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from typematch.errors import OutsideError, UsageError

LOOPBACK = ("127.0.0.1", "localhost", "::1")  # names of this machine that only it can reach
TOKEN = "TYPEMATCH_TOKEN"

# Bytes of a request without its body: the longest query takes nine for a character.
_MOST_HEAD = 256 * 1024
_KEPT_OPEN = 75  # seconds that a connection may be idle: a person reads, then types again


def add_listening_options(made: ArgumentParser, *, port: int) -> None:
    """Add where to listen and how many processes answer; ``port`` is the one without an option."""
    made.add_argument("--host", default=LOOPBACK[0], help="the address to listen on")
    made.add_argument("--port", type=int, default=port, metavar="N", help=f"the port, {port}")
    made.add_argument("--workers", type=int, metavar="N", help="processes that answer")


def workers_of(arguments: Namespace, *, default: int) -> int:
    """Return how many processes answer.

    Raises:
        UsageError: an option makes no sense; port 0 stands for any that is free.
    """
    if not 0 <= arguments.port < 65_536:
        raise UsageError("a port is a number up to 65535", str(arguments.port))
    number = default if arguments.workers is None else arguments.workers
    if number < 1:
        raise UsageError("--workers must be more than nothing")
    return number


def answer(app: Any, listening: socket.socket, begun: Callable[[str], None]) -> None:
    """Answer with an ASGI application on a socket that listens, until Ctrl-C ends it.

    Args:
        begun: is told the address.  All that answering needs is loaded then, and Ctrl-C is only
            noted from then on: where it raised an error, whatever ran just then, an import or a
            finalizer, might take it for one of its own, and it would be lost.
    """
    import uvicorn

    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        h11_max_incomplete_event_size=_MOST_HEAD,
        timeout_keep_alive=_KEPT_OPEN,
    )
    config.load()
    server = uvicorn.Server(config)
    with suppress(KeyboardInterrupt), server.capture_signals():
        begun(address_of(listening))
        server.run(sockets=[listening])


def token() -> str:
    """Return what every request has to bring; empty where none has to."""
    return os.environ.get(TOKEN, "")


def missing(what: str, extra: str, error: ImportError) -> OutsideError:
    """Return the error for a server whose packages were left out at installation."""
    return OutsideError(
        f"{what} needs a package that is not installed ({error.name})",
        hint=f"Install it: pip install 'typematch[{extra}]'",
    )


def listening_socket(host: str, port: int) -> socket.socket:
    """Return a socket that listens.

    Raises:
        OutsideError: the address is another's, or taken.
    """
    made = None
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        made = socket.socket(family, kind, protocol)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind(address)
        made.listen(128)
    except OSError as error:
        if made is not None:
            made.close()
        raise OutsideError(
            f"cannot listen there ({error.strerror})",
            f"{host}:{port}",
            "Another server may have the port: try --port with another number, or 0 for any.",
        ) from error
    return made


def address_of(listening: socket.socket) -> str:
    """Return the address that a client is given: ``http://127.0.0.1:8737``."""
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
