"""WTHOR: the games of a year in binary files, `.wtb` (https://www.ffothello.org/wthor).

A header of 16 bytes, which holds the number of games at byte 4, and 68 bytes a game: three numbers
of two bytes, the discs of Black in fact and in theory, and 60 moves, of which 56 is f5 and 0 none.
"""

import struct
from collections.abc import Iterator

_HEADER, _GAME, _MOVES = 16, 68, 8


def is_wthor(data: bytes) -> bool:
    """Whether the size of the data, and the size of the board, are those of a file of games."""
    if len(data) < _HEADER + _GAME or (len(data) - _HEADER) % _GAME:
        return False
    (games,) = struct.unpack_from("<i", data, 4)
    return len(data) == _HEADER + _GAME * games and data[12] in (0, 8)


def lines(data: bytes) -> Iterator[str]:
    """The move strings, a line a game; what is no square is `==`."""
    for start in range(_HEADER, len(data), _GAME):
        moves = data[start + _MOVES : start + _GAME].rstrip(b"\0")
        yield "".join(map(_square, moves)) + "\n"


def _square(number: int) -> str:
    row, column = divmod(number, 10)
    return f"{'abcdefgh'[column - 1]}{row}" if 1 <= row <= 8 and 1 <= column <= 8 else "=="
