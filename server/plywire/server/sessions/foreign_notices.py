"""Notices caused by other bots: few at a time, so that no bot can flood another client."""

import asyncio
from collections import deque
from collections.abc import Callable, Iterator

from plywire.protocol.messages.arena import Missed
from plywire.protocol.messages.base import Event

#: Maximum number of notices that are sent until the client says something. The same number may
#: wait.
_MOST = 32


class ForeignNotices:
    """Notices caused by other bots, for a client that may think and not read.

    A window limits the notices, as in flow control. Each line of the client opens the window,
    because the client has then probably read everything. While the window is closed, the latest
    notices wait, and older ones are dropped.
    """

    def __init__(self, on_full: Callable[[], None]) -> None:
        """Call `on_full` to ask the client to say something."""
        self._on_full = on_full
        self._sent = 0
        self._waiting: deque[Event] = deque()
        self._dropped = 0
        self._has_room = asyncio.Event()
        self._has_room.set()

    @property
    def has_room(self) -> bool:
        return self._has_room.is_set()

    async def wait_for_room(self) -> None:
        await self._has_room.wait()

    def count(self) -> None:
        self._sent += 1
        if self._sent >= _MOST:
            self._has_room.clear()
            self._on_full()

    def open(self) -> None:
        self._sent = 0
        self._has_room.set()

    def add(self, notice: Event) -> None:
        """Keep a notice, and drop the oldest if too many wait."""
        if len(self._waiting) == _MOST:
            self._waiting.popleft()
            self._dropped += 1
        self._waiting.append(notice)

    def take(self) -> Iterator[Event]:
        """Yield the notices that may be sent now; first `Missed`, if notices were dropped."""
        while self._waiting and self.has_room:
            if self._dropped:
                yield Missed(count=self._dropped)
                self._dropped = 0
            self.count()
            yield self._waiting.popleft()
