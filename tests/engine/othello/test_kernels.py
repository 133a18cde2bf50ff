from hypothesis import given

from plywire.engine import fen
from plywire.engine.othello import rules
from plywire.engine.othello.kernels import shipped_board
from plywire.engine.othello.rules import Othello
from tests.kernels import OTHELLO
from tests.support.agreement import check_random_games, estimate
from tests.support.discs import boards
from tests.support.kernels import Kernels, unsigned
from tests.support.walks import positions

GAME = Othello()
KERNELS = Kernels(OTHELLO)


def test_kernels_agree_with_the_rules() -> None:
    check_random_games(GAME, 60)


@given(boards)
def test_mobility_and_flips_of_any_discs(discs: tuple[int, int]) -> None:
    own, other = discs
    assert unsigned(KERNELS.mobility(own, other)) == rules.mobility(own, other)
    for square in range(64):
        disc = 1 << square
        if not disc & (own | other):
            found = unsigned(KERNELS.flips(*shipped_board(), own, other, square))
            assert found == rules.flips(own, other, disc)


@given(boards)
def test_a_pass_flips_nothing(discs: tuple[int, int]) -> None:
    assert KERNELS.flips(*shipped_board(), *discs, 64) == 0


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
