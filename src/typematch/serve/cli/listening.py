"""Listen on an address, or say who is in the way."""

from __future__ import annotations

import socket

from typematch.errors import OutsideError, UsageError

LOOPBACK = ("127.0.0.1", "localhost", "::1")  # names of this machine that only it can reach


def check_port(port: int) -> None:
    """Raise UsageError unless ``port`` is one; 0 stands for any that is free."""
    if not 0 <= port < 65_536:
        raise UsageError("a port is a number up to 65535", str(port))


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
