"""The search for any game, on games that have one of their own, against plain negamax.

Every result is checked against the contract at the head of `alphabeta.py`. All searches of a game
share one table, so that what one left there, an exact score or only a bound, is used by the next.
"""

import random

import pytest

from plywire.engine.analysis import EngineScore
from plywire.engine.compiled.contract import INFINITY, WIN
from plywire.engine.compiled.program import Program
from plywire.engine.game import PASS, Game, Position
from plywire.engine.registry import backend_of, load, names
from plywire.engine.search.generic import GenericSearcher, salt
from plywire.engine.search.searcher import Iteration
from plywire.engine.search.table import NO_MOVE, TranspositionTable
from tests.kernels import OTHELLO_ALPHABETA
from tests.support.agreement import estimate
from tests.support.negamax import Negamax
from tests.support.random_play import after_random_moves

#: Games, and after how many plies they are searched to the end.
ENDINGS = [("connect4", "4x4", 6), ("connect4", "5x4", 10), ("othello", "8x8", 53)]


def program_of(game: Game) -> Program:
    """The search that all games share, also of a game with a search of its own."""
    return OTHELLO_ALPHABETA if game.name == "othello" else backend_of(game).program()


class Searches:
    """Searches that share a table."""

    def __init__(self) -> None:
        self._table = TranspositionTable(1)

    def __call__(self, position: Position, depth: int, low: int, high: int) -> int:
        self._table.begin_search()
        game = position.game
        board = backend_of(game).board()
        searcher = GenericSearcher(program_of(game), board, position, self._table, 1 << 40)
        searcher.root_move = int(NO_MOVE)
        score = searcher.search(Iteration(depth), low, high)
        assert not searcher.aborted
        return score


def in_units(score: EngineScore) -> int:
    """A score as the search counts it."""
    if score.kind == "win":
        return WIN - score.value
    if score.kind == "loss":
        return score.value - WIN
    return 100 * score.value


def check(found: int, truth: int, low: int, high: int) -> None:
    """What the search promises of a score."""
    if found <= low:
        assert truth <= found
    elif found >= high:
        assert truth >= found
    else:
        assert truth == found


def windows(truth: int, chance: random.Random) -> list[tuple[int, int]]:
    """Null windows and wide ones, far above the truth, far below it and all about it."""
    steps = [0, 1, 2, 3, 199, 200, 1_000, 6_000, abs(truth) // 2, abs(truth)]
    lows = {truth + sign * step for step in steps for sign in (-1, 1)}
    inside = sorted(low for low in lows if -INFINITY <= low < INFINITY)
    pairs = [(low, low + 1) for low in inside]
    for _ in range(10):
        low, high = sorted(chance.sample(inside, 2))
        pairs.append((low, high))
    pairs.append((-INFINITY, INFINITY))
    return chance.sample(pairs, len(pairs))


def plain(position: Position, depth: int) -> int:
    """Negamax to a depth, passes not counted, which prunes nothing and remembers nothing."""
    result = position.result()
    if result is not None:
        score = -result.score if position.turn else result.score
        return 100 * score if position.game.name == "othello" else WIN * score
    if depth == 0:
        return estimate(position)
    best = -INFINITY
    for move in position.moves():
        score = -plain(position.play(move), depth - (move != PASS))
        best = max(best, score - (score > WIN // 2) + (score < -WIN // 2))
    return best


@pytest.mark.parametrize(("name", "size", "plies"), ENDINGS)
def test_searches_to_the_end_keep_the_contract(name: str, size: str, plies: int) -> None:
    game, chance = load(name, size), random.Random(name + size)
    reference, search = Negamax(), Searches()
    for seed in range(8):
        position = after_random_moves(game, plies, seed)
        left = sum(row.count(".") for row in position.cells())
        truth = in_units(reference.score(position))
        for low, high in windows(truth, chance):
            check(search(position, left, low, high), truth, low, high)


@pytest.mark.parametrize(("name", "plies"), [("connect4", 12), ("othello", 20)])
def test_each_depth_has_the_value_of_its_own_leaves(name: str, plies: int) -> None:
    game, chance = load(name), random.Random(name)
    for seed in range(4):
        search = Searches()
        position = after_random_moves(game, plies, seed)
        for depth in (1, 2, 3):
            truth = plain(position, depth)
            for low, high in windows(truth, chance):
                check(search(position, depth, low, high), truth, low, high)


def test_games_and_board_sizes_have_salts_of_their_own() -> None:
    games = [load(name) for name in names()]
    games += [load("connect4", size) for size in ("5x4", "4x5", "5x5")]
    assert len({salt(game) for game in games}) == len(games)
