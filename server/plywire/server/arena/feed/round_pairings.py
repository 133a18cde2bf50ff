"""Who meets whom in the round that is played, as the feed tells it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

from plywire.clients.matches.records import Finished
from plywire.protocol.messages import watching
from plywire.protocol.messages.watching import MAX_PAIRINGS, Pairings
from plywire.server.arena.tournament.pairings import Pairing, Schedule
from plywire.server.arena.tournament.standings import standings

from .game_publisher import table_of


def round_pairings(
    tournament: str, schedule: Schedule, finished: Iterable[Finished], *, is_over: bool
) -> list[Pairings]:
    """The pages of the first round that is not over, or else of the last; none if there is none.

    `is_over` is whether the tournament is.
    """
    if not schedule.pairings:
        return []
    over = {game.number: game for game in finished}
    rounds = max(pairing.round for pairing in schedule.pairings)
    unfinished = (
        pairing.round
        for pairing in schedule.pairings
        if any(number not in over for number in _numbers(pairing))
    )
    current = min(unfinished, default=rounds)

    def told(pairing: Pairing) -> watching.Pairing:
        games = [over[number] for number in _numbers(pairing) if number in over]
        points = {row.player: row.points for row in standings(games, pairing.players)}
        return watching.Pairing(
            players=pairing.players,
            points=tuple(points[player] for player in pairing.players),
            table=table_of(tournament, pairing.first_game),
            games=pairing.games,
            played=len(games),
        )

    pairings = [told(pairing) for pairing in schedule.pairings if pairing.round == current]
    pairings += [
        watching.Pairing(players=(bye.player,), points=(bye.points,))
        for bye in schedule.byes
        if bye.round == current
    ]
    return [
        Pairings(
            tournament=tournament,
            page=page,
            round=current,
            rounds=rounds,
            pairings=tuple(pairings[first : first + MAX_PAIRINGS]),
            over=is_over,
            updated=datetime.now(UTC),
        )
        for page, first in enumerate(range(0, len(pairings), MAX_PAIRINGS), 1)
    ]


def _numbers(pairing: Pairing) -> range:
    """Those of its games."""
    return range(pairing.first_game, pairing.first_game + pairing.games)
