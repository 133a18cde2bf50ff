from typing import Any

import numpy as np
from hypothesis import given

from plywire.engine import fen
from plywire.engine.compiled.kernel import kernel
from plywire.engine.othello import kernels, rules
from plywire.engine.othello.kernels import shipped_board
from plywire.engine.othello.rules import Othello
from tests.support.agreement import check_random_games, estimate
from tests.support.discs import boards
from tests.support.walks import positions

GAME = Othello()


@kernel
def mobility(own: Any, other: Any) -> Any:
    return kernels.mobility(own, other)


@kernel
def flips(board: Any, own: Any, other: Any, square: Any) -> Any:
    return kernels.flips(board, own, other, square)


def test_kernels_agree_with_the_rules() -> None:
    check_random_games(GAME, 60)


@given(boards)
def test_mobility_and_flips_of_any_discs(discs: tuple[int, int]) -> None:
    own, other = discs
    words = np.uint64(own), np.uint64(other)
    assert mobility(*words) == rules.mobility(own, other)
    for square in range(64):
        disc = 1 << square
        if not disc & (own | other):
            assert flips(shipped_board(), *words, np.uint64(square)) == rules.flips(
                own, other, disc
            )


@given(boards)
def test_a_pass_flips_nothing(discs: tuple[int, int]) -> None:
    assert flips(shipped_board(), *map(np.uint64, discs), np.uint64(64)) == 0


@given(positions(GAME))
def test_the_evaluation_has_the_symmetry_of_the_board_and_of_the_colours(
    position: rules.OthelloPosition,
) -> None:
    rows = position.cells()
    value = estimate(position)
    transposed = tuple("".join(column) for column in zip(*rows, strict=True))
    mirrored = tuple(row[::-1] for row in rows)
    for image in (rows[::-1], mirrored, transposed):
        assert estimate(GAME.parse(fen.write(image, position.turn))) == value
    recoloured = tuple(row.translate(str.maketrans("xo", "ox")) for row in rows)
    assert estimate(GAME.parse(fen.write(recoloured, 1 - position.turn))) == value
