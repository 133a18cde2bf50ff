"""Constants of Connect Four's board sizes, as kernels see them."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from plywire.engine.compiled.intrinsics import store_vector
from plywire.engine.compiled.kernel import kernel
from plywire.engine.compiled.program import UINT64, Entry
from plywire.engine.connect4.solver.geometry import (
    LANES,
    Geometry,
    from_border,
    from_border_beyond,
)


@kernel
def borders(geometry: Any, target: Any) -> Any:
    store_vector(target, from_border(geometry))
    store_vector(target + np.uint64(8 * LANES), from_border_beyond(geometry))


def entries() -> Mapping[str, Entry]:
    return {"borders": Entry(borders, Geometry, UINT64)}
