"""The errors of the protocol: mistakes of the caller, and mistakes of the peer.

    ProtocolError
    ├── LocalError              our code called the protocol wrongly
    │   ├── StateError          the connection is closed, or the event answers no open command
    │   └── UnspeakableError    the dialect cannot express the message
    └── PeerError               the peer sent an unacceptable line; becomes an `error` event
        └── OddLineError        a line that is too long, or is no plain text
            └── ControlError    a line with control characters, which some dialects drop

A connection raises LocalErrors. It catches PeerErrors and returns them as `Fault`s, in order with
the commands or events; the connection stays open.
"""

from .messages.base import Error, ErrorCode


class ProtocolError(Exception):
    """The base of all errors that this package raises."""


class LocalError(ProtocolError):
    """Our own code called the protocol wrongly."""


class StateError(LocalError):
    """The state of the connection does not allow the call."""


class UnspeakableError(LocalError):
    """The dialect cannot express this command or event."""


class PeerError(ProtocolError):
    """The peer sent something that cannot be accepted."""

    def __init__(self, code: ErrorCode, message: str, id: str | int | None = None) -> None:
        """`message` is one line that says what was wrong and what is accepted."""
        super().__init__(message)
        self.code = code
        self.message = message
        self.id = id
        """The id of the command, if it could be read."""

    def event(self) -> Error:
        return Error(id=self.id, code=self.code, message=self.message)


class OddLineError(PeerError):
    """A line is too long, is not UTF-8 or holds control characters."""

    def __init__(self, code: ErrorCode, message: str, text: str) -> None:
        """`text` is the line with bad bytes replaced, or the beginning of a long line."""
        super().__init__(code, message)
        self.text = text


class ControlError(OddLineError):
    """A line holds control characters."""

    def __init__(self, message: str, text: str, printable: str) -> None:
        """`text` is the whole line, `printable` the line without control characters."""
        super().__init__(ErrorCode.SYNTAX, message, text)
        self.printable = printable
