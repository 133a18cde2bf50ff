"""When the engine plays from its book, and when it does not."""

import pytest

from plywire.engine.analysis import AnalysisLine
from plywire.engine.engine import LocalEngine
from plywire.engine.limits import ClockTimes, SearchLimits
from plywire.engine.othello.book import book as books
from plywire.engine.othello.book.book import START, Book, Key, key, position_of
from plywire.engine.othello.rules import Othello

GAME = Othello()
START_POSITION = GAME.start()
#: Worth nothing else would find.
WORTH = 77


@pytest.fixture(autouse=True)
def shipped(monkeypatch: pytest.MonkeyPatch) -> Book:
    """A book of four plies in which all moves are as good."""
    layers: list[set[Key]] = [{START}]
    for _ in range(4):
        positions = map(position_of, layers[-1])
        layers.append({key(node.play(move)) for node in positions for move in node.moves()})
    signs = (WORTH, -WORTH)
    values = {node: signs[ply % 2] for ply, layer in enumerate(layers) for node in layer}
    book = Book(values, depth=9)
    monkeypatch.setattr(books, "shipped_book", lambda: book)
    return book


@pytest.mark.parametrize(
    "limits",
    [
        SearchLimits(movetime=60_000),
        SearchLimits(clock=ClockTimes(60_000, 60_000)),
        SearchLimits(movetime=0),
    ],
    ids=str,
)
def test_the_book_answers_at_once_where_only_time_is_limited(limits: SearchLimits) -> None:
    infos: list[AnalysisLine] = []
    analysis = LocalEngine(hash_mb=1).analyse(START_POSITION, limits, infos.append)
    assert analysis.best in START_POSITION.moves()
    assert analysis.nodes == 0
    (info,) = infos
    assert analysis.lines == (info,)
    assert (info.score.value, info.depth, info.pv[0]) == (WORTH, 9, analysis.best)


@pytest.mark.parametrize(
    ("limits", "multipv"),
    [
        (SearchLimits(depth=2), 1),
        (SearchLimits(nodes=200), 1),
        (SearchLimits(movetime=60_000, depth=2), 1),
        (SearchLimits(movetime=60_000, nodes=200), 1),
        (SearchLimits(movetime=20, infinite=True), 1),
        (SearchLimits(movetime=20), 2),
    ],
    ids=str,
)
def test_any_other_search_is_done(limits: SearchLimits, multipv: int) -> None:
    analysis = LocalEngine(hash_mb=1).analyse(START_POSITION, limits, multipv=multipv)
    assert analysis.nodes > 0
    assert len(analysis.lines) == multipv


def test_without_the_book_or_outside_it_the_engine_searches() -> None:
    limits = SearchLimits(movetime=20)
    assert LocalEngine(hash_mb=1, book=False).analyse(START_POSITION, limits).nodes > 0
    position = START_POSITION
    for _ in range(4):
        position = position.play(position.moves()[0])
    assert LocalEngine(hash_mb=1).analyse(position, limits).nodes > 0


def test_games_vary_and_the_seed_decides() -> None:
    def opening(seed: int | None) -> tuple[int, ...]:
        engine = LocalEngine(hash_mb=1, seed=seed)
        position = START_POSITION
        moves = []
        for _ in range(4):
            best = engine.analyse(position, SearchLimits(movetime=10)).best
            assert best is not None
            moves.append(best)
            position = position.play(best)
        return tuple(moves)

    assert len({opening(seed) for seed in range(20)}) > 10
    assert len({opening(None) for _ in range(20)}) > 10
    assert opening(5) == opening(5)
