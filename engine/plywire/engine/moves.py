"""The pass. It is apart from `game.py`, because a kernel's IR depends on the files it imports."""

#: The number of a pass, which leaves the board as it is. All other moves are squares, 0 to 63.
PASS = 64
