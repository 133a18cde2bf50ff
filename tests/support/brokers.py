"""MQTT brokers that tests start, kill and start again, and who else is on them."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Self

import aiomqtt

from plywire.protocol.mqtt_frames import Direction, Frame, Topics
from plywire.server.mqtt.broker import EmbeddedBroker
from plywire.server.serve import Server
from tests.support.programs import MOSQUITTO
from tests.support.until import until

TOPICS = Topics()


class Mosquitto:
    """Debian's broker, which keeps nothing when it dies."""

    def __init__(self, folder: Path, *configuration: str) -> None:
        self._program = MOSQUITTO.path()
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port: int = free.getsockname()[1]
        # Started by root it would become a user who cannot read what tests write.
        lines = [f"listener {self.port} 127.0.0.1", "persistence false", "user root"]
        lines += configuration
        if not configuration:
            lines.append("allow_anonymous true")
        self._configuration = folder / "mosquitto.conf"
        self._configuration.write_text("\n".join(lines) + "\n", encoding="utf-8")
        self._process: asyncio.subprocess.Process | None = None

    @property
    def url(self) -> str:
        return f"mqtt://127.0.0.1:{self.port}"

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._process is not None:
            await self.kill()

    async def start(self) -> None:
        self._process = await asyncio.create_subprocess_exec(
            *(self._program, "-c", str(self._configuration)),
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
        )
        async with asyncio.timeout(30):
            while not await self._listens():
                assert self._process.returncode is None, "mosquitto does not start"
                await asyncio.sleep(0.02)

    def pause(self) -> None:
        """Have it do nothing more."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    async def kill(self) -> None:
        """Kill it, as kill -9 does."""
        process, self._process = self._process, None
        assert process is not None
        process.kill()
        await process.wait()

    async def _listens(self) -> bool:
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", self.port)
        except OSError:
            return False
        writer.close()
        await writer.wait_closed()
        return True


async def kill_embedded(server: Server) -> None:
    """Kill the broker that the server started, which is to start it again."""
    broker = server.broker
    assert isinstance(broker, EmbeddedBroker)
    before = broker.pid
    assert before is not None
    os.kill(before, signal.SIGKILL)
    await until(lambda: broker.pid != before)


async def on_broker(server: Server) -> None:
    """Wait until the server is on its broker."""
    link = server.mqtt
    assert link is not None
    await until(lambda: link.is_connected)


@asynccontextmanager
async def stranger(server: Server, **options: object) -> AsyncIterator[Stranger]:
    """Someone on the server's broker."""
    assert server.broker is not None
    url = await server.broker.url()
    async with aiomqtt.Client(url.host, url.port, **options) as client:  # type: ignore[arg-type]
        yield Stranger(client)


class Stranger:
    """Publishes what it likes, and listens to all."""

    def __init__(self, client: aiomqtt.Client) -> None:
        self.client = client

    async def publish(self, topic: str, payload: bytes | str, *, retain: bool = False) -> None:
        await self.client.publish(topic, payload, qos=1, retain=retain)

    async def say(self, name: str, word: str, number: int, *lines: str) -> None:
        """Send a frame in the name of a bot."""
        frame = Frame(word, number, "\n".join(lines).encode())
        await self.publish(TOPICS.bot(name, Direction.OUT), bytes(frame))

    async def listen(self, *topics: str) -> None:
        await self.client.subscribe([(topic, 1) for topic in topics])

    async def hear(self) -> aiomqtt.Message:
        """The next message."""
        async with asyncio.timeout(30):
            async for message in self.client.messages:
                return message
        raise AssertionError("the messages ended")

    async def lines(self) -> list[str]:
        """The lines of the next frame to a bot, after its first."""
        frame = Frame.parse((await self.hear()).payload)
        assert frame is not None
        return frame.data.decode().splitlines()

    async def until(self, topic: str, text: str) -> aiomqtt.Message:
        """The next message on a topic that holds a text."""
        while True:
            message = await self.hear()
            if str(message.topic) == topic and text in message.payload.decode():
                return message
