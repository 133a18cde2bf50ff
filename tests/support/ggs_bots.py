"""What plays on the fake server of GGS, and what tests look at there."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

from plywire.clients import Backoff
from plywire.clients.connecting.ggs.bot import GgsBot
from plywire.clients.connecting.ggs.game import GameOver
from plywire.clients.connecting.ggs.options import GgsOptions
from plywire.clients.play.errors import PlayerCrashedError
from plywire.clients.play.players.base import GameLine, Player
from plywire.clients.play.players.local import RandomPlayer
from plywire.engine.registry import load
from plywire.protocol.messages.limits import Limits
from plywire.protocol.messages.play import Score, Searched
from tests.support.ggs_server import FakeGame, FakeGgs

AT_ONCE = Backoff(attempts=50, first=0.02, longest=0.02)
Make = Callable[..., GgsBot]


class Thinker(Player):
    """Plays the first legal move when it is let, and notes what it was asked."""

    name = "thinker"

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.told: list[Limits] = []
        self.go = asyncio.Event()
        self.go.set()
        self.failures = 0
        self.started = 0

    async def start(self, game: object) -> None:
        self.started += 1

    async def choose(self, line: GameLine, limits: Limits) -> int:
        self.asked.append(line.position.fen())
        self.told.append(limits)
        if self.failures:
            self.failures -= 1
            raise PlayerCrashedError("out of memory")
        await self.go.wait()
        self.searched = Searched(score=Score(kind="cp", value=-150))
        return line.position.moves()[0]


def make_bot(
    name: str,
    *,
    port: int,
    make_player: Callable[[], Player] = lambda: RandomPlayer(7),
    over: list[GameOver] | None = None,
    **options: Any,
) -> GgsBot:
    """A bot that plays at random and tries again at once, unless the options say otherwise."""
    options = {"backoff": AT_ONCE} | options
    on_over = (lambda game: None) if over is None else over.append
    chosen = GgsOptions(on_over=on_over, **options)
    return GgsBot("127.0.0.1", port, name, "secret", make_player, chosen)


async def play(*bots: GgsBot, games: int) -> None:
    """The first plays so many games against the others, who play on."""
    async with asyncio.timeout(60):
        others = [asyncio.create_task(bot.run()) for bot in bots[1:]]
        try:
            await bots[0].run(games)
        finally:
            for other in others:
                other.cancel()
            await asyncio.gather(*others, return_exceptions=True)


@asynccontextmanager
async def playing_on(bot: GgsBot) -> AsyncIterator[None]:
    """The bot plays until the end of the block."""
    task = asyncio.create_task(bot.run())
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


def games_of(server: FakeGgs) -> list[FakeGame]:
    return [game for match in server.finished for game in match.games]


def all_moves(server: FakeGgs) -> int:
    matches = [*server.matches.values(), *server.finished, *server.stored.values()]
    return sum(len(game.moves) for match in matches for game in match.games)


def games_board(clock: str) -> list[str]:
    """How the server shows the game `.7` of ann against bob at its begin, with those clocks."""
    start = load("othello").start()
    return FakeGame(".7", ("ann", "bob"), start, (clock, clock), clock).join()  # type: ignore[arg-type]
