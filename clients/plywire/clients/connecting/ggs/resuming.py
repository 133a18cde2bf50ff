"""Resume adjourned matches that the GGS server has stored."""

import asyncio
import logging
from contextlib import suppress

from plywire.clients.connecting.client import Backoff
from plywire.clients.play.players.pool import PlayerPool

from . import messages
from .connection import GgsConnection
from .matches import Matches

log = logging.getLogger(__name__)

#: Number of attempts to resume adjourned matches before the bot gives them up. The pauses between
#: attempts grow.
_RESUMES = 8


class Resuming:
    """Asks for adjourned matches until they continue or are given up."""

    def __init__(
        self, connection: GgsConnection, matches: Matches, players: PlayerPool, backoff: Backoff
    ) -> None:
        self._connection = connection
        self._matches = matches
        self._players = players
        self._backoff = backoff
        self.told = asyncio.Event()
        """Set when the server has listed the stored matches."""
        self._broken = asyncio.Event()
        self._left = 0

    def begin(self) -> None:
        self._left, self.told = _RESUMES, asyncio.Event()

    def broken_off(self) -> None:
        self._left = _RESUMES
        self._broken.set()

    async def poll(self) -> None:
        """Ask for the list of stored matches: soon after an adjournment, then as a sign of life."""
        polls = 0
        while True:
            await self._connection.say("stored")
            polls += 1
            with suppress(TimeoutError):
                async with asyncio.timeout(self._backoff.delay(polls)):
                    await self._broken.wait()
                polls = 0
            self._broken.clear()

    async def resume(self, stored: messages.Stored) -> None:
        """Ask to continue the stored matches; raises ConnectionError."""
        self.told.set()
        mine = zip(stored.ids, stored.players, strict=True)
        found = [id_ for id_, names in mine if any(map(self._connection.is_me, names))]
        if not found or not self._left:
            await self._give_up()
        elif len(self._matches) < self._matches.slots:
            self._left -= 1
            await self._connection.tell(*(f"ask {id_}" for id_ in found[: self._matches.slots]))

    async def _give_up(self) -> None:
        while self._matches.lost:
            game = self._matches.lost.pop()
            log.warning("given up game=%s", game.id)
            await self._players.release(game.seat.player, game.thinking)
        self._matches.freed.set()
