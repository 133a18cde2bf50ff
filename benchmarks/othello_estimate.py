"""How far Othello's estimates lie from exact scores towards the end, and to which side.

    python benchmarks/othello_estimate.py [--weights FILE] [--positions N] [--seed N] [--threads N]

The engine plays itself after a few random moves. Of each game one position with 13 to 22 empty
squares is solved, and estimated by the weights that the engine comes with, or by others beside
them: at once, and by a search of one ply. An estimate is often too good for who moves last, so odd
and even numbers of empty squares are told apart; and so are positions in which the game is open, as
weights are to be right there above all.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from numpy.typing import NDArray
from rich.progress import track
from rich.table import Table

from plywire.engine.game import PASS
from plywire.engine.othello.evaluation.weights import UNIT, Tables, Weights, shipped_tables
from plywire.engine.othello.rules import Othello, OthelloPosition
from plywire.engine.othello.solver import Solver, final_score
from plywire.engine.readiness import prepare
from plywire.server.cli.common import screen
from tools.training.estimates import estimates
from tools.training.positions import Positions
from tools.training.selfplay import play_games

GAME = Othello()
EMPTY = range(13, 23)
#: Plies at random at the start of a game, and those that the engine looks ahead then.
RANDOM_PLIES, DEPTH, EXACT = (8, 12), 5, 8
#: A game is open where its exact score is at most so many discs to either side.
OPEN = 12


def sample(count: int, seed: int, threads: int) -> Positions:
    """One position a game, with each number of empty squares about as often."""
    games = play_games(
        count,
        shipped_tables(),
        depth=DEPTH,
        exact=EXACT,
        seed=seed,
        threads=threads,
        random_plies=RANDOM_PLIES,
    )
    return games[games.empties() == EMPTY.start + games.game % len(EMPTY)]


def solved(positions: Positions, threads: int) -> NDArray[np.float64]:
    """Exact scores, in discs."""
    prepare(GAME)

    def score(words: tuple[np.uint64, np.uint64]) -> int:
        return Solver(table_mb=16).score(OthelloPosition(GAME, int(words[0]), int(words[1]), 0))

    rows = zip(positions.own, positions.other, strict=True)
    with ThreadPoolExecutor(threads) as pool:
        scores = track(pool.map(score, rows), "Solving", len(positions))
        return np.array(list(scores), np.float64)


def one_ply(positions: Positions, tables: Tables) -> NDArray[np.float64]:
    """What a search of one ply finds, in hundredths of a disc."""
    rows = zip(positions.own, positions.other, strict=True)
    reached = [list(_children(own, other)) for own, other in rows]
    owners = np.repeat(np.arange(len(reached)), [len(children) for children in reached])
    flat = [child for children in reached for child in children]
    words = np.array([child.words() for child, _ in flat], np.uint64)
    none = np.zeros(len(flat), np.int32)
    leaves = Positions(words[:, 0].copy(), words[:, 1].copy(), none.astype(np.int8), none)
    found = estimates(leaves, tables).astype(np.float64)
    over = [UNIT * final_score(child) if child.is_over else np.nan for child, _ in flat]
    found = np.where(np.isnan(over), found, over) * [sign for _, sign in flat]
    best = np.full(len(reached), -np.inf)
    np.maximum.at(best, owners, found)
    return best


def _children(own: np.uint64, other: np.uint64) -> Iterator[tuple[OthelloPosition, int]]:
    """What each move leads to, and whose view that is: 1 for the mover, -1 for the other."""
    position = OthelloPosition(GAME, int(own), int(other), 0)
    for move in position.moves():
        child = position.play(move)
        if not child.is_over and child.moves() == [PASS]:
            yield child.play(PASS), 1
        else:
            yield child, -1


def main(
    weights: Annotated[
        list[Path] | None, typer.Option(help="Others beside those of the engine; repeatable.")
    ] = None,
    positions: Annotated[int, typer.Option(min=10, help="How many, one a game.")] = 2000,
    seed: Annotated[int, typer.Option(min=0, help="Of the games.")] = 1,
    threads: Annotated[int, typer.Option(min=1, help="Threads to solve in.")] = 1,
) -> None:
    """Measure, and print a table."""
    chosen = sample(positions, seed, threads)
    exact = solved(chosen, threads)
    is_odd = chosen.empties() % 2 == 1
    is_open = np.abs(exact) <= OPEN
    groups = (("all", np.ones_like(is_open)), (f"up to {OPEN} discs", is_open))
    table = Table("weights", "plies", "score", "odd: bias", "deviation", "even: bias", "deviation")
    sets = [("shipped", shipped_tables())]
    sets += [(file.name, Weights.load(file).tables()) for file in weights or ()]
    for name, tables in sets:
        for plies, values in ((0, estimates(chosen, tables)), (1, one_ply(chosen, tables))):
            errors = values / UNIT - exact
            for group, is_in in groups:
                sides = errors[is_in & is_odd], errors[is_in & ~is_odd]
                figures = [(f"{side.mean():+.2f}", f"{side.std():.2f}") for side in sides]
                cells = [cell for pair in figures for cell in pair]
                table.add_row(name, str(plies), group, *cells)
    screen().print(table)
    print(f"{is_odd.sum()} positions with an odd number of empty squares, {(~is_odd).sum()} even")


if __name__ == "__main__":
    typer.run(main)
