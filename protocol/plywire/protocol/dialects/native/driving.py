"""The driving side of the native dialect."""

from plywire.protocol.dialects.base import Driving
from plywire.protocol.dialects.parsing import syntax, words
from plywire.protocol.messages.base import Command, Event
from plywire.protocol.messages.play import ShowAnswer
from plywire.protocol.messages.registry import EVENTS
from plywire.protocol.messages.watching import FeedEvent
from plywire.protocol.validation import shorten

from .dialect import Native
from .grammar import grammar
from .values import read_feed_event

#: Maximum number of lines of a board. The largest board needs 64 rows and some lines around them.
_MAX_BOARD_LINES = 128


class NativeDriving(Native, Driving):
    """The side that sends commands."""

    def __init__(self) -> None:
        super().__init__()
        self._board: list[str] = []

    def encode_command(self, command: Command) -> list[str]:
        return [grammar(type(command)).write(command)]

    def decode_event(self, line: str) -> list[Event]:
        """Return the event on a line; keep the lines of a board until its `show`."""
        if line.startswith("board "):
            if len(self._board) == _MAX_BOARD_LINES:
                raise syntax(f"a board has at most {_MAX_BOARD_LINES} lines")
            self._board.append(line.removeprefix("board "))
            return []
        match words(line):
            case ["show", *rest]:
                board, self._board = "\n".join(self._board), []
                return [grammar(ShowAnswer).read(rest, board=board)]
            case ["feed", *rest]:
                return [read_feed_event(rest)]
            case [verb, *rest]:
                return [_read(verb, rest)]
            case _:
                return []


def _read(verb: str, rest: list[str]) -> Event:
    kinds = {name: kind for name, kind in EVENTS.items() if not issubclass(kind, FeedEvent)}
    if verb not in kinds:
        known = ", ".join(kinds)
        raise syntax(f"unknown event {shorten(verb)}: the events are {known}, feed")
    event: Event = grammar(kinds[verb]).read(rest)
    return event
