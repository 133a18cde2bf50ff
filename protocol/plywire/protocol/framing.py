"""Bytes to lines.

Lines are UTF-8, end with `\\n` or `\\r\\n`, and are at most 64 KiB long without their ending. A
line that is longer, is not UTF-8 or holds control characters gives one fault and nothing else.
"""

from .errors import ControlError, OddLineError
from .messages.base import ErrorCode
from .text import find_control, without_control

#: The longest line, in bytes, that is read.
MAX_LINE = 64 * 1024

#: How much is kept of a line that is too long, in bytes.
_BEGINNING = 1024


class LineReader:
    """Cuts a stream of bytes into lines, one at a time: what is not asked for costs nothing yet.

    Take all lines after each receipt: then at most one unfinished line is kept, and of one that is
    too long nothing. Each byte is looked at a fixed number of times, however the stream is cut.
    """

    def __init__(self, limit: int = MAX_LINE) -> None:
        """`limit` is the longest line accepted, in bytes without its ending."""
        self._limit = limit
        self._received = bytearray()
        self._searched = 0
        """Number of received bytes that contain no line ending."""
        self._skipping = False
        self._eof = False

    def receive(self, data: bytes) -> None:
        """Take the next bytes."""
        self._received += data

    def receive_eof(self) -> None:
        """Take note that no more bytes come: the last line may lack its ending."""
        self._eof = True

    def next_line(self) -> str | OddLineError | None:
        """The next line, or what is wrong with it; None when more bytes must come first."""
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
        # One byte more than the limit may yet turn out to be the \r of the line's ending.
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
        """Drop what is received and not taken yet."""
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
