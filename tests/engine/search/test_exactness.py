"""The search against plain negamax, which visits everything and prunes nothing."""

import pytest

from plywire.engine.analysis import Analysis
from plywire.engine.engine import LocalEngine
from plywire.engine.game import PASS, Position
from plywire.engine.limits import SearchLimits
from plywire.engine.registry import load
from tests.support.negamax import Negamax
from tests.support.random_play import after_random_moves, first_after_random_moves


@pytest.fixture(scope="module")
def reference() -> Negamax:
    return Negamax()


def check(analysis: Analysis, position: Position, reference: Negamax) -> None:
    """The score is exact, and the principal variation leads to the result it promises."""
    score = reference.score(position)
    assert analysis.score == score
    assert analysis.score.proven
    line = analysis.lines[0].pv
    assert analysis.best == line[0]
    end = position
    for move in line:
        assert move in end.moves()
        end = end.play(move)
    assert end.is_over
    if score.kind in ("win", "loss"):
        assert len(line) == score.value
    end_score = reference.score(end)
    mirrored = {"win": "loss", "loss": "win"}.get(end_score.kind, end_score.kind)
    same_player = end.turn == position.turn
    assert score.kind == (end_score.kind if same_player else mirrored)
    if score.kind == "exact":
        assert score.value == (end_score.value if same_player else -end_score.value)


@pytest.mark.parametrize("plies", range(9))
def test_tictactoe(plies: int, reference: Negamax) -> None:
    game = load("tictactoe")
    engine = LocalEngine(hash_mb=1)
    for seed in range(20):
        position = after_random_moves(game, plies, seed)
        check(engine.analyse(position), position, reference)


@pytest.mark.parametrize("size", ["4x4", "5x4", "4x5"])
def test_small_connect4(size: str, reference: Negamax) -> None:
    game = load("connect4", size)
    engine = LocalEngine(hash_mb=1)
    for seed in range(15):
        plies = game.width * game.height - 9
        position = after_random_moves(game, plies, seed)
        check(engine.analyse(position), position, reference)


def test_connect4_with_few_squares_left(reference: Negamax) -> None:
    game = load("connect4")
    engine = LocalEngine(hash_mb=1)
    for seed in range(10):
        position = after_random_moves(game, 30, seed)
        check(engine.analyse(position), position, reference)


@pytest.mark.parametrize("plies", [53, 54, 56, 58])
def test_othello_endgames(plies: int, reference: Negamax) -> None:
    game = load("othello")
    engine = LocalEngine(hash_mb=1)
    for seed in range(8):
        position = after_random_moves(game, plies, seed)
        check(engine.analyse(position), position, reference)


def test_a_forced_pass_is_the_best_move_and_part_of_the_line(reference: Negamax) -> None:
    position = first_after_random_moves(
        load("othello"), 54, lambda position: position.moves() == (PASS,)
    )
    analysis = LocalEngine(hash_mb=1).analyse(position)
    assert analysis.best == PASS
    check(analysis, position, reference)


@pytest.mark.parametrize("size", ["4x4", "5x4"])
def test_what_the_table_remembers_keeps_the_count_of_plies_right(
    size: str, reference: Negamax
) -> None:
    game = load("connect4", size)
    for seed in range(8):
        engine = LocalEngine(hash_mb=1)
        position = after_random_moves(game, game.width * game.height - 10, seed)
        game_so_far = [position]
        while not position.is_over:
            analysis = engine.analyse(position)
            check(analysis, position, reference)
            position = position.play(analysis.best)
            game_so_far.append(position)
        for earlier in reversed(game_so_far[:-1]):
            check(engine.analyse(earlier), earlier, reference)
            for move in earlier.moves():
                child = earlier.play(move)
                if not child.is_over:
                    check(engine.analyse(child), child, reference)
            check(engine.analyse(earlier), earlier, reference)


@pytest.mark.parametrize("threads", [1, 3])
def test_more_threads_find_the_same(threads: int, reference: Negamax) -> None:
    engine = LocalEngine(hash_mb=1, threads=threads)
    for game, plies in [(load("connect4"), 28), (load("othello"), 52)]:
        for seed in range(5):
            position = after_random_moves(game, plies, seed)
            check(engine.analyse(position), position, reference)


def test_a_loss_is_delayed_and_a_win_hurried() -> None:
    # Yellow threatens both ends of the bottom row: red cannot stop it, only fill one.
    game = load("connect4")
    position = game.start().play_names(["3", "3", "4", "4"])[-1].play_names(["5"])[-1]
    analysis = LocalEngine().analyse(position, SearchLimits(depth=12))
    assert analysis.score.kind == "loss"
    assert analysis.score.value == 2
    won = position.play(analysis.best)
    assert LocalEngine().analyse(won, SearchLimits(depth=12)).score.value == 1


def test_a_win_ends_the_search_once_no_nearer_one_can_exist() -> None:
    position = load("connect4").start().play_names(["1", "7", "2", "7", "3", "6"])[-1]
    analysis = LocalEngine().analyse(position, SearchLimits(depth=20))
    assert analysis.score.kind == "win"
    assert analysis.score.value == 1
    assert analysis.depth == 1


def test_an_estimate_is_not_called_proven() -> None:
    for name in ("connect4", "othello"):
        analysis = LocalEngine().analyse(load(name).start(), SearchLimits(depth=4))
        assert analysis.score.kind == "cp"
        assert not analysis.score.proven
