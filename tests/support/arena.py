"""An arena in memory, with a clock that tests turn, and bots that say what tests want."""

from __future__ import annotations

import asyncio
import itertools
import random
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from pathlib import Path
from typing import Any, Self

import pytest

from plywire.clients.play.matches.records import GameRecord
from plywire.clients.play.matches.referee import TimeControl
from plywire.protocol.dialects.json import JsonDriving
from plywire.protocol.messages.arena import Login, Seek, Turn
from plywire.protocol.messages.base import Command, Error, Event
from plywire.protocol.messages.limits import Limits
from plywire.server.arena.feed import game_publisher, standings_publisher
from plywire.server.arena.live import announcing, presence
from plywire.server.arena.matchmaking.lobby import Lobby
from plywire.server.arena.store import database
from plywire.server.arena.store.accounts import Accounts
from plywire.server.arena.store.journal import Journal
from plywire.server.arena.store.rating_list import RatingList
from plywire.server.searching.search_pool import SearchPool
from plywire.server.sessions.peer_loop import PeerLoop
from plywire.server.sessions.session import Session
from plywire.server.settings import LadderSettings, Settings
from tests.support.peers import MemoryTransport, settings
from tests.support.turned_clock import TurnedClock
from tests.support.until import until


class Firsts(random.Random):
    """Always lets the one who offers move first."""

    def random(self) -> float:
        return 0.0


class Connection(MemoryTransport):
    """A bot's connection, in JSON."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[Event] = []
        self.token = ""
        """Of the bot that has logged in."""
        self._asked = 0
        self._json = JsonDriving()

    async def give(self, command: Command) -> None:
        """Say a command and wait for nothing."""
        for line in self._json.encode_command(command):
            await self.say(line)

    async def ask(self, command: Command) -> Event:
        """Say a command and return the event that closes it; keep what is heard before."""
        self._asked += 1
        await self.give(command.model_copy(update={"id": f"q{self._asked}"}))
        while True:
            event = await self.next()
            if event.id == f"q{self._asked}" and command.is_closed_by(event):
                return self.heard.pop()

    async def next(self) -> Event:
        """The next event of any kind."""
        async with asyncio.timeout(30):
            line = await self.hear()
        if line is None:
            raise AssertionError(f"hung up after {self.heard}")
        (event,) = self._json.decode_event(line)
        self.heard.append(event)
        return event

    async def until(self, kind: type[Any], **fields: object) -> Any:
        """The next event of a kind that has these fields, also one heard before."""
        for place, event in enumerate(self.heard):
            if isinstance(event, kind) and fields.items() <= dict(event).items():
                del self.heard[place]
                return event
        while True:
            event = await self.next()
            if isinstance(event, kind) and fields.items() <= dict(event).items():
                self.heard.pop()
                return event


@dataclass
class Game:
    """Two bots at a table, the first of them to move."""

    ann: Connection
    bob: Connection
    table: str
    session: str
    """Of ann."""


class Arena:
    """A lobby with its journal and accounts, and the connections to it."""

    def __init__(
        self,
        folder: Path,
        *,
        grace: float = 30.0,
        max_lag: int = 0,
        chosen: Settings | None = None,
        ladder: LadderSettings | None = None,
        guests: int = 0,
    ) -> None:
        self._guests = guests
        self.clock = TurnedClock()
        self.accounts = Accounts(folder / "bots.sqlite")
        self.journal = Journal(folder / "games.sqlite", create=True)
        self.ratings = RatingList(
            folder / "ratings.sqlite", None if ladder is None else ladder.anchors
        )
        self._ladder = ladder
        self.settings = chosen or settings(idle_time=0)
        self._control = TimeControl(margin=0, max_lag=max_lag, flag_falls=True)
        self._grace = grace
        self._stack = AsyncExitStack()
        self._peers: list[asyncio.Task[None]] = []
        self.lobby: Lobby

    async def __aenter__(self) -> Self:
        await self._stack.enter_async_context(self.journal)
        self._pool = SearchPool(1, longest=10)
        self._stack.push_async_callback(self._pool.close)
        self.lobby = await self._stack.enter_async_context(
            Lobby(
                self.journal,
                self.accounts,
                self.clock,
                self._control,
                grace=self._grace,
                chance=Firsts(),
                ratings=self.ratings,
                ladder=self._ladder,
                guests=self._guests,
            )
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.lobby.close()
        for peer in self._peers:
            peer.cancel()
        await asyncio.gather(*self._peers, return_exceptions=True)
        await self._stack.aclose()

    async def advance(self, seconds: float) -> None:
        """Let time pass for all who wait by now."""
        for _ in range(10):
            await asyncio.sleep(0)
        await self.clock.advance(seconds)

    async def records(self) -> list[GameRecord]:
        """The finished games of the journal, once none is being played."""
        await until(lambda: not self.lobby.tables)
        return [
            game.record
            for tournament in await self.journal.tournaments()
            for game in await self.journal.games(tournament.id)
            if game.record is not None
        ]

    async def game(self, *, game: str = "tictactoe", movetime: int = 1000) -> Game:
        """Two new bots, ann to move first, at a table of their own."""
        ann, welcome = await self.login("ann")
        bob, _ = await self.login("bob")
        seek = Seek(game=game, limits=Limits(movetime=movetime))
        await ann.ask(seek)
        await bob.ask(seek)
        turn = await ann.until(Turn)
        return Game(ann, bob, turn.table, welcome.session)

    def connect(self, host: str | None = None) -> Connection:
        """A connection from an address that nobody has logged in on."""
        connection = Connection()
        connection.host = host
        session = Session(self.settings, self._pool, arena=self.lobby)
        peer = PeerLoop(connection, session, self.settings, self.clock)
        self._peers.append(asyncio.create_task(peer.run()))
        return connection

    async def login(
        self, name: str, *, host: str | None = None, **fields: Any
    ) -> tuple[Connection, Any]:
        """A new bot, and the `welcome` that it got."""
        connection = self.connect(host)
        token = await asyncio.to_thread(self.accounts.add, name)
        welcome = await connection.ask(Login(name=name, token=token, **fields))
        assert not isinstance(welcome, Error), welcome
        connection.token = token
        return connection, welcome


class Jumping(datetime):
    """A clock of the machine that somebody sets two days ahead and back, over and over."""

    days = itertools.cycle((2, -2))

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> Self:
        return super().now(tz) + timedelta(days=next(cls.days))


def jump_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the arena see a clock that jumps whenever it is looked at."""
    for module in (game_publisher, database, announcing, presence, standings_publisher):
        monkeypatch.setattr(module, "datetime", Jumping)
