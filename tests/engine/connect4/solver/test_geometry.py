import pytest

from plywire.engine.connect4.solver.geometry import LANES
from tests.kernels import CONNECT4_GEOMETRY
from tests.support.kernels import Kernels, solver_constants, written


@pytest.mark.parametrize("width", [4, 7, 8, 9, 12])
def test_lanes_know_how_far_their_column_is_from_the_border(width: int) -> None:
    kernels = Kernels(CONNECT4_GEOMETRY, solver_constants(width, 4))
    found = list(written(2 * LANES, kernels.borders))
    assert found[:width] == [min(column, width - 1 - column) for column in range(width)]
