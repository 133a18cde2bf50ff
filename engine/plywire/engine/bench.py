"""Fixed searches, which show the speed of the search and whether it changed.

The signature of nodes, scores and best moves is the same on every machine.
"""

import hashlib
import time
from collections.abc import Sequence
from dataclasses import dataclass

from .analysis import AnalysisLine
from .engine import LocalEngine, Stop
from .game import UnknownGameError
from .limits import SearchLimits
from .readiness import prepare
from .registry import backend_of, load, names

#: The size of the table for the suites, in MB.
_HASH_MB = 16
#: The size of the table for the search of one second, in MB.
_SECOND_HASH_MB = 64


@dataclass(frozen=True, slots=True)
class Bench:
    """The results of the suite of one game."""

    game: str
    positions: int
    nodes: int
    seconds: float
    signature: str

    @property
    def nps(self) -> int:
        return int(self.nodes / max(self.seconds, 1e-9))


def suites() -> tuple[str, ...]:
    """Return the names of the games that have a suite."""
    return tuple(name for name in names() if _suite(name))


def _suite(name: str) -> Sequence[tuple[int, str]]:
    try:
        return backend_of(load(name)).bench
    except UnknownGameError:  # the game has no backend
        return ()


def run(name: str) -> Bench:
    """Search a game's suite on empty tables; raise PreparationError if preparation fails."""
    game, suite = load(name), _suite(name)
    prepare(game)
    engine = LocalEngine(hash_mb=_HASH_MB)
    # A search that is not timed loads the kernels and touches the table's memory for the first
    # time.
    engine.analyse(game.start(), SearchLimits(depth=1))
    nodes, seconds = 0, 0.0
    digest = hashlib.blake2b(name.encode(), digest_size=4)
    for depth, moves in suite:
        position = [game.start(), *game.start().play_names(moves.split())][-1]
        engine.clear()
        began = time.perf_counter()
        analysis = engine.analyse(position, SearchLimits(depth=depth))
        seconds += time.perf_counter() - began
        nodes += analysis.nodes
        score = analysis.lines[0].score
        digest.update(f"{analysis.nodes} {score.kind} {score.value} {analysis.best}\n".encode())
    return Bench(name, len(suite), nodes, seconds, digest.hexdigest())


def second(name: str) -> AnalysisLine:
    """Search the starting position for a second, in one thread, without a book; return its line."""
    game = load(name)
    engine = LocalEngine(hash_mb=_SECOND_HASH_MB)
    engine.analyse(game.start(), SearchLimits(depth=1))
    stop = Stop()
    stop.set_at(time.monotonic() + 1)
    return engine.analyse(game.start(), stop=stop).lines[0]


def total(benches: list[Bench]) -> Bench:
    """Return the sum of several benches; its signature is made from all their signatures."""
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
