"""How late `go movetime` is answered: by a single peer, by one a thread, and by ten a thread.

    python benchmarks/movetime.py

A peer's clock runs from before it writes `go` to after it has read `bestmove`. Aims: the 99th
percentile of what is beyond the time asked for stays under 10 ms with free threads, and under
50 ms with ten times more thinking peers than threads.
"""

from __future__ import annotations

import asyncio
import random
import time
from dataclasses import dataclass
from typing import Annotated

import typer
from processes import percentile, plywire_server
from rich.console import Console
from rich.table import Table

from plywire.engine import registry

#: Othello from here on: unlike Connect Four's, searches neither end at once nor prove the result.
OPENING_PLIES = 12


@dataclass
class Sample:
    """One answered `go`."""

    overshoot: float
    """In ms."""
    depth: int
    """0 for a move that no search found."""


async def _peer(port: int, moves: int, movetime: int, seed: int) -> list[Sample]:
    chance = random.Random(seed)
    rules = registry.load("othello")
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"new-game {rules.name}\n".encode())
    await reader.readline()
    samples = []
    for _ in range(moves):
        position = rules.start()
        for _ in range(OPENING_PLIES):
            position = position.play(chance.choice(position.moves()))
        writer.write(f"position {position.fen()}\n".encode())
        await reader.readline()
        depth = 0
        began = time.perf_counter()
        writer.write(f"go movetime {movetime}\n".encode())
        while not (line := await reader.readline()).startswith(b"bestmove "):
            depth = int(line.split()[2])
        elapsed = (time.perf_counter() - began) * 1000
        samples.append(Sample(max(elapsed - movetime, 0.0), depth))
    writer.close()
    await writer.wait_closed()
    return samples


async def _measure(threads: int, moves: int, movetime: int) -> Table:
    table = Table(title=f"go movetime {movetime}, {threads} search threads")
    for heading in ("peers", "moves", "p50 ms", "p99 ms", "max ms", "mean depth", "unsearched"):
        table.add_column(heading, justify="right")
    async with plywire_server("--threads", str(threads)) as (port, *_):
        for peers in sorted({1, threads, 10 * threads}):
            each = -(-moves // peers)
            found = await asyncio.gather(
                *(_peer(port, each, movetime, seed) for seed in range(peers))
            )
            samples = [sample for group in found for sample in group]
            late = [sample.overshoot for sample in samples]
            table.add_row(
                str(peers),
                str(len(samples)),
                *(f"{percentile(late, part):.2f}" for part in (0.5, 0.99, 1.0)),
                f"{sum(sample.depth for sample in samples) / len(samples):.1f}",
                str(sum(sample.depth == 0 for sample in samples)),
            )
    return table


def main(
    threads: Annotated[int, typer.Option(help="Search threads.", min=1)] = 2,
    moves: Annotated[int, typer.Option(help="Moves for each row.", min=1)] = 500,
    movetime: Annotated[int, typer.Option(help="Time for a move, in ms.", min=1)] = 100,
) -> None:
    """Measure the overshoot of `go movetime`."""
    Console().print(asyncio.run(_measure(threads, moves, movetime)))


if __name__ == "__main__":
    typer.run(main)
