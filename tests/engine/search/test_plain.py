"""The plain search finds what an obvious one finds, and keeps its limits."""

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from plywire.engine.analysis import Analysis, AnalysisLine, EngineScore
from plywire.engine.compiled.contract import MAX_ESTIMATE
from plywire.engine.connect4.rules import Connect4
from plywire.engine.game import Position
from plywire.engine.limits import ClockTimes, SearchLimits
from plywire.engine.registry import backend_of, load, names
from plywire.engine.search import plain
from plywire.engine.search.backend import Backend
from plywire.engine.search.plain import PlainTable
from plywire.engine.search.request import SearchRequest
from plywire.engine.search.stop import Stop
from plywire.engine.search.time_management import time_budget
from plywire.engine.stand_in import UntilReady
from tests.support.negamax import Negamax
from tests.support.random_play import after_random_moves, first_after_random_moves

GOMOKU = Path(__file__).parents[3] / "examples" / "gomoku"
OPPOSITE = {"win": "loss", "loss": "win"}

every_game = pytest.mark.parametrize("name", names())


class RulesAlone(Backend):
    """A backend that brings no plain rules of its own along."""

    def board(self) -> Any:
        raise NotImplementedError


def analyse(
    position: Position,
    on_info: Callable[[AnalysisLine], None] | None = None,
    *,
    backend: Backend | None = None,
    multipv: int = 1,
    stop: Stop | None = None,
    table: PlainTable | None = None,
    **limits: Any,
) -> Analysis:
    backend = backend or backend_of(position.game)
    asked = SearchLimits(**limits)
    budget = time_budget(asked, position, backend.plies_without_thinking)
    request = SearchRequest(position, asked, multipv, stop or Stop(), time.monotonic(), budget)
    return plain.analyse(backend, request, on_info, table=table)


def small_positions() -> list[Position]:
    """Positions that an obvious search can solve."""
    positions: list[Position] = [load("tictactoe").start()]
    positions += [after_random_moves(load("tictactoe"), 1 + seed % 4, seed) for seed in range(8)]
    positions += [after_random_moves(Connect4(4, 4), 4 + seed % 6, seed) for seed in range(12)]
    positions += [after_random_moves(Connect4(5, 4), 9 + seed % 5, seed) for seed in range(12)]
    positions += [after_random_moves(load("othello"), 52 + seed % 5, seed) for seed in range(10)]
    return positions


class TestScores:
    @pytest.mark.parametrize("position", small_positions(), ids=Position.fen)
    def test_every_line_has_the_exact_score_of_its_move(self, position: Position) -> None:
        reference = Negamax()
        for backend in (backend_of(position.game), RulesAlone(position.game)):
            analysis = analyse(position, backend=backend, multipv=64)
            assert analysis.by == "plain"
            assert analysis.score == reference.score(position)
            assert len(analysis.lines) == len(position.moves())
            for line in analysis.lines:
                child = reference.score(position.play(line.pv[0]))
                value = child.value + 1 if child.kind in OPPOSITE else -child.value
                kind = OPPOSITE.get(child.kind, child.kind)
                assert line.score == EngineScore(kind, value)  # type: ignore[arg-type]

    @pytest.mark.parametrize("position", small_positions(), ids=Position.fen)
    def test_a_line_is_legal_and_goes_to_the_end_of_the_game(self, position: Position) -> None:
        (line,) = analyse(position).lines
        end = position
        for move in line.pv:
            end = end.play(move)
        assert end.is_over
        if line.score.kind in OPPOSITE:
            assert len(line.pv) == line.score.value

    def test_a_table_that_is_all_but_useless_changes_no_score(self) -> None:
        position = after_random_moves(Connect4(5, 4), 8, seed=5)
        assert analyse(position, table=PlainTable(3)).score == analyse(position).score

    def test_a_far_win_is_announced_once_it_is_seen(self) -> None:
        position = load("connect4").parse("7/7/7/7/3o3/3xx2 o")
        told: list[AnalysisLine] = []
        analyse(position.play(position.moves()[0]), told.append, depth=4)
        assert told[-1].score == EngineScore("win", 3)

    @every_game
    def test_rules_of_its_own_count_like_those_of_any_game(self, name: str) -> None:
        rules = backend_of(load(name)).plain_rules()
        for seed in range(20):
            position = load(name).start()
            state = rules.state(position)
            known = rules.known(state)
            while known is None:
                legal = position.moves()
                moves = rules.moves(state, 1 + seed % 4)
                assert set(moves) <= set(legal)
                assert abs(rules.estimate(state)) < MAX_ESTIMATE
                position = position.play(moves[seed % len(moves)])
                state = rules.play(state, moves[seed % len(moves)])
                assert rules.key(state) == rules.key(rules.state(position))
                known = rules.known(state)
            assert position.is_over or abs(known) > MAX_ESTIMATE


class TestGomoku:
    """A game that brings no plain rules of its own along."""

    @pytest.fixture
    def backend(self, monkeypatch: pytest.MonkeyPatch) -> Backend:
        monkeypatch.syspath_prepend(str(GOMOKU))
        from plywire_gomoku.rules import Gomoku  # type: ignore[import-not-found]

        return RulesAlone(Gomoku())

    def test_it_wins_at_once(self, backend: Backend) -> None:
        position = backend.game.parse("7/7/7/1xxxx2/7/7/oooo3 x")
        analysis = analyse(position, backend=backend, depth=1)
        assert analysis.score == EngineScore("win", 1)

    def test_it_does_not_hand_over_a_win(self, backend: Backend) -> None:
        position = backend.game.parse("7/7/7/1xxxxo1/7/3oo2/7 o")
        analysis = analyse(position, backend=backend, depth=2)
        assert analysis.best is not None
        assert backend.game.move_name(analysis.best) == "a4"


