"""Perfect matchings of greatest weight, of weights that are compared word by word.

The primal-dual method of Edmonds ("Maximum matching and a polyhedron with 0,1-vertices", Journal of
Research of the National Bureau of Standards 69B, 1965), with the bookkeeping that makes a search
for an augmenting path take time in proportion to the number of edges (H. N. Gabow, PhD thesis,
Stanford 1974).

A weight is a row of K integers, of which the first that differ decide. Sums and halves are taken
word by word: all that the method asks of weights is that they can be added and put in order. So
many criteria, each infinitely more important than the next, are one weight.

The duals stay when the matching is found. They tell at once which edges are in no best matching,
and finding the best partner for one vertex after the other takes one search each, at the most.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from plywire.engine.compiled.kernel import inlined, kernel

#: In the first word of a weight: there is no such edge.
NO_EDGE = -(1 << 62)

# Vertices are 0 to n - 1; n and above are blossoms, odd cycles that are shrunk to one vertex. These
# are the rows of the table of what is known of each:
MATE = 0  # of a vertex, the vertex that it is matched with; -1 without one
OUTER = 1  # the largest blossom that it is in, or itself
PARENT = 2  # of a part of a blossom, that blossom; else -1
BASE = 3  # the vertex by which it is matched with another
LABEL = 4  # of what is outermost, its place in the forest of alternating paths
FROM = 5  # of what is inner, the vertex of the forest from which it was reached
TO = 6  # and its own vertex at which it was
NEAR = 7  # of a vertex, the outer vertex elsewhere with the least slack
SIZE = 8  # how many parts the cycle of a blossom has; 0: there is no such blossom
GONE = 9  # whether a vertex has been taken out
MARK = 10  # for the search of a common ancestor
QUEUE = 11  # vertices to search from
ROWS = 12

FREE, OUT, IN = 0, 1, 2  # of LABEL: not reached; reached by an even path, or an odd one


@inlined
def _slack(weights: Any, duals: Any, x: Any, y: Any, word: Any) -> Any:
    """How much is missing for an edge between different outermost blossoms, in one word."""
    return duals[x, word] + duals[y, word] - 2 * weights[x, y, word]


@kernel
def _order(weights: Any, duals: Any, one: Any, two: Any, x: Any, y: Any) -> Any:
    """-1, 0 or 1: how the slack of an edge compares with that of another."""
    for word in range(duals.shape[1]):
        left = _slack(weights, duals, one, two, word)
        right = _slack(weights, duals, x, y, word)
        if left != right:
            return -1 if left < right else 1
    return 0


@kernel
def _tight(weights: Any, duals: Any, x: Any, y: Any) -> Any:
    """Whether an edge has no slack."""
    if weights[x, y, 0] == NO_EDGE:
        return False
    slack = 0
    for word in range(duals.shape[1]):
        slack |= _slack(weights, duals, x, y, word)
    return slack == 0


@kernel
def _part_with(know: Any, blossom: Any, vertex: Any) -> Any:
    """The part of a blossom's cycle that holds the vertex."""
    while know[PARENT, vertex] != blossom:
        vertex = know[PARENT, vertex]
    return vertex


@kernel
def _place_of(know: Any, parts: Any, blossom: Any, part: Any) -> Any:
    place = 0
    while parts[blossom, place] != part:
        place += 1
    return place


@kernel
def _rebase(know: Any, parts: Any, links: Any, blossom: Any, vertex: Any) -> Any:
    """Match within a blossom so that the vertex is the one left over, at all depths."""
    todo = [(blossom, vertex)]
    while len(todo) > 0:
        blossom, vertex = todo.pop()
        know[BASE, blossom] = vertex
        if know[SIZE, blossom] == 0:
            continue
        part = _part_with(know, blossom, vertex)
        todo.append((part, vertex))
        size = know[SIZE, blossom]
        start = _place_of(know, parts, blossom, part)
        for step in range(1, size, 2):
            one = (start + step) % size
            x, y = links[blossom, one, 0], links[blossom, one, 1]
            know[MATE, x], know[MATE, y] = y, x
            todo.append((parts[blossom, one], x))
            todo.append((parts[blossom, (one + 1) % size], y))


