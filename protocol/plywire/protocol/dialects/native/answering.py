"""The answering side of the native dialect."""

from plywire.protocol.dialects.base import Answering
from plywire.protocol.dialects.parsing import unknown_command, words
from plywire.protocol.messages.base import Command, Event
from plywire.protocol.messages.play import ShowAnswer
from plywire.protocol.messages.registry import COMMANDS
from plywire.protocol.messages.watching import FeedEvent

from .dialect import Native
from .grammar import grammar
from .values import write_feed_event


class NativeAnswering(Native, Answering):
    """The side that answers."""

    @classmethod
    def opens(cls, line: str) -> bool:
        """Return True: a person may type any line."""
        return True

    def decode_command(self, line: str) -> list[Command]:
        match words(line):
            case [verb, *rest] if verb in COMMANDS:
                return [grammar(COMMANDS[verb]).read(rest)]
            case [verb, *_]:
                raise unknown_command(verb, list(COMMANDS))
            case _:
                return []

    def encode_event(self, event: Event, command: Command | None) -> list[str]:
        """Return one line for an event, but several lines for a board."""
        match event:
            case FeedEvent():
                return [write_feed_event(event)]
            case ShowAnswer():
                board = [f"board {row}" for row in event.board.split("\n")]
                return [*board, grammar(ShowAnswer).write(event)]
            case _:
                return [grammar(type(event)).write(event)]
