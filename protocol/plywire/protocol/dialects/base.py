"""The interface of dialects: the side that answers, and the side that drives."""

from abc import ABC, abstractmethod
from typing import ClassVar

from plywire.protocol.messages.base import Command, Event

from .engine_options import EngineOption


class Dialect(ABC):
    """The part that both sides of a dialect share.

    An object translates the lines of one connection, and remembers what their meaning needs.
    """

    name: ClassVar[str]
    """The name, as `--dialect` takes it."""

    in_turn: ClassVar[bool] = False
    """Whether commands during a search wait for its end; if not, they are refused."""

    keeps_time: ClassVar[bool] = True
    """Whether the dialect can express time limits; if not, an engine must be stopped."""

    own_game: ClassVar[str | None] = None
    """The game with which the dialect begins; None for the game of the session."""

    drops_control: ClassVar[bool] = False
    """Whether control characters are dropped; if not, they are a fault."""

    is_tolerant: ClassVar[bool] = False
    """Whether odd bytes in an engine's lines are dropped, and lines with faults may be ignored."""


class Answering(Dialect):
    """The side that reads commands and writes events."""

    @classmethod
    @abstractmethod
    def opens(cls, line: str) -> bool:
        """Return whether a peer that begins with this line speaks the dialect."""

    @abstractmethod
    def decode_command(self, line: str) -> list[Command]:
        """Return the commands on a line; none if the line is to be ignored.

        They are carried out in order until one is refused. Raises PeerError for a bad line.
        """

    @abstractmethod
    def encode_event(self, event: Event, command: Command | None) -> list[str]:
        """Return the lines of an event that answers `command`; none if the dialect needs none."""


class Driving(Dialect):
    """The side that writes commands and reads events."""

    @property
    def options(self) -> tuple[EngineOption, ...]:
        """The options of the engine, known after it has introduced itself."""
        return ()

    @abstractmethod
    def encode_command(self, command: Command) -> list[str]:
        """Return the lines of a command; raise UnspeakableError if there is no way to say it."""

    def is_answer(self, line: str) -> bool:
        """Return whether a line answers a command, judged by its beginning.

        An answer with faults is never ignored. A blank line is an answer while an answer of several
        lines is unfinished.
        """
        return True

    @abstractmethod
    def decode_event(self, line: str) -> list[Event]:
        """Return the events on a line of the engine, if any; raise PeerError for a bad line."""
