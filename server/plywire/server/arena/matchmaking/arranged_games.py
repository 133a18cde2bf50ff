"""Games that bots arrange among themselves.

The games by one time control, and of these the rated ones, are a tournament of the journal that
never ends.
"""

import asyncio
import logging
import random
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from weakref import WeakValueDictionary

from plywire.clients.background_tasks import BackgroundTasks
from plywire.clients.errors import Termination
from plywire.clients.matches.records import GameRecord
from plywire.clients.matches.referee import MoveListener, Referee, TimeControl
from plywire.clients.players.base import GameLine
from plywire.engine.registry import load
from plywire.protocol.messages.limits import Limits
from plywire.server.arena.feed.game_publisher import GamePublisher
from plywire.server.arena.live.bot_player import Bot, BotPlayer
from plywire.server.arena.live.game_table import GameTable
from plywire.server.arena.live.presence import Presence
from plywire.server.arena.store.journal import (
    SERIES,
    Journal,
    JournalError,
    JournalledGame,
    SeriesTerms,
)
from plywire.server.arena.tournament.scheduled_game import ScheduledGame

from .game_rater import GameRater
from .keeping import keeping
from .ladder import DAY, Ladder
from .offers import Offer

log = logging.getLogger(__name__)


@dataclass(slots=True, weakref_slot=True)
class TimeControlSeries:
    """The games by one time control."""

    id: int
    limits: Limits
    rated: bool
    """Whether they count for the ratings."""
    next: int = 0
    """The number of the next game; some may be missing below it, which could not be kept."""

    def table(self, number: int) -> str:
        """The id of a game."""
        return f"{self.id}.{number}"


class ArrangedGames:
    """All of them; those that a server's end cut off wait for both bots to return."""

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
        """None yet; `control` says all of games but their limits, `chance` draws who moves first.

        The `ladder` is told of rated games that begin, `rater` of those that end.
        """
        self._ladder = ladder
        self._rater = rater
        self._chance = chance
        self._presence = presence
        self._journal = journal
        self._control = control
        self._tasks = tasks
        self._series = WeakValueDictionary[SeriesTerms, TimeControlSeries]()
        """Those of which a game is being played; the journal has them all."""
        self._creating_series = asyncio.Lock()
        self._cut_off: dict[str, tuple[TimeControlSeries, JournalledGame]] = {}

    async def open(self) -> None:
        """Take up the games of the journal that are not finished; raises JournalError."""
        for tournament in await self._journal.unfinished_series():
            terms = SeriesTerms.model_validate_json(tournament.config)
            series = await self._load(tournament.id, terms)
            for game in await self._journal.unfinished(tournament.id):
                self._cut_off[series.table(game.scheduled.number)] = series, game
        for began, players in await self._rated_since(datetime.now(UTC) - DAY):
            self._ladder.began(players, began)
        self._tasks.spawn(self._give_up())

    async def _load(self, identifier: int, terms: SeriesTerms) -> TimeControlSeries:
        following = await self._journal.next_number(identifier)
        series = TimeControlSeries(identifier, terms.limits, terms.rated, following)
        self._series[terms] = series
        return series

    async def series(self, limits: Limits, *, rated: bool) -> TimeControlSeries:
        """The games by these limits, rated or not; raises RefusedError."""
        terms = SeriesTerms(**dict(limits), rated=rated)
        with keeping():
            async with self._creating_series:
                if (series := self._series.get(terms)) is None:
                    config = terms.model_dump_json()
                    found = await self._journal.series(config)
                    if found is None:
                        found = await self._journal.create(SERIES, config)
                    series = await self._load(found, terms)
                return series

    async def _rated_since(self, since: datetime) -> list[tuple[datetime, tuple[str, str]]]:
        """Who has begun a rated game against whom since then, oldest first; raises JournalError."""
        met = await self._journal.met(since)
        going_on = [
            (game.started or datetime.now(UTC), game.scheduled.players)
            for series, game in self._cut_off.values()
            if series.rated
        ]
        return sorted(met + going_on)

    def begin(self, series: TimeControlSeries, offer: Offer, bot: Bot, number: int | None) -> None:
        """Begin the game of an offer, which the other bot knows by a number, or does not know."""
        game = offer.game
        sides: list[tuple[Bot, int | None]] = [(offer.bot, offer.number), (bot, number)]
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

    def arrived(self) -> None:
        """Let games go on that waited for somebody who is here now."""
        for identifier, (series, game) in list(self._cut_off.items()):
            first, second = map(self._presence.present, game.scheduled.players)
            if first is not None and second is not None:
                del self._cut_off[identifier]
                self._start(series, game, (first, second))

    def _start(
        self,
        series: TimeControlSeries,
        game: JournalledGame,
        bots: tuple[Bot, Bot],
        offers: tuple[int | None, int | None] = (None, None),
    ) -> None:
        """Play a game: a new one if it comes of offers, else what is left of it."""
        scheduled = game.scheduled
        identifier = series.table(scheduled.number)
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
        number, journal, presence = game.scheduled.number, self._journal, self._presence
        control = replace(self._control, limits=series.limits)
        clock = presence.clock
        referee = Referee(opening.start.game, control, now=clock.now, timeout=clock.timeout)
        started = game.started
        publisher = GamePublisher(presence.feed, table.id, game.scheduled, series.limits)

        async def conduct(on_move: MoveListener) -> GameRecord:
            nonlocal started
            if is_new:
                await journal.schedule(series.id, [game.scheduled])
            if started is None:
                started = await journal.start(series.id, number)
            publisher.began(started, game.moves)
            first, second = table.players
            return await referee.play(
                (first, second), opening, number, played=played, on_move=on_move
            )

        async def on_move(line: GameLine, ms: int) -> None:
            await journal.move(series.id, number, len(line.moves) - 1, line.names[-1], ms)
            publisher.moved(line, ms)

        async def on_end(record: GameRecord) -> GameRecord:
            record = record.model_copy(update={"started": started})
            await self._finish(series, record)
            publisher.ended(record)
            return record

        try:
            record = await table.play(conduct, on_move, on_end)
            log.info("over table=%s how=%s: %s", table.id, record.termination, record.reason)
        except JournalError as error:
            log.error("aborted table=%s error=%s", table.id, error)
            publisher.dropped()
        finally:
            presence.clear(table)
            presence.free(*game.scheduled.players)

    async def _finish(self, series: TimeControlSeries, record: GameRecord) -> None:
        await self._journal.finish(series.id, record, is_rated=series.rated)
        if series.rated and self._rater is not None:
            self._rater.ended()

    async def _give_up(self) -> None:
        """Call off the games that were cut off and whose bots did not both return."""
        await self._presence.clock.sleep(self._presence.grace)
        while self._cut_off:
            identifier, (series, game) = self._cut_off.popitem()
            if game.started is None:
                await self._journal.start(series.id, game.scheduled.number)
            record = game.scheduled.ended(
                game.moves,
                winner=None,
                termination=Termination.ABORT,
                reason="the server stopped, and not both players came back",
            ).model_copy(update={"started": game.started})
            await self._finish(series, record)
            publisher = GamePublisher(
                self._presence.feed, identifier, game.scheduled, series.limits
            )
            publisher.ended(record)
