"""WTHOR: the games of a year in binary files, `.wtb` (https://www.ffothello.org/wthor).

A header has 16 bytes, with the number of games at byte 4. Each game has 68 bytes: three numbers of
two bytes, Black's real and theoretical number of discs, and 60 moves. A move is 10 * row + column,
such as 56 for f5; 0 is no move.
"""

import struct
from collections.abc import Iterator

_HEADER, _GAME, _MOVES = 16, 68, 8


def is_wthor(data: bytes) -> bool:
    """Return whether the size of the data and the board size are those of a WTHOR file."""
    if len(data) < _HEADER + _GAME or (len(data) - _HEADER) % _GAME:
        return False
    (games,) = struct.unpack_from("<i", data, 4)
    return len(data) == _HEADER + _GAME * games and data[12] in (0, 8)


def lines(data: bytes) -> Iterator[str]:
    """Yield each game as a line of moves; an invalid square becomes `==`."""
    for start in range(_HEADER, len(data), _GAME):
        moves = data[start + _MOVES : start + _GAME].rstrip(b"\0")
        yield "".join(map(_square, moves)) + "\n"


def _square(number: int) -> str:
    row, column = divmod(number, 10)
    return f"{'abcdefgh'[column - 1]}{row}" if 1 <= row <= 8 and 1 <= column <= 8 else "=="
