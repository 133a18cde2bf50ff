"""Values, limits and table entries that all nodes of the selective search share."""

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

#: A number below every score.
WORST = np.int64(-20_000)
#: The score of a game that is won with all discs, in hundredths of a disc.
MOST = np.int64(6_400)
#: A disc, and the smallest difference between two scores, in hundredths of a disc.
DISC, LEAST = np.int64(100), np.int64(1)

CERTAIN = np.int64(confidence.CERTAIN)

#: Maximum number of nodes between two checks of the node limit.
_UNWATCHED = np.uint64(40)


@kernel
def must_end(context: Address) -> Flag:
    """Return whether the search is stopped, or has no time or nodes left."""
    if is_stopped(context):
        return True
    return limits.must_end(context, load64(context + CONTEXT.nodes) + _UNWATCHED)


@kernel
def answers(known: Word, depth: Ply, level: Ply, alpha: Score) -> Flag:
    """Return whether a table entry is deep, sure and tight enough for a search."""
    if entry_depth(known) < depth or entry_level(known) < level:
        return False
    return _tells_side_of(known, alpha)


@kernel
def expected(known: Word, estimate: Score) -> Score:
    """Return the entry's bound if it excludes the estimate, otherwise the estimate."""
    return entry_score(known) if _tells_side_of(known, estimate) else estimate


@kernel
def _tells_side_of(known: Word, value: Score) -> Flag:
    """Return whether an entry's bound shows on which side of a value the score is."""
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
    """Store a null-window result; if all moves fail low, store `hint` as the best square."""
    bound = LOWER
    if score <= alpha:
        bound = UPPER
        square = hint
    store(bucket, key, load64(context + ROOT.age), depth, level, square, score, bound)
