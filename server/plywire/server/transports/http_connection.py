"""Connections that answer every HTTP request, also where websockets merely hangs up."""

import re
from http import HTTPStatus

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import InvalidMessage

from .http import text_response

#: The methods that are answered; others are refused.
_METHODS = (b"GET", b"HEAD")
_ALLOWED = "GET, HEAD"
#: The end of a request without a body.
_END = b"\r\n\r\n"
#: The method of a request, once it is complete or longer than any.
_METHOD = re.compile(rb"([^ \n]{0,32})[ \n]|[^ \n]{33}")


class HttpConnection(ServerConnection):
    """Answers the first request.

    websockets hangs up on other methods than GET, on requests that it cannot read, such as those
    with a body, and if more bytes follow the request. Here these requests get a response. It closes
    the connection, so bytes that follow the request are dropped.
    """

    _start: bytes | None = b""
    """The beginning of the request, None once its method is known."""
    _last = b""
    """The last bytes of the request so far, in which its end may begin."""
    _is_complete = False
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
                    refusal = text_response(
                        HTTPStatus.METHOD_NOT_ALLOWED, text, {"Allow": _ALLOWED}
                    )
                    self.protocol.send_response(refusal)
        end = (self._last + data).find(_END)
        self._is_complete = end >= 0
        own = end + len(_END) - len(self._last) if self._is_complete else len(data)
        self._last = (self._last + data)[1 - len(_END) :]
        super().data_received(data[:own])
        if own < len(data):
            self.data_received(data[own:])

    def refuse_unreadable(self) -> None:
        """Answer a request that cannot be read, before the protocol hangs up on it."""
        fault = self.protocol.handshake_exc
        if isinstance(fault, InvalidMessage) and self._last and not self._is_refused:
            self._is_refused = True
            refusal = text_response(
                HTTPStatus.BAD_REQUEST, f"this is no request: {fault.__cause__}"
            )
            self.transport.write(refusal.serialize())
