"""What the WebSocket port answers over plain HTTP: the page, its files, and the server's health."""

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

from websockets.asyncio.server import ServerConnection
from websockets.datastructures import Headers
from websockets.exceptions import InvalidMessage
from websockets.http11 import Request, Response

from .addresses import is_everywhere
from .cards import Card
from .modules import combine

#: The page and all that it loads.
WEB = Path(__file__).parents[1] / "web"

#: Scripts and styles come from files of this server alone, and the browser itself refuses to make
#: HTML from strings. `blob:` is a picture of the board that the page draws, to be saved.
_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' blob:",
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


#: Where the page shows one game of the arena, or one tournament, or an invitation.
_PLACE = re.compile(r"/(game|tournament|invite)/[^/]+(?<!\.png)")

#: What is answered; anything else is refused.
_METHODS = (b"GET", b"HEAD")
_ALLOWED = "GET, HEAD"
#: What ends a request without a body.
_END = b"\r\n\r\n"
#: The method of a request, once it is complete or longer than any.
_METHOD = re.compile(rb"([^ \n]{0,32})[ \n]|[^ \n]{33}")


@dataclass(frozen=True)
class File:
    """A file as it is served."""

    body: bytes
    type: str

    @cached_property
    def tag(self) -> str:
        """Its entity tag, weak as it holds for the compressed body too: RFC 9110, section 8.8.1."""
        return f'W/"{sha256(self.body).hexdigest()[:32]}"'

    @cached_property
    def compressed(self) -> bytes:
        """The body by gzip, the same each time."""
        return gzip.compress(self.body, mtime=0)


