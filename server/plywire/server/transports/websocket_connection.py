"""WebSocket connections that limit the work and the memory that a client can cause.

The library limits neither answers to pings that nobody reads, nor the bytes that it parses without
a pause, nor the connections in an opening handshake.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence

from websockets.asyncio.server import Server
from websockets.frames import DATA_OPCODES, CloseCode, Frame
from websockets.protocol import OPEN, Event
from websockets.server import ServerProtocol

from plywire.server.rate_limit import TokenBucket
from plywire.server.settings import Settings

from .http import FileResponse
from .http_connection import HttpConnection

log = logging.getLogger(__name__)

#: The most bytes parsed at once: 170 of the smallest frames, which take some milliseconds.
_CHUNK = 1 << 10
#: Seconds for closing, before the connection is aborted.
CLOSE_WITHIN = 1.0


class Handshakes:
    """Connections without a session; if there are too many, the oldest is aborted."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._pending: dict[GuardedConnection, None] = {}

    def __len__(self) -> int:
        return len(self._pending)

    def began(self, connection: GuardedConnection) -> None:
        self._pending[connection] = None
        if len(self._pending) > self._most:
            oldest = next(iter(self._pending))
            self.ended(oldest)
            oldest.transport.abort()
            log.debug("cut client=%s reason=too-many-handshakes", oldest.remote_address)

    def ended(self, connection: GuardedConnection) -> None:
        self._pending.pop(connection, None)


class GuardedConnection(HttpConnection, asyncio.BufferedProtocol):
    """A connection with limits of frames and of unread pongs.

    It counts control frames and fragments; the client's loop counts whole messages.
    """

    def __init__(
        self,
        protocol: ServerProtocol,
        server: Server,
        *,
        settings: Settings,
        handshakes: Handshakes,
        request_within: float,
        **options: object,
    ) -> None:
        """Wait `request_within` seconds for a request; pass `options` to the library."""
        super().__init__(protocol, server, **options)  # type: ignore[arg-type]
        self._max_unsent = settings.max_unsent
        self._rate = settings.messages_per_second
        self._frames = TokenBucket(self._rate, settings.message_burst, self.loop.time())
        self._handshakes = handshakes
        self.request_within = request_within
        self._chunk = bytearray(_CHUNK)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._handshakes.began(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self._handshakes.ended(self)
        super().connection_lost(exc)

    def get_buffer(self, sizehint: int) -> bytearray:
        """Return the buffer for the next bytes; its size limits one read."""
        return self._chunk

    def buffer_updated(self, nbytes: int) -> None:
        self.data_received(bytes(self._chunk[:nbytes]))
        if self.transport.get_write_buffer_size() > self._max_unsent:
            self._hang_up("reads too slowly")

    def process_event(self, event: Event) -> None:
        is_part = isinstance(event, Frame) and not (event.opcode in DATA_OPCODES and event.fin)
        if is_part and not self._frames.take(self.loop.time()):
            self._hang_up(f"too many control frames: {self._rate:g} a second are accepted")
        super().process_event(event)

    def send_frames(self, lines: Sequence[str]) -> None:
        """Send each line as a frame without waiting; raises OSError if the connection is closed."""
        if self.protocol.state is not OPEN:
            raise ConnectionResetError("the other end closed the connection")
        for line in lines:
            self.protocol.send_text(line.encode())
        self.send_data()

    def send_data(self) -> None:
        """Write everything at once, because many pongs may wait."""
        self.refuse_unreadable()
        data = self.protocol.data_to_send()
        if self.transport.is_closing():
            return
        if any(data):
            self.transport.write(b"".join(data))
        # The body of a file follows this data.
        if data and not data[-1] and not isinstance(self.response, FileResponse):
            self.write_end()

    def _hang_up(self, reason: str) -> None:
        """Close the connection with a reason; abort it if the client does not answer."""
        if self.protocol.state is OPEN:
            log.info("closed client=websocket:%s:%d reason=%r", *self.remote_address[:2], reason)
            self.protocol.fail(CloseCode.POLICY_VIOLATION, reason)
            self.send_data()
            self.loop.call_later(CLOSE_WITHIN, self.transport.abort)
