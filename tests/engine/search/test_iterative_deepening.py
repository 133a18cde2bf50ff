"""Iterative deepening above a search that says what the test tells it to."""

import time
from collections.abc import Iterable

import pytest

from plywire.engine.analysis import Analysis, EngineScore
from plywire.engine.compiled.contract import WIN
from plywire.engine.connect4.backend import Connect4Backend
from plywire.engine.limits import SearchLimits
from plywire.engine.registry import load
from plywire.engine.search.iterative_deepening import search
from plywire.engine.search.request import SearchRequest
from plywire.engine.search.searcher import Iteration
from plywire.engine.search.stop import Stop
from plywire.engine.search.table import TranspositionTable
from plywire.engine.search.time_management import UNLIMITED
from tests.support.connect4 import played

START = load("connect4").start()
FIRST, SECOND, THIRD = START.moves()[:3]


class Scripted:
    """Moves have values; the value of the best is told as a fail-soft search would tell it."""

    aborted = False
    nodes = 1
    root_move = 0

    def __init__(self, *values: dict[int, int]) -> None:
        """What moves are worth in each line of an iteration; the last dict serves all further."""
        self.windows: list[tuple[int, int]] = []
        self._values = values
        self._taken: set[int] = set()

    def use_stop(self, stop: Stop) -> None:
        pass

    def exclude(self, moves: Iterable[int]) -> None:
        self._taken = set(moves)

    def search(self, iteration: Iteration, low: int, high: int) -> int:
        self.windows.append((low, high))
        values = self._values[min(len(self._taken), len(self._values) - 1)]
        self.root_move = max(values.keys() - self._taken, key=values.__getitem__)
        return max(low, min(values[self.root_move], high))  # what lies outside is only bounded

    def principal_variation(self) -> tuple[int, ...]:
        return (self.root_move,)


def run(
    monkeypatch: pytest.MonkeyPatch, searcher: Scripted, depth: int, multipv: int = 1
) -> Analysis:
    monkeypatch.setattr(Connect4Backend, "searcher", lambda *_: searcher)
    request = SearchRequest(
        START,
        SearchLimits(depth=depth),
        multipv=multipv,
        stop=Stop(),
        began=time.monotonic(),
        budget=UNLIMITED,
    )
    return search(Connect4Backend(START.game), request, TranspositionTable(1))


@pytest.mark.parametrize("moves", ["744475", "41761", "467154136476"])
def test_a_move_found_to_be_better_is_played_before_it_is_known_by_how_much(moves: str) -> None:
    position = played(START.game, moves)

    def searched(limits: SearchLimits) -> Analysis:
        backend, table = Connect4Backend(START.game), TranspositionTable(1)
        request = SearchRequest(
            position, limits, multipv=1, stop=Stop(), began=time.monotonic(), budget=UNLIMITED
        )
        return search(backend, request, table)

    before, after = (searched(SearchLimits(depth=depth)) for depth in (7, 8))
    # When four fifths of the last iteration are done, the better move is being searched again.
    cut = searched(SearchLimits(nodes=before.nodes + (after.nodes - before.nodes) * 4 // 5))
    assert cut.depth == 7
    assert before.best != cut.best == after.best


def test_a_line_that_turns_out_better_than_the_one_before_goes_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # A search that prunes on suspicion may well contradict itself.
    first, then = {FIRST: 10, SECOND: 5, THIRD: 0}, {SECOND: 30, THIRD: 20}
    analysis = run(monkeypatch, Scripted(first, then), depth=3, multipv=3)
    assert [line.pv[0] for line in analysis.lines] == [SECOND, THIRD, FIRST]
    assert [line.score.value for line in analysis.lines] == [30, 20, 10]
    assert [line.multipv for line in analysis.lines] == [1, 2, 3]
    assert analysis.best == SECOND


def test_a_win_is_not_taken_for_the_nearest_before_the_search_has_looked_as_far(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Remembering(Scripted):
        """Finds a far win in a table, and a nearer one when it gets to look for itself."""

        def search(self, iteration: Iteration, low: int, high: int) -> int:
            self._values = ({FIRST: WIN - (7 if iteration.depth < 3 else 3)},)
            return super().search(iteration, low, high)

    analysis = run(monkeypatch, Remembering({FIRST: 0}), depth=9)
    assert analysis.score == EngineScore("win", 3)
    assert analysis.depth == 3  # and no iteration finds one that is nearer still


@pytest.mark.parametrize("value", [-5_000, -700, -61, 59, 60, 61, 3_999, 20_000])
def test_a_score_outside_the_window_is_searched_again_until_it_lies_within(
    monkeypatch: pytest.MonkeyPatch, value: int
) -> None:
    class Changing(Scripted):
        """Is worth nothing at first, and something else from depth 6 on."""

        def search(self, iteration: Iteration, low: int, high: int) -> int:
            self._values = ({FIRST: value if iteration.depth >= 6 else 0},)
            return super().search(iteration, low, high)

    searcher = Changing({FIRST: 0})
    analysis = run(monkeypatch, searcher, depth=6)
    assert analysis.score is not None
    assert analysis.score.value == value
    low, high = searcher.windows[-1]
    assert low < value < high
    assert high - low < 200 or abs(value) >= 60
