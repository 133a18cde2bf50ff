"""The feed: what happens in an arena, for whoever likes to watch.

    with feed.watch() as watch:
        async for event in watch:
            show(event)

Those who conduct games publish; watchers first get the latest event of every topic, then what comes
(`plywire.protocol.messages.watching` has the events and their topics). Publishing takes no time and
never waits. This is safe because events are states, not differences: a watcher has at most one
event of each topic waiting, and a newer one takes its place. So one that is slow sees fewer of the
moments in between, but always how things stand, and a game is never slower for being watched.

Memory is bounded: the feed keeps what goes on, and of games and tournaments that have ended only
the latest.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Self

from plywire.protocol.messages.watching import FeedEvent

#: How many games and tournaments that have ended are kept for those who come late.
_FINISHED = 64
#: How many events may wait for one watcher.
_WAITING = 4096


class Watch:
    """One watcher's view, as an asynchronous iterator that ends when the feed does."""

    def __init__(self, waiting: int) -> None:
        """Made by `Feed.watch`; as many events wait for the watcher at most."""
        self._most = waiting
        self._waiting: dict[str, FeedEvent] = {}
        self._news = asyncio.Event()
        self._is_closed = False
        self.missed = 0
        """How many topics' latest events were dropped because too many waited, oldest first."""

    def __aiter__(self) -> Self:
        """The events, each topic's latest, in the order in which the topics changed."""
        return self

    async def __anext__(self) -> FeedEvent:
        """The event that has waited longest."""
        while not self._waiting:
            if self._is_closed:
                raise StopAsyncIteration
            self._news.clear()
            await self._news.wait()
        return self._waiting.pop(next(iter(self._waiting)))

    def put(self, event: FeedEvent) -> None:
        """Take note of an event; it replaces an older one of its topic where that waits."""
        self._waiting[event.topic] = event
        if len(self._waiting) > self._most:
            del self._waiting[next(iter(self._waiting))]
            self.missed += 1
        self._news.set()

    def put_back(self, event: FeedEvent) -> None:
        """Have an event told again that could not be passed on, unless a newer one waits."""
        if event.topic not in self._waiting:
            self.put(event)

    def close(self) -> None:
        """Let the iteration end after what waits."""
        self._is_closed = True
        self._news.set()


class Feed:
    """Hands on what is published to all who watch; belongs to one event loop."""

    def __init__(self, *, finished: int = _FINISHED) -> None:
        """Nothing has happened yet; `finished` is how many ended things are kept."""
        self._most_finished = finished
        self._latest: dict[str, FeedEvent] = {}
        self._finished: dict[str, None] = {}
        self._watches: set[Watch] = set()

    @property
    def latest(self) -> tuple[FeedEvent, ...]:
        """The latest event of every topic that is kept."""
        return tuple(self._latest.values())

    @property
    def watchers(self) -> int:
        """How many watch."""
        return len(self._watches)

    def publish(self, event: FeedEvent) -> None:
        """Tell all watchers, those to come as well. Returns at once."""
        self._latest[event.topic] = event
        if event.is_final:
            self._finished[event.topic] = None
            if len(self._finished) > self._most_finished:
                oldest = next(iter(self._finished))
                del self._finished[oldest], self._latest[oldest]
        else:
            self._finished.pop(event.topic, None)
        for watch in self._watches:
            watch.put(event)

    def repeat(self, watch: Watch) -> None:
        """Tell a watcher the latest of every topic anew, for it forgot what it was told."""
        for event in self._latest.values():
            watch.put(event)

    @contextmanager
    def watch(self, *, waiting: int = _WAITING) -> Iterator[Watch]:
        """Watch until the end of the block, beginning with the latest event of every topic.

        At most `waiting` events are kept for a watcher that is slow.
        """
        watch = Watch(waiting)
        self.repeat(watch)
        self._watches.add(watch)
        try:
            yield watch
        finally:
            self._watches.discard(watch)

    def close(self) -> None:
        """Let every watcher's iteration end."""
        for watch in self._watches:
            watch.close()