@kernel
def _flip(know: Any, parts: Any, links: Any, x: Any, y: Any) -> Any:
    """Match x, which is out, with y, and change the path from there to the root."""
    while True:
        top = know[OUTER, x]
        before = know[MATE, know[BASE, top]]
        _rebase(know, parts, links, top, x)
        know[MATE, x] = y
        if before < 0:
            return
        inner = know[OUTER, before]
        x, y = know[FROM, inner], know[TO, inner]
        _rebase(know, parts, links, inner, y)
        know[MATE, y] = x


@kernel
def _set_outer(know: Any, parts: Any, blossom: Any, outer: Any, vertices: Any) -> Any:
    """Put all vertices of a blossom into an outermost one; returns how many, listed in vertices."""
    count = 0
    todo = [blossom]
    while len(todo) > 0:
        part = todo.pop()
        know[OUTER, part] = outer
        if know[SIZE, part] == 0:
            vertices[count] = part
            count += 1
        else:
            for place in range(know[SIZE, part]):
                todo.append(parts[part, place])
    return count


@kernel
def _dissolve(know: Any, parts: Any, duals: Any, blossom: Any) -> Any:
    """Make the parts of an outermost blossom outermost."""
    vertices = np.empty(know.shape[1], np.int64)
    for place in range(know[SIZE, blossom]):
        part = parts[blossom, place]
        know[PARENT, part] = -1
        know[LABEL, part] = FREE
        _set_outer(know, parts, part, part, vertices)
    know[SIZE, blossom] = 0
    duals[blossom] = 0


@kernel
def _find_near(weights: Any, duals: Any, know: Any, y: Any) -> Any:
    """Find the outer vertex with the least slack to y anew."""
    best: Any = np.int64(-1)
    for x in range(weights.shape[0]):
        if (
            know[GONE, x] == 0
            and know[LABEL, know[OUTER, x]] == OUT
            and know[OUTER, x] != know[OUTER, y]
            and weights[x, y, 0] != NO_EDGE
            and (best < 0 or _order(weights, duals, x, y, best, y) < 0)
        ):
            best = x
    know[NEAR, y] = best


@kernel
def _shrink(
    weights: Any,
    duals: Any,
    know: Any,
    parts: Any,
    links: Any,
    x: Any,
    y: Any,
    ancestor: Any,
    queue: Any,
) -> Any:
    """Make a blossom of the cycle that the edge (x, y) closes; returns the queue's new length."""
    n = weights.shape[0]
    blossom = n
    while know[SIZE, blossom] > 0:
        blossom += 1
    # From x up to the ancestor, and then from y; the links lead from each part to the next.
    up = [know[OUTER, x]]
    steps = [(0, 0) for _ in range(0)]
    while up[-1] != ancestor:
        base = know[BASE, up[-1]]
        mate = know[MATE, base]
        inner = know[OUTER, mate]
        steps.append((mate, base))
        steps.append((know[FROM, inner], know[TO, inner]))
        up.append(inner)
        up.append(know[OUTER, know[FROM, inner]])
    size = 0
    for place in range(len(up) - 1, -1, -1):
        parts[blossom, size] = up[place]
        if place > 0:
            links[blossom, size, 0], links[blossom, size, 1] = steps[place - 1]
        else:
            links[blossom, size, 0], links[blossom, size, 1] = x, y
        size += 1
    part = know[OUTER, y]
    while part != ancestor:
        base = know[BASE, part]
        mate = know[MATE, base]
        inner = know[OUTER, mate]
        parts[blossom, size] = part
        links[blossom, size, 0], links[blossom, size, 1] = base, mate
        parts[blossom, size + 1] = inner
        links[blossom, size + 1, 0] = know[TO, inner]
        links[blossom, size + 1, 1] = know[FROM, inner]
        size += 2
        part = know[OUTER, know[FROM, inner]]
    vertices = np.empty(n, np.int64)
    know[BASE, blossom] = know[BASE, ancestor]
    know[SIZE, blossom] = size
    know[PARENT, blossom] = -1
    know[LABEL, blossom] = OUT
    duals[blossom] = 0
    for place in range(size):
        part = parts[blossom, place]
        know[PARENT, part] = blossom
        if know[LABEL, part] == IN:
            for number in range(_set_outer(know, parts, part, part, vertices)):
                know[QUEUE, queue] = vertices[number]
                queue += 1
    count = _set_outer(know, parts, blossom, blossom, vertices)
    for number in range(count):
        near = know[NEAR, vertices[number]]
        if near >= 0 and know[OUTER, near] == blossom:
            _find_near(weights, duals, know, vertices[number])
    return queue


