"""A local server that answers every request with the same bytes; for ``fuzz_inputs.py replies``."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


class ReplyServer:
    """The running server; ``reply_with`` sets its answer."""

    def __init__(self) -> None:
        self.body = b""
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                self.rfile.read(int(self.headers.get("content-length", 0)))
                self.send_response(200)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(server.body)))
                self.end_headers()
                self.wfile.write(server.body)

            def do_GET(self) -> None:
                self.do_POST()

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)

    def __enter__(self) -> ReplyServer:
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def reply_with(self, body: bytes) -> None:
        self.body = body

    def environment(self, folder: Path) -> Mapping[str, str]:
        """Return the settings with which requests come here, and nothing is cached elsewhere."""
        return {
            "ANTHROPIC_API_KEY": "sk-ant-test",
            "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{self._server.server_address[1]}",
            "XDG_CACHE_HOME": str(folder / "cache"),
        }
