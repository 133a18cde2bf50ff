"""How late and how deep `go movetime` is answered, for one client up to a hundred a thread.

    python benchmarks/movetime.py

Each client asks for the next move at once. Its clock runs from before it writes `go` to after it
has read `bestmove`. The delay is the time beyond the movetime. Aims: its 99th percentile stays
under 10 ms with free threads, and under 50 ms with a hundred times more clients than threads. All
clients get a move; without a free thread, it has depth 1.
"""

import asyncio
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle
from typing import Annotated

import typer
from processes import percentile, plywire_server
from rich.table import Table

from plywire.clients.play.matches.openings import random_opening
from plywire.engine import registry
from plywire.server.cli.common import screen

#: After this opening, hardly a search ends at once or proves the result.
OPENING_PLIES = 12
#: Number of positions that clients ask about.
_POSITIONS = 200


@dataclass
class Sample:
    """One answered `go`."""

    overshoot: float
    """In ms."""
    depth: int
    """0 for a move without any search."""


class _Peer(asyncio.Protocol):
    """Asks again and again, and costs little time compared with the server."""

    def __init__(self, game: str, questions: Sequence[bytes], movetime: int) -> None:
        self.samples: list[Sample] = []
        self._game = game
        self._questions = cycle(questions)
        self._movetime = movetime
        self._rest = b""
        self._depth = 0
        self._began = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        if not isinstance(transport, asyncio.Transport):
            raise TypeError(f"no stream: {transport!r}")
        self.transport = transport
        transport.write(f"new-game {self._game}\n".encode())
        self._ask()

    def data_received(self, data: bytes) -> None:
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            if line.startswith(b"info depth "):
                self._depth = int(line.split(None, 3)[2])
            elif line.startswith(b"bestmove "):
                elapsed = (time.perf_counter() - self._began) * 1000
                self.samples.append(Sample(max(elapsed - self._movetime, 0.0), self._depth))
                self._ask()
            elif line.startswith(b"error "):
                raise RuntimeError(line.decode())

    def _ask(self) -> None:
        self._depth = 0
        self._began = time.perf_counter()
        self.transport.write(next(self._questions))


def _questions(game: str, movetime: int) -> list[bytes]:
    """Make the questions, which are the same at every call."""
    chance = random.Random(1)
    rules = registry.load(game)
    plies = min(OPENING_PLIES, rules.start().plies_left // 2)  # small boards are soon full
    openings = (random_opening(rules, plies, chance).position for _ in range(_POSITIONS))
    return [f"position {it.fen()}\ngo movetime {movetime}\n".encode() for it in openings]


async def _measure(
    game: str, threads: int, peers: Sequence[int], seconds: float, movetime: int
) -> Table:
    table = Table(title=f"{game}, go movetime {movetime}, {threads} search threads")
    table.add_column("peers", justify="right")
    late_headings = ("late p50", "p99", "p99.5", "max")
    for heading in ("a second", *late_headings, "depth p1", "p50", "p99", "at most 1"):
        table.add_column(heading, justify="right")
    # Sessions of the row before may still be open.
    flags = ("--max-sessions", str(sum(peers) + 1))
    questions = _questions(game, movetime)
    loop = asyncio.get_running_loop()
    async with plywire_server("--threads", str(threads), *flags) as (port, *_):
        for count in peers:
            crowd = []
            for number in range(count):
                start = number * len(questions) // count
                asked = questions[start:] + questions[:start]
                _, peer = await loop.create_connection(
                    lambda asked=asked: _Peer(game, asked, movetime),  # type: ignore[misc]
                    "127.0.0.1",
                    port,
                )
                crowd.append(peer)
            await asyncio.sleep(seconds)
            for peer in crowd:
                peer.transport.abort()
            samples = [sample for peer in crowd for sample in peer.samples]
            if not samples:
                raise SystemExit(f"none of {count} peers was answered in {seconds:g} s")
            late = [sample.overshoot for sample in samples]
            depths = [sample.depth for sample in samples]
            table.add_row(
                str(count),
                f"{len(samples) / seconds:.0f}",
                *(f"{percentile(late, part):.1f}" for part in (0.5, 0.99, 0.995, 1.0)),
                *(str(percentile(depths, part)) for part in (0.01, 0.5, 0.99)),
                f"{sum(depth <= 1 for depth in depths) / len(depths):.1%}",
            )
    return table


def main(
    game: Annotated[str, typer.Option(help="What is played.")] = "othello",
    threads: Annotated[int, typer.Option(help="Search threads.", min=1)] = 2,
    peers: Annotated[list[int] | None, typer.Option(help="How many ask, for each row.")] = None,
    seconds: Annotated[float, typer.Option(help="How long to measure each row.", min=1)] = 10,
    movetime: Annotated[int, typer.Option(help="Time for a move, in ms.", min=1)] = 100,
) -> None:
    """Measure the overshoot of `go movetime`."""
    rows = peers or sorted({1, threads, 10 * threads, 100 * threads})
    screen().print(asyncio.run(_measure(game, threads, rows, seconds, movetime)))


if __name__ == "__main__":
    typer.run(main)
