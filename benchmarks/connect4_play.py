"""How often the engine's moves lose value in Connect Four, in games against weaker players.

    python benchmarks/connect4_play.py [--games N] [--ms T | --nodes N] [--opponents …] [--busy]

A game begins with 0 to 12 random moves. Then the engine, with T ms a move, plays against an
opponent: `random`, `greedy`, or our search to a depth, such as `depth4`. Afterwards the solver
scores the position before and after each move of the engine. A move loses value if it turns a win
into a draw or a loss, or a draw into a loss. It loses distance if it wins later or loses sooner
than necessary. Moves that lose value are printed with the moves before them.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Annotated

import numpy as np
import typer
from rich.progress import track

from plywire.clients.play.players.base import GameLine, LocalPlayer
from plywire.clients.play.players.local import EnginePlayer, GreedyPlayer, RandomPlayer
from plywire.engine.connect4.book.book import shipped_book
from plywire.engine.connect4.rules import Connect4, Connect4Position
from plywire.engine.connect4.solver.solver import Solver
from plywire.engine.engine import LocalEngine
from plywire.engine.limits import SearchLimits
from plywire.engine.readiness import prepare
from plywire.engine.search.stop import Stop
from plywire.protocol.messages.limits import Limits
from plywire.server.cli.common import screen, table

GAME = Connect4()
OPENING_PLIES = 12
OPPONENTS = ("random", "greedy", "depth4", "depth8")
JUDGE_MB = 256


@dataclass
class Tally:
    """The engine's moves against one opponent."""

    games: int = 0
    moves: int = 0
    lost_value: list[str] = field(default_factory=list)
    """The moves that lost value, each with the moves before it."""
    lost_distance: int = 0
    times: list[float] = field(default_factory=list)
    """In ms."""


def opponent_of(name: str, seed: int) -> LocalPlayer:
    """Make the opponent of that name."""
    if name == "random":
        return RandomPlayer(seed)
    if name == "greedy":
        return GreedyPlayer()
    depth = int(name.removeprefix("depth"))
    return EnginePlayer(Limits(depth=depth), hash_mb=4, book=False)


def opening(chance: random.Random) -> GameLine:
    """Draw a random opening after which the game goes on."""
    while True:
        line = GameLine.at(GAME.start())
        for _ in range(chance.randint(0, OPENING_PLIES)):
            if not line.position.is_over:
                line = line.play(chance.choice(line.position.moves()))
        if not line.position.is_over:
            return line


def play(
    engine: LocalEngine, opponent: LocalPlayer, limits: SearchLimits, line: GameLine, side: int
) -> Iterator[tuple[GameLine, int, float]]:
    """Play a game; yields each move of the engine: the game before it, the move, its ms."""
    while not line.position.is_over:
        if line.position.turn == side:
            began = time.perf_counter()
            move = engine.analyse(line.position, limits).best
            elapsed = (time.perf_counter() - began) * 1000
            if move is None:
                raise RuntimeError("the engine found no move")
            yield line, move, elapsed
        else:
            move = opponent.think(line, opponent.limits or Limits(), Stop())
        line = line.play(move)


def judge(solver: Solver, tally: Tally, line: GameLine, move: int) -> None:
    """Count a move by the exact scores before and after it."""
    position = line.position
    assert isinstance(position, Connect4Position)
    after = -solver.score(position.play(move))
    before = max(after, solver.score(position))
    if np.sign(after) < np.sign(before):
        tally.lost_value.append(
            f"{''.join(line.names)} {GAME.move_name(move)}: {before:+} to {after:+}"
        )
    elif after < before:
        tally.lost_distance += 1


@contextmanager
def busy_core(wanted: bool) -> Iterator[None]:
    """If `wanted`, share one core with a process that never rests."""
    if not wanted:
        yield
        return
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as other:
        try:
            yield
        finally:
            other.kill()


def main(
    games: Annotated[int, typer.Option(help="Games, shared among the opponents.", min=1)] = 1000,
    ms: Annotated[int, typer.Option(help="Time for a move, in ms.", min=1)] = 20,
    nodes: Annotated[int, typer.Option(help="Nodes for a move, instead of time.", min=0)] = 0,
    opponents: Annotated[str, typer.Option(help="Opponents of the engine.")] = ",".join(OPPONENTS),
    hash_mb: Annotated[int, typer.Option("--hash", help="MB of the engine's table.", min=1)] = 16,
    busy: Annotated[
        bool, typer.Option(help="Think on a core that another process also uses.")
    ] = False,
    seed: Annotated[int, typer.Option(help="Seed of the openings.")] = 1,
) -> None:
    """Play, judge, and print a table."""
    prepare(GAME)
    engine = LocalEngine(hash_mb=hash_mb)
    judge_solver = Solver(table_mb=JUDGE_MB, book=shipped_book(GAME.width, GAME.height))
    limits = SearchLimits(nodes=nodes) if nodes else SearchLimits(movetime=ms)
    names = opponents.split(",")
    tallies = {name: Tally() for name in names}
    players = {name: opponent_of(name, seed) for name in names}
    moves: list[tuple[str, GameLine, int]] = []
    with busy_core(busy):
        for number in track(range(games), "playing"):
            name = names[number % len(names)]
            chance = random.Random(f"{seed}:{number // len(names)}")
            engine.clear()
            players[name].prepare(GAME)
            line, side = opening(chance), chance.randrange(2)
            tallies[name].games += 1
            for where, move, elapsed in play(engine, players[name], limits, line, side):
                moves.append((name, where, move))
                tallies[name].times.append(elapsed)
    for name, where, move in track(moves, "judging"):
        tallies[name].moves += 1
        judge(judge_solver, tallies[name], where, move)
    report(tallies, f"{nodes} nodes a move" if nodes else f"{ms} ms a move")


def report(tallies: dict[str, Tally], limit: str) -> None:
    """Print a line for each opponent, one for all, and the moves that lost value."""
    total = Tally()
    for tally in tallies.values():
        total.games += tally.games
        total.moves += tally.moves
        total.lost_value += tally.lost_value
        total.lost_distance += tally.lost_distance
        total.times += tally.times
    headings = "opponent", "games", "moves", "lost value", "lost distance", "p50 ms", "p99 ms"
    printed = table(*headings, "max ms", left="opponent", title=limit)
    for name, tally in (*tallies.items(), ("all", total)):
        p50, p99 = np.percentile(tally.times, [50, 99])
        printed.add_row(
            name,
            str(tally.games),
            str(tally.moves),
            str(len(tally.lost_value)),
            f"{tally.lost_distance} ({tally.lost_distance / max(tally.moves, 1):.2%})",
            *(f"{each:.2f}" for each in (p50, p99, max(tally.times))),
        )
    console = screen()
    console.print(printed)
    for lost in total.lost_value:
        console.print(lost, highlight=False)


if __name__ == "__main__":
    typer.run(main)
