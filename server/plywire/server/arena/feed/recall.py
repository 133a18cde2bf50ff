"""Games and tournaments from before the server's start, read from the journal."""

from __future__ import annotations

import logging
import re

from pydantic import ValidationError

from plywire.clients.play.matches.referee import TimeControl
from plywire.protocol.messages.base import ErrorCode
from plywire.protocol.messages.watching import FeedEvent, GameState, Pairings, Standings
from plywire.protocol.text import one_line
from plywire.server.arena.store.journal import Journal, JournalError
from plywire.server.arena.store.journalled import FinishedGame, JournalledTournament
from plywire.server.arena.store.series import SeriesTerms
from plywire.server.arena.tournament.config import SERIES
from plywire.server.arena.tournament.plan import Plan
from plywire.server.errors import RefusedError

from .feed import Feed
from .game_publisher import GamePublisher, table_of
from .standings_publisher import StandingsPublisher

log = logging.getLogger(__name__)

#: Numbers of games and of tournaments to publish. Their sum is the number that a feed keeps.
_GAMES = 56
_TOURNAMENTS = 8

#: Maximum number of games of a round to return.
_ROUND = 256

#: Matches the id of a table, as `table_of` writes it.
_TABLE = re.compile(r"([0-9]{1,15})\.([0-9]{1,15})", re.ASCII)


async def recall(journal: Journal, feed: Feed) -> None:
    """Publish the latest finished games and tournaments, oldest first; raises JournalError."""
    for finished in await journal.finished(_GAMES):
        try:
            state = await _state(journal, feed, finished)
        except JournalError as error:
            log.warning("not recalled tournament=%d: %s", finished.tournament, error)
            continue
        if state is not None:
            feed.publish(state)
    for tournament in await journal.ended(_TOURNAMENTS):
        await _tell(journal, feed, tournament)


async def recall_game(journal: Journal, feed: Feed, table: str) -> GameState:
    """Return the latest state of the game at a table; raises RefusedError."""
    if isinstance(state := feed.latest_of(f"games/{table}"), GameState):
        return state
    if found := _TABLE.fullmatch(table):
        finished = await journal.finished_game(int(found[1]), int(found[2]))
        if finished is not None and (ended := await _state(journal, feed, finished)) is not None:
            return ended
    raise RefusedError(ErrorCode.UNAVAILABLE, f"there is no game {table}, or it has not begun")


async def recall_round(journal: Journal, feed: Feed, name: str, number: int) -> list[FeedEvent]:
    """Return standings, pairings and up to 256 games of a round; raises RefusedError."""
    if name == SERIES or not (named := await journal.tournaments(name)):
        raise RefusedError(
            ErrorCode.UNAVAILABLE, f"there is no tournament {name}, or it has not begun"
        )
    tournament = named[-1]
    told = [event for event in feed.latest if _is_table(event, str(tournament.id))]
    if not told and tournament.ended is not None:
        feed_of_its_own = Feed()
        await _tell(journal, feed_of_its_own, tournament)
        told = list(feed_of_its_own.latest)
    games = await journal.finished_round(tournament.id, number, _ROUND)
    states = [await _state(journal, feed, game) for game in games]
    return [*told, *(state for state in states if state is not None)]


def _is_table(event: FeedEvent, tournament: str) -> bool:
    return isinstance(event, Standings | Pairings) and event.tournament == tournament


async def _tell(journal: Journal, feed: Feed, tournament: JournalledTournament) -> None:
    try:
        plan = Plan.model_validate_json(tournament.config)
    except ValidationError:
        log.warning("not recalled tournament=%r: its settings cannot be read", tournament.name)
        return
    results = await journal.results(tournament.id)
    games = await journal.next_number(tournament.id)
    publisher = StandingsPublisher(feed, str(tournament.id), plan, results, games)
    publisher.drawn(plan.schedule({result.number: result for result in results}, results))
    publisher.ended(tournament.outcome or "")
    await publisher.close()


async def _state(journal: Journal, feed: Feed, game: FinishedGame) -> GameState | None:
    """Return the final state of a game, or None if the game or its tournament is damaged."""
    tournament, scheduled = await journal.tournament(game.tournament), game.scheduled
    table = table_of(str(tournament.id), scheduled.number)
    named = None if tournament.name == SERIES else str(tournament.id)
    try:
        limits = _control(tournament).shown(scheduled.players)
        return GamePublisher(feed, table, scheduled, limits, tournament=named).recalled(game.record)
    except ValueError as error:  # For example, the game's plug-in may be missing.
        log.warning("not recalled table=%s: %s", table, one_line(str(error)))
        return None


def _control(tournament: JournalledTournament) -> TimeControl:
    if tournament.name == SERIES:
        return TimeControl(SeriesTerms.model_validate_json(tournament.config).limits)
    return Plan.model_validate_json(tournament.config).config.time.control()
