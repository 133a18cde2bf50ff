import pytest

from plywire.engine.connect4.rules import Connect4
from plywire.engine.connect4.solver import suite
from plywire.engine.connect4.solver.solver import Solver
from plywire.engine.game import RulesError

GAME = Connect4(4, 4)


def test_cases_are_moves_and_a_score_a_line() -> None:
    cases = suite.read(GAME, ["1212 3", "", "0", "11 -2\n"])
    assert [(case.moves, case.score) for case in cases] == [("1212", 3), ("", 0), ("11", -2)]
    assert cases[0].position == list(GAME.start().play_names("1212"))[-1]
    assert cases[1].position == GAME.start()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("1212 x", "line 2: no score in '1212 x'"),
        ("9 1", "line 2: .*'9'"),
        ("11111 1", "line 2: .*'1'"),
        ("1 2 3", "line 2: no score"),
    ],
)
def test_a_bad_line_is_named(line: str, said: str) -> None:
    with pytest.raises(RulesError, match=said):
        suite.read(GAME, ["12 0", line])


@pytest.mark.parametrize("threads", [1, 2])
def test_results_count_positions_nodes_and_wrong_scores(threads: int) -> None:
    solver = Solver(4, 4, table_mb=1, threads=threads)
    # A win at hand is worth 5 with three stones of eight played; the second line is wrong.
    cases = suite.read(GAME, ["121212 5", "121212 4", "0"])
    results = list(suite.run(solver, cases))
    result = results[-1]
    assert [result.positions for result in results] == [1, 2, 3]
    assert [result.mismatches for result in results] == [0, 1, 1]
    assert result.mean_nodes == solver.nodes / 3 > 0
    assert 0 < result.mean_ms <= result.max_ms
    assert result.knps > 0


def test_the_table_is_empty_for_each_position() -> None:
    solver = Solver(4, 4, table_mb=1)
    *_, once = suite.run(solver, suite.read(GAME, ["0"]))
    *_, often = suite.run(solver, suite.read(GAME, ["0"] * 5))
    assert often.mean_nodes == once.mean_nodes
