"""Words that most kernels need; with plain numbers, unsigned arithmetic would give floats."""

import numpy as np

from plywire.engine.moves import PASS

NONE = np.uint64(0)
ONE, TWO, THREE = np.uint64(1), np.uint64(2), np.uint64(3)
ALL = np.uint64(0xFFFF_FFFF_FFFF_FFFF)
BYTE = np.uint64(0xFF)
#: The size of a word in bytes.
WORD = np.uint64(8)
PASS_SQUARE = np.uint64(PASS)
