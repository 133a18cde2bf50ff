"""Lines on the standard input and output, each with its own thread.

Only blocking calls handle pipes, files and terminals on every system. The threads are daemons, so
that the process can end during a read.
"""

import asyncio
import os
import queue
import threading
from collections.abc import Callable, Sequence
from functools import partial
from typing import Generic, TypeVar

T = TypeVar("T")

_CHUNK = 1 << 16


class StdioTransport:
    """The standard input and output, or two other file descriptors."""

    def __init__(self, source: int = 0, sink: int = 1) -> None:
        self.host: str | None = None
        self.round_trip: float | None = None
        self.peer = "stdio"
        self._reader: _Caller[bytes] = _Caller("stdin", partial(os.read, source, _CHUNK))
        self._unsent = b""
        self._sink = sink
        self._writer: _Caller[None] = _Caller("stdout", self._write)

    async def receive(self) -> bytes:
        return await self._reader.call()

    async def send(self, lines: Sequence[str]) -> None:
        self._unsent = "".join(f"{line}\n" for line in lines).encode()
        await self._writer.call()

    async def close(self) -> None:
        """Do nothing: the descriptors belong to the process."""

    def _write(self) -> None:
        while self._unsent:
            self._unsent = self._unsent[os.write(self._sink, self._unsent) :]


class _Caller(Generic[T]):
    """A thread that calls one blocking function for each `call`."""

    def __init__(self, name: str, function: Callable[[], T]) -> None:
        self._function = function
        self._asked: queue.SimpleQueue[asyncio.Future[T]] = queue.SimpleQueue()
        threading.Thread(target=self._run, name=name, daemon=True).start()

    async def call(self) -> T:
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._asked.put(future)
        return await future

    def _run(self) -> None:
        while True:
            future = self._asked.get()
            try:
                settle = partial(_set_result, future, self._function())
            except OSError as error:
                settle = partial(_set_error, future, error)
            try:
                future.get_loop().call_soon_threadsafe(settle)
            except RuntimeError:  # the loop is closed: nobody waits any more
                return


def _set_result(future: asyncio.Future[T], result: T) -> None:
    if not future.done():
        future.set_result(result)


def _set_error(future: asyncio.Future[T], error: OSError) -> None:
    if not future.done():
        future.set_exception(error)
