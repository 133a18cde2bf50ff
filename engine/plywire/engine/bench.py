"""A fixed amount of searching: how fast it goes, and whether it is still the same search.

The signature sums up every position's nodes, score and best move. It depends on integers alone, so
it is the same on every machine and changes exactly when the search does.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator
from dataclasses import dataclass

from .engine import Engine
from .game import Game, Position, load
from .limits import Limits

_HASH_MB = 16

#: Per game: how deep to search, and the positions as moves from the start.
_SUITES: dict[str, tuple[int, tuple[str, ...]]] = {
    "connect4": (
        16,
        (
            "",
            "4 4",
            "4 4 4 4 4",
            "3 2 4 4 3",
            "1 2 3 4 5 6 7",
            "4 4 3 5 5 3 4 2 4",
            "2 2 5 2 5 5 3 3 3 4 4",
            "4 5 3 4 4 4 4 3 2 3 3 5 5 5 5",
            "7 1 6 2 5 3 4 4 1 7 2 6 3 5 4 4 6 2",
        ),
    ),
    "othello": (
        9,
        (
            "",
            "f5 d6 c3 d3 c4",
            "f5 f6 e6 f4 e3 c5 c4",
            "f5 d6 c4 d3 c3 f4 f6 b4 c2 d1 b3 a3",
            "d3 c5 f6 f5 e6 e3 c3 f3 c4 b4 b5 c6",
            "c4 e3 f4 c5 d6 f3 d3 c3 b3 c2 d1 e1 b5 b6 c6",
        ),
    ),
    "tictactoe": (9, ("", "b2", "a1", "a1 b2", "b1 a1", "a1 b2 c3")),
}


@dataclass(frozen=True, slots=True)
class Bench:
    """What a suite of one game came to."""

    game: str
    positions: int
    nodes: int
    seconds: float
    signature: str

    @property
    def nps(self) -> int:
        """Nodes a second."""
        return int(self.nodes / max(self.seconds, 1e-9))


def suites() -> tuple[str, ...]:
    """The names of the games that have a suite."""
    return tuple(_SUITES)


def run(name: str) -> Bench:
    """Search all positions of a game's suite, each with an empty table.

    Raises KeyError if the game has no suite.
    """
    depth, lines = _SUITES[name]
    engine = Engine(hash_mb=_HASH_MB)
    # Not timed: loading the kernels, and the first touch of the table's memory.
    engine.analyse(load(name).start(), Limits(depth=1))
    positions, nodes, seconds = 0, 0, 0.0
    digest = hashlib.blake2b(name.encode(), digest_size=4)
    for position in _positions(load(name), lines):
        engine.clear()
        began = time.perf_counter()
        analysis = engine.analyse(position, Limits(depth=depth))
        seconds += time.perf_counter() - began
        positions += 1
        nodes += analysis.nodes
        score = analysis.lines[0].score
        digest.update(f"{analysis.nodes} {score.kind} {score.value} {analysis.best}\n".encode())
    return Bench(name, positions, nodes, seconds, digest.hexdigest())


def total(benches: list[Bench]) -> Bench:
    """The sum of several games; its signature covers theirs."""
    digest = hashlib.blake2b(digest_size=4)
    for bench in benches:
        digest.update(bench.signature.encode())
    return Bench(
        game="total",
        positions=sum(bench.positions for bench in benches),
        nodes=sum(bench.nodes for bench in benches),
        seconds=sum(bench.seconds for bench in benches),
        signature=digest.hexdigest(),
    )


def _positions(game: Game, lines: tuple[str, ...]) -> Iterator[Position]:
    for line in lines:
        yield [game.start(), *game.start().play_names(line.split())][-1]
