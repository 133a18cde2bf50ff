from plywire.engine.tictactoe.rules import TicTacToe
from tests.support.agreement import check_random_games


def test_kernels_agree_with_the_rules() -> None:
    check_random_games(TicTacToe(), 500)
