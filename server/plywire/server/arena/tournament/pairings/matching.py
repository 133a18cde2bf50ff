"""Perfect matchings of least cost, where each cost counts infinitely more than the next.

`best_matching` packs all costs into integer weights for rustworkx, which computes with 128 bits. A
larger weight raises OverflowError, and a weight near the limit silently gives a wrong matching. So
a weight is a number with one digit for each cost. Each digit is just large enough for the maximum
sum of its cost. If not all costs fit, several matchings are found in turn.

`first_choices` needs no further matchings: in a bipartite graph, exchanges in one best matching
lead to all other best matchings.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import rustworkx
from numpy.typing import NDArray

Grid = NDArray[np.int64]
Mask = NDArray[np.bool_]

#: Number of bits that are used of a 64-bit NumPy integer, so that the sum of two fits.
_WORD_BITS = 60
#: Number of bits of rustworkx's integers, without the sign.
_WEIGHT_BITS = 127


class Cost(NamedTuple):
    """The cost of each pair: 0 or more, and the same in both directions."""

    grid: Grid | Mask
    most: int
    """An upper bound for the sum over the pairs of any matching."""
    payers: Mask | None = None
    """If set, a pair with one of these vertices costs at most 1, and any other pair costs 0."""


class VertexCost(NamedTuple):
    """The cost of each mate of one vertex, 0 or more."""

    vertex: int
    row: Grid | Mask


def best_matching(
    allowed: Mask, costs: Sequence[Cost], turns: Sequence[VertexCost] = ()
) -> NDArray[np.int64]:
    """Return the mate of each vertex in a perfect matching of least costs.

    The first cost is the most important. After the costs come the `turns`: each lets one vertex
    choose. If they do not all fit into a weight, several matchings are found one after another.
    After each matching, its turns restrict the allowed pairs. Costs that none or all of their
    payers pay do the same. The other costs are packed again.

    Raises ValueError if there is no perfect matching. Raises OverflowError if the costs that are
    packed again leave no room for the next cost.
    """
    size = len(allowed)
    allowed = allowed.copy()
    kept: list[Cost] = []
    left: list[Cost | VertexCost] = [*costs, *turns]
    while True:
        edges = np.nonzero(np.triu(allowed))
        weights = _Weights(size, edges)
        for cost in kept:
            weights.add(cost)
        done = 0
        while done < len(left) and weights.add(left[done]):
            done += 1
        mates = _heaviest(size, edges, weights.negative())
        if done == len(left):
            return mates
        if done == 0:
            raise OverflowError("the costs of a matching need more than 128 bits")
        for known in left[:done]:
            if isinstance(known, VertexCost):
                same = known.row == known.row[mates[known.vertex]]
                allowed[known.vertex] &= same
                allowed[:, known.vertex] &= same
                continue
            paid = known.grid[np.arange(size), mates] != 0
            if not paid.any():
                allowed &= known.grid == 0
            elif known.payers is not None and paid[known.payers].all():
                allowed[known.payers] &= known.grid[known.payers] != 0
                allowed &= allowed.T
            else:
                kept.append(known)
        del left[:done]


class _Weights:
    """An integer for each edge, with one digit of its own radix for each cost.

    Each integer is split into words that fit into NumPy's 64-bit integers.
    """

    def __init__(self, size: int, edges: tuple[Grid, ...]) -> None:
        self._edges = edges
        # The algorithm's variables stay below 8 * size * the largest weight, and must fit into its
        # integers.
        self._limit = (1 << _WEIGHT_BITS) // (8 * max(size, 1))
        self._largest = 0
        self._words: list[Grid] = []
        self._ranges: list[int] = []

    def add(self, cost: Cost | VertexCost) -> bool:
        """Append a cost's digit to each weight; if there is no room, return False and change
        nothing."""
        x, y = self._edges
        if isinstance(cost, VertexCost):
            digits = np.zeros(len(x), np.int64)
            for ones, others in ((x, y), (y, x)):
                found = ones == cost.vertex
                digits[found] = cost.row[others[found]]
            most = int(digits.max(initial=0))
        else:
            digits = cost.grid[x, y].astype(np.int64)
            most = cost.most
        highest = int(digits.max(initial=0))
        if highest == 0:
            return True
        radix = most + 1
        largest = self._largest * radix + highest
        if largest > self._limit:
            return False
        self._largest = largest
        if not self._words or self._ranges[-1] * radix >> _WORD_BITS:
            self._words.append(digits)
            self._ranges.append(radix)
        else:
            self._words[-1] = self._words[-1] * radix + digits
            self._ranges[-1] *= radix
        return True

    def negative(self) -> list[int]:
        if not self._words:
            return [0] * len(self._edges[0])
        weights: list[int] = (-self._words[0]).tolist()
        for word, range_ in zip(self._words[1:], self._ranges[1:], strict=True):
            weights = [
                high * range_ - low for high, low in zip(weights, word.tolist(), strict=True)
            ]
        return weights


def _heaviest(size: int, edges: tuple[Grid, ...], weights: list[int]) -> NDArray[np.int64]:
    graph: rustworkx.PyGraph[None, int] = rustworkx.PyGraph()
    graph.add_nodes_from([None] * size)
    x, y = edges
    graph.extend_from_weighted_edge_list(list(zip(x.tolist(), y.tolist(), weights, strict=True)))
    pairs = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    if 2 * len(pairs) < size:
        raise ValueError("there is no perfect matching")
    mates = np.zeros(size, np.int64)
    for one, two in pairs:
        mates[one], mates[two] = two, one
    return mates


def first_choices(
    allowed: Mask, costs: Sequence[Cost], mates: NDArray[np.int64], choosers: int
) -> list[int]:
    """Give the first `choosers` rows, in turn, the first column that a best matching allows.

    `allowed` and the costs are square, rows by columns. `mates` holds the column of each row in one
    matching of least costs. Returns the columns of the choosers.

    In a best matching, a row can take another row's column if a cycle of such exchanges costs
    nothing. The lengths of shortest paths of exchanges show which steps belong to such a cycle.
    """
    size = len(allowed)
    price, bound = _price(allowed, costs)
    step = price - price[np.arange(size), mates][:, None]
    step[~allowed] = 4 * bound
    lengths = np.zeros_like(step[0])
    while True:
        shorter = np.empty_like(lengths)
        shorter[mates] = lengths
        shorter = np.minimum(shorter, (step + lengths[:, None]).min(0))[mates]
        if (shorter == lengths).all():
            break
        lengths = shorter
    ends = np.empty_like(lengths)
    ends[mates] = lengths
    is_free = (step + lengths[:, None] == ends).astype(bool)
    return _take_in_turn(_bits(is_free), _bits(is_free.T), mates.tolist(), choosers)


def _price(allowed: Mask, costs: Sequence[Cost]) -> tuple[NDArray[Any], int]:
    """Return all costs as one number for each pair, and a bound for any matching's sum."""
    digits = []
    bound = 1
    for grid, most, _ in costs:
        # If a cost is the same for all allowed columns of each row, every matching pays it, so
        # leave it out.
        if (np.where(allowed, grid, grid.max(1, keepdims=True)) != grid[:, :1]).any():
            digits.append((grid, most + 1))
            bound *= most + 1
    price = np.zeros(allowed.shape, np.int64 if bound >> (_WORD_BITS - 1) == 0 else object)
    for grid, radix in digits:
        price = price * radix + grid
    return price, bound