@kernel
def _expand(know: Any, parts: Any, links: Any, duals: Any, blossom: Any, queue: Any) -> Any:
    """Replace an inner blossom by its parts; returns the queue's new length."""
    vertices = np.empty(know.shape[1], np.int64)
    size = know[SIZE, blossom]
    entry = _place_of(know, parts, blossom, _part_with(know, blossom, know[TO, blossom]))
    last = _place_of(know, parts, blossom, _part_with(know, blossom, know[BASE, blossom]))
    source, target = know[FROM, blossom], know[TO, blossom]
    _dissolve(know, parts, duals, blossom)
    forward = (last - entry) % size % 2 == 0
    place = entry
    while True:
        inner = parts[blossom, place]
        know[LABEL, inner], know[FROM, inner], know[TO, inner] = IN, source, target
        if place == last:
            return queue
        place = (place + 1) % size if forward else (place - 1) % size
        outer = parts[blossom, place]
        know[LABEL, outer] = OUT
        for number in range(_set_outer(know, parts, outer, outer, vertices)):
            know[QUEUE, queue] = vertices[number]
            queue += 1
        if forward:
            source, target = links[blossom, place, 0], links[blossom, place, 1]
            place = (place + 1) % size
        else:
            place = (place - 1) % size
            source, target = links[blossom, place, 1], links[blossom, place, 0]


@kernel
def _ancestor(know: Any, x: Any, y: Any) -> Any:
    """The first that the paths of two outermost blossoms to their roots share, -1 if none."""
    know[MARK] = 0
    while x >= 0 or y >= 0:
        if x >= 0:
            if know[MARK, x] == 1:
                return x
            know[MARK, x] = 1
            mate = know[MATE, know[BASE, x]]
            x = -1 if mate < 0 else know[OUTER, know[FROM, know[OUTER, mate]]]
        x, y = y, x
    return -1


@kernel
def _meet(
    weights: Any, duals: Any, know: Any, parts: Any, links: Any, x: Any, y: Any, queue: Any
) -> Any:
    """Use a tight edge from x, which is out; returns the queue's new length, -1 if it matched."""
    top = know[OUTER, y]
    if know[LABEL, top] == OUT:
        ancestor = _ancestor(know, know[OUTER, x], top)
        if ancestor >= 0:
            return _shrink(weights, duals, know, parts, links, x, y, ancestor, queue)
        _flip(know, parts, links, x, y)
        _flip(know, parts, links, y, x)
        return -1
    mate = know[MATE, know[BASE, top]]
    if mate < 0:
        _rebase(know, parts, links, top, y)
        know[MATE, y] = x
        _flip(know, parts, links, x, y)
        return -1
    know[LABEL, top], know[FROM, top], know[TO, top] = IN, x, y
    outer = know[OUTER, mate]
    know[LABEL, outer] = OUT
    vertices = np.empty(weights.shape[0], np.int64)
    for number in range(_set_outer(know, parts, outer, outer, vertices)):
        know[QUEUE, queue] = vertices[number]
        queue += 1
    return queue


