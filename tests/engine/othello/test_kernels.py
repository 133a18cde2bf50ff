import random
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from plywire.engine import fen
from plywire.engine.compiled import kernel
from plywire.engine.othello import evaluation, kernels, rules
from plywire.engine.othello.rules import Othello
from tests.support.agreement import check_random_games, estimate
from tests.support.random_play import random_game
from tests.support.walks import positions

GAME = Othello()

#: Any two disjoint sets of discs, also such as no game leads to.
boards = st.tuples(st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1)).map(
    lambda pair: (pair[0] & ~pair[1], pair[1])
)


@kernel
def mobility(own: Any, other: Any) -> Any:
    return kernels.mobility(own, other)


@kernel
def flips(board: Any, own: Any, other: Any, square: Any) -> Any:
    return kernels.flips(board, own, other, square)


@kernel
def stable(discs: Any) -> Any:
    return evaluation.stable(discs)


@kernel
def neighbours(squares: Any) -> Any:
    return evaluation.neighbours(squares)


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
            assert flips(GAME.board(), *words, np.uint64(square)) == rules.flips(own, other, disc)


@given(boards)
def test_a_pass_flips_nothing(discs: tuple[int, int]) -> None:
    assert flips(GAME.board(), *map(np.uint64, discs), np.uint64(64)) == 0


@given(st.integers(0, 2**64 - 1))
def test_neighbours(squares: int) -> None:
    expected = 0
    for square in range(64):
        if squares >> square & 1:
            for x in (square % 8 - 1, square % 8, square % 8 + 1):
                for y in (square // 8 - 1, square // 8, square // 8 + 1):
                    if 0 <= x < 8 and 0 <= y < 8 and (x, y) != (square % 8, square // 8):
                        expected |= 1 << 8 * y + x
    assert neighbours(np.uint64(squares)) == expected


def test_stable_discs_are_never_flipped() -> None:
    rng = random.Random("stable")
    seen = 0
    for _ in range(60):
        kept = [0, 0]
        for position, _move in random_game(GAME, rng):
            own, other = position.words()
            discs = [other, own] if position.turn else [own, other]
            for player in (0, 1):
                assert kept[player] & ~discs[player] == 0
                kept[player] |= int(stable(np.uint64(discs[player])))
        seen += sum(map(int.bit_count, kept))
    assert seen > 500


def test_stable_discs_of_known_boards() -> None:
    corner_triangle = 0x0000_0000_0001_0307
    assert stable(np.uint64(corner_triangle)) == corner_triangle
    assert stable(np.uint64(0xFFFF_FFFF_FFFF_FFFF)) == 0xFFFF_FFFF_FFFF_FFFF
    assert stable(np.uint64(0x7E7E_7E7E_7E7E_7E7E)) == 0
    edge_without_corners = 0x7E
    assert stable(np.uint64(edge_without_corners)) == 0


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


@given(positions(GAME))
def test_what_is_good_for_one_is_bad_for_the_other(position: rules.OthelloPosition) -> None:
    for_the_other = rules.OthelloPosition(GAME, position.other, position.own, 1 - position.turn)
    assert estimate(for_the_other) == -estimate(position)
