import random

import pytest

from plywire.engine.connect4.rules import Connect4
from plywire.engine.game import Position
from plywire.engine.registry import backend_of
from tests.kernels import CONNECT4
from tests.support.agreement import check_random_games, estimate
from tests.support.kernels import Kernels, unsigned
from tests.support.random_play import random_game

KERNELS = Kernels(CONNECT4)
SIZES = [(7, 6), (4, 4), (4, 15), (12, 4), (8, 7), (9, 6), (5, 9)]


def lines(game: Connect4) -> list[int]:
    """All lines of four of a board, by coordinates."""
    inside = {
        (x, y): x * (game.height + 1) + y for x in range(game.width) for y in range(game.height)
    }
    found = []
    for x, y in inside:
        for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
            line = [inside.get((x + i * dx, y + i * dy)) for i in range(4)]
            if None not in line:
                found.append(sum(1 << bit for bit in line if bit is not None))
    return found


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_kernels_agree_with_the_rules(width: int, height: int) -> None:
    check_random_games(Connect4(width, height), 30)


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_threats_and_open_lines_agree_with_the_list_of_all_lines(width: int, height: int) -> None:
    game = Connect4(width, height)
    board = backend_of(game).board()
    all_lines = lines(game)
    rng = random.Random(width * 100 + height)
    # Any set of stones will do, sparse or dense, whether it arises in a game or not.
    for _ in range(200):
        stones = rng.getrandbits(64) & game.full
        if rng.random() < 0.5:
            stones &= rng.getrandbits(64)
        expected = 0
        for line in all_lines:
            missing = line & ~stones
            if missing.bit_count() == 1:
                expected |= missing
        # Taken squares may be told as well, where they stand in a full line.
        assert unsigned(KERNELS.threats(*board, stones)) & ~stones == expected
        untouched = sum(not line & stones for line in all_lines)
        assert KERNELS.open_lines(*board, stones) == untouched


def test_a_threat_serves_whoever_need_not_play_below_it() -> None:
    """Columns but one full: the rows that serve the first player, by counting stones."""
    for width, height in SIZES:
        game = Connect4(width, height)
        first_rows = int(backend_of(game).board().first_rows)
        for row in range(1, height):
            stones_when_below_is_due = (width - 1) * height + row - 1
            second_must_play_below = stones_when_below_is_due % 2 == 1
            assert bool(first_rows >> row & 1) == second_must_play_below


def mirrored(position: Position) -> Position:
    fen, turn = position.fen().split()
    return position.game.parse("/".join(row[::-1] for row in fen.split("/")) + f" {turn}")


def test_a_mirrored_position_is_worth_the_same() -> None:
    rng = random.Random(7)
    for _ in range(30):
        for position, _move in random_game(Connect4(), rng):
            assert estimate(mirrored(position)) == estimate(position)


def test_the_evaluation_knows_what_matters() -> None:
    game = Connect4()
    # Three in a row whose fourth can be played at once; two of them at once, for the other.
    assert estimate(game.parse("7/7/7/7/ooo4/xxx4 x")) == 5000
    assert estimate(game.parse("7/7/7/7/7/1xxx1oo o")) == -5000


@pytest.mark.parametrize(("row", "serves_first"), [(1, False), (2, True), (3, False), (4, True)])
def test_threats_count_more_for_the_player_whom_their_row_serves(
    row: int, serves_first: bool
) -> None:
    three = sum(1 << 7 * column + row for column in (2, 3, 4))
    board = backend_of(Connect4()).board()
    # One stone of the other's more or less decides who began.
    as_first, as_second = (KERNELS.evaluate(*board, three, other) for other in (0b1, 0b11))
    assert (as_first > as_second + 40) == serves_first
    assert (as_second > as_first + 40) != serves_first
