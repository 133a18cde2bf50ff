"""How many positions a second the evaluation takes, gathered and kept up move by move."""

import random
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plywire.engine.compiled.constants import WORD
from plywire.engine.compiled.intrinsics import load64, popcount, stack_words
from plywire.engine.compiled.kernel import kernel
from plywire.engine.compiled.native import load
from plywire.engine.compiled.program import Entry, Program
from plywire.engine.game import PASS

from .evaluation.evaluation import estimate, weigh
from .evaluation.indices import INDEX_BYTES, advance, exchange, gather
from .kernels import OthelloBoard, shipped_board
from .rules import Othello

_GAMES = 200
_SECONDS = 0.5
_EMPTY_AT_START = np.uint64(60)
_WORDS = INDEX_BYTES // 8

SPEED = Program("othello-speed", "plywire.engine", "plywire.engine.othello.speed:entries")


@dataclass(frozen=True, slots=True)
class Speed:
    """Evaluations a second of one way to get the indices."""

    way: str
    per_second: int


@dataclass(frozen=True, slots=True)
class Walk:
    """Positions of games one after another, and the moves between them."""

    own: NDArray[np.uint64]
    other: NDArray[np.uint64]
    square: NDArray[np.uint64]
    flipped: NDArray[np.uint64]


def random_walk(games: int) -> Walk:
    """The positions of random games, always the same."""
    game = Othello()
    chance = random.Random(game.name)
    rows = []
    for _ in range(games):
        position = game.start()
        while moves := position.moves():
            move = chance.choice(moves)
            after = position.play(move)
            flipped = 0 if move == PASS else position.other & ~after.own
            rows.append((position.own, position.other, move, flipped))
            position = after
    return Walk(*(np.array(column, np.uint64) for column in zip(*rows, strict=True)))


def gathered(board: OthelloBoard, walk: Walk) -> int:
    """The sum of the positions' estimates, each from its discs alone."""
    return int(load(SPEED).gathered(*board, *_addresses(walk.own, walk.other), len(walk.own)))


def advanced(board: OthelloBoard, walk: Walk) -> int:
    """The same sum, with the indices kept up through each game."""
    words = _addresses(walk.own, walk.other, walk.square, walk.flipped)
    return int(load(SPEED).advanced(*board, *words, len(walk.own)))


def _addresses(*columns: NDArray[np.uint64]) -> Iterator[int]:
    return (column.ctypes.data for column in columns)


@kernel
def gathered_words(board: Any, owns: Any, others: Any, count: Any) -> Any:
    """The sum of the estimates of positions, of which the discs lie from two addresses on."""
    total = np.int64(0)
    for index in range(count):
        offset = np.uint64(index) * WORD
        own, other = load64(owns + offset), load64(others + offset)
        total += estimate(board.weights, board.shares, own, other)
    return total


@kernel
def advanced_words(
    board: Any, owns: Any, others: Any, squares: Any, flipped: Any, count: Any
) -> Any:
    """The same sum, with the indices kept up by the moves that lie from two more addresses on."""
    here, there = stack_words(_WORDS), stack_words(_WORDS)
    total = np.int64(0)
    for index in range(count):
        offset = np.uint64(index) * WORD
        own, other = load64(owns + offset), load64(others + offset)
        empties = popcount(~(own | other))
        if empties == _EMPTY_AT_START:
            gather(board.shares, own, other, here)
        total += weigh(board.weights, empties, here)
        square, turned = load64(squares + offset), load64(flipped + offset)
        advance(board.shares, exchange(board.shares, here), square, turned, there)
        here, there = there, here
    return total


def entries() -> Mapping[str, Entry]:
    """What Python calls of these kernels."""
    words = ("word",) * 4
    return {
        "gathered": Entry(gathered_words, OthelloBoard, *words[:2], "number"),
        "advanced": Entry(advanced_words, OthelloBoard, *words, "number"),
    }


def measure() -> tuple[Speed, ...]:
    """Measure both ways on the same positions."""
    board = shipped_board()
    walk = random_walk(_GAMES)
    ways = (("gathered", gathered), ("move by move", advanced))
    return tuple(Speed(way, int(len(walk.own) / _seconds(run, board, walk))) for way, run in ways)


def _seconds(run: Callable[[OthelloBoard, Walk], int], board: OthelloBoard, walk: Walk) -> float:
    """How long the fastest run takes, of as many as fit into the time."""
    run(board, walk)
    best = float("inf")
    end = time.perf_counter() + _SECONDS
    while time.perf_counter() < end:
        began = time.perf_counter()
        run(board, walk)
        best = min(best, time.perf_counter() - began)
    return best
