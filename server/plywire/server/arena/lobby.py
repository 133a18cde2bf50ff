"""The lobby: bots come and go, find each other, and are seated."""

from __future__ import annotations

import asyncio
import logging
import random
import secrets
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Self

from plywire.clients.errors import Termination
from plywire.clients.players import Line
from plywire.clients.records import GameRecord
from plywire.clients.referee import MoveListener, Referee, TimeControl
from plywire.engine.game import Game, load
from plywire.protocol.events import ErrorCode
from plywire.protocol.feed_events import Status
from plywire.protocol.limits import Limits
from plywire.server.clock import Clock
from plywire.server.errors import RefusedError

from .accounts import AccountError, Accounts
from .coverage import GameCoverage
from .feed import Feed
from .journal import Journal, JournalError, JournalledGame, ScheduledGame
from .offers import Offer, Offers
from .seats import Bot, Seat
from .tables import Table

log = logging.getLogger(__name__)

#: What the journal calls the games that bots arrange among themselves.
POOL = "lobby"
#: Seconds between probes of bots that do nothing.
_PROBE_EVERY = 60.0


@dataclass(slots=True)
class Pool:
    """The games by one time control: one tournament of the journal that never ends."""

    id: int
    limits: Limits
    games: int = 0
    """How many there are; the number of the next."""


