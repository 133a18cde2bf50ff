"""The pairings of the current round, for the feed."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

from plywire.clients.play.matches.records import Finished
from plywire.protocol.messages import watching
from plywire.protocol.messages.watching import MAX_PAIRINGS, Pairings
from plywire.server.arena.tournament.current_round import current_round
from plywire.server.arena.tournament.pairings import PairingSchedule

from .game_publisher import table_of


def round_pairings(
    tournament: str, schedule: PairingSchedule, finished: Iterable[Finished], *, is_over: bool
) -> list[Pairings]:
    """Return the first unfinished round in pages; if all are finished, the last round."""
    if (current := current_round(schedule, finished)) is None:
        return []
    pairings = [
        watching.Pairing(
            players=one.pairing.players,
            points=one.points,
            table=table_of(tournament, one.pairing.first_game),
            games=one.pairing.games,
            played=one.played,
        )
        for one in current.encounters
    ]
    pairings += [
        watching.Pairing(players=(bye.player,), points=(bye.points,)) for bye in current.byes
    ]
    return [
        Pairings(
            tournament=tournament,
            page=page,
            round=current.number,
            rounds=current.of,
            pairings=tuple(pairings[first : first + MAX_PAIRINGS]),
            over=is_over,
            updated=datetime.now(UTC),
        )
        for page, first in enumerate(range(0, len(pairings), MAX_PAIRINGS), 1)
    ]
