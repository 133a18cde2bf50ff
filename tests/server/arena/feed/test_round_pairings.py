"""Who meets whom is told of the round that is played."""

from __future__ import annotations

from plywire.clients.play.errors import Termination
from plywire.clients.play.matches.records import GameSummary
from plywire.protocol.messages.watching import MAX_PAIRINGS
from plywire.server.arena.feed.round_pairings import round_pairings
from plywire.server.arena.tournament.pairings import Knockout, PairingSchedule, RoundRobin, Swiss


def won(schedule: PairingSchedule, *numbers: int) -> list[GameSummary]:
    """These games, won by whoever has the first move."""
    games = {meeting.number: meeting for pair in schedule.pairings for meeting in pair.meetings}
    return [
        GameSummary(number, 1, games[number].players, 1, Termination.NORMAL) for number in numbers
    ]


def test_the_round_that_is_played_and_how_it_stands() -> None:
    schedule = RoundRobin().schedule(["ann", "bob", "carl"], {})
    rounds = max(pairing.round for pairing in schedule.pairings)
    (page,) = round_pairings("7", schedule, won(schedule, 0, 2, 3), is_over=False)
    assert (page.round, page.rounds, page.over) == (1, rounds, False)
    pair, alone = page.pairings
    assert pair.players == schedule.pairings[0].players
    assert (pair.table, pair.games, pair.played, pair.points) == ("7.0", 2, 1, (1, 0))
    assert (alone.players, alone.points) == ((schedule.byes[0].player,), (0,))
    (page,) = round_pairings("7", schedule, won(schedule, *range(6)), is_over=True)
    assert (page.round, page.over) == (rounds, True)
    assert page.pairings[0].points == (1, 1)


def test_many_come_in_pages() -> None:
    names = [f"player{number}" for number in range(4 * MAX_PAIRINGS + 1)]
    schedule = Swiss(rounds=2).schedule(names, {})
    pages = round_pairings("1", schedule, [], is_over=False)
    assert [len(page.pairings) for page in pages] == [MAX_PAIRINGS, MAX_PAIRINGS, 1]
    assert [page.topic for page in pages] == [
        "tournaments/1/pairings",
        "tournaments/1/pairings/2",
        "tournaments/1/pairings/3",
    ]
    assert pages[-1].pairings[0].points == (2,)


def test_rounds_to_come_are_counted() -> None:
    for form, rounds in ((Swiss(rounds=4), 4), (Swiss(), 2), (Knockout(), 2)):
        schedule = form.schedule(["a", "b", "c", "d"], {})
        (page,) = round_pairings("1", schedule, [], is_over=False)
        assert (page.round, page.rounds) == (1, rounds)


def test_before_anything_is_drawn_nothing_is_told() -> None:
    assert round_pairings("1", PairingSchedule((), (), complete=False), [], is_over=False) == []
