"""A board as a PNG image; the page draws its own."""

import struct
import zlib

import numpy as np
from numpy.typing import NDArray

from plywire.engine.game import Position

#: Each pixel averages _SAMPLES × _SAMPLES points.
_SAMPLES = 3
#: Radius of a piece, as a part of a square's side.
_RADIUS = 0.42


def board_png(position: Position, side: int = 600) -> bytes:
    """Draw a board as a PNG, in the row order of `Position.cells` and the colours of the game.

    The longer side has `side` pixels at most, and the same number for each square.
    """
    cells = position.cells()
    size = side // max(len(cells), len(cells[0]))
    colours = position.game.colours
    ground, line, *inks = (np.array(tuple(bytes.fromhex(colour))) for colour in colours)
    square = np.empty((size, size, 3))
    square[:] = line
    square[1:-1, 1:-1] = ground
    share = _covered(size)[..., None]
    squares = [np.rint(square + (ink - square) * share).astype(np.uint8) for ink in inks]
    rows = [np.hstack([squares[".xo".index(holds)] for holds in row]) for row in cells]
    return _png(np.vstack(rows))


def _covered(size: int) -> NDArray[np.float64]:
    """Return the share of each pixel of a square that a piece covers, from 0 to 1."""
    across = (np.arange(size * _SAMPLES) + 0.5) / (size * _SAMPLES) - 0.5
    inside = np.hypot(across, across[:, None]) < _RADIUS
    share: NDArray[np.float64] = inside.reshape(size, _SAMPLES, size, _SAMPLES).mean(axis=(1, 3))
    return share


def _png(image: NDArray[np.uint8]) -> bytes:
    """Encode RGB rows as an unfiltered PNG (https://www.w3.org/TR/png/)."""
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
