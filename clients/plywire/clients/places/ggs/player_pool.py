"""Players for the games on GGS, some of them waiting for the next."""

import asyncio
from collections.abc import Callable

from plywire.clients.players.base import Player
from plywire.engine.game import Game

from .game import GgsGame


class PlayerPool:
    """Players that play nothing, and new ones when there are none."""

    def __init__(self, make_player: Callable[[], Player], rules: Game, most: int) -> None:
        """No player yet; so many are kept at most."""
        self._make_player = make_player
        self._rules = rules
        self._most = most
        self._idle: list[Player] = []

    async def make_ready(self) -> None:
        """Have a player that is started, before any clock runs; raises PlayerError."""
        if not self._idle:
            player = self._make_player()
            try:
                await player.start(self._rules)
            except BaseException:
                await player.close()
                raise
            self._idle.append(player)

    def take(self) -> Player:
        """A player for a game."""
        return self._idle.pop() if self._idle else self._make_player()

    async def release(self, game: GgsGame) -> None:
        """Have the player of a game free for the next."""
        await game.stop()
        if len(self._idle) < self._most:
            self._idle.append(game.player)
        else:
            await game.player.close()

    async def close(self) -> None:
        """Close the players that play nothing."""
        await asyncio.gather(*(player.close() for player in self._idle))
