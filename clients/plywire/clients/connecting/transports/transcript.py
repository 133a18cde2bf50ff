"""Keep the last lines of a connection, for error reports."""

import heapq
import itertools
from collections import deque
from collections.abc import Callable, Sequence

from plywire.protocol.text import printable

from .base import ClientTransport

#: Number of last lines that are kept for each direction. They are counted separately, so that a
#: long report of a search does not push out the command that caused it.
_LINES = 8
#: Number of characters that are kept of a longer line.
_LENGTH = 1000


class Transcript(ClientTransport):
    """A transport that remembers the last lines of both sides."""

    def __init__(
        self, transport: ClientTransport, on_line: Callable[[str], None] = lambda line: None
    ) -> None:
        """Wrap a transport; call `on_line` with each received line."""
        self._transport = transport
        self._on_line = on_line
        self._count = itertools.count()
        self._sent: deque[tuple[int, str]] = deque(maxlen=_LINES)
        self._received: deque[tuple[int, str]] = deque(maxlen=_LINES)
        self._unfinished = bytearray()

    @property
    def last_lines(self) -> tuple[str, ...]:
        """Last lines sent (`> …`) and received (`< …`), oldest first; the last may lack its end."""
        lines = [line for _, line in heapq.merge(self._sent, self._received)]
        if self._unfinished:
            lines.append(_shown("<", self._unfinished.decode(errors="replace")))
        return tuple(lines)

    async def read(self) -> bytes:
        data = await self._transport.read()
        *ended, rest = data.split(b"\n")
        for line in ended:
            self._take(line)
            text = self._unfinished.decode(errors="replace").rstrip("\r")
            self._unfinished.clear()
            if text:
                self._received.append((next(self._count), _shown("<", text)))
                self._on_line(text)
        self._take(rest)
        return data

    async def write(self, lines: Sequence[str]) -> None:
        for line in lines:
            self._sent.append((next(self._count), _shown(">", line)))
        await self._transport.write(lines)

    async def close(self) -> None:
        await self._transport.close()

    def _take(self, part: bytes) -> None:
        self._unfinished += part[: 4 * (_LENGTH + 1) - len(self._unfinished)]


def _shown(sign: str, line: str) -> str:
    cut = line if len(line) <= _LENGTH else f"{line[:_LENGTH]}…"
    return f"{sign} {printable(cut)}"
