"""A connection without I/O: a transport feeds it bytes and takes its bytes.

The answering end is here, `controller_connection.py` has the other end. Both follow these rules:

* A connection is open, thinking (a `go` or `review` is unanswered), closing (a `quit` is
  unanswered) or closed.
* While a connection is thinking, it accepts only commands with `while_thinking`: `stop`, `ping`,
  `prepare` and `quit`. It refuses all others as `busy`.
* Exactly one closing event answers each command; no event answers the command after that.
* Commands are answered in order, except that later commands may overtake `go`, `review` and
  `prepare` (`is_overtaken`). The driver may carry out several commands at a time:
  `EngineConnection` holds back events that come too early.
* Notices of the arena (`Event.is_notice`) answer nothing and may come at any time.
* `bye` closes the connection, requested or not. The end of the peer's bytes counts as `quit`.
* A mistake of the peer becomes a `Fault`, in order, and changes nothing.
* A mistake of the caller raises a LocalError and changes nothing.
* A line that asks nothing becomes `Ignored`. Each item is at most the work of one line, and each
  line gives at least one item: a driver can count what a peer costs.
* If a peer begins in another protocol (`foreign`), a `Fault` says so, and its other bytes are not
  read.

The driver of a transport is a short loop::

    connection.receive_data(data)
    while (item := connection.next_command()) is not None:
        if isinstance(item, Fault):
            connection.send(item.error, item)
        elif not isinstance(item, Ignored):
            ...  # carry it out; connection.send(event, item) for each event that answers it
        write(connection.data_to_send())

Writing inside the loop lets a slow reader slow the peer down: see `pending_bytes`.
"""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from .dialects import detect
from .dialects.base import Answering, Dialect
from .dialects.native.answering import NativeAnswering
from .errors import ControlError, PeerError, StateError
from .foreign import LONGEST_START, foreign_protocol
from .framing import MAX_LINE, LineReader
from .messages import play, review
from .messages.base import Command, Error, ErrorCode, Event
from .messages.registry import COMMANDS
from .text import printable


class State(Enum):
    """The state of a connection."""

    OPEN = "open"
    THINKING = "thinking"
    CLOSING = "closing"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class Fault:
    """Input of the peer that was not accepted."""

    error: Error
    command: Command | None = None
    """The command that was refused, if it could be read."""
    after: Command | None = None
    """The command that must be answered before this error is sent, if any."""


@dataclass(frozen=True, slots=True)
class Ignored:
    """A line of the peer that asks nothing, such as a blank one; no event answers it."""


class BaseConnection:
    """The part that both ends share: the state, the lines in and the lines out."""

    def __init__(self, dialect: Dialect | None, max_line: int) -> None:
        self._dialect = dialect
        self._reader = LineReader(max_line)
        self._eof = False
        self._outgoing: list[str] = []
        self._pending_bytes = 0
        self._unanswered: list[Command] = []
        self._is_closed = False

    @property
    def state(self) -> State:
        if self._is_closed:
            return State.CLOSED
        if any(isinstance(command, play.Quit) for command in self._unanswered):
            return State.CLOSING
        if any(isinstance(command, play.Go | review.Review) for command in self._unanswered):
            return State.THINKING
        return State.OPEN

    @property
    def dialect(self) -> str | None:
        """The name of the dialect; None until the first line of the peer selects one."""
        return self._dialect.name if self._dialect else None

    @property
    def own_game(self) -> str | None:
        """The game that this dialect begins with; None if the session chooses the game."""
        return self._dialect.own_game if self._dialect else None

    @property
    def unanswered(self) -> tuple[Command, ...]:
        """The commands that no event has closed yet, oldest first."""
        return tuple(self._unanswered)

    @property
    def pending_bytes(self) -> int:
        """The number of bytes that wait to be sent; taking the lines resets it."""
        return self._pending_bytes

    def receive_data(self, data: bytes) -> None:
        """Take bytes of a stream; drop them after the connection or the stream has ended."""
        if self._is_closed or self._eof:
            return
        self._reader.receive(data)

    def receive_text(self, text: str) -> None:
        """Take a message of a message-based transport: one or more whole lines."""
        ended = text if text.endswith("\n") else f"{text}\n"
        self.receive_data(ended.encode("utf-8", "surrogatepass"))

    def receive_eof(self) -> None:
        self._eof = True
        self._reader.receive_eof()

    def lines_to_send(self) -> list[str]:
        """Take the lines to send, without line endings."""
        lines, self._outgoing, self._pending_bytes = self._outgoing, [], 0
        return lines

    def data_to_send(self) -> bytes:
        return "".join(f"{line}\n" for line in self.lines_to_send()).encode()

    def _next_line(self) -> str | None:
        """Return the next line, None if more must come; raise PeerError if unreadable."""
        line = self._reader.next_line()
        if isinstance(line, ControlError) and self._dialect and self._dialect.drops_control:
            return line.printable
        if isinstance(line, PeerError):
            try:
                raise line
            finally:
                del line  # otherwise, the error keeps this frame and its callers alive
        return line

    def _write(self, lines: Iterable[str]) -> None:
        for line in map(printable, lines):
            self._outgoing.append(line)
            self._pending_bytes += len(line.encode()) + 1

    def _refusal(self, command: Command) -> str | None:
        state = self.state
        if state in (State.CLOSING, State.CLOSED):
            return f"the connection is {state.value}"
        if state is State.THINKING and not command.while_thinking:
            accepted = ", ".join(name for name, kind in COMMANDS.items() if kind.while_thinking)
            return f"a search is running: only {accepted} are accepted"
        return None

    def _answered(self, event: Event, command: Command | None) -> None:
        if command is not None and command.is_closed_by(event):
            self._unanswered = [other for other in self._unanswered if other is not command]
            self._is_closed |= isinstance(command, play.Quit)
        if isinstance(event, play.Bye):
            self._unanswered.clear()
            self._is_closed = True


