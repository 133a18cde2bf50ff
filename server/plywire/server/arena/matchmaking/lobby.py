"""The lobby, where bots arrive, find opponents and play."""

import logging
import random
from collections.abc import Callable, Sequence
from functools import partial
from typing import Self

from plywire.clients.connecting.background_tasks import BackgroundTasks
from plywire.clients.play.matches.referee import TimeControl
from plywire.engine.game import Game
from plywire.protocol.messages.base import ErrorCode
from plywire.server.arena.feed.feed import Feed
from plywire.server.arena.feed.recall import recall
from plywire.server.arena.live.bot_player import BotPlayer
from plywire.server.arena.live.game_table import GameTable
from plywire.server.arena.live.live_game_runner import LiveGameRunner
from plywire.server.arena.live.presence import Presence
from plywire.server.arena.live.remote_bot import RemoteBot
from plywire.server.arena.live.tournament_scheduler import TournamentScheduler
from plywire.server.arena.peer import Peer
from plywire.server.arena.store.accounts import Accounts
from plywire.server.arena.store.journal import Journal
from plywire.server.arena.store.rating_list import RatingList
from plywire.server.clock import ServerClock
from plywire.server.errors import RefusedError
from plywire.server.settings import LadderSettings

from .arranged_games import ArrangedGames
from .game_rater import GameRater
from .ladder import Ladder
from .logins import Logins
from .matchmaker import Matchmaker
from .offers import Offers
from .rated_pairing import RatedPairing

log = logging.getLogger(__name__)

#: Seconds between two probes of the lag of idle bots.
_PROBE_EVERY = 60.0


class Lobby:
    """The arena's bots, games and tournaments; an asynchronous context manager."""

    def __init__(
        self,
        journal: Journal,
        accounts: Accounts,
        clock: ServerClock,
        control: TimeControl,
        *,
        grace: float,
        chance: random.Random | None = None,
        feed: Feed | None = None,
        ratings: RatingList | None = None,
        ladder: LadderSettings | None = None,
        guests: int = 0,
        anchor_can_play: Callable[[Game], bool] = lambda game: True,
    ) -> None:
        """Create an empty lobby.

        `control` holds all settings of games except the limits. `grace` is in seconds, and
        `guests` limits the number of guests. `chance` draws who moves first. Without `ladder`,
        rated seeks are refused. The anchor gets no game that `anchor_can_play` refuses.
        """
        self.journal = journal
        self._clock = clock
        self.feed = feed or Feed()
        self._presence = Presence(clock, grace, self.feed, guests)
        self._tasks = BackgroundTasks()
        self._rater = None if ratings is None else GameRater(journal, ratings, clock)
        self._ladder = Ladder(ladder or LadderSettings(), ratings)
        self._arranged = ArrangedGames(
            self._presence,
            journal,
            control,
            self._tasks,
            self._ladder,
            self._rater,
            chance or random.Random(),
        )
        offers = Offers()
        finding = self._presence, offers, self._arranged, self._ladder
        self.matchmaker = Matchmaker(*finding, has_ladder=ladder is not None)
        self._rated_pairing = (
            None if ladder is None else RatedPairing(*finding, anchor_can_play=anchor_can_play)
        )
        self.logins = Logins(self._presence, accounts, guests, self.matchmaker.withdraw_all)
        self.tournaments = TournamentScheduler(
            self._presence,
            journal,
            self._tasks,
            partial(
                LiveGameRunner,
                self._presence,
                max_lag=control.max_lag,
                withdraw_offers=self.matchmaker.withdraw_excess,
            ),
            ratings,
        )
        self._is_closed = False

    @property
    def grace(self) -> int:
        """The time in ms that a bot may be away."""
        return round(self._presence.grace * 1000)

    @property
    def bots(self) -> Sequence[RemoteBot]:
        return self._presence.bots

    @property
    def tables(self) -> Sequence[str]:
        return self._presence.tables

    async def __aenter__(self) -> Self:
        """Resume the unfinished games of the journal; raises JournalError."""
        await self._arranged.open()
        if self._rater is not None:
            self._tasks.spawn(self._rater.run())
        if self._rated_pairing is not None:
            self._tasks.spawn(self._rated_pairing.run())
        await self.tournaments.open()
        self._tasks.spawn(recall(self.journal, self.feed))
        self._tasks.spawn(self._keep_probing())
        self._tasks.spawn(self.logins.keep_checking())
        self._presence.changed()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Stop all games; they stay in the journal unfinished."""
        self._is_closed = True
        await self._tasks.close()
        for bot in self._presence.known:
            await bot.close()
        self.feed.close()

    def check_open(self) -> None:
        """Raise RefusedError if the lobby is closed."""
        if self._is_closed:
            raise RefusedError(ErrorCode.DRAINING, "the server is shutting down")

    # ---- coming and going ----

    def arrive(self, bot: RemoteBot, peer: Peer) -> None:
        """Let the bot's games go on over this connection; withdraw its earlier offers."""
        self._presence.arrive(bot, peer)
        self.matchmaker.withdraw_all(bot)
        log.info("arrived bot=%s tables=%d", bot.name, len(bot.tables))
        self._presence.settle(bot)

    def depart(self, bot: RemoteBot, peer: Peer) -> None:
        """Withdraw the offers of a bot whose connection is lost; its games stay."""
        if self._presence.depart(bot, peer):
            log.info("departed bot=%s tables=%d", bot.name, len(bot.tables))
            self.matchmaker.withdraw_all(bot)

    # ---- playing ----

    def table(self, bot: RemoteBot, identifier: str) -> tuple[GameTable, BotPlayer]:
        """Return a game of the bot and its player; raises RefusedError if there is none."""
        if identifier not in bot.tables:
            raise RefusedError(
                ErrorCode.GAME_OVER, f"you have no game {identifier}, or it has ended"
            )
        table = self._presence.table(identifier)
        return table, table.player_of(bot)

    def check_help(self, bot: RemoteBot | None, address: str | None, game: Game) -> None:
        """Raise RefusedError if the engine would help in a rated game in progress.

        This refuses a bot in a rated game of this kind. Unless players may share addresses, it also
        refuses everyone at the bot's address.
        """
        shared = self._ladder.settings.same_address
        player = self._presence.rated_player(bot, None if shared else address, game)
        if player is not None:
            raise RefusedError(
                ErrorCode.UNAVAILABLE,
                f"the engine helps nobody while {player.name} plays a rated game of {game.title}"
                + ("" if player is bot else " from your address"),
            )

    async def _keep_probing(self) -> None:
        """Keep the lags known, and let transports notice dead connections."""
        while True:
            await self._clock.sleep(_PROBE_EVERY)
            for bot in self.bots:
                bot.probe()
