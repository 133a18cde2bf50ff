"""What each trick of the Connect Four solver brings, measured by switching it off.

    python benchmarks/connect4_tricks.py
    python benchmarks/connect4_tricks.py --suite middle.txt:300 --suite opening.txt:15

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
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer
from connect4_positions import random_positions
from rich import box
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

ENGINE = Path(__file__).parents[1] / "engine" / "plywire" / "engine"
SOLVER = Path("connect4") / "solver"

#: Positions made when there is no suite: stones on the board, and how many.
RANDOM = ((20, 300), (14, 30))
SEED = 1

#: Solves the suites whose files its arguments name; the kernels are loaded before it measures.
WORKER = """
import json, sys
from pathlib import Path
from plywire.engine.connect4.rules import Connect4
from plywire.engine.connect4.solver import solver, suite

folder, table_mb, *paths = sys.argv[1:]
if not Path(solver.__file__).is_relative_to(folder):
    sys.exit(f"{solver.__file__} is not the copy in {folder}")
it = solver.Solver(table_mb=int(table_mb))
results = []
for path in paths:
    cases = suite.read(Connect4(), Path(path).read_text().splitlines())
    it.timed(cases[0].position)
    before, seconds, scores = it.nodes, 0.0, []
    for case in cases:
        found, took = it.timed(case.position)
        seconds += took
        scores.append((found.lower, found.upper))
    nodes = (it.nodes - before) / len(cases)
    results.append({"ms": seconds * 1e3 / len(cases), "nodes": nodes, "scores": scores})
print(json.dumps(results))
"""


@dataclass(frozen=True, slots=True)
class Edit:
    """A text that stands once in a file of the solver, and what to put in its place."""

    file: str
    old: str
    new: str

    def apply(self, folder: Path) -> None:
        """Edit the file. Raises SystemExit if the text does not stand there exactly once."""
        path = folder / SOLVER / self.file
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


def _cpu(name: str) -> tuple[tuple[str, str], ...]:
    return (("NUMBA_CPU_NAME", name), ("NUMBA_CPU_FEATURES", ""))


def _search(old: str, new: str) -> Edit:
    return Edit("search.py", old, new)


_IS_WON = "if or_reduce((replies == _NONE) & (landing != _NONE)) != _NONE:"
_CHAINS = "chains = single(replies) & live"
# Where all columns but one are full the chain is the end of the game: that is left in.
_NO_CHAINS = _search(_CHAINS, "chains = single(landing) & live")
_MOVES = "    moves = load64(node + MOVES)\n"
_LOW = "low = -score_of_win(geometry, ply + np.int64(3))"
_PROBE = """    known = find(entry_of(geometry, context, key, ply), key)
    if known != _NONE:
        low = max(low, lower_bound(known))
        high = min(high, upper_bound(known))
"""
_ENTRY = "    entry = entry_of(geometry, context, key, ply)\n"
_NO_EVEN = Edit("proofs.py", "proof += _even_case(geometry, leader, follower, ~odd, deep)", "pass")
_NO_ODD = Edit("proofs.py", "proof += _odd_case(geometry, leader, follower, odd)", "pass")
_THREATS = "value = popcount(completes) * u64x8(_THREAT_WEIGHT)"
_NEXT = "value += popcount(completes & landing << _ONE) * u64x8(_NEXT_WEIGHT)"
_ROWS = "value += popcount(completes & rows) * u64x8(_ROW_WEIGHT)"
_QUICK_WIN = "if step == np.int64(0) and low <= high"
_QUICK_LOSS = "if step <= np.int64(1) and low <= -(-low"
_WINDOW = "alpha, alpha + np.int64(1))"
_NARROWING = """        if value > alpha:
            low = max(low, value)
        else:
            high = min(high, value)
