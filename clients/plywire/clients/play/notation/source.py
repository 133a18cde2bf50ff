"""A text with line and column numbers for errors."""

import re
from bisect import bisect_right
from functools import cached_property
from typing import Literal

#: Maximum length of a text, in bytes before decoding and in characters after it.
MOST = 256 << 20

#: The kinds of error, in this order: no text, unknown notation, broken notation, illegal move,
#: impossible position, unknown player to move, another game, and too long a text.
Kind = Literal["empty", "unknown", "format", "move", "position", "turn", "game", "large"]

_SPACES = re.compile("[\t\f\v\u00a0\u2000-\u200b\u202f\u3000\ufeff]")


class NotationError(ValueError):
    """A text that is not understood; the message begins with line and column."""

    def __init__(self, kind: Kind, line: int, column: int, said: str, at: int = 0) -> None:
        """Describe an error at a line and column, from 1; reading continues at character `at`."""
        super().__init__(f"line {line}, column {column}: {said}")
        self.kind: Kind = kind
        self.line = line
        self.column = column
        self.said = said
        self.at = at
        #: Whether a reader of a file of many games may leave out this game and go on.
        self.can_skip = False

    def moved(self, lines: int) -> "NotationError":
        error = NotationError(self.kind, self.line + lines, self.column, self.said, self.at)
        error.can_skip = self.can_skip
        return error


class Source:
    """A text with blanks and line feeds as its only white space."""

    def __init__(self, text: str) -> None:
        """Normalise white space; drop a byte order mark and carriage returns."""
        text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
        self.text = _SPACES.sub(" ", text)

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(found.end() for found in re.finditer("\n", self.text))]

    def error(self, kind: Kind, at: int, said: str, resume: int | None = None) -> NotationError:
        """Return an error at a place; reading continues at `resume`, by default at the place."""
        number = bisect_right(self._starts, at)
        column = at - self._starts[number - 1] + 1
        return NotationError(kind, number, column, said, at if resume is None else resume)

    def line_end(self, at: int) -> int:
        end = self.text.find("\n", at)
        return len(self.text) if end < 0 else end

    def begins_line(self, at: int) -> bool:
        return not self.text[self.text.rfind("\n", 0, at) + 1 : at].strip()


def shorten(text: str) -> str:
    """Quote the start of a text for a message, on one line."""
    line = text.partition("\n")[0]
    return repr(f"{line[:20]}…" if len(line) > 20 else line)
