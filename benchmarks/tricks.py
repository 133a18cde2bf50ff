"""Measuring what a solver's tricks bring, by switching off one after the other.

Kernels see the constants and functions of their modules as these are when they are compiled. So a
process of its own, with a cache of its own, replaces those that make up a trick before it solves
the positions, each on an empty table. Rounds go over all tricks in turn, so that what else the
machine does strikes all alike; the medians count. Scores must agree with those of the engine as it
is.
"""

import importlib
import json
import os
import statistics
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import numba
import typer
from rich import box
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from plywire.server.cli.common import screen

_WORKER = "import sys, tricks; tricks.work(*sys.argv[1:])"


@dataclass(frozen=True, slots=True)
class Trick:
    """A trick, and how to switch it off."""

    name: str
    replacements: tuple[tuple[str, Any], ...] = ()
    """Names in modules, in full, and what is to stand there instead."""
    environment: tuple[tuple[str, str], ...] = ()

    def switch_off(self) -> None:
        """Replace what makes it up. Raises AttributeError if something is not there."""
        for name, value in self.replacements:
            module, _, attribute = name.rpartition(".")
            place = importlib.import_module(module)
            getattr(place, attribute)
            setattr(place, attribute, value)


@dataclass(frozen=True, slots=True)
class Figures:
    """What solving a suite came to, a position."""

    ms: float
    nodes: float
    scores: tuple[object, ...]


def expanded(function: Callable[..., Any]) -> Any:
    """Compile what stands in for a kernel that calls itself, and calls that kernel.

    It is written out in its callers before their types are inferred, so the kernel goes on calling
    itself. If the two called each other, a process that loads them from the cache would crash:
    Numba tells them where to find each other when it compiles them, and only then.
    """
    return numba.njit(function, nogil=True, error_model="numpy", inline="always")


def work(game: str, trick: str, table_mb: str, *suites: str) -> None:
    """Print what solving suites comes to without a trick of a game's module, which does so.

    Its `solve` returns an object a suite: `ms` and `nodes` a position, and the `scores`.
    """
    module = importlib.import_module(game)
    next(it for it in module.TRICKS if it.name == trick).switch_off()
    print(json.dumps([module.solve(Path(suite), int(table_mb)) for suite in suites]))


def _run(game: str, trick: Trick, suites: list[Path], table_mb: int, cache: Path) -> list[Figures]:
    """Let a process do the work. Raises SystemExit if it fails."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(Path(__file__).parent),
        "PLYWIRE_CACHE_DIR": str(cache),
        **dict(trick.environment),
    }
    process = subprocess.run(
        [sys.executable, "-c", _WORKER, game, trick.name, str(table_mb), *map(str, suites)],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if process.returncode:
        sys.exit(f"without {trick.name}:\n{process.stderr}")
    return [
        Figures(row["ms"], row["nodes"], tuple(map(str, row["scores"])))
        for row in json.loads(process.stdout)
    ]


def run(game: str, tricks: Sequence[Trick], write_usual: Callable[[Path], list[Path]]) -> None:
    """The command line of the module `game`, whose tricks they are; the first one is none.

    `write_usual` writes the suites that are solved if none is given into files of a folder.
    """

    def main(
        suite: Annotated[
            list[str] | None,
            typer.Option(metavar="FILE[:LIMIT]", help="Positions, one a line; else the usual."),
        ] = None,
        only: Annotated[
            list[str] | None, typer.Option(help="Measure the tricks whose names hold this text.")
        ] = None,
        rounds: Annotated[int, typer.Option(min=1)] = 3,
        table_mb: Annotated[int, typer.Option("--table", help="MB of the table.", min=1)] = 64,
    ) -> None:
        """Switch off one trick after the other; print how many times the nodes and the CPU time."""
        none, *others = tricks
        chosen = [it for it in others if not only or any(text in it.name for text in only)]
        with TemporaryDirectory() as name:
            suites = _beginnings(suite, Path(name)) if suite else write_usual(Path(name))
            _measure(game, [none, *chosen], suites, rounds, table_mb)

    typer.run(main)


def _beginnings(chosen: Sequence[str], folder: Path) -> list[Path]:
    """Write the beginnings of files, given as FILE or FILE:LIMIT, into files of the folder."""
    suites = []
    for number, name in enumerate(chosen):
        file, _, limit = name.partition(":")
        lines = Path(file).read_text().splitlines()
        suites.append(folder / f"suite-{number}")
        suites[-1].write_text("\n".join(lines[: int(limit) if limit else None]))
    return suites


def _measure(
    game: str, tricks: Sequence[Trick], suites: list[Path], rounds: int, table_mb: int
) -> None:
    """Print how many times the nodes and the CPU time it takes without each trick but the first."""
    with TemporaryDirectory() as name, Progress(console=Console(stderr=True)) as progress:

        def run(number: int) -> list[Figures]:
            return _run(game, tricks[number], suites, table_mb, Path(name) / str(number))

        numbers = range(len(tricks))
        bar = progress.add_task("compiling", total=len(tricks))
        figures: list[list[list[Figures]]] = [[] for _ in tricks]
        with ThreadPoolExecutor(os.cpu_count()) as threads:
            for _ in threads.map(run, numbers):
                progress.advance(bar)

        bar = progress.add_task("measuring", total=len(tricks) * rounds)
        for _ in range(rounds):
            for number in numbers:
                figures[number].append(run(number))
                progress.advance(bar)

    table = Table("Switched off", box=box.MARKDOWN)
    for path in suites:
        table.add_column(f"{path.name}: nodes", justify="right")
        table.add_column("CPU time", justify="right")
    for trick, found in zip(tricks, figures, strict=True):
        cells = [trick.name]
        for at in range(len(suites)):
            base = figures[0]
            if any(row[at].scores != base[0][at].scores for row in found):
                sys.exit(f"without {trick.name} scores differ: that switches off more")
            if trick is tricks[0]:
                ms = statistics.median(row[at].ms for row in found)
                cells += [f"{found[0][at].nodes:,.0f}", f"{ms:.3g} ms"]
                continue
            times = [row[at].ms / other[at].ms for row, other in zip(found, base, strict=True)]
            nodes = found[0][at].nodes / base[0][at].nodes
            cells += [f"x {nodes:.2f}", f"x {statistics.median(times):.2f}"]
        table.add_row(*cells)
    screen().print(table)
