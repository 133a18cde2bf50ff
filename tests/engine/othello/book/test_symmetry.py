"""The eight images of a board."""

import random

from plywire.engine.bitboard import squares
from plywire.engine.othello.book.symmetry import canonical, images


def words(count: int, seed: int) -> list[int]:
    chance = random.Random(seed)
    return [chance.getrandbits(64) for _ in range(count)]


def test_the_images_are_the_symmetries_of_a_square() -> None:
    for word in words(20, seed=1):
        places = {(square % 8, square // 8) for square in squares(word)}
        expected = set()
        for swaps in (False, True):
            for file_sign in (1, -1):
                for rank_sign in (1, -1):
                    turned = {(y, x) if swaps else (x, y) for x, y in places}
                    expected.add(
                        sum(
                            1
                            << (x if file_sign > 0 else 7 - x) + 8 * (y if rank_sign > 0 else 7 - y)
                            for x, y in turned
                        )
                    )
        assert set(images(word)) == expected
        assert next(images(word)) == word


def test_all_images_of_a_position_have_the_same_least() -> None:
    for own, other in zip(words(50, seed=2), words(50, seed=3), strict=True):
        boards = list(zip(images(own), images(other), strict=True))
        assert {canonical(*board) for board in boards} == {min(boards)}
