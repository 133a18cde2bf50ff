import random

import pytest

from plywire.engine.connect4.rules import Connect4
from tests.kernels import CONNECT4
from tests.support.kernels import Kernels, solver_kernels, unsigned

SIZES = [(7, 6), (10, 5)]
DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))

Square = tuple[int, int]


class Board:
    """Sets of squares by their coordinates, and back to bits."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.kernels = solver_kernels(width, height)
        self.inside = {(x, y) for x in range(width) for y in range(height)}
        self.lines = [
            line
            for x, y in self.inside
            for dx, dy in DIRECTIONS
            if (line := frozenset((x + i * dx, y + i * dy) for i in range(4))) <= self.inside
        ]

    def squares(self, bits: int) -> set[Square]:
        """The squares of bits, the spare row left out."""
        return {(x, y) for x, y in self.inside if bits >> x * (self.height + 1) + y & 1}

    def bits(self, squares: set[Square]) -> int:
        """The bits of squares."""
        return sum(1 << x * (self.height + 1) + y for x, y in squares)


def boards(width: int, height: int) -> tuple[Board, list[set[Square]]]:
    """A board and random sets of its squares, sparse ones and dense ones."""
    board = Board(width, height)
    chance = random.Random(width * 100 + height)
    order = sorted(board.inside)
    densities = (0, 0.1, 0.3, 0.5, 0.7, 0.9, 1)
    return board, [
        {square for square in order if chance.random() < density}
        for density in densities
        for _ in range(30)
    ]


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_squares_that_complete_a_four_are_those_of_the_list_of_all_lines(
    width: int, height: int
) -> None:
    board, sets = boards(width, height)
    for stones in sets:
        # Which taken squares are in it is of no meaning: callers mask them out.
        empty = board.inside - stones
        missing = [(line, line - stones) for line in board.lines if len(line - stones) == 1]
        # An upright four is only ever completed at its top.
        expected = {
            square
            for line, (square,) in missing
            if len({x for x, _ in line}) > 1 or square == max(line)
        }
        found = board.squares(board.kernels.completing(board.bits(stones)))
        assert found & empty == expected


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_fours_are_found_with_all_their_stones(width: int, height: int) -> None:
    board, sets = boards(width, height)
    for stones in sets:
        expected: set[Square] = set().union(*(line for line in board.lines if line <= stones))
        bits = board.bits(stones)
        assert board.squares(board.kernels.lined_up(bits)) == expected
        assert bool(board.kernels.fours(bits)) == bool(expected)


@pytest.mark.parametrize(("found_by", "least"), [("begun_along", 1), ("paired_along", 2)])
@pytest.mark.parametrize(("width", "height"), SIZES)
def test_a_line_is_begun_where_it_holds_stones_and_no_square_that_is_not_free(
    width: int, height: int, found_by: str, least: int
) -> None:
    board, sets = boards(width, height)
    found_along = getattr(Kernels(CONNECT4), found_by)
    for free, others in zip(sets, sets[::-1], strict=True):
        stones = free & others
        begun = [line for line in board.lines if line <= free and len(line & stones) >= least]
        for right, up in DIRECTIONS:
            step = right * (height + 1) + up
            expected = {
                square
                for line in begun
                for square in line
                if {(x + right, y + up) for x, y in line} & line
            }
            found = found_along(board.bits(stones), board.bits(free), step)
            assert board.squares(found) == expected


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_columns_squares_above_and_the_mirror_image(width: int, height: int) -> None:
    board, sets = boards(width, height)
    for chosen in sets:
        bits = board.bits(chosen)
        columns = {x for x, _ in chosen}
        lowest = {x: min(y for column, y in chosen if column == x) for x in columns}
        whole = {(x, y) for x, y in board.inside if x in columns}
        above = {(x, y) for x, y in whole if y > lowest[x]}
        image = {(width - 1 - x, y) for x, y in chosen}
        assert unsigned(board.kernels.columns_of(bits)) == board.bits(whole)
        assert unsigned(board.kernels.above(bits)) == board.bits(above)
        assert unsigned(board.kernels.mirrored(bits)) == board.bits(image)


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_stones_land_where_the_rules_say(width: int, height: int) -> None:
    game = Connect4(width, height)
    chance = random.Random(1)
    for _ in range(20):
        position = game.start()
        while moves := position.moves():
            expected = sum(1 << move for move in moves)
            taken = position.own | position.other
            assert unsigned(solver_kernels(width, height).landings(taken)) == expected
            position = position.play(chance.choice(moves))
