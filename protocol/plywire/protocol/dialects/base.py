"""What a dialect is: the side that answers, and the side that drives."""

from abc import ABC, abstractmethod
from typing import ClassVar

from plywire.protocol.messages.base import Command, Event

from .engine_options import EngineOption


class Dialect(ABC):
    """What both sides of a dialect share.

    A dialect only translates. Where the meaning of a line depends on earlier ones (which game is
    being played, which query is being answered), the object of a side remembers that itself: one
    object serves one connection.
    """

    name: ClassVar[str]
    """Name of the dialect, as in `--dialect`."""

    in_turn: ClassVar[bool] = False
    """Whether what comes during a search waits for its end, rather than being refused."""

    keeps_time: ClassVar[bool] = True
    """Whether the dialect has words for time; without them, an engine must be stopped."""

    own_game: ClassVar[str | None] = None
    """Game with which the dialect begins; None is the game of the session."""

    drops_control: ClassVar[bool] = False
    """Whether control characters are dropped, rather than being a fault."""

    is_tolerant: ClassVar[bool] = False
    """Whether engines may say what means nothing. Then odd bytes are left out of a line of an
    engine, and a line that is no answer may be ignored; else every line must be readable."""


class Answering(Dialect):
    """The side that reads commands and writes events."""

    @classmethod
    @abstractmethod
    def opens(cls, line: str) -> bool:
        """Whether a peer whose first line is this one speaks the dialect."""

    @abstractmethod
    def decode_command(self, line: str) -> list[Command]:
        """Read the commands on a line; none if the line is to be ignored.

        Where there are several, they are carried out in order as far as none is refused. Raises
        PeerError if the line cannot be accepted.
        """

    @abstractmethod
    def encode_event(self, event: Event, command: Command | None) -> list[str]:
        """Write an event; no line if the dialect answers by silence.

        `command` is the command that the event answers, None if it answers none.
        """


class Driving(Dialect):
    """The side that writes commands and reads events."""

    @property
    def options(self) -> tuple[EngineOption, ...]:
        """Options of the engine, once it has introduced itself."""
        return ()

    @abstractmethod
    def encode_command(self, command: Command) -> list[str]:
        """Write a command.

        Raises UnspeakableError if the dialect cannot express it.
        """

    def is_answer(self, line: str) -> bool:
        """Whether a line that begins so answers what was asked, and must be read.

        A blank line does if an answer of several lines has begun and goes on.
        """
        return True

    @abstractmethod
    def decode_event(self, line: str) -> list[Event]:
        """Read the events on a line of the engine; none if the line is to be ignored.

        Raises PeerError if the line cannot be accepted.
        """
