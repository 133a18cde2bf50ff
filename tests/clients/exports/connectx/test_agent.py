import random
from types import SimpleNamespace

import pytest

from plywire.clients.exports.connectx.agent import Board, Opening, Search, Stones, agent
from plywire.engine.connect4.rules import Connect4, Connect4Position
from tests.support.connect4_truth import Truth, late_position

#: No search is cut off.
PATIENT = 1e9


def has_line(board: Board, stones: int, inarow: int) -> bool:
    """Looks at every line of the board, square by square."""
    squares = [
        (column, row)
        for column in range(board.columns)
        for row in range(board.rows)
        if stones >> column * board.stride + row & 1
    ]
    return any(
        all((column + i * right, row + i * up) in squares for i in range(inarow))
        for column, row in squares
        for right, up in ((0, 1), (1, 0), (1, 1), (1, -1))
    )


def random_stones(board: Board, count: int, inarow: int, chance: random.Random) -> Stones:
    """A position of about that many stones, in which nobody has a line yet."""
    own = other = 0
    for _ in range(count):
        landings = board.landings(own | other)
        moves = [1 << i for i in range(64) if landings >> i & 1]
        quiet = [move for move in moves if not has_line(board, own | move, inarow)]
        if not quiet:
            break
        own, other = other, own | chance.choice(quiet)
    return own, other


@pytest.mark.parametrize("size", [(7, 6, 4), (5, 4, 3), (8, 7, 5), (4, 9, 2), (3, 3, 1)])
def test_the_squares_that_complete_a_line(size: tuple[int, int, int]) -> None:
    board, chance = Board(*size), random.Random(3)
    for _ in range(20):
        own, other = random_stones(board, chance.randrange(board.cells), size[2], chance)
        empty = board.full & ~(own | other)
        # A line upwards is completed on top: no stone stands above an empty square.
        reachable = board.landings(own | other)
        completing = board.completing(own) & empty
        for square in range(board.columns * board.stride):
            if empty >> square & 1 and reachable >> square & 1:
                expected = has_line(board, own | 1 << square, size[2])
                assert bool(completing >> square & 1) == expected


def test_a_board_is_read_from_the_top() -> None:
    cells = [0] * 42
    cells[35], cells[28], cells[41] = 1, 2, 1  # lower left, above it, lower right
    board = Board(7, 6, 4)
    assert board.read(cells, 1) == (1 | 1 << 42, 2)
    assert board.read(cells, 2) == (2, 1 | 1 << 42)


@pytest.mark.parametrize(("size", "empty"), [((4, 4), 14), ((5, 4), 12), ((7, 6), 12)])
def test_with_time_enough_moves_are_the_best(size: tuple[int, int], empty: int) -> None:
    game = Connect4(*size)
    truth, chance = Truth(game), random.Random(5)
    search = Search(Board(*size, 4))
    for _ in range(10):
        position = late_position(game, empty, chance)
        worths = {m // (size[1] + 1): -truth.score(position.play(m)) for m in position.moves()}
        column = search.best((position.own, position.other), PATIENT)
        assert worths[column] == max(worths.values()), position.fen()


def test_without_time_wins_are_taken_and_threats_are_met() -> None:
    search = Search(Board(7, 6, 4))
    three = 1 << 7 | 1 << 14 | 1 << 21
    assert search.best((three, 1 << 8 | 1 << 15 | 1 << 22), 0) in (0, 4)
    assert search.best((1 << 0 | 1 << 1 | 1 << 8, three), 0) == 4


def test_lines_of_another_length_are_understood() -> None:
    board = Board(5, 4, 3)
    search = Search(board)
    assert search.best((0, 0), PATIENT) == 2
    assert search.best((1 | 1 << 5, 1 << 6 | 1 << 1), 0) == 2


def observed(position: Connect4Position) -> SimpleNamespace:
    cells = [".xo".index(cell) for row in position.cells() for cell in row]
    return SimpleNamespace(board=cells, mark=1 + position.turn, remainingOverageTime=0)


def test_a_whole_game_is_played_on_any_board() -> None:
    for width, height in ((4, 4), (7, 6), (9, 6)):
        limits = SimpleNamespace(columns=width, rows=height, inarow=4, actTimeout=0.01)
        position = Connect4(width, height).start()
        while not position.is_over:
            column = agent(observed(position), limits)
            landing = next(m for m in position.moves() if m // (height + 1) == column)
            position = position.play(landing)


def first_free(board: Board) -> Opening:
    def choose(stones: Stones) -> int:
        landings = board.landings(stones[0] | stones[1])
        return (landings & -landings).bit_length() // board.stride

    return Opening(board, 4, choose)


def test_an_opening_is_told_by_its_choices_alone() -> None:
    board = Board(7, 6, 4)
    opening = first_free(board)
    choices = iter(opening.choices)
    again = Opening(board, 4, lambda _: next(choices))
    assert next(choices, None) is None
    assert again.choices == opening.choices
    assert again.get((0, 0)) == opening.get((0, 0)) == 0


def test_an_opening_knows_every_answer_to_its_moves_and_their_mirror_images() -> None:
    board = Board(7, 6, 4)
    opening = first_free(board)
    for reply in range(7):
        stones = 1 << 7 * reply + (reply == 0)
        column = opening.get((1, stones))
        image = opening.get((1 << 42, board.mirrored(stones)))
        assert column is not None
        assert image == 6 - column
    assert opening.get((0, 1 << 14)) is not None
    assert opening.get((1 << 14, 1 << 21)) is None, "the opening does not begin in column c"
    assert opening.get((1 | 1 << 7, 1 << 14 | 1 << 21)) is None, "the opening is over"
