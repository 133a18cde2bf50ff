"""What each trick of the Connect Four solver brings, measured by switching it off.

    python benchmarks/connect4_tricks.py
    python benchmarks/connect4_tricks.py --suite middle.txt:300 --suite opening.txt:15

`tricks.py` tells how it is measured.
"""

import mmap
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from connect4_positions import random_positions
from tricks import Trick, expanded, run

from plywire.engine.compiled.constants import NONE
from plywire.engine.compiled.intrinsics import load64, or_reduce, store64, u64x8
from plywire.engine.compiled.kernel import kernel
from plywire.engine.connect4.rules import Connect4
from plywire.engine.connect4.solver import proofs, search
from plywire.engine.connect4.solver.children import WORST
from plywire.engine.connect4.solver.forced import score_of_win
from plywire.engine.connect4.solver.lines import landings
from plywire.engine.connect4.solver.memory import HIGH, KEY, LOW, MOVES, PLY
from plywire.engine.connect4.solver.solver import Solver
from plywire.engine.connect4.solver.suite import read
from plywire.engine.connect4.solver.table import lower_bound, probe, upper_bound

#: Positions made when there is no suite: stones on the board, and how many.
RANDOM = ((20, 300), (14, 30))
SEED = 1


def solve(suite: Path, table_mb: int) -> dict[str, Any]:
    """Solve a suite; the kernels are loaded before it measures."""
    cases = read(Connect4(), suite.read_text().splitlines())
    solver = Solver(table_mb=table_mb)
    solver.timed(cases[0].position)
    before, seconds, scores = solver.nodes, 0.0, []
    for case in cases:
        found, took = solver.timed(case.position)
        seconds += took
        scores.append((found.lower, found.upper))
    nodes = (solver.nodes - before) / len(cases)
    return {"ms": seconds * 1e3 / len(cases), "nodes": nodes, "scores": scores}


# What stands in for parts of the solver. The originals are remembered, as these replace them.

_search, _known_bounds, _entry_of = search.search, search._known_bounds, search.entry_of
_follow_up = proofs.follow_up


@kernel
def _nothing(word: Any) -> Any:
    """Instead of what finds bits or fetches memory."""
    return word ^ word


@kernel
def _no_proof(
    geometry: Any, leader: Any, follower: Any, threats: Any, which: Any, deep: Any
) -> Any:
    return u64x8(NONE)


@kernel
def _no_odd_proof(geometry: Any, leader: Any, follower: Any, threats: Any, odd: Any) -> Any:
    return u64x8(NONE)


@kernel
def _no_cut(geometry: Any, squares: Any) -> Any:
    return squares ^ squares


@kernel
def _no_history(averages: Any, square: Any) -> Any:
    return np.int64(0)


@kernel
def _no_losses(geometry: Any, leader: Any, follower: Any, threats: Any, odd: Any, deep: Any) -> Any:
    return _follow_up(geometry, leader, follower, threats, odd, False)


@kernel
def _no_double_threat(lanes: Any) -> Any:
    return NONE


@kernel
def _no_colourless(geometry: Any, mover: Any, other: Any) -> Any:
    return mover ^ mover


@kernel
def _full_boards(
    geometry: Any, first: Any, second: Any, replies: Any, completes: Any, chains: Any, ply: Any
) -> Any:
    """Instead of playing chains: of the children only full boards are decided."""
    full = (landings(geometry, first | second) == NONE) & chains
    best = np.int64(0) if or_reduce(full) != NONE else WORST
    return first, second, replies, completes, u64x8(np.uint64(ply)), best, full


@expanded
def _search_lost(geometry: Any, context: Any, node: Any, frame: Any, alpha: Any, beta: Any) -> Any:
    """A search of nodes that may be lost at once."""
    if load64(node + MOVES) == NONE:
        search._count_node(context)
        return -score_of_win(geometry, np.int64(load64(node + PLY)) + np.int64(1))
    return _search(geometry, context, node, frame, alpha, beta)


@kernel
def _bounds_of_lost(geometry: Any, context: Any, child: Any) -> Any:
    low, high = _known_bounds(geometry, context, child)
    if load64(child + MOVES) == NONE:
        low = -score_of_win(geometry, np.int64(load64(child + PLY)) + np.int64(1))
    return low, high


@kernel
def _static_bounds(geometry: Any, context: Any, child: Any) -> Any:
    """What is known of a child without looking it up."""
    ply = np.int64(load64(child + PLY))
    proof = np.int64(load64(child + search.PROOF))
    high = score_of_win(geometry, ply + np.int64(2))
    if proof != np.int64(0):
        high = min(high, np.int64(1) - proof)
    return -score_of_win(geometry, ply + np.int64(3)), high


@expanded
def _search_looked_up(
    geometry: Any, context: Any, node: Any, frame: Any, alpha: Any, beta: Any
) -> Any:
    """A search of nodes that are looked up only now."""
    key = load64(node + KEY)
    known = probe(_entry_of(geometry, context, key, np.int64(load64(node + PLY))), key)
    if known != NONE:
        low = max(np.int64(load64(node + LOW)), lower_bound(known))
        high = min(np.int64(load64(node + HIGH)), upper_bound(known))
        if low >= beta:
            return low
        if high <= alpha:
            return high
        store64(node + LOW, np.uint64(low))
        store64(node + HIGH, np.uint64(high))
    return _search(geometry, context, node, frame, alpha, beta)


