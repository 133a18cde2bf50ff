"""What is computed bit by bit in parallel, compared with the same said square by square."""

from typing import Any

import pytest

from plywire.engine.connect4.rules import Connect4
from tests.support.connect4 import random_positions
from tests.support.connect4_truth import Truth
from tests.support.kernels import solver_kernels, unsigned

GAME = Connect4(5, 4)
TRUTH = Truth(GAME)
KERNELS = solver_kernels(5, 4)
SQUARES = [5 * column + row for column in range(5) for row in range(4)]


def bits(squares: Any) -> int:
    return sum(1 << square for square in squares)


def has_four_through(stones: int, square: int) -> bool:
    with_it = stones | 1 << square
    return GAME.has_four(with_it) and not GAME.has_four(stones)


@pytest.mark.parametrize("stones", [4, 9, 14])
def test_lines(stones: int) -> None:
    for position in random_positions(GAME, stones, 30, seed=stones):
        own, taken = position.own, position.own | position.other
        completing = unsigned(KERNELS.completing(own)) & GAME.full & ~taken
        empty = [square for square in SQUARES if not taken >> square & 1]
        assert completing == bits(s for s in empty if has_four_through(own, s))
        landings = unsigned(KERNELS.landings(taken))
        assert landings == bits(position.moves())
        columns = unsigned(KERNELS.columns_of(taken))
        used = {square // 5 for square in SQUARES if taken >> square & 1}
        assert columns == bits(square for square in SQUARES if square // 5 in used)
        mirrored = unsigned(KERNELS.mirrored(taken))
        there = bits(5 * (4 - s // 5) + s % 5 for s in SQUARES if taken >> s & 1)
        assert mirrored == there
        lined = unsigned(KERNELS.lined_up(GAME.full & ~own))
        free = GAME.full & ~own
        through = bits(s for s in SQUARES if free >> s & 1 and in_a_four(free, s))
        assert lined == through


def in_a_four(stones: int, square: int) -> bool:
    """Whether one of the fours that the stones hold goes through the square."""
    column, row = divmod(square, 5)
    for right, up in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for start in range(-3, 1):
            line = [(column + k * right, row + k * up) for k in range(start, start + 4)]
            if all(0 <= c < 5 and 0 <= r < 4 and stones >> 5 * c + r & 1 for c, r in line):
                return True
    return False


@pytest.mark.parametrize("stones", range(4, 16))
def test_follow_up_proves_nothing_that_is_not_so(stones: int) -> None:
    proven = 0
    for position in random_positions(GAME, stones, 60, seed=stones):
        own, other = position.own, position.other
        landings = bits(position.moves())
        if (KERNELS.completing(own) | KERNELS.completing(other)) & landings:
            continue
        odd = (1 << 64) - 1 if stones % 2 else 0
        proof = KERNELS.follow_up(own, other, odd, True)
        if proof:
            proven += 1
            # Not by a solver that uses the same proofs: by the exact value.
            assert TRUTH.score(position) <= 1 - proof, position.fen()
    assert proven or stones < 6 or stones % 2