@kernel
def _scan(
    weights: Any, duals: Any, know: Any, parts: Any, links: Any, head: Any, queue: Any
) -> Any:
    """Search from the queue along tight edges; returns the queue's new length, -1 if it matched."""
    while head < queue:
        x = know[QUEUE, head]
        head += 1
        for y in range(weights.shape[0]):
            if (
                know[GONE, y] == 1
                or weights[x, y, 0] == NO_EDGE
                or know[OUTER, x] == know[OUTER, y]
            ):
                continue
            near = know[NEAR, y]
            if near < 0 or _order(weights, duals, x, y, near, y) < 0:
                know[NEAR, y] = x
            if know[LABEL, know[OUTER, y]] != IN and _tight(weights, duals, x, y):
                queue = _meet(weights, duals, know, parts, links, x, y, queue)
                if queue < 0:
                    return -1
    return queue


@kernel
def _least(duals: Any, know: Any, weights: Any, delta: Any) -> Any:
    """Find by how much duals can change; returns whether there is an end to it."""
    n, words = weights.shape[0], duals.shape[1]
    found = False
    for y in range(know.shape[1]):
        if y < n:
            x = know[NEAR, y]
            if know[GONE, y] == 1 or x < 0 or know[LABEL, know[OUTER, y]] == IN:
                continue
            half = 2 if know[LABEL, know[OUTER, y]] == OUT else 1
        elif know[SIZE, y] == 0 or know[PARENT, y] >= 0 or know[LABEL, y] != IN:
            continue
        smaller = not found
        for word in range(words):
            size = _slack(weights, duals, x, y, word) // half if y < n else duals[y, word]
            if not smaller and size > delta[word]:
                break
            if size < delta[word]:
                smaller = True
            if smaller:
                delta[word] = size
        found = True
    return found


@kernel
def _search(weights: Any, duals: Any, know: Any, parts: Any, links: Any, root: Any) -> Any:
    """Match one pair more, from the root or, if that is -1, from all that are without a mate.

    Returns whether that could be done.
    """
    n, words = weights.shape[0], duals.shape[1]
    know[LABEL] = FREE
    know[NEAR] = -1
    vertices = np.empty(n, np.int64)
    queue = np.int64(0)
    for vertex in range(n):
        top = know[OUTER, vertex]
        is_root = vertex == root or (root < 0 and know[MATE, know[BASE, top]] < 0)
        if is_root and know[GONE, vertex] == 0 and know[LABEL, top] == FREE:
            know[LABEL, top] = OUT
            for number in range(_set_outer(know, parts, top, top, vertices)):
                know[QUEUE, queue] = vertices[number]
                queue += 1
    head = np.int64(0)
    delta = np.empty(words, np.int64)
    while True:
        length = _scan(weights, duals, know, parts, links, head, queue)
        if length < 0:
            return True
        head = queue = length
        if not _least(duals, know, weights, delta):
            return False
        for vertex in range(n):
            label = know[LABEL, know[OUTER, vertex]]
            if know[GONE, vertex] == 0 and label != FREE:
                for word in range(words):
                    duals[vertex, word] += -delta[word] if label == OUT else delta[word]
        for blossom in range(n, know.shape[1]):
            if know[SIZE, blossom] > 0 and know[PARENT, blossom] < 0:
                label = know[LABEL, blossom]
                for word in range(words):
                    if label == OUT:
                        duals[blossom, word] += delta[word]
                    elif label == IN:
                        duals[blossom, word] -= delta[word]
        for blossom in range(n, know.shape[1]):
            if know[SIZE, blossom] > 0 and know[PARENT, blossom] < 0 and know[LABEL, blossom] == IN:
                empty = True
                for word in range(words):
                    empty = empty and duals[blossom, word] == 0
                if empty:
                    queue = _expand(know, parts, links, duals, blossom, queue)
        for y in range(n):
            x = know[NEAR, y]
            if (
                know[GONE, y] == 0
                and x >= 0
                and know[LABEL, know[OUTER, y]] != IN
                and know[OUTER, x] != know[OUTER, y]
                and _tight(weights, duals, x, y)
            ):
                queue = _meet(weights, duals, know, parts, links, x, y, queue)
                if queue < 0:
                    return True


