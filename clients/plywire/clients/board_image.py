"""A board as a picture, for those that look rather than read."""

import struct
import zlib

import numpy as np
from numpy.typing import NDArray

from plywire.engine.game import Position

#: Of a square, in pixels.
_SIZE = 48
_LINE = 1
#: Radius of a disc, in squares.
_DISC = 0.4
#: By game: the board, its lines, an empty square, the first player's discs and the second's.
_COLOURS = {
    "connect4": ("1f4e9c", "1f4e9c", "eef2f8", "d8372f", "f3c623"),
    "othello": ("2e7d4f", "1d5735", "2e7d4f", "151515", "f6f6f2"),
}
_OTHER_COLOURS = ("f6f3ea", "8a8578", "f6f3ea", "c2453d", "2c6aa8")


def board_png(position: Position) -> bytes:
    """The board as a PNG, its rows as `Position.cells` has them.

    Discs are red and yellow in Connect Four, black and white in Othello, red and blue elsewhere,
    the first player's named first.
    """
    names = _COLOURS.get(position.game.name, _OTHER_COLOURS)
    board, line, *discs = (tuple(bytes.fromhex(name)) for name in names)
    cells = position.cells()
    image = np.empty((len(cells) * _SIZE, len(cells[0]) * _SIZE, 3), np.uint8)
    across = np.arange(_SIZE) - (_SIZE - 1) / 2
    distance = np.hypot(across, across[:, None])
    for row, squares in enumerate(cells):
        for column, holds in enumerate(squares):
            top, left = row * _SIZE, column * _SIZE
            square = image[top : top + _SIZE, left : left + _SIZE]
            square[:] = line
            square[_LINE:-_LINE, _LINE:-_LINE] = board
            square[distance < _DISC * _SIZE] = discs[".xo".index(holds)]
    return _png(image)


def _png(image: NDArray[np.uint8]) -> bytes:
    """Rows of red, green and blue as a file (https://www.w3.org/TR/png/), unfiltered."""
    height, width, _ = image.shape
    rows = np.insert(image.reshape(height, -1), 0, 0, axis=1)
    parts = (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)),
        (b"IDAT", zlib.compress(rows.tobytes())),
        (b"IEND", b""),
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in parts
    )
