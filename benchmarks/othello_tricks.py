"""What each trick of Othello's endgame search brings, measured by switching it off.

    python benchmarks/othello_tricks.py
    python benchmarks/othello_tricks.py --suite fforum-40-59.obf:5

`tricks.py` tells how it is measured. Without a suite, the problems of the tests are solved that
have 18 empty squares or more.
"""

from pathlib import Path
from typing import Any

import numpy as np
from tricks import Trick, run

from plywire.engine.compiled.constants import NONE
from plywire.engine.compiled.kernel import kernel
from plywire.engine.othello import obf
from plywire.engine.othello.confidence import iterations
from plywire.engine.othello.solver import Solver
from plywire.engine.othello.suite import run as solve_all
from plywire.engine.search.searcher import Iteration

PROBLEMS = Path(__file__).parents[1] / "tests" / "engine" / "othello" / "problems.obf"
LEAST_EMPTY = 18


def solve(suite: Path, table_mb: int) -> dict[str, Any]:
    """Solve a suite; the kernels are loaded before it measures."""
    problems = obf.read(suite.read_text().splitlines())
    solver = Solver(table_mb=table_mb)
    solver.solve(problems[0].position)
    solved = list(solve_all(solver, problems))
    return {
        "ms": 1e3 * sum(one.cpu_seconds for one in solved) / len(solved),
        "nodes": sum(one.nodes for one in solved) / len(solved),
        "scores": [one.score for one in solved],
    }


# What stands in for parts of the search.


@kernel
def _nothing(address: Any) -> Any:
    return NONE


@kernel
def _not_found(place: Any, key: Any) -> Any:
    return NONE


@kernel
def _no_quarter(context: Any, square: Any) -> Any:
    return NONE


@kernel
def _no_estimate(weights: Any, empties: Any, indices: Any) -> Any:
    return np.int64(0)


def _of_certainty(empty: int, deepest: int, *, may_run_out: bool) -> list[Iteration]:
    steps = iterations(empty, deepest, may_run_out=may_run_out)
    return [step for step in steps if step.depth < empty or step.confidence == 100]


def _first_and_last(empty: int, deepest: int, *, may_run_out: bool) -> list[Iteration]:
    steps = iterations(empty, deepest, may_run_out=may_run_out)
    return steps if steps[0].confidence == 100 else [steps[0], steps[-1]]


def _othello(*replacements: tuple[str, Any]) -> tuple[tuple[str, Any], ...]:
    return tuple((f"plywire.engine.othello.{name}", value) for name, value in replacements)


_NO_STABILITY = np.int64(99)

TRICKS = (
    Trick("(all switched on)"),
    Trick(
        "fastest first",
        _othello(
            ("endgame.ordering._REPLY", NONE),
            ("endgame.ordering._CORNER", NONE),
            ("midgame.children._REPLY_TO_END", np.int64(0)),
        ),
    ),
    Trick("the estimate in the order of moves", _othello(("midgame.children.weigh", _no_estimate))),
    Trick(
        "what else orders the last moves",
        _othello(
            ("endgame.ordering._STABLE", NONE),
            ("endgame.ordering._BESIDE", NONE),
            ("endgame.ordering._DISC", NONE),
        ),
    ),
    Trick(
        "parity",
        _othello(
            ("endgame.search.quarter_of", _no_quarter),
            ("endgame.empty_5_to_6.quarter_of", _no_quarter),
            ("endgame.empty_1_to_4._QUARTER", NONE),
        ),
    ),
    Trick(
        "stability",
        _othello(
            ("endgame.empty_5_to_6._STABLE_ALPHA_5", _NO_STABILITY),
            ("endgame.empty_5_to_6._STABLE_ALPHA_6", _NO_STABILITY),
            ("endgame.search._STABLE_ALPHA", _NO_STABILITY),
            ("midgame.search._STABLE_ALPHA", np.int64(9900)),
        ),
    ),
    Trick("the table of the last squares", _othello(("endgame.search.probe", _not_found))),
    Trick(
        "children's entries looked up first, above the last squares",
        _othello(("midgame.search._ETC_DEPTH", np.int64(99))),
    ),
    Trick(
        "entries fetched ahead",
        _othello(("endgame.children.prefetch", _nothing), ("midgame.children.prefetch", _nothing)),
    ),
    Trick("searches of less confidence first", _othello(("backend.iterations", _of_certainty))),
    Trick("searches of less depth first too", _othello(("backend.iterations", _first_and_last))),
)


def _write_problems(folder: Path) -> list[Path]:
    """Write the problems of the tests that have many empty squares into a file of the folder."""
    lines = PROBLEMS.read_text().splitlines()
    suite = folder / "problems"
    suite.write_text("\n".join(it for it in lines if it[:64].count("-") >= LEAST_EMPTY))
    return [suite]


if __name__ == "__main__":
    run("othello_tricks", TRICKS, _write_problems)
