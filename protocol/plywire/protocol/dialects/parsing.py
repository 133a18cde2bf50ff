"""Reads lines of words; errors say what is accepted."""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from plywire.protocol.errors import PeerError, UnspeakableError
from plywire.protocol.messages.base import ErrorCode, Message
from plywire.protocol.numbers import read_decimal
from plywire.protocol.validation import refusal, shorten

Words = Sequence[str]

M = TypeVar("M", bound=BaseModel)

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
_INTEGER = re.compile(r"[+-]?[0-9]{1,18}")


def words(line: str) -> list[str]:
    """Return the words of a line, which spaces and tabs separate."""
    return [word for word in line.replace("\t", " ").split(" ") if word]


def syntax(message: str) -> PeerError:
    """Return the error for a line that does not follow the grammar."""
    return PeerError(ErrorCode.SYNTAX, message)


def unknown_command(verb: str, known: Sequence[str]) -> PeerError:
    """Return the error for a line that does not begin with a command."""
    return PeerError(
        ErrorCode.UNKNOWN_COMMAND,
        f"unknown command {shorten(verb)}: the commands are {', '.join(known)}",
    )


def unspeakable(dialect: str, thing: Message) -> UnspeakableError:
    """Return the error for a command or event that the dialect cannot express."""
    return UnspeakableError(f"{dialect} has no words for {thing!r:.200}")


def integer(name: str, word: str) -> int:
    """Return the whole number in a word; raise PeerError for other words or over 18 digits."""
    if not _INTEGER.fullmatch(word):
        raise PeerError(ErrorCode.BAD_VALUE, f"{name} must be a whole number, not {shorten(word)}")
    return int(word)


def decimal(name: str, word: str) -> float:
    """Return the decimal number in a word; raise PeerError if `read_decimal` finds none."""
    number = read_decimal(word)
    if number is None:
        raise PeerError(ErrorCode.BAD_VALUE, f"{name} must be a number, not {shorten(word)}")
    return number


def build(kind: type[M], /, **fields: object) -> M:
    """Return a model with these fields; raise PeerError if they do not fit the model."""
    try:
        return kind.model_validate(fields)
    except ValidationError as error:
        raise refusal(error, kind) from None


def names_of(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the texts that can name a game, in lower case."""
    return tuple(text.lower() for text in texts if _NAME.fullmatch(text))


def numbers(verb: str, given: Sequence[str], arity: Mapping[str, int]) -> dict[str, list[int]]:
    """Read keywords, each followed by `arity` numbers, rounded; raise PeerError if invalid."""
    found: dict[str, list[int]] = {}
    rest = iter(given)
    for keyword in rest:
        if keyword not in arity:
            raise syntax(f"{verb} takes {', '.join(arity)}, not {shorten(keyword)}")
        if keyword in found:
            raise syntax(f"{keyword} is given twice")
        values = [round(decimal(keyword, word)) for word in islice(rest, arity[keyword])]
        if len(values) < arity[keyword]:
            raise syntax(f"{keyword} must be followed by {arity[keyword]} number(s)")
        found[keyword] = values
    return found
