"""Options and set-up shared by the commands that listen on HTTP."""

from __future__ import annotations

import errno
import ipaddress
import os
import socket
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from typematch.config import Location
from typematch.errors import OutsideError, UsageError
from typematch.serve.cli.arguments import port_number, positive_integer

if TYPE_CHECKING:
    import uvicorn

LOOPBACK = ("127.0.0.1", "localhost", "::1")
TOKEN_VARIABLE = "TYPEMATCH_TOKEN"

# Request line and headers.  Percent-encoding takes up to nine bytes per character of a query.
_MAX_HEADER_BYTES = 256 * 1024
_KEEP_ALIVE_SECONDS = 75  # longer than a user takes between two searches
# asyncio accepts that many connections before their number is checked.
_BACKLOG = 100
_PORT_IN_USE = "Another server may use the port: try another --port, or --port 0 for any free port."


def add_listening_options(parser: ArgumentParser, *, port: int) -> None:
    """Add ``--host``, ``--port`` and ``--workers``; ``port`` is the default port."""
    default_port = "any free port" if port == 0 else str(port)
    parser.add_argument(
        "--host", default=LOOPBACK[0], help=f"address to listen on (default: {LOOPBACK[0]})"
    )
    parser.add_argument(
        "--port",
        type=port_number,
        default=port,
        metavar="N",
        help=f"port (default: {default_port})",
    )
    parser.add_argument(
        "--workers", type=positive_integer, metavar="N", help="number of worker processes"
    )


def accepted_hosts(
    listener: socket.socket, arguments: Namespace, names: Sequence[str]
) -> tuple[str, ...]:
    """Return the names under which requests are accepted, that of the printed address included.

    ``--host`` may be another form of the address (``127.2``), or a name of it.
    """
    return (*LOOPBACK, arguments.host, listener.getsockname()[0], *names)


def run_server(app: Any, listener: socket.socket, on_start: Callable[[str], None]) -> None:
    """Run an ASGI application on a listening socket until Ctrl-C.

    Args:
        on_start: called with the address when everything is imported.  From then on Ctrl-C sets a
            flag instead of raising: an import or a finalizer could swallow the exception.
    """
    import uvicorn

    config = server_config(app)
    config.load()
    server = uvicorn.Server(config)
    with suppress(KeyboardInterrupt), server.capture_signals():
        on_start(address_of(listener))
        server.run(sockets=[listener])


def server_config(app: Any) -> uvicorn.Config:
    """Return the configuration of a server whose connections have limits."""
    import uvicorn

    from typematch.serve.http.connections import BoundedConnection

    return uvicorn.Config(
        app,
        http=BoundedConnection,
        ws="none",
        log_level="warning",
        access_log=False,
        server_header=False,
        backlog=_BACKLOG,
        h11_max_incomplete_event_size=_MAX_HEADER_BYTES,
        timeout_keep_alive=_KEEP_ALIVE_SECONDS,
    )


def warn_without_token(listener: socket.socket, database: Location) -> None:
    """Print a warning if others than this machine can use the server without a token."""
    host = listener.getsockname()[0]
    if not token() and not ipaddress.ip_address(host.partition("%")[0]).is_loopback:
        print(
            f"Warning: the server listens on {host} without a token: whoever reaches this address "
            f"can read {database}.\n"
            f"Set {TOKEN_VARIABLE} to require one, or listen on loopback (--host {LOOPBACK[0]}).",
            file=sys.stderr,
            flush=True,
        )


def token() -> str:
    """Return the bearer token that requests must send; empty if none is required.

    Raises:
        UsageError: it has other characters than those that every client sends alike in a header.
    """
    text = os.environ.get(TOKEN_VARIABLE, "")
    if not (text.isascii() and text.isprintable() and text == text.strip()):
        raise UsageError(
            f"the value of {TOKEN_VARIABLE} cannot be sent in a header",
            hint="Use printable ASCII, without blanks around it.",
        )
    return text


def missing_extra(subject: str, extra: str, error: ImportError) -> OutsideError:
    """Return the error for a server whose optional dependencies are not installed."""
    return OutsideError(
        f"{subject} needs a package that is not installed ({error.name})",
        hint=f"Install it: pip install 'typematch[{extra}]'",
    )


def open_listener(host: str, port: int) -> socket.socket:
    """Return a listening socket.

    Raises:
        OutsideError: the address is not available.
    """
    listener = None
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(128)
    except (OSError, UnicodeError) as error:
        if listener is not None:
            listener.close()
        # UnicodeError is that of a name with an empty part or one of more than 63 characters.
        reason = error.strerror if isinstance(error, OSError) else "this is not a host name"
        is_in_use = isinstance(error, OSError) and error.errno == errno.EADDRINUSE
        raise OutsideError(
            f"cannot listen on this address ({reason})",
            f"{host}:{port}",
            _PORT_IN_USE if is_in_use else "",
        ) from error
    return listener


def address_of(listener: socket.socket) -> str:
    """Return the URL of a listening socket: ``http://127.0.0.1:8737``."""
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
