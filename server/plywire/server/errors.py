"""How a command is refused, and how a search fails."""

from plywire.protocol.messages.base import ErrorCode


class RefusedError(Exception):
    """A command cannot be carried out."""

    def __init__(self, code: ErrorCode, message: str) -> None:
        """`message` is one line: what was wrong and what is accepted."""
        super().__init__(message)
        self.code = code


class SearchFailedError(Exception):
    """A search could not be carried out, by the server's own fault."""