def _bits(rows: Mask) -> list[int]:
    """Return each row as an integer whose lowest bit is the first column."""
    return [int.from_bytes(row.tobytes(), "little") for row in np.packbits(rows, 1, "little")]


def _take_in_turn(
    rows: list[int], columns: list[int], mates: list[int], choosers: int
) -> list[int]:
    """Choose among the best matchings.

    `rows` and `columns` hold the bits of all pairs that occur in a best matching.
    """
    owners = [0] * len(mates)
    for row, column in enumerate(mates):
        owners[column] = row
    open_rows = open_columns = (1 << len(mates)) - 1
    for row in range(choosers):
        open_rows ^= 1 << row
        better = rows[row] & open_columns & ((1 << mates[row]) - 1)
        if better:
            _exchange(columns, mates, owners, row, better, open_rows)
        open_columns ^= 1 << mates[row]
    return mates[:choosers]


def _exchange(
    columns: list[int], mates: list[int], owners: list[int], row: int, better: int, open_rows: int
) -> None:
    """Give the row the first column in `better` that it can get by a chain of exchanges."""
    wanted = 0
    first = better & -better
    takes: dict[int, int] = {}
    todo = [mates[row]]
    # The search starts from the column that the row would give up. It finds all rows that could
    # take this column, directly or by a chain of exchanges.
    while todo and not wanted & first:
        column = todo.pop()
        found = columns[column] & open_rows
        open_rows ^= found
        while found:
            lowest = found & -found
            found ^= lowest
            other = lowest.bit_length() - 1
            takes[other] = column
            todo.append(mates[other])
            wanted |= 1 << mates[other]
    wanted &= better
    if not wanted:
        return
    column = (wanted & -wanted).bit_length() - 1
    given_up = mates[row]
    while True:
        other = owners[column]
        mates[row], owners[column] = column, row
        if column == given_up:
            return
        row, column = other, takes[other]
