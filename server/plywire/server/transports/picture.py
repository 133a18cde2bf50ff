"""A position as a PNG, for preview cards; the page draws its own.

PNG: <https://www.w3.org/TR/png-3/>. A board is put together of squares, each drawn once.
"""

import struct
import zlib
from functools import cache

from plywire.engine.registry import load
from plywire.protocol.messages.watching import GameState

Colour = tuple[int, int, int]

#: The longer side of a board, in pixels, and the samples of a pixel along each of its sides.
_SIDE = 600
_SAMPLES = 3

#: Of each game: the ground, lines, an empty square, and both players' pieces.
_COLOURS: dict[str, tuple[Colour, Colour, Colour, Colour, Colour]] = {
    "connect4": ((58, 106, 130), (58, 106, 130), (230, 236, 241), (240, 189, 63), (210, 72, 63)),
    "tictactoe": (
        (255, 254, 251),
        (198, 192, 180),
        (255, 254, 251),
        (31, 95, 122),
        (164, 51, 31),
    ),
}
_OTHERS = ((63, 127, 95), (44, 95, 70), (63, 127, 95), (27, 29, 31), (246, 244, 238))


def png(state: GameState) -> bytes:
    """The position of a game as it stands; raises RulesError if it cannot be played."""
    rules = load(state.game, state.size)
    start = rules.parse(state.fen)
    position = (start, *start.play_names(state.moves))[-1]
    rows = [_cells(row) for row in position.fen().split()[0].split("/")]
    size = _SIDE // max(len(rows), len(rows[0]))
    lines = [
        b"\0" + b"".join(_square(state.game, piece, size)[y] for piece in row)
        for row in rows
        for y in range(size)
    ]
    header = struct.pack(">IIBBBBB", size * len(rows[0]), size * len(rows), 8, 2, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(b"".join(lines))), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in parts
    )


def _cells(row: str) -> list[int]:
    """The piece on each square of a row, 0 where there is none."""
    spread = row
    for number in range(64, 0, -1):
        spread = spread.replace(str(number), "." * number)
    return [".xo".index(piece) for piece in spread]


@cache
def _square(game: str, piece: int, size: int) -> tuple[bytes, ...]:
    """A square of so many pixels with a piece on it, as lines of RGB."""
    ground, line, empty, *pieces = _COLOURS.get(game, _OTHERS)
    ink = pieces[piece - 1] if piece else empty
    edges = [0.5 + number for number in range(size)]
    lines = []
    for y in edges:
        pixels = bytearray()
        for x in edges:
            is_edge = min(x, y) < 1 or max(x, y) > size - 1
            share = _covered(game, piece, x / size - 0.5, y / size - 0.5, 1 / size)
            under = line if is_edge else ground
            mixed = (round(a + (b - a) * share) for a, b in zip(under, ink, strict=True))
            pixels += bytes(mixed)
        lines.append(bytes(pixels))
    return tuple(lines)


def _covered(game: str, piece: int, x: float, y: float, pixel: float) -> float:
    """How much of a pixel a piece covers, from 0 to 1; the square's sides are 1, its middle 0."""
    steps = [(number + 0.5) / _SAMPLES - 0.5 for number in range(_SAMPLES)]
    inside = [_is_inside(game, piece, x + a * pixel, y + b * pixel) for a in steps for b in steps]
    return sum(inside) / len(inside)


def _is_inside(game: str, piece: int, x: float, y: float) -> bool:
    if game != "tictactoe":
        return x * x + y * y < 0.42**2
    if piece == 1:
        return min(abs(x - y), abs(x + y)) < 0.09 and max(abs(x), abs(y)) < 0.3
    return piece == 2 and 0.24**2 < x * x + y * y < 0.36**2
