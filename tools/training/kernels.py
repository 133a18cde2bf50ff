"""The kernels of training, which work on many positions.

Columns are addresses of arrays with one word for each of `count` positions. `rows` have four words
for each position: own discs, opponent's discs, score and number of the game.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plywire.engine.compiled.constants import NONE, ONE, WORD
from plywire.engine.compiled.contract import INFINITY
from plywire.engine.compiled.intrinsics import (
    ctz,
    load8,
    load16,
    load64,
    load_float,
    popcount,
    stack_words,
    store64,
    store_float,
)
from plywire.engine.compiled.kernel import inlined, kernel
from plywire.engine.compiled.native import load
from plywire.engine.compiled.program import INT64, UINT64, Entry, Program
from plywire.engine.othello.evaluation.evaluation import estimate
from plywire.engine.othello.evaluation.indices import INDEX_BYTES, gather
from plywire.engine.othello.evaluation.patterns import IMAGES, STARTS
from plywire.engine.othello.kernels import OthelloBoard, final_score, flips, mobility
from plywire.engine.search.alphabeta import search_root
from plywire.engine.search.table import NO_MOVE
from plywire.engine.search.thread_memory import ROOT

TRAINING = Program("othello-training", "tools.training", "tools.training.kernels:entries")

#: Maximum number of moves in a game, without passes.
MOST_MOVES = 60
#: Fills the rest of a game's row, after its last move.
NO_SQUARE = 255

_NO_SQUARE = np.uint64(NO_SQUARE)
_INFINITY = np.int64(INFINITY)
#: A number greater than all final scores, in hundredths of a disc.
_BEYOND = np.int64(6401)
#: The discs of the first and of the second player at the start.
_FIRST, _SECOND = np.uint64(0x0000_0008_1000_0000), np.uint64(0x0000_0010_0800_0000)
_IMAGES = len(STARTS) * IMAGES
_INDEX_WORDS = INDEX_BYTES // 8
# The size of a float32, the size of a row, and the offsets of two fields in a row, in bytes.
_FLOAT = np.uint64(4)
_ROW, _SCORE, _GAME = np.uint64(32), np.uint64(16), np.uint64(24)


def call(entry: str, *arguments: Any) -> int:
    """Call a kernel with numbers and arrays; raise ValueError if an array is not contiguous."""
    words = [_address(it) if isinstance(it, np.ndarray) else int(it) for it in arguments]
    return int(getattr(load(TRAINING), entry)(*words))


def _address(array: NDArray[Any]) -> int:
    if not array.flags.c_contiguous:
        raise ValueError("kernels take arrays without gaps")
    return array.ctypes.data


# ---- games ---------------------------------------------------------------------------------------


@kernel
def _write(rows: Any, place: Any, own: Any, other: Any, side: Any, game: Any) -> Any:
    """Write a position; in place of its score, write 1 or -1 for the player to move."""
    row = rows + np.uint64(place) * _ROW
    store64(row, own)
    store64(row + WORD, other)
    store64(row + _SCORE, np.uint64(side))
    store64(row + _GAME, np.uint64(game))


@kernel
def _score(rows: Any, first: Any, end: Any, score: Any) -> Any:
    """Replace the players in a game's positions by scores; `score` is for player 1."""
    for place in range(first, end):
        at = rows + np.uint64(place) * _ROW + _SCORE
        store64(at, np.uint64(np.int64(load64(at)) * score))


@kernel
def replay(board: Any, games: Any, count: Any, rows: Any) -> Any:
    """Write the positions of whole games; return their number. A game has `MOST_MOVES` bytes."""
    written = np.int64(0)
    for number in range(count):
        own, other = _FIRST, _SECOND
        first = written
        side = np.int64(1)
        moves = games + np.uint64(number) * np.uint64(MOST_MOVES)
        for index in range(MOST_MOVES):
            square = load8(moves + np.uint64(index))
            if square == _NO_SQUARE:
                break
            if mobility(own, other) == NONE:
                own, other = other, own
                side = -side
            move = ONE << square
            if mobility(own, other) & move == NONE:
                break
            _write(rows, written, own, other, side, number)
            written += np.int64(1)
            flipped = flips(board, own, other, square)
            own, other = other ^ flipped, own | flipped | move
            side = -side
        if mobility(own, other) != NONE or mobility(other, own) != NONE:
            written = first
        _score(rows, first, written, side * final_score(own, other))
    return written


@kernel
def _random(state: Any) -> Any:
    """Return the next state, and number, of a xorshift generator (G. Marsaglia, 2003)."""
    state ^= state << np.uint64(13)
    state ^= state >> np.uint64(7)
    return state ^ (state << np.uint64(17))


@kernel
def _drawn(moves: Any, number: Any) -> Any:
    """Return the square of one move, selected by a random number."""
    for _ in range(number % popcount(moves)):
        moves &= moves - ONE
    return ctz(moves)


