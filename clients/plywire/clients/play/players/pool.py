"""A pool of players for several games at a time."""

import asyncio
from collections.abc import Callable

from plywire.engine.game import Game

from .base import Player


class PlayerPool:
    """Idle players; new ones are made when none is idle."""

    def __init__(self, make_player: Callable[[], Player], most: int | None = None) -> None:
        """`most` is the largest number of idle players; None is no limit."""
        self._make_player = make_player
        self._most = most
        self._idle: list[Player] = []

    async def make_ready(self, game: Game, players: int = 1) -> None:
        """Start players until that many are idle, before any clock runs; raises PlayerError."""
        ready: list[Player] = []
        try:
            while len(ready) < players:
                player = self.take()
                try:
                    await player.start(game)
                except BaseException:
                    await player.close()
                    raise
                ready.append(player)
        finally:
            self._idle += ready

    def take(self) -> Player:
        return self._idle.pop() if self._idle else self._make_player()

    async def release(self, player: Player, thinking: asyncio.Task[None] | None) -> None:
        if thinking is not None and not thinking.done():
            thinking.cancel()
            await asyncio.gather(thinking, return_exceptions=True)
            await player.close()
        if self._most is None or len(self._idle) < self._most:
            self._idle.append(player)
        else:
            await player.close()

    async def close(self) -> None:
        await asyncio.gather(*(player.close() for player in self._idle))
