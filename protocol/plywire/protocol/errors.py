"""What can go wrong, and whose fault it is.

    ProtocolError
    ├── LocalError              we called the protocol wrongly: a bug on this side
    │   ├── StateError          not now: closed, already answered, or not an answer to that
    │   └── UnspeakableError    the dialect has no words for it
    └── PeerError               the peer sent what nobody could accept; becomes an `error` event
        └── OddLineError        a line that is too long, or is no plain text
            └── ControlError    a line with control characters, which some dialects drop

A connection raises LocalErrors at its caller. PeerErrors stay inside it: they come out as `Fault`s,
in order with the commands or events, and the connection lives on.
"""

from .messages.base import Error, ErrorCode


class ProtocolError(Exception):
    """Anything that this package raises."""


class LocalError(ProtocolError):
    """We called the protocol wrongly."""


class StateError(LocalError):
    """The connection is in a state that does not allow this."""


class UnspeakableError(LocalError):
    """The dialect has no words for this command or event."""


class PeerError(ProtocolError):
    """The peer sent what cannot be accepted."""

    def __init__(self, code: ErrorCode, message: str, id: str | int | None = None) -> None:
        """`message` is one line: what was wrong and what is accepted."""
        super().__init__(message)
        self.code = code
        self.message = message
        self.id = id
        """Id of the command, if it could be read."""

    def event(self) -> Error:
        """Return the `error` event for the peer."""
        return Error(id=self.id, code=self.code, message=self.message)


class OddLineError(PeerError):
    """A line is too long, is not UTF-8 or holds control characters."""

    def __init__(self, code: ErrorCode, message: str, text: str) -> None:
        """`text` is what can be made of the line; of one that is too long, its beginning."""
        super().__init__(code, message)
        self.text = text


class ControlError(OddLineError):
    """A line holds control characters."""

    def __init__(self, message: str, text: str, printable: str) -> None:
        """`text` is the whole line, `printable` the line without control characters."""
        super().__init__(ErrorCode.SYNTAX, message, text)
        self.printable = printable
