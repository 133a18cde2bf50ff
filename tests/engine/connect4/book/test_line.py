"""What the book tells of the best move by itself, against the solver."""

import random

import pytest

from plywire.engine.connect4.book.book import shipped_book
from plywire.engine.connect4.book.line import best_line
from plywire.engine.connect4.solver.solver import Solver
from plywire.engine.registry import load
from tests.support.random_play import after_random_moves

GAME = load("connect4")


@pytest.mark.parametrize("plies", [0, 3, 8, 11])
def test_a_best_move_has_the_value_of_the_position(plies: int) -> None:
    book = shipped_book(7, 6)
    assert book is not None
    solver = Solver(table_mb=4, book=book)
    for seed in range(20):
        position = after_random_moves(GAME, plies, seed)
        line = best_line(book, position, random.Random(seed))
        assert line is not None
        score = solver.score(position)
        kind = "win" if score > 0 else "loss" if score < 0 else "draw"
        value = solver.distance(position, score) if score else 0
        assert (line.score.kind, line.score.value) == (kind, value)
        after = position.play(line.pv[0])
        assert after.is_over or -solver.score(after) == score


def test_beyond_its_end_the_book_says_nothing() -> None:
    book = shipped_book(7, 6)
    assert book is not None
    assert best_line(book, after_random_moves(GAME, 13, 1), random.Random(1)) is None
