"""The search that nobody can get wrong, to compare the real one with."""

from plywire.engine.analysis import EngineScore
from plywire.engine.game import Position

#: What a win is worth: the nearer, the better.
_WIN = 1000


class Negamax:
    """Plain negamax over the plain rules, to the end of every game; remembers what it has seen."""

    def __init__(self) -> None:
        self._known: dict[Position, int] = {}

    def score(self, position: Position) -> EngineScore:
        """The exact score of a position, for the side to move."""
        value = self._value(position)
        if value > _WIN // 2:
            return EngineScore("win", _WIN - value)
        if value < -_WIN // 2:
            return EngineScore("loss", _WIN + value)
        return EngineScore("exact", value) if value else EngineScore("draw")

    def _value(self, position: Position) -> int:
        if position not in self._known:
            result = position.result()
            if result is None:
                children = (self._value(position.play(move)) for move in position.moves())
                value = max(-_one_ply_later(child) for child in children)
            else:
                value = result.score if position.turn == 0 else -result.score
                if position.game.name != "othello":
                    value *= _WIN
            self._known[position] = value
        return self._known[position]


def _one_ply_later(value: int) -> int:
    if value > _WIN // 2:
        return value - 1
    if value < -_WIN // 2:
        return value + 1
    return value
