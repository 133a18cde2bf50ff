"""Games that bots arrange: the journal holds one endless tournament per time control."""

import asyncio
import logging
import random
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from weakref import WeakValueDictionary

from plywire.clients.connecting.background_tasks import BackgroundTasks
from plywire.clients.play.errors import Termination
from plywire.clients.play.matches.records import GameRecord
from plywire.clients.play.matches.referee import MoveListener, Referee, TimeControl
from plywire.clients.play.players.base import GameLine
from plywire.engine.registry import load
from plywire.protocol.messages.limits import Limits
from plywire.protocol.text import one_line
from plywire.server.arena.feed.game_log import GameLog
from plywire.server.arena.feed.game_publisher import table_of
from plywire.server.arena.live.bot_player import BotPlayer
from plywire.server.arena.live.game_table import GameTable
from plywire.server.arena.live.presence import Presence
from plywire.server.arena.live.remote_bot import RemoteBot
from plywire.server.arena.store.journal import Journal, JournalError
from plywire.server.arena.store.journalled import JournalledGame
from plywire.server.arena.store.series import SeriesTerms
from plywire.server.arena.tournament.scheduled_game import ScheduledGame

from .game_rater import GameRater
from .ladder import DAY, Ladder
from .offers import GameOffer

log = logging.getLogger(__name__)


@dataclass(slots=True, weakref_slot=True)
class TimeControlSeries:
    """The games of one time control, either rated or unrated."""

    id: int
    limits: Limits
    rated: bool
    """Whether the games count for the ratings."""
    next: int = 0


