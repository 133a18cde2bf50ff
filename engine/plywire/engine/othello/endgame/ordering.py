"""Which move first: the better the guess, the smaller the tree.

The move that leaves the opponent the fewest replies ("fastest first"), with corners weighing more,
and quarters with an odd number of empty squares first.
"""

from typing import Any

import numpy as np

from plywire.engine.compiled.constants import NONE, TWO
from plywire.engine.compiled.intrinsics import popcount
from plywire.engine.compiled.kernel import kernel
from plywire.engine.othello.kernels import CORNERS

#: Above every move score.
FIRST = np.uint64(1 << 20)
#: Keeps move scores above 0: no position has as many replies.
_MANY = np.uint64(1 << 18)
# How much a reply, and an odd quarter, weigh.
_REPLY = np.uint64(8)
_ODD = np.uint64(4)


@kernel
def move_score(replies: Any, is_odd: Any) -> Any:
    """How early to try a move that leaves some replies, a corner counting as three of them."""
    count = popcount(replies) + TWO * popcount(replies & CORNERS)
    return _MANY - _REPLY * count + (_ODD if is_odd else NONE)
