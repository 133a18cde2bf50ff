"""How long the report of a large tournament takes, how large it is, and the memory for it.

    python benchmarks/report.py
    python benchmarks/report.py --players 50 --games 32

In a round robin everybody meets everybody; the games are 500 random ones, again and again.
"""

from __future__ import annotations

import asyncio
import os
import random
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import track
from rich.table import Table

from plywire.clients.play.errors import Termination
from plywire.clients.play.judging.accuracy import GameAccuracy, Judged
from plywire.clients.play.matches.records import GameRecord
from plywire.engine.registry import load
from plywire.server.arena.store.journal import Journal
from plywire.server.arena.tournament.config import parse_config
from plywire.server.arena.tournament.plan import Plan
from plywire.server.arena.tournament.scheduled_game import ScheduledGame
from plywire.server.cli.common import screen

_CONFIG = """
name = "Large cup"
format = {{ system = "round-robin", games = {games} }}
games = [{{ game = "connect4", openings = "start" }}]
[players]
{players}
"""
_BEGAN = datetime(2026, 1, 1, tzinfo=UTC)
_PLYWIRE = "from plywire.server.cli import app; app(prog_name='plywire')"
#: Runs a program as a small process does: memory that its parent held would count as its own.
_MEASURE = """
import resource, subprocess, sys, time
began = time.perf_counter()
subprocess.run([sys.executable, *sys.argv[1:]], check=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(time.perf_counter() - began, used.ru_utime + used.ru_stime, used.ru_maxrss)
"""
#: Games written in a transaction.
_BATCH = 10_000


def _plan(players: int, games: int) -> Plan:
    names = "\n".join(f'"player {number}" = "random"' for number in range(players))
    config = parse_config(_CONFIG.format(games=games, players=names))
    return Plan(config=config, openings=(((),),))


class _Games:
    """Random games, and what a judge might say of them."""

    def __init__(self, count: int) -> None:
        chance, rules = random.Random(1), load("connect4")
        self._played = []
        for _ in range(count):
            line = [rules.start()]
            moves = []
            while choices := line[-1].moves():
                move = chance.choice(choices)
                moves.append((rules.move_name(move), chance.randrange(200)))
                line.append(line[-1].play(move))
            result = line[-1].result()
            winner = None if result.winner is None else result.winner + 1
            self._played.append((moves, winner, result.reason))

    def record(self, game: ScheduledGame) -> GameRecord:
        """Such a game of these players."""
        moves, winner, reason = self._played[game.number % len(self._played)]
        return game.ended(
            moves, winner=winner, termination=Termination.NORMAL, reason=reason
        ).model_copy(update={"round": game.round, "started": _began(game)})


def _began(game: ScheduledGame) -> datetime:
    return _BEGAN + timedelta(seconds=game.number)


def _accuracy(record: GameRecord) -> GameAccuracy:
    plies = len(record.moves)
    judged = Judged(moves=plies // 2, best=plies // 3, sound=plies // 3)
    return GameAccuracy(
        values=(0,) * plies + (record.score,),
        players=(judged, judged),
        losing_move=plies - 2 if record.winner else None,
    )


async def _fill(path: Path, plan: Plan, console: Console) -> int:
    """Write a journal as if all the games had been played; returns how many."""
    games = plan.games(plan.schedule({}))
    played = _Games(500)
    async with Journal(path, create=True) as journal:
        cup = await journal.create(plan.config.name, plan.model_dump_json())
        await journal.schedule(cup, games)
        await journal.end(cup, "all games are played")
    batches = [games[first : first + _BATCH] for first in range(0, len(games), _BATCH)]
    with closing(sqlite3.connect(path)) as connection:
        for batch in track(batches, "playing", console=console, transient=True):
            records = [played.record(game) for game in batch]
            connection.executemany(
                "INSERT INTO move VALUES (?, ?, ?, ?, ?)",
                (
                    (cup, record.number, ply, *move)
                    for record in records
                    for ply, move in enumerate(zip(record.moves, record.times, strict=True))
                ),
            )
            connection.executemany(
                "UPDATE game SET started = ?, record = ?, accuracy = ?"
                " WHERE tournament = ? AND number = ?",
                (
                    (
                        *(_began(game).isoformat(timespec="milliseconds"),),
                        *(record.model_dump_json(), _accuracy(record).model_dump_json()),
                        *(cup, record.number),
                    )
                    for game, record in zip(batch, records, strict=True)
                ),
            )
            connection.commit()
    return len(games)


def _report(journal: Path) -> tuple[float, ...]:
    """Of a process of its own: seconds, those of the processor, MB of the page, of all files, and
    of peak memory.
    """
    out = journal.parent / "report"
    out.mkdir()
    page = out / "cup.html"
    arguments = ["-c", _PLYWIRE, "tournament", "report", str(journal), "--out", str(page)]
    # As what is installed has it, with bytecode, which the first run writes.
    environment = os.environ | {"PYTHONPYCACHEPREFIX": str(journal.parent / "bytecode")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    printed = subprocess.run(
        [sys.executable, "-c", _MEASURE, *arguments],
        check=True,
        capture_output=True,
        text=True,
        env=environment,
    ).stdout
    seconds, busy, peak = map(float, printed.splitlines()[-1].split())
    size = sum(file.stat().st_size for file in out.rglob("*") if file.is_file()) / 1e6
    first = page.stat().st_size / 1e6
    for file in sorted(out.rglob("*"), reverse=True):
        file.rmdir() if file.is_dir() else file.unlink()
    out.rmdir()
    # Linux counts in KiB, macOS in bytes.
    unit = 1 if sys.platform == "darwin" else 1024
    return seconds, busy, first, size, peak * unit / 1e6


def main(
    players: Annotated[int, typer.Option(help="How many.")] = 200,
    games: Annotated[int, typer.Option(help="Of each pairing.")] = 2,
    runs: Annotated[int, typer.Option(help="The median of so many is printed.")] = 3,
) -> None:
    """Fill a journal and report on it."""
    console = screen()
    with tempfile.TemporaryDirectory() as temporary:
        journal = Path(temporary) / "cup.journal"
        count = asyncio.run(_fill(journal, _plan(players, games), console))
        measured = sorted(_report(journal) for _ in range(runs))
        seconds, busy, first, size, memory = measured[len(measured) // 2]
    table = Table(
        "players", "games", "s", "CPU s", "MB of the page", "of all files", "peak memory MB"
    )
    table.add_row(
        *(
            str(players),
            f"{count:,}",
            f"{seconds:.2f}",
            f"{busy:.2f}",
            f"{first:.1f}",
            f"{size:.1f}",
        ),
        f"{memory:.0f}",
    )
    console.print(table)


if __name__ == "__main__":
    typer.run(main)
