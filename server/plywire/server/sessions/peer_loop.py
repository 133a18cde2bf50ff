"""The loop between a transport and a session, which enforces a client's limits."""

import asyncio
import logging
from collections.abc import Awaitable, Sequence
from functools import partial
from typing import Protocol

from plywire.protocol.connection import EngineConnection, Fault, Ignored, State
from plywire.protocol.messages import play
from plywire.protocol.messages.arena import MAX_SLOTS
from plywire.protocol.messages.base import Command, Error, ErrorCode, Event
from plywire.server.clock import MonotonicClock, ServerClock
from plywire.server.rate_limit import TokenBucket
from plywire.server.settings import Settings
from plywire.server.turns import TimeSlice

from .foreign_notices import ForeignNotices
from .quota import network_of
from .session import Session

log = logging.getLogger(__name__)

#: This number of received bytes counts as one message.
_MESSAGE_BYTES = 1024
_MOST_AT_ONCE = 2 * MAX_SLOTS
#: If a new client is silent for this number of seconds, another client may take its session.
_SPEAKS_WITHIN = 1.0
#: In a session that is reserved for bots, a client must log in within this number of seconds.
_LOG_IN_WITHIN = 10.0


class Transport(Protocol):
    """A connection that moves text between a client and its loop."""

    peer: str
    """The name of the client in the log."""
    host: str | None
    """The IP address of the client, None if it is unknown."""

    @property
    def round_trip(self) -> float | None:
        """Seconds to the client and back, as the kernel measures them; None if unknown."""

    async def receive(self) -> bytes | str:
        """Return bytes or whole lines, empty bytes at the end; raises OSError if lost."""

    def send(self, lines: Sequence[str]) -> Awaitable[None] | None:
        """Send lines; return an awaitable if the client is slow. Raises OSError if it is lost."""

    async def close(self) -> None:
        """Close the connection, even if the client reads nothing. This raises no error."""


