"""How kernels notice that they must end: by the count of their nodes, now and then by the clock.

Each thread counts its nodes and compares the count with one word: how far it may go until it looks
at its limits again. Looking takes a call of a C function, a matter of nanoseconds, and is done
every few hundred nodes.
"""

from typing import Any

import numpy as np

from plywire.engine.compiled.constants import ALL, ONE, WORD
from plywire.engine.compiled.intrinsics import atomic_store64, clock_ticks, load64, store64
from plywire.engine.compiled.kernel import kernel

#: Nodes from one look to the next: a few dozen microseconds.
_INTERVAL = np.uint64(256)


@kernel
def must_end(nodes: Any, limit: Any, next_look: Any, stop: Any) -> Any:
    """Whether there are no nodes left, or no time: then sets the stop, for all who share it.

    Called once `nodes` has reached the word at the address `next_look`, which is moved on; `stop`
    is the address of a `Stop`'s words.
    """
    if nodes >= limit:
        return True
    deadline = load64(stop + WORD)
    if deadline != ALL and clock_ticks(load64(stop + WORD + WORD)) >= deadline:
        atomic_store64(stop, ONE)
        return True
    store64(next_look, min(limit, nodes + _INTERVAL))
    return False