@kernel
def _search_wide(geometry: Any, context: Any, node: Any, frame: Any, alpha: Any, beta: Any) -> Any:
    """A search with a window as wide as the bounds of the root."""
    low, high = np.int64(load64(node + LOW)), np.int64(load64(node + HIGH))
    return _search(geometry, context, node, frame, low - np.int64(1), high + np.int64(1))


@kernel
def _next_window(low: Any, high: Any, step: Any) -> Any:
    """Windows without those at quick results."""
    if low < np.int64(0) <= high:
        return np.int64(-1)
    if low <= np.int64(0) < high:
        return np.int64(0)
    return low + (high - low) // np.int64(4)


def _cpu(name: str) -> tuple[tuple[str, str], ...]:
    return (("NUMBA_CPU_NAME", name), ("NUMBA_CPU_FEATURES", ""))


def _solver(*replacements: tuple[str, Any]) -> tuple[tuple[str, Any], ...]:
    return tuple((f"plywire.engine.connect4.solver.{name}", value) for name, value in replacements)


_NO_EVEN = ("proofs._even_case", _no_proof)
_NO_ODD = ("proofs._odd_case", _no_odd_proof)
_NO_CHAINS = ("search.play_chains", _full_boards)
_NO_NEXT = ("children._NEXT_WEIGHT", NONE)
_NO_ROWS = ("children._ROW_WEIGHT", NONE)
_NO_FORCING = ("children._FORCING_WEIGHT", NONE)
_NO_LINES = ("children._JOINING_WEIGHT", NONE)
_NO_OWN_ROWS = ("children._OWN_ROW_WEIGHT", NONE)
_NO_OPENING = ("children._OPENING_WEIGHT", NONE)
_NO_KILLER = ("children._KILLER_WEIGHT", NONE)
_NO_HISTORY = ("search.recalled", _no_history)

TRICKS = (
    Trick("(all switched on)"),
    Trick("512-bit vectors", environment=_cpu("x86-64-v3")),
    Trick("256-bit vectors too", environment=_cpu("x86-64-v2")),
    Trick(
        "double threats and forced chains before a child is searched",
        _solver(
            _NO_CHAINS,
            ("search.or_reduce", _no_double_threat),
            ("search.search", _search_lost),
            ("search._known_bounds", _bounds_of_lost),
        ),
    ),
    Trick("forced chains alone", _solver(_NO_CHAINS)),
    Trick(
        "children's entries looked up first",
        _solver(("search._known_bounds", _static_bounds), ("search.search", _search_looked_up)),
    ),
    Trick("entries fetched ahead", _solver(("search.prefetch", _nothing))),
    Trick("near table", _solver(("search._NEAR_CELLS", np.int64(-1)))),
    Trick("huge pages", (("mmap.MADV_HUGEPAGE", getattr(mmap, "MADV_NORMAL", None)),)),
    Trick("colourless stones", _solver(("keys._colourless", _no_colourless))),
    Trick("mirrored keys", _solver(("keys._MIRROR_CELLS", np.int64(64)))),
    Trick("follow-up proofs", _solver(_NO_EVEN, _NO_ODD)),
    Trick("their odd case", _solver(_NO_ODD)),
    Trick("their cuts below threats", _solver(("proofs.above", _no_cut))),
    Trick("their losses", _solver(("search.follow_up", _no_losses))),
    Trick(
        "all order but from the centre",
        _solver(
            ("children._THREAT_WEIGHT", NONE),
            _NO_NEXT,
            _NO_ROWS,
            _NO_FORCING,
            _NO_LINES,
            _NO_OWN_ROWS,
            _NO_OPENING,
            _NO_KILLER,
            _NO_HISTORY,
        ),
    ),
    Trick("threats for the next turn first", _solver(_NO_NEXT)),
    Trick("threats on good rows first", _solver(_NO_ROWS)),
    Trick("forcing moves first", _solver(_NO_FORCING)),
    Trick("threats out of reach left out", _solver(("search.above", _no_cut))),
    Trick("moves that join lines first", _solver(_NO_LINES)),
    Trick("moves on good rows first", _solver(_NO_OWN_ROWS)),
    Trick("moves below open pairs last", _solver(_NO_OPENING)),
    Trick("killer moves first", _solver(_NO_KILLER)),
    Trick("what was enough lately first", _solver(_NO_HISTORY)),
    Trick("windows at quick results first", _solver(("root._next_window", _next_window))),
    Trick("null windows", _solver(("root.search", _search_wide))),
)


def _write_random(folder: Path) -> list[Path]:
    """Write positions made at random into files of the folder; scores are left out of account."""
    suites = []
    for stones, count in RANDOM:
        suites.append(folder / f"random-{stones}")
        positions = islice(random_positions(stones, SEED), count)
        suites[-1].write_text("".join(f"{moves} 0\n" for moves in positions))
    return suites


if __name__ == "__main__":
    run("connect4_tricks", TRICKS, _write_random)
