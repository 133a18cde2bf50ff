"""What each game has for the contract of `compiled/contract.py`."""

from collections.abc import Mapping
from typing import Any

from plywire.engine.compiled import contract
from plywire.engine.compiled.constants import WORD
from plywire.engine.compiled.intrinsics import store64
from plywire.engine.compiled.kernel import kernel
from plywire.engine.compiled.program import UINT64, Entry


@kernel
def outcome(board: Any, own: Any, other: Any) -> Any:
    return contract.outcome(board, own, other)


@kernel
def legal(board: Any, own: Any, other: Any) -> Any:
    return contract.legal(board, own, other)


@kernel
def evaluate(board: Any, own: Any, other: Any) -> Any:
    return contract.evaluate(board, own, other)


@kernel
def order(board: Any, own: Any, other: Any, move: Any) -> Any:
    return contract.order(board, own, other, move)


@kernel
def play(board: Any, own: Any, other: Any, move: Any, target: Any) -> Any:
    next_own, next_other = contract.play(board, own, other, move)
    store64(target, next_own)
    store64(target + WORD, next_other)


def entries(board: type[tuple[Any, ...]]) -> Mapping[str, Entry]:
    position = board, UINT64, UINT64
    return {
        "outcome": Entry(outcome, *position),
        "legal": Entry(legal, *position),
        "evaluate": Entry(evaluate, *position),
        "order": Entry(order, *position, UINT64),
        "play": Entry(play, *position, UINT64, UINT64),
    }
