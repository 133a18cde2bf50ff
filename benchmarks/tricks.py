"""Measuring what a solver's tricks bring, by switching off one after the other.

For each trick the engine's sources are copied to a temporary folder, the trick is taken out of the
copy, and the copy solves the positions, each on an empty table, in a process of its own. Rounds go
over all copies in turn, so that what else the machine does strikes all alike; the medians count.
Scores must agree with those of the engine as it is.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from rich import box
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

ENGINE = Path(__file__).parents[1] / "engine" / "plywire" / "engine"


@dataclass(frozen=True, slots=True)
class Edit:
    """A text that stands once in a file of the engine, and what to put in its place."""

    file: str
    old: str
    new: str

    def apply(self, folder: Path) -> None:
        """Edit the file. Raises SystemExit if the text does not stand there exactly once."""
        path = folder / self.file
        source = path.read_text()
        if source.count(self.old) != 1:
            sys.exit(f"{path.name} has {source.count(self.old)} times, not once: {self.old!r}")
        path.write_text(source.replace(self.old, self.new))


@dataclass(frozen=True, slots=True)
class Trick:
    """A trick, and how to switch it off."""

    name: str
    edits: tuple[Edit, ...] = ()
    environment: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Figures:
    """What solving a suite came to, a position."""

    ms: float
    nodes: float
    scores: tuple[object, ...]


class Copy:
    """A copy of the engine without one trick."""

    def __init__(self, trick: Trick, folder: Path, worker: str) -> None:
        """Make the copy in a folder that does not exist yet; `worker` is the program it runs."""
        self.trick = trick
        self._folder = folder
        self._worker = worker
        sources = folder / "plywire" / "engine"
        shutil.copytree(ENGINE, sources, ignore=shutil.ignore_patterns("__pycache__"))
        for edit in trick.edits:
            edit.apply(sources)

    def run(self, suites: list[Path], table_mb: int) -> list[Figures]:
        """Solve suites.

        The worker's arguments are the folder, the table's MB and the suites' files. It prints a
        list with an object a suite: `ms` and `nodes` a position, and the `scores`. Raises
        SystemExit if it fails.
        """
        environment = {
            **os.environ,
            "PYTHONPATH": str(self._folder),
            "PLYWIRE_CACHE_DIR": str(self._folder / "cache"),
            **dict(self.trick.environment),
        }
        arguments = [str(self._folder), str(table_mb), *map(str, suites)]
        process = subprocess.run(
            [sys.executable, "-c", self._worker, *arguments],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        if process.returncode:
            sys.exit(f"without {self.trick.name}:\n{process.stderr}")
        return [
            Figures(row["ms"], row["nodes"], tuple(map(str, row["scores"])))
            for row in json.loads(process.stdout)
        ]


def write_suites(chosen: Sequence[str], folder: Path) -> list[Path]:
    """Write the beginnings of files, given as FILE or FILE:LIMIT, into files of the folder."""
    suites = []
    for number, name in enumerate(chosen):
        file, _, limit = name.partition(":")
        lines = Path(file).read_text().splitlines()
        suites.append(folder / f"suite-{number}")
        suites[-1].write_text("\n".join(lines[: int(limit) if limit else None]))
    return suites


def named(tricks: Sequence[Trick], texts: Sequence[str] | None) -> list[Trick]:
    """The first, which is none, and those whose names hold one of the texts; without texts, all."""
    first, *others = tricks
    return [first, *(it for it in others if not texts or any(text in it.name for text in texts))]


def measure(
    tricks: Sequence[Trick], suites: list[Path], worker: str, *, rounds: int, table_mb: int
) -> None:
    """Print how many times the nodes and the CPU time it takes without each trick but the first.

    The first is none: the engine as it is.
    """
    with TemporaryDirectory() as name, Progress(console=Console(stderr=True)) as progress:
        folder = Path(name)
        copies = [Copy(trick, folder / str(number), worker) for number, trick in enumerate(tricks)]

        bar = progress.add_task("compiling", total=len(copies))
        figures: list[list[list[Figures]]] = [[] for _ in copies]
        with ThreadPoolExecutor(os.cpu_count()) as threads:
            for _ in threads.map(lambda copy: copy.run(suites, table_mb), copies):
                progress.advance(bar)

        bar = progress.add_task("measuring", total=len(copies) * rounds)
        for _ in range(rounds):
            for copy, found in zip(copies, figures, strict=True):
                found.append(copy.run(suites, table_mb))
                progress.advance(bar)

    table = Table("Switched off", box=box.MARKDOWN)
    for path in suites:
        table.add_column(f"{path.name}: nodes", justify="right")
        table.add_column("CPU time", justify="right")
    for copy, found in zip(copies, figures, strict=True):
        cells = [copy.trick.name]
        for at in range(len(suites)):
            base = figures[0]
            if any(row[at].scores != base[0][at].scores for row in found):
                sys.exit(f"without {copy.trick.name} scores differ: that switches off more")
            if copy is copies[0]:
                ms = statistics.median(row[at].ms for row in found)
                cells += [f"{found[0][at].nodes:,.0f}", f"{ms:.3g} ms"]
                continue
            times = [row[at].ms / other[at].ms for row, other in zip(found, base, strict=True)]
            nodes = found[0][at].nodes / base[0][at].nodes
            cells += [f"x {nodes:.2f}", f"x {statistics.median(times):.2f}"]
        table.add_row(*cells)
    Console(width=160).print(table)
