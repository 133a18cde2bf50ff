"""The lobby: bots come and go, and find each other."""

import asyncio
import logging
import random
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Self

from plywire.clients.matches.referee import TimeControl
from plywire.clients.ratings.glicko2 import Glicko
from plywire.engine.game import Game
from plywire.engine.registry import load
from plywire.protocol.messages.base import ErrorCode
from plywire.protocol.messages.limits import Limits
from plywire.protocol.messages.watching import FeedEvent, GameState
from plywire.server.arena.feed.archive import recall, recall_game, recall_round
from plywire.server.arena.feed.feed import Feed
from plywire.server.arena.live.bot_player import Bot, BotPlayer
from plywire.server.arena.live.game_table import GameTable
from plywire.server.arena.live.live_tournament import LiveTournament
from plywire.server.arena.live.presence import Presence
from plywire.server.arena.live.tournament_scheduler import TournamentScheduler
from plywire.server.arena.peer import Peer
from plywire.server.arena.store.accounts import AccountError, Accounts, digest
from plywire.server.arena.store.journal import Journal, JournalError
from plywire.server.arena.store.rating_list import RatingList, RatingsError
from plywire.server.background_tasks import BackgroundTasks
from plywire.server.clock import Clock
from plywire.server.errors import RefusedError
from plywire.server.settings import LadderSettings

from .arranged_games import ArrangedGames, TimeControlSeries
from .game_rater import GameRater
from .guests import Guests, check_guest
from .ladder import DAY, Ladder
from .offers import Offer, Offers

log = logging.getLogger(__name__)

