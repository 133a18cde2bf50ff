"""Plain alpha-beta to the end of an Othello game: no table, no ordering, no knowledge."""

from plywire.engine.othello.kernels import shipped_board
from plywire.engine.othello.rules import OthelloPosition
from tests.kernels import OTHELLO
from tests.support.kernels import Kernels

_KERNELS = Kernels(OTHELLO)


def plain_score(position: OthelloPosition) -> int:
    """The exact score for the side to move."""
    score: int = _KERNELS.plain_score(*shipped_board(), *position.words(), -64, 64)
    return score
