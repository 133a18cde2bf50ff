"""The bots of the arena, and their games in progress."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime

from plywire.engine.game import Game
from plywire.protocol.messages.watching import PlayerState, Status
from plywire.server.arena.feed.feed import Feed
from plywire.server.arena.peer import Peer
from plywire.server.arena.store.accounts import GUEST
from plywire.server.clock import ServerClock

from .game_table import GameTable
from .remote_bot import RemoteBot


class Presence:
    """Holds the bots of the arena, their games and their free slots."""

    def __init__(self, clock: ServerClock, grace: float, feed: Feed, most_guests: int = 0) -> None:
        """Create an empty arena; a bot that is away for `grace` seconds loses."""
        self._most_guests = most_guests
        self.clock = clock
        self.grace = grace
        self.feed = feed
        self._bots: dict[str, RemoteBot] = {}
        self._from: dict[str, dict[RemoteBot, None]] = {}
        """The bots by their present or latest address."""
        self._here = 0
        self._sessions: dict[str, RemoteBot] = {}
        self._tables: dict[str, GameTable] = {}
        self._taken: Counter[str] = Counter()
        self._change = asyncio.Event()

    # ---- bots ----

    @property
    def bots(self) -> Sequence[RemoteBot]:
        return sorted((bot for bot in self._bots.values() if bot.is_here), key=lambda bot: bot.name)

    @property
    def known(self) -> Sequence[RemoteBot]:
        """The bots that are connected or may come back to their games."""
        return list(self._bots.values())

    def known_by(self, name: str) -> RemoteBot | None:
        """Return the bot with this name that is connected or may come back; else None."""
        return self._bots.get(name)

    def present(self, name: str) -> RemoteBot | None:
        bot = self._bots.get(name)
        return bot if bot is not None and bot.is_here else None

    @property
    def guests(self) -> Sequence[RemoteBot]:
        return [bot for bot in self._bots.values() if bot.is_guest]

    def admit(self, name: str, *, is_guest: bool = False) -> RemoteBot:
        """Return the bot with this name; make a new one if none is known."""
        if name not in self._bots:
            bot = self._bots[name] = RemoteBot(name, self.clock, self.grace, self.settle)
            bot.is_guest = is_guest
        return self._bots[name]

    def expect(self, name: str) -> RemoteBot:
        """Return the bot with this name, which has a game from before a restart."""
        if name not in self._bots:
            self.admit(name, is_guest=name.startswith(GUEST)).expect()
        return self._bots[name]

    def begin_session(
        self, bot: RemoteBot, digest: bytes, games: tuple[str, ...], slots: int
    ) -> None:
        self._sessions.pop(bot.session, None)
        bot.begin_session(digest, games, slots)
        self._sessions[bot.session] = bot

    def by_session(self, session: str) -> RemoteBot | None:
        """Return the bot of a session token; random tokens need no constant-time comparison."""
        return self._sessions.get(session)

    def arrive(self, bot: RemoteBot, peer: Peer) -> None:
        was_here = bot.is_here
        self._unfile(bot)
        bot.arrive(peer)
        if bot.last_address is not None:
            self._from.setdefault(bot.last_address, {})[bot] = None
        if not was_here:
            self._count(bot, 1)

    def depart(self, bot: RemoteBot, peer: Peer) -> bool:
        """Handle a lost connection; return whether it was the bot's present connection."""
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
        """Decide the games of a bot that has come back, or has been away for too long."""
        for table in list(bot.tables):
            self._tables[table].settle()
        self._forget(bot)

    def dismiss(self, bot: RemoteBot, reason: str) -> None:
        """Remove a bot for good: it loses its games and may not come back."""
        was_here = bot.is_here
        self._sessions.pop(bot.session, None)
        bot.dismiss(reason)
        for table in list(bot.tables):
            self._tables[table].forfeit(bot, reason)
        self._forget(bot)
        if was_here:
            self._count(bot, -1)

    def _forget(self, bot: RemoteBot) -> None:
        if bot.is_overdue and not bot.tables and self._bots.get(bot.name) is bot:
            del self._bots[bot.name]
            self._unfile(bot)
            self._sessions.pop(bot.session, None)
            if bot.is_guest:
                self.changed()

    def _unfile(self, bot: RemoteBot) -> None:
        if bot.last_address is not None and (there := self._from.get(bot.last_address)):
            there.pop(bot, None)
            if not there:
                del self._from[bot.last_address]

    # ---- tables ----

    @property
    def tables(self) -> Sequence[str]:
        return list(self._tables)

    def table(self, identifier: str) -> GameTable:
        return self._tables[identifier]

    def rated_player(
        self, bot: RemoteBot | None, address: str | None, game: Game
    ) -> RemoteBot | None:
        """Return a bot that is in a rated game of this kind: `bot`, or else one at the address.

        None means that neither plays such a game.
        """
        own = [] if bot is None else [bot]
        if address is not None:
            own += self._from.get(address, ())
        for one in own:
            for table in map(self.table, one.tables):
                if table.game == game and table.is_rated:
                    return one
        return None

    def open(self, table: GameTable) -> None:
        self._tables[table.id] = table
        self.changed()

    def clear(self, table: GameTable) -> None:
        del self._tables[table.id]
        for player in table.players:
            self._forget(player.bot)
        self.changed()

    # ---- slots ----

    def taken(self, bot: RemoteBot) -> int:
        return self._taken[bot.name]

    def take(self, *names: str) -> None:
        self._taken.update(names)

    def free(self, *names: str) -> None:
        self._taken.subtract(names)
        self._wake()

    # ---- changes ----

    @property
    def change(self) -> asyncio.Event:
        """An event that is set at the next change of bots, games or free slots."""
        return self._change

    def changed(self) -> None:
        """Publish the numbers of connected bots, games in progress and free places for guests."""
        self._wake()
        places = self._most_guests - len(self.guests) if self._most_guests else None
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
