"""The feed: the events of an arena, for spectators.

Each event is a whole state, not a difference. A log holds the latest event of each topic, in the
order of the changes. A slow watcher misses states in between, but always gets the latest state.

In each round of the event loop only one watcher has a turn, so games do not wait for spectators.

An ending is the last event of a game or tournament. The feed drops old games and tournaments that
have ended, and endings that all watchers have got.
"""

from __future__ import annotations

import asyncio
import time
from bisect import bisect_right
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Self

from plywire.protocol.messages.watching import FeedEvent
from plywire.server.turns import LONGEST

#: Number of finished games and tournaments whose final events are kept for later watchers.
_FINISHED = 64
#: Maximum number of other events that are kept only for slow watchers.
_BEHIND = 4096
#: Number of new events to wait for before old ones are dropped. Each drop examines all watchers,
#: which is slow.
_BATCH = 64


class TooSlowError(Exception):
    """A watcher is so far behind that it has missed an ending."""

    def __init__(self, missed: int) -> None:
        super().__init__(f"too slow: {missed} events were dropped")
        self.missed = missed


class _Log:
    """The latest event of each topic, numbered in the order of the changes."""

    def __init__(self) -> None:
        self.asleep: dict[FeedWatch, None] = {}
        """The watchers that have got all events."""
        self._events: dict[int, FeedEvent] = {}
        self._numbers: dict[str, int] = {}
        # The numbers of all events, in order. Some of these events may have been removed.
        self._order: list[int] = []

    def __iter__(self) -> Iterator[tuple[int, FeedEvent]]:
        return iter(self._events.items())

    def get(self, topic: str) -> FeedEvent | None:
        return self._events.get(self._numbers.get(topic, 0))

    def put(self, number: int, event: FeedEvent) -> None:
        self.remove(event.topic)
        self._numbers[event.topic] = number
        self._events[number] = event
        self._order.append(number)

    def remove(self, topic: str) -> None:
        if (number := self._numbers.pop(topic, None)) is not None:
            del self._events[number]
            if len(self._order) > 2 * len(self._events) + _BATCH:
                self._order = list(self._events)

    def after(self, number: int) -> tuple[int, FeedEvent] | None:
        """Return the first event with a higher number."""
        for place in range(bisect_right(self._order, number), len(self._order)):
            if (event := self._events.get(self._order[place])) is not None:
                return self._order[place], event
        return None


class FeedWatch:
    """An asynchronous iterator over the events for one watcher; it ends when the feed closes."""

    def __init__(self, feed: Feed, log: _Log) -> None:
        self.told = 0
        """The number of the last event that the watcher got."""
        self.missed = 0
        """How many events were dropped before the watcher got them."""
        self._feed = feed
        self._log = log
        self._turn: asyncio.Future[None] | None = None
        self._turn_ends = 0.0

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> FeedEvent:
        """Return the next event for the watcher; raises TooSlowError."""
        while True:
            if self.missed:
                raise TooSlowError(self.missed)
            found = self._log.after(self.told)
            if found and time.monotonic() < self._turn_ends:
                self.told, event = found
                return event
            self._turn = asyncio.get_running_loop().create_future()
            if not self._feed.queue_up(self, self._log, has_news=found is not None):
                raise StopAsyncIteration
            await self._turn
            self._turn_ends = time.monotonic() + LONGEST

    def begin_turn(self) -> bool:
        if self._turn is None or self._turn.done():
            return False
        self._turn.set_result(None)
        return True