def _is_in_order(command: Command) -> bool:
    return not command.is_overtaken


class EngineConnection(BaseConnection):
    """The end that answers commands."""

    _dialect: Answering | None

    def __init__(self, dialect: Answering | None = None, *, max_line: int = MAX_LINE) -> None:
        """If `dialect` is None, the first line of the peer selects the dialect."""
        super().__init__(dialect, max_line)
        self._start = b""
        self._decoded: deque[Command] = deque()
        self._early: list[tuple[Event, Command | Fault | None]] = []

    @property
    def waits_its_turn(self) -> bool:
        """Whether the next command must wait until all earlier commands are answered."""
        return self._dialect is not None and self._dialect.in_turn and bool(self._unanswered)

    def receive_data(self, data: bytes) -> None:
        if self._dialect is None:
            self._start += data[: LONGEST_START - len(self._start)]
        super().receive_data(data)

    def next_command(self) -> Command | Fault | Ignored | None:
        """Return the next command or fault, None if more bytes must come first.

        Also return None while `waits_its_turn`. Report a Fault with `send(fault.error, fault)`.
        """
        if self.waits_its_turn:
            return None
        if self.state in (State.CLOSING, State.CLOSED):
            self._reader.clear()
            self._decoded.clear()
            return None
        after = next(filter(_is_in_order, reversed(self._unanswered)), None)
        try:
            command = self._next_decoded()
        except PeerError as error:
            return Fault(error.event(), after=after)
        if command is None or isinstance(command, Ignored):
            return command
        if (refusal := self._refusal(command)) is None:
            self._unanswered.append(command)
            return command
        self._decoded.clear()
        busy = Error(id=command.id, code=ErrorCode.BUSY, message=refusal)
        return Fault(busy, command, after)

    def send(self, event: Event, answering: Command | Fault | None = None) -> None:
        """Send an event to the peer, with the id of the command that it answers.

        `answering` is the very object that `next_command` returned, None for unasked events. Raises
        StateError if the connection is closed, if the command is already answered, or if an event
        of this type does not answer the command.
        """
        if self._is_closed:
            raise StateError(f"cannot send {event.type}: the connection is closed")
        if isinstance(answering, Command):
            if not self._is_unanswered(answering):
                raise StateError(f"cannot send {event.type}: {answering.type} is answered already")
            if not answering.is_answered_by(event):
                raise StateError(f"cannot send {event.type}: it does not answer {answering.type}")
        if self._is_early(answering):
            self._early.append((event, answering))
            return
        self._send(event, answering)
        while self._early:
            due = (n for n, (_, other) in enumerate(self._early) if not self._is_early(other))
            if (place := next(due, None)) is None:
                break
            self._send(*self._early.pop(place))

    def _is_unanswered(self, command: Command) -> bool:
        if self._early and any(
            command is other and command.is_closed_by(event) for event, other in self._early
        ):
            return False
        return any(command is other for other in self._unanswered)

    def _is_early(self, answering: Command | Fault | None) -> bool:
        match answering:
            case Fault(after=after):
                return any(after is other for other in self._unanswered)
            case Command() if _is_in_order(answering):
                return answering is not next(filter(_is_in_order, self._unanswered), None)
            case _:
                return False

    def _send(self, event: Event, answering: Command | Fault | None) -> None:
        command = answering.command if isinstance(answering, Fault) else answering
        if command is not None and command.id is not None:
            event = event.model_copy(update={"id": command.id})
        # Until the peer's first line shows its dialect, answer in the native dialect.
        dialect = self._dialect or NativeAnswering()
        self._write(dialect.encode_event(event, command))
        if isinstance(answering, Fault):
            return
        self._answered(event, command)
        if isinstance(event, play.Bye):
            self._early.clear()
        if isinstance(event, Error):
            # Drop the other commands of this line, because they expect that this command succeeds.
            self._decoded.clear()

    def _next_decoded(self) -> Command | Ignored | None:
        """Return the next command; after the last line, return `quit`."""
        if not self._decoded:
            if self._dialect is None:
                self._refuse_foreign()
            line = self._next_line()
            if line is None:
                return play.Quit() if self._eof else None
            if line.strip():
                if self._dialect is None:
                    self._dialect = detect(line)
                self._decoded.extend(self._dialect.decode_command(line))
        return self._decoded.popleft() if self._decoded else Ignored()

    def _refuse_foreign(self) -> None:
        """Raise PeerError if the peer speaks another protocol, and drop all its bytes."""
        if (protocol := foreign_protocol(self._start)) is not None:
            self._reader.clear()
            self._start = b""
            self._eof = True
            raise PeerError(
                ErrorCode.SYNTAX,
                f"this connection speaks {protocol}: only lines of a dialect are accepted here",
            )
