"""Boards as text: the position strings and drawings of all games.

A position string lists the rows from the top, then the player to move. `x` is a piece of player 1,
`o` of player 2, and a number a run of empty squares: `7/7/7/7/3o3/3x3 x`.
"""

import re
from collections.abc import Sequence

from .bitboard import Grid
from .game import PositionError, quoted

LETTERS = "xo"

_NUMBER = re.compile(r"[1-9][0-9]?(?![0-9])")
_RUN = re.compile(r"\.+")


def write(cells: Sequence[str], turn: int) -> str:
    """Return the position string of a board, given as rows from the top and the player to move."""
    rows = (_RUN.sub(lambda run: str(len(run[0])), row) for row in cells)
    return f"{'/'.join(rows)} {LETTERS[turn]}"


def read(text: str, grid: Grid) -> tuple[int, int, int]:
    """Return the bitboards of players 1 and 2, and the player to move (0 or 1).

    Raises PositionError if the text is no board of exactly the grid's size.
    """
    fields = text.lower().split()
    if len(fields) != 2:
        raise PositionError(
            f"bad position {quoted(text)}: write the rows from the top, separated by '/', "
            "then a space and the player to move, x or o"
        )
    board, player = fields
    if player not in ("x", "o"):
        raise PositionError(f"bad player to move {quoted(player)}: it is x or o")
    rows = board.split("/")
    if len(rows) != len(grid):
        raise PositionError(
            f"the position has {len(rows)} rows, but the board is {len(grid[0])}x{len(grid)} "
            f"and has {len(grid)}"
        )
    pieces = {"x": 0, "o": 0, ".": 0}
    for number, (row, line) in enumerate(zip(rows, grid, strict=True), 1):
        for square, piece in zip(line, _read_row(row, number, len(line)), strict=True):
            pieces[piece] |= 1 << square
    return pieces["x"], pieces["o"], LETTERS.index(player)


def _read_row(row: str, number: int, width: int) -> str:
    pieces = _NUMBER.sub(lambda run: "." * int(run[0]), row)
    if not row or "." in row or pieces.strip("xo."):
        raise PositionError(
            f"bad row {quoted(row)}, number {number} from the top: "
            "it holds x, o and numbers of empty squares"
        )
    if len(pieces) != width:
        raise PositionError(
            f"row {quoted(row)}, number {number} from the top, has {len(pieces)} squares, "
            f"but the board is {width} wide"
        )
    return pieces


def check_turn(first: int, second: int, turn: int) -> None:
    """Raise PositionError if one piece a turn cannot give these numbers of pieces and this turn."""
    xs, os = first.bit_count(), second.bit_count()
    if xs - os != turn:
        raise PositionError(
            f"{xs} x and {os} o with {LETTERS[turn]} to move: x begins, so there are as many o "
            "as x when x is to move, and one fewer when o is"
        )


def square_name(file: int, rank: int) -> str:
    """Return the name of the square in a file (0 is `a`) and a rank (0 is `1`)."""
    return f"{chr(ord('a') + file)}{rank + 1}"


def draw(cells: Sequence[str], files: Sequence[str], ranks: Sequence[str]) -> str:
    """Return the board as lines of text, with ranks at the left and files below."""
    cell = max(map(len, files)) + 1
    margin = max(map(len, ranks))
    lines = [
        f"{rank:>{margin}}" + "".join(f"{piece:>{cell}}" for piece in row)
        for rank, row in zip(ranks, cells, strict=True)
    ]
    lines.append(" " * margin + "".join(f"{file:>{cell}}" for file in files))
    return "\n".join(lines)
