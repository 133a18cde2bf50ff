"""The game on the board of a session."""

from collections.abc import Sequence

from plywire.engine.game import Position
from plywire.protocol.messages.base import ErrorCode
from plywire.server.errors import RefusedError


class PlayedGame:
    """The moves since a position was set up. A refused change has no effect."""

    def __init__(self, start: Position, names: Sequence[str] = ()) -> None:
        """Play moves from a position; raises IllegalMoveError."""
        # The list cannot grow for ever, because a finished game takes no more moves.
        self.positions = [start, *start.play_names(names)]
        self._played = [*names]

    def __len__(self) -> int:
        return len(self._played)

    @property
    def position(self) -> Position:
        return self.positions[-1]

    @property
    def moves(self) -> tuple[str, ...]:
        """The names of the moves, as the game writes them."""
        game = self.position.game
        return tuple(
            game.move_name(game.parse_move(before, text))
            for before, text in zip(self.positions, self._played, strict=False)
        )

    def play(self, names: Sequence[str]) -> None:
        """Play more moves; raises IllegalMoveError."""
        self.positions += self.position.play_names(names)
        self._played += names

    def take_back(self, count: int) -> None:
        """Take back the last moves; raises RefusedError if there are fewer."""
        if count > len(self):
            raise RefusedError(
                ErrorCode.BAD_VALUE,
                f"cannot take back {count} moves: since the position was set up, "
                f"{len(self)} were played",
            )
        del self.positions[-count:], self._played[-count:]
