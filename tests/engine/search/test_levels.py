"""What each level of the engine searches, and what it plays."""

import random
from collections import Counter

import pytest

from plywire.engine.analysis import Analysis, AnalysisLine, EngineScore
from plywire.engine.connect4.levels import Connect4Levels, sight
from plywire.engine.game import Game, Position
from plywire.engine.limits import ClockTimes, SearchLimits
from plywire.engine.othello.levels import PEOPLE
from plywire.engine.registry import backend_of, load
from plywire.engine.search.levels import HIGHEST, positions
from plywire.protocol.messages.play import MAX_LEVEL

LEVELS = range(1, HIGHEST + 1)
CONNECT4, OTHELLO = load("connect4"), load("othello")
temperature, worth = Connect4Levels().temperature, Connect4Levels().worth


def search(level: int, position: Position, limits: SearchLimits) -> tuple[SearchLimits, int]:
    return backend_of(position.game).levels.search(level, position, limits)


def pick(level: int, game: Game, found: Analysis, chance: random.Random) -> int | None:
    return backend_of(game).levels.pick(level, found, chance)


def found(*scores: EngineScore) -> Analysis:
    """Lines of moves 0, 1, …, with those scores."""
    lines = tuple(
        AnalysisLine(1, score, 1, 1, 0, number, (number - 1,))
        for number, score in enumerate(scores, 1)
    )
    return Analysis(best=0, lines=lines, nodes=1, time=1)


def drawn(level: int, *scores: EngineScore, game: Game = CONNECT4) -> Counter[int | None]:
    chance = random.Random(1)
    return Counter(pick(level, game, found(*scores), chance) for _ in range(2000))


def test_there_are_as_many_levels_as_the_protocol_has() -> None:
    assert HIGHEST == MAX_LEVEL


def test_levels_rise() -> None:
    nodes = [positions(level) for level in LEVELS]
    assert nodes == sorted(set(nodes))
    assert (nodes[0], nodes[-1]) == (40, 10_485_760)
    assert [sight(level) for level in LEVELS] == sorted({sight(level) for level in LEVELS})
    heats = [temperature(level) for level in LEVELS]
    assert heats == sorted(set(heats), reverse=True)
    assert heats[-1] == 0


def test_a_level_sees_twice_as_many_plies_as_its_number() -> None:
    assert [sight(level) for level in (1, 2, 9)] == [2, 4, 18]
    assert worth(EngineScore("win", 4), 2) > 1 > worth(EngineScore("win", 5), 2) > 0
    assert worth(EngineScore("loss", 4), 2) < -1 < worth(EngineScore("loss", 5), 2) < 0


def test_the_sooner_a_win_and_the_later_a_loss_the_better() -> None:
    best_first = [
        EngineScore("win", 1),
        EngineScore("win", 3),
        EngineScore("draw"),
        EngineScore("loss", 4),
    ]
    best_first.append(EngineScore("loss", 2))
    worths = [worth(score, 5) for score in best_first]
    assert worths == sorted(set(worths), reverse=True)


def test_the_highest_level_never_errs() -> None:
    assert drawn(10, EngineScore("win", 41), EngineScore("win", 43), EngineScore("draw")) == {
        0: 2000
    }


def test_a_higher_level_errs_less_often() -> None:
    errors = [
        2000 - drawn(level, EngineScore("draw"), EngineScore("loss", 6))[0] for level in LEVELS
    ]
    assert errors == sorted(errors, reverse=True)
    assert errors[0] > errors[-1] == 0


def test_even_the_lowest_level_hardly_misses_what_is_at_hand() -> None:
    assert drawn(1, EngineScore("win", 1), EngineScore("draw"), EngineScore("loss", 2))[0] > 1900
    assert drawn(1, EngineScore("draw"), EngineScore("loss", 2))[0] > 1900


def test_what_is_out_of_sight_is_missed_more_often() -> None:
    near, far = (drawn(3, EngineScore("win", plies), EngineScore("draw"))[1] for plies in (5, 7))
    assert 0 < near < far < 1000


def test_estimates_count_less_than_what_is_proven() -> None:
    assert drawn(5, EngineScore("draw"), EngineScore("cp", 50), EngineScore("loss", 4))[2] < 20


def test_all_moves_are_scored_but_in_games_that_have_no_more_than_a_search() -> None:
    tictactoe = load("tictactoe").start()
    assert search(1, CONNECT4.start(), SearchLimits()) == (SearchLimits(nodes=10_000_000), 7)
    assert search(3, OTHELLO.start(), SearchLimits()) == (SearchLimits(depth=2), 4)
    assert search(10, OTHELLO.start(), SearchLimits()) == (SearchLimits(nodes=10_485_760), 1)
    assert search(3, tictactoe, SearchLimits()) == (SearchLimits(nodes=640), 1)


def test_people_of_othello_err_less_the_higher_their_level() -> None:
    assert list(PEOPLE) == list(LEVELS[:-1])
    estimates = EngineScore("cp", 400), EngineScore("cp", 100), EngineScore("cp", -800)
    errors = [2000 - drawn(level, *estimates, game=OTHELLO)[0] for level in LEVELS]
    assert errors == sorted(errors, reverse=True)
    assert errors[0] > 1000 > errors[4] > errors[-1] == 0
    three, twelve = drawn(5, *estimates, game=OTHELLO)[1], drawn(5, *estimates, game=OTHELLO)[2]
    assert three > 5 * twelve > 0


def test_discs_count_alike_whether_estimated_or_exact() -> None:
    exact, estimated = (
        drawn(4, EngineScore(kind, 4 * size), EngineScore(kind, -2 * size), game=OTHELLO)
        for kind, size in (("exact", 1), ("cp", 100))
    )
    assert exact == estimated


@pytest.mark.parametrize(
    ("game", "words"),
    [
        (CONNECT4, "sees 6 plies ahead, and errs"),
        (OTHELLO, "looks 2 plies ahead, and errs by some 5 discs"),
        (load("tictactoe"), "640 positions a move"),
    ],
)
def test_a_level_is_told_in_words(game: Game, words: str) -> None:
    assert backend_of(game).levels.in_words(3) == words


def test_of_the_limits_given_those_of_time_count() -> None:
    clock = ClockTimes(1, 2)
    given = SearchLimits(movetime=9, clock=clock, depth=1, nodes=7, infinite=True)
    limits, _ = search(3, load("tictactoe").start(), given)
    assert limits == SearchLimits(movetime=9, clock=clock, nodes=640)


def test_where_no_move_was_scored_the_one_that_was_found_is_played() -> None:
    assert pick(1, CONNECT4, Analysis(best=3, lines=(), nodes=0, time=0), random.Random(1)) == 3
