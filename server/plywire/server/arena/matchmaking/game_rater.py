"""Counts rated games outside tournaments, each exactly once, even if the server is killed."""

import asyncio
import logging

from plywire.server.arena.store.journal import Journal, JournalError
from plywire.server.arena.store.rating_list import RatingList, RatingsError
from plywire.server.clock import ServerClock

log = logging.getLogger(__name__)

#: Seconds until a write that failed is tried again.
_RETRY = 5.0


class GameRater:
    """Counts rated games in the order in which they ended in the journal."""

    def __init__(self, journal: Journal, ratings: RatingList, clock: ServerClock) -> None:
        self._journal = journal
        self._ratings = ratings
        self._clock = clock
        self._has_work = asyncio.Event()
        self._has_work.set()

    def ended(self) -> None:
        self._has_work.set()

    async def run(self) -> None:
        while True:
            await self._has_work.wait()
            self._has_work.clear()
            try:
                await self.count()
            except (JournalError, RatingsError) as error:
                log.error("ratings error=%s", error)
                self._has_work.set()
                await self._clock.sleep(_RETRY)

    async def count(self) -> None:
        """Count the waiting games; raises JournalError and RatingsError."""
        for identifier, series, record in await self._journal.series.unrated():
            key = f"{record.started} {series}.{record.number}"
            rate = self._ratings.rate
            await asyncio.to_thread(rate, key, "rated game", [record], is_period=False)
            await self._journal.series.rated(identifier)
