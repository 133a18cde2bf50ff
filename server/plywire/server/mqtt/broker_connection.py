"""Keeps a server connected to an MQTT broker: peers come over it, and the feed goes out by it.

A broker that is lost is connected again, with back-off, however long that takes. Nothing is lost by
it: bots come back to their games as after any lost connection, and the feed is told anew, for a
broker that was started again has forgotten it.
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
from aiomqtt import ProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from plywire.clients.connecting.client import Backoff
from plywire.clients.connecting.transports.mqtt_client import BrokerClient
from plywire.clients.connecting.transports.url import without_password
from plywire.protocol.messages.watching import FeedEvent, Status
from plywire.protocol.mqtt_frames import Topics, parse_presence
from plywire.server.arena.feed.feed import Feed, TooSlowError
from plywire.server.clock import Clock
from plywire.server.transports.mqtt import MqttPeers, MqttTransport

from .broker import Broker

log = logging.getLogger(__name__)

#: Of what has ended, so many stay retained by the broker; older ones are cleared.
_RETAINED = 1000
#: Events of the feed that may be on their way; what bots are told needs room beside them, and
#: brokers take 20 at a time.
_ON_THEIR_WAY = 16
#: Seconds that a server that stops takes for the last of the feed.
_FAREWELL_WITHIN = 5.0


class BrokerConnection:
    """Serves by way of a broker; an asynchronous context manager."""

    def __init__(
        self,
        broker: Broker,
        serve: Callable[[MqttTransport], Awaitable[None]],
        feed: Feed,
        clock: Clock,
        *,
        max_payload: int,
    ) -> None:
        """`serve` serves a peer to its end.

        Longer messages than `max_payload` bytes are kept away by brokers that speak MQTT 5.
        """
        self._broker = broker
        self._serve = serve
        self._feed = feed
        self._clock = clock
        self._max_payload = max_payload
        self._backoff = Backoff(first=0.1, longest=10.0)
        self._client: BrokerClient | None = None
        self._was_connected = asyncio.Event()
        self._topics = Topics()
        # Who connects by our identifier throws us off. So nobody else can know it; it stays the
        # same, for a connection of ours that is dead, but not to the broker, ends by the next one.
        # 23 letters and digits are what every broker takes (MQTT 3.1.1, section 3.1.3.1).
        self._identifier = f"plywire{secrets.token_hex(8)}"
        self._word = secrets.token_urlsafe(12)
        self._task: asyncio.Task[None] | None = None
        self._has_published = asyncio.Event()
        self._has_published.set()
        self._live: dict[str, None] = {}
        """The topics of what goes on, as the broker retains it."""
        self._ended: dict[str, None] = {}
        """Those of what has ended, oldest first."""

    @property
    def is_connected(self) -> bool:
        """Whether the broker is there."""
        return self._client is not None

    async def connected(self) -> None:
        """Wait for the first connection."""
        await self._was_connected.wait()

    async def __aenter__(self) -> Self:
        """Begin to connect; the broker need not be there yet."""
        self._task = asyncio.create_task(self._run())
        return self

    async def __aexit__(self, *_: object) -> None:
        """Tell the rest of the feed, which must be closed, and that the server has left."""
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
            # One that drops us at once, such as for another server of that arena, counts too.
            failures = 1 if self._clock.now() - began > self._backoff.longest else failures + 1
            await self._clock.sleep(self._backoff.delay(failures))

    async def _connect(self, stack: AsyncExitStack) -> BrokerClient:
        """A connected client; raises OSError or MqttError if there is none to be had."""
        url = await self._broker.url()
        self._topics = Topics(url.arena)
        will = aiomqtt.Will(self._topics.status, self._status(online=False).line, 1, retain=True)
        versions = [ProtocolVersion.V311]
        if self._broker.may_speak_mqtt5:
            versions.insert(0, ProtocolVersion.V5)
        for version in versions:
            properties = None
            if version is ProtocolVersion.V5:
                properties = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
                properties.MaximumPacketSize = self._max_payload + 1024
            client = BrokerClient(
                url,
                will,
                identifier=self._identifier,
                protocol=version,
                properties=properties,
            )
            client.pending_calls_threshold = 10_000  # every peer may wait for the broker
            try:
                await stack.enter_async_context(client)
            except aiomqtt.MqttError:
                if version is versions[-1]:
                    raise
            else:
                break
        log.info("connected broker=%s", without_password(str(url)))
        return client

    async def _use(self, client: BrokerClient) -> None:
        """Serve peers and publish the feed until the broker is lost; raises MqttError then."""
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
        """Take note of what is said of the arena; raises MqttError if another server took over."""
        said = parse_presence(payload)
        if said is not None and said.connection == self._word:
            return
        if said is not None and said.online:
            raise aiomqtt.MqttError(f"another server has taken over arena {self._topics.arena}")
        # Such as the last will of an earlier server: it does not speak for this one.
        status = self._feed.latest_of("status")
        if status is not None and self._client is not None:
            spawn(self._client.deliver(self._topics.status, self._write(status), retain=True))

    async def _publish(self, client: BrokerClient) -> None:
        """Publish the feed, several events at a time; messages go out in the order of tasks."""
        self._has_published.clear()
        room = asyncio.Semaphore(_ON_THEIR_WAY)
        async with asyncio.TaskGroup() as group:

            async def send(topic: str, payload: str) -> None:
                await room.acquire()
                sending = group.create_task(client.deliver(topic, payload, retain=True))
                sending.add_done_callback(lambda _: room.release())

            with self._feed.watch() as watch:
                # What ended while the broker was away, and is not kept any more.
                for topic in self._live.keys() - {event.topic for event in self._feed.latest}:
                    del self._live[topic]
                    await send(self._topics.feed(topic), "")
                async for event in watch:
                    await send(self._topics.feed(event.topic), self._write(event))
                    if (oldest := self._retained(event)) is not None:
                        await send(self._topics.feed(oldest), "")
        self._has_published.set()

    def _retained(self, event: FeedEvent) -> str | None:
        """Note that the broker retains an event; the topic that it need not retain any more."""
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
    """The first of the failures, of groups within groups as well."""
    first = failures.exceptions[0]
    return _first(first) if isinstance(first, BaseExceptionGroup) else first
