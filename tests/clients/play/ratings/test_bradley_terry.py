import itertools
import math
from collections.abc import Iterable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plywire.clients.play.errors import Termination
from plywire.clients.play.matches.outcomes import outcomes
from plywire.clients.play.matches.records import GameRecord
from plywire.clients.play.ratings import bradley_terry
from plywire.clients.play.ratings.bradley_terry import Comparison, Outcome, Rating, Ratings, rate
from plywire.clients.play.ratings.elo import Z95

#: So weak a prior that what is left is maximum likelihood.
NONE = 1e-7

#: Preferences between six brands of chocolate pudding, (i, j, for i, for j, for neither):
#: Davidson, "On Extending the Bradley-Terry Model to Accommodate Ties in Paired Comparison
#: Experiments", Journal of the American Statistical Association 65 (1970).
PUDDINGS = (
    *((1, 2, 19, 22, 16), (1, 3, 16, 19, 12), (2, 3, 19, 19, 10), (1, 4, 18, 23, 13)),
    *((2, 4, 23, 19, 9), (3, 4, 19, 20, 15), (1, 5, 13, 19, 18), (2, 5, 16, 20, 12)),
    *((3, 5, 16, 15, 17), (4, 5, 17, 14, 16), (1, 6, 18, 21, 12), (2, 6, 22, 20, 12)),
    *((3, 6, 13, 18, 10), (4, 6, 14, 19, 18), (5, 6, 11, 21, 12)),
)

#: Baseball, American League East 1987: home wins and home losses of the row's team against the
#: column's. Agresti, "Categorical Data Analysis", 2nd edition (2002), pages 437 and 438.
TEAMS = ("Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore")
BASEBALL = (
    ((0, 0), (4, 3), (4, 2), (4, 3), (6, 1), (4, 2), (6, 0)),
    ((3, 3), (0, 0), (4, 2), (4, 3), (6, 0), (6, 1), (4, 3)),
    ((2, 5), (4, 3), (0, 0), (2, 4), (4, 3), (4, 2), (6, 0)),
    ((3, 3), (5, 1), (2, 5), (0, 0), (4, 3), (4, 2), (6, 1)),
    ((5, 1), (2, 5), (3, 3), (4, 2), (0, 0), (5, 2), (6, 0)),
    ((2, 5), (3, 3), (3, 4), (4, 3), (4, 2), (0, 0), (2, 4)),
    ((2, 5), (1, 5), (1, 6), (2, 4), (1, 6), (3, 4), (0, 0)),
)


def record(winner: int | None, termination: Termination = Termination.NORMAL) -> GameRecord:
    return GameRecord(
        number=0,
        game="tictactoe",
        size="3x3",
        players=("a", "b"),
        fen="3/3/3 x",
        moves=(),
        opening=0,
        times=(),
        winner=winner,
        score=0,
        termination=termination,
        reason="",
    )


def games(first: str, second: str, wins: int, draws: int = 0, losses: int = 0) -> list[Outcome]:
    scores = [1.0] * wins + [0.5] * draws + [0.0] * losses
    return [Outcome(first, second, score) for score in scores]


def test_games_that_were_called_off_have_no_outcome() -> None:
    records = [record(1), record(2), record(None), record(None, Termination.ABORT)]
    assert list(outcomes(records)) == [Outcome("a", "b", score) for score in (1.0, 0.0, 0.5)]


def both_ways(outcomes: Iterable[Outcome]) -> list[Outcome]:
    """Each game twice, with either player first: then the first move can be worth nothing."""
    here = list(outcomes)
    return here + [Outcome(game.second, game.first, 1 - game.score) for game in here]


def unit(ratings: Ratings) -> float:
    """What one unit of the model's strengths is in Elo."""
    return 400 / math.log(10) * (1 - ratings.draw_rate)


