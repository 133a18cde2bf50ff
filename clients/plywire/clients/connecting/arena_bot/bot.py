"""The bot, which reacts to the events of the arena."""

import asyncio
import logging
from collections.abc import Callable
from functools import partial

from plywire.clients.connecting.background_tasks import BackgroundTasks
from plywire.clients.connecting.errors import ReplacedError
from plywire.clients.connecting.seated_player import SeatedPlayer
from plywire.clients.connecting.transports.open import open_transport
from plywire.clients.connecting.transports.url import url_for
from plywire.clients.play.players.base import Player
from plywire.clients.play.players.pool import PlayerPool
from plywire.protocol.messages import arena, tournaments
from plywire.protocol.messages.base import Event

from .connection import ArenaConnection
from .game_finder import GameFinder
from .options import BotOptions
from .table import Table

log = logging.getLogger(__name__)

_DEFAULTS = BotOptions()


class ArenaBot:
    """A bot that plays several games at a time in an arena."""

    def __init__(
        self,
        url: str,
        name: str,
        token: str,
        make_player: Callable[[], Player],
        options: BotOptions = _DEFAULTS,
    ) -> None:
        """Set up a bot; `make_player` makes a player for each game.

        Raises ValueError if the URL is not a server's, or if the name, the token, the games or the
        slots are not valid.
        """
        url = url_for(url, name)
        self._name = name
        self._options = options
        self._connection = ArenaConnection(
            url,
            arena.Login(name=name, token=token, games=options.games, slots=options.slots),
            options.connect or partial(open_transport, url),
            self._on_notice,
            self._forget_games,
            backoff=options.backoff,
            timeout=options.timeout,
        )
        self._players = PlayerPool(make_player)
        self._tables: dict[str, Table] = {}
        self._finder = GameFinder(self._connection, self._players, self._tables, options)
        self._finding: asyncio.Task[None] | None = None
        self._done = asyncio.Event()
        self._failure: Exception | None = None
        self.grace = 0.0
        """Seconds that the bot may be away without losing its games; 0 before the first login."""
        self._tasks = BackgroundTasks(self._fail)

    @property
    def is_playing(self) -> bool:
        """Whether the bot has unfinished games, as far as it knows."""
        return bool(self._tables)

    def start_of(self, table: str) -> arena.Start | None:
        """Return the `start` event of a game; None after the game is over."""
        return self._tables[table].start if table in self._tables else None

    async def run(self, games: int | None = None) -> None:
        """Play `games` games; None plays until cancelled. Call this method once.

        Raises CommandError after a final refusal, ReplacedError if another connection took the
        name, and PlayerError if the player cannot play an offered game. Raises ConnectionLostError
        or BadServerError if no server can be reached that speaks the protocol.
        """
        self._finder.left = games
        try:
            while not self._done.is_set():
                if self._finding is not None:
                    self._finding.cancel()
                self._finder.forget()
                welcome = await self._connection.open()
                self.grace = welcome.grace / 1000
                self._finder.expect(welcome.tables)
                self._finding = self._tasks.spawn(self._finder.find_games())
                await self._until(self._connection.lost, self._done)
            if self._failure is not None:
                raise self._failure
        finally:
            await self._close()

    @staticmethod
    async def _until(*any_of: asyncio.Event) -> None:
        waiting = [asyncio.create_task(event.wait()) for event in any_of]
        try:
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in waiting:
                task.cancel()

    async def _close(self) -> None:
        await self._connection.close()
        await self._tasks.close()
        playing = (table.seat.player.close() for table in self._tables.values())
        await asyncio.gather(self._players.close(), *playing)

    def _on_notice(self, notice: Event) -> None:
        match notice:
            case arena.Probe():
                self._tasks.spawn(self._connection.say(arena.Echo(number=notice.number)))
            case arena.Start():
                self._start_game(notice)
            case arena.Withdrawn():
                self._finder.settle(notice.offer, notice.reason or "taken back")
            case arena.Said():
                log.info("said table=%s name=%s: %s", notice.table, notice.name, notice.text)
            case arena.Missed():
                log.warning("missed notices=%d that other bots caused", notice.count)
            case arena.Turn() if notice.table in self._tables:
                self._take_turn(self._tables[notice.table], notice)
            case arena.Over() if notice.table in self._tables:
                self._end(self._tables[notice.table], notice)
            case arena.Challenged():
                self._tasks.spawn(self._finder.consider(notice))
            case tournaments.Progress() if notice.state is tournaments.TournamentState.OVER:
                if (self._options.join or "").lower() == notice.name.lower():
                    self._done.set()
            case arena.Replaced():
                self._fail(ReplacedError(f"another connection has logged in as {self._name}"))

    def _start_game(self, start: arena.Start) -> None:
        if start.away is not None:
            seconds = start.away / 1000
            log.info("away table=%s name=%s seconds=%.0f", start.table, start.opponent, seconds)
        if start.table not in self._tables:
            if self._options.greeting:
                greeting = arena.Say(table=start.table, text=self._options.greeting)
                self._tasks.spawn(self._connection.say(greeting))
            self._tables[start.table] = Table(
                self._connection, start, SeatedPlayer(self._players.take())
            )
        if start.offer is not None:
            self._finder.settle(start.offer, "")

    def _take_turn(self, table: Table, turn: arena.Turn) -> None:
        if table.turn != turn.turn:
            table.turn, table.answer = turn.turn, None
            table.thinking = self._tasks.spawn(table.move(turn))
        elif table.answer is not None:
            self._tasks.spawn(self._connection.say(table.answer))

    def _end(self, table: Table, over: arena.Over) -> None:
        self._options.on_over(over)
        del self._tables[over.table]
        if self._finder.over():
            self._done.set()
        self._tasks.spawn(self._release(table))

    def _forget_games(self) -> None:
        for table in self._tables.values():
            self._tasks.spawn(self._release(table))
        self._tables.clear()

    async def _release(self, table: Table) -> None:
        await self._players.release(table.seat.player, table.thinking)
        self._finder.freed()

    def _fail(self, error: Exception) -> None:
        self._failure = self._failure or error
        self._done.set()
