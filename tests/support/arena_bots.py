"""Bots for arenas that tests run, and a player that can be held."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from plywire.clients.connecting.arena_bot import ArenaBot, BotOptions
from plywire.clients.connecting.client import Backoff
from plywire.clients.play.errors import PlayerCrashedError, PlayerResignedError
from plywire.clients.play.players.base import GameLine, Player
from plywire.protocol.messages.arena import Seek
from plywire.protocol.messages.limits import Limits
from plywire.server.serve import Server

SEEK = Seek(game="tictactoe", limits=Limits(movetime=20_000))


class Counting(Player):
    """Plays at random when it is let, and counts how often each position was asked for."""

    name = "counting"

    def __init__(self, fails: int = 0, *, resigns: bool = False) -> None:
        self.asked: list[tuple[int, ...]] = []
        self.started = 0
        self.thinking = asyncio.Event()
        self.go = asyncio.Event()
        self._fails = fails
        self._resigns = resigns

    async def start(self, game: object) -> None:
        self.started += 1

    async def choose(self, line: GameLine, limits: Limits) -> int:
        if self._resigns:
            raise PlayerResignedError
        if self._fails:
            self._fails -= 1
            raise PlayerCrashedError("out of memory")
        self.asked.append(line.moves)
        self.thinking.set()
        await self.go.wait()
        return line.position.moves()[0]


def bot(url: str, token: str, make: Callable[[], Player], name: str = "ann") -> ArenaBot:
    return ArenaBot(
        url, name, token, make, BotOptions(offers=[SEEK], backoff=Backoff(attempts=5, first=0))
    )


def tcp(server: Server) -> str:
    return "tcp://{}:{}".format(*server.tcp_address)
