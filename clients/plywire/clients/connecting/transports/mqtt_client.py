"""An MQTT client: aiomqtt's, with all undocumented parts of it that Plywire needs."""

from __future__ import annotations

import asyncio
import socket
import ssl
from typing import Any

import aiomqtt
from aiomqtt import ProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from .mqtt_url import MqttUrl

#: Seconds of silence after which the client and the broker ask each other for a sign of life.
KEEP_ALIVE = 15
#: Linux's socket option to acknowledge received data at once; None on other systems.
_QUICKACK: int | None = getattr(socket, "TCP_QUICKACK", None)


class BrokerClient(aiomqtt.Client):
    """A client that notices at once when the broker is lost, and delays no acknowledgement."""

    def __init__(
        self,
        url: MqttUrl,
        topic: str,
        will: str,
        *,
        identifier: str | None = None,
        max_packet: int | None = None,
        timeout: float | None = None,
    ) -> None:
        """Prepare a connection; the broker publishes `will` on the topic if the connection is lost.

        With `max_packet`, the connection speaks MQTT 5, and the broker sends no larger packets.
        """
        properties = None
        if max_packet is not None:
            properties = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
            properties.MaximumPacketSize = max_packet
        super().__init__(
            url.host,
            url.port,
            username=url.username,
            password=url.password,
            tls_context=ssl.create_default_context() if url.is_secure else None,
            will=aiomqtt.Will(topic, will, qos=1, retain=True),
            keepalive=KEEP_ALIVE,
            identifier=identifier,
            protocol=ProtocolVersion.V311 if properties is None else ProtocolVersion.V5,
            properties=properties,
            timeout=timeout,
            # Without this option, the system holds a small message back until the last one is
            # acknowledged. That delays each message by 40 ms.
            socket_options=[(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)],
        )

    async def deliver(self, topic: str, payload: str | bytes, *, retain: bool = False) -> None:
        """Publish a message, and wait until the broker has it; raises MqttError if it is lost."""
        publishing = asyncio.ensure_future(self.publish(topic, payload, qos=1, retain=retain))
        try:
            # If the broker is lost, `publish` alone would wait until its timeout.
            ends: list[asyncio.Future[None]] = [publishing, self._disconnected]
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            if not publishing.done():
                raise aiomqtt.MqttError("disconnected while publishing")
            await publishing
        finally:
            publishing.cancel()
        # Some brokers hold a small message back until our system acknowledges the last one. Without
        # this option, our system does so only after 40 ms.
        connection: Any = self._client.socket()
        if _QUICKACK is not None and connection is not None:
            connection.setsockopt(socket.IPPROTO_TCP, _QUICKACK, 1)
