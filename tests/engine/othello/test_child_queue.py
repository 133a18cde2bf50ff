import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from plywire.engine.othello.child_queue import QUEUE_WORDS
from tests.kernels import OTHELLO
from tests.support.kernels import Kernels, unsigned

KERNELS = Kernels(OTHELLO)
MOVE_SCORES = st.lists(st.integers(0, (1 << 47) - 1), min_size=1, max_size=QUEUE_WORDS)


class Queue:
    """A queue of children whose square is 63 less their number, where others were before."""

    def __init__(self, move_scores: list[int]) -> None:
        self._words = np.full(QUEUE_WORDS, (1 << 64) - 1, np.uint64)
        self._address = self._words.ctypes.data
        self._count = len(move_scores)
        KERNELS.queue_clear(self._address, self._count)
        for number, move_score in enumerate(move_scores):
            KERNELS.queue_put(self._address, number, 63 - number, move_score)

    def take(self) -> tuple[int, int, bool] | None:
        word = unsigned(KERNELS.queue_take(self._address, self._count))
        if not word:
            return None
        number = KERNELS.number_of(word)
        assert KERNELS.square_of(word) == 63 - number
        return word, number, bool(KERNELS.is_deferred(word))

    def take_all(self) -> list[int]:
        return [number for _, number, _ in iter(self.take, None)]

    def remove(self, number: int) -> None:
        KERNELS.queue_remove(self._address, number)

    def defer(self, word: int) -> None:
        KERNELS.queue_defer(self._address, word)


@given(MOVE_SCORES)
def test_children_are_taken_by_their_move_score_each_once(move_scores: list[int]) -> None:
    taken = Queue(move_scores).take_all()

    assert sorted(taken) == list(range(len(move_scores)))
    assert [move_scores[number] for number in taken] == sorted(move_scores, reverse=True)


@given(MOVE_SCORES)
def test_a_child_that_is_left_out_is_not_taken(move_scores: list[int]) -> None:
    children = Queue(move_scores)
    children.remove(0)

    assert sorted(children.take_all()) == list(range(1, len(move_scores)))


@given(MOVE_SCORES)
def test_a_child_that_is_deferred_comes_after_all_others(move_scores: list[int]) -> None:
    children = Queue(move_scores)
    first = children.take()
    assert first is not None
    word, number, is_deferred = first
    assert not is_deferred
    children.defer(word)

    taken = children.take_all()

    assert len(taken) == len(move_scores)
    assert taken[-1] == number


def test_a_child_that_was_deferred_is_marked() -> None:
    children = Queue([5])
    first = children.take()
    assert first is not None
    children.defer(first[0])

    again = children.take()

    assert again is not None
    assert again[1:] == (0, True)
