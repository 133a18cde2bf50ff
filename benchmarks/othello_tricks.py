"""What each trick of Othello's endgame search brings, measured by switching it off.

    python benchmarks/othello_tricks.py
    python benchmarks/othello_tricks.py --suite fforum-40-59.obf:5

`tricks.py` tells how it is measured. Without a suite, the problems of the tests are solved that
have 18 empty squares or more.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer
from tricks import Edit, Trick, measure, named, write_suites

PROBLEMS = Path(__file__).parents[1] / "tests" / "engine" / "othello" / "problems.obf"
LEAST_EMPTY = 18

#: Solves the suites whose files its arguments name; the kernels are loaded before it measures.
WORKER = """
import json, sys
from pathlib import Path
from plywire.engine.othello import obf
from plywire.engine.othello.endgame import solver, suite

folder, table_mb, *paths = sys.argv[1:]
if not Path(solver.__file__).is_relative_to(folder):
    sys.exit(f"{solver.__file__} is not the copy in {folder}")
it = solver.Solver(table_mb=int(table_mb))
results = []
for path in paths:
    problems = obf.read(Path(path).read_text().splitlines())
    it.solve(problems[0].position)
    solved = list(suite.run(it, problems))
    ms = 1e3 * sum(one.cpu_seconds for one in solved) / len(solved)
    nodes = sum(one.nodes for one in solved) / len(solved)
    results.append({"ms": ms, "nodes": nodes, "scores": [one.score for one in solved]})
print(json.dumps(results))
"""


def _endgame(file: str, old: str, new: str) -> Edit:
    return Edit(f"othello/endgame/{file}", old, new)


def _midgame(file: str, old: str, new: str) -> Edit:
    return Edit(f"othello/midgame/{file}", old, new)


_HERE = "known = find(entry, key)\n"
_CHILD = "known = find(entry_of(context, child_key), child_key)\n"
_PARITY_5 = "    rest = moves & ~odd\n    moves &= odd\n"
_PARITY_4 = "_take(empty & odd, empty & ~odd)"
_PARITY_3 = "if (second ^ third) & _QUARTER != _NONE:"

TRICKS = (
    Trick("(all switched on)"),
    Trick(
        "fastest first",
        (
            _endgame("ordering.py", "- _REPLY * count ", ""),
            _midgame("children.py", "_REPLY_TO_END = np.int64(400)", "_REPLY_TO_END = np.int64(0)"),
        ),
    ),
    Trick(
        "the estimate in the order of moves",
        (_midgame("children.py", "_BIAS - estimate - weight *", "_BIAS - weight *"),),
    ),
    Trick(
        "parity",
        (
            _endgame("ordering.py", " + (_ODD if is_odd else _NONE)", ""),
            _endgame("few.py", _PARITY_5, "    rest = _NONE\n"),
            _endgame("last.py", _PARITY_4, "_take(empty, _NONE)"),
            _endgame("last.py", _PARITY_3, "if False:"),
        ),
    ),
    Trick(
        "stability",
        (
            _endgame("few.py", "_STABLE_ALPHA_5 = np.int64(20)", "_STABLE_ALPHA_5 = np.int64(99)"),
            _endgame("few.py", "_STABLE_ALPHA_6 = np.int64(12)", "_STABLE_ALPHA_6 = np.int64(99)"),
            _endgame("search.py", "_STABLE_ALPHA = np.int64(4)", "_STABLE_ALPHA = np.int64(99)"),
            _midgame(
                "search.py", "_STABLE_ALPHA = np.int64(800)", "_STABLE_ALPHA = np.int64(9900)"
            ),
        ),
    ),
    Trick(
        "the table of the last squares",
        (
            _endgame("search.py", _HERE, "known = _NONE\n"),
            _endgame("search.py", _CHILD, "known = _NONE\n"),
        ),
    ),
    Trick(
        "children's entries looked up first",
        (
            _endgame("search.py", _CHILD, "known = _NONE\n"),
            _midgame("search.py", "_ETC_DEPTH = np.int64(4)", "_ETC_DEPTH = np.int64(99)"),
        ),
    ),
    Trick(
        "entries fetched ahead",
        (
            _endgame("search.py", "prefetch(entry_of(context, child_key))", "pass"),
            _midgame("children.py", "prefetch(bucket_of(context, key))", "pass"),
        ),
    ),
    Trick(
        "searches of less confidence first",
        (
            Edit(
                "othello/confidence.py",
                "for confidence in CONFIDENCES]",
                "for confidence in (100,)]",
            ),
        ),
    ),
    Trick(
        "searches of less depth first too",
        (
            Edit(
                "othello/confidence.py",
                "return middle + [Iteration(",
                "return middle[:1] + [Iteration(",
            ),
            Edit(
                "othello/confidence.py",
                "for confidence in CONFIDENCES]",
                "for confidence in (100,)]",
            ),
        ),
    ),
)


def _write_problems(folder: Path) -> list[Path]:
    """Write the problems of the tests that have many empty squares into a file of the folder."""
    lines = PROBLEMS.read_text().splitlines()
    suite = folder / "problems"
    suite.write_text("\n".join(it for it in lines if it[:64].count("-") >= LEAST_EMPTY))
    return [suite]


def main(
    suite: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE[:LIMIT]", help="Problems in OBF; the tests' if left out."),
    ] = None,
    only: Annotated[
        list[str] | None, typer.Option(help="Measure the tricks whose names hold this text.")
    ] = None,
    rounds: Annotated[int, typer.Option(min=1)] = 3,
    table_mb: Annotated[int, typer.Option("--table", help="MB of the table.", min=1)] = 64,
) -> None:
    """Switch off one trick after the other; print how many times the nodes and the CPU time."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        suites = write_suites(suite, folder) if suite else _write_problems(folder)
        measure(named(TRICKS, only), suites, WORKER, rounds=rounds, table_mb=table_mb)


if __name__ == "__main__":
    typer.run(main)