def test_davidsons_example() -> None:
    outcomes: list[Outcome] = []
    for i, j, wins, losses, draws in PUDDINGS:
        outcomes += both_ways(games(str(i), str(j), wins, draws, losses))
    ratings = rate(outcomes, prior=NONE)
    worths = [math.exp(ratings[brand].elo / unit(ratings)) for brand in "123456"]
    # As the R package PlackettLuce documents them, stopped where Davidson's iteration stopped.
    assert [worth / sum(worths) for worth in worths] == pytest.approx(
        [0.1388005, 0.1729985, 0.1617420, 0.1653930, 0.1586805, 0.2023855], abs=3e-5
    )
    nu = 2 * ratings.draw_rate / (1 - ratings.draw_rate)
    assert nu == pytest.approx(0.7468147, abs=3e-5)
    assert ratings.advantage == pytest.approx(0, abs=1e-9)


def baseball() -> list[Outcome]:
    return [
        game
        for home, row in zip(TEAMS, BASEBALL, strict=True)
        for away, (wins, losses) in zip(TEAMS, row, strict=True)
        for game in games(home, away, wins, 0, losses)
    ]


def test_agrestis_example_without_advantage() -> None:
    """Abilities against Baltimore's, table 10.11, third column, and their errors."""
    ratings = rate(both_ways(baseball()), prior=NONE)
    found = [ratings.compare(team, "Baltimore") for team in TEAMS[:-1]]
    elo = unit(ratings)
    assert sorted(round(difference.elo / elo, 2) for difference in found) == [
        *(0.68, 1.11, 1.25, 1.29, 1.44, 1.58),
    ]
    # "About 0.3" in the text; the games are counted twice here, so their errors are less by √2.
    errors = {round(math.sqrt(2) * difference.error / elo / Z95, 1) for difference in found}
    assert errors == {0.3}


def test_agrestis_example_with_advantage() -> None:
    """Shares of all abilities, table 10.11, fifth column, and what playing at home is worth."""
    ratings = rate(baseball(), prior=NONE)
    elo = unit(ratings)
    abilities = [math.exp(ratings[team].elo / elo) for team in TEAMS]
    assert sorted(round(ability / sum(abilities), 3) for ability in abilities) == [
        *(0.044, 0.088, 0.137, 0.157, 0.164, 0.190, 0.220),
    ]
    assert ratings.advantage / elo == pytest.approx(0.302, abs=5e-4)
    assert [rating.player for rating in ratings.table] == list(TEAMS)


def test_errors_are_those_of_logistic_regression() -> None:
    """Without draws the model is one; its covariance is (X' W X)^-1 with W = p (1 - p)."""
    ratings = rate(baseball(), prior=NONE)
    elo = unit(ratings)
    information = np.zeros((len(TEAMS), len(TEAMS)))
    for game in baseball():
        row = np.zeros(len(TEAMS) + 1)
        row[TEAMS.index(game.first)] += 1
        row[TEAMS.index(game.second)] -= 1
        row[-1] = 1
        # Against Baltimore, whose own ability is no parameter.
        row = np.delete(row, TEAMS.index("Baltimore"))
        lead = ratings[game.first].elo - ratings[game.second].elo + ratings.advantage
        chance = 1 / (1 + math.exp(-lead / elo))
        information += chance * (1 - chance) * np.outer(row, row)
    errors = np.sqrt(np.diag(np.linalg.inv(information)))[:-1]
    found = [ratings.compare(team, "Baltimore").error / elo / Z95 for team in TEAMS[:-1]]
    assert found == pytest.approx(list(errors), rel=1e-5)


@pytest.mark.parametrize(("wins", "losses"), [(60, 40), (75, 25), (10, 90)])
def test_two_players_without_draws_are_on_the_logistic_curve(wins, losses) -> None:
    ratings = rate(both_ways(games("a", "b", wins, 0, losses)), prior=NONE)
    score = wins / (wins + losses)
    assert ratings.compare("a", "b").elo == pytest.approx(400 * math.log10(score / (1 - score)))
    # The binomial standard error, carried over to the logistic curve.
    error = 1.959964 * 400 / math.log(10) / math.sqrt(2 * (wins + losses) * score * (1 - score))
    assert ratings.compare("a", "b").error == pytest.approx(error, rel=1e-4)


