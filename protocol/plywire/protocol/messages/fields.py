"""The types of the fields of commands and events.

Values of these types fit on one line of every dialect: words have no spaces, texts have no control
characters, and numbers are bounded.
"""

from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from plywire.protocol.text import CONTROL, one_line, printable_lines

from .in_line import TextSize

#: Maximum integer. JSON readers that use doubles read larger integers inexactly.
MAX_INTEGER = 2**53

#: Maximum length of an `id`, in characters.
MAX_ID = 64

_PRINTABLE = rf"[^{CONTROL} \xa0]+"
_NAME_PATTERN = r"^[A-Za-z0-9][A-Za-z0-9_.-]*$"
_WORD_PATTERN = r"^[!-~]+$"
_TEXT_PATTERN = f"^{_PRINTABLE}( {_PRINTABLE})*$"
_FEN_PATTERN = r"^[!-~]+( [!-~]+)*$"
_TOPIC_PATTERN = rf"^(status|(games|tournaments|players)/{_PRINTABLE}( {_PRINTABLE})*)$"

#: What each pattern accepts, in words, for error messages.
PATTERNS = {
    _NAME_PATTERN: "letters, digits, `_`, `.` and `-`",
    _WORD_PATTERN: "printable ASCII without spaces",
    _TEXT_PATTERN: "printable words with single spaces between",
    _FEN_PATTERN: "printable ASCII words with single spaces between",
    _TOPIC_PATTERN: "`status`, `games/TABLE`, `tournaments/ID` or `players/NAME`",
}


class Part(BaseModel):
    """A message, or an object within one."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


Id = (
    Annotated[str, Field(max_length=MAX_ID)]
    | Annotated[int, Field(ge=-MAX_INTEGER, le=MAX_INTEGER)]
    | None
)
"""Chosen by the client; every event that answers the command repeats it."""

Integer = Annotated[int, Field(ge=-MAX_INTEGER, le=MAX_INTEGER)]

Natural = Annotated[int, Field(ge=0, le=MAX_INTEGER)]

Points = Annotated[float, Field(ge=0, le=MAX_INTEGER / 2, multiple_of=0.5)]
"""A point for a win, half a point for a draw."""

Positive = Annotated[int, Field(ge=1, le=MAX_INTEGER)]

Name = Annotated[str, Field(max_length=64, pattern=_NAME_PATTERN)]
"""A name that the server gives."""

Word = Annotated[str, Field(max_length=64, pattern=_WORD_PATTERN)]
"""Printable ASCII without spaces."""

Game = Annotated[Name, Field(description="Name of a game, such as `connect4`.")]

Size = Annotated[Word, Field(description="Board size as WIDTHxHEIGHT.")]

Table = Annotated[Word, Field(description="Id of the game, as in `start`.")]

OfferNumber = Annotated[Positive, Field(description="Number of the seek or challenge.")]

Text = Annotated[str, Field(max_length=256, pattern=_TEXT_PATTERN), TextSize.SOME]
"""Words separated by single spaces."""

Sentence = Annotated[str, AfterValidator(one_line), TextSize.ANY]
"""A sentence for people; may be empty."""

Drawing = Annotated[str, AfterValidator(printable_lines)]
"""Lines of text, such as a board."""

Fen = Annotated[str, Field(max_length=256, pattern=_FEN_PATTERN), TextSize.SOME]
"""A position string."""

Topic = Annotated[str, Field(max_length=80, pattern=_TOPIC_PATTERN), TextSize.SOME]
"""Part of the arena that a client may watch alone."""

MoveName = Annotated[str, Field(max_length=8, pattern=_WORD_PATTERN)]

Moves = Annotated[tuple[MoveName, ...], Field(max_length=256)]
"""Names of moves: the longest game fills 64 squares, with passes in between."""
