"""What an evaluation says of many positions."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from plywire.engine.compiled.building.frontend import compiled
from plywire.engine.compiled.kernel import kernel
from plywire.engine.othello.evaluation.evaluation import estimate
from plywire.engine.othello.evaluation.weights import Tables
from plywire.engine.othello.kernels import board_with

from .positions import Positions


def estimates(positions: Positions, tables: Tables) -> NDArray[np.int32]:
    """Each position's estimate by the given tables, in hundredths of a disc."""
    found = np.empty(len(positions), np.int32)
    compiled(_estimates)(board_with(tables), positions.own, positions.other, found)
    return found


@kernel
def _estimates(board: Any, owns: Any, others: Any, found: Any) -> Any:
    for index in range(len(owns)):
        found[index] = estimate(board.weights, board.shares, owns[index], others[index])
