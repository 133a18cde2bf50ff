"""Errors of commands and searches, and the answers to commands that fail."""

import logging

from plywire.engine.game import IllegalMoveError, RulesError, UnknownGameError
from plywire.protocol.messages.base import Error, ErrorCode

log = logging.getLogger(__name__)


class RefusedError(Exception):
    """A command cannot be carried out."""

    def __init__(self, code: ErrorCode, message: str) -> None:
        """`message` is one line that says what was wrong and what is accepted."""
        super().__init__(message)
        self.code = code


class SearchFailedError(Exception):
    """A search failed because of a fault of the server."""


def error_answer(error: Exception) -> Error:
    """Return the answer to a command that raised `error`; log the error if it is a bug."""
    match error:
        case RefusedError():
            code = error.code
        case SearchFailedError():
            code = ErrorCode.INTERNAL
        case UnknownGameError():
            code = ErrorCode.UNKNOWN_GAME
        case IllegalMoveError():
            code = ErrorCode.ILLEGAL_MOVE
        case RulesError():
            code = ErrorCode.BAD_POSITION
        case _:
            log.error("command failed", exc_info=error)
            message = "the server failed to carry this out; nothing changed"
            return Error(code=ErrorCode.INTERNAL, message=message)
    return Error(code=code, message=str(error))
