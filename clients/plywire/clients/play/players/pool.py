"""Players for several games at a time, some of them waiting for the next."""

import asyncio
from collections.abc import Callable

from plywire.engine.game import Game

from .base import Player


class PlayerPool:
    """Players that play nothing, and new ones when there are none."""

    def __init__(self, make_player: Callable[[], Player], most: int | None = None) -> None:
        """No player yet; at most so many wait, any number if None."""
        self._make_player = make_player
        self._most = most
        self._idle: list[Player] = []

    async def make_ready(self, game: Game, players: int = 1) -> None:
        """Have so many players that are started, before any clock runs; raises PlayerError."""
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
        """A player for a game."""
        return self._idle.pop() if self._idle else self._make_player()

    async def release(self, player: Player, thinking: asyncio.Task[None] | None) -> None:
        """Have a player free for the next game, whatever it is thinking about."""
        if thinking is not None and not thinking.done():
            thinking.cancel()
            await asyncio.gather(thinking, return_exceptions=True)
            await player.close()
        if self._most is None or len(self._idle) < self._most:
            self._idle.append(player)
        else:
            await player.close()

    async def close(self) -> None:
        """Close the players that play nothing."""
        await asyncio.gather(*(player.close() for player in self._idle))
