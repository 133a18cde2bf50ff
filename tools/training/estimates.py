"""Estimates of many positions by an evaluation."""

import numpy as np
from numpy.typing import NDArray

from plywire.engine.othello.evaluation.weights import Tables
from plywire.engine.othello.kernels import board_with

from .kernels import call
from .positions import Positions


def estimates(positions: Positions, tables: Tables) -> NDArray[np.int32]:
    """Estimate each position by tables of weights, in hundredths of a disc."""
    found = np.empty(len(positions), np.int64)
    call("estimates", *board_with(tables), positions.own, positions.other, found, len(found))
    return found.astype(np.int32)
