"""How the native dialect writes a field: declared with its type, in `Annotated`.

A field without a declaration is written by its value alone, after the field before it. For example,
the fields of `prepare othello size=6x6` are:

    game: Word | None = None
    size: Annotated[Word | None, by_key("WIDTHxHEIGHT")] = None
"""

from dataclasses import dataclass
from enum import Enum, auto
from functools import partial


class Place(Enum):
    """The place of a value on its line."""

    NEXT = auto()
    """After the value before it."""
    KEY = auto()
    """After `name=`, at any place that allows `name=`; commas separate several values."""
    KEYWORD = auto()
    """After the name as a word; fields with keywords come in any order."""


class TextSize(Enum):
    """Marks the type of a text of words with single spaces between."""

    SOME = auto()
    ANY = auto()
    """The text may be empty. Its keyword, if any, is written even then. Without a keyword, the text
    may be left out."""


@dataclass(frozen=True, slots=True)
class InLine:
    """How a field is written on a line; the syntax in errors is derived from it."""

    place: Place = Place.NEXT
    shown: str = ""
    """The text for the value in errors; empty for the name of the field in capitals."""
    nothing: str | None = None
    """The word for None; a field with such a word is never left out."""
    is_optional: bool | None = None
    """Whether a line may lack the field; None if fields with a default may be left out."""
    begins_end: bool = False
    """Whether the line ends before the field if this and all later fields have their defaults."""


by_key = partial(InLine, Place.KEY)
by_keyword = partial(InLine, Place.KEYWORD)

#: How a field with the size of a board is written on a line.
SIZE = by_key("WIDTHxHEIGHT")
