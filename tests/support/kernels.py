"""The programs of `tests/kernels/`, called from tests."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping
from functools import cache, cached_property
from typing import Any

from plywire.engine.compiled.constant import Value, values
from plywire.engine.compiled.native import load
from plywire.engine.compiled.program import Program
from plywire.engine.connect4.solver.geometry import CONSTANTS, Geometry
from tests.kernels import CONNECT4_SOLVER

_ALL = 0xFFFF_FFFF_FFFF_FFFF


class Kernels:
    """The entries of a program, as methods. The program is loaded when one is first called.

    They take integers, NumPy's included, and return a signed one.
    """

    def __init__(self, program: Program, constants: Mapping[str, Value] | None = None) -> None:
        self._program = program
        self._constants = constants

    @cached_property
    def _entries(self) -> Any:
        return load(self._program, self._constants)

    def __getattr__(self, entry: str) -> Any:
        if entry.startswith("_"):  # pytest asks all that it collects for such attributes
            raise AttributeError(entry)
        return getattr(self._entries, entry)


@cache
def solver_kernels(width: int, height: int, *, is_shared: bool = False) -> Kernels:
    """The kernels of Connect Four's solver for a board size."""
    return Kernels(CONNECT4_SOLVER, solver_constants(width, height, is_shared=is_shared))


def solver_constants(width: int, height: int, *, is_shared: bool = False) -> Mapping[str, Value]:
    """What the kernels of Connect Four's solver are made with for a board size."""
    return values(CONSTANTS, Geometry(width, height, is_shared))


def unsigned(word: int) -> int:
    """What an entry returned, as a word without a sign."""
    return word & _ALL


def signed(word: int) -> int:
    """A word as a number with a sign."""
    return ctypes.c_int64(word).value


def written(count: int, entry: Callable[..., int], *arguments: Any) -> tuple[int, ...]:
    """The words that an entry writes to its last argument, an address."""
    words = (ctypes.c_uint64 * count)()
    entry(*arguments, ctypes.addressof(words))
    return tuple(words)
