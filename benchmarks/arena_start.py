"""How long a server takes to open an arena in which many games were played, and its memory then.

    python benchmarks/arena_start.py
    python benchmarks/arena_start.py --games 1000000

A thousandth of the games are a tournament's, which is over; in the others bots met by themselves.
Linux only, for it reads the server's memory from /proc.
"""

import asyncio
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated

import typer
from processes import plywire_server, resident_memory
from rich.console import Console
from rich.progress import track
from rich.table import Table

from plywire.clients.play.errors import Termination
from plywire.protocol.messages.limits import Limits
from plywire.server.arena.arena import open_folder
from plywire.server.arena.store.journal import Journal, journal_of
from plywire.server.arena.tournament.config import SERIES
from plywire.server.arena.tournament.scheduled_game import ScheduledGame
from plywire.server.cli.common import screen

_MOVES = tuple((name, 5) for name in ("a1", "a2", "b1", "b2", "c1"))
_BEGAN = datetime(2026, 1, 1, tzinfo=UTC)
#: Games written in a transaction.
_BATCH = 10_000


async def _fill(folder: Path, games: int, console: Console) -> None:
    """Write an arena's journal as if so many games had been played there."""
    open_folder(folder)
    path = journal_of(folder)
    async with Journal(path, create=True) as journal:
        limits = Limits(movetime=1000)
        series = await journal.create(SERIES, limits.model_dump_json())
    with closing(sqlite3.connect(path)) as connection:
        for first in track(range(0, games, _BATCH), "playing", console=console, transient=True):
            numbers = range(first, min(first + _BATCH, games))
            connection.executemany(
                "INSERT INTO game VALUES (?, ?, 1, ?, ?, ?, ?, ?, '', ?, NULL, NULL)",
                (_row(series, _scheduled(number)) for number in numbers),
            )
            connection.executemany(
                "INSERT INTO move VALUES (?, ?, ?, ?, ?)", _moves(series, numbers)
            )
            connection.executemany(
                "UPDATE game SET record = ? WHERE tournament = ? AND number = ?",
                ((_record(_scheduled(number)), series, number) for number in numbers),
            )
            connection.commit()


def _scheduled(number: int) -> ScheduledGame:
    players = f"bot{number % 97}", f"bot{97 + number % 89}"
    return ScheduledGame(number, 1, "tictactoe", "3x3", players, "... ... ... x", ())


def _row(series: int, game: ScheduledGame) -> tuple[object, ...]:
    started = (_BEGAN + timedelta(seconds=game.number)).isoformat(timespec="milliseconds")
    return series, game.number, game.game, game.size, *game.players, game.fen, started


def _moves(series: int, numbers: range) -> Iterator[tuple[object, ...]]:
    for number in numbers:
        for ply, (name, ms) in enumerate(_MOVES):
            yield series, number, ply, name, ms


def _record(game: ScheduledGame) -> str:
    return game.ended(
        _MOVES, winner=1, termination=Termination.NORMAL, reason="three in a row"
    ).model_dump_json()


async def _start(folder: Path) -> tuple[float, float]:
    """Seconds until a server of that arena listens, and its memory in MB a little later."""
    began = time.perf_counter()
    async with plywire_server("--arena", str(folder), "--no-warmup") as served:
        seconds = time.perf_counter() - began
        await asyncio.sleep(2)  # the latest games are told anew
        return seconds, resident_memory(served.pid)


async def _measure(counts: list[int], console: Console) -> None:
    table = Table("finished games", "file MB", "start s", "server MB")
    for count in counts:
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary) / "arena"
            await _fill(folder, count, console)
            size = journal_of(folder).stat().st_size / 1e6
            runs = [await _start(folder) for _ in range(3)]
            seconds, memory = sorted(runs)[1]
            table.add_row(f"{count:,}", f"{size:.0f}", f"{seconds:.2f}", f"{memory:.0f}")
    console.print(table)


def main(
    games: Annotated[list[int] | None, typer.Option(help="How many; may be repeated.")] = None,
) -> None:
    """Fill an arena, and start a server there three times; prints the median."""
    asyncio.run(_measure(games or [0, 20_000], screen()))


if __name__ == "__main__":
    typer.run(main)
