"""What the WebSocket port answers over plain HTTP: the page, its files, and the server's health."""

from __future__ import annotations

import json
import mimetypes
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from http import HTTPStatus
from pathlib import Path
from urllib.parse import urlsplit

from websockets.datastructures import Headers, MultipleValuesError
from websockets.http11 import Request, Response

#: The page and all that it loads.
WEB = Path(__file__).parent / "web"

#: Scripts and styles come from files of this server alone, and the browser itself refuses to make
#: HTML from strings.
_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    )
)

_SECURITY = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}

#: Not left to the machine, which may map them otherwise.
_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}


@dataclass(frozen=True)
class File:
    """A file as it is served."""

    body: bytes
    type: str

    @cached_property
    def tag(self) -> str:
        """Its entity tag: another one when the content is another."""
        return f'"{sha256(self.body).hexdigest()[:32]}"'


def load(folder: Path = WEB) -> Mapping[str, File]:
    """The files of a folder by their URL paths; `/` is `index.html`."""
    files = {
        f"/{path.relative_to(folder).as_posix()}": File(path.read_bytes(), _type(path))
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
    return {"/" if path == "/index.html" else path: file for path, file in files.items()}


class Http:
    """Answers requests, and says who may open a WebSocket."""

    def __init__(
        self, files: Mapping[str, File], origins: Sequence[str], health: Callable[[], object]
    ) -> None:
        """Serve those files, and what `health` returns as JSON at `/healthz`.

        `origins` are let in besides the server's own page; `*` is all.
        """
        self._files = files
        self._origins = frozenset(origins)
        self._health = health

    def answer(self, request: Request) -> Response | None:
        """The response, None to a WebSocket handshake that may go on."""
        path = request.path.partition("?")[0]
        if path == "/healthz":
            body = json.dumps(self._health()).encode() + b"\n"
            return _response(HTTPStatus.OK, body, "application/json")
        if "upgrade" in request.headers:
            if self._is_welcome(request.headers):
                return None
            return _text(HTTPStatus.FORBIDDEN, "this origin may not open a WebSocket here")
        file = self._files.get(path)
        if file is None:
            return _text(HTTPStatus.NOT_FOUND, "there is no such page")
        # Asked for again each time, so that a new version is seen at once, but sent only once.
        extra = {"Cache-Control": "no-cache", "ETag": file.tag}
        if file.tag in request.headers.get("If-None-Match", ""):
            return _response(HTTPStatus.NOT_MODIFIED, b"", file.type, extra)
        return _response(HTTPStatus.OK, file.body, file.type, extra)

    def _is_welcome(self, headers: Headers) -> bool:
        """Whether the peer is no web page, the server's own, or one of a chosen origin."""
        try:
            origin = headers.get("Origin")
            host = headers.get("Host")
        except MultipleValuesError:
            return False
        if origin is None or "*" in self._origins or origin in self._origins:
            return True
        return host is not None and urlsplit(origin).netloc == host


def _type(path: Path) -> str:
    return _TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "text/plain"


def _text(status: HTTPStatus, text: str) -> Response:
    return _response(status, f"{text}\n".encode(), "text/plain; charset=utf-8")


def _response(
    status: HTTPStatus, body: bytes, kind: str, extra: Mapping[str, str] | None = None
) -> Response:
    fields = {"Content-Type": kind, "Content-Length": str(len(body)), "Connection": "close"}
    return Response(
        status.value, status.phrase, Headers({**fields, **_SECURITY, **(extra or {})}), body
    )