"""

TRICKS = (
    Trick("(all switched on)"),
    Trick("512-bit vectors", environment=_cpu("x86-64-v3")),
    Trick("256-bit vectors too", environment=_cpu("x86-64-v2")),
    Trick(
        "double threats and forced chains before a child is searched",
        (
            _NO_CHAINS,
            _search(_IS_WON, "if count == _NONE:"),
            _search(
                _MOVES,
                _MOVES
                + "    if moves == _NONE:\n"
                + "        return -score_of_win(geometry, ply + np.int64(1))\n",
            ),
            _search(_LOW, _LOW.replace("3", "3 if load64(child + MOVES) != _NONE else 1")),
        ),
    ),
    Trick("forced chains alone", (_NO_CHAINS,)),
    Trick(
        "children's entries looked up first",
        (
            _search(_PROBE, ""),
            _search(
                _ENTRY,
                _ENTRY
                + _PROBE
                + "        if low >= beta:\n            return low\n"
                + "        if high <= alpha:\n            return high\n",
            ),
        ),
    ),
    Trick(
        "entries fetched ahead",
        (_search("prefetch(entry_of(geometry, context, load64(child + KEY), child_ply))", "pass"),),
    ),
    Trick("near table", (_search("_NEAR_CELLS = np.int64(20)", "_NEAR_CELLS = np.int64(-1)"),)),
    Trick("huge pages", (Edit("memory.py", "memory.madvise(mmap.MADV_HUGEPAGE)", "pass"),)),
    Trick(
        "colourless stones",
        (
            Edit(
                "keys.py",
                "colourless = _colourless(geometry, mover, other)",
                "colourless = mover ^ mover",
            ),
        ),
    ),
    Trick(
        "mirrored keys",
        (Edit("keys.py", "_MIRROR_CELLS = np.int64(28)", "_MIRROR_CELLS = np.int64(64)"),),
    ),
    Trick("follow-up proofs", (_NO_EVEN, _NO_ODD)),
    Trick("their odd case", (_NO_ODD,)),
    Trick(
        "their cuts below threats",
        (
            Edit("proofs.py", "| odd_lowest) & ~cut", "| odd_lowest)"),
            Edit("proofs.py", "| below) & ~cut", "| below)"),
        ),
    ),
    Trick("their losses", (_search("odd, beta > np.int64(0))", "odd, False)"),)),
    Trick(
        "ordering by threats",
        tuple(
            Edit("children.py", old, new)
            for old, new in (
                (_THREATS, "value = u64x8(_NONE)"),
                (_NEXT, "pass"),
                (_ROWS, "pass"),
            )
        ),
    ),
    Trick("threats for the next turn first", (Edit("children.py", _NEXT, "pass"),)),
    Trick("threats on good rows first", (Edit("children.py", _ROWS, "pass"),)),
    Trick(
        "windows at quick results first",
        (
            Edit("root.py", _QUICK_WIN, _QUICK_WIN.replace("== np.int64(0)", "< np.int64(0)")),
            Edit("root.py", _QUICK_LOSS, _QUICK_LOSS.replace("<= np.int64(1)", "< np.int64(0)")),
        ),
    ),
    Trick(
        "null windows",
        (
            Edit("root.py", _WINDOW, "low - np.int64(1), high + np.int64(1))"),
            Edit("root.py", _NARROWING, "        low = high = value\n"),
        ),
    ),
)


@dataclass(frozen=True, slots=True)
class Figures:
    """What solving a suite came to, a position."""

    ms: float
    nodes: float
    scores: tuple[tuple[int, int], ...]


class Copy:
    """A copy of the engine without one trick."""

    def __init__(self, trick: Trick, folder: Path) -> None:
        """Make the copy in a folder that does not exist yet."""
        self.trick = trick
        self._folder = folder
        sources = folder / "plywire" / "engine"
        shutil.copytree(ENGINE, sources, ignore=shutil.ignore_patterns("__pycache__"))
        for edit in trick.edits:
            edit.apply(sources)

    def run(self, suites: list[Path], table_mb: int) -> list[Figures]:
        """Solve suites. Raises SystemExit if that fails."""
        environment = {
            **os.environ,
            "PYTHONPATH": str(self._folder),
            "PLYWIRE_CACHE_DIR": str(self._folder / "cache"),
            **dict(self.trick.environment),
        }
        arguments = [str(self._folder), str(table_mb), *map(str, suites)]
        process = subprocess.run(
            [sys.executable, "-c", WORKER, *arguments],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        if process.returncode:
            sys.exit(f"without {self.trick.name}:\n{process.stderr}")
        return [
            Figures(row["ms"], row["nodes"], tuple(map(tuple, row["scores"])))
            for row in json.loads(process.stdout)
        ]


def _write_suites(chosen: list[str], folder: Path) -> list[Path]:
    """Write the positions to solve into files of the folder; scores are left out of account."""
    suites = []
    for number, name in enumerate(chosen):
        file, _, limit = name.partition(":")
        lines = Path(file).read_text().splitlines()
        suites.append(folder / f"suite-{number}")
        suites[-1].write_text("\n".join(lines[: int(limit) if limit else None]))
    for stones, count in () if chosen else RANDOM:
        suites.append(folder / f"random-{stones}")
        positions = islice(random_positions(stones, SEED), count)
        suites[-1].write_text("".join(f"{moves} 0\n" for moves in positions))
    return suites


def main(
    suite: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE[:LIMIT]",
            help="Positions, one a line: the moves so far and the score. Made at random if left"
            " out.",
        ),
    ] = None,
    only: Annotated[
        list[str] | None, typer.Option(help="Measure the tricks whose names hold this text.")
    ] = None,
    rounds: Annotated[int, typer.Option(min=1)] = 5,
    table_mb: Annotated[int, typer.Option("--table", help="MB of the table.", min=1)] = 64,
) -> None:
    """Switch off one trick after the other; print how many times the nodes and the CPU time."""
    tricks = [TRICKS[0]]
    tricks += [it for it in TRICKS[1:] if not only or any(text in it.name for text in only)]
    with TemporaryDirectory() as name, Progress(console=Console(stderr=True)) as progress:
        folder = Path(name)
        suites = _write_suites(suite or [], folder)
        copies = [Copy(trick, folder / str(number)) for number, trick in enumerate(tricks)]

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


if __name__ == "__main__":
    typer.run(main)
