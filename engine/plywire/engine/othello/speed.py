"""Measures evaluations per second, with indices gathered or updated move by move."""

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plywire.engine.compiled.native import load
from plywire.engine.game import PASS

from .kernels import OthelloBoard, shipped_board
from .rules import Othello
from .speed_kernels import SPEED

_GAMES = 200
_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class Walk:
    """The positions of several games, one after another, and the moves between them."""

    own: NDArray[np.uint64]
    other: NDArray[np.uint64]
    square: NDArray[np.uint64]
    flipped: NDArray[np.uint64]


def random_walk(games: int) -> Walk:
    """Return the positions of random games, the same in every call."""
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
    """Return the sum of the positions' estimates, each computed from its discs alone."""
    return int(load(SPEED).gathered(*board, *_addresses(walk.own, walk.other), len(walk.own)))


def advanced(board: OthelloBoard, walk: Walk) -> int:
    """Return the sum of the positions' estimates, with indices updated move by move."""
    words = _addresses(walk.own, walk.other, walk.square, walk.flipped)
    return int(load(SPEED).advanced(*board, *words, len(walk.own)))


def _addresses(*columns: NDArray[np.uint64]) -> Iterator[int]:
    return (column.ctypes.data for column in columns)


def measure() -> dict[str, int]:
    """Return evaluations a second for both ways, on the same positions."""
    board = shipped_board()
    walk = random_walk(_GAMES)
    ways = {"gathered": gathered, "move by move": advanced}
    return {way: int(len(walk.own) / _seconds(run, board, walk)) for way, run in ways.items()}


def _seconds(run: Callable[[OthelloBoard, Walk], int], board: OthelloBoard, walk: Walk) -> float:
    """Repeat a run for a fixed time; return the seconds of the fastest run."""
    run(board, walk)
    best = float("inf")
    end = time.perf_counter() + _SECONDS
    while time.perf_counter() < end:
        began = time.perf_counter()
        run(board, walk)
        best = min(best, time.perf_counter() - began)
    return best
