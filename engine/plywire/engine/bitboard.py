"""What the plain-integer bitboards of all games have in common."""

from collections.abc import Sequence

#: The bit number of every square, in rows from the top.
Grid = Sequence[Sequence[int]]


def squares(board: int) -> tuple[int, ...]:
    """The numbers of the bits that are set, in ascending order."""
    found = []
    while board:
        lowest = board & -board
        found.append(lowest.bit_length() - 1)
        board ^= lowest
    return tuple(found)


def cells(grid: Grid, first: int, second: int) -> tuple[str, ...]:
    """The rows from the top: `x` for the first player's pieces, `o` for the second's, else `.`."""
    return tuple(
        "".join(
            "x" if first >> square & 1 else "o" if second >> square & 1 else "." for square in row
        )
        for row in grid
    )
