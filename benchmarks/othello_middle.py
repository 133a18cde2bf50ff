"""How much Othello's moves lose in the middle game, by much deeper searches.

    python benchmarks/othello_middle.py judged.jsonl --save old.json
    python benchmarks/othello_middle.py judged.jsonl --against old.json

Positions with 24 to 45 empty squares, one a game, are searched with a fixed number of nodes. If a
deep search finds another move, it also searches the positions after both moves. The value of each
is the mean of the last two iterations, because the player who moves last in a search looks better
than it is. The loss of the move is the difference of the values, but at least 0.

The file keeps the positions and the judgements for later runs, also of another version of the
engine: two searches are compared on the same positions by the same judge. All limits are numbers of
nodes, so a search gives the same figures on a busy machine.
"""

import json
import random
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from numpy.typing import ArrayLike
from rich.console import Console
from rich.progress import track

from plywire.engine.analysis import AnalysisLine
from plywire.engine.engine import LocalEngine
from plywire.engine.limits import SearchLimits
from plywire.engine.othello.rules import Othello, OthelloPosition
from plywire.engine.othello.solver import final_score
from plywire.server.cli.common import screen, table

GAME = Othello()
LEAST_EMPTY, MOST_EMPTY = 24, 45
#: Games begin with random plies and go on with searches of this depth; one move in 16 is random.
RANDOM_PLIES, PLAYED_DEPTH, ERRED = 8, 4, 16
#: Positions with a greater lead, in discs, are left out: there, nothing depends on a move.
MOST_AHEAD, AHEAD_DEPTH = 12, 8


class Judge:
    """Measures what moves lose, and keeps the judgements in a file.

    Each line is an array of a FEN, the nodes searched, the best move and the value in discs. The
    first lines are the positions, with 0 nodes.
    """

    def __init__(self, path: Path, count: int, nodes: int) -> None:
        """Read the file, or choose `count` positions; `nodes` limits the search of each."""
        self._path = path
        self._nodes = nodes
        self._engine = LocalEngine(hash_mb=64, book=False)
        self._known: dict[tuple[str, int], tuple[int, float]] = {}
        if path.exists():
            for fen, searched, best, value in map(json.loads, path.read_text().splitlines()):
                self._known[fen, searched] = best, value
        chosen = [fen for fen, searched in self._known if searched == 0]
        for fen in positions(count)[len(chosen) :] if len(chosen) < count else []:
            self._keep(fen, 0, 0, 0.0)
            chosen.append(fen)
        self.positions = [GAME.parse(fen) for fen in chosen[:count]]

    def loss(self, position: OthelloPosition, move: int) -> float:
        """Return the loss of a move against the best one, in discs."""
        best, _ = self._judged(position)
        if move == best:
            return 0.0
        return max(self._value(position, best) - self._value(position, move), 0.0)

    def _value(self, position: OthelloPosition, move: int) -> float:
        """The value of a move for its player."""
        after = position.play(move)
        return -final_score(after) if after.is_over else -self._judged(after)[1]

    def _judged(self, position: OthelloPosition) -> tuple[int, float]:
        """The best move, and the value of the position for the player to move."""
        fen = position.fen()
        if (fen, self._nodes) not in self._known:
            values: list[float] = []
            self._engine.clear()
            limits = SearchLimits(nodes=self._nodes)
            found = self._engine.analyse(position, limits, lambda line: values.append(discs(line)))
            is_proven = found.score is not None and found.score.proven
            value = values[-1] if is_proven else float(np.mean(values[-2:]))
            self._keep(fen, self._nodes, found.best or 0, value)
        return self._known[fen, self._nodes]

    def _keep(self, fen: str, searched: int, best: int, value: float) -> None:
        self._known[fen, searched] = best, value
        with self._path.open("a") as file:
            file.write(json.dumps([fen, searched, best, value]) + "\n")


def discs(line: AnalysisLine) -> float:
    """Convert the score of a line to discs."""
    return line.score.value / (100 if line.score.kind == "cp" else 1)


def positions(count: int) -> list[str]:
    """Choose positions, as FENs; they depend on the engine."""
    chance = random.Random(1)
    engine = LocalEngine(hash_mb=1, book=False)
    found: list[str] = []
    for _ in track(range(count), "Playing games", console=Console(stderr=True)):
        while True:
            position = _played(chance, engine)
            if position.is_over or len(position.moves()) < 2:
                continue
            (line,) = engine.analyse(position, SearchLimits(depth=AHEAD_DEPTH)).lines
            if abs(discs(line)) <= MOST_AHEAD:
                break
        found.append(position.fen())
    return found


def _played(chance: random.Random, engine: LocalEngine) -> OthelloPosition:
    empty = chance.randint(LEAST_EMPTY, MOST_EMPTY)
    position = GAME.start()
    plies = 0
    while not position.is_over and position.plies_left > empty:
        if plies < RANDOM_PLIES or chance.randrange(ERRED) == 0:
            move = chance.choice(position.moves())
        else:
            move = engine.analyse(position, SearchLimits(depth=PLAYED_DEPTH)).best or 0
        position = position.play(move)
        plies += 1
    return position


def main(
    judged: Annotated[Path, typer.Argument(help="Where positions and judgements are kept.")],
    count: Annotated[int, typer.Option("--positions", min=2)] = 600,
    nodes: Annotated[list[int] | None, typer.Option(help="Nodes a search, for each row.")] = None,
    judge_nodes: Annotated[int, typer.Option(help="Nodes of a judgement.", min=1)] = 5_000_000,
    save: Annotated[Path | None, typer.Option(help="File for the losses of all moves.")] = None,
    against: Annotated[Path | None, typer.Option(help="File of losses to compare with.")] = None,
) -> None:
    """Print the loss of the moves that a search chooses, in discs."""
    judge = Judge(judged, count, judge_nodes)
    engine = LocalEngine(hash_mb=16, book=False)
    old = json.loads(against.read_text()) if against else {}
    lost: dict[str, list[float]] = {}
    told = table("nodes", "depth", "best move", "lost a move", "+-", "less than before", "+-")
    for limit in nodes or [150_000, 600_000]:
        depths, losses = [], []
        for position in track(judge.positions, f"{limit:,} nodes", console=Console(stderr=True)):
            engine.clear()
            found = engine.analyse(position, SearchLimits(nodes=limit))
            depths.append(found.depth)
            losses.append(judge.loss(position, found.best or 0))
        lost[str(limit)] = losses
        cells = [f"{limit:,}", f"{np.mean(depths):.1f}", f"{np.mean(np.equal(losses, 0)):.1%}"]
        cells += mean(losses)
        if str(limit) in old:
            cells += mean(np.subtract(old[str(limit)], losses))
        told.add_row(*cells)
    if save:
        save.write_text(json.dumps(lost))
    screen().print(told)


def mean(values: ArrayLike) -> tuple[str, str]:
    """Return the mean of some values, and its standard error."""
    array = np.asarray(values, np.float64)
    return f"{array.mean():.3f}", f"{array.std(ddof=1) / len(array) ** 0.5:.3f}"


if __name__ == "__main__":
    typer.run(main)
