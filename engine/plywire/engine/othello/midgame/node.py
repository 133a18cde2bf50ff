"""What all nodes of the selective search share: values, limits, and what the table answers."""

import numpy as np

from plywire.engine.compiled.intrinsics import load64
from plywire.engine.compiled.kernel import kernel
from plywire.engine.compiled.layout import Address, Flag, Ply, Score, Word
from plywire.engine.othello import confidence
from plywire.engine.search import context as limits
from plywire.engine.search.context import CONTEXT, is_stopped
from plywire.engine.search.table import (
    LOWER,
    UPPER,
    entry_bound,
    entry_depth,
    entry_level,
    entry_score,
    store,
)
from plywire.engine.search.thread_memory import ROOT

#: Below every value.
WORST = np.int64(-20_000)
#: The value of a game won with all discs.
MOST = np.int64(6_400)
#: A disc, and the least difference of two values.
DISC, LEAST = np.int64(100), np.int64(1)

#: The level at which nothing is pruned on suspicion.
CERTAIN = np.int64(confidence.CERTAIN)

#: More nodes than are visited without looking at the limit.
_UNWATCHED = np.uint64(40)


@kernel
def must_end(context: Address) -> Flag:
    """Whether the search is to end, which it is too when there are no nodes left."""
    if is_stopped(context):
        return True
    return limits.must_end(context, load64(context + CONTEXT.nodes) + _UNWATCHED)


@kernel
def answers(known: Word, depth: Ply, level: Ply, alpha: Score) -> Flag:
    """Whether an entry of the table answers a search."""
    if entry_depth(known) < depth or entry_level(known) < level:
        return False
    return _tells_side_of(known, alpha)


@kernel
def expected(known: Word, estimate: Score) -> Score:
    """The estimate of a position, or the bound in its entry of the table that is beyond it."""
    return entry_score(known) if _tells_side_of(known, estimate) else estimate


@kernel
def _tells_side_of(known: Word, value: Score) -> Flag:
    """Whether an entry's bound tells if the score is more than a value."""
    if entry_score(known) > value:
        return entry_bound(known) != UPPER
    return entry_bound(known) != LOWER


@kernel
def store_result(
    context: Address,
    bucket: Address,
    key: Word,
    depth: Ply,
    level: Ply,
    alpha: Score,
    score: Score,
    square: Word,
    hint: Word,
) -> None:
    """Store in the table what a search with a null window found, and its best square.

    Where all moves failed low, which says nothing of the best, the `hint` stays, if there is one.
    """
    bound = LOWER
    if score <= alpha:
        bound = UPPER
        square = hint
    store(bucket, key, load64(context + ROOT.age), depth, level, square, score, bound)