#: Seconds between probes of bots that do nothing.
_PROBE_EVERY = 60.0
#: Seconds between readings of the accounts, from which others may remove bots.
_CHECK_ACCOUNTS_EVERY = 1.0


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
        ratings: RatingList | None = None,
        ladder: LadderSettings | None = None,
        guests: int = 0,
    ) -> None:
        """An empty lobby; `control` says all of games but their limits.

        A bot that is away for `grace` seconds loses its games. `chance` draws who moves first. So
        many `guests` may be there at a time.
        What happens is published in `feed`; tournaments and rated games count for `ratings`.
        Without `ladder`, nobody is paired by rating, and the usual limits hold for rated games.
        """
        self._journal = journal
        self._accounts = accounts
        self._clock = clock
        self._chance = chance or random.Random()
        self.feed = feed or Feed()
        """For whoever likes to watch."""
        self._presence = Presence(clock, grace, self.feed, guests)
        self._guests = Guests(self._presence, accounts, guests)
        self._tasks = BackgroundTasks()
        self._ratings = ratings
        self._rater = None if ratings is None else GameRater(journal, ratings, clock)
        self._arranged = ArrangedGames(self._presence, journal, control, self._tasks, self._rater)
        self._offers = Offers()
        self._ladder_settings = ladder
        self._ladder = Ladder(ladder or LadderSettings())
        self._left_over: set[int] = set()
        self._scheduler = TournamentScheduler(
            self._presence,
            journal,
            self._tasks,
            max_lag=control.max_lag,
            withdraw_offers=self._withdraw_excess_offers,
            ratings=ratings,
        )
        self._is_closed = False

    @property
    def grace(self) -> int:
        """How long a bot may be away, in ms."""
        return round(self._presence.grace * 1000)

    @property
    def bots(self) -> Sequence[Bot]:
        """Those that are connected, by name."""
        return self._presence.bots

    @property
    def tables(self) -> Sequence[str]:
        """The games being played."""
        return self._presence.tables

    @property
    def seeks(self) -> Sequence[Offer]:
        """The open seeks, oldest first."""
        return self._offers.seeks

    async def __aenter__(self) -> Self:
        """Take up the games of the journal that are not finished; raises JournalError."""
        await self._arranged.open()
        for began, players in await self._arranged.rated_since(datetime.now(UTC) - DAY):
            self._ladder.began(players, began)
        if self._rater is not None:
            self._tasks.spawn(self._rater.run())
        if self._ladder_settings is not None:
            self._tasks.spawn(self._keep_pairing(self._ladder_settings))
        await self._scheduler.open()
        self._tasks.spawn(recall(self._journal, self.feed))
        self._tasks.spawn(self._keep_probing())
        self._tasks.spawn(self._keep_checking_accounts())
        self._presence.changed()
        return self

    async def __aexit__(self, *_: object) -> None:
        """Leave off."""
        await self.close()

    async def close(self) -> None:
        """Leave off: games stay as they are in the journal."""
        self._is_closed = True
        await self._tasks.close()
        for bot in self._presence.known:
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
            owner = await asyncio.to_thread(self._accounts.owner, name)
        except AccountError:
            log.exception("accounts cannot be read")
            raise RefusedError(ErrorCode.INTERNAL, "the accounts cannot be read now") from None
        if not is_right:
            log.warning("login refused name=%s", name)
            raise RefusedError(ErrorCode.UNAUTHORIZED, "no bot has that name and token")
        bot = self._presence.admit(name)
        bot.owner = owner
        self._presence.begin_session(bot, digest(token), games, slots)
        return bot

    async def admit_guest(self, name: str, games: tuple[str, ...], address: str | None) -> Bot:
        """A guest under that name or one like it, in a new session; raises RefusedError."""
        guest = await self._guests.admit(name, games, address)
        log.info("guest name=%s", guest.name)
        return guest

    async def resume(self, session: str) -> Bot:
        """The bot of that session; raises RefusedError if there is none, or none any more."""
        if (bot := self._presence.by_session(session)) is not None:
            await self._dismiss_removed(bot)
            if self._presence.by_session(session) is bot:
                return bot
        raise RefusedError(ErrorCode.UNAUTHORIZED, "no such session, or it is over: log in")

    def arrive(self, bot: Bot, peer: Peer) -> None:
        """Let the bot's games go on over this connection; offers of an earlier one are void."""
        self._presence.arrive(bot, peer)
        self._withdraw_all(bot)
        log.info("arrived bot=%s tables=%d", bot.name, len(bot.players))
        self._presence.settle(bot)
        self._arranged.arrived()

    def depart(self, bot: Bot, peer: Peer) -> None:
        """Withdraw the offers of a bot whose connection this was; its games stay."""
        if self._presence.depart(bot, peer):
            log.info("departed bot=%s tables=%d", bot.name, len(bot.players))
            self._withdraw_all(bot)

    def _withdraw_all(self, bot: Bot) -> None:
        for offer in self._offers.concerning(bot):
            self._offers.remove(offer, bot, f"{bot.name} has left")

    # ---- finding each other ----

    async def seek(
        self,
        bot: Bot,
        game: Game,
        limits: Limits,
        *,
        rated: bool = False,
        key: str | None = None,
    ) -> Offer:
        """Pair the bot with whoever seeks the same, or keep its offer; raises RefusedError.

        Who seeks a rated game is paired by the ladder, later.
        """
        rating = _rounded(await self._glickos(game), bot)
        self._check_terms(bot, game, limits)
        check_guest(bot, limits, rated=rated)
        if rated and key is not None:
            raise RefusedError(ErrorCode.BAD_VALUE, "who seeks a rated game cannot have a key")
        if rated and self._ladder_settings is None:
            raise RefusedError(
                ErrorCode.UNAVAILABLE,
                "this server has no ladder: seek a game that is not rated,"
                " or challenge a bot to one that is",
            )
        if not rated and self._offers.like(bot, game, limits, key) is not None:
            series = await self._series(limits)
            if (match := self._offers.like(bot, game, limits, key)) is not None:
                self._agree(bot, match, series)
                return match
        return self._offers.add(bot, None, game, limits, rating, rated=rated, key=key)

    async def challenge(
        self, bot: Bot, name: str, game: Game, limits: Limits, *, rated: bool = False
    ) -> Offer:
        """Offer a game to another bot; raises RefusedError."""
        glickos = await self._glickos(game)
        other = self._presence.present(name)
        if other is None or other is bot:
            raise RefusedError(ErrorCode.UNAVAILABLE, f"no other bot {name} is here")
        if not other.plays(game.name):
            raise RefusedError(ErrorCode.UNAVAILABLE, f"{name} does not play {game.name}")
        self._check_terms(bot, game, limits)
        for one in (bot, other):
            check_guest(one, limits, rated=rated)
        if rated:
            self._check_rated(bot, other, glickos)
        rating = _rounded(glickos, bot)
        return self._offers.add(bot, other, game, limits, rating, rated=rated)

    async def _glickos(self, game: Game) -> Mapping[str, Glicko]:
        """The ratings in a game, none if the list cannot be read."""
        if self._ratings is None:
            return {}
        try:
            return await asyncio.to_thread(self._ratings.of, game)
        except RatingsError as error:
            log.error("ratings error=%s", error)
            return {}

    def _check_rated(self, bot: Bot, other: Bot, glickos: Mapping[str, Glicko]) -> None:
        if obstacle := self._ladder.obstacle(bot, other, glickos):
            raise RefusedError(ErrorCode.UNAVAILABLE, f"no rated game: {obstacle}")

    async def accept(self, bot: Bot, number: int, *, rated: bool = False) -> None:
        """Pair the bot with the one that made the offer; raises RefusedError.

        `rated` is whether the bot agrees to a rated game.
        """
        offer = self._offers.to(bot, number)
        if offer.rated and offer.to is None:
            raise RefusedError(
                ErrorCode.UNAVAILABLE,
                f"who plays offer {number} is for the ladder to say: seek a rated game too",
            )
        if offer.rated != rated:
            raise RefusedError(
                ErrorCode.BAD_VALUE,
                f"offer {number} is of a rated game: accept it as rated, or decline it"
                if offer.rated
                else f"offer {number} is not of a rated game: accept it as it is, or decline it",
            )
        series = await self._series(offer.limits, rated=rated)
        glickos = await self._glickos(offer.game) if rated else {}
        offer = self._offers.to(bot, number)
        check_guest(bot, offer.limits, rated=rated)
        if rated:
            self._check_rated(bot, offer.bot, glickos)
        self._agree(bot, offer, series)

    def _agree(self, bot: Bot, offer: Offer, series: TimeControlSeries) -> None:
        """Begin the game of an offer; raises RefusedError if the bot cannot play it."""
        if not bot.plays(offer.game.name):
            raise RefusedError(
                ErrorCode.BAD_VALUE, f"you said that you do not play {offer.game.name}"
            )
        if self._presence.taken(bot) >= bot.slots:
            raise RefusedError(ErrorCode.BUSY, f"your {bot.slots} slots are taken by games")
        self._offers.take(offer)
        self._begin(series, offer, bot, offer.number)
        self._withdraw_excess_offers(bot)

    def _begin(self, series: TimeControlSeries, offer: Offer, bot: Bot, number: int | None) -> None:
        """Begin the game of an offer, which the other bot knows by a number, or does not know."""
        if self._chance.random() < 0.5:
            self._arranged.begin(series, offer.game, (offer.bot, bot), (offer.number, number))
        else:
            self._arranged.begin(series, offer.game, (bot, offer.bot), (number, offer.number))
        if series.rated:
            self._ladder.began((offer.bot.name, bot.name), datetime.now(UTC))

    async def _keep_pairing(self, settings: LadderSettings) -> None:
        """Pair those who seek rated games; who is left over twice plays the anchor."""
        while True:
            await self._clock.sleep(settings.every)
            left_over = set[int]()
            for game, limits in self._offers.rated:
                try:
                    left_over |= await self._pair(game, limits, settings)
                except RefusedError as error:
                    log.error("ladder game=%s error=%s", game.name, error)
            self._left_over = left_over

    async def _pair(self, game: Game, limits: Limits, settings: LadderSettings) -> set[int]:
        """Pair those who seek such games, and return the numbers of the offers left over."""
        series = await self._series(limits, rated=True)
        glickos = await self._glickos(game)
        for one, other in self._ladder.pairs(self._offers.rated_seeks(game, limits), glickos):
            if not self._ladder.obstacle(one.bot, other.bot, glickos):
                self._offers.take(one)
                self._offers.take(other)
                self._begin(series, one, other.bot, other.number)
        anchor = self._presence.present(settings.anchor_name)
        for seek in self._offers.rated_seeks(game, limits):
            if (
                anchor is not None
                and seek.number in self._left_over
                and self._presence.taken(anchor) < anchor.slots
                and not self._ladder.obstacle(seek.bot, anchor, glickos)
            ):
                self._offers.take(seek)
                self._begin(series, seek, anchor, None)
        return {seek.number for seek in self._offers.rated_seeks(game, limits)}

    def decline(self, bot: Bot, number: int, reason: str = "") -> None:
        """Refuse a challenge; raises RefusedError if there is none."""
        offer = self._offers.to(bot, number, asked=True)
        self._offers.remove(offer, bot, f"{bot.name} declined{reason and f': {reason}'}")

    def withdraw(self, bot: Bot, number: int) -> None:
        """Take an offer back; raises RefusedError if there is none."""
        offer = self._offers.by(bot, number)
        self._offers.remove(offer, bot, f"{bot.name} has taken it back")

    # ---- tournaments ----

    @property
    def tournaments(self) -> Sequence[LiveTournament]:
        """Those that bots may join, those being played, and the latest that are over."""
        return self._scheduler.tournaments

    async def refresh_tournaments(self) -> None:
        """Take note of those announced just now; raises RefusedError if that cannot be read."""
        with _keeping():
            await self._scheduler.refresh()

    def tournament(self, name: str) -> LiveTournament:
        """The latest tournament of that name; raises RefusedError if there is none."""
        return self._scheduler.named(name)

    async def join(self, bot: Bot, tournament: str) -> None:
        """Take a seat in a tournament; raises RefusedError if none of that name is open."""
        if bot.is_guest:
            raise RefusedError(ErrorCode.UNAVAILABLE, "guests play no tournaments")
        with _keeping():
            await self._scheduler.join(bot, tournament)

    async def leave(self, bot: Bot, tournament: str) -> None:
        """Give a seat in a tournament back; raises RefusedError if that cannot be."""
        with _keeping():
            await self._scheduler.named(tournament).leave(bot)

    def _withdraw_excess_offers(self, bot: Bot) -> None:
        """Void offers of a bot that its games leave no slot for, the latest first."""
        offers = self._offers.of(bot)
        while offers and self._presence.taken(bot) + len(offers) > bot.slots:
            self._offers.remove(offers.pop(), None, "another game takes the slot")

    # ---- playing ----

    def table(self, bot: Bot, identifier: str) -> tuple[GameTable, BotPlayer]:
        """The table of that id and the bot as its player; raises RefusedError if it has none."""
        player = bot.players.get(identifier)
        if player is None:
            raise RefusedError(
                ErrorCode.GAME_OVER, f"you have no game {identifier}, or it has ended"
            )
        return self._presence.table(identifier), player

    def check_help(self, bot: Bot | None, address: str | None, game: Game) -> None:
        """Raises RefusedError where an engine's help would be help in a rated game that goes on.

        That is so for who plays one of that kind, on the same connection, and, unless many share an
        address here, for all who come from the same one.
        """
        shared = self._ladder.addresses_are_shared
        player = self._presence.rated_player(bot, None if shared else address, game)
        if player is not None:
            raise RefusedError(
                ErrorCode.UNAVAILABLE,
                f"the engine helps nobody while {player.name} plays a rated game of {game.title}"
                + ("" if player is bot else " from your address"),
            )

    async def recall(self, table: str) -> GameState:
        """A game, as it stands or as it ended, however long ago; raises RefusedError."""
        with _keeping():
            state = await recall_game(self._journal, self.feed, table)
        if state is None:
            raise RefusedError(
                ErrorCode.UNAVAILABLE, f"there is no game {table}, or it has not begun"
            )
        return state

    async def recall_round(self, tournament: str, number: int) -> list[FeedEvent]:
        """The games of a tournament's round that are over; raises RefusedError."""
        with _keeping():
            events = await recall_round(self._journal, self.feed, tournament, number)
        if events is None:
            raise RefusedError(
                ErrorCode.UNAVAILABLE, f"there is no tournament {tournament}, or it has not begun"
            )
        return events

    def _check_terms(self, bot: Bot, game: Game, limits: Limits) -> None:
        if limits.movetime is None and limits.clock is None:
            raise RefusedError(ErrorCode.BAD_VALUE, "limits must hold a movetime or a clock")
        if limits.infinite:
            raise RefusedError(ErrorCode.BAD_VALUE, "limits must not be infinite")
        if not bot.plays(game.name):
            raise RefusedError(ErrorCode.BAD_VALUE, f"you said that you do not play {game.name}")
        taken = self._presence.taken(bot) + len(self._offers.of(bot))
        if taken >= bot.slots:
            raise RefusedError(
                ErrorCode.BUSY, f"you have {taken} games and open offers, and {bot.slots} slots"
            )

    async def _series(self, limits: Limits, *, rated: bool = False) -> TimeControlSeries:
        with _keeping():
            return await self._arranged.series(limits, rated=rated)

    async def _keep_checking_accounts(self) -> None:
        while True:
            await self._clock.sleep(_CHECK_ACCOUNTS_EVERY)
            await self._dismiss_removed()
            for guest in self._guests.overdue():
                self._withdraw_all(guest)
                self._presence.dismiss(guest, "guests who play no game may stay for half an hour")

    async def _dismiss_removed(self, only: Bot | None = None) -> None:
        """Part with the bots whose accounts have been removed, also if there are new ones."""
        bots = [only] if only else self._presence.known
        known = {bot: bot.digest for bot in bots if not bot.is_guest}
        if not known:
            return
        try:
            digests = await asyncio.to_thread(self._accounts.digests, only.name if only else None)
        except AccountError as error:
            log.error("accounts error=%s", error)
            return
        for bot, kept in known.items():
            # Whoever has logged in since then was found in the accounts.
            if (
                bot.digest == kept
                and digests.get(bot.name) != kept
                and self._presence.known_by(bot.name) is bot
            ):
                log.info("removed bot=%s tables=%d", bot.name, len(bot.players))
                self._withdraw_all(bot)
                self._presence.dismiss(bot, "its account was removed")

    async def _keep_probing(self) -> None:
        """Keep the lag known, and have transports find out which connections are dead."""
        while True:
            await self._clock.sleep(_PROBE_EVERY)
            for bot in self.bots:
                bot.probe()


def _rounded(glickos: Mapping[str, Glicko], bot: Bot) -> int | None:
    """The bot's rating, None if it has none."""
    return round(glickos[bot.name].rating) if bot.name in glickos else None


@contextmanager
def _keeping() -> Iterator[None]:
    """Raises RefusedError where the journal cannot be used."""
    try:
        yield
    except JournalError as error:
        log.error("journal error=%s", error)
        message = "the server cannot keep games now; try again later"
        raise RefusedError(ErrorCode.INTERNAL, message) from error
