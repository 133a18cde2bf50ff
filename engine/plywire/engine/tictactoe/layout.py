"""Tic-Tac-Toe in one 32-bit word.

    bit   31    30..25   24..16   15     14..9   8..0
          on    0        O        turn   0       X

Bit 15 is set when X is to move, bit 31 while the game goes on: a game begins with 0x80008000.

Both players' squares are numbered alike, a1 at the lower left:

    6 7 8   3
    3 4 5   2
    0 1 2   1
    a b c

The halves and the two flags are laid down by the project's source documents. The numbering of the
squares is that of all games here, whose first square is a1; a drawing that counts from another
corner is to be turned to it before words are compared bit by bit.
"""

#: Set when X is to move.
X_TO_MOVE = 1 << 15
#: Set while the game goes on.
GAME_ON = 1 << 31
