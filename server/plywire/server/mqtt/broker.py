"""The MQTT brokers that a server can use: a remote one, or the embedded one."""

from __future__ import annotations

import asyncio
import json
import logging
import socket
import sys
from contextlib import suppress
from dataclasses import dataclass
from typing import Self

from plywire.clients.connecting.transports.mqtt_url import MqttUrl
from plywire.server.transports.addresses import reachable

log = logging.getLogger(__name__)

#: Seconds within which the embedded broker must begin to listen.
_STARTED_WITHIN = 20.0
_POLL = 0.05


@dataclass(frozen=True)
class RemoteBroker:
    """A broker that the server does not start."""

    address: MqttUrl
    may_speak_mqtt5: bool = True
    """Whether to try MQTT 5, which all but old brokers speak."""

    async def url(self) -> MqttUrl:
        return self.address


class EmbeddedBroker:
    """A broker in a child process, because only killing stops it; a context manager."""

    may_speak_mqtt5 = False

    def __init__(self, host: str, port: int, *, max_payload: int) -> None:
        """Listen on `port`, 0 for a free one; messages have at most `max_payload` bytes."""
        self._host = host
        self._port = port
        self._max_payload = max_payload
        self._process: asyncio.subprocess.Process | None = None

    @property
    def pid(self) -> int | None:
        return None if self._process is None else self._process.pid

    async def __aenter__(self) -> Self:
        """Start the broker; raises OSError if it cannot listen."""
        if self._port == 0:
            with socket.create_server((self._host, 0)) as free:
                self._port = free.getsockname()[1]
        await self._start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._end()

    async def url(self) -> MqttUrl:
        """Return the URL; if the broker has died, start it again, or raise OSError."""
        if self._process is None or self._process.returncode is not None:
            log.warning("broker died: starting it again")
            await self._start()
        return MqttUrl(reachable(self._host), self._port)

    async def _start(self) -> None:
        with socket.create_server((self._host, self._port)):
            pass  # fails if the address is taken, which the broker would not report
        options = {
            "listen": self._host,
            "port": self._port,
            "max_payload_size": self._max_payload,
        }
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "plywire.server.mqtt.rumqttd", json.dumps(options)),
            stdin=asyncio.subprocess.PIPE,  # the broker ends when this pipe closes
            # In its own session, the broker gets no Ctrl-C. It must run until the server has said
            # goodbye to its clients.
            start_new_session=True,
        )
        try:
            async with asyncio.timeout(_STARTED_WITHIN):
                while not await self._answers():
                    if self._process.returncode is not None:
                        raise ConnectionRefusedError("the embedded broker cannot be started")
                    await asyncio.sleep(_POLL)
        except BaseException:
            await self._end()
            raise

    async def _answers(self) -> bool:
        try:
            _, writer = await asyncio.open_connection(reachable(self._host), self._port)
        except OSError:
            return False
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()
        return True

    async def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        with suppress(ProcessLookupError):
            process.kill()  # safe, because the broker stores nothing
        if process.stdin is not None:
            process.stdin.close()
        await process.wait()


Broker = RemoteBroker | EmbeddedBroker
