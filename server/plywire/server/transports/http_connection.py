"""Connections that answer every HTTP request, also those that websockets leaves unanswered.

websockets copies a whole response for each client. FileResponse is sent in pieces, as fast as the
client reads, so that slow clients take no memory.
"""

import asyncio
import re
from contextlib import suppress
from http import HTTPStatus

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import InvalidMessage

from .http import FileResponse, text_response

_METHODS = (b"GET", b"HEAD")
_ALLOWED = "GET, HEAD"
#: The end of a request without a body.
_END = b"\r\n\r\n"
#: The method of a request, once it is complete or too long.
_METHOD = re.compile(rb"([^ \n]{0,32})[ \n]|[^ \n]{33}")
#: Bytes of a file that are written before the client reads those before them.
_PIECE = 1 << 16


class HttpConnection(ServerConnection):
    """A connection that answers the first request, even a wrong one.

    websockets closes the connection without an answer after other methods than GET, requests that
    it cannot read, and requests that more bytes follow. This class answers them, and drops the
    bytes that follow. It aborts the connection if no request comes within `request_within` seconds.
    """

    request_within: float
    _start: bytes | None = b""
    """The start of the request, None once its method is known."""
    _last = b""
    """The last bytes of the request so far; its end may begin in them."""
    _is_complete = False
    _is_refused = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._late = self.loop.call_later(self.request_within, self.transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        self._late.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
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
                    refusal = text_response(
                        HTTPStatus.METHOD_NOT_ALLOWED, text, {"Allow": _ALLOWED}
                    )
                    self.protocol.send_response(refusal)
        end = (self._last + data).find(_END)
        self._is_complete = end >= 0
        if self._is_complete:
            self._late.cancel()
        own = end + len(_END) - len(self._last) if self._is_complete else len(data)
        self._last = (self._last + data)[1 - len(_END) :]
        super().data_received(data[:own])
        if own < len(data):
            self.data_received(data[own:])

    async def drain(self) -> None:
        """Wait until the client reads on, and send the rest of a file."""
        await super().drain()
        if isinstance(self.response, FileResponse) and not self.transport.is_closing():
            body = memoryview(self.response.body)
            for start in range(0, len(body), _PIECE):
                self.transport.write(body[start : start + _PIECE])
                await super().drain()
            self.write_end()

    def write_end(self) -> None:
        """Say that nothing more is sent."""
        if self.transport.can_write_eof():
            with suppress(OSError):
                self.transport.write_eof()
        else:
            self.transport.close()

    def refuse_unreadable(self) -> None:
        """Answer a request that cannot be read, before the protocol closes the connection."""
        fault = self.protocol.handshake_exc
        if isinstance(fault, InvalidMessage) and self._last and not self._is_refused:
            self._is_refused = True
            refusal = text_response(
                HTTPStatus.BAD_REQUEST, f"this is no request: {fault.__cause__}"
            )
            self.transport.write(refusal.serialize())
