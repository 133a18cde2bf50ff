"""The common part of all commands and events, and the tables that find them by type.

The class of a command describes it once: its fields, the events that answer it, whether it may come
during a search, and its line in the native dialect. Defining the class makes it known to all
dialects.
"""

from enum import StrEnum
from functools import lru_cache, reduce
from operator import or_
from typing import Annotated, Any, ClassVar, Literal, TypeVar

from pydantic import ConfigDict, Field, TypeAdapter

from .fields import Id, Part, Sentence

M = TypeVar("M", bound="Message")


class Message(Part):
    """A command or an event."""

    model_config = ConfigDict(
        # If a command and an event have the same type, the event's class has `Answer` in its name.
        # The schema leaves `Answer` out.
        model_title_generator=lambda kind: kind.__name__.removesuffix("Answer"),
    )

    lines: ClassVar[tuple[tuple[str, ...], ...]] = ()
    """The fields on a line of the native dialect; usually all, in the order of their definition.
    If there are several forms of the line, each begins with a word of its own. A boolean field that
    has this word as its name is true in this form only."""

    type: str
    id: Id = None
    """Chosen by the client; every event that answers the command repeats it."""


class Event(Message):
    """A message from the server."""

    is_notice: ClassVar[bool] = False
    """Whether the event comes unasked, at any time."""

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: object) -> None:
        _register(cls, EVENTS)


class Command(Message):
    """A message from a client; the class also describes how it is answered."""

    answers: ClassVar[tuple[type[Event], ...]]
    """The events that may answer the command. The last one closes it, and so does `error`."""
    while_thinking: ClassVar[bool] = False
    """Whether the command is accepted while a search runs."""
    is_overtaken: ClassVar[bool] = False
    """Whether commands that come later may be answered before this command."""

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: object) -> None:
        _register(cls, COMMANDS)

    def is_answered_by(self, event: Event) -> bool:
        """Whether an event of this type may answer the command."""
        return isinstance(event, (*self.answers, Error))

    def is_closed_by(self, event: Event) -> bool:
        """Whether the event, as an answer to the command, is its last answer."""
        return isinstance(event, (self.answers[-1], Error))


#: The classes of commands and events by type, in the order of definition. Import these tables from
#: `registry.py`. It imports all modules that define messages, so the tables are complete.
COMMANDS: dict[str, type[Command]] = {}
EVENTS: dict[str, type[Event]] = {}


def _register(kind: type[M], kinds: dict[str, type[M]]) -> None:
    """Register a class by its type; base classes, which have no type, are skipped."""
    name = kind.model_fields["type"].get_default()
    if isinstance(name, str):
        kinds[name] = kind


@lru_cache(maxsize=8)
def union(kinds: tuple[type[M], ...]) -> TypeAdapter[M]:
    """Return the adapter that reads and writes messages of these kinds by their type."""
    any_kind: Any = reduce(or_, kinds)
    annotated: Any = Annotated[any_kind, Field(discriminator="type")]
    return TypeAdapter(annotated, config=ConfigDict(defer_build=True))


class ErrorCode(StrEnum):
    """Why a command was refused; nothing changed."""

    SYNTAX = "syntax"
    UNKNOWN_COMMAND = "unknown-command"
    UNSUPPORTED_VERSION = "unsupported-version"
    UNKNOWN_GAME = "unknown-game"
    UNKNOWN_OPTION = "unknown-option"
    BAD_VALUE = "bad-value"
    BAD_POSITION = "bad-position"
    ILLEGAL_MOVE = "illegal-move"
    GAME_OVER = "game-over"
    BUSY = "busy"
    LINE_TOO_LONG = "line-too-long"
    TOO_MANY = "too-many"
    DRAINING = "draining"
    UNAUTHORIZED = "unauthorized"
    UNAVAILABLE = "unavailable"
    INTERNAL = "internal"


class Error(Event):
    """The command was refused and nothing changed."""

    type: Literal["error"] = "error"
    code: ErrorCode
    message: Sentence
    """One line: what was wrong, and what is accepted."""
