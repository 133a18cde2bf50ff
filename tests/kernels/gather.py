"""Adding up bytes of a table."""

from collections.abc import Mapping
from typing import Any

from plywire.engine.compiled.gather import BytesAdder
from plywire.engine.compiled.kernel import kernel
from plywire.engine.compiled.program import UINT64, Entry

OFFSETS = [0] * 5 + [70_000] * 20 + [3] * 7
#: How many bytes are added up at the same place.
AT_ONE_PLACE = 48

_add_up = BytesAdder(OFFSETS)
_add_up_at_one_place = BytesAdder([0] * AT_ONE_PLACE)


@kernel
def total(table: Any, words: Any) -> Any:
    return _add_up(table, words)


@kernel
def total_at_one_place(table: Any, words: Any) -> Any:
    return _add_up_at_one_place(table, words)


def entries() -> Mapping[str, Entry]:
    return {
        "total": Entry(total, UINT64, UINT64),
        "total_at_one_place": Entry(total_at_one_place, UINT64, UINT64),
    }
