"""Values of positions with best play, if the engine can prove them."""

from plywire.clients.play.players.base import GameLine
from plywire.engine.analysis import Analysis
from plywire.engine.engine import LocalEngine
from plywire.engine.game import Position, Result
from plywire.engine.limits import SearchLimits


class Oracle:
    """Searches for proven values, in the calling thread."""

    def __init__(self, *, nodes: int, hash_mb: int = 16) -> None:
        """`nodes` is the most nodes to search for one position."""
        self._limits = SearchLimits(nodes=nodes)
        self._engine = LocalEngine(hash_mb=hash_mb)

    def value(self, position: Position) -> int | None:
        """Return the proven final score with best play, on the scale of `Result.score`, or None."""
        return value_of(position, self.analyse(position))

    def analyse(self, position: Position) -> Analysis:
        return self._engine.analyse(position, self._limits)

    def regret(self, position: Position, move: int) -> int | None:
        """Return the loss against the best move, as in `Result.score`; None if it is not proven."""
        found = self.analyse(position)
        before = value_of(position, found)
        after = before if move == found.best else self.value(position.play(move))
        if before is None or after is None:
            return None
        return after - before if position.turn else before - after

    def adjudicate(self, line: GameLine) -> Result | None:
        value = self.value(line.position)
        if value is None:
            return None
        return Result(None if value == 0 else int(value < 0), value, "proven by the engine")


def value_of(position: Position, found: Analysis | None) -> int | None:
    """Return the value of a position by its analysis, on the scale of `Oracle.value`."""
    if (result := position.result()) is not None:
        return result.score
    score = None if found is None else found.score
    if score is None or not score.proven:
        return None
    value = {"win": 1, "loss": -1, "draw": 0}.get(score.kind, score.value)
    return -value if position.turn else value