def test_small_differences_are_on_the_logistic_curve_however_many_games_are_drawn() -> None:
    for draws in (0, 200, 2000, 20_000):
        ratings = rate(both_ways(games("a", "b", 52, draws, 48)), prior=NONE)
        score = (52 + draws / 2) / (100 + draws)
        expected = 400 * math.log10(score / (1 - score))
        assert ratings.compare("a", "b").elo == pytest.approx(expected, rel=2e-3)


def test_the_first_move_is_not_taken_for_strength() -> None:
    # a had the first move in nearly all games; where b had it, b did as well.
    ratings = rate(games("a", "b", 80, 0, 20) + games("b", "a", 8, 0, 2))
    assert ratings.compare("a", "b").elo == pytest.approx(0, abs=25)
    assert ratings.advantage == pytest.approx(240.8, abs=25)


def test_error_bars_shrink_with_the_root_of_the_games() -> None:
    event = both_ways(games("a", "b", 10, 5, 8) + games("b", "c", 9, 5, 9))
    few, many = rate(event, prior=NONE), rate(100 * event, prior=NONE)
    assert many["a"].error == pytest.approx(few["a"].error / 10, rel=1e-4)
    assert many["a"].elo == pytest.approx(few["a"].elo, rel=1e-3)


def test_points_and_games_are_counted() -> None:
    ratings = rate(games("a", "b", 3, 2, 1) + games("b", "a", 1, 1, 0), players=["c"])
    counts = {rating.player: (rating.games, rating.points) for rating in ratings.table}
    assert counts == {"a": (8, 4.5), "b": (8, 3.5), "c": (0, 0.0)}


def test_a_player_without_games_is_average_and_unknown() -> None:
    ratings = rate(both_ways(games("a", "b", 30, 0, 10)), players=["c"])
    assert ratings["c"].elo == pytest.approx(0, abs=5)
    assert ratings["c"].error > 1.5 * ratings["a"].error


def test_clean_sweeps_stay_finite_and_grow_with_the_evidence() -> None:
    sweeps = [rate(both_ways(games("a", "b", count))).compare("a", "b") for count in (1, 5, 50)]
    assert 0 < sweeps[0].elo < sweeps[1].elo < sweeps[2].elo < 2000
    assert 0.5 < sweeps[0].los < sweeps[1].los < sweeps[2].los < 1


def test_groups_who_never_met_are_each_around_the_average() -> None:
    ratings = rate(both_ways(games("a", "b", 20, 5, 10) + games("c", "d", 20, 5, 10)))
    assert ratings["a"].elo == pytest.approx(ratings["c"].elo)
    across, within = ratings.compare("a", "c"), ratings.compare("a", "b")
    assert across.error > 2 * within.error
    assert across.los == pytest.approx(0.5)


def test_likelihood_of_superiority() -> None:
    ratings = rate(both_ways(games("a", "b", 30, 0, 20)), prior=NONE)
    # z = ln(1.5) sqrt(100 x 0.6 x 0.4) = 1.986
    assert ratings.compare("a", "b").los == pytest.approx(0.97650, abs=1e-4)
    assert ratings.compare("b", "a").los == pytest.approx(1 - 0.97650, abs=1e-4)
    assert ratings.compare("a", "a").los == 0.5


def test_nobody() -> None:
    assert rate([]).table == ()
    (only,) = rate([], ["a"]).table
    assert (only.elo, only.games) == (0, 0)


