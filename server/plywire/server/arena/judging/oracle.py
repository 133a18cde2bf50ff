"""What a position is worth with best play, where the engine can prove it."""

from __future__ import annotations

from plywire.clients.players.base import Line
from plywire.engine.analysis import Score
from plywire.engine.engine import Engine
from plywire.engine.game import Position, Result
from plywire.engine.limits import Limits


class Oracle:
    """Asks an engine, in the calling thread, for proven values."""

    def __init__(self, *, nodes: int, hash_mb: int = 16) -> None:
        """Give up on a position after that many nodes."""
        self._limits = Limits(nodes=nodes)
        self._engine = Engine(hash_mb=hash_mb)

    def value(self, position: Position) -> int | None:
        """The score with which the game ends if both play their best, None if that is not proven.

        The scale is that of `Result.score`: for the first player; discs where the game counts
        them, else 1, 0 or -1.
        """
        result = position.result()
        if result is not None:
            return result.score
        score = self._engine.analyse(position, self._limits).score
        return None if score is None else proven_value(score, position.turn)

    def adjudicate(self, line: Line) -> Result | None:
        """How a game ends that goes on with best play, None if that is not proven."""
        value = self.value(line.position)
        if value is None:
            return None
        return Result(None if value == 0 else int(value < 0), value, "proven by the engine")


def proven_value(score: Score, turn: int) -> int | None:
    """A score for the side to move as `Oracle.value` gives it, None for an estimate."""
    match score.kind:
        case "win":
            value = 1
        case "loss":
            value = -1
        case "draw":
            value = 0
        case "exact":
            value = score.value
        case "cp":
            return None
    return -value if turn else value
