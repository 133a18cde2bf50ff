"""Play Othello with NumPy alone: all positions of the last plies are made and scored at once.

A board is two 64-bit numbers, the discs of the player to move and those of the opponent. A square
is a bit, counted along the rows from a1. Functions take and return arrays of boards. Above the last
plies, alpha-beta deepens ply by ply until the game's end is seen or time is up.

The code runs on Python 3.6 and later, because judges have old versions.
"""

import base64
import lzma
import time
from typing import Any, Callable, Dict, List, Tuple

import numpy as np

#: The compressed weights of the evaluation. `plywire export` fills them in.
WEIGHTS = ""
#: KNOTS are the numbers of empty squares that have weights. UNIT is a weight of 1 in centidiscs.
KNOTS: Tuple[int, ...] = ()
UNIT = 1.0
#: Average score of a position for each number of empty squares, in centidiscs.
AVERAGES: Tuple[int, ...] = ()
#: Options to compress the weights. They suit bytes that say little about the next byte.
FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 9, "lc": 0, "lp": 0, "pb": 0}]

#: The last PLIES plies of a search are scored as one batch. Near the end of the game there are
#: fewer moves, so it is LAST_PLIES there.
PLIES = 3
LAST_PLIES = 6
#: MOST is the highest score of a position in centidiscs. INFINITE is above all scores.
MOST = 6400
INFINITE = 10000

#: A NumPy array. Arrays of boards hold 64-bit numbers.
Array = Any
#: A score, the square of the move, and the board after the move.
Node = Tuple[int, int, Array, Array]


class TimeUpError(Exception):
    """The time for a move is over."""


def _u64(*numbers: Any) -> Array:
    return np.array(numbers, np.uint64)


# A step along a row, a column or a diagonal shifts a board by 1, 8, 7 or 9 bits. `_INNER` leaves
# out the edge columns for steps that could wrap around an edge.
_MIDDLE = 0x7E7E7E7E7E7E7E7E
_STEPS = _u64(1, 8, 7, 9)[:, None]
_INNER = _u64(_MIDDLE, 2**64 - 1, _MIDDLE, _MIDDLE)[:, None]
_BITS = _u64(*[1 << square for square in range(64)])


def _enclosed(start: Array, other: Array, shift: Any) -> Tuple[Array, Array]:
    """Return runs of the opponent's discs next to these bits, and the squares behind the runs."""
    inner = other & _INNER
    run = inner & shift(start, _STEPS)
    for _ in range(5):
        run |= inner & shift(run, _STEPS)
    return run, shift(run, _STEPS)


def moves_of(own: Array, other: Array) -> Array:
    """Return the squares on which the player to move can place a disc."""
    found = np.zeros_like(own)
    for shift in (np.left_shift, np.right_shift):
        found |= np.bitwise_or.reduce(_enclosed(own, other, shift)[1])
    return found & ~(own | other)


def _spread(boards: Array) -> Array:
    """Return a row of 64 zeros and ones for each number."""
    return np.unpackbits(boards.view(np.uint8).reshape(-1, 8), axis=1, bitorder="little")


def children(own: Array, other: Array) -> Tuple[Array, Array, Array, Array]:
    """Return all positions after one move: index of the parent, square, and both players' discs."""
    parents, squares = np.nonzero(_spread(moves_of(own, other)))
    own, other, disc = own[parents], other[parents], _BITS[squares]
    turned = np.zeros_like(own)
    for shift in (np.left_shift, np.right_shift):
        run, behind = _enclosed(disc, other, shift)
        turned |= np.bitwise_or.reduce(np.where(behind & own, run, _u64(0)))
    return parents, squares, other ^ turned, own | disc | turned


def moves(own: int, other: int) -> Dict[int, Tuple[int, int]]:
    """Return both players' discs after each move, by square; the next player's discs come first."""
    _, squares, owns, others = children(_u64(own), _u64(other))
    return dict(zip(squares.tolist(), zip(owns.tolist(), others.tolist())))