@kernel
def _choose(board: Any, memory: Any, own: Any, other: Any, depth: Any, exact: Any) -> Any:
    if popcount(~(own | other)) <= exact:
        _solve(board, memory, own, other)
    else:
        store64(memory + ROOT.move, NO_MOVE)
        search_root(board, memory, own, other, depth // np.int64(2), -_INFINITY, _INFINITY)
        search_root(board, memory, own, other, depth, -_INFINITY, _INFINITY)
    return load64(memory + ROOT.move)


@kernel
def play(
    board: Any,
    memory: Any,
    seeds: Any,
    plies: Any,
    count: Any,
    depth: Any,
    exact: Any,
    rows: Any,
) -> Any:
    """Play games from random plies and write the searched positions; return their number."""
    written = np.int64(0)
    for number in range(count):
        game = np.uint64(number)
        state = load64(seeds + game * WORD)
        random_plies = np.int64(load64(plies + game * WORD))
        store64(memory + ROOT.age, game)
        own, other = _FIRST, _SECOND
        first = written
        side = np.int64(1)
        ply = np.int64(0)
        while True:
            moves = mobility(own, other)
            if moves == NONE:
                own, other = other, own
                side = -side
                moves = mobility(own, other)
                if moves == NONE:
                    break
            if ply < random_plies:
                state = _random(state)
                square = _drawn(moves, state)
            else:
                _write(rows, written, own, other, side, number)
                written += np.int64(1)
                square = _choose(board, memory, own, other, depth, exact)
            flipped = flips(board, own, other, square)
            own, other = other ^ flipped, own | flipped | (ONE << square)
            side = -side
            ply += np.int64(1)
        _score(rows, first, written, side * final_score(own, other))
    return written


@kernel
def play_random(board: Any, owns: Any, others: Any, draws: Any, count: Any) -> Any:
    """Play a drawn move in each position; if there is no reply, clear the opponent's discs."""
    for number in range(count):
        at = np.uint64(number) * WORD
        own, other = load64(owns + at), load64(others + at)
        square = _drawn(mobility(own, other), load64(draws + at))
        flipped = flips(board, own, other, square)
        own, other = other ^ flipped, own | flipped | ONE << square
        store64(owns + at, NONE if mobility(own, other) == NONE else own)
        store64(others + at, other)


# ---- scores --------------------------------------------------------------------------------------


@kernel
def _solve(board: Any, memory: Any, own: Any, other: Any) -> Any:
    """Return the final score of best play, in discs; leave the best move in the memory."""
    store64(memory + ROOT.move, NO_MOVE)
    empties = np.int64(popcount(~(own | other)))
    return search_root(board, memory, own, other, empties, -_BEYOND, _BEYOND) // np.int64(100)


@kernel
def solve_endings(
    board: Any,
    memory: Any,
    owns: Any,
    others: Any,
    scores: Any,
    games: Any,
    count: Any,
    empties: Any,
) -> Any:
    """Score whole games again, from their last positions to their first."""
    for index in range(count - np.int64(1), np.int64(-1), np.int64(-1)):
        at = np.uint64(index) * WORD
        following = at + WORD
        own, other = load64(owns + at), load64(others + at)
        if popcount(~(own | other)) <= empties:
            store64(scores + at, np.uint64(_solve(board, memory, own, other)))
        elif index + 1 < count and load64(games + following) == load64(games + at):
            # If the opponent passes, the same player moves again and still has all its discs.
            is_same_player = own & ~load64(owns + following) == NONE
            score = load64(scores + following)
            store64(scores + at, score if is_same_player else NONE - score)


@kernel
def estimates(board: Any, owns: Any, others: Any, found: Any, count: Any) -> Any:
    """Write each position's estimate."""
    for index in range(count):
        at = np.uint64(index) * WORD
        value = estimate(board.weights, board.shares, load64(owns + at), load64(others + at))
        store64(found + at, np.uint64(value))


# ---- weights -------------------------------------------------------------------------------------


@inlined
def _gather(shares: Any, owns: Any, others: Any, sample: Any, indices: Any) -> Any:
    at = np.uint64(sample) * WORD
    gather(shares, load64(owns + at), load64(others + at), indices)


@inlined
def _weight(table: Any, starts: Any, indices: Any, image: Any) -> Any:
    index = load16(indices + np.uint64(2 * image))
    return table + (load64(starts + np.uint64(image) * WORD) + index) * _FLOAT


@kernel
def predict(
    shares: Any, starts: Any, owns: Any, others: Any, table: Any, sums: Any, count: Any
) -> Any:
    """Write each position's sum of weights; sums and weights are float32."""
    indices = stack_words(_INDEX_WORDS)
    for sample in range(count):
        _gather(shares, owns, others, sample, indices)
        total = np.float32(0)
        for image in range(_IMAGES):
            total += load_float(_weight(table, starts, indices, image))
        store_float(sums + np.uint64(sample) * _FLOAT, total)


@kernel
def scatter(
    shares: Any, starts: Any, owns: Any, others: Any, values: Any, table: Any, count: Any
) -> Any:
    """Add each position's value to its weights; values and weights are float32."""
    indices = stack_words(_INDEX_WORDS)
    for sample in range(count):
        _gather(shares, owns, others, sample, indices)
        value = load_float(values + np.uint64(sample) * _FLOAT)
        for image in range(_IMAGES):
            weight = _weight(table, starts, indices, image)
            store_float(weight, load_float(weight) + value)


def entries() -> Mapping[str, Entry]:
    """Return the kernels of this module that Python calls."""
    board = OthelloBoard
    return {
        "replay": Entry(replay, board, UINT64, INT64, UINT64),
        "play": Entry(play, board, *[UINT64] * 3, INT64, INT64, UINT64, UINT64),
        "play_random": Entry(play_random, board, *[UINT64] * 3, INT64),
        "solve_endings": Entry(solve_endings, board, *[UINT64] * 5, INT64, UINT64),
        "estimates": Entry(estimates, board, *[UINT64] * 3, INT64),
        "predict": Entry(predict, *[UINT64] * 6, INT64),
        "scatter": Entry(scatter, *[UINT64] * 6, INT64),
    }
