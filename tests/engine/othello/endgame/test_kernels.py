import random

import numpy as np
import pytest

from plywire.engine.othello.memory import OthelloMemory
from plywire.engine.othello.ready_made import ready_made
from plywire.engine.othello.rules import Othello, OthelloPosition
from plywire.engine.search.table import TranspositionTable
from tests.kernels import OTHELLO_ENDGAME
from tests.support.kernels import Kernels, unsigned
from tests.support.random_play import random_game

GAME = Othello()
KERNELS = Kernels(OTHELLO_ENDGAME)
MEMORY = OthelloMemory(TranspositionTable(1), 0, 1 << 40)


def stable(own: int, other: int) -> int:
    return unsigned(KERNELS.stable_discs(MEMORY.address, own, other))


def bounds(address: int, key: int) -> tuple[int, int]:
    data = unsigned(KERNELS.probe(address, key))
    return (KERNELS.lower_bound(data), KERNELS.upper_bound(data)) if data else (-99, 99)


def minimax(position: OthelloPosition) -> int:
    result = position.result()
    if result is not None:
        return -result.score if position.turn else result.score
    return max(-minimax(position.play(move)) for move in position.moves())


def late_positions(empty: int, games: int) -> list[OthelloPosition]:
    """One position of each random game with that many empty squares, in which it goes on."""
    found = []
    chance = random.Random(empty)
    while len(found) < games:
        for position, _ in random_game(GAME, chance):
            if 64 - (position.own | position.other).bit_count() == empty:  # type: ignore[attr-defined]
                found.append(position)
                break
    return found  # type: ignore[return-value]


def odd_quarters(empty: int) -> int:
    odd = 0
    for quarter in (0x0F0F0F0F, 0xF0F0F0F0, 0x0F0F0F0F << 32, 0xF0F0F0F0 << 32):
        odd |= quarter if (empty & quarter).bit_count() % 2 else 0
    return odd


@pytest.mark.parametrize(("empty", "games"), [(1, 60), (2, 60), (3, 60), (4, 40), (5, 20), (6, 6)])
def test_each_window_of_the_last_squares_bounds_the_score(empty: int, games: int) -> None:
    for position in late_positions(empty, games):
        score = minimax(position)
        odd = odd_quarters(~(position.own | position.other) & (1 << 64) - 1)
        for alpha in (-65, score - 2, score - 1, score, score + 1, 63):
            words = MEMORY.address, position.own, position.other, odd
            found = KERNELS.solve_few(*words, alpha)
            if score > alpha:
                assert alpha < found <= score
            else:
                assert score <= found <= alpha


def test_stable_discs_never_flip() -> None:
    chance = random.Random(3)
    counted = 0
    for _ in range(40):
        seen: list[tuple[int, int]] = []
        for position, move in random_game(GAME, chance):
            after = position.play(move)
            sides = [(after.own, after.other), (after.other, after.own)]  # type: ignore[attr-defined]
            if after.turn:
                sides.reverse()
            for first, second in seen:
                assert not first & ~sides[0][0]
                assert not second & ~sides[1][0]
            found = [stable(own, other) for own, other in sides]
            for discs, (own, _) in zip(found, sides, strict=True):
                assert not discs & ~own
            seen.append((found[0], found[1]))
        counted += sum(discs.bit_count() for discs in seen[-1])
    assert counted > 40 * 50  # nearly all discs of a full board are stable


@pytest.mark.parametrize(
    ("own", "other", "expected"),
    [
        (0b1, 0, 0b1),
        (0b111, 0b1000, 0b111),  # from a corner
        (0b110, 0, 0),  # no corner: both ends can be taken
        (0b0111_1110, 0b1000_0001, 0b0111_1110),  # the edge is full
        (0b1110, 0b1_0001, 0),
        (0x0103, 0, 0x0103),
    ],
)
def test_stable_discs_of_a_rank(own: int, other: int, expected: int) -> None:
    assert stable(own, other) == expected


def test_the_edge_table_knows_an_edge_by_its_mirror_image() -> None:
    edges = ready_made("edges", np.uint8)
    mirrored = [int(f"{byte:08b}"[::-1], 2) for byte in range(256)]
    for own in range(256):
        for other in range(256):
            if not own & other:
                image = edges[256 * mirrored[own] + mirrored[other]]
                assert edges[256 * own + other] == mirrored[image]


def test_hashes_of_near_positions_differ() -> None:
    chance = random.Random(1)
    own = chance.getrandbits(64)
    other = chance.getrandbits(64) & ~own
    near = {(own, other)}
    near |= {(own ^ 1 << a, other ^ 1 << b) for a in range(64) for b in range(64)}
    hashes = {unsigned(KERNELS.hash_of(first, second)) for first, second in near}
    assert len(hashes) == len(near)
    # Also the part that picks the bucket.
    assert len({key & 0xFFFF_FFFF for key in hashes}) > len(near) - 5


def test_a_bucket_holds_two_and_lets_go_of_what_cost_least() -> None:
    memory = np.zeros(4, np.uint64)
    address = memory.ctypes.data
    for key, lower, nodes in ((11, -64, 100), (12, -2, 1000), (13, 0, 10)):
        KERNELS.store(address, key, lower, 64, nodes)
    assert bounds(address, 11)[0] == -99
    assert bounds(address, 12) == (-2, 64)
    assert bounds(address, 13) == (0, 64)
    KERNELS.store(address, 12, 2, 4, 1)
    assert bounds(address, 12) == (2, 4)
    assert bounds(address, 13) == (0, 64)
