"""Turn bytes into messages; telnet commands and bytes that are not text are left out."""

import re
from collections.abc import Iterator

from plywire.protocol.errors import ControlError
from plywire.protocol.framing import LineReader

from .messages import Message, read_message

#: Maximum length of a line, in bytes.
_MAX_LINE = 4096
#: Maximum number of lines of a message. A game has fewer than 100; a list of matches may have more.
_MAX_LINES = 400

# A telnet command (RFC 854) begins with the byte IAC. It continues in one of three ways: WILL,
# WONT, DO or DONT with an option; a subnegotiation that ends with IAC SE; or one more byte.
_TELNET = re.compile(rb"\xff(?:[\xfb-\xfe].|\xfa.*?\xff\xf0|[\xf0-\xf9\xff])", re.DOTALL)
#: An unfinished telnet command at the end of the received bytes. A subnegotiation of more than 64
#: bytes is read as text.
_BEGUN = re.compile(rb"\xff(?:[\xfb-\xfe]|\xfa.{0,64})?\Z", re.DOTALL)


class GgsReader:
    """Turns the server's bytes into messages; keeps at most one unfinished message."""

    def __init__(self) -> None:
        self._lines = LineReader(_MAX_LINE)
        self._begun = b""
        self._head: str | None = None
        self._body: list[str] = []

    def receive(self, data: bytes) -> Iterator[str | Message]:
        """Take bytes; yield each line, and each message as soon as its end is known."""
        data = _TELNET.sub(b"", self._begun + data)
        begun = _BEGUN.search(data)
        self._begun = begun[0] if begun else b""
        self._lines.receive(data[: begun.start()] if begun else data)
        while (line := self._lines.next_line()) is not None:
            if isinstance(line, ControlError):
                line = line.printable
            if isinstance(line, str):
                yield from self._take(line)

    def _take(self, line: str) -> Iterator[str | Message]:
        if line.startswith("|"):
            yield line
            if self._head is not None and len(self._body) < _MAX_LINES:
                self._body.append(line[1:])
            return
        if self._head is not None:
            head, body, self._head, self._body = self._head, self._body, None, []
            if (message := read_message(head, body)) is not None:
                yield message
        yield line
        if line.startswith((":", "READY")):  # such a message has only this one line
            if (message := read_message(line)) is not None:
                yield message
        else:
            self._head = line or None
