"""A fixed amount of searching: how fast it goes, and whether it is still the same search.

The signature sums up every position's nodes, score and best move. It depends on integers alone, so
it is the same on every machine and changes exactly when the search does.
"""

import hashlib
import time
from dataclasses import dataclass

from .analysis import AnalysisLine
from .engine import Engine, Stop
from .limits import SearchLimits
from .readiness import prepare
from .registry import load

_HASH_MB = 16
#: Of the search of a second.
_SECOND_HASH_MB = 64

#: Per game, searches from the opening to the endgame: how deep, and the moves to the position.
_SUITES: dict[str, tuple[tuple[int, str], ...]] = {
    "connect4": (
        (16, ""),
        (16, "4 4"),
        (16, "5 3 3 1"),
        (16, "4 6 3 2 2 2"),
        (16, "3 5 3 4 5 4 4 3"),
        (16, "4 6 2 1 4 4 3 5 4 3"),
        (18, "5 3 3 5 6 3 4 7 6 3 5 3"),
        (42, "2 1 7 4 3 4 3 3 7 5 4 3 4 7 4 4"),
    ),
    "othello": (
        (12, ""),
        (12, "f5 f6 e6 d6"),
        (12, "e6 f6 d3 e7 f5 c4 c5 c6 b3 g4"),
        (12, "e6 f6 d3 c5 d6 c6 f5 e3 b5 c4 f3 f2 f1 g5 b6 b4"),
        (12, "f5 d6 c4 f3 f4 g5 f6 d3 h5 b4 c5 e6 d7 c6 c7 e7 d8 g3 e3 e2 b6 h6"),
        (
            60,
            "f5 f4 d3 f6 g3 c5 d6 f3 g4 e3 e6 d7 d2 g5 e2 c2 c8 d8 c3 b8 c7 c4 c6 e7 b6 f7 b5 b4 "
            "a4 a3 a2 a5 a6 b3 h6 h5 h4 f1 e1 d1 g6 f2 f8 e8",
        ),
    ),
    "tictactoe": ((9, ""), (9, "b2"), (9, "a1"), (9, "b1"), (9, "a1 b2"), (9, "b1 a1")),
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

    Raises KeyError if the game has no suite, and PreparationError if it cannot be prepared.
    """
    game = load(name)
    prepare(game)
    engine = Engine(hash_mb=_HASH_MB)
    # Not timed: loading the kernels, and the first touch of the table's memory.
    engine.analyse(game.start(), SearchLimits(depth=1))
    nodes, seconds = 0, 0.0
    digest = hashlib.blake2b(name.encode(), digest_size=4)
    for depth, moves in _SUITES[name]:
        position = [game.start(), *game.start().play_names(moves.split())][-1]
        engine.clear()
        began = time.perf_counter()
        analysis = engine.analyse(position, SearchLimits(depth=depth))
        seconds += time.perf_counter() - began
        nodes += analysis.nodes
        score = analysis.lines[0].score
        digest.update(f"{analysis.nodes} {score.kind} {score.value} {analysis.best}\n".encode())
    return Bench(name, len(_SUITES[name]), nodes, seconds, digest.hexdigest())


def second(name: str) -> AnalysisLine:
    """The best line that is found in a second from the start of a game, by one thread.

    How deep it is depends on the machine. An opening book is for players: none is looked into.
    """
    game = load(name)
    engine = Engine(hash_mb=_SECOND_HASH_MB)
    engine.analyse(game.start(), SearchLimits(depth=1))
    stop = Stop()
    stop.set_at(time.monotonic() + 1)
    return engine.analyse(game.start(), stop=stop).lines[0]


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
