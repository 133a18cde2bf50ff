"""Errors of the client library.

ClientError                 any of these errors
├── CommandError            the server refused a command and says why
├── ConnectionLostError     no server could be reached, or the connection was lost for good
├── ReplacedError           another connection logged in with the same name
└── BadServerError          the server does not speak the protocol
"""

from plywire.protocol.text import printable


class ClientError(Exception):
    """Base of all errors of the client library."""

    def __init__(self, message: str = "") -> None:
        """Make the message printable: it may quote a server."""
        super().__init__(printable(message))


class CommandError(ClientError):
    """The server refused a command, and changed nothing."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{message} ({code})")
        self.code = code
        """One of `plywire.protocol.messages.base.ErrorCode`."""
        self.message = message
        """One line: what was wrong, and what is accepted."""


class ConnectionLostError(ClientError):
    """No server could be reached, or the connection was lost and did not come back."""


class ReplacedError(ClientError):
    """Another connection logged in to the arena with the same name."""


class BadServerError(ClientError):
    """The server sent something that the protocol does not allow."""