def final(own: Array, other: Array) -> Array:
    """Return the score at the end of the game; the winner gets the empty squares, too."""
    mine, theirs = _spread(own).sum(1, dtype=np.int64), _spread(other).sum(1, dtype=np.int64)
    return 100 * (mine - theirs + np.sign(mine - theirs) * (64 - mine - theirs))


class Evaluation:
    """An evaluation by an average score, and by weights of lines, corners and edges.

    The contents of a pattern, read as a number in base 3, are the index of their weight.
    """

    def __init__(
        self, weights: bytes, knots: Tuple[int, ...], unit: float, averages: Tuple[int, ...]
    ) -> None:
        """Set the weights of each knot; patterns that are equal by symmetry share a weight.

        `unit` and `averages` are in hundredths of a disc.
        """
        shared, self._powers, self._starts = _patterns()
        values = np.frombuffer(weights, np.int8).reshape(len(knots), -1)
        self._tables = values[:, shared] * np.float32(unit)
        self._knots = knots
        self._averages = averages
        self._stages: Dict[int, Array] = {}

    def __call__(self, own: Array, other: Array) -> Array:
        """Return the scores of boards that have equally many empty squares."""
        empty = 64 - bin(int(own[0] | other[0])).count("1")
        if empty == 0:
            return final(own, other)
        sums = np.take(self._table(empty), self.indices(own, other)).sum(1, dtype=np.int64)
        return (self._averages[empty] + sums).clip(-MOST, MOST)

    def indices(self, own: Array, other: Array) -> Array:
        """Return the index of each pattern's contents on each board, for the table of weights."""
        digits = 1 + _spread(own).astype(np.float32) - _spread(other)
        return (digits @ self._powers).astype(np.int32) + self._starts

    def _table(self, empty: int) -> Array:
        if empty not in self._stages:
            shares = [np.interp(empty, self._knots, row) for row in np.eye(len(self._knots))]
            self._stages[empty] = np.rint(np.array(shares, np.float32) @ self._tables)
            self._stages[empty] = self._stages[empty].astype(np.int16)
        return self._stages[empty]


