"""Gomoku's 7x7 board: bit = 8 * row + column, row 0 at the bottom, column 7 always empty."""

#: All squares of the board.
FULL = 0x007F_7F7F_7F7F_7F7F
#: How far apart neighbours' bits are: along a row, the two diagonals, a column.
STEPS = (1, 7, 8, 9)
