"""What was played here before the server started, told again from the journal."""

from __future__ import annotations

import logging

from pydantic import ValidationError

from plywire.clients.matches.referee import TimeControl
from plywire.server.arena.store.journal import (
    SERIES,
    Journal,
    JournalledTournament,
    SeriesTerms,
)
from plywire.server.arena.tournament.plan import Plan

from .feed import Feed
from .game_publisher import GamePublisher, table_of
from .standings_publisher import StandingsPublisher

log = logging.getLogger(__name__)

#: How many games and tournaments are told of: together, what a feed keeps.
_GAMES = 56
_TOURNAMENTS = 8


async def recall(journal: Journal, feed: Feed) -> None:
    """Publish the latest games and tournaments that are over, oldest first.

    Those that cannot be read any more are left out. Raises JournalError.
    """
    for identifier, scheduled, record in await journal.finished(_GAMES):
        tournament = await journal.tournament(identifier)
        table = table_of(str(identifier), scheduled.number)
        try:
            limits = _control(tournament).shown(scheduled.players)
        except ValidationError:
            log.warning("not recalled table=%s: its time control cannot be read", table)
            continue
        named = None if tournament.name == SERIES else str(identifier)
        GamePublisher(feed, table, scheduled, limits, tournament=named).recalled(record)
    for tournament in await journal.ended(_TOURNAMENTS):
        try:
            plan = Plan.model_validate_json(tournament.config)
        except ValidationError:
            log.warning("not recalled tournament=%r: its settings cannot be read", tournament.name)
            continue
        games = await journal.games(tournament.id)
        records = {game.record.number: game.record for game in games if game.record is not None}
        publisher = StandingsPublisher(feed, str(tournament.id), plan, records.values(), len(games))
        publisher.drawn(plan.schedule(records, [game.scheduled for game in games]))
        publisher.ended(tournament.outcome or "")
        await publisher.close()


def _control(tournament: JournalledTournament) -> TimeControl:
    """How long the players of a tournament, or of the games by one time control, may think."""
    if tournament.name == SERIES:
        return TimeControl(SeriesTerms.model_validate_json(tournament.config).limits)
    return Plan.model_validate_json(tournament.config).config.time.control()
