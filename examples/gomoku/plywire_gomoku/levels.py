"""The levels of Gomoku: they look a few plies ahead, and err."""

from plywire.engine.analysis import EngineScore
from plywire.engine.limits import SearchLimits
from plywire.engine.search.levels import HIGHEST, Levels

#: The worth of a win, in hundredths.
_WIN = 1000


class GomokuLevels(Levels):
    """Levels that look one to four plies ahead and draw among the moves."""

    def in_words(self, level: int) -> str:
        """What people read about a level."""
        depth = self.to_score_all(level).depth
        return f"looks {depth} plies ahead" + (", and errs" if level < HIGHEST else "")

    def to_score_all(self, level: int) -> SearchLimits:
        """The search that scores all moves."""
        return SearchLimits(depth=1 + level // 3)

    def temperature(self, level: int) -> float:
        """How far the choice strays from the best move, in hundredths."""
        return 20.0 * (HIGHEST - level)

    def worth(self, score: EngineScore, level: int) -> float:
        """The worth of a move, in hundredths."""
        if score.kind == "cp":
            return score.value
        return {"win": _WIN, "loss": -_WIN}.get(score.kind, 0)
