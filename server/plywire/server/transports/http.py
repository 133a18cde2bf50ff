"""HTTP on the port of the page: the page, its files, and the server's health."""

import gzip
import json
import mimetypes
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from email.utils import formatdate
from functools import cached_property
from hashlib import sha256
from http import HTTPStatus
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from .addresses import is_everywhere
from .cards import Card
from .modules import combine

WEB = Path(__file__).parents[1] / "web"

#: Modules that are scripts of their own, each with all that it imports: the page, and its engine.
SCRIPTS = ("/main.js", "/engine/worker.js")

#: The browser loads scripts and styles only from this server's files, and makes no HTML from
#: strings. `blob:` allows the picture of the board that the page draws for saving. The engine in
#: the page is WebAssembly, and `plywire-engine` is the page's policy that names its worker.
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self' 'wasm-unsafe-eval'",
        "worker-src 'self'",
        "style-src 'self'",
        "img-src 'self' blob:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types plywire-engine",
    )
)

#: The two policies of other origins let the page share memory with its engine.
_SECURITY = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
    "Cross-Origin-Resource-Policy": "same-origin",
}

#: Types of files. The machine's own table may differ.
_TYPES = {
    ".bin": "application/octet-stream",
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".wasm": "application/wasm",
}

#: Types whose files are compressed already.
_PACKED = {_TYPES[".bin"]}

#: Names with a hash of the content. Another content has another name.
_LASTING = re.compile(r"/.*-[0-9a-f]{16}\.\w+")

#: Addresses at which the page shows a game of the arena, a tournament or an invitation.
_PLACE = re.compile(r"/(game|tournament|invite)/[^/]+(?<!\.png)")


@dataclass(frozen=True)
class File:
    """A file that the server sends."""

    body: bytes
    type: str

    @cached_property
    def tag(self) -> str:
        """The entity tag. It is weak, because the compressed body shares it (RFC 9110, 8.8.1)."""
        return f'W/"{sha256(self.body).hexdigest()[:32]}"'

    @cached_property
    def compressed(self) -> bytes:
        return gzip.compress(self.body, mtime=0)


class FileResponse(Response):
    """A response whose body `HttpConnection` sends after all that is serialised."""

    def serialize(self) -> bytes:
        return Response(self.status_code, self.reason_phrase, self.headers).serialize()


