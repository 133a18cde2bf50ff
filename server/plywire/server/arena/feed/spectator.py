"""A connection that watches what happens in the arena."""

from __future__ import annotations

import asyncio

from plywire.protocol.messages.arena import Missed
from plywire.server.arena.peer import Peer

from .feed import Feed, TooSlowError


class Spectator:
    """Passes on the feed to a peer, as fast as the peer reads it."""

    def __init__(self, feed: Feed, peer: Peer) -> None:
        """Not watching yet."""
        self._feed = feed
        self._peer = peer
        self._watching: asyncio.Task[None] | None = None

    @property
    def is_watching(self) -> bool:
        """Whether the peer is told of the feed."""
        return self._watching is not None

    def watch(self, topic: str | None) -> None:
        """Tell how all stands now that concerns the topic, if it is one, and go on with changes."""
        self.stop()
        self._watching = asyncio.create_task(self._watch(topic))

    def stop(self) -> None:
        """Tell no more."""
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
