import random
import threading
from pathlib import Path

import pytest

from plywire.engine.engine import Stop
from plywire.engine.othello import obf, suite
from plywire.engine.othello.rules import Othello, OthelloPosition
from plywire.engine.othello.solver import Solver, final_score
from plywire.engine.search.bounds import Bounds, StoppedError
from tests.support.plain_endgame import plain_score
from tests.support.random_play import random_game

GAME = Othello()
PROBLEMS = obf.read((Path(__file__).parent / "problems.obf").read_text().splitlines())
#: Of 20 empty squares: some hundred thousand nodes and more.
HARD = PROBLEMS[-1].position


def endgame(empty: int, seed: int) -> OthelloPosition:
    chance = random.Random(seed)
    while True:
        for position, _ in random_game(GAME, chance):
            if not isinstance(position, OthelloPosition):
                raise TypeError(position)
            if 64 - (position.own | position.other).bit_count() == empty:
                return position


def test_every_problem_is_solved() -> None:
    results = list(suite.run(Solver(), PROBLEMS))
    assert len(results) == 200
    assert [number for number, result in enumerate(results, 1) if not result.is_right] == []


@pytest.mark.parametrize(
    ("empty", "games"), [(7, 20), (8, 20), (9, 10), (10, 10), (11, 6), (12, 3), (13, 1), (14, 1)]
)
def test_all_moves_agree_with_plain_alpha_beta(empty: int, games: int) -> None:
    solver = Solver(table_mb=1)
    for seed in range(games):
        position = endgame(empty, seed)
        for move, score in solver.scores(position).items():
            child = position.play(move)
            assert score == -(final_score(child) if child.is_over else plain_score(child))


@pytest.mark.parametrize("threads", [2, 3])
def test_threads_find_the_same_scores(threads: int) -> None:
    solver = Solver(threads=threads)
    results = suite.run(solver, PROBLEMS[-3:])
    assert all(result.is_right for result in results)


def test_one_thread_visits_equal_nodes() -> None:
    counts = []
    for _ in range(2):
        solver = Solver(table_mb=1)
        solver.score(PROBLEMS[120].position)
        counts.append(solver.nodes)
    assert counts[0] == counts[1] > 1000


def test_the_sign_alone_costs_less() -> None:
    exact, weak = Solver(table_mb=1), Solver(table_mb=1)
    for problem in PROBLEMS[100:140]:
        sign = weak.score(problem.position, weak=True)
        assert sign == (problem.best > 0) - (problem.best < 0)
        assert exact.score(problem.position) == problem.best
    assert weak.nodes < exact.nodes


def test_a_stop_that_is_set_ends_a_solve() -> None:
    stop = Stop()
    stop.set()
    with pytest.raises(StoppedError) as error:
        Solver(table_mb=1).score(HARD, stop=stop)
    assert error.value.bounds == Bounds(-64, 64)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_stop_from_another_thread_ends_a_solve(threads: int) -> None:
    # Ages away from being solved: without the stop this would not return.
    position = GAME.start()
    stop = Stop()
    timer = threading.Timer(0.05, stop.set)
    timer.start()
    with pytest.raises(StoppedError):
        Solver(table_mb=1, threads=threads).score(position, stop=stop)
    timer.join()


def test_what_was_learnt_is_forgotten_on_demand() -> None:
    solver = Solver(table_mb=1)
    position = PROBLEMS[150].position
    costs = []
    for is_cleared in (False, False, True):
        if is_cleared:
            solver.clear()
        before = solver.nodes
        solver.score(position)
        costs.append(solver.nodes - before)
    assert costs[0] == costs[2] > 2 * costs[1]


def test_a_finished_game_has_its_score() -> None:
    position = GAME.start()
    for problem in PROBLEMS[:1]:
        position = problem.position
        for move in Solver(table_mb=1).solve(position).lines[0].pv:
            position = position.play(move)
    assert position.is_over
    score = Solver(table_mb=1).score(position)
    assert score == final_score(position)
    with pytest.raises(ValueError, match="the game goes on"):
        final_score(GAME.start())


@pytest.mark.parametrize(
    ("options", "reason"),
    [({"threads": 0}, "threads must be at least 1"), ({"table_mb": 0}, "at least 1 MB")],
)
def test_numbers_out_of_range_are_refused(options: dict[str, int], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        Solver(**options)
