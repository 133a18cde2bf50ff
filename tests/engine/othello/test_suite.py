from pathlib import Path

import pytest

from plywire.engine.analysis import AnalysisLine
from plywire.engine.engine import LocalEngine, Stop
from plywire.engine.limits import ClockTimes, SearchLimits
from plywire.engine.othello import obf
from plywire.engine.othello.rules import Othello

PROBLEMS = obf.read((Path(__file__).parent / "problems.obf").read_text().splitlines())


@pytest.mark.parametrize("problem", PROBLEMS[::25])
def test_an_endgame_is_proven_with_its_line(problem: obf.Problem) -> None:
    analysis = LocalEngine().analyse(problem.position)
    assert analysis.score is not None
    assert (analysis.score.proven, analysis.score.value) == (True, problem.best)
    assert analysis.best is not None
    assert problem.scores[analysis.best] == problem.best
    position = problem.position
    for move in analysis.lines[0].pv:
        position = position.play(move)
    assert position.is_over


def test_lines_are_the_scores_of_the_best_moves() -> None:
    problem = PROBLEMS[110]
    infos: list[AnalysisLine] = []
    analysis = LocalEngine().analyse(problem.position, on_info=infos.append, multipv=4)
    found = {line.pv[0]: line.score.value for line in analysis.lines}
    assert len(found) == min(4, len(problem.scores))
    assert found == {move: problem.scores[move] for move in found}
    assert list(found.values()) == sorted(problem.scores.values(), reverse=True)[: len(found)]
    assert [line.multipv for line in analysis.lines] == list(range(1, len(found) + 1))
    assert tuple(infos[-len(found) :]) == analysis.lines


@pytest.mark.parametrize(
    "limits",
    [
        SearchLimits(movetime=0),
        SearchLimits(clock=ClockTimes(0, 0)),
        SearchLimits(nodes=1),
        SearchLimits(nodes=3_000),
    ],
)
def test_where_there_is_no_time_a_move_is_found_all_the_same(limits: SearchLimits) -> None:
    for problem in (PROBLEMS[0], PROBLEMS[-1]):
        analysis = LocalEngine().analyse(problem.position, limits)
        assert analysis.best in problem.position.moves()
        assert limits.nodes is None or analysis.nodes <= limits.nodes


def test_a_stop_leaves_the_estimate() -> None:
    stop = Stop()
    analysis = LocalEngine().analyse(
        PROBLEMS[-1].position, on_info=lambda info: stop.set(), stop=stop
    )
    assert analysis.score is not None
    assert not analysis.score.proven
    assert analysis.best in PROBLEMS[-1].position.moves()


def test_infinite_analysis_waits_for_the_stop() -> None:
    stop = Stop()

    def on_info(info: AnalysisLine) -> None:
        if info.score.proven:
            stop.set()

    analysis = LocalEngine().analyse(
        PROBLEMS[50].position, SearchLimits(infinite=True), on_info, stop=stop
    )
    assert stop.is_set
    assert analysis.score is not None
    assert analysis.score.value == PROBLEMS[50].best


def test_what_is_out_of_reach_is_searched() -> None:
    analysis = LocalEngine().analyse(Othello().start(), SearchLimits(nodes=10_000))
    assert analysis.score is not None
    assert not analysis.score.proven
    assert analysis.depth > 1
