"""The time of a protocol round trip, next to a bare WebSocket echo on the same machine.

    python benchmarks/roundtrip.py

One client asks, waits for the whole answer, and asks again.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Annotated

import typer
from processes import percentile, plywire_server, python_server
from rich.table import Table
from websockets.asyncio.client import connect

from plywire.server.cli.common import screen, table

#: The simplest WebSocket server.
ECHO = """
import asyncio, sys
from websockets.asyncio.server import serve

async def echo(connection):
    async for message in connection:
        await connection.send(message)

async def main():
    async with serve(echo, "127.0.0.1", 0, compression=None) as server:
        print(server.sockets[0].getsockname()[1], file=sys.stderr, flush=True)
        await asyncio.Event().wait()

asyncio.run(main())
"""

Ask = Callable[[], Awaitable[None]]


async def _time(ask: Ask, rounds: int) -> list[float]:
    for _ in range(rounds // 10):
        await ask()
    times = []
    for _ in range(rounds):
        began = time.perf_counter()
        await ask()
        times.append((time.perf_counter() - began) * 1e6)
    return times


async def _websocket(port: int, question: str, answers: int, rounds: int) -> list[float]:
    async with connect(f"ws://127.0.0.1:{port}", compression=None, proxy=None) as connection:

        async def ask() -> None:
            await connection.send(question)
            for _ in range(answers):
                await connection.recv()

        return await _time(ask, rounds)


async def _tcp(port: int, question: str, answers: int, rounds: int) -> list[float]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)

    async def ask() -> None:
        writer.write(f"{question}\n".encode())
        for _ in range(answers):
            await reader.readline()

    times = await _time(ask, rounds)
    writer.close()
    await writer.wait_closed()
    return times


async def _measure(rounds: int) -> Table:
    headings = ("what", "p50 us", "p99 us", "a second", "of the echo")
    figures = table(*headings, left="what", title=f"{rounds} round trips")
    async with (
        python_server(ECHO) as echo,
        plywire_server("--messages-per-second", "0") as server,
    ):
        legal = '{"type":"legal","id":1}'
        rows = [
            ("WebSocket echo", await _websocket(echo, "ping", 1, rounds)),
            ("WebSocket ping", await _websocket(server.websocket, "ping", 1, rounds)),
            ("WebSocket legal, JSON", await _websocket(server.websocket, legal, 2, rounds)),
            ("TCP ping", await _tcp(server.tcp, "ping", 1, rounds)),
            ("TCP legal", await _tcp(server.tcp, "legal", 2, rounds)),
        ]
    echoes = len(rows[0][1]) / sum(rows[0][1])
    for name, times in rows:
        rate = len(times) / sum(times)
        figures.add_row(
            name,
            f"{percentile(times, 0.5):.0f}",
            f"{percentile(times, 0.99):.0f}",
            f"{rate * 1e6:,.0f}",
            f"{rate / echoes:.0%}",
        )
    return figures


def main(
    rounds: Annotated[int, typer.Option(help="Round trips for each row.", min=10)] = 5000,
) -> None:
    """Measure protocol round trips."""
    screen().print(asyncio.run(_measure(rounds)))


if __name__ == "__main__":
    typer.run(main)
