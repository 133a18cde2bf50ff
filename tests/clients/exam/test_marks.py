"""The summary of answers."""

from plywire.clients.exam.marks import Answer, marks
from plywire.clients.play.errors import Termination


def answer(move: str | None, ms: int | None, **others: object) -> Answer:
    given = {
        **{"game": "connect4", "grade": 1, "depth": 3, "fen": "", "moves": (), "legal": 7},
        **{"keeping": ("4",), "move": move, "regret": None if move is None else int(move != "4")},
    }
    return Answer.model_validate({**given, "ms": ms, **others})


def test_times_and_faults_are_counted() -> None:
    answers = [
        answer("4", 30),
        answer("1", 90),
        answer("4", 60),
        answer(None, 500, failure=Termination.ILLEGAL_MOVE),
        answer(None, None, failure=Termination.CRASH),
    ]
    found = marks(answers, "connect4")
    assert (found.mean_ms, found.longest_ms) == (60, 90)
    assert (found.questions, found.losing, found.failed) == (5, 1, 1)
    assert found.illegal.value == 0.2
    assert found.kept.value == 0.4
