"""Patterns, and their indices gathered and kept up, against the definition."""

import random

import numpy as np
from numpy.typing import NDArray

from plywire.engine.game import PASS
from plywire.engine.othello.evaluation.indices import INDEX_BYTES, SHARES
from plywire.engine.othello.evaluation.patterns import (
    IMAGES,
    PATTERNS,
    SIZE,
    STARTS,
    shared,
)
from plywire.engine.othello.rules import Othello
from tests.kernels import OTHELLO
from tests.support.kernels import Kernels
from tests.support.random_play import random_game

KERNELS = Kernels(OTHELLO)
WORDS = INDEX_BYTES // 8


def gathered(owns: NDArray[np.uint64], others: NDArray[np.uint64]) -> NDArray[np.uint16]:
    """A row a board, in it the four images of each pattern in turn."""
    rows = np.zeros((len(owns), WORDS), np.uint64)
    addresses = (array.ctypes.data for array in (SHARES, owns, others, rows))
    KERNELS.gather_all(*addresses, INDEX_BYTES, len(owns))
    return rows.view(np.uint16)


def by_definition(owns: NDArray[np.uint64], others: NDArray[np.uint64]) -> NDArray[np.uint16]:
    squares = np.arange(64, dtype=np.uint64)
    own = owns[:, None] >> squares & np.uint64(1)
    other = others[:, None] >> squares & np.uint64(1)
    digits = 1 + own.astype(np.int64) - other.astype(np.int64)
    columns = [
        digits[:, pattern.image(turns)] @ 3 ** np.arange(len(pattern.squares))
        for pattern in PATTERNS
        for turns in range(IMAGES)
    ]
    return np.stack(columns, axis=1).astype(np.uint16)


def random_boards(count: int) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Boards from nearly empty to nearly full, any two disjoint sets of discs."""
    chance = np.random.default_rng(5)
    fullness = chance.random((count, 1))
    bits = np.uint64(1) << np.arange(64, dtype=np.uint64)
    discs = (chance.random((count, 64)) < fullness) @ bits
    colours = chance.integers(0, 1 << 64, count, dtype=np.uint64)
    return discs & colours, discs & ~colours


def test_gathered_indices_are_those_of_the_definition() -> None:
    boards = random_boards(100_000)
    np.testing.assert_array_equal(gathered(*boards), by_definition(*boards))


def test_the_definition_in_words() -> None:
    own, other = 0x0000_0000_0000_0001, 0x0000_0000_0000_0100  # a1, a2
    corner = next(pattern for pattern in PATTERNS if pattern.name == "corner 3x3")
    places = {square: place for place, square in enumerate(corner.squares)}
    empty = (3**9 - 1) // 2
    expected = empty + 3 ** places[0] - 3 ** places[8]
    assert corner.index(0, own, other) == expected
    assert corner.index(1, own, other) == empty


def test_exchanging_the_players_mirrors_the_index_range() -> None:
    owns, others = random_boards(1000)
    largest = np.repeat([pattern.size - 1 for pattern in PATTERNS], IMAGES)
    np.testing.assert_array_equal(gathered(others, owns), largest - gathered(owns, others))


def test_indices_kept_up_through_games_with_passes() -> None:
    game = Othello()
    chance = random.Random("indices")
    passes = 0
    for _ in range(40):
        position = game.start()
        here = gathered(*(np.array([word], np.uint64) for word in position.words()))
        for before, move in random_game(game, chance):
            after = before.play(move)
            flipped = 0
            if move != PASS:
                flipped = before.words()[1] & ~after.words()[0]
            passes += move == PASS
            there = np.zeros_like(here)
            KERNELS.advance(SHARES.ctypes.data, here.ctypes.data, move, flipped, there.ctypes.data)
            here = there
            words = (np.array([word], np.uint64) for word in after.words())
            np.testing.assert_array_equal(here, gathered(*words))
    assert passes > 5


def test_every_square_is_seen_and_every_image_is_another_set_of_squares() -> None:
    seen: set[int] = set()
    for pattern in PATTERNS:
        images = {frozenset(pattern.image(turns)) for turns in range(IMAGES)}
        assert len(images) == 4
        seen.update(*images)
        assert pattern.image(IMAGES) == pattern.squares
    assert seen == set(range(64))


def test_a_mirror_is_a_reflection_of_the_board() -> None:
    for pattern in PATTERNS:
        if pattern.mirror is None:
            continue
        in_mirrored_order = tuple(
            pattern.squares[pattern.mirror.index(place)] for place in range(len(pattern.squares))
        )
        reflections = [
            tuple(square ^ 7 for square in pattern.image(turns)) for turns in range(IMAGES)
        ]
        assert in_mirrored_order in reflections, pattern.name


def test_mirrored_contents_share_one_weight() -> None:
    numbers = shared()
    assert len(numbers) == SIZE
    assert set(numbers) == set(range(int(numbers.max()) + 1))
    own, other = 0b0000_0110, 0b0000_1000
    mirrored_own, mirrored_other = 0b0110_0000, 0b0001_0000
    edge = PATTERNS[-1]
    place = STARTS[-1] + edge.index(0, own, other)
    assert numbers[place] == numbers[STARTS[-1] + edge.index(0, mirrored_own, mirrored_other)]
    assert numbers[place] != numbers[STARTS[-1] + edge.index(0, other, own)]