@kernel
def _match_all(weights: Any, duals: Any, know: Any, parts: Any, links: Any, hints: Any) -> Any:
    """Find a best matching from nothing; returns whether there is a perfect one."""
    n, words = weights.shape[0], weights.shape[2]
    best_x, best_y = -1, -1
    for x in range(n):
        for y in range(x):
            if weights[x, y, 0] == NO_EDGE:
                continue
            larger = best_x < 0
            for word in range(words):
                if larger or weights[x, y, word] != weights[best_x, best_y, word]:
                    larger = larger or weights[x, y, word] > weights[best_x, best_y, word]
                    break
            if larger:
                best_x, best_y = x, y
    if best_x < 0:
        return n == 0
    for vertex in range(n):
        for word in range(words):
            duals[vertex, word] = weights[best_x, best_y, word]
    for x in range(n):
        for step in range(n if know[MATE, x] < 0 else 0):
            y = (hints[x] + step) % n
            if know[MATE, y] < 0 and x != y and _tight(weights, duals, x, y):
                know[MATE, x], know[MATE, y] = y, x
                break
    exposed = 0
    for vertex in range(n):
        exposed += know[MATE, vertex] < 0
    for _ in range(exposed // 2):
        if not _search(weights, duals, know, parts, links, np.int64(-1)):
            return False
    return exposed % 2 == 0


@kernel
def _tidy(weights: Any, duals: Any, know: Any, parts: Any) -> Any:
    """Dissolve the outermost blossoms whose dual is 0."""
    n = weights.shape[0]
    blossom = n
    while blossom < know.shape[1]:
        empty = know[SIZE, blossom] > 0 and know[PARENT, blossom] < 0
        for word in range(duals.shape[1]):
            empty = empty and duals[blossom, word] == 0
        if empty:
            _dissolve(know, parts, duals, blossom)
            blossom = n
        else:
            blossom += 1


@kernel
def _release(know: Any, parts: Any, links: Any, duals: Any, vertex: Any) -> Any:
    """Take a vertex out of all blossoms, and leave it and its mate without one."""
    top = know[OUTER, vertex]
    mate = know[MATE, know[BASE, top]]
    if mate >= 0:
        know[MATE, mate] = -1
    _rebase(know, parts, links, top, vertex)
    know[MATE, vertex] = -1
    vertices = np.empty(know.shape[1], np.int64)
    while top != vertex:
        part = _part_with(know, top, vertex)
        for number in range(_set_outer(know, parts, top, top, vertices)):
            for word in range(duals.shape[1]):
                duals[vertices[number], word] += duals[top, word]
        _dissolve(know, parts, duals, top)
        top = part


@kernel
def _match_anew(weights: Any, duals: Any, know: Any, parts: Any, links: Any, x: Any) -> Any:
    """Find the mate of a vertex again, after its weights changed."""
    _release(know, parts, links, duals, x)
    # As low as it can be, so that the search begins with a tight edge.
    duals[x] = 0
    best: Any = np.int64(-1)
    for y in range(weights.shape[0]):
        is_edge = know[GONE, y] == 0 and weights[x, y, 0] != NO_EDGE
        if is_edge and (best < 0 or _order(weights, duals, x, y, x, best) < 0):
            best = y
    for word in range(duals.shape[1]):
        duals[x, word] = 2 * weights[x, best, word] - duals[best, word]
    _search(weights, duals, know, parts, links, x)


@kernel
def _swap(weights: Any, duals: Any, know: Any, x: Any, y: Any) -> Any:
    """Match x and y, and their mates with each other, if it is plain that this is as good."""
    one, two = know[MATE, x], know[MATE, y]
    for vertex in (x, y, one, two):
        if know[OUTER, vertex] != vertex:
            return False
    if not _tight(weights, duals, one, two):
        return False
    know[MATE, x], know[MATE, y], know[MATE, one], know[MATE, two] = y, x, two, one
    return True


@kernel
def _take(weights: Any, duals: Any, know: Any, parts: Any, links: Any, x: Any, y: Any) -> Any:
    """Take out two vertices that are matched in a best matching."""
    _release(know, parts, links, duals, x)
    know[GONE, x] = 1
    _release(know, parts, links, duals, y)
    know[GONE, y] = 1
    for vertex in range(weights.shape[0]):
        if know[GONE, vertex] == 0 and know[MATE, know[BASE, know[OUTER, vertex]]] < 0:
            _search(weights, duals, know, parts, links, vertex)
            return


@kernel
def _choose(
    weights: Any, duals: Any, know: Any, parts: Any, links: Any, choosers: Any, choices: Any
) -> Any:
    """Give the choosers, in turn, the first of the choices that a best matching allows.

    Each pair is taken out. The last word of the weights must be 0: there, an edge that may be in a
    best matching is given more weight. If it is, the search finds it; if not, it finds duals that
    tell so, mostly for many edges at once.
    """
    last = weights.shape[2] - 1
    pairs = [(0, 0) for _ in range(0)]
    for x in choosers:
        for y in choices:
            if y == x or know[GONE, y] == 1 or weights[x, y, 0] == NO_EDGE:
                continue
            if know[MATE, x] == y:
                break
            # Within a blossom, slack depends on its dual too.
            if know[OUTER, x] != know[OUTER, y] and not _tight(weights, duals, x, y):
                continue
            if _swap(weights, duals, know, x, y):
                break
            weights[x, y, last] = weights[y, x, last] = 1
            _match_anew(weights, duals, know, parts, links, x)
            weights[x, y, last] = weights[y, x, last] = 0
            if know[MATE, x] == y:
                break
            if know[OUTER, x] != x:
                _match_anew(weights, duals, know, parts, links, x)
        y = know[MATE, x]
        pairs.append((x, y))
        _take(weights, duals, know, parts, links, x, y)
    return pairs


class Matching:
    """A perfect matching of greatest weight, and those that are as good."""

    def __init__(self, weights: NDArray[np.int64], hints: NDArray[np.int64]) -> None:
        """Find one; `weights` has the shape (n, n, words) and is symmetric, `NO_EDGE` in the first
        word where there is no edge.

        Words must stay below 2**40. `hints` says for each vertex at which other to begin to look
        for a mate. Raises ValueError if there is no perfect matching.
        """
        n, _, words = weights.shape
        self._weights = np.ascontiguousarray(weights)
        self._duals = np.zeros((n + n // 2 + 1, words), np.int64)
        self._know = np.zeros((ROWS, n + n // 2 + 1), np.int64)
        for row in (MATE, PARENT, NEAR):
            self._know[row] = -1
        for row in (OUTER, BASE):
            self._know[row] = np.arange(n + n // 2 + 1)
        self._parts = np.zeros((n + n // 2 + 1, n + 1), np.int32)
        self._links = np.zeros((n + n // 2 + 1, n + 1, 2), np.int32)
        if not _match_all(*self._state, hints):
            raise ValueError("there is no perfect matching")

    @property
    def _state(self) -> tuple[NDArray[np.int64], ...]:
        return self._weights, self._duals, self._know, self._parts, self._links

    @property
    def mates(self) -> NDArray[np.int64]:
        """The mate of each vertex; -1 of those that have been taken out."""
        return self._know[MATE, : len(self._weights)].copy()

    def choose(
        self, choosers: NDArray[np.int64], choices: NDArray[np.int64]
    ) -> list[tuple[int, int]]:
        """Give the choosers, in turn, the first of the choices that leaves the matching best.

        Takes out each pair, and returns them. All best matchings must match each chooser with one
        of the choices, and the last word of all weights must be 0.
        """
        found: list[tuple[int, int]] = _choose(*self._state, choosers, choices)
        return found
