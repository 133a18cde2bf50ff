"""Tic-Tac-Toe in one 32-bit word.

    bit   31    30..25   24..16   15     14..9   8..0
          on    0        O        turn   0       X

Bit 15 is set if X is to move, bit 31 while the game goes on, so a game begins with 0x80008000.

The squares of both players have the same numbers:

    6 7 8   3
    3 4 5   2
    0 1 2   1
    a b c

The project's source documents define the halves and the flags. Square 0 is a1, as in all games
here; turn other drawings before you compare words.
"""

X_TO_MOVE = 1 << 15
GAME_ON = 1 << 31