def _patterns() -> Tuple[Array, Array, Array]:
    """Return each index's weight number, each square's powers of 3, and each pattern's offset."""
    names = [
        "a2 b2 c2 d2 e2 f2 g2 h2 a1 h1",
        "a3 b3 c3 d3 e3 f3 g3 h3",
        "a4 b4 c4 d4 e4 f4 g4 h4",
        "c1 d1 e1 f1 c2 d2 e2 f2 a1 h1",
        "d1 e2 f3 g4 h5 e1 f2 g3 h4 g2",
        "c1 d2 e3 f4 g5 h6",
        "b1 c2 d3 e4 f5 g6 h7 a1 h1 h8",
        "a1 b2 c3 d4 e5 f6 g7 h8 b1 a2",
        "a3 b3 c3 a2 b2 c2 a1 b1 c1",
        "a2 b2 c2 d2 e2 a1 b1 c1 d1 e1",
        "a7 b7 c7 d7 e7 a8 b8 c8 d8 e8",
        "a1 b1 c1 d1 e1 f1 g1 h1 b2 g2",
    ]
    lowest, starts, powers = np.zeros(0, np.int64), [], []
    for text in names:
        squares = [ord(name[0]) - ord("a") + 8 * int(name[1]) - 8 for name in text.split()]
        size = 3 ** len(squares)
        is_again = text.startswith("a7")  # mirrors the previous pattern and shares its weights
        starts += 4 * [len(lowest) - size if is_again else len(lowest)]
        mirror = list(range(len(squares)))
        image = squares
        for _ in range(4):
            column = np.zeros(64, np.float32)
            column[image] = [3**place for place in range(len(squares))]
            powers.append(column)
            mirrored = [square ^ 7 for square in image]
            if set(mirrored) == set(squares):
                mirror = [squares.index(square) for square in mirrored]
            image = [8 * (square % 8) + 7 - square // 8 for square in image]  # rotate by 90°
        if not is_again:
            indices = np.arange(size)
            same = sum(indices // 3**place % 3 * 3**to for place, to in enumerate(mirror))
            lowest = np.append(lowest, len(lowest) + np.minimum(indices, same))
    shared = np.unique(lowest, return_inverse=True)[1]
    return shared, np.stack(powers, axis=1), np.array(starts, np.int32)


class Search:
    """Alpha-beta search that keeps its table during a move."""

    def __init__(self, evaluate: Callable[[Array, Array], Array]) -> None:
        """Score positions with the function `evaluate` of boards."""
        self._evaluate = evaluate
        self._known: Dict[Tuple[int, int, int], Tuple[int, int]] = {}
        self._deadline = 0.0
        self.depth = 0
        """Depth of the last finished search, in plies."""

    def best(self, own: int, other: int, seconds: float, plies: int = 60) -> int:
        """Return the best square, found in about that time within `plies` plies; 64 is a pass."""
        self._deadline = time.perf_counter() + seconds
        self._known.clear()
        nodes = self._children(_u64(own), _u64(other))
        if len(nodes) < 2:
            return nodes[0][1] if nodes else 64
        empty = 64 - bin(own | other).count("1")
        try:
            for depth in range(2, min(empty, plies) + 1):
                best = -INFINITE
                for node in nodes[:]:
                    score = -self._score(node[2], node[3], depth - 1, -INFINITE, -best, empty - 1)
                    if score > best:  # valid even if time runs out later
                        best = score
                        nodes = [node, *(other for other in nodes if other is not node)]
                self.depth = depth
        except TimeUpError:
            pass
        return nodes[0][1]

    def _score(
        self, own: Array, other: Array, depth: int, alpha: int, beta: int, empty: int
    ) -> int:
        """Return the score of the player to move: exact between alpha and beta, else a bound."""
        if depth <= (PLIES if empty > LAST_PLIES + PLIES else LAST_PLIES):
            if time.perf_counter() > self._deadline:
                raise TimeUpError
            return int(self._values(own, other, depth)[0])
        key = (int(own[0]), int(other[0]), depth)
        low, high = self._known.get(key, (-INFINITE, INFINITE))
        if low >= beta or low == high:
            return low
        if high <= alpha:
            return high
        nodes = self._children(own, other)
        if not nodes:
            if not moves_of(other, own)[0]:
                return int(final(own, other)[0])
            return -self._score(other, own, depth, -beta, -alpha, empty)
        best = -INFINITE
        for _, _, child_own, child_other in nodes:
            bound = max(alpha, best)
            score = -self._score(child_own, child_other, depth - 1, -beta, -bound, empty - 1)
            if score > best:
                best = score
                if score >= beta:
                    break
        self._known[key] = (
            best if best > alpha else low,
            best if best < beta else high,
        )
        return best

    def _children(self, own: Array, other: Array) -> List[Node]:
        """Return the positions after each move with their first scores, best first."""
        _, squares, own, other = children(own, other)
        if not len(squares):
            return []
        scores = -self._evaluate(own, other)
        return [
            (int(scores[at]), int(squares[at]), own[at : at + 1], other[at : at + 1])
            for at in np.argsort(-scores, kind="stable")
        ]

    def _values(self, own: Array, other: Array, depth: int) -> Array:
        """Return the scores of boards with equally many empty squares, by a full search."""
        if depth == 0:
            return self._evaluate(own, other)
        parents, _, child_own, child_other = children(own, other)
        found = np.empty(len(own), np.int64)
        stuck = np.ones(len(own), bool)
        if len(parents):
            movers, firsts = np.unique(parents, return_index=True)
            worths = -self._values(child_own, child_other, depth - 1)
            found[movers] = np.maximum.reduceat(worths, firsts)
            stuck[movers] = False
        if stuck.any():
            own, other = own[stuck], other[stuck]
            values = final(own, other)
            passing = moves_of(other, own) != 0
            if passing.any():
                values[passing] = -self._values(other[passing], own[passing], depth)
            found[stuck] = values
        return found


def player() -> "Search":
    """Return a search with the weights in this file."""
    weights = lzma.decompress(base64.b85decode(WEIGHTS), lzma.FORMAT_RAW, filters=FILTERS)
    search = Search(Evaluation(weights, KNOTS, UNIT, AVERAGES))
    search.best(0x810000000, 0x1008000000, 0.0)  # fills caches before the first move
    return search
