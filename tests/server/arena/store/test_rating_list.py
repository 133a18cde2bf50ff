"""Ratings that last: each event counts once, whoever is cut off when."""

from pathlib import Path

import pytest

from plywire.clients.errors import Termination
from plywire.clients.matches.outcomes import outcomes
from plywire.clients.ratings.glicko2 import Glicko, rate_event
from plywire.engine.registry import load
from plywire.server.arena.store.rating_list import RatingList, RatingsError
from tests.support.game_records import record

FIRST = [record(0, "ada", "bob", 1), record(1, "bob", "ada", 2), record(2, "ada", "bob")]
SECOND = [record(0, "bob", "eve", 1)]


@pytest.fixture
def ratings(tmp_path: Path) -> RatingList:
    return RatingList(tmp_path / "ratings.sqlite")


def test_an_event_makes_the_list_that_glicko_makes(ratings: RatingList) -> None:
    assert ratings.rate("1", "Cup", FIRST)
    expected = rate_event({}, outcomes(FIRST))
    assert {rated.player: rated.glicko for rated in ratings.latest()["connect4"]} == expected
    assert [(rated.player, rated.games) for rated in ratings.latest()["connect4"]] == [
        *(("ada", 3), ("bob", 3)),
    ]


def test_an_event_counts_once(ratings: RatingList) -> None:
    assert ratings.rate("1", "Cup", FIRST)
    before = ratings.latest()
    assert not ratings.rate("1", "Cup", FIRST)
    assert ratings.latest() == before


def test_the_next_event_begins_where_the_last_ended(ratings: RatingList) -> None:
    ratings.rate("1", "Cup", FIRST)
    ratings.rate("2", "Cup", SECOND)
    expected = rate_event(rate_event({}, outcomes(FIRST)), outcomes(SECOND))
    assert {rated.player: rated.glicko for rated in ratings.latest()["connect4"]} == expected
    (bob, eve) = ratings.after("2")["connect4"]
    assert (bob.player, bob.before, bob.played, bob.games) == (
        *("bob", rate_event({}, outcomes(FIRST))["bob"], 1, 4),
    )
    assert (eve.player, eve.before) == ("eve", None)
    assert {rated.player for rated in ratings.after("1")["connect4"]} == {"ada", "bob"}


def test_a_single_game_changes_those_who_played_it(ratings: RatingList) -> None:
    ratings.rate("1", "Cup", [*FIRST, record(4, "eve", "dan", 1)])
    before = {rated.player: rated.glicko for rated in ratings.latest()["connect4"]}
    assert ratings.rate("2", "game", SECOND, is_period=False)
    assert not ratings.rate("2", "game", SECOND, is_period=False)
    expected = rate_event({name: before[name] for name in ("bob", "eve")}, outcomes(SECOND))
    assert ratings.of(load("connect4")) == before | expected
    assert {rated.player for rated in ratings.after("2")["connect4"]} == {"bob", "eve"}
    games = {rated.player: rated.games for rated in ratings.latest()["connect4"]}
    assert games == {"ada": 3, "bob": 4, "eve": 2, "dan": 1}


def test_an_anchor_stays_where_it_is(tmp_path: Path) -> None:
    anchored = RatingList(tmp_path / "ratings.sqlite", {"ada": 1800.0})
    for number in range(3):
        anchored.rate(f"{number}", "game", [record(number, "bob", "ada", 1)], is_period=False)
    anchored.rate("cup", "Cup", SECOND)
    stand = anchored.of(load("connect4"))
    assert stand["ada"] == Glicko(1800.0, 0.0)
    assert stand["bob"].rating > 1800
    assert {rated.player: rated.games for rated in anchored.latest()["connect4"]}["ada"] == 3


def test_each_game_has_a_list_of_its_own(ratings: RatingList) -> None:
    othello = [record(3, "ada", "bob", 2, game="othello", moves="d3 c3 c4")]
    small = [record(4, "ada", "bob", 2).model_copy(update={"size": "5x4"})]
    ratings.rate("1", "Cup", [*FIRST, *othello, *small])
    assert list(ratings.latest()) == ["connect4", "connect4 5x4", "othello"]
    assert ratings.latest()["othello"][0].player == "bob"


def test_games_called_off_count_for_nobody(ratings: RatingList) -> None:
    ratings.rate("1", "Cup", [record(0, "ada", "bob", termination=Termination.ABORT)])
    assert ratings.latest() == {}
    assert not ratings.rate("1", "Cup", FIRST)


def test_what_cannot_be_read_is_named(tmp_path: Path, ratings: RatingList) -> None:
    with pytest.raises(RatingsError, match="no event has been rated"):
        ratings.latest()
    assert ratings.after("1") == {}
    path = tmp_path / "notes.txt"
    path.write_text("this is no database at all, " * 50)
    with pytest.raises(RatingsError, match=r"notes\.txt"):
        RatingList(path).rate("1", "Cup", FIRST)