def test_a_million_wins_and_nearly_no_prior() -> None:
    """Rounding leaves nothing of the prior: the likelihood of superiority once divided by zero."""
    for players in ([], ["c", "d"]):
        ratings = rate(itertools.repeat(Outcome("a", "b", 1.0), 10**6), players, prior=1e-7)
        assert ratings["a"].elo > ratings["b"].elo
        assert 0.5 <= ratings.compare("a", "b").los <= 1
        assert 0 <= ratings.compare("b", "a").los <= 0.5


def test_what_rounding_makes_singular_is_solved_all_the_same() -> None:
    singular = np.ones((3, 3))
    assert np.isfinite(bradley_terry._solved(singular, np.ones(3))).all()
    assert np.isfinite(bradley_terry._inverse(singular)).all()


def test_two_whom_nothing_tells_apart_can_be_compared() -> None:
    table = [Rating("a", 5.0, 0.0, 1, 1.0), Rating("b", 0.0, 0.0, 1, 0.0)]
    ratings = Ratings(table, np.zeros((2, 2)), 0.0, 0.0)
    assert ratings.compare("a", "b") == Comparison(5.0, 0.0, 1.0)
    assert ratings.compare("b", "a") == Comparison(-5.0, 0.0, 0.0)
    even = Ratings([table[1], Rating("c", 0.0, 0.0, 1, 0.0)], np.zeros((2, 2)), 0.0, 0.0)
    assert even.compare("b", "c").los == 0.5


@pytest.mark.parametrize("prior", [0, -1, math.inf, math.nan, 1e-300, 0.9e-7, 1.1e7, 1e300])
def test_a_prior_must_be_some_games(prior) -> None:
    with pytest.raises(ValueError, match="prior"):
        rate([], prior=prior)


@pytest.mark.parametrize("score", [0.25, 2, -1, math.nan])
def test_a_score_must_be_a_games(score) -> None:
    with pytest.raises(ValueError, match="points"):
        rate([Outcome("a", "b", score)])


names = st.sampled_from("abcdefg")
random_outcomes = st.builds(Outcome, names, names, st.sampled_from([0.0, 0.5, 1.0])).filter(
    lambda game: game.first != game.second
)


@settings(deadline=None)
@given(
    st.lists(st.tuples(random_outcomes, st.sampled_from([1, 1, 3, 300])), max_size=12),
    st.one_of(st.sampled_from([0.01, 1, 10]), st.floats(1e-7, 1e7)),
)
def test_never_nan_nor_infinite(some, prior) -> None:
    ratings = rate([game for game, times in some for _ in range(times)], "abc", prior=prior)
    table = ratings.table
    assert all(math.isfinite(rating.elo) and 0 <= rating.error < math.inf for rating in table)
    assert sum(rating.elo for rating in table) == pytest.approx(0, abs=1e-3)
    assert math.isfinite(ratings.advantage)
    assert 0 <= ratings.draw_rate <= 1
    for rating in table:
        for other in table:
            if rating != other:
                comparison = ratings.compare(rating.player, other.player)
                assert 0 <= comparison.error < math.inf
                assert 0 <= comparison.los <= 1


@settings(deadline=None)
@given(st.lists(random_outcomes, min_size=1, max_size=40))
def test_losing_where_one_won_turns_the_table_around(some) -> None:
    here = rate(both_ways(some))
    there = rate(both_ways(Outcome(game.first, game.second, 1 - game.score) for game in some))
    for rating in here.table:
        assert there[rating.player].elo == pytest.approx(-rating.elo, abs=1e-3)
        assert there[rating.player].error == pytest.approx(rating.error, rel=1e-4)


@settings(deadline=None)
@given(st.integers(2, 6), st.data())
def test_a_double_round_robin_ends_in_the_order_of_points(count, data) -> None:
    players = "abcdef"[:count]
    scores = st.sampled_from([0.0, 0.5, 1.0])
    ratings = rate(Outcome(*pair, data.draw(scores)) for pair in itertools.permutations(players, 2))
    for one, other in itertools.combinations(ratings.table, 2):
        assert one.points >= other.points or one.elo == pytest.approx(other.elo, abs=1e-6)
