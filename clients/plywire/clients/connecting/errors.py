"""What can go wrong for a client.

ClientError                 of the client library
├── CommandError            the server refused a command and says why
├── ConnectionLostError     no server could be reached, or it went away for good
├── ReplacedError           another connection logged in by the same name
└── BadServerError          the server does not speak the protocol
"""

from plywire.protocol.text import printable


class ClientError(Exception):
    """Anything that the client library raises on purpose."""

    def __init__(self, message: str = "") -> None:
        """Make the message printable: it may quote a server."""
        super().__init__(printable(message))


class CommandError(ClientError):
    """The server refused a command; nothing changed."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{message} ({code})")
        self.code = code
        """One of `plywire.protocol.messages.base.ErrorCode`."""
        self.message = message
        """One line: what was wrong and what is accepted."""


class ConnectionLostError(ClientError):
    """No server could be reached, or the connection was lost and did not come back."""


class ReplacedError(ClientError):
    """Another connection logged in to the arena by the same name."""


class BadServerError(ClientError):
    """The server sent what the protocol does not allow."""