class Feed:
    """Passes published events on to all watchers; belongs to one event loop."""

    def __init__(self) -> None:
        self._number = 0
        self._all = _Log()
        self._logs: dict[str, _Log] = {}
        self._finished: dict[str, dict[str, int]] = {}
        """The numbers of final events by topic, for each game or tournament."""
        self._dropping: dict[str, int] = {}
        """Events that only slow watchers still need."""
        self._drop_at = 0
        self._watches: dict[FeedWatch, _Log] = {}
        self._awake: dict[FeedWatch, int] = {}
        """The watchers with events to get, each with the number of its last event."""
        self._queue: deque[FeedWatch] = deque()
        self._is_serving = False
        self._is_closed = False

    @property
    def latest(self) -> tuple[FeedEvent, ...]:
        return tuple(event for _, event in self._all)

    @property
    def watchers(self) -> int:
        return len(self._watches)

    def latest_of(self, topic: str) -> FeedEvent | None:
        return self._all.get(topic)

    def publish(self, event: FeedEvent) -> None:
        """Publish an event to present and future watchers; returns at once."""
        self._number += 1
        for log in self._concerned(event):
            log.put(self._number, event)
            self._wake(log, self._number - 1)
        about, topic = event.concerns[0], event.topic
        self._dropping.pop(topic, None)
        ended = self._finished.pop(about, {})
        ended.pop(topic, None)
        if event.is_final:
            (ended if event.outlives else self._dropping)[topic] = self._number
        if ended:
            self._finished[about] = ended
            if len(self._finished) > _FINISHED:
                self._dropping |= self._finished.pop(next(iter(self._finished)))
        if self._dropping and not (self._awake and len(self._dropping) < self._drop_at):
            self._drop()

    @contextmanager
    def watch(self, topic: str | None = None) -> Iterator[FeedWatch]:
        """Watch until the end of the block, beginning with the latest event of every topic.

        With a topic, watch only the events about it.
        """
        log = self._all if topic is None else self._log(topic)
        watch = FeedWatch(self, log)
        self._watches[watch] = log
        self._awake[watch] = self._number
        try:
            yield watch
        finally:
            del self._watches[watch]
            self._awake.pop(watch, None)
            log.asleep.pop(watch, None)
            if topic is not None and log not in self._watches.values():
                self._logs.pop(topic, None)

    def close(self) -> None:
        self._is_closed = True
        for log in (self._all, *self._logs.values()):
            self._wake(log, self._number)

    def queue_up(self, watch: FeedWatch, log: _Log, *, has_news: bool) -> bool:
        """Queue the watcher for a turn if it has news; return False if the feed is closed."""
        if has_news:
            log.asleep.pop(watch, None)
            self._awake.setdefault(watch, watch.told)
            self._queue.append(watch)
            self._serve()
            return True
        self._awake.pop(watch, None)
        log.asleep[watch] = None
        return not self._is_closed

    def _log(self, topic: str) -> _Log:
        if topic not in self._logs:
            log = self._logs[topic] = _Log()
            for number, event in self._all:
                if topic in event.concerns:
                    log.put(number, event)
        return self._logs[topic]

    def _concerned(self, event: FeedEvent) -> Iterator[_Log]:
        yield self._all
        if self._logs:
            for topic in dict.fromkeys(event.concerns):
                if topic in self._logs:
                    yield self._logs[topic]

    def _wake(self, log: _Log, told: int) -> None:
        """Queue a log's sleeping watchers, which have got all events up to `told`."""
        if log.asleep:
            self._awake.update(dict.fromkeys(log.asleep, told))
            self._queue.extend(log.asleep)
            log.asleep.clear()
            self._serve()

    def _serve(self) -> None:
        if not self._is_serving:
            self._is_serving = True
            asyncio.get_running_loop().call_soon(self._serve_next)

    def _serve_next(self) -> None:
        """Give one watcher its turn; the next turn is in the next round of the event loop."""
        while self._queue and not self._queue.popleft().begin_turn():
            pass
        self._is_serving = bool(self._queue)
        if self._queue:
            asyncio.get_running_loop().call_soon(self._serve_next)

    def _drop(self) -> None:
        """Drop events that all watchers have got, and the oldest events if there are too many."""
        told = {watch: max(watch.told, number) for watch, number in self._awake.items()}
        upto = min(told.values(), default=self._number)
        excess = len(self._dropping) - _BEHIND
        dropped = list[int]()
        for place, (topic, number) in enumerate(list(self._dropping.items())):
            if number <= upto or place < excess:
                upto = max(upto, number) if place < excess else upto
                dropped.append(number)
                del self._dropping[topic]
                if (event := self._all.get(topic)) is not None:
                    for log in self._concerned(event):
                        log.remove(topic)
        for watch, number in told.items():
            if number < upto:
                watch.missed += sum(one > number for one in dropped)
        self._drop_at = len(self._dropping) + _BATCH
