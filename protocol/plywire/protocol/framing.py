"""Cuts bytes into lines.

Lines are UTF-8, end with `\\n` or `\\r\\n`, and have at most 64 KiB without their ending. A line
that is longer, is not UTF-8 or holds control characters gives one fault.
"""

from .errors import ControlError, OddLineError
from .messages.base import ErrorCode
from .text import find_control, without_control

#: Maximum length of a line, in bytes.
MAX_LINE = 64 * 1024

#: If a line is too long, this number of bytes of its beginning is kept for the error.
_BEGINNING = 1024


class LineReader:
    """Cuts a stream of bytes into lines, one at a time, when the caller asks for a line.

    Take all lines after each `receive`: then at most one unfinished line is kept.
    """

    def __init__(self, limit: int = MAX_LINE) -> None:
        """`limit` is the longest accepted line, in bytes without its ending."""
        self._limit = limit
        self._received = bytearray()
        self._searched = 0
        """The number of bytes at the beginning that are known to contain no line ending."""
        self._skipping = False
        self._eof = False

    def receive(self, data: bytes) -> None:
        self._received += data

    def receive_eof(self) -> None:
        """Note that no more bytes come: the last line may lack its ending."""
        self._eof = True

    def next_line(self) -> str | OddLineError | None:
        """Return the next line, or what is wrong with it; None if more bytes must come first."""
        while (end := self._received.find(b"\n", self._searched)) >= 0:
            line = self._received[:end]
            del self._received[: end + 1]
            self._searched = 0
            if not self._skipping:
                return self._read(line)
            self._skipping = False
        self._searched = len(self._received)
        if self._skipping:
            self.clear()
        # A line of the maximum length may end with \r\n, so its \r may follow the limit.
        elif self._searched > self._limit + 1:
            fault = self._too_long(self._received)
            self.clear()
            self._skipping = True
            return fault
        elif self._eof and self._received:
            line = self._received[:]
            self.clear()
            return self._read(line)
        return None

    def clear(self) -> None:
        """Drop the received bytes that no line was made of yet."""
        self._received.clear()
        self._searched = 0

    def _too_long(self, line: bytearray) -> OddLineError:
        return OddLineError(
            ErrorCode.LINE_TOO_LONG,
            f"line too long: at most {self._limit} bytes are accepted",
            line[:_BEGINNING].decode(errors="replace"),
        )

    def _read(self, line: bytearray) -> str | OddLineError:
        line = line.removesuffix(b"\r")
        if len(line) > self._limit:
            return self._too_long(line)
        try:
            text = line.decode()
        except UnicodeDecodeError as error:
            return OddLineError(
                ErrorCode.SYNTAX,
                f"byte {error.start + 1} of the line is not UTF-8",
                line.decode(errors="replace"),
            )
        if (place := find_control(text)) is not None:
            return ControlError(
                f"character {place + 1} of the line is the control character "
                f"U+{ord(text[place]):04X}: only printable text and tabs are accepted",
                text,
                without_control(text),
            )
        return text
