"""Errors of players in a match.

PlayerError                 a player failed; the referee blames the player by the class
├── PlayerCrashedError      its program ended, could not be started, or its connection was lost
│   └── PlayerUnfitError    it does not play the game
├── PlayerStalledError      it did not answer
├── PlayerDisconnectedError it was not connected when it had to answer
├── PlayerLateError         it answered after its time was up
├── PlayerResignedError     it resigned, which is no fault
├── PlayerIllegalMoveError  it named an illegal move
└── PlayerGarbledError      its answer broke its protocol
GameEndedError              a game ended from outside: resigned, left for good, or called off
"""

from collections.abc import Iterable
from enum import StrEnum
from typing import ClassVar

from plywire.protocol.text import printable


class Termination(StrEnum):
    """How a game ended."""

    NORMAL = "normal"
    """The rules of the game ended it."""
    ADJUDICATION = "adjudication"
    """The result was proven before the end, or a draw was agreed."""
    ILLEGAL_MOVE = "illegal-move"
    """The loser named an illegal move."""
    TIME = "time"
    """The loser moved, but after its time was up."""
    STALL = "stall"
    """The loser did not answer at all."""
    CRASH = "crash"
    """The loser's program ended or its connection was lost."""
    GARBAGE = "garbage"
    """The loser's answer broke its protocol."""
    DISCONNECT = "disconnect"
    """The loser left, and did not return in time."""
    RESIGNATION = "resignation"
    """The loser resigned."""
    ABORT = "abort"
    """The game was called off; nobody won."""

    @property
    def is_failure(self) -> bool:
        """Whether the loser made a fault, rather than lost by the rules or resigned."""
        return self not in (
            Termination.NORMAL,
            Termination.ADJUDICATION,
            Termination.RESIGNATION,
            Termination.ABORT,
        )


class PlayerError(Exception):
    """A player failed to move; the subclass says how."""

    termination: ClassVar[Termination]

    def __init__(self, message: str = "") -> None:
        """Make the message printable: it may quote the player's program, and goes into records."""
        super().__init__(printable(message))


class PlayerCrashedError(PlayerError):
    """The player's program ended, could not be started, or its connection was lost."""

    termination = Termination.CRASH


class PlayerUnfitError(PlayerCrashedError):
    """The player does not play the game."""

    def __init__(self, game: str, games: Iterable[str]) -> None:
        super().__init__(f"cannot play {game}: it offers {', '.join(games)}")


class PlayerStalledError(PlayerError):
    """The player did not answer."""

    termination = Termination.STALL


class PlayerDisconnectedError(PlayerError):
    """The player was not connected when it had to answer."""

    termination = Termination.DISCONNECT


class PlayerLateError(PlayerError):
    """The player moved after its time was up."""

    termination = Termination.TIME


class PlayerResignedError(PlayerError):
    """The player resigned."""

    termination = Termination.RESIGNATION

    def __init__(self) -> None:
        super().__init__("resigned")


class PlayerIllegalMoveError(PlayerError):
    """The player named an illegal move."""

    termination = Termination.ILLEGAL_MOVE


class PlayerGarbledError(PlayerError):
    """The player's answer broke its protocol."""

    termination = Termination.GARBAGE


class GameEndedError(Exception):
    """A game ended for another reason than a move or a player's failure."""

    def __init__(self, termination: Termination, loser: int | None, reason: str) -> None:
        """`loser` is 0 for player 1, 1 for player 2, None if nobody won."""
        super().__init__(reason)
        self.termination = termination
        self.loser = loser
