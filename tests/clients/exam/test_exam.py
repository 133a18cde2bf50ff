"""Sitting an exam: what is counted of good, bad and broken players."""

import pytest

from plywire.clients.connecting.players.specs import parse_player
from plywire.clients.exam.exam import Exam
from plywire.clients.exam.marks import ExamResult
from plywire.clients.play.errors import Termination
from plywire.clients.play.matches.match import MatchError
from plywire.clients.play.matches.referee import TimeControl
from plywire.clients.play.players.python import PythonPlayer
from plywire.engine.engine import LocalEngine
from plywire.engine.registry import load
from plywire.protocol.messages.limits import Limits

GENEROUS = TimeControl(Limits(movetime=10_000), margin=10_000)


async def sit(make, positions=2, levels=(), games=0, seed=0) -> ExamResult:
    exam = Exam(
        [load("tictactoe")],
        positions=positions,
        levels=levels,
        level_games=games,
        seed=seed,
        control=GENEROUS,
    )
    return await exam.sit(make)


class Worst:
    """Plays what the engine likes least."""

    def choose(self, line, limits):
        lines = LocalEngine().analyse(line.position, multipv=len(line.legal_moves)).lines
        return lines[-1].pv[0]


class Illegal:
    def choose(self, line, limits):
        return 63


class Broken:
    def choose(self, line, limits):
        raise RuntimeError("no idea")


async def test_the_engine_keeps_all_and_the_worst_player_nothing() -> None:
    best = await sit(parse_player("engine"))
    assert best.marks[0].kept.value == 1
    assert best.marks[0].losing == 0
    assert best.marks[1].regret == 0
    assert best.marks[0].mean_ms is not None
    worst = await sit(lambda: PythonPlayer(Worst))
    assert worst.marks[0].kept.value == 0
    assert worst.marks[0].losing == worst.marks[0].questions == len(worst.answers)
    assert worst.marks[1].regret >= 1
    assert [answer.fen for answer in worst.answers] == [answer.fen for answer in best.answers]
    # Of all games first, then of each game, then of its grades.
    assert [(mark.game, mark.grade) for mark in best.marks] == [
        *((None, None), ("tictactoe", None)),
        *(("tictactoe", 1), ("tictactoe", 2), ("tictactoe", 3)),
    ]
    assert sum(mark.questions for mark in best.marks[2:]) == best.marks[0].questions
    assert best.marks[0].kept.low < 1 < best.marks[0].kept.high + 1e-9


@pytest.mark.parametrize(
    ("kind", "failure"), [(Illegal, Termination.ILLEGAL_MOVE), (Broken, Termination.CRASH)]
)
async def test_illegal_moves_and_failures_are_told_apart(kind, failure) -> None:
    result = await sit(lambda: PythonPlayer(kind), positions=1, levels=(1,), games=2)
    marks = result.marks[0]
    assert {answer.failure for answer in result.answers} == {failure}
    assert marks.kept.value == marks.losing == 0
    assert marks.illegal.value == (failure is Termination.ILLEGAL_MOVE)
    assert marks.failed == (0 if kind is Illegal else marks.questions)
    assert (marks.mean_ms, result.marks[1].regret) == (None, None)
    (score,) = result.levels
    assert (score.losses, score.failures) == (2, {failure: 2})


async def test_a_player_that_cannot_start_is_told_at_once() -> None:
    with pytest.raises(MatchError, match="cannot play Tic-Tac-Toe"):
        await sit(parse_player("ugi:./no-such-program"))
