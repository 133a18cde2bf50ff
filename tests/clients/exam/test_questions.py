"""Questions: what moves are worth, how hard they are, and that a seed asks the same."""

from collections import Counter

from plywire.clients.exam.questions import GRADES, draw_questions
from plywire.engine.engine import LocalEngine
from plywire.engine.limits import SearchLimits
from plywire.engine.registry import load
from tests.support.negamax import Negamax

VALUES = {"win": 1, "draw": 0, "loss": -1}


def test_values_are_those_of_plain_negamax() -> None:
    negamax = Negamax()
    for question in draw_questions(load("tictactoe"), 5, 0):
        position = question.line.position
        assert tuple(question.values) == position.moves()
        for move, value in question.values.items():
            after = position.play(move)
            result = after.result()
            if result is not None:
                assert value == abs(result.score)
            else:
                assert value == -VALUES[negamax.score(after).kind]
        best = max(question.values.values())
        assert question.keeping == {move for move, one in question.values.items() if one == best}
        assert 0 < len(question.keeping) < len(question.values)
        assert [question.regret(move) for move in question.keeping] == [0] * len(question.keeping)


def test_so_many_of_each_grade_and_the_same_for_a_seed() -> None:
    drawn = list(draw_questions(load("tictactoe"), 1, 0))
    assert Counter(question.grade for question in drawn) == {1: 1, 2: 1, 3: 1}
    for name in ("connect4", "othello"):
        first, again, other = (next(draw_questions(load(name), 1, seed)) for seed in (0, 0, 1))
        assert first == again
        assert first != other


def test_the_grade_is_the_depth_at_which_a_search_is_right() -> None:
    for question in draw_questions(load("tictactoe"), 3, 2):
        position, search = question.line.position, LocalEngine(book=False)
        right = [
            search.analyse(position, SearchLimits(depth=depth)).best in question.keeping
            for depth in range(1, position.plies_left + 1)
        ]
        assert all(right[question.depth - 1 :])
        assert question.depth == 1 or not right[question.depth - 2]
        assert question.grade == sum(question.depth >= least for least in GRADES)
