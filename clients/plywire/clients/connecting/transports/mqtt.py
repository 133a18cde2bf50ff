"""Lines over an MQTT broker, in the frames of `plywire.protocol.mqtt_frames`."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Sequence
from contextlib import AsyncExitStack, suppress

import aiomqtt

from plywire.protocol.mqtt_frames import (
    Direction,
    Frame,
    PresenceMessage,
    Topics,
    pack,
    parse_presence,
)
from plywire.protocol.mqtt_frames import Sequence as FrameSequence

from .base import ClientTransport
from .mqtt_client import BrokerClient
from .mqtt_url import MqttUrl, bracketed

#: Seconds to wait until the broker accepts the message that the bot leaves.
_FAREWELL_WITHIN = 1.0
_STATUS_WITHIN = 5.0


class MqttTransport(ClientTransport):
    """A connection through a broker; it ends when the broker, the server or a frame is lost."""

    def __init__(
        self, client: BrokerClient, stack: AsyncExitStack, topics: Topics, name: str, word: str
    ) -> None:
        """Take over a client that has subscribed; use `open`."""
        self._client = client
        self._stack = stack
        self._topics = topics
        self._name = name
        self._word = word
        self._sent = 0
        self._received = FrameSequence()

    @classmethod
    async def open(cls, url: MqttUrl) -> MqttTransport:
        """Connect to the broker, and find the server.

        Raises OSError if the broker or the server is not there, ValueError if the URL names no bot.
        """
        name, topics, word = url.bot(), Topics(url.arena), secrets.token_urlsafe(12)
        presence = topics.bot(name, Direction.PRESENCE)
        will = _presence(False, word)
        async with AsyncExitStack() as stack:
            try:
                client = await stack.enter_async_context(BrokerClient(url, presence, will))
                heard = (topics.bot(name, Direction.IN), presence, topics.status)
                await client.subscribe([(topic, 1) for topic in heard])
                await _find_server(client, topics)
                await client.deliver(presence, _presence(True, word), retain=True)
            except aiomqtt.MqttError as error:
                raise ConnectionRefusedError(
                    f"no broker at {bracketed(url.host)}:{url.port}: {error}"
                ) from error
            except TimeoutError:
                raise ConnectionRefusedError(
                    f"no server for arena {url.arena} on the broker at"
                    f" {bracketed(url.host)}:{url.port}"
                ) from None
            return cls(client, stack.pop_all(), topics, name, word)

    async def read(self) -> bytes:
        with suppress(aiomqtt.MqttError):
            async for message in self._client.messages:
                data = await self._take(str(message.topic), message.payload)
                if data is not None:
                    return data
        return b""

    async def write(self, lines: Sequence[str]) -> None:
        frames = pack(self._word, self._sent + 1, lines)
        self._sent += len(frames)
        topic = self._topics.bot(self._name, Direction.OUT)
        try:
            for frame in frames:
                await self._client.deliver(topic, bytes(frame))
        except aiomqtt.MqttError as error:
            raise ConnectionResetError(f"the broker was lost: {error}") from error

    async def close(self) -> None:
        presence = self._topics.bot(self._name, Direction.PRESENCE)
        with suppress(aiomqtt.MqttError, TimeoutError):
            async with asyncio.timeout(_FAREWELL_WITHIN):
                await self._client.deliver(presence, _presence(False, self._word), retain=True)
        with suppress(aiomqtt.MqttError):
            await self._stack.aclose()

    async def _take(self, topic: str, payload: bytes) -> bytes | None:
        """Return the lines in a message; empty bytes for the end, None for a message to ignore."""
        if topic == self._topics.status:
            status = parse_presence(payload)
            return b"" if status is not None and not status.online else None
        if topic == self._topics.bot(self._name, Direction.PRESENCE):
            presence = parse_presence(payload)
            if presence is not None and not presence.online and presence.connection != self._word:
                # The broker has published the last will of an earlier connection. Publish again
                # that we are online.
                await self._client.deliver(topic, _presence(True, self._word), retain=True)
            return None
        frame = Frame.parse(payload)
        if frame is None or frame.connection != self._word:
            return None
        if frame.number == 0:
            return b""
        match self._received.judge(frame.number):
            case "next":
                return frame.data + b"\n"
            case "gap":
                return b""
            case _:
                return None


async def _find_server(client: BrokerClient, topics: Topics) -> None:
    """Wait until the arena's status says that a server is there; raises TimeoutError."""
    async with asyncio.timeout(_STATUS_WITHIN):
        async for message in client.messages:
            if str(message.topic) == topics.status:
                status = parse_presence(message.payload)
                if status is not None and status.online:
                    return


def _presence(online: bool, word: str) -> str:
    return PresenceMessage(online=online, connection=word).model_dump_json()
