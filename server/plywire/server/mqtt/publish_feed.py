"""Publish a tournament on a broker without running a server."""

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

#: Maximum time in seconds to connect to the broker for the first time. If the broker is lost later,
#: there is no limit.
_CONNECTED_WITHIN = 10.0


@asynccontextmanager
async def publish_feed(url: str, feed: Feed) -> AsyncIterator[None]:
    """Publish the feed in the arena of an MQTT URL; at the end, close the feed.

    Raises ValueError if `url` is not the URL of a broker, OSError if the broker cannot be reached.
    """
    # Do not try MQTT 5: it would only limit what clients send, and old brokers take long to refuse
    # it.
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
    message = "only a tournament of its own players runs here: connect to a server with an arena"
    await turn_away(transport, ErrorCode.UNAVAILABLE, message)
