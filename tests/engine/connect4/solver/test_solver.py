import random
import threading

import pytest

from plywire.engine.connect4.rules import Connect4
from plywire.engine.connect4.solver.solver import Solver
from plywire.engine.game import PositionError
from plywire.engine.search.bounds import Bounds, StoppedError
from plywire.engine.search.stop import Stop
from tests.support.connect4 import as_score, played, random_positions
from tests.support.negamax import Negamax

USUAL = Connect4()
#: Some hundred thousand nodes to solve.
HARD = "1234567712"


@pytest.fixture(scope="module")
def solver() -> Solver:
    return Solver(table_mb=4)


class TestScores:
    # Twelve columns take two batches of lanes.
    @pytest.mark.parametrize(
        ("width", "height", "stones"),
        [(4, 4, 6), (4, 4, 9), (5, 4, 10), (5, 4, 13), (7, 6, 33), (7, 6, 36), (12, 4, 39)],
    )
    def test_they_agree_with_plain_negamax(self, width: int, height: int, stones: int) -> None:
        game = Connect4(width, height)
        solver, plain = Solver(width, height, table_mb=1), Negamax()
        for position in random_positions(game, stones, 60, seed=stones):
            expected = plain.score(position)
            assert as_score(solver, position, solver.score(position)) == expected, position.fen()
            sign = {"win": 1, "draw": 0, "loss": -1}[expected.kind]
            assert solver.score(position, weak=True) == sign

    @pytest.mark.parametrize("width", [4, 5])
    def test_empty_boards_four_high_are_drawn(self, width: int) -> None:
        game = Connect4(width, 4)
        assert Solver(width, 4, table_mb=1).score(game.start()) == 0

    @pytest.mark.parametrize("stones", [14, 20, 26])
    def test_the_best_child_decides_and_columns_keep_their_place(
        self, solver: Solver, stones: int
    ) -> None:
        for position in random_positions(USUAL, stones, 8, seed=stones):
            scores = solver.scores(position)
            assert max(score for score in scores if score is not None) == solver.score(position)
            for column, score in enumerate(scores):
                moves = [move for move in position.moves() if move // 7 == column]
                expected = [-solver.score(position.play(move)) for move in moves]
                assert [score] == (expected or [None])

    def test_a_mirror_image_is_worth_the_same(self, solver: Solver) -> None:
        mirrored = "".join(str(8 - int(move)) for move in HARD)
        assert solver.score(played(USUAL, HARD)) == solver.score(played(USUAL, mirrored))

    @pytest.mark.parametrize(
        ("moves", "score"), [("121212", 18), ("1212124", 18), ("1212121", -18), ("44", None)]
    )
    def test_wins_in_the_first_four_stones_of_a_side_are_worth_eighteen(
        self, solver: Solver, moves: str, score: int | None
    ) -> None:
        found = solver.bounds(played(USUAL, moves), nodes=1)
        assert (found.lower == found.upper == score) == (score is not None)

    def test_a_full_board_is_a_draw(self) -> None:
        solver = Solver(4, 4, table_mb=1)
        position = solver.game.start()
        while not position.is_over:
            position = position.play(solver.best_move(position))
        assert solver.score(position) == 0

    def test_bounds_stop_where_they_are_told(self, solver: Solver) -> None:
        position = played(USUAL, HARD)
        score = solver.score(position)
        solver.clear()
        for number in range(-4, 5):
            found = solver.bounds(position, floor=number, ceiling=number + 1)
            assert found.lower <= score <= found.upper
            assert found.upper <= number or found.lower > number


class TestMoves:
    @pytest.mark.parametrize("stones", [18, 24, 30])
    def test_the_variation_ends_the_game_when_the_score_says(
        self, solver: Solver, stones: int
    ) -> None:
        for position in random_positions(USUAL, stones, 5, seed=stones):
            score = solver.score(position)
            line = solver.principal_variation(position)
            assert len(line) == solver.distance(position, score)
            for move in line:
                position = position.play(move)
            assert position.is_over

    def test_the_best_move_is_worth_as_much_as_the_position(self, solver: Solver) -> None:
        position = next(random_positions(USUAL, 26, 1, seed=8))
        best = solver.best_move(position)
        assert -solver.score(position.play(best)) == solver.score(position)

    def test_a_finished_game_has_no_best_move(self, solver: Solver) -> None:
        with pytest.raises(ValueError, match="over"):
            solver.best_move(played(USUAL, "1212121"))

    def test_it_never_errs_against_bots_that_do(self) -> None:
        # The audit solves every position on its own, with another table.
        solver, audit = Solver(5, 4, table_mb=1), Solver(5, 4, table_mb=1)
        chance = random.Random(4)
        for number in range(30):
            position = solver.game.start()
            while not position.is_over:
                if position.turn == number % 2:
                    move = solver.best_move(position)
                    before, after = audit.score(position), audit.score(position.play(move))
                    assert after == -before, position.fen()
                else:
                    move = chance.choice(position.moves())
                position = position.play(move)


class TestLimits:
    def test_equal_solves_visit_equal_nodes(self, solver: Solver) -> None:
        position = played(USUAL, HARD)
        visited = []
        for each in (solver, solver, Solver(table_mb=4)):
            each.clear()
            before = each.nodes
            each.score(position)
            visited.append(each.nodes - before)
        assert visited[0] == visited[1] == visited[2] > 1000

    @pytest.mark.parametrize("nodes", [1, 1000, 50_000])
    @pytest.mark.parametrize("threads", [1, 3])
    def test_nodes_are_a_limit_and_what_is_proven_is_true(self, nodes: int, threads: int) -> None:
        solver = Solver(table_mb=1, threads=threads)
        found = solver.bounds(USUAL.start(), nodes=nodes)
        assert solver.nodes <= nodes
        # The first player wins with the 41st stone.
        assert found.lower <= 1 <= found.upper
        assert not found.is_exact

    def test_a_stop_ends_it_and_the_next_solve_is_right(self, solver: Solver) -> None:
        solver.clear()
        stop, caught = Stop(), []

        def solve() -> None:
            try:
                solver.score(USUAL.start(), stop=stop)
            except StoppedError as error:
                caught.append(error.bounds)

        thread = threading.Thread(target=solve)
        thread.start()
        stop.set()
        thread.join()
        assert caught
        assert caught[0].lower <= 1 <= caught[0].upper
        fresh = Solver(table_mb=4)
        position = played(USUAL, HARD)
        assert solver.score(position) == fresh.score(position)

    @pytest.mark.parametrize("threads", [2, 4])
    def test_threads_find_the_same_scores(self, solver: Solver, threads: int) -> None:
        together = Solver(table_mb=1, threads=threads)
        positions = list(random_positions(USUAL, 9, 4, seed=3))
        expected = [solver.score(position) for position in positions]
        for _ in range(2):
            found = []
            for position in positions:
                together.clear()
                found.append(together.score(position))
            assert found == expected
        assert together.nodes > len(positions) * 100_000  # so the helpers had their share

    def test_a_solver_may_be_asked_from_many_threads(self, solver: Solver) -> None:
        positions = list(random_positions(USUAL, 24, 8, seed=9))
        expected = list(map(Solver(table_mb=1).score, positions))
        found: dict[int, int] = {}

        def solve(index: int) -> None:
            found[index] = solver.score(positions[index])

        threads = [threading.Thread(target=solve, args=(index,)) for index in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert [found[index] for index in range(8)] == expected

    def test_what_cannot_be_is_refused(self) -> None:
        with pytest.raises(ValueError, match=r"at least 0\.5 MB"):
            Solver(table_mb=0)
        with pytest.raises(ValueError, match="no memory"):
            Solver(table_mb=1 << 40)
        with pytest.raises(ValueError, match="threads"):
            Solver(threads=0)
        with pytest.raises(PositionError):
            Solver(8, 8)


def test_bounds_know_their_sign() -> None:
    assert [Bounds(*pair).sign for pair in ((1, 3), (-3, -1), (0, 0), (0, 1), (-1, 0))] == [
        1,
        -1,
        0,
        None,
        None,
    ]
