import pytest

from plywire.clients.play.errors import Termination
from plywire.server.arena.tournament.pairings import Gauntlet, Knockout, Ranking, RoundRobin, Swiss
from plywire.server.arena.tournament.standings import standings
from tests.support.game_records import record


def results(*games: tuple[str, str, int | None]):
    return [
        record(number, first, second, winner)
        for number, (first, second, winner) in enumerate(games)
    ]


def order(table) -> list[tuple[int, str]]:
    return [(standing.rank, standing.player) for standing in table]


def test_crosstable() -> None:
    table = standings(
        results(("a", "b", 1), ("b", "a", 1), ("a", "c", 1), ("c", "a", None), ("b", "c", 2))
    )
    rows = {standing.player: standing for standing in table}
    assert order(table) == [(1, "a"), (2, "c"), (3, "b")]
    a = rows["a"].total
    assert (a.wins, a.draws, a.losses, a.points, a.share) == (2, 1, 1, 2.5, 0.625)
    assert rows["a"].against["c"].points == 1.5
    assert rows["c"].against["a"].points == 0.5
    assert (rows["a"].first.games, rows["a"].first.points) == (2, 2.0)
    assert rows["b"].against["c"].losses == rows["c"].against["b"].wins == 1


def test_sonneborn_berger_breaks_ties() -> None:
    """Points against each, times the points of each.

    a: 3 points, b: 3, c: 2, d: 2, e: 0. a beat b, and b drew with c and d.
    """
    table = standings(
        results(
            *(("a", "b", 1), ("a", "c", 2), ("a", "d", 1), ("a", "e", 1)),
            *(("b", "c", 1), ("b", "d", 1), ("b", "e", 1)),
            *(("c", "d", 2), ("c", "e", 1), ("d", "e", 1)),
        )
    )
    rows = {standing.player: standing for standing in table}
    assert {name: row.points for name, row in rows.items()} == {
        **{"a": 3, "b": 3, "c": 2, "d": 2, "e": 0}
    }
    assert rows["a"].sonneborn_berger == 3 + 2 + 0
    assert rows["b"].sonneborn_berger == 2 + 2 + 0
    assert rows["c"].sonneborn_berger == 3 + 0
    assert rows["d"].sonneborn_berger == 2 + 0
    assert order(table) == [(1, "a"), (2, "b"), (3, "c"), (4, "d"), (5, "e")]


def test_sonneborn_berger_counts_half_for_draws_and_every_game_of_a_pairing() -> None:
    table = standings(results(("a", "b", None), ("b", "a", None), ("a", "c", 1), ("b", "c", 1)))
    rows = {standing.player: standing for standing in table}
    assert rows["a"].sonneborn_berger == 1.0 * 2 + 1 * 0
    assert rows["c"].sonneborn_berger == 0


def test_equals_share_a_rank_in_the_order_given() -> None:
    table = standings(results(("a", "b", None), ("c", "d", None)), ["d", "c", "b", "a", "e"])
    assert order(table) == [(1, "d"), (1, "c"), (1, "b"), (1, "a"), (5, "e")]


def test_failures_are_counted_for_who_is_to_blame() -> None:
    games = [
        record(0, "a", "b", 1, termination=Termination.TIME),
        record(1, "b", "a", 1, termination=Termination.CRASH),
        record(2, "a", "b", 2, termination=Termination.TIME),
        record(3, "b", "a", 2, termination=Termination.ADJUDICATION),
    ]
    rows = {standing.player: standing for standing in standings(games)}
    assert rows["a"].failures == {Termination.TIME: 1, Termination.CRASH: 1}
    assert rows["b"].failures == {Termination.TIME: 1}


def test_a_game_that_was_called_off_is_none() -> None:
    games = [record(0, "a", "b", termination=Termination.ABORT), record(1, "b", "a", 2)]
    rows = {standing.player: standing for standing in standings(games)}
    assert (rows["a"].total.games, rows["a"].points, rows["b"].total.games) == (1, 1.0, 1)


def test_byes_give_points_but_are_no_games() -> None:
    schedule = Swiss(rounds=1).schedule(["a", "b", "c"], {})
    rows = {row.player: row for row in standings([], ["a", "b", "c"], schedule=schedule)}
    assert (rows["c"].points, rows["c"].total.games, rows["c"].rank) == (2.0, 0, 1)


def test_a_gauntlet_goes_by_points_a_game() -> None:
    games = results(("x", "a", 1), ("a", "x", 2), ("x", "b", 2), ("b", "x", 1))
    table = standings(games, ranking=Gauntlet.ranking)
    assert [row.player for row in table] == ["b", "x", "a"]
    assert {row.player: row.points for row in table} == {"b": 2, "x": 2, "a": 0}


@pytest.mark.parametrize("form", [RoundRobin, Swiss])
def test_round_robin_and_swiss_go_by_points(form) -> None:
    assert form.ranking is Ranking.POINTS


def test_a_knockout_goes_by_how_far_players_got() -> None:
    players = ["a", "b", "c", "d"]
    scores = {0: (1.5, 0.5), 1: (0.0, 2.0), 2: (0.5, 1.5)}
    schedule = Knockout().schedule(players, scores)
    assert schedule.winner == "c"
    games = results(
        *(("a", "d", 1), ("d", "a", None), ("b", "c", 2), ("c", "b", 1)),
        *(("a", "c", 2), ("c", "a", None)),
    )
    table = standings(games, players, ranking=Knockout.ranking, schedule=schedule)
    assert [row.player for row in table] == ["c", "a", "d", "b"]


def test_a_player_who_was_beaten_early_can_have_more_points_than_a_finalist() -> None:
    players = ["a", "b", "c"]
    schedule = Knockout(games=4).schedule(players, {0: (2.5, 1.5), 1: (4.0, 0.0)})
    games = results(
        *(("b", "c", 1), ("c", "b", 1), ("b", "c", 1), ("c", "b", None)),
        *(("a", "b", 1), ("b", "a", 2), ("a", "b", 1), ("b", "a", 2)),
    )
    table = standings(games, players, ranking=Ranking.PROGRESS, schedule=schedule)
    assert [row.player for row in table] == ["a", "b", "c"]


def test_among_equals_the_number_of_wins_decides() -> None:
    """Both have a point, against the same opponent."""
    games = [
        record(0, "drawing", "other"),
        record(1, "other", "drawing"),
        record(2, "winning", "other", 1),
    ]
    table = standings(games, ["drawing", "winning", "other"])
    equals = [standing for standing in table if standing.player != "other"]
    assert len({(one.points, one.sonneborn_berger) for one in equals}) == 1
    assert [one.player for one in equals] == ["winning", "drawing"]
    assert equals[0].rank < equals[1].rank