def load(folder: Path = WEB) -> Mapping[str, File]:
    """Read a folder's files by URL path; `/` is `index.html`, and SCRIPTS have all modules."""
    files = {
        f"/{path.relative_to(folder).as_posix()}": File(path.read_bytes(), _type(path))
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
    modules = {path: files.pop(path).body.decode() for path in [*files] if path.endswith(".js")}
    for first in SCRIPTS:
        script, source_map = combine(modules, first)
        files[first] = File(script.encode(), _TYPES[".js"])
        files[f"{first}.map"] = File(source_map.encode(), "application/json")
    files["/"] = files.pop("/index.html")
    return files


class Http:
    """Answers requests, and decides who may open a WebSocket.

    It checks `Host` and `Origin` against DNS rebinding: if a stranger's name points to this server,
    a browser takes the stranger's pages for pages of this server.
    """

    def __init__(
        self,
        files: Mapping[str, File],
        host: str,
        origins: Sequence[str],
        health: Callable[[], object],
        readiness: Callable[[], tuple[bool, object]],
        *,
        is_tls: bool = False,
    ) -> None:
        """Serve files, and the results of `health` and `readiness` as JSON.

        `/healthz` always has status 200. `/readyz` has 200 or 503, by the first value of
        `readiness`. Pages of `origins` may open a WebSocket, and their hosts are names of the
        server; `*` is every origin.
        """
        self._is_tls = is_tls
        self._files = files
        self._origins = frozenset(origins)
        self._names = {"localhost", host.lower(), *(_name(_host(origin)) for origin in origins)}
        self._is_everywhere = is_everywhere(host)
        self._health = health
        self._readiness = readiness

    def answer(
        self, request: Request, local: str, card: Card | None = None, picture: bytes | None = None
    ) -> Response | None:
        """Answer a request at the address `local`, or return None to continue a handshake.

        The card goes into the head of a page. A picture replaces the page.
        """
        hosts, origins = map(request.headers.get_all, ("Host", "Origin"))
        # RFC 9112, section 3.2
        if len(hosts) > 1 or len(origins) > 1 or (not hosts and request.protocol != "HTTP/1.0"):
            return text_response(
                HTTPStatus.BAD_REQUEST, "one Host and at most one Origin are accepted"
            )
        host, origin = "".join(hosts), "".join(origins)
        if host and not self._goes_by(host, local):
            return text_response(
                HTTPStatus.MISDIRECTED_REQUEST,
                "the server does not go by that name: --origins lets it, such as https://NAME",
            )
        if picture is not None and "upgrade" not in request.headers:
            response: Response | None = _response(HTTPStatus.OK, picture, "image/png")
        else:
            response = self._answer(request, host, origin, card)
        if response is not None and request.method == "HEAD":
            response.body = b""
        return response

    def _answer(
        self, request: Request, host: str, origin: str, card: Card | None
    ) -> Response | None:
        path = request.path.partition("?")[0]
        if path == "/healthz":
            return _json(HTTPStatus.OK, self._health())
        if path == "/readyz":
            is_ready, said = self._readiness()
            return _json(HTTPStatus.OK if is_ready else HTTPStatus.SERVICE_UNAVAILABLE, said)
        if "upgrade" in request.headers:
            if not origin or self._is_welcome(origin, host):
                return None
            return text_response(HTTPStatus.FORBIDDEN, "this origin may not open a WebSocket here")
        file = self._files.get(path)
        if file is None and _PLACE.fullmatch(path):
            file = self._files["/"]
            if card is not None:
                tags = card.tags(self._origin_of(host)).encode()
                file = File(file.body.replace(b"</head>", tags + b"</head>", 1), file.type)
        if file is None:
            return text_response(HTTPStatus.NOT_FOUND, "there is no such page")
        # The browser must ask each time for other files, so that it finds a new version at once.
        lasting = "public, max-age=31536000, immutable"
        caching = lasting if _LASTING.fullmatch(path) else "no-cache"
        extra = {"Cache-Control": caching, "ETag": file.tag, "Vary": "Accept-Encoding"}
        if file.tag in _listed(request, "If-None-Match"):
            return _response(HTTPStatus.NOT_MODIFIED, b"", file.type, extra)
        body = file.body
        if file.type not in _PACKED and "gzip" in _listed(request, "Accept-Encoding"):
            extra["Content-Encoding"] = "gzip"
            body = file.compressed
        whole = _response(HTTPStatus.OK, body, file.type, extra)
        return FileResponse(whole.status_code, whole.reason_phrase, whole.headers, body)

    def _origin_of(self, host: str) -> str:
        """Return the page's origin under a `Host`: from the settings, else from the request."""
        usual = f"http{'s' if self._is_tls else ''}://{host}"
        return next((origin for origin in self._origins if _host(origin) == host), usual)

    def _goes_by(self, host: str, local: str) -> bool:
        """Return whether a `Host` names this server, which received the request at `local`."""
        name = _name(host)
        if "*" in self._origins or (name and name in self._names):
            return True
        try:
            address = ip_address(name)
        except ValueError:
            return False
        # Nobody can let an IP address point elsewhere. So a server that listens everywhere accepts
        # any address, also a router's.
        return self._is_everywhere or address.is_loopback or address == ip_address(local)

    def _is_welcome(self, origin: str, host: str) -> bool:
        """Return whether an origin is the server's own, or one in the settings."""
        if "*" in self._origins or origin in self._origins:
            return True
        return bool(host) and _host(origin) == host


def _listed(request: Request, field: str) -> list[str]:
    """Return the items of a list field, which may be on several lines."""
    return [item.strip() for line in request.headers.get_all(field) for item in line.split(",")]


def _name(host: str) -> str:
    """Return the name or address in a `Host`, without port and brackets; "" if there is none."""
    try:
        return (urlsplit(f"//{host}").hostname or "").removesuffix(".")
    except ValueError:
        return ""


def _host(origin: str) -> str:
    """Return the `Host` that pages of an origin send to their own server."""
    return origin.partition("://")[2]


def _type(path: Path) -> str:
    return _TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "text/plain"


def _json(status: HTTPStatus, value: object) -> Response:
    body = json.dumps(value).encode() + b"\n"
    return _response(status, body, "application/json", {"Cache-Control": "no-store"})


def text_response(
    status: HTTPStatus, text: str, extra: Mapping[str, str] | None = None
) -> Response:
    """Make a response of one line of text, with extra header fields."""
    return _response(status, f"{text}\n".encode(), "text/plain; charset=utf-8", extra)


def _response(
    status: HTTPStatus, body: bytes, kind: str, extra: Mapping[str, str] | None = None
) -> Response:
    fields = {
        "Date": formatdate(usegmt=True),
        "Content-Type": kind,
        "Content-Length": str(len(body)),
        "Connection": "close",
    }
    return Response(
        status.value, status.phrase, Headers({**fields, **_SECURITY, **(extra or {})}), body
    )
