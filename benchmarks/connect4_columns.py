"""How long the scores of all columns take, with the opening book, in positions of any ply.

    python benchmarks/connect4_columns.py [--positions N] [--threads T] [--seed S]

Positions come from games of random moves, cut off after an even choice of plies; nobody has won.
Nothing is forgotten between positions, as in a server. Prints percentiles in milliseconds.
"""

import random
import time
from typing import Annotated

import numpy as np
import typer
from rich.progress import track

from plywire.engine.connect4.book.book import shipped_book
from plywire.engine.connect4.rules import Connect4, Connect4Position
from plywire.engine.connect4.solver.solver import Solver


def random_position(game: Connect4, draw: random.Random) -> Connect4Position:
    """A position in which the game goes on, after any number of plies."""
    while True:
        position = game.start()
        for _ in range(draw.randrange(game.width * game.height)):
            if position.is_over:
                break
            position = position.play(draw.choice(position.moves()))
        if not position.is_over:
            return position


def main(
    positions: Annotated[int, typer.Option(help="How many positions.", min=1)] = 1000,
    threads: Annotated[int, typer.Option(help="Threads that solve.", min=1)] = 1,
    table_mb: Annotated[int, typer.Option("--table", help="MB of the table.", min=1)] = 64,
    seed: Annotated[int, typer.Option(help="Which positions.")] = 1,
) -> None:
    """Time the scores of all columns."""
    game = Connect4()
    book = shipped_book(game.width, game.height)
    solver = Solver(table_mb=table_mb, threads=threads, book=book)
    began = time.perf_counter()
    solver.scores(game.start())
    print(f"empty board: {(time.perf_counter() - began) * 1000:.2f} ms")
    draw = random.Random(seed)
    walls, cpus = [], []
    for position in track([random_position(game, draw) for _ in range(positions)], "solving"):
        wall, cpu = time.perf_counter(), time.process_time()
        solver.scores(position)
        walls.append((time.perf_counter() - wall) * 1000)
        cpus.append((time.process_time() - cpu) * 1000)
    plies = 0 if book is None else book.plies
    print(f"{positions} positions, book to ply {plies}, {threads} threads, ms:")
    for name, times in (("wall", walls), ("CPU", cpus)):
        median, p95, p99 = np.percentile(times, [50, 95, 99])
        print(f"{name:4}  median {median:.2f}  p95 {p95:.1f}  p99 {p99:.1f}  most {max(times):.1f}")


if __name__ == "__main__":
    typer.run(main)
