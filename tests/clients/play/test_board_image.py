"""Boards as pictures."""

from plywire.clients.play.board import Board
from plywire.clients.play.board_image import board_png
from tests.support.png import pixels


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
