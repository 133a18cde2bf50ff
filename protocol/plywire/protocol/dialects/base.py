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
    """What `--dialect` options call it."""

    in_turn: ClassVar[bool] = False
    """Whether what comes during a search waits for its end, rather than being refused."""

    keeps_time: ClassVar[bool] = True
    """Whether engines are told how long a move may take; else they must be told to stop."""

    own_game: ClassVar[str | None] = None
    """The game that it begins with, whatever game the session has; None where that counts."""

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
        """The commands on a line of the peer that drives; none if it is one to be ignored.

        Where there are several, they are carried out in order as far as none is refused. Raises
        PeerError if the line cannot be accepted.
        """

    @abstractmethod
    def encode_event(self, event: Event, command: Command | None) -> list[str]:
        """The lines that tell the peer of an event; none where the dialect answers by silence.

        `command` is the command that the event answers, None if it answers none.
        """


class Driving(Dialect):
    """The side that writes commands and reads events."""

    @property
    def options(self) -> tuple[EngineOption, ...]:
        """What the engine at the other end can be set to, once it has been greeted."""
        return ()

    @abstractmethod
    def encode_command(self, command: Command) -> list[str]:
        """The lines that give an engine a command.

        Raises UnspeakableError if the dialect cannot express it.
        """

    def is_answer(self, line: str) -> bool:
        """Whether a line that begins so answers what was asked, and must be read.

        A blank line does if an answer of several lines has begun and goes on.
        """
        return True

    @abstractmethod
    def decode_event(self, line: str) -> list[Event]:
        """The events on a line of the engine that answers; none if it is one to be ignored.

        Raises PeerError if the line cannot be accepted.
        """
