"""What each trick of the Connect Four solver brings, measured by switching it off.

    python benchmarks/connect4_tricks.py
    python benchmarks/connect4_tricks.py --suite middle.txt:300 --suite opening.txt:15

`tricks.py` tells how it is measured.
"""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer
from connect4_positions import random_positions
from tricks import Edit, Trick, measure, named, write_suites

SOLVER = "connect4/solver/"

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


def _cpu(name: str) -> tuple[tuple[str, str], ...]:
    return (("NUMBA_CPU_NAME", name), ("NUMBA_CPU_FEATURES", ""))


def _solver(file: str, old: str, new: str) -> Edit:
    return Edit(SOLVER + file, old, new)


def _search(old: str, new: str) -> Edit:
    return _solver("search.py", old, new)


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
_NO_EVEN = _solver(
    "proofs.py", "proof += _even_case(geometry, leader, follower, ~odd, deep)", "pass"
)
_NO_ODD = _solver("proofs.py", "proof += _odd_case(geometry, leader, follower, odd)", "pass")
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
    Trick("huge pages", (_solver("memory.py", "memory.madvise(mmap.MADV_HUGEPAGE)", "pass"),)),
    Trick(
        "colourless stones",
        (
            _solver(
                "keys.py",
                "colourless = _colourless(geometry, mover, other)",
                "colourless = mover ^ mover",
            ),
        ),
    ),
    Trick(
        "mirrored keys",
        (_solver("keys.py", "_MIRROR_CELLS = np.int64(28)", "_MIRROR_CELLS = np.int64(64)"),),
    ),
    Trick("follow-up proofs", (_NO_EVEN, _NO_ODD)),
    Trick("their odd case", (_NO_ODD,)),
    Trick(
        "their cuts below threats",
        (
            _solver("proofs.py", "| odd_lowest) & ~cut", "| odd_lowest)"),
            _solver("proofs.py", "| below) & ~cut", "| below)"),
        ),
    ),
    Trick("their losses", (_search("odd, beta > np.int64(0))", "odd, False)"),)),
    Trick(
        "ordering by threats",
        tuple(
            _solver("children.py", old, new)
            for old, new in (
                (_THREATS, "value = u64x8(_NONE)"),
                (_NEXT, "pass"),
                (_ROWS, "pass"),
            )
        ),
    ),
    Trick("threats for the next turn first", (_solver("children.py", _NEXT, "pass"),)),
    Trick("threats on good rows first", (_solver("children.py", _ROWS, "pass"),)),
    Trick(
        "windows at quick results first",
        (
            _solver("root.py", _QUICK_WIN, _QUICK_WIN.replace("== np.int64(0)", "< np.int64(0)")),
            _solver("root.py", _QUICK_LOSS, _QUICK_LOSS.replace("<= np.int64(1)", "< np.int64(0)")),
        ),
    ),
    Trick(
        "null windows",
        (
            _solver("root.py", _WINDOW, "low - np.int64(1), high + np.int64(1))"),
            _solver("root.py", _NARROWING, "        low = high = value\n"),
        ),
    ),
)


def _write_random(folder: Path) -> list[Path]:
    """Write positions made at random into files of the folder; scores are left out of account."""
    suites = []
    for stones, count in RANDOM:
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
    with TemporaryDirectory() as name:
        folder = Path(name)
        suites = write_suites(suite, folder) if suite else _write_random(folder)
        measure(named(TRICKS, only), suites, WORKER, rounds=rounds, table_mb=table_mb)


if __name__ == "__main__":
    typer.run(main)
