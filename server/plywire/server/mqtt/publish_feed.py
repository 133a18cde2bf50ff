"""Publishes a tournament that is no server's on a broker, as a server does with its arena's."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from plywire.clients.connecting.transports.mqtt_url import MqttUrl
from plywire.clients.connecting.transports.url import without_password
from plywire.protocol.framing import MAX_LINE
from plywire.protocol.messages.base import ErrorCode
from plywire.server.arena.feed.feed import Feed
from plywire.server.clock import MonotonicClock
from plywire.server.sessions.turn_away import turn_away
from plywire.server.transports.mqtt import MqttTransport

from .broker import RemoteBroker
from .broker_connection import BrokerConnection

#: Seconds that the broker may take at first; later it may be away for as long as it likes.
_CONNECTED_WITHIN = 10.0


@asynccontextmanager
async def publish_feed(url: str, feed: Feed) -> AsyncIterator[None]:
    """Publish the feed on the broker and in the arena of a URL; at the end, close it.

    Raises ValueError if it is not a broker's URL, OSError if the broker is not to be reached.
    """
    # MQTT 5 would only limit what peers send, and old brokers take long to say that they lack it.
    broker = RemoteBroker(MqttUrl.parse(url), may_speak_mqtt5=False)
    connection = BrokerConnection(broker, _turn_away, feed, MonotonicClock(), max_payload=MAX_LINE)
    async with connection:
        try:
            try:
                async with asyncio.timeout(_CONNECTED_WITHIN):
                    await connection.connected()
            except TimeoutError:
                raise ConnectionRefusedError(
                    f"no broker answers at {without_password(url)}: start it, or correct --mqtt"
                ) from None
            yield
        finally:
            feed.close()


async def _turn_away(transport: MqttTransport) -> None:
    """Bots that come here look for an arena, and there is none."""
    message = "only a tournament of its own players runs here: connect to a server with an arena"
    await turn_away(transport, ErrorCode.UNAVAILABLE, message)
