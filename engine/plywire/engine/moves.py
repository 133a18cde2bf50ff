"""What kernels and rules call a pass.

This module is apart from `game.py`, because the IR of all kernels depends on the files that they
import.
"""

#: The move that leaves the board as it is; all other moves are squares, 0 to 63.
PASS = 64
