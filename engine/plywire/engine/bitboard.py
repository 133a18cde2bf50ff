"""Plain-integer bitboards, for all games."""

from collections.abc import Sequence

#: A board as rows of bit numbers, the top row first.
Grid = Sequence[Sequence[int]]


def squares(board: int) -> tuple[int, ...]:
    """Return the numbers of the set bits, in ascending order."""
    found = []
    while board:
        lowest = board & -board
        found.append(lowest.bit_length() - 1)
        board ^= lowest
    return tuple(found)


def cells(grid: Grid, first: int, second: int) -> tuple[str, ...]:
    """Return rows from the top: `x` for player 1, `o` for player 2, `.` for empty squares."""
    return tuple(
        "".join(
            "x" if first >> square & 1 else "o" if second >> square & 1 else "." for square in row
        )
        for row in grid
    )