class Lobby:
    """The bots that are there, their offers, and their games.

    An asynchronous context manager: games that a server's end cut off wait for both bots to return,
    for as long as the grace time, and go on.
    """

    def __init__(
        self,
        journal: Journal,
        accounts: Accounts,
        clock: Clock,
        control: TimeControl,
        *,
        grace: float,
        chance: random.Random | None = None,
        feed: Feed | None = None,
    ) -> None:
        """An empty lobby; `control` says all of games but their limits.

        A bot that is away for `grace` seconds loses its games. `chance` draws who moves first.
        What happens is published in `feed`.
        """
        self._journal = journal
        self._accounts = accounts
        self._clock = clock
        self._control = control
        self._grace = grace
        self._chance = chance or random.Random()
        self.feed = feed or Feed()
        """For whoever likes to watch."""
        self._bots: dict[str, Bot] = {}
        self._offers = Offers()
        self._tables: dict[str, Table] = {}
        self._pools: dict[Limits, Pool] = {}
        self._making_pool = asyncio.Lock()
        self._cut_off: dict[str, tuple[Pool, JournalledGame]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_closed = False

    @property
    def grace(self) -> int:
        """How long a bot may be away, in ms."""
        return round(self._grace * 1000)

    @property
    def bots(self) -> Sequence[Bot]:
        """Those that are connected, by name."""
        return sorted((bot for bot in self._bots.values() if bot.is_here), key=lambda bot: bot.name)

    @property
    def tables(self) -> Sequence[str]:
        """The games being played."""
        return list(self._tables)

    @property
    def seeks(self) -> Sequence[Offer]:
        """The open seeks, oldest first."""
        return self._offers.seeks

    async def __aenter__(self) -> Self:
        """Take up the games of the journal that are not finished; raises JournalError."""
        for tournament in await self._journal.tournaments():
            if tournament.name != POOL:
                continue
            games = await self._journal.games(tournament.id)
            limits = Limits.model_validate_json(tournament.config)
            pool = self._pools[limits] = Pool(tournament.id, limits, len(games))
            for game in games:
                if game.record is None:
                    self._cut_off[_table_id(pool, game.scheduled.number)] = pool, game
        self._spawn(self._keep_probing())
        self._spawn(self._give_up())
        self._tell_status()
        return self

    async def __aexit__(self, *_: object) -> None:
        """Leave off."""
        await self.close()

    async def close(self) -> None:
        """Leave off: games stay as they are in the journal."""
        self._is_closed = True
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for bot in self._bots.values():
            await bot.close()
        self.feed.close()

    def check_open(self) -> None:
        """Raises RefusedError when the games are left off."""
        if self._is_closed:
            raise RefusedError(ErrorCode.DRAINING, "the server is shutting down")

    # ---- coming and going ----

    async def login(self, name: str, token: str, games: tuple[str, ...], slots: int) -> Bot:
        """The bot of that name, in a new session; raises RefusedError."""
        for game in games:
            load(game)
        try:
            is_right = await asyncio.to_thread(self._accounts.verify, name, token)
        except AccountError:
            log.exception("accounts cannot be read")
            raise RefusedError(ErrorCode.INTERNAL, "the accounts cannot be read now") from None
        if not is_right:
            log.warning("login refused name=%s", name)
            raise RefusedError(ErrorCode.UNAUTHORIZED, "no bot has that name and token")
        bot = self._bots.get(name)
        if bot is None:
            bot = self._bots[name] = Bot(name, self._clock, self._grace, self._gone)
        bot.begin_session(games, slots)
        return bot

    def resume(self, session: str) -> Bot:
        """The bot of that session; raises RefusedError if there is none, or none any more."""
        for bot in self._bots.values():
            if secrets.compare_digest(bot.session.encode(), session.encode()):
                return bot
        raise RefusedError(ErrorCode.UNAUTHORIZED, "no such session, or it is over: log in")

    def arrived(self, bot: Bot) -> None:
        """Let games go on that waited for the bot; offers of an earlier connection are void."""
        self._withdraw_all(bot)
        log.info("arrived bot=%s tables=%d", bot.name, len(bot.seats))
        self._tell_status()
        for identifier, (pool, game) in list(self._cut_off.items()):
            bots = [self._bots.get(name) for name in game.scheduled.players]
            if all(bot is not None and bot.is_here for bot in bots):
                del self._cut_off[identifier]
                first, second = (self._bots[name] for name in game.scheduled.players)
                self._seat(pool, game, (first, second))

    def departed(self, bot: Bot) -> None:
        """Withdraw the offers of a bot that is away; its games stay."""
        log.info("departed bot=%s tables=%d", bot.name, len(bot.seats))
        self._withdraw_all(bot)
        self._tell_status()

    def _withdraw_all(self, bot: Bot) -> None:
        for offer in self._offers.concerning(bot):
            self._offers.remove(offer, bot, f"{bot.name} has left")

    def _gone(self, bot: Bot) -> None:
        """End the games of a bot that did not come back."""
        del self._bots[bot.name]
        for seat in list(bot.seats.values()):
            self._tables[seat.table].disconnect(seat)

    # ---- finding each other ----

    async def seek(self, bot: Bot, game: Game, limits: Limits) -> Offer:
        """Seat the bot with whoever seeks the same, or keep its offer; raises RefusedError."""
        self._check_terms(bot, game, limits)
        if self._offers.like(bot, game, limits) is not None:
            pool = await self._pool(limits)
            if (match := self._offers.like(bot, game, limits)) is not None:
                self._agree(bot, match, pool)
                return match
        return self._offers.add(bot, None, game, limits)

    def challenge(self, bot: Bot, name: str, game: Game, limits: Limits) -> Offer:
        """Offer a game to another bot; raises RefusedError."""
        other = self._bots.get(name)
        if other is None or not other.is_here or other is bot:
            raise RefusedError(ErrorCode.UNAVAILABLE, f"no other bot {name} is here")
        if not other.plays(game.name):
            raise RefusedError(ErrorCode.UNAVAILABLE, f"{name} does not play {game.name}")
        self._check_terms(bot, game, limits)
        return self._offers.add(bot, other, game, limits)

    async def accept(self, bot: Bot, number: int) -> None:
        """Seat the bot with the one that made the offer; raises RefusedError."""
        pool = await self._pool(self._offers.to(bot, number).limits)
        self._agree(bot, self._offers.to(bot, number), pool)

    def _agree(self, bot: Bot, offer: Offer, pool: Pool) -> None:
        """Begin the game of an offer; raises RefusedError if the bot cannot play it."""
        if not bot.plays(offer.game.name):
            raise RefusedError(
                ErrorCode.BAD_VALUE, f"you said that you do not play {offer.game.name}"
            )
        self._check_room(bot)
        self._offers.take(offer)
        bots = (offer.bot, bot) if self._chance.random() < 0.5 else (bot, offer.bot)
        scheduled = ScheduledGame(
            number=pool.games,
            round=1,
            game=offer.game.name,
            size=offer.game.size,
            players=(bots[0].name, bots[1].name),
            fen=offer.game.start().fen(),
            opening=(),
        )
        pool.games += 1
        self._seat(pool, JournalledGame(scheduled, None, (), None, None), bots, is_new=True)

    def decline(self, bot: Bot, number: int) -> None:
        """Refuse a challenge; raises RefusedError if there is none."""
        offer = self._offers.to(bot, number, asked=True)
        self._offers.remove(offer, bot, f"{bot.name} declined")

    def withdraw(self, bot: Bot, number: int) -> None:
        """Take an offer back; raises RefusedError if there is none."""
        offer = self._offers.by(bot, number)
        self._offers.remove(offer, bot, f"{bot.name} has taken it back")

    def join(self, bot: Bot, tournament: str) -> None:
        """Take a seat in a tournament; raises RefusedError if none of that name is open."""
        raise RefusedError(ErrorCode.UNAVAILABLE, f"no tournament {tournament!r} is open here")

    def table(self, bot: Bot, identifier: str) -> tuple[Table, Seat]:
        """The table and the bot's seat at it; raises RefusedError if it has none."""
        seat = bot.seats.get(identifier)
        if seat is None:
            raise RefusedError(
                ErrorCode.GAME_OVER, f"you have no game {identifier}, or it has ended"
            )
        return self._tables[identifier], seat

    def _check_terms(self, bot: Bot, game: Game, limits: Limits) -> None:
        if limits.movetime is None and limits.clock is None:
            raise RefusedError(ErrorCode.BAD_VALUE, "limits must hold a movetime or a clock")
        if limits.infinite:
            raise RefusedError(ErrorCode.BAD_VALUE, "limits must not be infinite")
        if not bot.plays(game.name):
            raise RefusedError(ErrorCode.BAD_VALUE, f"you said that you do not play {game.name}")
        self._check_room(bot)

    def _check_room(self, bot: Bot) -> None:
        taken = len(bot.seats) + len(self._offers.of(bot))
        if taken >= bot.slots:
            raise RefusedError(
                ErrorCode.BUSY, f"you have {taken} games and open offers, and {bot.slots} slots"
            )

    async def _pool(self, limits: Limits) -> Pool:
        async with self._making_pool:
            if limits not in self._pools:
                try:
                    identifier = await self._journal.create(POOL, limits.model_dump_json())
                except JournalError as error:
                    raise _cannot_write(error) from error
                self._pools[limits] = Pool(identifier, limits)
            return self._pools[limits]

    # ---- playing ----

    def _seat(
        self, pool: Pool, game: JournalledGame, bots: tuple[Bot, Bot], *, is_new: bool = False
    ) -> None:
        scheduled = game.scheduled
        identifier = _table_id(pool, scheduled.number)
        opening = Line.at(load(scheduled.game, scheduled.size).parse(scheduled.fen))
        line = opening
        for name, _ in game.moves:
            line = line.play(line.position.game.parse_move(line.position, name))
        first, second = bots
        limits = pool.limits
        seats = (
            Seat(first, identifier, player=1, opponent=second.name, limits=limits, line=line),
            Seat(second, identifier, player=2, opponent=first.name, limits=limits, line=line),
        )
        table = self._tables[identifier] = Table(identifier, seats, may_abort=True)
        self._tell_status()
        played = list(zip(line.moves, (ms for _, ms in game.moves), strict=True))
        self._spawn(self._play(pool, game, table, opening, played, is_new=is_new))

    async def _play(
        self,
        pool: Pool,
        game: JournalledGame,
        table: Table,
        opening: Line,
        played: list[tuple[int, int]],
        *,
        is_new: bool,
    ) -> None:
        number, journal = game.scheduled.number, self._journal
        control = replace(self._control, limits=pool.limits)
        referee = Referee(opening.start.game, control, now=self._clock.now)
        started = game.started
        coverage = GameCoverage(self.feed, table.id, game.scheduled, pool.limits)

        async def conduct(on_move: MoveListener) -> GameRecord:
            nonlocal started
            if is_new:
                await journal.schedule(pool.id, [game.scheduled])
            if started is None:
                started = await journal.start(pool.id, number)
            coverage.began(started, game.moves)
            first, second = table.seats
            return await referee.play(
                (first, second), opening, number, played=played, on_move=on_move
            )

        async def on_move(line: Line, ms: int) -> None:
            await journal.move(pool.id, number, len(line.moves) - 1, line.names[-1], ms)
            coverage.moved(line, ms)

        async def on_end(record: GameRecord) -> GameRecord:
            record = record.model_copy(update={"started": started})
            await journal.finish(pool.id, record)
            coverage.ended(record)
            return record

        try:
            record = await table.play(conduct, on_move, on_end)
            log.info("over table=%s how=%s: %s", table.id, record.termination, record.reason)
        except JournalError as error:
            log.error("aborted table=%s error=%s", table.id, error)
            coverage.dropped()
        finally:
            del self._tables[table.id]
            self._tell_status()

    async def _give_up(self) -> None:
        """Call off the games that were cut off and whose bots did not both return."""
        await self._clock.sleep(self._grace)
        for pool, game in list(self._cut_off.values()):
            scheduled = game.scheduled
            if game.started is None:
                await self._journal.start(pool.id, scheduled.number)
            record = GameRecord(
                number=scheduled.number,
                game=scheduled.game,
                size=scheduled.size,
                players=scheduled.players,
                fen=scheduled.fen,
                moves=tuple(name for name, _ in game.moves),
                opening=0,
                times=tuple(ms for _, ms in game.moves),
                winner=None,
                score=0,
                termination=Termination.ABORT,
                reason="the server stopped, and not both players came back",
                started=game.started,
            )
            await self._journal.finish(pool.id, record)
            identifier = _table_id(pool, scheduled.number)
            GameCoverage(self.feed, identifier, scheduled, pool.limits).ended(record)
        self._cut_off.clear()

    def _tell_status(self) -> None:
        """Have watchers know who is here and what is being played."""
        self.feed.publish(
            Status(
                online=True,
                bots=tuple(bot.name for bot in self.bots),
                games=tuple(self._tables),
                updated=datetime.now(UTC),
            )
        )

    async def _keep_probing(self) -> None:
        """Keep the lag known, and have transports find out which connections are dead."""
        while True:
            await self._clock.sleep(_PROBE_EVERY)
            for bot in self.bots:
                bot.probe()

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("failed", exc_info=error)


def _table_id(pool: Pool, number: int) -> str:
    return f"{pool.id}.{number}"


def _cannot_write(error: JournalError) -> RefusedError:
    log.error("journal error=%s", error)
    return RefusedError(ErrorCode.INTERNAL, "the server cannot keep games now; try again later")
