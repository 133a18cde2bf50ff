"""Ratings that last: each event counts once, whoever is cut off when."""

import math
import sqlite3
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from plywire.clients.play.errors import Termination
from plywire.clients.play.matches.outcomes import outcomes
from plywire.clients.play.ratings.glicko2 import Glicko, rate_event
from plywire.engine.registry import load
from plywire.server.arena.store.rating_list import BadRatingsError, RatingList, RatingsError
from tests.server.arena.store.test_accounts import version
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
    accepted = r"notes\.txt: not a file of ratings of Plywire: a file of ratings is an SQLite file"
    with pytest.raises(BadRatingsError, match=accepted):
        RatingList(path).rate("1", "Cup", FIRST)


def store(path: Path, **values: object) -> None:
    """Change the numbers that are stored of ada."""
    names = ", ".join(f"{name} = ?" for name in values)
    with sqlite3.connect(path) as connection:
        connection.execute(f"UPDATE rating SET {names} WHERE player = 'ada'", [*values.values()])
    connection.close()


@pytest.mark.parametrize("is_period", [True, False])
def test_an_absurd_rating_is_healed_and_logged(
    ratings: RatingList, tmp_path: Path, caplog: pytest.LogCaptureFixture, is_period: bool
) -> None:
    """An older version stored -57,060 with volatility 29.5; each later event then overflowed."""
    path = tmp_path / "ratings.sqlite"
    ratings.rate("1", "Cup", FIRST)
    store(path, rating=-57060.0, deviation=350.0, volatility=29.5)
    assert ratings.of(load("connect4"))["ada"] == Glicko(0, 350, 0.1)
    assert {rated.player: rated.glicko.rating for rated in ratings.latest()["connect4"]}["ada"] == 0
    assert not caplog.records
    # Bob and Eve play; Ada is healed all the same.
    assert ratings.rate("2", "Cup", SECOND, is_period=is_period)
    (line,) = caplog.messages
    assert line == (
        f"ratings healed file={path} game='connect4' player='ada' from=-57060±350,29.5 to=0±350,0.1"
    )
    assert ratings.rate("3", "Cup", FIRST, is_period=is_period)
    assert len(caplog.messages) == 1
    assert 0 <= ratings.of(load("connect4"))["ada"].rating <= 700
    assert {rated.player: rated.games for rated in ratings.latest()["connect4"]}["ada"] == 6


def test_thirty_upsets_and_the_events_after_them(ratings: RatingList, tmp_path: Path) -> None:
    ratings.rate("1", "Cup", FIRST)
    store(tmp_path / "ratings.sqlite", rating=3000.0, deviation=50.0)
    for event in range(2, 9):
        upsets = [record(number, "ada", "bob", 2) for number in range(30)]
        assert ratings.rate(f"{event}", "Cup", upsets)
    assert all(0 <= rated.glicko.rating <= 4000 for rated in ratings.latest()["connect4"])


@pytest.mark.parametrize(
    ("column", "value", "shown", "accepted"),
    [
        ("rating", math.inf, "inf", "a finite number"),
        ("rating", -math.inf, "-inf", "a finite number"),
        ("rating", "strong", "'strong'", "a finite number"),
        ("rating", b"\x00\n", r"b'\x00\n'", "a finite number"),
        ("deviation", -50.0, "-50.0", "a finite number from 0"),
        ("volatility", -0.06, "-0.06", "a finite number from 0"),
        ("volatility", "nan", "'nan'", "a finite number from 0"),
        ("games", -1, "-1", "a whole number from 0"),
        ("games", 1.5, "1.5", "a whole number from 0"),
    ],
)
def test_nonsense_is_refused_by_its_row(
    *, ratings: RatingList, tmp_path: Path, column: str, value: object, shown: str, accepted: str
) -> None:
    path = tmp_path / "ratings.sqlite"
    ratings.rate("1", "Cup", FIRST)
    store(path, **{column: value})
    before = path.read_bytes()
    refusal = (
        f"{path}: event 1, game 'connect4', player 'ada': {column} is {shown}; accepted: {accepted}"
    )
    attempts: list[Callable[[], object]] = [
        *(ratings.check, ratings.latest),
        *(partial(ratings.of, load("connect4")), partial(ratings.rate, "2", "Cup", SECOND)),
    ]
    for attempt in attempts:
        with pytest.raises(BadRatingsError) as refused:
            attempt()
        assert str(refused.value) == refusal
    assert path.read_bytes() == before


def test_a_missing_number_in_a_file_of_another_program_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "ratings.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute(
            "CREATE TABLE rating (event, game, player, rating, deviation, volatility, games)"
        )
        row = ("first", "connect4", "ada", math.nan, 50, 0.06, 1)
        connection.execute("INSERT INTO rating VALUES (?, ?, ?, ?, ?, ?, ?)", row)
    connection.close()
    with pytest.raises(BadRatingsError, match="event is 'first'; accepted: a whole number"):
        RatingList(path).check()
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE rating SET event = 1")
    connection.close()
    with pytest.raises(BadRatingsError, match="rating is None; accepted: a finite number"):
        RatingList(path).check()


def test_a_file_of_an_earlier_version_is_marked_and_a_newer_one_refused(
    ratings: RatingList, tmp_path: Path
) -> None:
    path = tmp_path / "ratings.sqlite"
    ratings.rate("1", "Cup", FIRST)
    before = ratings.latest()
    version(path, application=0, user=0)
    assert ratings.latest() == before
    assert ratings.rate("2", "Cup", SECOND)
    version(path, user=99)
    for attempt in (ratings.latest, partial(ratings.rate, "3", "Cup", FIRST)):
        with pytest.raises(BadRatingsError, match="version 99, written by a newer Plywire"):
            attempt()
    version(path, application=1, user=1)
    with pytest.raises(BadRatingsError, match="not a file of ratings of Plywire"):
        ratings.latest()


def test_a_file_that_does_not_exist_yet_can_be_rated_in(ratings: RatingList) -> None:
    ratings.check()


def test_an_anchor_is_within_the_bounds(tmp_path: Path) -> None:
    anchored = RatingList(tmp_path / "ratings.sqlite", {"ada": 1e300})
    anchored.rate("1", "Cup", FIRST)
    assert anchored.of(load("connect4"))["ada"] == Glicko(4000, 0)


def test_a_file_that_another_process_writes_is_no_bad_file(
    ratings: RatingList, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another try may do."""
    ratings.rate("1", "Cup", FIRST)
    connect = partial(sqlite3.connect, timeout=0)
    with closing(sqlite3.connect(tmp_path / "ratings.sqlite", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        monkeypatch.setattr(sqlite3, "connect", connect)
        with pytest.raises(RatingsError, match="locked") as refused:
            ratings.rate("2", "Cup", SECOND)
        assert not isinstance(refused.value, BadRatingsError)
