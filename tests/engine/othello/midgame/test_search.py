"""The selective search against searches that leave nothing out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from plywire.engine.analysis import Analysis, AnalysisLine
from plywire.engine.engine import LocalEngine, Stop
from plywire.engine.game import Position
from plywire.engine.limits import SearchLimits
from plywire.engine.othello import obf
from plywire.engine.othello.confidence import CONFIDENCES
from plywire.engine.othello.deepening import iterations
from plywire.engine.othello.midgame.searcher import MidgameSearcher
from plywire.engine.othello.rules import Othello
from plywire.engine.registry import backend_of
from plywire.engine.search.iterative_deepening import evaluate
from plywire.engine.search.searcher import Iteration
from plywire.engine.search.table import NO_MOVE, TranspositionTable
from tests.support.random_play import after_random_moves

GAME = Othello()
PROBLEMS = obf.read((Path(__file__).parents[1] / "problems.obf").read_text().splitlines())
FAR = 20_000
#: Part of the endings whose score may be found wrong, by confidence.
MAY_ERR = dict(zip(CONFIDENCES, (0.3, 0.15, 0.04, 0), strict=True))
UNLIMITED = (1 << 64) - 1


def value(
    position: Position, depth: int, confidence: int = 100, table: TranspositionTable | None = None
) -> int:
    """The value that a search finds, from an empty table if none is given."""
    searcher = MidgameSearcher(position, table or TranspositionTable(1), UNLIMITED)
    searcher.root_move = int(NO_MOVE)
    return searcher.search(Iteration(depth, confidence), -FAR, FAR)


def plain(position: Position, depth: int, alpha: int, beta: int) -> int:
    """The same by plain alpha-beta: no table, no order, nothing left out."""
    if depth == 0 or position.is_over:
        score = evaluate(backend_of(position.game), position)
        return score.value if score.kind == "cp" else 100 * score.value
    for move in position.moves():
        child = position.play(move)
        same_player = len(position.moves()) == 1 and child.turn != position.turn and move == 64
        score = -plain(child, depth if same_player else depth - 1, -beta, -alpha)
        alpha = max(alpha, score)
        if alpha >= beta:
            break
    return alpha


@pytest.mark.parametrize(("depth", "games"), [(1, 20), (2, 20), (3, 20), (4, 10), (5, 4)])
def test_with_full_confidence_it_equals_plain_alpha_beta(depth: int, games: int) -> None:
    for seed in range(games):
        position = after_random_moves(GAME, 12 + 2 * seed, seed)
        assert value(position, depth) == plain(position, depth, -FAR, FAR)


@pytest.mark.parametrize("depth", [6, 8])
def test_windows_and_what_the_table_remembers_bound_the_value(depth: int) -> None:
    for seed in range(6):
        position = after_random_moves(GAME, 20 + 3 * seed, seed)
        exact = value(position, depth)
        table = TranspositionTable(1)
        for low, high in ((-FAR, exact), (exact, FAR), (exact - 1, exact + 1), (exact - 50, FAR)):
            searcher = MidgameSearcher(position, table, UNLIMITED)
            searcher.root_move = int(NO_MOVE)
            found = searcher.search(Iteration(depth, 100), low, high)
            if low < exact < high:
                assert found == exact
            elif exact <= low:
                assert exact <= found <= low
            else:
                assert high <= found <= exact


def ends() -> Iterator[obf.Problem]:
    """The problems in which searches to the end leave something out."""
    return (problem for problem in PROBLEMS if len(steps(problem)) == len(CONFIDENCES))


def steps(problem: obf.Problem) -> list[Iteration]:
    """The iterations that search a problem to its end."""
    empty = 64 - (problem.position.own | problem.position.other).bit_count()
    return [step for step in iterations(empty, empty, may_run_out=False) if step.depth == empty]


def test_more_confidence_errs_less_and_full_confidence_never() -> None:
    problems = list(ends())[::3]
    errors = dict.fromkeys(CONFIDENCES, 0)
    for problem in problems:
        for step in steps(problem):
            found = value(problem.position, step.depth, step.confidence)
            errors[step.confidence] += found != 100 * problem.best
    rates = {confidence: count / len(problems) for confidence, count in errors.items()}
    assert len(problems) > 30
    assert all(rates[confidence] <= MAY_ERR[confidence] for confidence in CONFIDENCES)
    assert rates[CONFIDENCES[0]] > rates[CONFIDENCES[-1]]


def test_less_confidence_costs_less() -> None:
    position = after_random_moves(GAME, 24, seed=1)
    counts = []
    for confidence in CONFIDENCES:
        searcher = MidgameSearcher(position, TranspositionTable(1), UNLIMITED)
        searcher.root_move = int(NO_MOVE)
        searcher.search(Iteration(10, confidence), -FAR, FAR)
        counts.append(searcher.nodes)
    assert counts == sorted(counts)
    assert counts[-1] > 3 * counts[0]


def test_two_plies_before_the_leaves_an_estimate_far_beyond_the_window_is_enough() -> None:
    position = after_random_moves(GAME, 24, seed=1)
    counts = []
    for confidence in (CONFIDENCES[0], 100):
        searcher = MidgameSearcher(position, TranspositionTable(1), UNLIMITED)
        searcher.root_move = int(NO_MOVE)
        searcher.search(Iteration(3, confidence), 5_000, 5_001)
        counts.append(searcher.nodes)
    assert counts[0] < counts[1] / 2


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_in_the_first_two_plies_nothing_is_pruned_on_suspicion(seed: int) -> None:
    position = after_random_moves(GAME, 20, seed)
    searcher = MidgameSearcher(position, TranspositionTable(1), UNLIMITED)
    searcher.root_move = int(NO_MOVE)
    searcher.search(Iteration(5, CONFIDENCES[0]), 5_000, 5_001)  # far above every estimate
    # To refute a move takes a reply, and that takes a look at every answer.
    least = 0
    for move in position.moves():
        child = position.play(move)
        least += 2 + min(len(child.play(reply).moves()) for reply in child.moves())
    assert searcher.nodes >= least


@pytest.mark.parametrize(("depth", "before"), [(6, [1, 2, 4]), (7, [1, 3, 5])])
def test_a_depth_is_searched_to_with_one_confidence_after_those_of_its_parity(
    depth: int, before: list[int]
) -> None:
    infos: list[AnalysisLine] = []
    LocalEngine().analyse(GAME.start(), SearchLimits(depth=depth), infos.append)
    assert [info.depth for info in infos] == [*before, depth]
    assert {info.confidence for info in infos[1:]} == {80}


def test_the_end_is_searched_with_ever_more_confidence() -> None:
    problem = PROBLEMS[-1]
    infos: list[AnalysisLine] = []
    analysis = LocalEngine().analyse(problem.position, on_info=infos.append)
    reached = [info.reach for info in infos]
    assert reached == sorted(set(reached))
    empty = infos[-1].depth
    assert [info.confidence for info in infos if info.depth == empty] == list(CONFIDENCES)
    assert [info.score.proven for info in infos] == [False] * (len(infos) - 1) + [True]
    assert analysis.score is not None
    assert analysis.score.value == problem.best


def test_where_nodes_may_run_out_every_depth_of_a_parity_comes_before_the_end() -> None:
    problem = PROBLEMS[-1]
    infos: list[AnalysisLine] = []
    analysis = LocalEngine().analyse(problem.position, SearchLimits(nodes=1 << 40), infos.append)
    empty = infos[-1].depth
    before = [info for info in infos if info.depth < empty]
    assert [info.depth for info in before] == [1, *range(2 + empty % 2, empty, 2)]
    assert {info.confidence for info in before[1:]} == {80}
    assert [info.confidence for info in infos[len(before) :]] == list(CONFIDENCES[1:])
    assert analysis.score is not None
    assert analysis.score.value == problem.best


def test_several_lines_are_different_moves_best_first() -> None:
    position = after_random_moves(GAME, 20, seed=4)
    analysis = LocalEngine().analyse(position, SearchLimits(depth=7), multipv=4)
    moves = [line.pv[0] for line in analysis.lines]
    scores = [line.score.value for line in analysis.lines]
    assert len(set(moves)) == 4
    assert scores == sorted(scores, reverse=True)
    alone = LocalEngine().analyse(position, SearchLimits(depth=7))
    assert alone.score is not None
    assert abs(alone.score.value - scores[0]) < 300  # selective searches may differ a little


def test_what_a_move_found_out_serves_the_next() -> None:
    position = GAME.start()
    engine = LocalEngine()
    first = engine.analyse(position, SearchLimits(depth=10))
    after = position.play(first.lines[0].pv[0])
    warm = engine.analyse(after, SearchLimits(depth=9))
    cold = LocalEngine().analyse(after, SearchLimits(depth=9))
    assert warm.nodes < 0.75 * cold.nodes


def test_a_stop_keeps_the_last_finished_iteration() -> None:
    stop = Stop()

    def on_info(info: AnalysisLine) -> None:
        if info.depth == 8:
            stop.set()

    analysis = LocalEngine().analyse(GAME.start(), on_info=on_info, stop=stop)
    assert analysis.depth == 8
    assert analysis.best == analysis.lines[0].pv[0]


@pytest.mark.parametrize(
    "fen",
    [
        "o1oo4/1ooo2xo/oooo1xxo/1oxxxooo/xxxxoo2/2x1xo2/1x6/8 x",
        "3xo3/3xoo2/ooooo1x1/ooooox2/oooox3/1xo2x2/1xo5/1x6 x",
        "3o4/2oooo2/ooooo3/1oxoxxx1/3xxx2/2x1xxx1/2oxxxoo/2x1x1x1 x",
    ],
)
def test_a_move_found_to_be_better_is_played_before_it_is_known_by_how_much(fen: str) -> None:
    position = GAME.parse(fen)  # with an even number of empty squares, and so depths

    def searched(limits: SearchLimits) -> Analysis:
        return LocalEngine(hash_mb=1).analyse(position, limits)

    before, after = (searched(SearchLimits(depth=depth)) for depth in (8, 10))
    # When four fifths of the last iteration are done, the better move is being searched again.
    cut = searched(SearchLimits(nodes=before.nodes + (after.nodes - before.nodes) * 4 // 5))
    assert cut.depth == 8
    assert before.best != cut.best == after.best
