"""The bot: what it does about what the arena tells it."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from functools import partial

from plywire.clients.connecting.background_tasks import BackgroundTasks
from plywire.clients.connecting.client import Backoff
from plywire.clients.connecting.errors import ReplacedError
from plywire.clients.connecting.transports.base import ClientTransport
from plywire.clients.connecting.transports.open import open_transport
from plywire.clients.connecting.transports.url import url_for
from plywire.clients.play.players.base import Player
from plywire.clients.play.players.pool import PlayerPool
from plywire.protocol.messages import arena, tournaments
from plywire.protocol.messages.base import Event

from .connection import ArenaConnection
from .seeking import Seeking
from .table import Table

log = logging.getLogger(__name__)


class ArenaBot:
    """A bot that plays over the network, several games at a time."""

    def __init__(
        self,
        url: str,
        name: str,
        token: str,
        make_player: Callable[[], Player],
        *,
        offers: Sequence[arena.Seek | arena.Challenge] = (),
        join: str | None = None,
        games: tuple[str, ...] = (),
        slots: int = 1,
        objection: Callable[[arena.Challenged], str] = lambda challenge: "",
        greeting: str = "",
        rated: bool = False,
        on_over: Callable[[arena.Over], None] = lambda over: None,
        backoff: Backoff | None = None,
        timeout: float = 10.0,
        connect: Callable[[], Awaitable[ClientTransport]] | None = None,
    ) -> None:
        """A bot of that name and token, not yet connected; each game has a player of its own.

        While it has free slots it makes the `offers`, one after the other, over and over; while
        none comes of them, it tries again with growing delays. It joins the tournament `join` and
        leaves when that is over. It takes every challenge that it has a slot for and to which
        `objection` has none, who else is told what it says. `greeting` is said to each opponent.
        With `rated` it takes challenges to rated games as well. `games` are those that it plays,
        all if none is named. `on_over` is told how games end. `connect` opens a transport to the
        server in place of its URL.
        `timeout` is how long to wait for a connection, for the answer to a login and for signs of
        life, in seconds. Raises ValueError if the URL is no server's, and
        `pydantic.ValidationError`, which is one, if name, token, games or slots are none.
        """
        url = url_for(url, name)
        backoff = backoff or Backoff(attempts=100)
        self._name = name
        self._join = join
        self._greeting = greeting
        self._on_over = on_over
        self._connection = ArenaConnection(
            url,
            arena.Login(name=name, token=token, games=games, slots=slots),
            connect or partial(open_transport, url),
            self._on_notice,
            self._forget_games,
            backoff=backoff,
            timeout=timeout,
        )
        self._players = PlayerPool(make_player)
        self._tables: dict[str, Table] = {}
        self._seeking = Seeking(
            self._connection,
            self._players,
            self._tables,
            slots=slots,
            offers=offers,
            join=join,
            objection=objection,
            rated=rated,
            backoff=backoff,
        )
        self._finding: asyncio.Task[None] | None = None
        self._done = asyncio.Event()
        self._failure: Exception | None = None
        self.grace = 0.0
        """How long the bot may be away without losing its games, in seconds, once it was there."""
        self._tasks = BackgroundTasks(self._fail)

    @property
    def is_playing(self) -> bool:
        """Whether it has games that are not over, as far as it knows."""
        return bool(self._tables)

    def start_of(self, table: str) -> arena.Start | None:
        """How the game at a table began; None if it is over, of which `on_over` is told before."""
        return self._tables[table].start if table in self._tables else None

    async def run(self, games: int | None = None) -> None:
        """Play that many games, or until cancelled; once.

        Raises CommandError if the server refuses the bot or its offers for good, ReplacedError if
        another connection took its name, ConnectionLostError or BadServerError if no server can be
        reached that speaks the protocol, and PlayerError if the player cannot play what is offered.
        """
        self._seeking.left = games
        try:
            while not self._done.is_set():
                if self._finding is not None:
                    self._finding.cancel()
                self._seeking.forget()
                welcome = await self._connection.open()
                self.grace = welcome.grace / 1000
                self._seeking.expect(welcome.tables)
                self._finding = self._tasks.spawn(self._seeking.find_games())
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
        playing = (table.player.close() for table in self._tables.values())
        await asyncio.gather(self._players.close(), *playing)

    # ---- notices ----

    def _on_notice(self, notice: Event) -> None:
        match notice:
            case arena.Probe():
                self._tasks.spawn(self._connection.say(arena.Echo(number=notice.number)))
            case arena.Start():
                self._start_game(notice)
            case arena.Withdrawn():
                self._seeking.settle(notice.offer, notice.reason or "taken back")
            case arena.Said():
                log.info("said table=%s name=%s: %s", notice.table, notice.name, notice.text)
            case arena.Missed():
                log.warning("missed notices=%d that other bots caused", notice.count)
            case arena.Turn() if notice.table in self._tables:
                self._take_turn(self._tables[notice.table], notice)
            case arena.Over() if notice.table in self._tables:
                self._end(self._tables[notice.table], notice)
            case arena.Challenged():
                self._tasks.spawn(self._seeking.consider(notice))
            case tournaments.Progress() if notice.state is tournaments.TournamentState.OVER:
                if self._join is not None and self._join.lower() == notice.name.lower():
                    self._done.set()
            case arena.Replaced():
                self._fail(ReplacedError(f"another connection has logged in as {self._name}"))

    def _start_game(self, start: arena.Start) -> None:
        if start.away is not None:
            seconds = start.away / 1000
            log.info("away table=%s name=%s seconds=%.0f", start.table, start.opponent, seconds)
        if start.table not in self._tables:
            if self._greeting:
                greeting = arena.Say(table=start.table, text=self._greeting)
                self._tasks.spawn(self._connection.say(greeting))
            self._tables[start.table] = Table(self._connection, start, self._players.take())
        if start.offer is not None:
            self._seeking.settle(start.offer, "")

    def _take_turn(self, table: Table, turn: arena.Turn) -> None:
        if table.turn != turn.turn:
            table.turn, table.answer = turn.turn, None
            table.thinking = self._tasks.spawn(table.move(turn))
        elif table.answer is not None:
            self._tasks.spawn(self._connection.say(table.answer))

    def _end(self, table: Table, over: arena.Over) -> None:
        self._on_over(over)
        del self._tables[over.table]
        if self._seeking.over():
            self._done.set()
        self._tasks.spawn(self._release(table))

    def _forget_games(self) -> None:
        for table in self._tables.values():
            self._tasks.spawn(self._release(table))
        self._tables.clear()

    async def _release(self, table: Table) -> None:
        """Have the player free for the next game, and find one."""
        await self._players.release(table.player, table.thinking)
        self._seeking.freed()

    def _fail(self, error: Exception) -> None:
        self._failure = self._failure or error
        self._done.set()