class TestLimits:
    @every_game
    @pytest.mark.parametrize("nodes", [1, 2, 7, 100, 3000])
    def test_nodes_are_never_exceeded(self, name: str, nodes: int) -> None:
        position = load(name).start()
        analysis = analyse(position, nodes=nodes)
        assert analysis.nodes <= nodes
        assert analysis.best in position.moves()

    @pytest.mark.parametrize("depth", [1, 2, 5])
    @pytest.mark.parametrize("name", ["connect4", "othello"])
    def test_depth(self, name: str, depth: int) -> None:
        infos: list[AnalysisLine] = []
        analysis = analyse(load(name).start(), infos.append, depth=depth)
        assert [info.depth for info in infos] == list(range(1, depth + 1))
        assert analysis.lines == (infos[-1],)
        assert len(infos[-1].pv) == depth

    @every_game
    @pytest.mark.parametrize("limits", [{"movetime": 0}, {"clock": ClockTimes(0, 0)}])
    def test_with_no_time_at_all_the_first_iteration_is_done(
        self, name: str, limits: dict[str, Any]
    ) -> None:
        assert analyse(load(name).start(), **limits).depth == 1

    @pytest.mark.parametrize("limits", [{"movetime": 30}, {"clock": ClockTimes(1000, 9, 0, 9)}])
    def test_time_ends_a_search(self, limits: dict[str, Any]) -> None:
        analysis = analyse(load("othello").start(), **limits)
        assert analysis.depth >= 1
        assert not analysis.lines[0].score.proven

    def test_no_time_is_lost_on_the_only_move(self) -> None:
        position = first_after_random_moves(
            load("othello"), 30, lambda position: len(position.moves()) == 1
        )
        assert analyse(position, movetime=10**7).depth == 1

    @every_game
    @pytest.mark.parametrize("count", [3, 64])
    def test_multipv_gives_the_best_moves_in_order(self, name: str, count: int) -> None:
        position = after_random_moves(load(name), 3, seed=0)
        infos: list[AnalysisLine] = []
        analysis = analyse(position, infos.append, depth=3, multipv=count)
        expected = min(count, len(position.moves()))
        assert [line.multipv for line in analysis.lines] == list(range(1, expected + 1))
        assert len({line.pv[0] for line in analysis.lines}) == expected
        assert analysis.best == analysis.lines[0].pv[0]
        assert tuple(infos[-expected:]) == analysis.lines


class TestStop:
    @every_game
    def test_a_token_set_before_the_search(self, name: str) -> None:
        stop = Stop()
        stop.set()
        analysis = analyse(load(name).start(), infinite=True, stop=stop)
        assert analysis.depth == 1

    def test_a_token_set_during_the_search(self) -> None:
        stop = Stop()

        def on_info(info: AnalysisLine) -> None:
            if info.depth == 3:
                stop.set()

        assert analyse(load("othello").start(), on_info, stop=stop).depth == 3

    def test_it_ends_when_it_is_told_to(self) -> None:
        infos: list[AnalysisLine] = []
        analyse(
            load("othello").start(), infos.append, stop=UntilReady(Stop(), lambda: len(infos) >= 2)
        )
        assert len(infos) == 2

    def test_infinite_waits_even_after_the_result_is_proven(self) -> None:
        infos: list[AnalysisLine] = []
        waited: list[bool] = []

        def until() -> bool:
            if infos and infos[-1].score.proven:
                waited.append(True)
            return len(waited) > 3

        stop = UntilReady(Stop(), until)
        analysis = analyse(load("tictactoe").start(), infos.append, stop=stop, infinite=True)
        assert analysis.score == EngineScore("draw")
        assert len(waited) > 3


class TestTable:
    def test_it_holds_no_more_than_it_may(self) -> None:
        table = PlainTable(100)
        for number in range(1000):
            table.put(number, (1, number, 0, 0))
        assert table.get(999) == (1, 999, 0, 0)
        assert table.get(0) is None
        assert sum(table.get(number) is not None for number in range(1000)) <= 200
        assert table.hashfull() <= 1000

    def test_a_second_search_is_quicker_on_it(self) -> None:
        table, position = PlainTable(), load("connect4").start()
        first, second = (analyse(position, depth=7, table=table) for _ in range(2))
        assert second.nodes < first.nodes
        assert second.score == first.score


def test_neither_numpy_nor_numba_is_loaded() -> None:
    code = (
        "import sys, time;"
        "from plywire.engine.limits import SearchLimits;"
        "from plywire.engine.registry import backend_of, load, names;"
        "from plywire.engine.search import plain;"
        "from plywire.engine.search.request import SearchRequest;"
        "from plywire.engine.search.stop import Stop;"
        "from plywire.engine.search.time_management import UNLIMITED\n"
        "for name in names():\n"
        "    asked = load(name).start(), SearchLimits(depth=3), 1, Stop(), time.monotonic()\n"
        "    plain.analyse(backend_of(asked[0].game), SearchRequest(*asked, UNLIMITED))\n"
        "sys.exit(bool({'numba', 'numpy', 'llvmlite'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
