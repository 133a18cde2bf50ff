"""What can go wrong for a player in a match.

PlayerError                 a player failed; a referee tells these apart and blames the player
├── PlayerCrashedError      its program ended, could not be started, or its connection was lost
├── PlayerStalledError      it did not answer
├── PlayerDisconnectedError it was not there to answer
├── PlayerLateError         it answered after its time was up
├── PlayerUnfitError        it does not play the game
├── PlayerResignedError     it gave the game up, which is no fault
├── PlayerIllegalMoveError  it named a move that the rules do not allow
└── PlayerGarbledError      it answered what its protocol does not allow
GameEndedError              a game ended from outside: resigned, left for good, or called off
"""

from collections.abc import Iterable
from enum import StrEnum
from typing import ClassVar

from plywire.protocol.text import printable


class Termination(StrEnum):
    """How a game ended."""

    NORMAL = "normal"
    """By the rules of the game."""
    ADJUDICATION = "adjudication"
    """Before its end, because it was proven how it ends."""
    ILLEGAL_MOVE = "illegal-move"
    """The loser named a move that the rules do not allow."""
    TIME = "time"
    """The loser moved, but after its time was up."""
    STALL = "stall"
    """The loser did not answer at all."""
    CRASH = "crash"
    """The loser's program ended or its connection was lost."""
    GARBAGE = "garbage"
    """The loser answered what its protocol does not allow."""
    DISCONNECT = "disconnect"
    """The loser left, and did not come back in time."""
    RESIGNATION = "resignation"
    """The loser gave up."""
    ABORT = "abort"
    """Called off; nobody won."""

    @property
    def is_failure(self) -> bool:
        """Whether the loser is to blame, rather than beaten."""
        return self not in (
            Termination.NORMAL,
            Termination.ADJUDICATION,
            Termination.RESIGNATION,
            Termination.ABORT,
        )


class PlayerError(Exception):
    """A player failed to move; which of the classes below says how."""

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
    """The player was not there to answer."""

    termination = Termination.DISCONNECT


class PlayerLateError(PlayerError):
    """The player moved after its time was up."""

    termination = Termination.TIME


class PlayerResignedError(PlayerError):
    """The player gave the game up."""

    termination = Termination.RESIGNATION

    def __init__(self) -> None:
        super().__init__("resigned")


class PlayerIllegalMoveError(PlayerError):
    """The player named a move that the rules do not allow."""

    termination = Termination.ILLEGAL_MOVE


class PlayerGarbledError(PlayerError):
    """The player answered what its protocol does not allow."""

    termination = Termination.GARBAGE


class GameEndedError(Exception):
    """A game ended otherwise than by a move or by a player's failing to make one."""

    def __init__(self, termination: Termination, loser: int | None, reason: str) -> None:
        """`loser` is 0 for player 1, 1 for player 2, None if nobody won."""
        super().__init__(reason)
        self.termination = termination
        self.loser = loser
