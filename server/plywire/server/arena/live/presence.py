"""Who is in the arena, and the games that are being played there."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime

from plywire.engine.game import Game
from plywire.protocol.messages.watching import PlayerState, Status
from plywire.server.arena.feed.feed import Feed
from plywire.server.arena.peer import Peer
from plywire.server.arena.store.accounts import GUEST
from plywire.server.clock import Clock

from .bot_player import RemoteBot
from .game_table import GameTable


class Presence:
    """The bots, the tables, and which slots of the bots are taken."""

    def __init__(self, clock: Clock, grace: float, feed: Feed, most_guests: int = 0) -> None:
        """Nobody yet; a bot that is away for `grace` seconds loses to those who are there.

        Who comes and goes, what is played, and how many of so many guests may still come, is
        published in `feed`.
        """
        self._most_guests = most_guests
        self._guests: dict[str, RemoteBot] = {}
        self.clock = clock
        self.grace = grace
        self.feed = feed
        self._bots: dict[str, RemoteBot] = {}
        self._from: dict[str, dict[RemoteBot, None]] = {}
        """Those of `_bots` by the address that each has, or had."""
        self._here = 0
        self._sessions: dict[str, RemoteBot] = {}
        self._tables: dict[str, GameTable] = {}
        self._taken: Counter[str] = Counter()
        self._change = asyncio.Event()

    # ---- bots ----

    @property
    def bots(self) -> Sequence[RemoteBot]:
        """Those that are connected, by name."""
        return sorted((bot for bot in self._bots.values() if bot.is_here), key=lambda bot: bot.name)

    @property
    def known(self) -> Sequence[RemoteBot]:
        """Those that are connected, or may come back to their games."""
        return list(self._bots.values())

    def known_by(self, name: str) -> RemoteBot | None:
        """The bot of that name, if it is connected or may come back to its games."""
        return self._bots.get(name)

    def present(self, name: str) -> RemoteBot | None:
        """The bot of that name, if it is connected."""
        bot = self._bots.get(name)
        return bot if bot is not None and bot.is_here else None

    @property
    def guests(self) -> Sequence[RemoteBot]:
        """Those without an account, connected or not."""
        return list(self._guests.values())

    def admit(self, name: str, *, is_guest: bool = False) -> RemoteBot:
        """The bot of that name, a new one if it has no games to come back to."""
        if name not in self._bots:
            bot = self._bots[name] = RemoteBot(name, self.clock, self.grace, self.settle)
            if is_guest:
                bot.is_guest = True
                self._guests[name] = bot
        return self._bots[name]

    def expect(self, name: str) -> RemoteBot:
        """The bot of that name, which has a game to come back to."""
        if name not in self._bots:
            self.admit(name, is_guest=name.startswith(GUEST)).expect()
        return self._bots[name]

    def begin_session(
        self, bot: RemoteBot, digest: bytes, games: tuple[str, ...], slots: int
    ) -> None:
        """Give the bot a new secret to come back by; the old one is void."""
        self._sessions.pop(bot.session, None)
        bot.begin_session(digest, games, slots)
        self._sessions[bot.session] = bot

    def by_session(self, session: str) -> RemoteBot | None:
        """The bot of that secret, which is too random for the time this takes to tell of it."""
        return self._sessions.get(session)

    def arrive(self, bot: RemoteBot, peer: Peer) -> None:
        """Let a bot go on over this connection."""
        was_here = bot.is_here
        self._unfile(bot)
        bot.arrive(peer)
        if bot.last_address is not None:
            self._from.setdefault(bot.last_address, {})[bot] = None
        if not was_here:
            self._count(bot, 1)

    def depart(self, bot: RemoteBot, peer: Peer) -> bool:
        """Note that this connection is lost; says whether it was the bot's, so that it is away."""
        has_left = bot.depart(peer)
        if has_left:
            self._count(bot, -1)
        return has_left

    def _count(self, bot: RemoteBot, change: int) -> None:
        self._here += change
        state = PlayerState(player=bot.name, online=change > 0, updated=datetime.now(UTC))
        self.feed.publish(state)
        self.changed()

    def settle(self, bot: RemoteBot) -> None:
        """Decide the games of a bot that has come back, or that has been away for too long."""
        for player in list(bot.players.values()):
            self._tables[player.table].settle()
        self._forget(bot)

    def dismiss(self, bot: RemoteBot, reason: str) -> None:
        """Part with a bot for good: it loses its games, and cannot come back to them."""
        was_here = bot.is_here
        self._sessions.pop(bot.session, None)
        bot.dismiss(reason)
        for player in list(bot.players.values()):
            self._tables[player.table].forfeit(player, reason)
        self._forget(bot)
        if was_here:
            self._count(bot, -1)

    def _forget(self, bot: RemoteBot) -> None:
        """Forget a bot that has been away for too long, unless it has games to come back to."""
        if bot.is_overdue and not bot.players and self._bots.get(bot.name) is bot:
            del self._bots[bot.name]
            self._unfile(bot)
            self._sessions.pop(bot.session, None)
            if self._guests.pop(bot.name, None) is not None:
                self.changed()

    def _unfile(self, bot: RemoteBot) -> None:
        """Find the bot by its address no more."""
        if bot.last_address is not None and (there := self._from.get(bot.last_address)):
            there.pop(bot, None)
            if not there:
                del self._from[bot.last_address]

    # ---- tables ----

    @property
    def tables(self) -> Sequence[str]:
        """The games being played."""
        return list(self._tables)

    def table(self, identifier: str) -> GameTable:
        """The game of that id, which is being played."""
        return self._tables[identifier]

    def rated_player(
        self, bot: RemoteBot | None, address: str | None, game: Game
    ) -> RemoteBot | None:
        """Who plays a rated game of that kind: the bot, or one from that address; None if neither.

        No address is nobody's.
        """
        own = [] if bot is None else [bot]
        if address is not None:
            own += self._from.get(address, ())
        for one in own:
            for player in one.players.values():
                if player.game == game and self._tables[player.table].is_rated:
                    return one
        return None

    def open(self, table: GameTable) -> None:
        """Let a game be played."""
        self._tables[table.id] = table
        self.changed()

    def clear(self, table: GameTable) -> None:
        """Forget a game that has ended."""
        del self._tables[table.id]
        for player in table.players:
            self._forget(player.bot)
        self.changed()

    # ---- slots ----

    def taken(self, bot: RemoteBot) -> int:
        """How many of the bot's slots are taken by games."""
        return self._taken[bot.name]

    def take(self, *names: str) -> None:
        """Take a slot of each of these bots for a game."""
        self._taken.update(names)

    def free(self, *names: str) -> None:
        """Give the slots back."""
        self._taken.subtract(names)
        self._wake()

    # ---- changes ----

    @property
    def change(self) -> asyncio.Event:
        """Set when bots come or go, games begin or end, or slots become free from now on."""
        return self._change

    def changed(self) -> None:
        """Have all know how many are here and how many games are being played."""
        self._wake()
        places = self._most_guests - len(self._guests) if self._most_guests else None
        self.feed.publish(
            Status(
                online=True,
                bots=self._here,
                games=len(self._tables),
                guests=places,
                updated=datetime.now(UTC),
            )
        )

    def _wake(self) -> None:
        change, self._change = self._change, asyncio.Event()
        change.set()
