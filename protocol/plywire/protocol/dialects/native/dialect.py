"""The native line protocol: one command a line, one event a line.

The grammar is in PROTOCOL.md, section "Native".
"""

from typing import ClassVar

from plywire.protocol.dialects.base import Dialect
from plywire.protocol.dialects.words import syntax, words
from plywire.protocol.messages.commands import Command
from plywire.protocol.messages.events import Event

from .commands import read_command, write_command
from .events import read_event, read_show, write_event

#: The drawing of the largest board, 64 squares high, with room for coordinates.
_MAX_BOARD_LINES = 128


class Native(Dialect):
    """The dialect spoken to whoever is not recognised as speaking another."""

    name: ClassVar[str] = "plywire"

    def __init__(self) -> None:
        """At the beginning of a connection."""
        self._board: list[str] = []

    @classmethod
    def opens(cls, line: str) -> bool:
        """Any line may be one of a person typing."""
        return True

    def decode_command(self, line: str) -> list[Command]:
        """The command on a line."""
        match words(line):
            case [verb, *rest]:
                return [read_command(verb, rest)]
            case _:
                return []

    def encode_event(self, event: Event, command: Command | None) -> list[str]:
        """One line an event, but several for a board."""
        return write_event(event)

    def encode_command(self, command: Command) -> list[str]:
        """One line a command."""
        return [write_command(command)]

    def decode_event(self, line: str) -> list[Event]:
        """The event on a line; the lines of a board are kept until its `show`."""
        if line.startswith("board "):
            if len(self._board) == _MAX_BOARD_LINES:
                raise syntax(f"a board has at most {_MAX_BOARD_LINES} lines")
            self._board.append(line.removeprefix("board "))
            return []
        match words(line):
            case ["show", *rest]:
                board, self._board = "\n".join(self._board), []
                return [read_show(rest, board)]
            case [verb, *rest]:
                return [read_event(verb, rest)]
            case _:
                return []