class ArrangedGames:
    """The games that bots arrange; after a restart, unfinished games wait for both bots."""

    def __init__(
        self,
        presence: Presence,
        journal: Journal,
        control: TimeControl,
        tasks: BackgroundTasks,
        ladder: Ladder,
        rater: GameRater | None,
        chance: random.Random,
    ) -> None:
        """Begin without games.

        `control` holds all settings of games except the limits. `chance` draws who moves first.
        """
        self._ladder = ladder
        self._rater = rater
        self._chance = chance
        self._presence = presence
        self._journal = journal
        self._control = control
        self._tasks = tasks
        self._series = WeakValueDictionary[SeriesTerms, TimeControlSeries]()
        """The series with games in progress; the journal has all series."""
        self._creating_series = asyncio.Lock()

    async def open(self) -> None:
        """Resume the unfinished games of the journal; raises JournalError."""
        going_on: list[tuple[datetime, tuple[str, str]]] = []
        for identifier, terms in await self._journal.series.unfinished():
            series = await self._load(identifier, terms)
            for game in await self._journal.unfinished(identifier):
                self._resume(series, game)
                if series.rated:
                    going_on.append((game.started or datetime.now(UTC), game.scheduled.players))
        met = await self._journal.series.met(datetime.now(UTC) - DAY)
        for began, players in sorted(met + going_on):
            self._ladder.began(players, began)

    async def _load(self, identifier: int, terms: SeriesTerms) -> TimeControlSeries:
        following = await self._journal.next_number(identifier)
        series = TimeControlSeries(identifier, terms.limits, terms.rated, following)
        self._series[terms] = series
        return series

    async def series(self, limits: Limits, *, rated: bool) -> TimeControlSeries:
        """Return the series with these limits, a new one if there is none; raises JournalError."""
        terms = SeriesTerms(**dict(limits), rated=rated)
        async with self._creating_series:
            if (series := self._series.get(terms)) is None:
                series = await self._load(await self._journal.series.open(terms), terms)
            return series

    def begin(
        self, series: TimeControlSeries, offer: GameOffer, bot: RemoteBot, number: int | None
    ) -> None:
        """Begin the game of an offer with `bot`; `number` is None if the bot has no offer."""
        game = offer.game
        sides: list[tuple[RemoteBot, int | None]] = [(offer.bot, offer.number), (bot, number)]
        if self._chance.random() >= 0.5:
            sides.reverse()
        (first, first_offer), (second, second_offer) = sides
        scheduled = ScheduledGame(
            number=series.next,
            round=1,
            game=game.name,
            size=game.size,
            players=(first.name, second.name),
            fen=game.start().fen(),
            opening=(),
        )
        series.next += 1
        new = JournalledGame(scheduled, None, (), None, None)
        self._start(series, new, (first, second), (first_offer, second_offer))
        if series.rated:
            self._ladder.began(scheduled.players, datetime.now(UTC))

    def _resume(self, series: TimeControlSeries, game: JournalledGame) -> None:
        first, second = map(self._presence.expect, game.scheduled.players)
        try:
            if game.is_damaged:
                raise ValueError("nobody knows when it began")
            self._start(series, game, (first, second))
        except ValueError as error:
            table = table_of(str(series.id), game.scheduled.number)
            log.warning("damaged table=%s: left out: %s", table, one_line(str(error)))

    def _start(
        self,
        series: TimeControlSeries,
        game: JournalledGame,
        bots: tuple[RemoteBot, RemoteBot],
        offers: tuple[int | None, int | None] = (None, None),
    ) -> None:
        """Start a new game, which has offers, or resume an old game."""
        scheduled = game.scheduled
        identifier = table_of(str(series.id), scheduled.number)
        opening = GameLine.at(load(scheduled.game, scheduled.size).parse(scheduled.fen))
        line = opening.play_names(name for name, _ in game.moves)
        first, second = bots
        player = partial(BotPlayer, limits=series.limits, line=line, rated=series.rated)
        players = (
            player(first, identifier, player=1, opponent=second.name, offer=offers[0]),
            player(second, identifier, player=2, opponent=first.name, offer=offers[1]),
        )
        table = GameTable(identifier, players, may_abort=not series.rated)
        self._presence.take(*scheduled.players)
        self._presence.open(table)
        played = list(zip(line.moves, (ms for _, ms in game.moves), strict=True))
        self._tasks.spawn(self._play(series, game, table, opening, played, is_new=any(offers)))

    async def _play(
        self,
        series: TimeControlSeries,
        game: JournalledGame,
        table: GameTable,
        opening: GameLine,
        played: list[tuple[int, int]],
        *,
        is_new: bool,
    ) -> None:
        scheduled, presence = game.scheduled, self._presence
        referee = Referee(
            opening.start.game, replace(self._control, limits=series.limits), clock=presence.clock
        )
        game_log = GameLog(
            *(self._journal, series.id, scheduled, series.limits),
            feed=presence.feed,
            clock=presence.clock,
            started=game.started,
            moves=game.moves,
            in_series=True,
            is_rated=series.rated,
        )

        async def conduct(on_move: MoveListener) -> GameRecord:
            if is_new:
                await game_log.schedule()
            await game_log.start()
            if not is_new:
                await table.gathered()
            game_log.show()
            first, second = table.players
            try:
                return await referee.play(
                    (first, second), opening, scheduled.number, played=played, on_move=on_move
                )
            except Exception as error:  # After any failure, the game must end, also on disk.
                is_odd = not isinstance(error, JournalError)
                log.error("aborted table=%s error=%s", table.id, error, exc_info=is_odd)
                reason = "the server could not go on with the game"
                return scheduled.ended(
                    game_log.moves, winner=None, termination=Termination.ABORT, reason=reason
                )

        async def on_end(record: GameRecord) -> GameRecord:
            record = await game_log.ended(record)
            if series.rated and self._rater is not None:
                self._rater.ended()
            return record

        try:
            record = await table.play(conduct, game_log.moved, on_end)
            log.info("over table=%s how=%s: %s", table.id, record.termination, record.reason)
        except JournalError as error:
            log.error("dropped table=%s error=%s", table.id, error)
            table.leave(None)
            game_log.dropped()
        finally:
            presence.clear(table)
            presence.free(*scheduled.players)
