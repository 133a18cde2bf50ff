"""Late move reductions: searching late children less deep at first.

Where the first children, best move score first, are not good enough, the others seldom are. They
are searched less deep, and to the full depth only if that finds more than the bound. Known from
chess; T. Romstad, "An Introduction to Late Move Reductions", 2006. Searches to the end keep their
depth: less deep, they would rest on estimates.
"""

from typing import Any

import numpy as np

from plywire.engine.compiled.kernel import kernel

from .node import CERTAIN

#: After so many children, those that follow are late.
_EARLY = np.int64(2)
#: From the first depth on, late children are searched a step less deep, from the second on two.
_DEPTH = np.int64(5)
_DEPTH_OF_TWO = np.int64(10)
#: Of two plies: depths of one parity agree, see `iterations`.
_STEP = np.int64(2)


@kernel
def reduction(depth: Any, level: Any, is_to_end: Any, searched: Any) -> Any:
    """By how many plies a node's next child is searched less deep at first (int64).

    `depth` is the node's, and `searched` says how many of its children have been searched.
    """
    is_full = is_to_end or level == CERTAIN
    if is_full or searched < _EARLY or depth < _DEPTH:
        return np.int64(0)
    return _STEP if depth < _DEPTH_OF_TWO else _STEP + _STEP
