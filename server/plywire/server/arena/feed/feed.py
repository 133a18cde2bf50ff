"""The feed: what happens in an arena, for whoever likes to watch.

    with feed.watch() as watch:
        async for event in watch:
            show(event)

Those who conduct games publish; watchers first get the latest event of every topic, then what comes
(`plywire.protocol.messages.watching` has the events and their topics). Publishing takes no time,
however many watch, and never waits. This is safe because events are states, not differences: there
is one log of the latest event of each topic, in the order in which they changed, and a watcher is
a place in it. So one that is slow sees fewer of the moments in between, but always how things
stand, and takes no more memory than one that is fast.

Players come first: watchers have turns, one of them in each round of the event loop, so that all
else that is to be done gets in between.

Memory is bounded: the feed keeps what goes on, and of games and tournaments that have ended only
the latest, but all that some watcher was not told yet. One that is very far behind begins again.
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

#: How many games and tournaments that have ended are kept for those who come late.
_FINISHED = 64
#: How many more endings are kept for watchers that are slow.
_BEHIND = 4096
#: As many are dropped at a time, since looking for the slowest watcher takes a while.
_BATCH = 64


class TooSlowError(Exception):
    """A watcher is so far behind that it has missed how something ended."""

    def __init__(self, missed: int) -> None:
        """`missed` is how many endings were dropped."""
        super().__init__(f"too slow: {missed} events were dropped")
        self.missed = missed


class _Log:
    """The latest event of each topic, by numbers that grow from change to change."""

    def __init__(self) -> None:
        self.asleep: dict[FeedWatch, None] = {}
        """Those who were told all of it."""
        self._events: dict[int, FeedEvent] = {}
        self._numbers: dict[str, int] = {}
        # All numbers, in order, among them some of events that are not there any more.
        self._order: list[int] = []

    def __iter__(self) -> Iterator[tuple[int, FeedEvent]]:
        return iter(self._events.items())

    def get(self, topic: str) -> FeedEvent | None:
        """The latest event of a topic."""
        return self._events.get(self._numbers.get(topic, 0))

    def put(self, number: int, event: FeedEvent) -> None:
        """Add an event, in place of the one of its topic."""
        self.remove(event.topic)
        self._numbers[event.topic] = number
        self._events[number] = event
        self._order.append(number)

    def remove(self, topic: str) -> None:
        """Drop the event of a topic, if there is one."""
        if (number := self._numbers.pop(topic, None)) is not None:
            del self._events[number]
            if len(self._order) > 2 * len(self._events) + _BATCH:
                self._order = list(self._events)

    def after(self, number: int) -> tuple[int, FeedEvent] | None:
        """The first event of a higher number, None if there is none."""
        for place in range(bisect_right(self._order, number), len(self._order)):
            if (event := self._events.get(self._order[place])) is not None:
                return self._order[place], event
        return None


class FeedWatch:
    """One watcher's view, as an asynchronous iterator that ends when the feed does."""

    def __init__(self, feed: Feed, log: _Log) -> None:
        """Made by `Feed.watch`."""
        self.told = 0
        """The number of the last event that it was told."""
        self.missed = 0
        """How many events were dropped that it had to be told."""
        self._feed = feed
        self._log = log
        self._turn: asyncio.Future[None] | None = None
        self._turn_ends = 0.0

    def __aiter__(self) -> Self:
        """The events, each topic's latest, in the order in which the topics changed."""
        return self

    async def __anext__(self) -> FeedEvent:
        """The event that changed first of those not told yet; raises TooSlowError."""
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
        """Have the watcher go on; says whether it waits for that."""
        if self._turn is None or self._turn.done():
            return False
        self._turn.set_result(None)
        return True


class Feed:
    """Hands on what is published to all who watch; belongs to one event loop."""

    def __init__(self, *, finished: int = _FINISHED, behind: int = _BEHIND) -> None:
        """Nothing has happened yet.

        `finished` is how many ended things are kept for all, `behind` how many for the slow.
        """
        self._most_finished = finished
        self._most_behind = behind
        self._number = 0
        self._all = _Log()
        self._logs: dict[str, _Log] = {}
        self._finished: dict[str, dict[str, int]] = {}
        """The numbers of final events by topic, by what they are about."""
        self._dropping: dict[str, int] = {}
        """Those that only slow watchers have to be told yet."""
        self._drop_at = 0
        self._watches: dict[FeedWatch, _Log] = {}
        self._awake: dict[FeedWatch, int] = {}
        """Who was not told all yet, and the number up to which that began later."""
        self._queue: deque[FeedWatch] = deque()
        self._is_serving = False
        self._is_closed = False

    @property
    def latest(self) -> tuple[FeedEvent, ...]:
        """The latest event of every topic that is kept."""
        return tuple(event for _, event in self._all)

    @property
    def watchers(self) -> int:
        """How many watch."""
        return len(self._watches)

    def latest_of(self, topic: str) -> FeedEvent | None:
        """The latest event of a topic, None if none is kept."""
        return self._all.get(topic)

    def publish(self, event: FeedEvent) -> None:
        """Tell all watchers, those to come as well. Returns at once."""
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
            if len(self._finished) > self._most_finished:
                self._dropping |= self._finished.pop(next(iter(self._finished)))
        if self._dropping and not (self._awake and len(self._dropping) < self._drop_at):
            self._drop()

    @contextmanager
    def watch(self, topic: str | None = None) -> Iterator[FeedWatch]:
        """Watch until the end of the block, beginning with the latest event of every topic.

        With a topic, only what concerns it.
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
        """Let every watcher's iteration end."""
        self._is_closed = True
        for log in (self._all, *self._logs.values()):
            self._wake(log, self._number)

    def queue_up(self, watch: FeedWatch, log: _Log, *, has_news: bool) -> bool:
        """Give the watcher a turn when there is news; says whether there will ever be any."""
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
        """What concerns a topic, for as long as somebody watches it."""
        if topic not in self._logs:
            log = self._logs[topic] = _Log()
            for number, event in self._all:
                if topic in event.concerns:
                    log.put(number, event)
        return self._logs[topic]

    def _concerned(self, event: FeedEvent) -> Iterator[_Log]:
        """The logs that an event belongs to."""
        yield self._all
        if self._logs:
            for topic in dict.fromkeys(event.concerns):
                if topic in self._logs:
                    yield self._logs[topic]

    def _wake(self, log: _Log, told: int) -> None:
        """Have those who were told all, up to that number, wait for their turns."""
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
        """Give one watcher its turn, and the next one in the next round of the event loop."""
        while self._queue and not self._queue.popleft().begin_turn():
            pass
        self._is_serving = bool(self._queue)
        if self._queue:
            asyncio.get_running_loop().call_soon(self._serve_next)

    def _drop(self) -> None:
        """Forget what all who watch were told, and more where too much would be kept for some."""
        told = {watch: max(watch.told, number) for watch, number in self._awake.items()}
        upto = min(told.values(), default=self._number)
        excess = len(self._dropping) - self._most_behind
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
