"""A TCP proxy that loses connections on demand."""

import asyncio
from typing import Self


class Proxy:
    """Forwards to a server; `cut` drops every connection, `hold` stops forwarding to the server.

    With `silence`, the connections of now stay, and nothing is forwarded over them any more.
    """

    def __init__(self, host: str, port: int) -> None:
        self._target = host, port
        self._writers: set[asyncio.StreamWriter] = set()
        self._flowing = asyncio.Event()
        self._flowing.set()
        self._silent: set[asyncio.StreamWriter] = set()
        self.connections = 0
        self.refusing = 0

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port: int = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        self.cut()
        await self._server.wait_closed()

    def cut(self) -> None:
        for writer in self._writers:
            writer.transport.abort()
        self._flowing.set()

    def silence(self) -> None:
        self._silent |= self._writers

    def hold(self) -> None:
        self._flowing.clear()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        if self.refusing:
            self.refusing -= 1
            writer.transport.abort()
            return
        there_reader, there_writer = await asyncio.open_connection(*self._target)
        self._writers |= {writer, there_writer}
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._pump(reader, there_writer, self._flowing))
                group.create_task(self._pump(there_reader, writer, None))
        finally:
            self._writers -= {writer, there_writer}

    async def _pump(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        gate: asyncio.Event | None,
    ) -> None:
        try:
            while data := await reader.read(65536):
                if gate is not None:
                    await gate.wait()
                if writer in self._silent:
                    continue
                writer.write(data)
                await writer.drain()
        except OSError:
            pass
        finally:
            writer.close()
