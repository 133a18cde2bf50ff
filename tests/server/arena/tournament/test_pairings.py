"""Schedules: complete, fair, and the same however often and whenever they are asked for."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from plywire.server.arena.tournament.pairings import (
    Format,
    Gauntlet,
    Knockout,
    PairingSchedule,
    RoundRobin,
    Score,
    Swiss,
    dutch,
)

FORMATS = (RoundRobin(cycles=2), Gauntlet(challengers=2), Swiss(rounds=5), Knockout(games=4))


def names(count: int) -> list[str]:
    return [f"p{number}" for number in range(count)]


def by_strength(schedule: PairingSchedule, results: dict[int, Score]) -> dict[int, Score]:
    """The lower number wins every game."""
    return {
        pairing.number: (float(pairing.games), 0.0)
        if int(pairing.players[0][1:]) < int(pairing.players[1][1:])
        else (0.0, float(pairing.games))
        for pairing in schedule.pairings
    } | results


def by_chance(seed: int):
    def play(schedule: PairingSchedule, results: dict[int, Score]) -> dict[int, Score]:
        played = dict(results)
        for pairing in schedule.pairings:
            mark = (seed * 2654435761 + pairing.number * 40503) >> 7
            half = mark % (2 * pairing.games + 1) / 2
            played.setdefault(pairing.number, (half, pairing.games - half))
        return played

    return play


def play_out(
    form, players: list[str], play=by_strength
) -> tuple[PairingSchedule, dict[int, Score]]:
    results: dict[int, Score] = {}
    for _ in range(100):
        schedule = form.schedule(players, results)
        if schedule.complete and len(results) == len(schedule.pairings):
            return schedule, results
        results = play(schedule, results)
    raise AssertionError("the tournament does not end")


def opponents(schedule: PairingSchedule) -> Counter[frozenset[str]]:
    return Counter(frozenset(pairing.players) for pairing in schedule.pairings)


# All formats


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.system)
@given(count=st.integers(3, 9), seed=st.integers(0, 2**20), shuffle=st.none() | st.integers())
def test_a_schedule_only_grows_and_depends_on_nothing_else(form, count, seed, shuffle) -> None:
    form = form.model_copy(update={"shuffle": shuffle})
    full, results = play_out(form, names(count), by_chance(seed))
    assert form.schedule(names(count), results) == full
    for known in range(len(results)):
        # Results that came in out of order are as good.
        some = {number: results[number] for number in reversed(range(known))}
        earlier = form.schedule(names(count), some)
        assert full.pairings[: len(earlier.pairings)] == earlier.pairings
        assert full.byes[: len(earlier.byes)] == earlier.byes
        assert len(earlier.pairings) > known


@pytest.mark.parametrize("form", [*FORMATS, Knockout(tiebreaks=0)], ids=lambda form: form.system)
@given(count=st.integers(3, 12), seed=st.integers(0, 2**20))
def test_a_schedule_is_fair_and_known_before_it_is_drawn(form, count, seed) -> None:
    begun = form.schedule(names(count), {})
    schedule, _ = play_out(form, names(count), by_chance(seed))
    games_are_numbered_through_and_colours_swapped(schedule)
    all_pairings_play_the_same_openings_in_the_same_order(schedule)
    if form.system != "knockout" or not form.tiebreaks:
        nobody_is_in_two_places_at_once(schedule)
        assert begun.rounds == schedule.rounds == max(pair.round for pair in schedule.pairings)
        assert form.games_of(count) == sum(pairing.games for pairing in schedule.pairings)


def games_are_numbered_through_and_colours_swapped(schedule: PairingSchedule) -> None:
    meetings = [meeting for pairing in schedule.pairings for meeting in pairing.meetings]
    assert [meeting.number for meeting in meetings] == list(range(len(meetings)))
    for game, twin in zip(meetings[::2], meetings[1::2], strict=True):
        assert game.opening == twin.opening
        assert game.players == twin.players[::-1]


def all_pairings_play_the_same_openings_in_the_same_order(schedule: PairingSchedule) -> None:
    played: dict[frozenset[str], list[int]] = {}
    for pairing in schedule.pairings:
        for meeting in pairing.meetings:
            played.setdefault(frozenset(meeting.players), []).append(meeting.opening)
    for openings in played.values():
        assert openings == [number // 2 for number in range(len(openings))]


def nobody_is_in_two_places_at_once(schedule: PairingSchedule) -> None:
    rounds = Counter(
        (pairing.round, player) for pairing in schedule.pairings for player in pairing.players
    )
    rounds.update((bye.round, bye.player) for bye in schedule.byes)
    assert set(rounds.values()) == {1}


@pytest.mark.parametrize("players", [["a"], [], ["a", "b", "a"]])
def test_players_must_be_two_and_told_apart(players) -> None:
    with pytest.raises(ValueError, match="its own name"):
        RoundRobin().schedule(players, {})


@pytest.mark.parametrize("games", [0, 1, 3, -2])
def test_games_come_in_pairs(games) -> None:
    with pytest.raises(ValidationError, match="games"):
        RoundRobin(games=games)


def test_a_format_is_chosen_by_its_system() -> None:
    read = TypeAdapter(Format).validate_python
    assert read({"system": "swiss", "rounds": 7, "games": 4}) == Swiss(rounds=7, games=4)
    with pytest.raises(ValidationError, match="system"):
        read({"system": "ladder"})
    with pytest.raises(ValidationError, match="rounds"):
        read({"system": "knockout", "rounds": 3})


def test_a_shuffle_is_its_seeds_own() -> None:
    orders = {
        RoundRobin(shuffle=seed).schedule(names(8), {}).pairings[0].players for seed in range(20)
    }
    assert len(orders) > 5


# Round robin and gauntlet


@given(count=st.integers(2, 30), cycles=st.integers(1, 3))
def test_round_robin_pairs_everybody_with_everybody(count, cycles) -> None:
    schedule = RoundRobin(cycles=cycles).schedule(names(count), {})
    assert schedule.complete
    assert opponents(schedule) == Counter(
        {frozenset(pair): cycles for pair in combinations(names(count), 2)}
    )
    assert max(pairing.round for pairing in schedule.pairings) == cycles * (count - 1 + count % 2)


@given(count=st.integers(2, 30), cycles=st.integers(1, 4))
def test_round_robin_shares_the_first_move(count, cycles) -> None:
    schedule = RoundRobin(cycles=cycles).schedule(names(count), {})
    lead = Counter(pairing.players[0] for pairing in schedule.pairings)
    lead.subtract(pairing.players[1] for pairing in schedule.pairings)
    most = 0 if cycles % 2 == 0 or count % 2 else 1
    assert all(abs(lead[name]) == most for name in names(count))


@given(count=st.integers(2, 20), challengers=st.integers(1, 19), cycles=st.integers(1, 3))
def test_gauntlet_pairs_challengers_with_all_others(count, challengers, cycles) -> None:
    form = Gauntlet(challengers=challengers, cycles=cycles)
    if challengers >= count:
        with pytest.raises(ValueError, match="challengers"):
            form.schedule(names(count), {})
        return
    schedule = form.schedule(names(count), {})
    players = names(count)
    assert opponents(schedule) == Counter(
        {
            frozenset((one, two)): cycles
            for one in players[:challengers]
            for two in players[challengers:]
        }
    )


# Swiss


@given(count=st.integers(2, 14), seed=st.integers(0, 2**20))
def test_swiss_avoids_rematches_and_second_byes(count, seed) -> None:
    rounds = min(count - 1 + count % 2, 7) // 2 + 1
    schedule, _ = play_out(Swiss(rounds=rounds), names(count), by_chance(seed))
    # So early, any round can be completed without a rematch (Dirac: the graph is dense enough).
    assert max(opponents(schedule).values()) == 1
    byes = Counter(bye.player for bye in schedule.byes)
    assert byes.total() == (rounds if count % 2 else 0)
    assert all(times == 1 for times in byes.values())


def test_swiss_can_go_on_until_everybody_met_everybody() -> None:
    # The last rounds leave one perfect matching at most; each round must not spoil the next.
    schedule, _ = play_out(Swiss(rounds=3), names(4), by_chance(3))
    assert set(opponents(schedule).values()) == {1}
    assert len(schedule.pairings) == 6


def test_swiss_plays_on_with_rematches_when_there_is_no_other_way() -> None:
    schedule, _ = play_out(Swiss(rounds=5), names(2))
    assert len(schedule.pairings) == 5


def test_swiss_folds_the_first_round() -> None:
    pairs = [pairing.players for pairing in Swiss().schedule(names(8), {}).pairings]
    assert pairs == [("p0", "p4"), ("p5", "p1"), ("p2", "p6"), ("p7", "p3")]


def test_swiss_pairs_winners_with_winners() -> None:
    form = Swiss(rounds=3)
    first = form.schedule(names(8), {})
    second = form.schedule(names(8), by_strength(first, {}))
    pairs = [set(pairing.players) for pairing in second.pairings[4:]]
    # p0 and p2 both began: now p1 and p3 have to.
    assert pairs == [{"p0", "p3"}, {"p1", "p2"}, {"p4", "p7"}, {"p5", "p6"}]


def test_swiss_finds_the_best_player() -> None:
    _, results = play_out(Swiss(), names(16))
    schedule = Swiss().schedule(names(16), results)
    points = Counter()
    for pairing in schedule.pairings:
        for name, score in zip(pairing.players, results[pairing.number], strict=True):
            points[name] += score
    assert points.most_common(1) == [("p0", 8.0)]
    assert len(schedule.pairings) == 4 * 8


def test_swiss_gives_the_bye_to_the_last() -> None:
    schedule, _ = play_out(Swiss(rounds=3, games=4), names(7))
    assert [(bye.player, bye.points) for bye in schedule.byes] == [
        ("p6", 4.0),
        ("p5", 4.0),
        ("p4", 4.0),
    ]


@given(count=st.integers(12, 24), rounds=st.integers(3, 5), seed=st.integers(0, 2**20))
def test_swiss_shares_the_first_move(count, rounds, seed) -> None:
    schedule, _ = play_out(Swiss(rounds=rounds), names(count), by_chance(seed))
    for player in names(count):
        lead = [
            1 if pairing.players[0] == player else -1
            for pairing in schedule.pairings
            if player in pairing.players
        ][:-1]  # in the last round, those at the top need not have the colour that is due
        assert abs(sum(lead)) <= 2
        assert all(len(set(three)) > 1 for three in zip(lead, lead[1:], lead[2:], strict=False))


def test_swiss_rounds_that_were_drawn_stand(monkeypatch) -> None:
    """However rounds come to be drawn later; with their results the next one is drawn."""
    players = names(9)
    full, results = play_out(Swiss(), players, by_chance(3))
    rounds = {
        number: [pairing.players for pairing in full.pairings if pairing.round == number]
        for number in range(1, 5)
    }
    del rounds[4]
    assert Swiss().schedule(players, results, rounds) == full
    monkeypatch.setattr(dutch, "pair_round", lambda entrants, most: [])
    known = {number: results[number] for number in range(4 * 3 - 1)}
    schedule = Swiss().schedule(players, known, rounds)
    assert schedule.pairings == full.pairings[: 4 * 3]
    assert schedule.byes == full.byes[:3]
    assert not schedule.complete


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.system)
def test_whether_players_can_play_is_known_without_a_draw(form, monkeypatch) -> None:
    monkeypatch.setattr(type(form), "_schedule", lambda *_: pytest.fail("drawn"))
    form.check(names(1000))
    for players in ([], ["a"], ["a", "b", "a"]):
        with pytest.raises(ValueError, match="two players"):
            form.check(players)


def test_challengers_need_somebody_to_challenge() -> None:
    with pytest.raises(ValueError, match="all 2 players are challengers"):
        Gauntlet(challengers=2).check(["a", "b"])


# Knockout


@given(count=st.integers(2, 40))
def test_knockout_without_upsets_is_won_by_the_best_against_the_second(count) -> None:
    schedule, _ = play_out(Knockout(), names(count))
    assert schedule.winner == "p0"
    assert schedule.pairings[-1].players == ("p0", "p1")
    assert len(schedule.pairings) == count - 1
    size = 1 << (count - 1).bit_length()
    assert sorted(int(bye.player[1:]) for bye in schedule.byes) == list(range(size - count))


def test_knockout_pairs_the_best_with_the_last() -> None:
    schedule = Knockout().schedule(names(8), {})
    assert not schedule.complete
    pairs = [pairing.players for pairing in schedule.pairings]
    assert pairs == [("p0", "p7"), ("p3", "p4"), ("p1", "p6"), ("p2", "p5")]


def test_knockout_upsets_go_on() -> None:
    results: dict[int, Score] = {0: (0.5, 1.5), 1: (2.0, 0.0)}
    schedule = Knockout().schedule(names(4), results)
    assert schedule.pairings[-1].players == ("p1", "p3")
    final = Knockout().schedule(names(4), results | {2: (0.0, 2.0)})
    assert (final.complete, final.winner) == (True, "p3")


def test_knockout_ties_are_broken_by_more_pairs() -> None:
    form = Knockout(games=4, tiebreaks=2)
    results: dict[int, Score] = {0: (2.0, 2.0)}
    schedule = form.schedule(names(2), results)
    assert not schedule.complete
    assert [pairing.games for pairing in schedule.pairings] == [4, 2]
    results[1] = (0.5, 1.5)
    assert form.schedule(names(2), results).winner == "p1"
    results[1] = (1.0, 1.0)
    assert len(form.schedule(names(2), results).pairings) == 3
    results[2] = (1.0, 1.0)
    schedule = form.schedule(names(2), results)
    assert (schedule.complete, schedule.winner) == (True, "p0")


@given(count=st.integers(2, 33), seed=st.integers(0, 2**20))
def test_knockout_always_ends_with_one_winner_who_lost_to_nobody(count, seed) -> None:
    schedule, results = play_out(Knockout(), names(count), by_chance(seed))
    losers = {
        pairing.players[results[pairing.number][0] > results[pairing.number][1]]
        for pairing in schedule.pairings
        if results[pairing.number][0] != results[pairing.number][1]
    }
    assert schedule.winner in names(count)
    assert schedule.winner not in losers
