"""The exported ConnectX agent: games in Kaggle's own environment, and how often it errs.

    pip install --no-deps kaggle-environments
    pip install jsonschema requests flask
    plywire export kaggle submission.py
    python benchmarks/connectx.py submission.py

The agent is not told of the errors' positions before, has as much time for each as ConnectX gives
for every move, and no overage time.
"""

import os
import random
import runpy
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Annotated, Any

import typer
from rich.table import Table

from plywire.engine.connect4.rules import Connect4, Connect4Position
from plywire.engine.connect4.solver.solver import Solver
from plywire.server.cli.common import screen, table

#: What ConnectX allows for a move, in s.
ACT_TIMEOUT = 2


def _games(file: Path, games: int) -> Table:
    from kaggle_environments import make

    headings = ("opponent", "ours moves", "won", "drawn", "lost", "failed", "longest move s")
    title = f"Games in kaggle-environments, load average {os.getloadavg()[0]:.1f}"
    figures = table(*headings, title=title)
    for opponent in ("negamax", "random"):
        for side, name in enumerate(("first", "second")):
            ends: Counter[str] = Counter()
            longest = 0.0
            for _ in range(games // 2):
                environment = make("connectx")
                agents = [opponent, opponent]
                agents[side] = str(file)
                end = environment.run(agents)[-1][side]
                ends[str(end.reward) if end.status == "DONE" else "failed"] += 1
                durations = (log[side].get("duration", 0) for log in environment.logs if log)
                longest = max(longest, *durations)
            counts = (str(ends[end]) for end in ("1", "0", "-1", "failed"))
            figures.add_row(opponent, name, *counts, f"{longest:.2f}")
    return figures


def _position(stones: int, chance: random.Random) -> Connect4Position:
    """A position that the agent's memory does not reach, in which something can be done wrong."""
    while True:
        position = Connect4().start()
        for _ in range(stones):
            if position.is_over:
                break
            position = position.play(chance.choice(position.moves()))
        if not position.is_over:
            return position


def _errors(file: Path, positions: int) -> Table:
    headings = ("stones", "positions", "keep the result", "of the best moves")
    figures = table(*headings, title=f"Random positions, {ACT_TIMEOUT} s a move")
    chance = random.Random(2026)
    solver = Solver(7, 6, table_mb=256)
    agent: Any = runpy.run_path(str(file))["agent"]
    limits = SimpleNamespace(columns=7, rows=6, inarow=4, actTimeout=ACT_TIMEOUT)
    for stones in (8, 10, 12, 14, 16, 20, 24):
        kept = best = count = 0
        while count < positions:
            position = _position(stones, chance)
            worths = {c: s for c, s in enumerate(solver.scores(position)) if s is not None}
            if len({_sign(worth) for worth in worths.values()}) == 1:
                continue
            count += 1
            cells = [".xo".index(cell) for row in position.cells() for cell in row]
            seen = SimpleNamespace(board=cells, mark=1 + position.turn, remainingOverageTime=0)
            worth, most = worths[agent(seen, limits)], max(worths.values())
            kept += _sign(worth) == _sign(most)
            best += worth == most
        figures.add_row(str(stones), str(count), f"{kept / count:.0%}", f"{best / count:.0%}")
    return figures


def _sign(score: int) -> int:
    return (score > 0) - (score < 0)


def main(
    file: Annotated[Path, typer.Argument(help="The exported agent.", exists=True)],
    games: Annotated[int, typer.Option(help="Games against each built-in agent.", min=0)] = 10,
    positions: Annotated[int, typer.Option(help="Positions for each number of stones.")] = 20,
) -> None:
    """Play against the built-in agents, and compare moves with exact scores."""
    console = screen()
    if games:
        console.print(_games(file, games))
    if positions:
        console.print(_errors(file, positions))


if __name__ == "__main__":
    typer.run(main)
