"""Kernels of the search that all games share."""

from collections.abc import Mapping

from plywire.engine.compiled.program import INT64, UINT64, Entry
from plywire.engine.search import table
from plywire.engine.search.context import must_end


def entries() -> Mapping[str, Entry]:
    return {
        "must_end": Entry(must_end, UINT64, UINT64),
        "position_key": Entry(table.position_key, *[UINT64] * 3),
        "bucket_address": Entry(table.bucket_address, *[UINT64] * 3),
        "probe": Entry(table.probe, UINT64, UINT64),
        "store": Entry(table.store, *[UINT64] * 3, INT64, INT64, UINT64, INT64, UINT64),
        "entry_score": Entry(table.entry_score, UINT64),
        "entry_depth": Entry(table.entry_depth, UINT64),
        "entry_move": Entry(table.entry_move, UINT64),
        "entry_bound": Entry(table.entry_bound, UINT64),
        "entry_level": Entry(table.entry_level, UINT64),
    }
