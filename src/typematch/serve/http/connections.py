"""Connections with limits: a client that sends or reads too slowly holds nothing for long.

uvicorn has no limit for the time in which a request arrives.  Bodies are limited by
``SecurityMiddleware``.
"""

from __future__ import annotations

import asyncio
from typing import Any, cast

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from typematch.serve.http.problems import PROBLEM_TYPE, problem_bytes


class BoundedConnection(H11Protocol):
    """A connection of uvicorn with limits; tests set lower ones in a subclass.

    Attributes:
        head_seconds: time for the request line and headers, and until the first request.
        send_seconds: time in which a client must read what fills the buffer of its response.
        max_connections: of the process; above it, the one that has waited longest is closed.  Each
            takes a file descriptor, of which a process often has 1,024.
    """

    head_seconds = 10.0
    send_seconds = 30.0
    max_connections = 400

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._head_timer: asyncio.TimerHandle | None = None
        self._send_timer: asyncio.TimerHandle | None = None
        self._waiting_since = self.loop.time()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if len(self.connections) > self.max_connections:
            self._close_longest_waiting()
        self._update_head_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._stop_head_timer()
        self._stop_send_timer()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._update_head_timer()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._waiting_since = self.loop.time()
        self._update_head_timer()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._send_timer = self.loop.call_later(self.send_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._stop_send_timer()

    @property
    def _is_waiting(self) -> bool:
        """Whether no whole request is being answered."""
        cycle = self._last_cycle
        return cycle is None or cycle.response_complete or cycle.more_body

    @property
    def _last_cycle(self) -> RequestResponseCycle | None:
        return cast("RequestResponseCycle | None", self.cycle)  # None before the first request

    @property
    def _has_partial_head(self) -> bool:
        return self.conn.their_state is h11.IDLE and bool(self.conn.trailing_data[0])

    def _close_longest_waiting(self) -> None:
        waiting = [
            connection
            for connection in self.connections
            if isinstance(connection, BoundedConnection) and connection._is_waiting
        ]
        longest = min(waiting, key=lambda connection: connection._waiting_since)
        longest.connections.discard(longest)  # now, not when its loss is reported
        longest.transport.abort()

    def _update_head_timer(self) -> None:
        """Run the timer while a head is due; a client that sends slowly does not restart it."""
        is_due = self._last_cycle is None or self._has_partial_head
        if not is_due or self.transport.is_closing():
            self._stop_head_timer()
        elif self._head_timer is None:
            self._head_timer = self.loop.call_later(self.head_seconds, self._head_is_late)

    def _head_is_late(self) -> None:
        if self.transport.is_closing():
            return
        if self._has_partial_head:
            what = f"the request did not arrive within {self.head_seconds:g} seconds"
            body = problem_bytes(408, what)
            head = (
                f"HTTP/1.1 408 Request Timeout\r\nContent-Type: {PROBLEM_TYPE}\r\n"
                f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
            )
            self.transport.write(head.encode() + body)
        self.transport.close()

    def _stop_head_timer(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    def _stop_send_timer(self) -> None:
        if self._send_timer is not None:
            self._send_timer.cancel()
            self._send_timer = None
