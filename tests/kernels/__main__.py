"""Make the machine code that tests load: `python -m tests.kernels`, once for all their processes.

A program or board size that is missing here is made by the first test that needs it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from plywire.engine import registry
from plywire.engine.compiled.native import PreparationError, Wanted, provide
from plywire.engine.connect4.solver.solver import solver_wanted
from plywire.engine.othello.speed_kernels import SPEED
from tests.kernels import (
    CONNECT4_GEOMETRY,
    CONNECT4_SOLVER,
    GATHER,
    PROGRAMS,
)
from tests.support.kernels import solver_constants
from tools.paths import ROOT, make_importable
from tools.training.kernels import TRAINING

#: Boards that the solver is tested on, and whether several threads share a search.
_SOLVED = ((7, 6, False), (7, 6, True), (4, 4, False), (4, 4, True), (4, 5, False), (5, 4, False))
#: Boards that single kernels of the solver are tested on.
_SINGLY = ((7, 6, False), (7, 6, True), (5, 4, False), (4, 5, False), (5, 5, False), (10, 5, False))
_WIDTHS = (4, 7, 8, 9, 12)


def wanted() -> Iterator[Wanted]:
    """All programs that tests load, with their constants."""
    for name in registry.names():
        backend = registry.backend_of(registry.load(name))
        yield from backend.wanted()
        yield Wanted(backend.perft_program())
    for width, height, is_shared in _SOLVED:
        yield solver_wanted(width, height, is_shared=is_shared)
    for width, height, is_shared in _SINGLY:
        constants = solver_constants(width, height, is_shared=is_shared)
        yield Wanted(CONNECT4_SOLVER, constants)
    for width in _WIDTHS:
        yield Wanted(CONNECT4_GEOMETRY, solver_constants(width, 4))
    for is_quick in (True, False):
        yield Wanted(GATHER, {"has_quick_gather": is_quick})
    made_above = (CONNECT4_GEOMETRY, CONNECT4_SOLVER, GATHER)
    for program in (SPEED, TRAINING, *PROGRAMS):
        if program not in made_above:
            yield Wanted(program)


if __name__ == "__main__":
    make_importable(ROOT)
    try:
        provide({it.key: it for it in wanted()}.values())
    except PreparationError as error:
        sys.exit(str(error))
