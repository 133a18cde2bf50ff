"""The kinds of field that commands and events are made of.

Whatever passes these fits on one line of every dialect: words hold no spaces, no text holds control
characters, and every number is bounded.
"""

import re
from typing import Annotated

from pydantic import AfterValidator, Field

#: Integers beyond this lose precision in JSON readers that keep numbers as doubles.
MAX_INTEGER = 2**53

#: Messages longer than this, in characters, are cut.
MAX_MESSAGE = 512

_UNPRINTABLE = re.compile(r"[\x00-\x20\x7f-\xa0\u2028\u2029\ud800-\udfff]+")


def one_line(text: str) -> str:
    """The text on one line of at most `MAX_MESSAGE` characters, without control characters."""
    line = _UNPRINTABLE.sub(" ", text).strip(" ")
    return line if len(line) <= MAX_MESSAGE else f"{line[: MAX_MESSAGE - 1].rstrip(' ')}…"


_WORD = r"[^\x00-\x20\x7f-\xa0\u2028\u2029]+"

Id = (
    Annotated[str, Field(max_length=64)]
    | Annotated[int, Field(ge=-MAX_INTEGER, le=MAX_INTEGER)]
    | None
)
"""Of a command: whatever the peer likes to see again on the events that answer it."""

Count = Annotated[int, Field(ge=0, le=MAX_INTEGER)]

Name = Annotated[str, Field(max_length=64, pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]*$")]
"""What the server calls a thing."""

Word = Annotated[str, Field(max_length=64, pattern=r"^[!-~]+$")]
"""Printable ASCII without spaces."""

Text = Annotated[str, Field(max_length=256, pattern=f"^{_WORD}( {_WORD})*$")]
"""Words separated by single spaces."""

Message = Annotated[str, AfterValidator(one_line)]
"""A sentence for people; may be empty."""

Fen = Annotated[str, Field(max_length=256, pattern=r"^[!-~]+( [!-~]+)*$")]
"""A position string."""

MoveName = Annotated[str, Field(max_length=8, pattern=r"^[!-~]+$")]

Moves = Annotated[tuple[MoveName, ...], Field(max_length=256)]
"""No game here lasts longer than a full 64-square board with passes between."""
