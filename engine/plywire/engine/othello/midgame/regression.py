"""What `probcut.py` looks up: how well a shallow search tells a deep one's value."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from plywire.engine.othello.confidence import CERTAIN, deviations


@cache
def shipped_table() -> NDArray[np.int16]:
    """The table, in the layout that `probcut.py` describes."""
    head = np.zeros(8, np.int16)
    head[:CERTAIN] = [round(256 * deviations(level)) for level in range(CERTAIN)]
    rows = np.zeros((61, 64, 4), np.int16)
    for e in range(61):
        for d in range(64):
            s = 2 * (d // 4) + (d & 1) if d < e else 2 * (d // 8) + (e & 1)
            rows[e, d] = s, 1024, 0, (200 + 12 * d + 3 * (60 - e) if d < e else 400 + 15 * d)
    return np.concatenate([head, rows.reshape(-1)])
