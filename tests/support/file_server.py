"""A plain file server, as any web host is: no header fields of ours, and folders at any path."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


class FileServer:
    """A running server, until `stop` cuts it off."""

    def __init__(self, folder: Path) -> None:
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=folder))
        self._thread = Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})
        self._thread.start()
        self.websocket_address: tuple[str, int] = ("127.0.0.1", self._server.server_port)
        """Where it listens, by the name that `visit` expects."""
        self.origin = f"http://127.0.0.1:{self._server.server_port}"

    def stop(self) -> None:
        if self._thread.is_alive():
            self._server.shutdown()
            self._thread.join()
            self._server.server_close()


@contextmanager
def file_server(folder: Path) -> Iterator[FileServer]:
    server = FileServer(folder)
    try:
        yield server
    finally:
        server.stop()
