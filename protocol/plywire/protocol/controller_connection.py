"""The end of a connection that sends commands; `connection.py` has the rules and the other end."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from .connection import BaseConnection, Fault
from .dialects.base import Driving
from .errors import OddLineError, PeerError, StateError
from .framing import MAX_LINE
from .messages import play
from .messages.base import Command, Error, ErrorCode, Event
from .text import readable
from .validation import shorten


@dataclass(frozen=True, slots=True)
class OddLine:
    """A line of an engine that is not correct, but that a tolerant dialect accepted or ignored."""

    number: int
    """The number of the line among all lines of the engine, from 1."""
    text: str
    """The line, or its beginning."""
    fault: str
    """The fault, and how the line was treated."""

    def __str__(self) -> str:
        return f"line {self.number}, {shorten(self.text)}: {self.fault}"


class ControllerConnection(BaseConnection):
    """The end that sends commands."""

    _dialect: Driving

    def __init__(
        self,
        dialect: Driving,
        *,
        max_line: int = MAX_LINE,
        on_odd_line: Callable[[OddLine], object] = lambda line: None,
    ) -> None:
        """If the dialect is tolerant, lines that are not correct go to `on_odd_line`."""
        super().__init__(dialect, max_line)
        self._on_odd_line = on_odd_line
        self._number = 0
        self._line = ""
        self._answer: tuple[int, str] | None = None
        """The number and text of the first line of an unfinished answer of several lines."""
        self._decoded: deque[Event] = deque()

    def send(self, command: Command) -> None:
        """Send a command.

        Raises StateError if the command is not allowed now, UnspeakableError if the dialect cannot
        express it.
        """
        if (refusal := self._refusal(command)) is not None:
            raise StateError(f"cannot send {command.type}: {refusal}")
        self._write(self._dialect.encode_command(command))
        self._unanswered.append(command)

    def next_event(self) -> Event | Fault | None:
        """Return the next event or fault, None if more bytes must come first.

        Events carry the id of their command. If the peer closes the connection without a word, the
        last event is a `bye`.
        """
        if self._is_closed:
            self._reader.clear()
            return None
        while True:
            try:
                event = self._next_decoded()
            except PeerError as error:
                return Fault(error.event())
            if event is None:
                return None
            command = self._asker(event)
            is_unasked = event.is_notice or isinstance(event, (Error, play.Bye))
            if command is not None or is_unasked:
                break
            message = f"{event.type} answers nothing that was asked"
            if not self._dialect.is_tolerant:
                return Fault(Error(id=event.id, code=ErrorCode.SYNTAX, message=message))
            self._note(f"{message}; it was ignored")
        if command is not None and event.id != command.id:
            event = event.model_copy(update={"id": command.id})
        self._answered(event, command)
        return event

    def _next_decoded(self) -> Event | None:
        while not self._decoded:
            line = self._next_line()
            if line is None:
                return self._farewell() if self._eof else None
            is_answer = self._dialect.is_answer(line)
            begun = self._answer or (self._number, line)
            try:
                self._decoded.extend(self._dialect.decode_event(line))
            except PeerError as error:
                if not self._dialect.is_tolerant:
                    raise
                if is_answer:
                    raise PeerError(error.code, str(OddLine(*begun, error.message))) from None
                self._note(f"{error.message}; it was ignored")
            finally:
                self._answer = begun if self._dialect.is_answer("") else None
        return self._decoded.popleft()

    def _next_line(self) -> str | None:
        if not self._dialect.is_tolerant:
            return super()._next_line()
        while (line := self._reader.next_line()) is not None:
            self._number += 1
            text = line.text if isinstance(line, OddLineError) else line
            self._line = readable(text)
            if not isinstance(line, OddLineError):
                return self._line
            if line.code is not ErrorCode.LINE_TOO_LONG:
                self._note(f"{line.message}; it was read without that")
                return self._line
            if self._dialect.is_answer(self._line):
                self._note(f"{line.message}; only its beginning was read")
                return self._line
            self._note(f"{line.message}; it was ignored")
        return None

    def _note(self, fault: str) -> None:
        self._on_odd_line(OddLine(self._number, self._line, fault))

    def _farewell(self) -> play.Bye:
        """Return a `bye` for a peer that has closed its end: not all dialects have a `bye`."""
        asked = any(isinstance(command, play.Quit) for command in self._unanswered)
        return play.Bye(reason="" if asked else "the other end closed the connection")

    def _asker(self, event: Event) -> Command | None:
        """Return the oldest command that an event can answer; an id of the event must match."""
        able = [
            command
            for command in self._unanswered
            if command.is_answered_by(event) and event.id in (None, command.id)
        ]
        if isinstance(event, Error) and event.code is not ErrorCode.UNAVAILABLE:
            # A running `prepare` fails only with `unavailable`. Any other error answers another
            # command, if one is open.
            able.sort(key=lambda command: isinstance(command, play.Prepare))
        return able[0] if able else None
