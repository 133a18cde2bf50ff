"""Bytes to lines.

Lines are UTF-8, end with `\\n` or `\\r\\n`, and are at most 64 KiB long without their ending. A
line that is longer, is not UTF-8 or holds control characters gives one fault and nothing else.
"""

import re
from collections.abc import Iterator

from .errors import ControlError, PeerError
from .events import ErrorCode

#: The longest line, in bytes, that is read.
MAX_LINE = 64 * 1024

#: What may not stand in a line; a tab may.
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def printable(line: str) -> str:
    """The line without the control characters that would break it or the peer's terminal."""
    return _CONTROL.sub(" ", line)


class LineReader:
    """Cuts a stream of bytes into lines.

    Keeps at most one unfinished line, and of one that is too long nothing: its bytes are dropped as
    they come. Each byte is looked at a fixed number of times, however the stream is cut.
    """

    def __init__(self, limit: int = MAX_LINE) -> None:
        """`limit` is the longest line accepted, in bytes without its ending."""
        self._limit = limit
        self._partial = bytearray()
        self._skipping = False

    def receive(self, data: bytes) -> Iterator[str | PeerError]:
        """The lines that these bytes complete, and the faults, in order; take them all."""
        *complete, rest = data.split(b"\n")
        for piece in complete:
            yield from self._extend(piece)
            yield from self._finish()
        yield from self._extend(rest)

    def receive_eof(self) -> Iterator[str | PeerError]:
        """The last line, where the stream ended without ending it."""
        if self._partial:
            yield from self._finish()

    def _extend(self, piece: bytes) -> Iterator[PeerError]:
        if self._skipping:
            return
        # One byte more than the limit may yet turn out to be the \r of the line's ending.
        if len(self._partial) + len(piece) > self._limit + 1:
            yield self._skip()
        else:
            self._partial += piece

    def _finish(self) -> Iterator[str | PeerError]:
        if self._skipping:
            self._skipping = False
            return
        line = bytes(self._partial).removesuffix(b"\r")
        self._partial.clear()
        yield self._read(line)

    def _skip(self) -> PeerError:
        self._partial.clear()
        self._skipping = True
        return self._too_long()

    def _too_long(self) -> PeerError:
        return PeerError(
            ErrorCode.LINE_TOO_LONG, f"line too long: at most {self._limit} bytes are accepted"
        )

    def _read(self, line: bytes) -> str | PeerError:
        if len(line) > self._limit:
            return self._too_long()
        try:
            text = line.decode()
        except UnicodeDecodeError as error:
            return PeerError(ErrorCode.SYNTAX, f"byte {error.start + 1} of the line is not UTF-8")
        if found := _CONTROL.search(text):
            return ControlError(
                f"character {found.start() + 1} of the line is the control character "
                f"U+{ord(found[0]):04X}: only printable text and tabs are accepted",
                _CONTROL.sub("", text),
            )
        return text
