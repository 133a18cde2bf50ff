from typing import Any

import numpy as np
import pytest

from plywire.engine.compiled.intrinsics import store_vector
from plywire.engine.compiled.kernel import kernel
from plywire.engine.connect4.solver.geometry import (
    LANES,
    Geometry,
    from_border,
    from_border_beyond,
)


@kernel
def _store(geometry: Any, first: Any, beyond: Any) -> None:
    store_vector(first, from_border(geometry))
    store_vector(beyond, from_border_beyond(geometry))


@pytest.mark.parametrize("width", [4, 7, 8, 9, 12])
def test_lanes_know_how_far_their_column_is_from_the_border(width: int) -> None:
    lanes = np.zeros(2 * LANES + 8, np.uint64)
    aligned = lanes.ctypes.data + 63 & ~63
    _store(Geometry(width, 4), np.uint64(aligned), np.uint64(aligned + 8 * LANES))
    start = (aligned - lanes.ctypes.data) // 8
    found = lanes[start : start + width].tolist()
    assert found == [min(column, width - 1 - column) for column in range(width)]
