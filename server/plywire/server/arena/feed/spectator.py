"""A connection that watches the arena."""

from __future__ import annotations

import asyncio

from plywire.protocol.messages.arena import Missed
from plywire.server.arena.peer import Peer

from .feed import Feed, TooSlowError


class Spectator:
    """Passes the feed on to a peer, as fast as the peer reads it."""

    def __init__(self, feed: Feed, peer: Peer) -> None:
        self._feed = feed
        self._peer = peer
        self._watching: asyncio.Task[None] | None = None

    @property
    def is_watching(self) -> bool:
        return self._watching is not None

    def watch(self, topic: str | None) -> None:
        self.stop()
        self._watching = asyncio.create_task(self._watch(topic))

    def stop(self) -> None:
        if self._watching is not None:
            self._watching.cancel()
            self._watching = None

    async def _watch(self, topic: str | None) -> None:
        while True:
            try:
                with self._feed.watch(topic) as watch:
                    async for event in watch:
                        await self._peer.send_when_ready(event)
                return
            except TooSlowError as error:
                await self._peer.send_when_ready(Missed(count=error.missed))
