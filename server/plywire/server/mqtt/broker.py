"""MQTT brokers: somebody else's, or one of our own for who has none.

Ours is rumqttd, which the package iotcore carries. It runs in a child process, for it cannot be
stopped otherwise:

    async with EmbeddedBroker("127.0.0.1", 1883) as broker:
        url = await broker.url()

`url` starts it again if it has died.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import socket
import stat
import sys
import threading
import time
from contextlib import suppress
from typing import Protocol, Self

from plywire.clients.connecting.transports.mqtt_url import MqttUrl
from plywire.server.transports.addresses import reachable

log = logging.getLogger(__name__)

#: Seconds that it may take to listen.
_STARTED_WITHIN = 20.0
_POLL = 0.05


class Broker(Protocol):
    """Where servers and bots meet."""

    may_speak_mqtt5: bool
    """Whether it is worth trying; all but old ones do."""

    async def url(self) -> MqttUrl:
        """Where it is to be reached now; raises OSError if it cannot be."""


class RemoteBroker:
    """Somebody else's broker."""

    def __init__(self, url: MqttUrl, *, may_speak_mqtt5: bool = True) -> None:
        """The broker and arena of that URL."""
        self._url = url
        self.may_speak_mqtt5 = may_speak_mqtt5

    async def url(self) -> MqttUrl:
        """The URL."""
        return self._url


class EmbeddedBroker:
    """A broker in a child process; an asynchronous context manager."""

    may_speak_mqtt5 = False

    def __init__(self, host: str, port: int, *, max_payload: int) -> None:
        """Listen there, on any free port if it is 0; messages are at most `max_payload` bytes."""
        self._host = host
        self._port = port
        self._max_payload = max_payload
        self._process: asyncio.subprocess.Process | None = None

    @property
    def pid(self) -> int | None:
        """The child's process id, None if none was started."""
        return None if self._process is None else self._process.pid

    async def __aenter__(self) -> Self:
        """Start it; raises OSError if it cannot listen."""
        if self._port == 0:
            with socket.create_server((self._host, 0)) as free:
                self._port = free.getsockname()[1]
        await self._start()
        return self

    async def __aexit__(self, *_: object) -> None:
        """End it."""
        await self._end()

    async def url(self) -> MqttUrl:
        """Where it listens; raises OSError if it has died and cannot be started again."""
        if self._process is None or self._process.returncode is not None:
            log.warning("broker died: starting it again")
            await self._start()
        return MqttUrl(reachable(self._host), self._port)

    async def _start(self) -> None:
        with socket.create_server((self._host, self._port)):
            pass  # the child could not tell what is wrong with the address
        options = {
            "listen": self._host,
            "port": self._port,
            "max_payload_size": self._max_payload,
        }
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "plywire.server.mqtt.broker", json.dumps(options)),
            stdin=asyncio.subprocess.PIPE,  # the child ends when this closes
            # Ctrl-C is not meant for it: the server has goodbyes to say.
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
            process.kill()  # it has nothing to lose
        if process.stdin is not None:
            process.stdin.close()
        await process.wait()


def _run() -> None:
    """What the child does."""
    from iotcore import IotCoreBroker

    # It logs every message as an error.
    logging.getLogger("rumqttd").setLevel(logging.CRITICAL)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    threading.Thread(target=_send_at_once, daemon=True).start()
    IotCoreBroker(**json.loads(sys.argv[1])).run_forever()


def _send_at_once() -> None:
    """Have the broker send small messages without delay, which it has no option for.

    Nagle's algorithm and delayed acknowledgements would make every answer 40 ms late. Connections
    take over the option from the socket that accepts them, where there is such a thing.
    """
    for _ in range(1000):
        for descriptor in filter(_is_socket, range(3, 64)):
            with suppress(OSError), socket.socket(fileno=os.dup(descriptor)) as found:
                if found.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
                    found.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    return
        time.sleep(0.01)


def _is_socket(descriptor: int) -> bool:
    try:
        return stat.S_ISSOCK(os.fstat(descriptor).st_mode)
    except OSError:
        return False


def _end_with_parent() -> None:
    sys.stdin.buffer.read()
    os._exit(0)


if __name__ == "__main__":
    _run()
