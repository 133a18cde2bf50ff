"""The text that is read, and what is said of a place in it that is not understood."""

import re
from bisect import bisect_right
from functools import cached_property
from typing import Literal

#: Longer texts are refused, in bytes or characters.
MOST = 256 << 20

#: What is wrong: nothing to read; a text of no known notation; a known notation that is broken; a
#: move that cannot be played; a board that is no position; a board that does not say who is to
#: move; another game; or too much of something.
Kind = Literal["empty", "unknown", "format", "move", "position", "turn", "game", "large"]

_SPACES = re.compile("[\t\f\v\u00a0\u2000-\u200b\u202f\u3000\ufeff]")


class NotationError(ValueError):
    """A text that is not understood; the message begins with the line and the column."""

    def __init__(self, kind: Kind, line: int, column: int, said: str, at: int = 0) -> None:
        """Say what is wrong at a line and column, from 1, which is `at` characters into the text.

        A reader goes on behind `at`.
        """
        super().__init__(f"line {line}, column {column}: {said}")
        self.kind: Kind = kind
        self.line = line
        self.column = column
        self.said = said
        self.at = at
        #: Whether this is one bad game in a file of many.
        self.can_skip = False

    def moved(self, lines: int) -> "NotationError":
        """The same, so many lines further down."""
        error = NotationError(self.kind, self.line + lines, self.column, self.said, self.at)
        error.can_skip = self.can_skip
        return error


class Source:
    """A text whose only white space is blanks and line feeds, one for one."""

    def __init__(self, text: str) -> None:
        """Take a text; a byte order mark in front and carriage returns do not count."""
        text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
        self.text = _SPACES.sub(" ", text)

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(found.end() for found in re.finditer("\n", self.text))]

    def error(self, kind: Kind, at: int, said: str, resume: int | None = None) -> NotationError:
        """The error at a place; reading goes on at `resume`, or there."""
        number = bisect_right(self._starts, at)
        column = at - self._starts[number - 1] + 1
        return NotationError(kind, number, column, said, at if resume is None else resume)

    def line_end(self, at: int) -> int:
        """Where the line ends that a place is in."""
        end = self.text.find("\n", at)
        return len(self.text) if end < 0 else end

    def begins_line(self, at: int) -> bool:
        """Whether nothing but blanks stands before a place in its line."""
        return not self.text[self.text.rfind("\n", 0, at) + 1 : at].strip()


def shorten(text: str) -> str:
    """Text as a message quotes it: on one line, and never at length."""
    line = text.partition("\n")[0]
    return repr(f"{line[:20]}…" if len(line) > 20 else line)
