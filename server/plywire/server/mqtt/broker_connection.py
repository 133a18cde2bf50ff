"""A server's connection to an MQTT broker, for its clients and its feed.

If the broker is lost, the server reconnects with back-off, and publishes the feed again. Bots
continue their games, as after any lost connection.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import AsyncExitStack, suppress
from datetime import UTC, datetime
from functools import partial
from typing import Any, Self

import aiomqtt

from plywire.clients.connecting.client import Backoff
from plywire.clients.connecting.transports.mqtt_client import BrokerClient
from plywire.clients.connecting.transports.url import without_password
from plywire.protocol.messages.watching import FeedEvent, Status
from plywire.protocol.mqtt_frames import Topics, parse_presence
from plywire.server.arena.feed.feed import Feed, TooSlowError
from plywire.server.clock import ServerClock
from plywire.server.transports.mqtt import MqttPeers, MqttTransport

from .broker import Broker

log = logging.getLogger(__name__)

#: Maximum number of final events that the broker retains. Older ones are cleared.
_RETAINED = 1000
#: Maximum number of feed events that wait for the broker's acknowledgement. A connection may have
#: 20 such messages, so this leaves four for messages to bots.
_ON_THEIR_WAY = 16
#: When the server stops, it waits up to this number of seconds until the last feed events are
#: published.
_FAREWELL_WITHIN = 5.0


class BrokerConnection:
    """Serves clients of a broker; an asynchronous context manager."""

    def __init__(
        self,
        broker: Broker,
        serve: Callable[[MqttTransport], Awaitable[None]],
        feed: Feed,
        clock: ServerClock,
        *,
        max_payload: int,
    ) -> None:
        """Call `serve` for each client; MQTT 5 brokers drop messages over `max_payload` bytes."""
        self._broker = broker
        self._serve = serve
        self._feed = feed
        self._clock = clock
        self._max_payload = max_payload
        self._backoff = Backoff(first=0.1, longest=10.0)
        self._client: BrokerClient | None = None
        self._was_connected = asyncio.Event()
        self._topics = Topics()
        # If a client connects with our identifier, the broker ends our connection, so the
        # identifier is secret. It stays the same: if the broker has not noticed that our old
        # connection is lost, our next connection ends it. Every broker accepts 23 letters and
        # digits (MQTT 3.1.1, section 3.1.3.1).
        self._identifier = f"plywire{secrets.token_hex(8)}"
        self._word = secrets.token_urlsafe(12)
        self._task: asyncio.Task[None] | None = None
        self._has_published = asyncio.Event()
        self._has_published.set()
        self._live: dict[str, None] = {}
        """Topics of retained events that are not final."""
        self._ended: dict[str, None] = {}
        """Topics of retained final events, oldest first."""

    @property
    def is_connected(self) -> bool:
        return self._client is not None

    async def connected(self) -> None:
        """Wait for the first connection."""
        await self._was_connected.wait()

    async def __aenter__(self) -> Self:
        """Start to connect; the broker may start later than the server."""
        self._task = asyncio.create_task(self._run())
        return self

    async def __aexit__(self, *_: object) -> None:
        """Publish the rest of the closed feed, then that the server is offline."""
        with suppress(TimeoutError, aiomqtt.MqttError):
            async with asyncio.timeout(_FAREWELL_WITHIN):
                await self._has_published.wait()
                if self._client is not None:
                    left = self._status(online=False).line
                    await self._client.deliver(self._topics.status, left, retain=True)
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        failures = 0
        while True:
            began = self._clock.now()
            try:
                async with AsyncExitStack() as stack:
                    self._client = await self._connect(stack)
                    self._was_connected.set()
                    await self._use(self._client)
            except (OSError, aiomqtt.MqttError, TooSlowError) as error:
                log.warning("no broker error=%r", error)
            except Exception:
                log.exception("failed at the broker")
            finally:
                self._client = None
                self._has_published.set()
            # Count a short connection as a failure, too. If the arena has another server, each of
            # our connections ends soon.
            failures = 1 if self._clock.now() - began > self._backoff.longest else failures + 1
            await self._clock.sleep(self._backoff.delay(failures))

    async def _connect(self, stack: AsyncExitStack) -> BrokerClient:
        """Connect a client; raises OSError or MqttError if that fails."""
        url = await self._broker.url()
        self._topics = Topics(url.arena)
        will = self._status(online=False).line
        sizes = [self._max_payload + 1024, None] if self._broker.may_speak_mqtt5 else [None]
        for size in sizes:
            client = BrokerClient(
                url, self._topics.status, will, identifier=self._identifier, max_packet=size
            )
            client.pending_calls_threshold = 10_000  # every client may have a message that waits
            try:
                await stack.enter_async_context(client)
            except aiomqtt.MqttError:
                if size is None:
                    raise
            else:
                break
        log.info("connected broker=%s", without_password(str(url)))
        return client

    async def _use(self, client: BrokerClient) -> None:
        """Serve clients and publish the feed; raises MqttError when the broker is lost."""
        try:
            async with asyncio.TaskGroup() as group:
                on_status = partial(self._on_status, lambda work: group.create_task(work))
                peers = MqttPeers(client, self._topics, self._serve, on_status, self._clock)
                group.create_task(peers.run())
                group.create_task(self._publish(client))
        except ExceptionGroup as failures:
            raise _first(failures) from None

    def _on_status(
        self, spawn: Callable[[Coroutine[Any, Any, None]], object], payload: bytes
    ) -> None:
        """Handle the arena's status; raises MqttError if another server has taken over."""
        said = parse_presence(payload)
        if said is not None and said.connection == self._word:
            return
        if said is not None and said.online:
            raise aiomqtt.MqttError(f"another server has taken over arena {self._topics.arena}")
        # The status may be the last will of an earlier server. Publish again that this server is
        # online.
        status = self._feed.latest_of("status")
        if status is not None and self._client is not None:
            spawn(self._client.deliver(self._topics.status, self._write(status), retain=True))

    async def _publish(self, client: BrokerClient) -> None:
        """Publish the feed, several events at a time, in order."""
        self._has_published.clear()
        room = asyncio.Semaphore(_ON_THEIR_WAY)
        async with asyncio.TaskGroup() as group:

            async def send(topic: str, payload: str) -> None:
                await room.acquire()
                sending = group.create_task(client.deliver(topic, payload, retain=True))
                sending.add_done_callback(lambda _: room.release())

            with self._feed.watch() as watch:
                # Clear retained events that became out of date while the broker was lost.
                for topic in self._live.keys() - {event.topic for event in self._feed.latest}:
                    del self._live[topic]
                    await send(self._topics.feed(topic), "")
                async for event in watch:
                    await send(self._topics.feed(event.topic), self._write(event))
                    if (oldest := self._retained(event)) is not None:
                        await send(self._topics.feed(oldest), "")
        self._has_published.set()

    def _retained(self, event: FeedEvent) -> str | None:
        """Note that the broker retains an event; return a topic to clear there, or None.

        A topic is cleared if its final event need not stay, or if that is the oldest of too many
        final events.
        """
        if not event.is_final:
            self._live[event.topic] = None
            return None
        self._live.pop(event.topic, None)
        if not event.outlives:
            return event.topic
        self._ended[event.topic] = None
        if len(self._ended) <= _RETAINED:
            return None
        oldest = next(iter(self._ended))
        del self._ended[oldest]
        return oldest

    def _write(self, event: FeedEvent) -> str:
        if isinstance(event, Status):
            event = event.model_copy(update={"connection": self._word})
        return event.line

    def _status(self, *, online: bool) -> Status:
        return Status(online=online, connection=self._word, updated=datetime.now(UTC))


def _first(failures: BaseExceptionGroup[BaseException]) -> BaseException:
    """Return the first failure, also from a group within a group."""
    first = failures.exceptions[0]
    return _first(first) if isinstance(first, BaseExceptionGroup) else first