class PeerLoop:
    """Serves one client, from its first byte to its last."""

    def __init__(
        self,
        transport: Transport,
        session: Session,
        settings: Settings,
        clock: ServerClock | None = None,
        *,
        must_log_in: bool = False,
    ) -> None:
        """Serve a client; with `must_log_in`, disconnect it if it does not log in in time."""
        self._transport = transport
        self._session = session
        self._settings = settings
        self._clock = clock or MonotonicClock()
        self._connection = EngineConnection(max_line=settings.max_line)
        rate, burst = settings.messages_per_second, settings.message_burst
        self._accepted = TokenBucket(rate, burst, self._now)
        self._refused = TokenBucket(rate, burst, self._now)
        self._unpaid_bytes = 0
        self._must_log_in = must_log_in
        self.network = network_of(transport.host)
        """The clients of one network share a limit."""
        self.heard = self._clock.now()
        """The time of the latest bytes, by the server's clock."""
        self._has_spoken = False
        self._began = self._clock.now()
        self._last_active = self._clock.now()
        self._foreign = ForeignNotices(session.probe)
        self._has_output = asyncio.Event()
        self._has_room = asyncio.Event()
        self._has_room.set()
        self._has_answered = asyncio.Event()
        self._end: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._farewell = ""
        session.connect(self)

    @property
    def peer(self) -> str:
        return self._transport.peer

    @property
    def is_bot(self) -> bool:
        return self._session.is_bot

    @property
    def is_silent(self) -> bool:
        """Whether the client has been connected for a second or longer and has sent nothing."""
        return not self._has_spoken and self._clock.now() - self._began >= _SPEAKS_WITHIN

    @property
    def round_trip(self) -> float | None:
        """The transport's round trip; None on this machine, where a proxy may pass lines on."""
        return None if self.network is None else self._transport.round_trip

    def end(self, reason: str) -> None:
        """Stop reading, make a running search answer, say goodbye and close the connection."""
        self._farewell = self._farewell or reason
        if not self._end.done():
            self._end.set_result(None)

    def notify(self, event: Event) -> None:
        """Send an unrequested event; disconnect a client that does not read."""
        if self._connection.pending_bytes >= self._settings.max_unsent:
            self.end("reads too slowly")
            return
        self._send(event)

    def pass_on(self, event: Event) -> None:
        """Send a notice caused by another client; if too many wait, the oldest is dropped."""
        self._foreign.add(event)
        self._send_foreign()

    async def send_when_ready(self, event: Event) -> None:
        """Send an event when the client has read earlier events.

        For a bot, the window of `ForeignNotices` must also be open.
        """
        await self._has_room.wait()
        if self.is_bot:
            await self._foreign.wait_for_room()
            self._foreign.count()
        self._send(event)

    async def run(self) -> None:
        writing = asyncio.create_task(self._write())
        others = [asyncio.create_task(work()) for work in (self._read, self._watch_silence)]
        if self._must_log_in:
            others.append(asyncio.create_task(self._watch_login()))
        try:
            await asyncio.wait([self._end, writing, *others], return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in others:
                task.cancel()
            await asyncio.gather(*others, return_exceptions=True)
            await self._part(writing)
            for task in (writing, *others):
                if not task.cancelled() and isinstance(error := task.exception(), Exception):
                    self._lost(error)

    async def _part(self, writing: asyncio.Task[None]) -> None:
        self._session.leave()
        await self._session.finish()
        if self._connection.state is not State.CLOSED:
            self._send(play.Bye(reason=self._farewell))
        await asyncio.gather(writing, return_exceptions=True)
        await self._transport.close()

    def _lost(self, error: Exception) -> None:
        if isinstance(error, TimeoutError):
            log.info("closed client=%s reason=reads-nothing", self._transport.peer)
        elif isinstance(error, OSError):
            log.debug("lost client=%s error=%r", self._transport.peer, error)
        else:
            log.error("failed client=%s", self._transport.peer, exc_info=error)

    async def _read(self) -> None:
        connection = self._connection
        turn = TimeSlice()
        while connection.state is not State.CLOSED:
            data = await self._transport.receive()
            self.heard = self._clock.now()
            self._charge_bytes(len(data))
            if isinstance(data, str):
                connection.receive_text(data)
            elif data:
                connection.receive_data(data)
            else:
                connection.receive_eof()
            while (item := connection.next_command()) is not None:
                await self._take(item)
                if self._end.done():
                    return
                while connection.waits_its_turn or len(connection.unanswered) >= _MOST_AT_ONCE:
                    self._has_answered.clear()
                    await self._has_answered.wait()
                await self._has_room.wait()
                await turn.pause()
            await turn.pause()

    async def _take(self, item: Command | Fault | Ignored) -> None:
        """Carry out the command of a line, and charge for the line even without a command."""
        self._foreign.open()
        self._send_foreign()
        cost = 1 if isinstance(item, Fault | Ignored) else self._session.cost(item)
        is_accepted = self._charge(cost)
        if isinstance(item, Ignored):
            return
        if not self._has_spoken:
            self._has_spoken = True
            self._warn_of_own_game()
        self._last_active = self._clock.now()
        if not is_accepted and not isinstance(item, play.Stop | play.Quit):
            rate = self._settings.messages_per_second
            message = f"too many messages: {rate:g} a second are accepted"
            self._send(Error(code=ErrorCode.TOO_MANY, message=message), item)
        elif isinstance(item, Fault):
            self._send(item.error, item)
        else:
            await self._session.handle(item, partial(self._send, answering=item))

    def _warn_of_own_game(self) -> None:
        """Log that the client's dialect begins with another game than the settings name."""
        connection, settings = self._connection, self._settings
        if connection.own_game in (None, settings.game) or "game" not in settings.model_fields_set:
            return
        log.warning(
            "game not used client=%s game=%s: %s begins with %s",
            *(self.peer, settings.game, connection.dialect, connection.own_game),
        )

    @property
    def _now(self) -> float:
        """The time including pauses of the machine, during which clients may have sent messages."""
        return self._clock.now() + self._clock.paused

    def _charge(self, cost: int = 1) -> bool:
        """Return whether `cost` messages are accepted; disconnect if too many are refused."""
        now = self._now
        if self._accepted.take(now, cost):
            return True
        if not self._refused.take(now, cost):
            self.end("too many messages")
        return False

    def _charge_bytes(self, size: int) -> None:
        """Charge for the bytes of long lines, even of a line that never ends."""
        cost, self._unpaid_bytes = divmod(self._unpaid_bytes + size, _MESSAGE_BYTES)
        if cost:
            self._charge(cost)

    def _send_foreign(self) -> None:
        """Send notices caused by others, but keep half of the buffer for other events."""
        if self._connection.pending_bytes < self._settings.max_unsent // 2:
            for event in self._foreign.take():
                self._send(event)

    def _send(self, event: Event, answering: Command | Fault | None = None) -> None:
        connection = self._connection
        if connection.state is State.CLOSED:
            return  # searches may still report after the goodbye
        is_full = connection.pending_bytes >= self._settings.max_unsent
        if is_full and isinstance(event, play.Info | play.Preparing):
            return
        connection.send(event, answering)
        self._has_answered.set()
        self._last_active = self._clock.now()
        if connection.pending_bytes >= self._settings.max_unsent:
            self._has_room.clear()
        self._has_output.set()

    async def _write(self) -> None:
        connection = self._connection
        while connection.state is not State.CLOSED or connection.pending_bytes:
            await self._has_output.wait()
            await asyncio.sleep(0)  # lets other tasks send events, to write them together
            self._has_output.clear()
            lines = connection.lines_to_send()
            if lines and (sending := self._transport.send(lines)) is not None:
                async with asyncio.timeout(self._settings.write_timeout):
                    await sending
            self._has_room.set()
            self._send_foreign()

    async def _watch_silence(self) -> None:
        while longest := self._longest_silence():
            left = self._last_active + longest - self._clock.now()
            if left <= 0 and not self._session.may_be_silent:
                self.end(f"nothing said for {longest:g} seconds")
                return
            await self._clock.sleep(left if left > 0 else longest)
        await self._end

    async def _watch_login(self) -> None:
        """Disconnect a client that does not log in, if its session is reserved for bots."""
        await self._clock.sleep(_LOG_IN_WITHIN)
        if not self.is_bot:
            self.end("the sessions that are left are kept for bots that log in")
        await self._end

    def _longest_silence(self) -> float:
        """Return the seconds that the client may be silent; 0 is no limit."""
        limits = [self._settings.idle_time]
        if not self._has_spoken:
            limits.append(self._settings.first_message_time)
        return min(filter(None, limits), default=0.0)
