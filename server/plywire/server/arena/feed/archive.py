"""What was played here before the server started, told again from the journal."""

from __future__ import annotations

import logging
import re

from pydantic import ValidationError

from plywire.clients.matches.records import GameRecord
from plywire.clients.matches.referee import TimeControl
from plywire.protocol.messages.watching import GameState
from plywire.server.arena.store.journal import (
    SERIES,
    Journal,
    JournalledTournament,
    SeriesTerms,
)
from plywire.server.arena.tournament.plan import Plan
from plywire.server.arena.tournament.scheduled_game import ScheduledGame

from .feed import Feed
from .game_publisher import GamePublisher, table_of
from .standings_publisher import StandingsPublisher

log = logging.getLogger(__name__)

#: How many games and tournaments are told of: together, what a feed keeps.
_GAMES = 56
_TOURNAMENTS = 8

#: The id of a table, as `table_of` writes it.
_TABLE = re.compile(r"([0-9]{1,15})\.([0-9]{1,15})", re.ASCII)


async def recall(journal: Journal, feed: Feed) -> None:
    """Publish the latest games and tournaments that are over, oldest first.

    Those that cannot be read any more are left out. Raises JournalError.
    """
    for finished in await journal.finished(_GAMES):
        if (state := await _state(journal, feed, *finished)) is not None:
            feed.publish(state)
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


async def recall_game(journal: Journal, feed: Feed, table: str) -> GameState | None:
    """The game of a table, as it stands or as it ended; None if it has not begun, or is unknown.

    Raises JournalError.
    """
    if isinstance(state := feed.latest_of(f"games/{table}"), GameState):
        return state
    if (found := _TABLE.fullmatch(table)) is None:
        return None
    finished = await journal.finished_game(int(found[1]), int(found[2]))
    return None if finished is None else await _state(journal, feed, int(found[1]), *finished)


async def _state(
    journal: Journal, feed: Feed, identifier: int, scheduled: ScheduledGame, record: GameRecord
) -> GameState | None:
    """How a game ended, None if its tournament cannot be read any more."""
    tournament = await journal.tournament(identifier)
    table = table_of(str(identifier), scheduled.number)
    try:
        limits = _control(tournament).shown(scheduled.players)
    except ValidationError:
        log.warning("not recalled table=%s: its time control cannot be read", table)
        return None
    named = None if tournament.name == SERIES else str(identifier)
    return GamePublisher(feed, table, scheduled, limits, tournament=named).recalled(record)


def _control(tournament: JournalledTournament) -> TimeControl:
    """How long the players of a tournament, or of the games by one time control, may think."""
    if tournament.name == SERIES:
        return TimeControl(SeriesTerms.model_validate_json(tournament.config).limits)
    return Plan.model_validate_json(tournament.config).config.time.control()
