"""Bytes to messages: telnet's own commands are left out, and whatever else is no text."""

import re
from collections.abc import Iterator

from plywire.protocol.errors import ControlError
from plywire.protocol.framing import LineReader

from .messages import Message, read_message

#: The longest line, in bytes, that is read.
_MAX_LINE = 4096
#: The most lines that a message may have: one of a game has fewer than a hundred, lists of matches
#: may have more.
_MAX_LINES = 400

# RFC 854: IAC, then WILL, WONT, DO or DONT with an option, a subnegotiation up to IAC SE, or one
# more byte.
_TELNET = re.compile(rb"\xff(?:[\xfb-\xfe].|\xfa.*?\xff\xf0|[\xf0-\xf9\xff])", re.DOTALL)
#: Begun and not at its end; a longer subnegotiation is taken to be none.
_BEGUN = re.compile(rb"\xff(?:[\xfb-\xfe]|\xfa.{0,64})?\Z", re.DOTALL)


class GgsReader:
    """Makes messages of what the server sends; keeps at most one that is unfinished."""

    def __init__(self) -> None:
        self._lines = LineReader(_MAX_LINE)
        self._begun = b""
        self._head: str | None = None
        self._body: list[str] = []

    def receive(self, data: bytes) -> Iterator[str | Message]:
        """Take the next bytes; yields each line, and each message before the line after its last.

        What is one line by itself, such as a prompt, comes as a message at once.
        """
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
        if line.startswith((":", "READY")):  # nothing continues these
            if (message := read_message(line)) is not None:
                yield message
        else:
            self._head = line or None
