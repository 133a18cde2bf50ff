"""Boards as pictures."""

import struct
import zlib

import numpy as np

from plywire.clients.board import Board
from plywire.clients.board_image import board_png


def pixels(png: bytes) -> np.ndarray:
    """What a file shows, by the chunks that the format asks for."""
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    chunks, at = {}, 8
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        kind, data = png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        assert struct.unpack(">I", png[at + 8 + length : at + 12 + length])[0] == zlib.crc32(
            kind + data
        )
        chunks[kind] = data
        at += 12 + length
    assert list(chunks) == [b"IHDR", b"IDAT", b"IEND"]
    width, height = struct.unpack(">II", chunks[b"IHDR"][:8])
    rows = np.frombuffer(zlib.decompress(chunks[b"IDAT"]), np.uint8).reshape(height, -1)
    assert not rows[:, 0].any()
    return rows[:, 1:].reshape(height, width, 3)


def test_each_square_shows_what_it_holds() -> None:
    for game, moves in (
        ("connect4", "4455"),
        ("othello", ("d3", "c3")),
        ("tictactoe", ("a1", "b2")),
    ):
        board = Board(game)
        for move in moves:
            board.push(move)
        cells = board.line.position.cells()
        shown = pixels(board_png(board.line.position))
        side = shown.shape[0] // len(cells)
        assert shown.shape == (side * len(cells), side * len(cells[0]), 3)
        colours: dict[str, set[tuple[int, ...]]] = {"x": set(), "o": set(), ".": set()}
        for row, squares in enumerate(cells):
            for column, holds in enumerate(squares):
                middle = shown[row * side + side // 2, column * side + side // 2]
                colours[holds].add(tuple(middle))
        assert [len(one) for one in colours.values()] == [1, 1, 1]
        assert len(set.union(*colours.values())) == 3