def load(folder: Path = WEB) -> Mapping[str, File]:
    """The files of a folder by their URL paths; `/` is `index.html`, `/main.js` all modules."""
    files = {
        f"/{path.relative_to(folder).as_posix()}": File(path.read_bytes(), _type(path))
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
    modules = {path: files.pop(path).body.decode() for path in [*files] if path.endswith(".js")}
    script, source_map = combine(modules, "/main.js")
    files["/"] = files.pop("/index.html")
    files["/main.js"] = File(script.encode(), _TYPES[".js"])
    files["/main.js.map"] = File(source_map.encode(), "application/json")
    return files


class Http:
    """Answers requests, and says who may open a WebSocket.

    A browser says which server a page asks for (`Host`) and where the page is from (`Origin`). Both
    are checked: the owner of a name can have it lead here (DNS rebinding), and to the browser its
    pages are then of the same origin as the server.
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
        """Serve those files, and what `health` and `readiness` return as JSON.

        `/healthz` is always 200. `/readyz` is 200 or 503, as the first value of `readiness` says.
        `host` is where the server listens. `origins` are let in besides the server's own page, and
        their hosts are names of the server; `*` is all. `is_tls` is whether the server itself
        speaks TLS.
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
        """The response to a request that came to a local address; None lets a handshake go on.

        A page has the card in its head; a picture is answered instead of a page.
        """
        hosts, origins = map(request.headers.get_all, ("Host", "Origin"))
        # RFC 9112, section 3.2
        if len(hosts) > 1 or len(origins) > 1 or (not hosts and request.protocol != "HTTP/1.0"):
            return _text(HTTPStatus.BAD_REQUEST, "one Host and at most one Origin are accepted")
        host, origin = "".join(hosts), "".join(origins)
        if host and not self._goes_by(host, local):
            return _text(
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
            return _text(HTTPStatus.FORBIDDEN, "this origin may not open a WebSocket here")
        file = self._files.get(path)
        if file is None and _PLACE.fullmatch(path):
            file = self._files["/"]
            if card is not None:
                tags = card.tags(self._origin_of(host)).encode()
                file = File(file.body.replace(b"</head>", tags + b"</head>", 1), file.type)
        if file is None:
            return _text(HTTPStatus.NOT_FOUND, "there is no such page")
        # Asked for again each time, so that a new version is seen at once, but sent only once.
        extra = {"Cache-Control": "no-cache", "ETag": file.tag, "Vary": "Accept-Encoding"}
        if file.tag in _listed(request, "If-None-Match"):
            return _response(HTTPStatus.NOT_MODIFIED, b"", file.type, extra)
        if "gzip" not in _listed(request, "Accept-Encoding"):
            return _response(HTTPStatus.OK, file.body, file.type, extra)
        extra["Content-Encoding"] = "gzip"
        return _response(HTTPStatus.OK, file.compressed, file.type, extra)

    def _origin_of(self, host: str) -> str:
        """How the page is reached under that `Host`: as the operator says, else as it came."""
        usual = f"http{'s' if self._is_tls else ''}://{host}"
        return next((origin for origin in self._origins if _host(origin) == host), usual)

    def _goes_by(self, host: str, local: str) -> bool:
        """Whether that is how the server, which was reached at a local address, may be called."""
        name = _name(host)
        if "*" in self._origins or (name and name in self._names):
            return True
        try:
            address = ip_address(name)
        except ValueError:
            return False
        # An address leads nowhere else, so where the server listens at all of them any will do,
        # also one of a router that passes on to here.
        return self._is_everywhere or address.is_loopback or address == ip_address(local)

    def _is_welcome(self, origin: str, host: str) -> bool:
        """Whether a page of that origin is the server's own, or one of a chosen origin."""
        if "*" in self._origins or origin in self._origins:
            return True
        return bool(host) and _host(origin) == host


class HttpConnection(ServerConnection):
    """Answers the first request also where websockets merely hangs up.

    That is so for other methods, for requests that cannot be read, such as those with a body, and
    where more follows the request. What follows is dropped, as the response closes the connection.
    """

    _start: bytes | None = b""
    """How the request begins, None once its method is known."""
    _last = b""
    """The last bytes of the request so far, in which its end may begin."""
    _is_complete = False
    """Whether the end of the request has come."""
    _is_refused = False

    def data_received(self, data: bytes) -> None:
        """Take bytes as they come."""
        if self._is_complete:
            if self.request is not None and "upgrade" in self.request.headers:
                super().data_received(data)
            return
        if self._start is not None:
            self._start += data
            if found := _METHOD.match(self._start):
                self._start = None
                if found[1] not in _METHODS:
                    text = f"only {_ALLOWED} are accepted"
                    refusal = _text(HTTPStatus.METHOD_NOT_ALLOWED, text, {"Allow": _ALLOWED})
                    self.protocol.send_response(refusal)
        end = (self._last + data).find(_END)
        self._is_complete = end >= 0
        own = end + len(_END) - len(self._last) if self._is_complete else len(data)
        self._last = (self._last + data)[1 - len(_END) :]
        super().data_received(data[:own])
        if own < len(data):
            self.data_received(data[own:])

    def refuse_unreadable(self) -> None:
        """Answer a request that cannot be read; the protocol is about to hang up on it."""
        fault = self.protocol.handshake_exc
        if isinstance(fault, InvalidMessage) and self._last and not self._is_refused:
            self._is_refused = True
            refusal = _text(HTTPStatus.BAD_REQUEST, f"this is no request: {fault.__cause__}")
            self.transport.write(refusal.serialize())


def _listed(request: Request, field: str) -> list[str]:
    """What a field lists, on one line or several."""
    return [item.strip() for line in request.headers.get_all(field) for item in line.split(",")]


def _name(host: str) -> str:
    """The name or address in a `Host`, without port and brackets; empty if it has none."""
    try:
        return (urlsplit(f"//{host}").hostname or "").removesuffix(".")
    except ValueError:
        return ""


def _host(origin: str) -> str:
    """What a page of that origin says is its server's `Host`."""
    return origin.partition("://")[2]


def _type(path: Path) -> str:
    return _TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "text/plain"


def _json(status: HTTPStatus, value: object) -> Response:
    body = json.dumps(value).encode() + b"\n"
    return _response(status, body, "application/json", {"Cache-Control": "no-store"})


def _text(status: HTTPStatus, text: str, extra: Mapping[str, str] | None = None) -> Response:
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
