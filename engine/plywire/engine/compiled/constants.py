"""The words that most kernels need: a plain number would turn unsigned arithmetic into floats."""

import numpy as np

from plywire.engine.moves import PASS

#: No bits: the empty set.
NONE = np.uint64(0)
ONE, TWO, THREE = np.uint64(1), np.uint64(2), np.uint64(3)
#: All bits.
ALL = np.uint64(0xFFFF_FFFF_FFFF_FFFF)
#: The lowest eight bits.
BYTE = np.uint64(0xFF)
#: Bytes of a word.
WORD = np.uint64(8)
#: Where a pass lands.
PASS_SQUARE = np.uint64(PASS)
